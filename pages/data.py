"""Is my data ready, and what is missing? Files in, checks out, and what was assumed."""

import streamlit as st

from ui import charts, deep_links, page, state, uploads, words

PAGE = "pages/data.py"
deep_links.enter()
page.title(
    PAGE, "Load a track's runs and judgments, or look at a sample; the checks say what to know before you believe it."
)
uploads.files()
study = page.study(on_data=True)

systems, topics, findings = (state.ask(study, question) for question in ("systems", "topics", "findings"))
k = state.choose_ranks(st)
judged = state.ask(study, "judged", k=k)
page.finding(words.data(systems.table, topics.table, judged.table, findings.table))
page.picture(
    state.made(study, charts.judged_grid, judged, look=page.look()),
    alt=f"Share of the first {k} ranks that is judged, for every topic and system.",
    key="grid",
    name="judged_share",
)
page.numbers(*words.data_numbers(systems.table, topics.table, judged.table))
st.markdown("## What the checks found")
page.findings(findings)
uploads.assumptions(findings)
st.markdown("## Systems")
uploads.systems_table(study, systems)
page.table(judged, key="judged", title=f"Judged share of the first {k} ranks", folded=True)
page.table(topics, key="topics", title="Topics", folded=True)
page.table(systems, key="systems", title="What each system brought", folded=True)

page.how_to_read(
    "A column per system, a row per topic, the most judged first: the brighter, the more of the first ranks somebody "
    "judged. Below, what the checks found, the most serious first.",
    "A dark column is a system that did not help to build the pool, or one that is unlike the others: its score is "
    "mostly unknown. A dark row is a topic that was judged less.",
    r"$\mathrm{judged}@k$ = judged documents in the first $k$ ranks, divided by $k$; empty ranks are not judged. A "
    "system contributed to the pool when the table says so, or when its audited depth is at least .7 of the third "
    "largest.",
)
page.where_next("pages/pool_depth.py", "pages/scores.py")
state.look_ahead(study)
