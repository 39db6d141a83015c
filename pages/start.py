"""What is this, and what can it show me? A toy to drag, a tour, and two more ways to start."""

import streamlit as st

from ui.data import open_studies, study_choice
from ui.forms import toy
from ui.layout import page
from ui.tours import tour_navigation
from ui.tours.tours import PAPERS, TOURS

page.title("Poolscope shows what relevance judgments can and cannot establish about search systems.")

st.markdown(
    f"Three search systems rank the same six documents for the question *{toy.NEED}* Reading everything costs too "
    "much, so people read only the top of every ranking, the **pool**. They decide which documents help: the "
    "**judgments**. An unread document may or may not help, so a system's score is not one number but an **interval**."
)
with st.container(horizontal=True, vertical_alignment="center"):
    st.button(TOURS["pooling"].title, on_click=tour_navigation.present, args=("pooling",), type="primary")
    own = st.button("Open your own files", on_click=study_choice.open_another, args=("files",))
    st.markdown(
        "Two systems' result files (runs) and one file of judgments (qrels) are enough to ask which system is better."
    )
toy.show()

st.markdown("## Two more ways to start")
track, paper = st.columns(2, border=True)
with track:
    st.markdown("### Check a track")
    st.markdown("Open your own files above. See whether they fit together and how far you can rely on them.")
    with st.container(horizontal=True):
        for tour in ("soundness", "judges"):
            st.button(TOURS[tour].title, on_click=tour_navigation.begin, args=(tour,))
with paper:
    st.markdown("### Work with a paper")
    st.markdown(f"Follow one of {len(PAPERS)} papers, step by step, on your own track or a sample.")
    titles = {name: TOURS[name].title for name in PAPERS}
    of = st.selectbox("Paper", PAPERS, format_func=titles.get, label_visibility="collapsed", key="paper")
    st.caption(TOURS[of].what)
    st.button("Follow this paper", on_click=tour_navigation.begin, args=(of,), type="primary")
if own:
    st.switch_page("pages/data.py")

if study_choice.invented():
    st.caption(f"The pages show “{open_studies.source().label}” until you open other data. {open_studies.INVENTED}")
page.where_next()
