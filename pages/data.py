"""Is my data ready, and what is missing? Load files, check them, and list the assumptions."""

from functools import partial

import streamlit as st

from ui.components import choices, progress
from ui.forms import uploads
from ui.layout import definition_links, page, prefetch, section
from ui.session import answers
from ui.views.data_overview import tiles_of
from ui.views.judgments import outside_the_pool

page.title(
    "Load runs and judgments, or open a sample. The checks list what to fix and what to keep in mind.", leads=False
)
uploads.files()
study = page.study(on_data=True)
uploads.to_the_scores()
uploads.to_the_judges()
uploads.truth_of(study)

k = choices.ranks(page.line())
above = st.container(key="checks")  # reserved first and filled last: the checks take longest
below = st.container()
systems, topics = (answers.ask(study, question) for question in ("systems", "topics"))
audit, judged = answers.ask(study, "pool_audit"), answers.ask(study, "judged", k=k)
tiles = tiles_of(systems, topics, judged, assumed=study.pooling.how == "assumed")
section.ask(study, "judged", answer=judged).draw(own_tiles=(*tiles, outside_the_pool(audit)))
definition_links.keep_place()
checks = st.container()
with checks:
    st.markdown("## Checks")
assumed = st.container()
with st.expander("Systems: groups and contributors"):
    uploads.systems_table(study, systems)
section.table(judged, key="judged", title=f"Judged share of the top {k}", folded=True)
section.ask(study, "topics").draw().table()
section.ask(study, "systems").draw().table()

page.how_to_read(
    "Each column is a system and each row a topic, the most judged first. The brighter a cell, the more of the top "
    "results are judged. The checks are below, the most serious first.",
    "A dark column is a system with few judged documents at its top, so its score is mostly unknown. A dark row is "
    "a topic where this is true of most systems. The picture does not show which systems contributed to the pool. A "
    "contributing system can look dark if the pool is shallow. Any other system can look bright if it retrieves the "
    "same documents.",
    r"$\mathrm{Judged}@k$ = judged documents in the top $k$, divided by $k$; unfilled ranks count as unjudged. A "
    "system contributed to the pool if the systems table says so. Otherwise, where the files show it, a system "
    "contributed if under one in ten of its rankings has an unjudged document above the topic's pool depth.",
)
page.where_next()

findings = None
with checks, page.part(), above:  # a refusal is shown among the checks
    check = partial(answers.ask_and_watch, study, "findings")
    findings = progress.in_sight(check, uploads.step_of_checks, None, "checks")
    section.say(findings.finding, key="findings")
if k != 10 or not findings:
    with below:
        section.say(judged.finding, key="judged")
if findings:
    with checks:
        uploads.checks(study, findings)
    with assumed:
        uploads.assumptions(study, findings)
prefetch.look_ahead(study)
