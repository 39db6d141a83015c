"""What do I take home? What each page said when it was last looked at, with all that it takes to say it again."""

from datetime import date

import streamlit as st

from ui import deep_links, export, page, state, words

PAGE = "pages/report.py"
deep_links.enter()
page.title(PAGE, "What each page says, as you left it, with its tables, the scripts that make them, and the files.")
study = page.study()

notes = state.notes()
pages = {name: (page, question) for page, (name, question) in page.PAGES.items() if page != PAGE}
said = [
    (name, question, notes[name]["finding"], list(notes[name]["tables"].values()))
    for name, (_, question) in pages.items()
    if name in notes and notes[name]["finding"]
]
told = [name for name, *_ in said]
page.finding(words.report(told, len(pages)))
settings, edited = words.settings(study.options, study.scope), state.edited_systems()
settings += [("Systems table", f"as edited on the Data page: {edited.name}")] if edited else []
body = export.report(state.source().label, said, settings, study.sources, day=date.today().isoformat())
with st.container(horizontal=True):
    st.download_button(
        "Download report",
        lambda: export.report_page(body),
        "poolscope_report.html",
        "text/html",
        type="primary",
        on_click="ignore",
        disabled=not said,
        help="One page that any browser shows and prints.",
    )
    st.download_button(
        "Download everything",
        lambda: export.archive(body, said, [edited] if edited else []),
        "poolscope_report.zip",
        "application/zip",
        on_click="ignore",
        disabled=not said,
        help="The report, every table as CSV, and for each a program that makes it again from the same files.",
    )
with st.container(border=True, key="report"):
    st.html(body)

if len(told) < len(pages):
    st.markdown("## Nothing yet from")
    for name, (page, question) in pages.items():
        if name not in told:
            st.page_link(page, label=f"**{name}** · {question}")

page.how_to_read(
    "A line per page that you have looked at: what it found, with the choices that you made there, and the tables that "
    "it showed.",
    "Look at a page again with other choices, and its line here follows. Another study, the same one read "
    "differently, with other judgments beside it or a fused run among its systems, has a report of its own; reloading "
    "the tab begins anew.",
    "The digests (SHA-256) name the files beyond doubt: the scripts refuse files that have changed. Version, options "
    "and parameters are all that the numbers depend on.",
)
page.where_next("pages/data.py", "pages/scores.py")
