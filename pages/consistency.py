"""Does a system answer the same need the same way? Compare rankings for variations of one query."""

import streamlit as st

from evalcore.findings.consistency import beside_score
from ui.components import choices
from ui.forms import complete_judgments, fused_runs
from ui.layout import page
from ui.session import session
from ui.views.consistency import BESIDE_SCORE

study = page.begin(
    "People phrase the same need in many ways. A consistent system returns nearly the same documents for all of them."
)


def foot():
    """Show how to read the page, and where to go next."""
    page.how_to_read(
        "A box per system over its topics. The line is the median, the box the middle half, and the diamond the mean.",
        "At 1, all query variations give the same ranking; if n variations share no documents, it is about 1/n. A "
        "consistent system is not always a good one: it may fail the same way every time. Topics with few or similar "
        "variations look consistent just for that reason.",
        r"$C_t=$ mean over variations of RBO(run, RBC of all variations), each distinct ranking once; $C_T$ the mean "
        "over topics. Bailey, Moffat, Scholer & Thomas, SIGIR 2017; RBO: Webber, Moffat & Zobel, TOIS 2010.",
    )
    page.where_next()


if not study.has_variations:
    fused_runs.no_variations(study)
    foot()
    page.end()

left, right = st.columns(2)
phi = choices.one(left, "Persistence", [0.9, 0.5, 0.8, 0.95, 0.99], key="phi")
measure = choices.measure(right)
complete_judgments.switch(st, study)
with page.part():
    by_topic = session.ask(study, "consistency", phi=phi, slow="Comparing rankings …")
    by_system = session.ask(study, "consistency_of_systems", phi=phi)
    pairs = session.ask(study, "consistency_pairs", phi=phi)
    page.finding(by_system.finding, key="consistency_of_systems")
    page.finding(pairs.finding, key="consistency_pairs")
    order = {"order": list(by_system.table["system"])}
    page.show(study, "consistency", answer=by_topic, say=False, drawn=order, table=None)
    page.show(study, "consistency_of_systems", answer=by_system, say=False)

    st.markdown("## Do consistent systems score higher?")
    board = session.ask(study, "leaderboard", metric=measure)
    metric, scores = board.params["metric"], dict(zip(board.table["system"], board.table["value"], strict=True))
    page.finding(beside_score(by_system.table, board.table, metric), key="consistency_and_score")
    complete_judgments.say(study, key="truth-of-scores", metric=measure)
    drawn = {"scores": scores, "metric": metric} | complete_judgments.marks(study, metric=measure)
    page.show(study, "consistency_of_systems", key="consistency_and_score", answer=by_system, view=BESIDE_SCORE,
              say=False, drawn=drawn, table=None)  # fmt: skip
    metrics = list(dict.fromkeys([metric, "AP", "nDCG@10"]))
    page.show(study, "consistency_correlations", phi=phi, metrics=metrics)
    page.show(study, "consistency_pairs", answer=pairs, say=False)

    with page.fold("Topic by topic", key="consistency_of_topics"):
        page.show(study, "consistency_of_topics", phi=phi)
        page.show(study, "consistency", answer=by_topic, say=False, drawn=False)

with page.fold("Do topics agree on the ordering of systems?", key="topic_agreement"):
    for of in ("consistency", measure):
        with page.part():
            page.show(
                study, "topic_agreement", key=f"agreed-{of}", title=f"Agreement on {of}", table="open", of=of, phi=phi
            )

with page.fold("How much would the best query variation gain?", key="oracle_variation"):
    page.show(study, "oracle_variation", table="open", metric=measure)

foot()
