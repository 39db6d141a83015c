"""How is each number defined?"""

import streamlit as st

from evalcore.vocabulary.sentences import digits
from ui.components import choices
from ui.layout import definition_links, page, section
from ui.session import memory, url_state
from ui.text import definitions, glossary
from ui.text.escape import md

page.title("Definitions of all numbers, with sources and, for most, an example that you can check by hand.")

MOST = 12  # sections that a search shows
SHOWN = {"asked": "Common questions", "defined": "Definitions", "chosen": "Options"}
CHAPTERS = {heading.partition(".")[0]: heading for heading in definitions.chapters()}


def chapter_of(number):
    """The heading of a section's chapter."""
    return CHAPTERS[number.partition(".")[0]]


def open_section(number):
    """Open the section with this number in place of what a search found, and scroll to it; for callbacks."""
    st.session_state["shown"], st.session_state["chapter"] = "defined", chapter_of(number)
    st.session_state["search"] = ""
    memory.put("section", number)
    definition_links.scroll_to(number)


def arrive_at_section():
    """Open the section that the address names. -> its number, or that of one that was just opened here"""
    number, opened_here = url_state.value_of("section"), memory.get("section")
    memory.put("section", None)
    if not memory.get("just-arrived") or number is None:
        return opened_here or number
    if number not in definitions.sections():
        memory.not_found("section", number, "no section")
        return None
    url_state.put("shown", "defined")
    url_state.put("chapter", chapter_of(number))
    return number


def show_questions(questions):
    """Show questions with their answers and the sections that define more, collapsed."""
    for question, answer in questions.items():
        said, numbers = definitions.asked_for_more(answer)
        with st.expander(question):
            st.markdown(said)
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown("Definitions:")
                for number in numbers:
                    key = f"defines-{question}-{number}"
                    st.button(number, key=key, type="tertiary", on_click=open_section, args=(number,))


def show_found(search):
    """Show the sections and the questions that a search finds."""
    hits, questions = definitions.found(search), definitions.questions_found(search)
    for hit, line in hits[:MOST]:
        with st.container(key=f"found-{definition_links.key_of(hit.number)}", gap=None):
            label, key = f"**{hit.number} {hit.title}**", f"finds-{hit.number}"
            st.button(label, key=key, type="tertiary", on_click=open_section, args=(hit.number,))
            st.caption(line)
    if len(hits) > MOST:
        st.caption(f"{digits(len(hits) - MOST, 'more section')} contain it. Add a word to the search.")
    show_questions(questions)
    if not hits and not questions:
        st.markdown(f"No section contains “{md(search)}”. Search for one word of it.")


questions = definitions.chapters("QUESTIONS.md")
definition_links.leave_choices()
section_shown = arrive_at_section()
searched = choices.search(
    "Search the definitions", key="search", placeholder="Search: a term, or a label of the screen"
)
if searched:
    show_found(searched)
    section_shown = None
else:
    shown = choices.view(st, SHOWN, key="shown")
    if shown == "asked":
        show_questions(questions)
    elif shown == "defined":
        chapter = choices.select(st, "Chapter", list(CHAPTERS.values()), key="chapter")
        for number, text in definitions.parts(chapter):
            with st.container(key=definition_links.key_of(number)):
                st.markdown(text)
    else:
        for title, rows, plainly in glossary.choosable():
            st.markdown(f"## {title}")
            st.dataframe(
                [{"name": row.name, "in plain words": plainly(row), "source": row.source} for row in rows],
                hide_index=True,
                height=section.height_of(rows, most=600),
                column_config={"in plain words": st.column_config.TextColumn(width="large")},
            )
    if shown != "defined" or (section_shown and chapter != chapter_of(section_shown)):
        section_shown = None
url_state.put("section", section_shown)

page.where_next()
