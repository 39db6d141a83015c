"""What does judging deeper tell us? Every system's interval as the pool deepens, live."""

import streamlit as st

from ui import charts, deep_links, depth_slider, page, state, words

PAGE = "pages/pool_depth.py"
deep_links.enter()
page.title(PAGE, "Until everything is judged, a score is only known to lie in an interval. Drag the depth and watch.")
study = page.study()

left, right = st.columns(2)
measure = state.choose_measure(left)
estimator = state.choose_estimator(right)
with page.asking():
    depths = state.depths(study, measure)
    sweep = state.ask(study, "depth_sweep", metric=measure, estimator=estimator, depths=depths)
    pool = state.ask(study, "pool", metric=measure, depths=depths)
measure, kind = sweep.params["metric"], sweep.table["kind"].iloc[0]

content = state.made(
    study,
    depth_slider.payload,
    sweep,
    pool,
    measure=measure,
    dot=words.measured(sweep.params),
    pooled=state.contributing(study),
)
stage = state.choose_stage(
    [depth_slider.stage(depth) for depth in depths],
    lambda at: depth_slider.show(content, start=state.opening_stage(content["key"], at, "live"), key="live"),
)
depth = None if stage == depth_slider.ALL else stage
if note := words.stops_at(depths, study.depth, measure):
    st.caption(note)
state.note_finding(content["sentences"][content["stages"].index(stage)])
row = pool.table[pool.table["depth"].isna() if depth is None else pool.table["depth"] == depth].iloc[0]
page.numbers(
    ("Pairs decided", words.percent(row["pairs_decided"]), "Pairs of systems whose mean intervals are strictly apart."),
    ("Mean width", words.figure(row["mean_width"]), "How wide an interval is, on average over systems."),
    ("Judgments", words.number(row["judgments"]), f"{row['per_topic']:.1f} a topic."),
    ("Relevant found", words.number(row["relevant"]), "Relevant documents among those judged, over all topics."),
)

st.markdown("## What the judgments buy")
page.picture(
    charts.trend(pool.table, look=page.look(), depth=depth, kind=kind),
    alt="Three curves by pool depth: share of pairs decided, mean width of the intervals, judgments.",
    key="trend",
    name="pool_depth_curves",
)
with page.asking():
    board = state.ask(study, "leaderboard", metric=measure, estimator=estimator, depth=depth)
page.table(board, key="board", title=f"Every system · {words.stage(depth)[0].lower()}{words.stage(depth)[1:]}")
page.table(pool, key="pool", title="Every depth", folded=True)
page.table(sweep, key="sweep", title="Every system at every depth", folded=True)

seen, deeper, apart = words.INTERVAL_READ[kind]
page.how_to_read(
    f"A row per system: {seen}; the dot is its score."
    + ("" if kind == "point" else " The dashed line is the lower end of the leader."),
    f"{deeper} {apart} A hollow dot is a system that did not help to build the pool: what only such systems found is "
    "never judged.",
    r"$[B, B+D]$: $B=\sum_k W(k)\,r_k$ over judged ranks, $D$ the weight of unjudged and empty ranks and of the tail. "
    "Moffat & Zobel, TOIS 2008; Ravana & Moffat, ADCS 2010. For AP, nDCG, Q and Rprec both ends are guides, "
    "not bounds, for they are taken relative to the relevant documents known so far.",
)
page.where_next("pages/scores.py", "pages/data.py")
state.look_ahead(study)
