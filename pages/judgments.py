"""Can these judgments be trusted, and what should be judged next? Health, audit, suspects, second judgments."""

import streamlit as st

import evalcore
from evalcore.findings.conclusion import NOTHING
from evalcore.findings.judgments import summary
from ui.components import choices
from ui.forms import uploads
from ui.layout import page
from ui.session import session
from ui.text import glossary
from ui.views.judgments import tiles_of
from ui.views.pool_depth import BY_DEPTH

study = page.begin("What was found, what may be missing, which judgments look wrong, and what to judge next.")

PARTS = {"trust": "Quality", "second": "Second judgments", "next": "What to judge next"}
left, right = st.columns(2)
measure = choices.measure(left)
budget = choices.one(right, "Documents to judge next", [100, 20, 50, 200, 500, 1000], key="budget")
trust, opinion, to_come = choices.tabs(PARTS, key="part")

with trust, page.part():
    health = session.ask(study, "judgment_health")
    audit = session.ask(study, "pool_audit")
    suspects = session.ask(study, "suspects", slow="Looking for odd judgments …", metric=measure, top=None)
    holes = session.ask(study, "holes") if (audit.table["holes"] > 0).any() else None
    questioned = suspects.finding if health.table["judged"].any() else NOTHING
    finding = summary(questioned, health.finding, holes.finding if holes else NOTHING)
    page.show(study, "judgment_health", answer=health, say=finding, tiles=tiles_of(health, holes, audit))

    st.markdown("## Judgments that look wrong")
    few = "systems" in suspects.finding.facts  # too few systems to suspect a judgment
    page.show(study, "suspects", answer=suspects, say=False, table="folded" if few else "open")

    st.markdown("## Which systems contributed?")
    page.show(study, "pool_audit", answer=audit)
    if holes:
        page.show(study, "holes", answer=holes, say=False)
    page.show(study, "unretrieved", say=False)

    with page.fold("How many relevant documents does each depth find?", key="pool"):
        page.show(study, "pool", view=BY_DEPTH, say=False, metric=measure, depths=choices.depths(study, measure))

with opinion, page.part():
    both = uploads.second_opinion(study)
    if both:
        agreed = page.show(both, "agreement", table=None)
        counted = page.show(both, "confusion", say=False, table=None)
        page.show(both, "agreement_effect", table="open", metric=measure)
        page.give(agreed, key="agreement", title="Agreement by topic", folded=True)
        page.give(counted, key="confusion", title="Pairs of grades", folded=True)
        how = {"key": "contradictions", "title": "Contradictions"}
        page.show(both, "suspects", say=False, kind="contradiction", metric=measure, top=None, **how)

with to_come:
    with page.part():
        page.show(study, "judge_next", table="open", metric=choices.weighing(st, measure), budget=budget)

    with page.fold("Which judging order finds relevant documents sooner?", key="judging_orders", long=True):
        if page.show(study, "judging_orders", metric=measure, slow="Simulating judging orders …"):
            st.markdown(glossary.listed(evalcore.JUDGING_ORDERS))

page.how_to_read(
    "A bar per topic: blue is the number of known relevant documents, amber how many more there may be. Below are "
    "suspicious judgments, how each system fits the pool, and the pool by depth.",
    "Amber is an estimate: many documents found by one system only suggest that others were missed. "
    "Check topics with no relevant document, with fewer than five, or with more relevant than not. A suspicious "
    "judgment is not a proven error: good systems can be wrong together.",
    r"coverage $=1-f_1/C$; all relevant $R/\mathrm{cov}+C(1-\mathrm{cov})/\mathrm{cov}\cdot\gamma^2$: Chao & Lee, "
    r"JASA 1992. $\kappa$: Cohen 1960; $\alpha$: Krippendorff. To judge next: unjudged documents with the largest "
    r"$\sum_s W(k_s)$, the weight of their ranks: Moffat, Webber & Zobel, SIGIR 2007.",
)
page.where_next()
