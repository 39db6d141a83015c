"""Is my data ready, and what is missing? Files in, checks out, and what was assumed."""

import streamlit as st

from ui import choices, page, prefetch, session, uploads
from ui.views.collection import tiles_of
from ui.views.judgments import outside_the_pool

page.title("Load a track's runs and judgments, or look at a sample; the checks say what to know before you believe it.")
uploads.files()
study = page.study(on_data=True)
uploads.to_the_scores()
uploads.truth_of(study)

above = st.container()  # has its place before it is filled: the checks take longest, and nothing waits for them
systems, topics = (session.ask(study, question) for question in ("systems", "topics"))
audit = session.ask(study, "pool_audit") if study.blocks is None else None
k = choices.ranks(st)
below = st.container()
judged = session.ask(study, "judged", k=k)
tiles = [*tiles_of(systems, topics, judged), *([outside_the_pool(audit)] if audit else [])]
page.show(study, "judged", answer=judged, say=False, table=None, tiles=tiles)
checks = st.container()
with checks:
    st.markdown("## What the checks found")
with st.expander("Systems: who helped to build the pool, and their groups"):
    uploads.systems_table(study, systems)
page.give(judged, key="judged", title=f"Judged share of the first {k} ranks", folded=True)
page.show(study, "topics", say=False)
page.show(study, "systems", say=False)

page.how_to_read(
    "A column per system, a row per topic, the most judged first: the brighter, the more of the first ranks somebody "
    "judged. Below, what the checks found, the most serious first.",
    "A dark column is a system of whose first ranks little was judged, so that its score is mostly unknown. Whether it "
    "contributed to the pool the picture does not tell: a contributor may look dark below the pool's depth, and one "
    "that did not contribute may find what others found. A dark row is a topic of whose first ranks less was judged.",
    r"$\mathrm{judged}@k$ = judged documents in the first $k$ ranks, divided by $k$; empty ranks are not judged. A "
    "system contributed to the pool when the table says so; else, where the files show it, when fewer than one in ten "
    "of its rankings meet an unjudged document above the depth of the topic's pool.",
)
page.where_next()

findings = None
with checks, page.part(), above:  # what refuses them is said where the checks are
    findings = session.ask(study, "findings", slow="Checking runs and judgments …")
    page.finding(findings.finding, key="findings")
if k != 10 or not findings:
    with below:
        page.finding(judged.finding, key="judged")
if findings:
    with checks:
        uploads.checks(study, findings)
        uploads.assumptions(study, findings)
prefetch.look_ahead(study)
