"""What is computed, and why does it differ from what I know?"""

import re

import streamlit as st

from ui import choices, definitions, glossary, page

page.title("Every number is defined here, with its source and, for most, an example that one can check by hand.")

QUESTIONS, METHODS = definitions.chapters("QUESTIONS.md"), definitions.chapters("METHODS.md")
SHOWN = {"asked": "Questions people ask", "defined": "Definitions", "chosen": "What can be chosen"}
shown = choices.view(st, SHOWN, key="shown")
if shown == "asked":
    for question, answer in QUESTIONS.items():
        with st.expander(question):
            st.markdown(answer)
elif shown == "defined":
    chapter = choices.one(st, "Chapter", list(METHODS), key="chapter")
    st.markdown(f"## {chapter}")
    st.markdown(re.sub(r"\\\n", "  \n", METHODS[chapter]))
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
