"""What does judging deeper tell us? Every system's interval as the pool deepens, live."""

import streamlit as st

import evalcore
from evalcore.questions.question import if_they_formed_the_pool
from evalcore.sentences import listed
from ui import choices, depth_slider, kinds, page, prefetch, session, studies, truth
from ui.views import VIEWS
from ui.views.scores import measured

study = page.begin(
    "Until everything is judged, a score may still change; by some measures it is known to lie in an interval. Drag "
    "the depth and watch."
)

left, right = st.columns(2)
asked = {"metric": choices.measure(left), "estimator": choices.estimator(right)}
truth.switch(st, study)
with page.part(ends_page=True):
    depths = choices.depths(study, asked["metric"])
    sweep = session.ask(study, "depth_sweep", depths=depths, **asked)
    pool = session.ask(study, "pool", metric=asked["metric"], depths=depths)
    wrong, marks = truth.by_depth(study, depths=depths, **asked)
kind = sweep.table["kind"].iloc[0]

of_track = {"pooled": studies.contributing(study), "track": studies.source().label}
told = {"dot": measured(sweep.params), **of_track, **marks}
content = session.made(study, depth_slider.payload, sweep, pool, *wrong, **told)
stage = depth_slider.show(content, key="live")
place, depth = content["stages"].index(stage), None if stage == depth_slider.ALL else stage
if guess := if_they_formed_the_pool(study):
    st.caption(str(guess))
if len(depths) <= study.depth:
    stops = listed([one for one in depths if one], 20)
    st.caption(f"{sweep.params['metric']} is scored anew at every stop; the stops are {stops}, and all judgments.")
session.note_finding("live", content["sentences"][place])
if marks:
    session.note_finding("truth", content["truth"]["sentences"][place])
if kind == "guide" and asked["estimator"] != "lower":
    st.caption("These numbers and the curves below count unjudged documents as not relevant, whatever the dot shows.")

st.markdown("## What the judgments buy")
page.show(study, "pool", answer=pool, say=False, drawn={"depth": depth}, table=None)
at = {"title": f"Every system · {'with all judgments' if depth is None else f'at depth {depth}'}", "depth": depth}
board = page.show(study, "leaderboard", say=False, drawn=False, **at, **asked)
page.note_picture(board, VIEWS["leaderboard"], key="live")  # as it stands
page.give(pool, key="pool", title="Every depth", folded=True)
for answer in wrong:
    st.markdown("## What shallow judgments get wrong")
    page.show(study, "wrong_pairs", answer=answer, say=False)
page.show(study, "depth_sweep", answer=sweep, say=False)

how = kinds.of_measure(kind, evalcore.metric(asked["metric"]), estimator=asked["estimator"], stroke=not marks)
page.how_to_read(
    f"A row per system: {how.seen}."
    + (" The dot is its score; the dashed line is the lower end of the leader." if how.drawn else ""),
    f"{how.deeper} {how.apart} A hollow dot is a system that did not help to build the pool: what only such systems "
    "found is never judged.",
    r"$[B, B+D]$: $B=\sum_k W(k)\,r_k$ over judged ranks, $D$ the weight of unjudged and empty ranks and of the tail. "
    "Moffat & Zobel, TOIS 2008; Ravana & Moffat, ADCS 2010. nDCG@k is bounded too, for its ideal ranking has k places. "
    "AP, nDCG without a cut, Q and Rprec are taken relative to the relevant documents known so far, so no bound holds.",
)
page.where_next()
prefetch.look_ahead(study)
