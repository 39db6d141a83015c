"""What is computed, and why does it differ from what I know?"""

import streamlit as st

from ui import choices, definitions, glossary, page, session

page.title("Every number is defined here, with its source and, for most, an example that one can check by hand.")


def key_of(number):
    """The key of the container of a section."""
    return f"section-{number.replace('.', '-')}"


def open_section(number):
    """Show the section of this number, and scroll to it."""
    st.session_state["shown"], st.session_state["chapter"] = "defined", definitions.chapter_of(number)
    times = session.remember("sections-opened", 0) + 1
    session.keep_in_mind("sections-opened", times)
    session.keep_in_mind("opened-by-click", [key_of(number), times])


SHOWN = {"asked": "Questions people ask", "defined": "Definitions", "chosen": "What can be chosen"}
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
    chapter = choices.one(st, "Chapter", list(definitions.chapters()), key="chapter")
    for number, text in definitions.parts(chapter):
        with st.container(key=key_of(number)):
            st.markdown(text)
else:
    for title, rows, plainly in glossary.choosable():
        st.markdown(f"## {title}")
        st.dataframe(
            [{"name": row.name, "in plain words": plainly(row), "source": row.source} for row in rows],
            hide_index=True,
            height=page.height_of(rows, most=600),
            column_config={"in plain words": st.column_config.TextColumn(width="large")},
        )

page.where_next()
