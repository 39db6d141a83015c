"""What do I take home? The findings of each visited page, with all that is needed to reproduce them."""

from datetime import date
from functools import partial

import streamlit as st

from ui.data import additions, open_options, open_studies, study_choice
from ui.layout import collapsed_sections, menu, page, section
from ui.report import export, report
from ui.session import answers, memory, notes, url_state
from ui.views.data_overview import assumptions

study = page.begin("The findings and tables of the pages you visited, with scripts that reproduce them.")

with st.spinner("Computing collapsed sections …"):
    note_of = {name: collapsed_sections.computed(study, note) for name, note in notes.by_page().items()}
pages = {one.name: one.question for one in menu.PAGES.values() if one.asks_study and one.name != "Report"}
looked_at = [name for name in pages if name in note_of and note_of[name]["findings"]]
refused = {name: note["refusal"] for name, note in note_of.items() if note["refusal"]}
nothing = {name: why for name, why in (menu.nothing_to_say(study) | refused).items() if name not in looked_at}
nothing = {name: nothing[name] for name in pages if name in nothing}
section.say(report.overview(list(pages), looked_at, list(nothing)), key="report")
own = {}
if looked_at:
    with st.expander("Add your own notes"):
        own = {name: notes.own_note(study, name) for name in looked_at}
sections = [report.section_of(name, pages[name], note_of[name], own[name]) for name in looked_at]
settings, edited = (
    report.settings(study, additions.second_qrels() and additions.second_level()),
    open_options.edited_systems(),
)
settings += [("Systems table", f"as edited on the Data page: {edited.name}")] if edited else []
label, assumed = open_studies.source().label, []
with page.part():
    found = answers.ask(study, "findings").table
    assumed = assumptions(found[found["check"] != "assumed"])  # `settings` has the conventions
body = partial(
    report.report, label, sections, settings, study.sources, day=date.today().isoformat(),
    nothing=nothing.items(), assumed=assumed, app=url_state.app_address(),
    too_long=[(name, title) for name in looked_at for title in note_of[name]["too_long"]],
)  # fmt: skip


def in_full():
    """The report as one file, with its pictures, drawn on demand."""
    return report.report_page(body(in_full=True), f"Poolscope: {label}")


def everything(save):
    """The report with all that belongs to it, and the study, which opens again."""
    return save(more=export.members(in_full(), sections))


with st.container(horizontal=True):
    st.download_button(
        "Download report", in_full, study_choice.file_name("poolscope_report.html"), "text/html", type="primary",
        on_click="ignore", disabled=not sections,
        help="One HTML page for any browser or printer. It saves its pictures as SVG.",
    )  # fmt: skip
    st.download_button(
        "Download everything", partial(everything, memory.get("save")),
        study_choice.file_name("poolscope_report.zip"), "application/zip", on_click="ignore", disabled=not sections,
        help="The report, tables as CSV and LaTeX, a script that reproduces each table, the sources as BibTeX, and "
        "your files. Drop it on Data to open the study again.",
    )  # fmt: skip
with st.container(border=True, key="report-body"):
    st.html(body())

if left := [menu.NAMED[name] for name in pages if name not in (*looked_at, *nothing)]:
    st.markdown("## Pages not visited")
    page.links(left)

page.how_to_read(
    "The report contains the findings of each page you visited, with your choices and tables. Then it lists the pages "
    "that you did not visit, and explains why any page does not apply to this track.",
    "Visit a page again with other choices to update its part. Changing the data, its options, the second judgments or "
    "the fused runs starts a separate report. Reports survive a reload of the tab for up to an hour.",
    "Digests (SHA-256) identify the files, so the scripts refuse files that have changed. The numbers depend only on "
    "these files, the version, the options and the parameters.",
)
page.where_next()
