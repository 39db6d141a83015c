"""Poolscope: what relevance judgments can and cannot establish about retrieval systems.

streamlit run app.py [-- --runs DIR --qrels FILE [--systems-table FILE] [--queries-table FILE]
    [--other FILE] [--truth FILE] [--scheduler ADDRESS] [--block TOPICS]]

Streamlit imports this file once, when the server starts, and runs it as a program for every visit.
"""

import streamlit as st
from starlette.middleware import Middleware

from ui import plotting, starting, upload_limits, way_back

if __name__ == "__main__":
    from ui import visit

    visit.draw()
else:
    starting.end_if_settings_are_wrong()
    starting.share_processors()
    plotting.library_is_there()  # before Streamlit misses its folder, and before a browser asks for it
    from ui import staying  # which needs right settings

    layers = [Middleware(upload_limits.UploadLimits), Middleware(way_back.InDocument), Middleware(staying.Cookie)]
    app = st.App(__file__, lifespan=starting.begin, middleware=layers)
