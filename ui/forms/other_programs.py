"""Compare the scores of another program with those of the open study."""

import streamlit as st

from evalcore.study.study import Study
from ui.forms import page_file
from ui.layout import section

NOTE = "Output of trec_eval -q or ir_measures, or JSON lines, for one or several runs; also as .gz or .zip."


def compare(study: Study) -> None:
    """An uploader for the other program's output, and every score that differs, with the reason."""
    printed = page_file.given("theirs", "Scores", "Scores from another program", NOTE)
    if printed is None:
        st.caption(f"{NOTE} The table lists each score that differs, with the convention that explains it, if known.")
    elif compared := page_file.attached(study, "theirs"):
        shown = section.ask(compared, "score_differences", slow="Comparing the scores …").say()
        shown.draw(tiles=True).table(folded=False)
