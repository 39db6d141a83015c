"""Poolscope: what relevance judgments can and cannot tell about retrieval systems.

streamlit run app.py [-- --runs DIR --qrels FILE [--systems-table FILE] [--queries-table FILE] [--other FILE]]
"""

import streamlit as st

from ui import deep_links, page, state

st.set_page_config(page_title="Poolscope", page_icon="ui/icon.png", layout="wide")
pages = [st.Page(path, title=name, default=path == "pages/data.py") for path, (name, _) in page.PAGES.items()]
chosen = st.navigation(pages)
state.arrive(chosen.title)
with st.sidebar:
    state.choose_study()
page.style()
deep_links.run(chosen)
