"""Which differences would hold on other documents, and on other topics? Analysis of variance over shards."""

import streamlit as st

import evalcore
from evalcore.sentences import joined
from ui import choices, comparing, page, session, truth
from ui.views.confidence import numbers_of

CUTTING = {"slow": "Cutting the documents ten times …"}
study = page.begin(
    "Cut the documents into random parts, score every system on each by all judgments, and see what differs on all."
)

left, middle, right = st.columns([5, 7, 4])
measure = choices.measure(left, fits=lambda metric: not metric.family.of_whole_pool)
model = choices.model(middle)
asked = {"metric": measure, "shards": choices.one(right, "Shards", choices.SHARDS, key="shards")}
beside = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
truth.switch(beside, study)
with page.part():
    kind = choices.view(beside, {name: row.title for name, row in evalcore.INTERVALS.items()}, key="interval")
    whole, board = (session.ask(study, "system_intervals", model=one, interval=kind, **asked) for one in ("MD1", model))
    pairs = session.ask(study, "tukey_pairs", model=model, slow="Comparing every pair …", **asked)
    page.finding(joined(pairs.finding, board.finding, by=" "), key="tukey_pairs")
    truth.say(study, metric=measure)
    above = st.container()
    on_shards = truth.marks_on_shards(study, model=model, interval=kind, **asked)
    on_whole = truth.marks(study, "system_intervals", model="MD1", interval=kind, **asked)
    sides = {model: (board, on_shards)} | {"MD1": (whole, on_whole)}
    for place, (name, (answer, marks)) in zip(st.columns(len(sides)), reversed(sides.items()), strict=True):
        with place:
            how = {"say": False, "table": None, "drawn": marks, "title": f"Every system, {name}"}
            page.show(study, "system_intervals", answer=answer, key=f"intervals-{name}", **how)
    with st.container() if session.presenting() else above:
        page.numbers(*numbers_of(pairs.table, board.table, model))
    page.give(board, key="system_intervals", title="Every system", folded=True)

    st.markdown("## What each model says, and of what")
    page.show(study, "models", **CUTTING, **asked, drawn={"focus": model})
    with page.fold("Which pairs differ?", key="tukey_pairs"):
        page.show(study, "tukey_pairs", answer=pairs, say=False, drawn={"order": list(board.table["system"])})

with page.fold("Where does the variance lie?", key="anova"):
    page.show(study, "anova", models=[model], **asked)

with page.fold("Does it depend on the partition that was drawn?", key="partitions", long=model != "MD1"):
    comparing.partitions(study, model, metric=measure)

with page.fold("What of shards that hold nothing to count?", key="undefined", long=True) as opened:
    if opened:
        comparing.undefined_shards(study, **CUTTING, **asked)

with page.fold("Where would each system rank on other topics? The topics drawn anew", key="rank_intervals") as opened:
    marks = truth.marks(study, column="rank", metric=measure) if opened else {}
    page.show(study, "rank_intervals", metric=measure, drawn=marks)

page.how_to_read(
    "A dot per system with its interval: left, from the whole collection, for other topics too; right, from "
    "every shard, for other documents and these topics. Orange diamonds are not told apart from the best. Below, every "
    "pair: blue would differ on other topics too, amber on other documents alone.",
    "MD3 to MD6 take how well a topic suits a system out of the error: they speak of these topics, and mostly tell "
    "more apart. MD2 leaves it in, but counts shards like topics: careful for these topics, too bold for others. "
    "For other topics the error is how much topics disagree on systems (topic x system), as in MD1. Two Tukey "
    "intervals that overlap are not told apart. Scores on shards look deeper down the lists.",
    r"$y_{ijk}=\mu+\tau_i+\alpha_j+(\tau\alpha)_{ij}+\beta_k+(\alpha\beta)_{jk}+(\tau\beta)_{ik}+\varepsilon_{ijk}$ "
    "(MD6: topic i, system j, shard k; MD2 to MD5 leave terms out). On other topics: "
    r"$F=MS_{\alpha}/MS_{\tau\alpha}$. Ferro & Sanderson, SIGIR 2019.",
)
page.where_next()
