"""What do I take home? What each page said when it was last looked at, with all that it takes to say it again."""

from datetime import date

import streamlit as st

from ui import export, menu, page, session, studies

study = page.begin("What each page says, as you left it, with its tables, the scripts that make them, and the files.")

notes = session.notes()
pages = {one.name: one.question for one in menu.PAGES.values() if one.asks_study and one.name != "Report"}
said = [
    export.said_by(name, question, notes[name])
    for name, question in pages.items()
    if name in notes and notes[name]["findings"]
]
refused = {name: note["refusal"] for name, note in notes.items() if note["refusal"]}
spoken = [one.page for one in said]
nothing = {name: why for name, why in (export.nothing_to_say(study) | refused).items() if name not in spoken}
nothing = {name: nothing[name] for name in pages if name in nothing}
page.finding(export.told(list(pages), spoken, list(nothing)), key="report")
settings, edited = export.settings(study), studies.edited_systems()
settings += [("Systems table", f"as edited on the Data page: {edited.name}")] if edited else []
body = export.report(studies.source().label, said, settings, study.sources, day=date.today().isoformat(),
                     nothing=nothing.items())  # fmt: skip
with st.container(horizontal=True):
    st.download_button(
        "Download report", lambda: export.report_page(body), "poolscope_report.html", "text/html", type="primary",
        on_click="ignore", disabled=not said, help="One page that any browser shows and prints.",
    )  # fmt: skip
    st.download_button(
        "Download everything", lambda: export.archive(body, said, [edited] if edited else []), "poolscope_report.zip",
        "application/zip", on_click="ignore", disabled=not said,
        help="The report, every table as CSV, and for each a program that makes it again from the same files.",
    )  # fmt: skip
with st.container(border=True, key="report-body"):
    st.html(body)

if left := [menu.NAMED[name] for name in pages if name not in (*spoken, *nothing)]:
    st.markdown("## Not yet looked at")
    page.links(left)

page.how_to_read(
    "What every page that you have looked at found, with the choices that you made there and the tables that it "
    "showed; then pages that have nothing to say of this track, and why.",
    "Look at a page again with other choices, and its part here follows. Another study, the same one read "
    "differently, with other judgments beside it or a fused run among its systems, has a report of its own; reloading "
    "the tab begins anew.",
    "The digests (SHA-256) name the files beyond doubt: the scripts refuse files that have changed. Version, options "
    "and parameters are all that the numbers depend on.",
)
page.where_next()
