"""Can these judgments be trusted? Health, audit, suspects, and what to judge next."""

import streamlit as st

import evalcore
from evalcore.findings.conclusion import NOTHING
from evalcore.findings.judgments import summary
from ui.components import choices
from ui.forms import uploads
from ui.layout import definition_links, page, section
from ui.session import answers
from ui.text import glossary
from ui.views.judgments import tiles_of
from ui.views.pool_depth import BY_DEPTH

study = page.begin("How many relevant documents may be missing, which judgments look wrong, and what to judge next.")

PARTS = {"trust": "Quality", "next": "What to judge next"}
line = page.line()
metric = choices.metric(line)
budgets = [100, 20, 50, 200, 500, 1000]
budget = choices.select(line, "Documents to judge next", budgets, key="budget", says="{:,} more to judge".format)
trust, to_come = choices.tabs(PARTS, key="part")

with trust, page.part():
    health = answers.ask(study, "judgment_health")
    audit = answers.ask(study, "pool_audit")
    suspects = answers.ask(study, "suspects", slow="Looking for odd judgments …", metric=metric, top=None)
    holes = answers.ask(study, "holes") if (audit.table["holes"] > 0).any() else None
    questioned = suspects.finding if health.table["judged"].any() else NOTHING
    coming = answers.ask(study, "judge_next", metric=choices.weighing_of(metric), budget=budget)
    finding = summary(questioned, health.finding, holes.finding if holes else NOTHING, coming.finding)
    shown = section.ask(study, "judgment_health", answer=health).say(finding)
    shown.draw(own_tiles=tiles_of(health, holes, audit)).table()
    definition_links.keep_place()

    st.markdown("## Judgments that look wrong")
    few = "systems" in suspects.finding.facts  # too few systems to suspect a judgment
    doubted = section.ask(study, "suspects", answer=suspects)
    if questioned:
        doubted.say()
    doubted.draw().table(folded=few)

    st.markdown("## Which systems contributed?")
    section.ask(study, "pool_audit", answer=audit).say().draw().table()
    if holes:
        section.ask(study, "holes", answer=holes).draw().table()
    section.ask(study, "unretrieved").draw().table()

    with page.fold("How many relevant documents does each depth find?", key="pool"):
        by_depth = {"view": BY_DEPTH, "metric": metric, "depths": choices.depths(study, metric)}
        section.ask(study, "pool", **by_depth).say().draw().table()

with to_come:
    with page.part():
        weighing = choices.weighing(st, metric)
        section.ask(study, "judge_next", metric=weighing, budget=budget).say().draw().table(folded=False)

    with page.fold("Which judging order finds relevant documents sooner?", key="judging_orders", long=True):
        simulated = section.ask(study, "judging_orders", slow="Simulating judging orders …", metric=metric)
        if simulated.say().draw().table().answer:
            st.markdown(glossary.listed(evalcore.JUDGING_ORDERS))

uploads.to_second_judgments()
page.how_to_read(
    "Each bar is a topic: blue is the number of known relevant documents, amber an estimate of the missing ones. "
    "Below are suspicious judgments, how each system fits the pool, and what each pool depth finds.",
    "If many documents are found by only one system, other documents were probably missed. Check topics with no "
    "relevant document, with fewer than five, or with more relevant than not. A suspicious judgment is not a proven "
    "error: good systems can be wrong together.",
    r"coverage $=1-f_1/C$; all relevant $R/\mathrm{cov}+C(1-\mathrm{cov})/\mathrm{cov}\cdot\gamma^2$: Chao & Lee, "
    r"JASA 1992. To judge next: unjudged documents with the largest $\sum_s W(k_s)$, the weight of their ranks: "
    r"Moffat, Webber & Zobel, SIGIR 2007.",
)
page.where_next()
