"""How is each number defined?"""

import streamlit as st

from ui.components import choices
from ui.layout import page, section
from ui.session import memory
from ui.text import definitions, glossary

page.title("Definitions of all numbers, with sources and, for most, an example that you can check by hand.")


def key_of(number):
    """Key of a section's container."""
    return f"section-{number.replace('.', '-')}"


def open_section(number):
    """Open the section with this number, and scroll to it."""
    chapters = {heading.partition(".")[0]: heading for heading in definitions.chapters()}
    st.session_state["shown"], st.session_state["chapter"] = "defined", chapters[number.partition(".")[0]]
    times = memory.get("sections-opened", 0) + 1
    memory.put("sections-opened", times)
    memory.put("opened-by-click", [key_of(number), times])


SHOWN = {"asked": "Common questions", "defined": "Definitions", "chosen": "Options"}
shown = choices.view(st, SHOWN, key="shown")
if shown == "asked":
    for question, answer in definitions.chapters("QUESTIONS.md").items():
        said, numbers = definitions.asked_for_more(answer)
        with st.expander(question):
            st.markdown(said)
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown("Definitions:")
                for number in numbers:
                    key = f"defines-{question}-{number}"
                    st.button(number, key=key, type="tertiary", on_click=open_section, args=(number,))
elif shown == "defined":
    chapter = choices.select(st, "Chapter", list(definitions.chapters()), key="chapter")
    for number, text in definitions.parts(chapter):
        with st.container(key=key_of(number)):
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

page.where_next()
