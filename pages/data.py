"""Is my data ready, and what is missing? Files in, checks out, and what was assumed."""

import streamlit as st

from ui import charts, frame, intake, route, state, words

PAGE = "pages/data.py"
route.enter()
frame.title(
    PAGE, "Load a track's runs and judgments, or look at a sample; the checks say what to know before you believe it."
)
intake.files()
study = frame.study(on_data=True)

systems, topics, findings = (state.ask(study, question) for question in ("systems", "topics", "findings"))
k = state.choose_ranks(st)
judged = state.ask(study, "judged", k=k)
frame.finding(words.data(systems.table, topics.table, judged.table, findings.table))
frame.picture(
    state.made(study, charts.judged_grid, judged, look=frame.look()),
    alt=f"Share of the first {k} ranks that is judged, for every topic and system.",
    key="grid",
    name="judged_share",
)
frame.numbers(*words.data_numbers(systems.table, topics.table, judged.table))
st.markdown("## What the checks found")
frame.findings(findings)
intake.assumptions(findings)
st.markdown("## Systems")
intake.systems_table(study, systems)
frame.table(judged, key="judged", title=f"Judged share of the first {k} ranks", folded=True)
frame.table(topics, key="topics", title="Topics", folded=True)
frame.table(systems, key="systems", title="What each system brought", folded=True)

frame.how_to_read(
    "A column per system, a row per topic, the most judged first: the brighter, the more of the first ranks somebody "
    "judged. Below, what the checks found, the most serious first.",
    "A dark column is a system that did not help to build the pool, or one that is unlike the others: its score is "
    "mostly unknown. A dark row is a topic that was judged less.",
    r"$\mathrm{judged}@k$ = judged documents in the first $k$ ranks, divided by $k$; empty ranks are not judged. A "
    "system contributed to the pool when the table says so, or when its audited depth is at least .7 of the third "
    "largest.",
)
frame.where_next("pages/pool_depth.py", "pages/scores.py")
state.look_ahead(study)
