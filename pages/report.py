"""What do I take home? What each page said when it was last looked at, with all that it takes to say it again."""

from datetime import date
from functools import partial

import streamlit as st

from ui import export, menu, page, report, session, studies, unopened
from ui.views.collection import assumptions

study = page.begin("What each page says, as you left it, with its tables, the scripts that make them, and the files.")

with st.spinner("Asking what is folded …"):
    notes = {name: unopened.asked(study, note) for name, note in session.notes().items()}
pages = {one.name: one.question for one in menu.PAGES.values() if one.asks_study and one.name != "Report"}
looked_at = [name for name in pages if name in notes and notes[name]["findings"]]
refused = {name: note["refusal"] for name, note in notes.items() if note["refusal"]}
nothing = {name: why for name, why in (report.nothing_to_say(study) | refused).items() if name not in looked_at}
nothing = {name: nothing[name] for name in pages if name in nothing}
page.finding(report.told(list(pages), looked_at, list(nothing)), key="report")
own = {}
if looked_at:
    with st.expander("Write a note of your own on a page"):
        own = {name: session.own_note(study, name) for name in looked_at}
said = [report.said_by(name, pages[name], notes[name], own[name]) for name in looked_at]
settings, edited = report.settings(study, studies.second_qrels() and studies.second_level()), studies.edited_systems()
settings += [("Systems table", f"as edited on the Data page: {edited.name}")] if edited else []
label, assumed = studies.source().label, []
with page.part():  # which a track in blocks of topics is not asked
    assumed = assumptions(session.ask(study, "findings").table)
told = partial(
    report.report, label, said, settings, study.sources, day=date.today().isoformat(),
    nothing=nothing.items(), assumed=assumed, app=session.own_address(),
    too_long=[(name, title) for name in looked_at for title in notes[name]["too_long"]],
)  # fmt: skip


def in_full():
    """The report as one file; what it takes seconds to draw is drawn when it is asked for."""
    return report.report_page(told(in_full=True), f"Poolscope: {label}")


with st.container(horizontal=True):
    st.download_button(
        "Download report", in_full, "poolscope_report.html", "text/html", type="primary",
        on_click="ignore", disabled=not said, help="One page with its pictures, that any browser shows and prints.",
    )  # fmt: skip
    st.download_button(
        "Download everything", lambda: export.archive(in_full(), said, [edited] if edited else []),
        "poolscope_report.zip", "application/zip", on_click="ignore", disabled=not said,
        help="The report, every picture as SVG, every table as CSV and LaTeX, for each a program that makes it again "
        "from the same files, and all sources as BibTeX.",
    )  # fmt: skip
with st.container(border=True, key="report-body"):
    st.html(told())

if left := [menu.NAMED[name] for name in pages if name not in (*looked_at, *nothing)]:
    st.markdown("## Not yet looked at")
    page.links(left)

page.how_to_read(
    "What every page that you have looked at found, with the choices that you made there and the tables that it "
    "showed; then pages that have nothing to say of this track, and why.",
    "Look at a page again with other choices, and its part here follows. Another study, the same one read "
    "differently, with other judgments beside it or a fused run among its systems, has a report of its own; a reload "
    "of the tab finds it again for up to an hour.",
    "The digests (SHA-256) name the files beyond doubt: the scripts refuse files that have changed. Version, options "
    "and parameters are all that the numbers depend on.",
)
page.where_next()
