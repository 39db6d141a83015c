"""Poolscope: what relevance judgments can and cannot establish about retrieval systems.

streamlit run app.py [-- --runs DIR --qrels FILE [--systems-table FILE] [--queries-table FILE]
    [--other FILE] [--truth FILE] [--scheduler ADDRESS] [--block TOPICS]]
streamlit run app.py -- --study NAME.poolscope

Streamlit imports this file once, when the server starts, and runs it as a program for every visit. Every worker process
imports it, too, as `__mp_main__`.
"""

if __name__ == "__main__":
    from ui.app import app_shell

    app_shell.draw()
elif __name__ != "__mp_main__":
    import streamlit as st
    from starlette.middleware import Middleware

    from ui.app import startup
    from ui.components import browser_history, plotly_component
    from ui.serving import upload_limits

    startup.end_if_settings_are_wrong()
    startup.share_processors()
    plotly_component.library_is_there()  # before Streamlit misses its folder, and before a browser asks for it
    from ui.app import kept_uploads  # which needs right settings

    layers = [
        Middleware(upload_limits.UploadLimits),
        Middleware(browser_history.InDocument),
        Middleware(kept_uploads.Cookie),
    ]
    app = st.App(__file__, lifespan=startup.begin, middleware=layers)
