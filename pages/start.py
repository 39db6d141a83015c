"""What is this, and what can it show me? A toy to drag, and the doors to everything else."""

import streamlit as st

from evalcore.sentences import small
from ui import guide, page, studies, toy
from ui.tours import PAPERS, TOURS

page.title("Poolscope shows what relevance judgments can, and cannot, tell about search systems.")

st.markdown(
    f"Three search systems answer *{toy.NEED}*, each with a ranking of the same six documents: a **run**. Reading "
    "everything costs too much, so people read only the top of every ranking, the **pool**, and say which of its "
    "documents help: the **judgments**. What nobody read stays open, so a system's score is not a number but an "
    "**interval**."
)
toy.show()

st.markdown("## Where do you want to go?")
audience, track, paper = st.columns(3, border=True)
with audience:
    st.markdown("### Show it to an audience")
    steps = small(len(TOURS["pooling"].steps))
    st.markdown(f"What pooling is and what it does to scores, in {steps} steps, for a class or a talk.")
    st.button(TOURS["pooling"].title, on_click=guide.present, args=("pooling",), type="primary")
with track:
    st.markdown("### Check a track")
    st.markdown("Runs and judgments in; out comes whether they belong together, and whether to believe them.")
    with st.container(horizontal=True):
        own = st.button("Open your own files", on_click=studies.open_another, args=("files",), type="primary")
        st.button(TOURS["soundness"].title, on_click=guide.begin, args=("soundness",))
with paper:
    st.markdown("### Work with a paper")
    st.markdown(f"What {small(len(PAPERS))} papers compute, step by step, on your own track or on a sample.")
    titles = {name: TOURS[name].title for name in PAPERS}
    of = st.selectbox("Paper", PAPERS, format_func=titles.get, label_visibility="collapsed", key="paper")
    st.caption(TOURS[of].what)
    st.button("Follow this paper", on_click=guide.begin, args=(of,), type="primary")
if own:
    st.switch_page("pages/data.py")

if studies.invented():
    st.caption(f"Until you open something else, the pages show “{studies.source().label}”. {studies.INVENTED}")
page.where_next()
