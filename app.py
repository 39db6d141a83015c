"""Poolscope: what relevance judgments can and cannot tell about retrieval systems.

streamlit run app.py [-- --runs DIR --qrels FILE [--systems-table FILE] [--queries-table FILE] [--other FILE]]
"""

import streamlit as st

from ui import deep_links, page, session, studies

st.set_page_config(page_title="Poolscope", page_icon="ui/icon.png", layout="wide")
pages = [st.Page(path, title=name, default=path == "pages/data.py") for path, (name, _) in page.PAGES.items()]
chosen = st.navigation(pages)
session.arrive(chosen.title)
studies.settle_assumptions()
with st.sidebar:
    studies.choose()
page.style()
deep_links.run(chosen)
