"""How good is each system, and how sure are we? All systems, then one system's topics, then one ranking."""

import streamlit as st

import evalcore
from ui import charts, deep_links, page, state, words

PAGE = "pages/scores.py"
deep_links.enter()
page.title(PAGE, "Every system's score with the interval that it lies in; then one system, then one of its rankings.")
study = page.study()

left, middle, right = st.columns([5, 5, 7])
measure = state.choose_measure(left)
depth = state.choose_depth(middle, study)
estimator = state.choose_estimator(right, list(evalcore.ESTIMATORS))
asked = {"metric": measure, "depth": depth, "estimator": estimator}
with page.asking():
    board = state.ask(study, "leaderboard", **asked)
measure, dot, kind = board.params["metric"], words.measured(board.params), board.table["kind"].iloc[0]
names = list(board.table["system"])
focus = state.chosen("system", names)
page.finding(words.scores(board.table))
page.picture(
    charts.intervals(board.table, look=page.look(), label="system", measure=measure, dot=dot, focus=focus),
    alt=words.scores(board.table),
    key="board",
    on_select=lambda: state.take_click("board", "system"),
    name="leaderboard",
)
page.numbers(*words.leaderboard_numbers(board.table))
page.table(board, key="board-table", title="Every system")

st.markdown("## One system, topic by topic")
system = state.choose_one(st, "System", names, key="system")
with page.asking():
    scores = state.ask(study, "scores", systems=[system], **asked)
unit = "query" if "query" in scores.table else "topic"
rows = scores.table.sort_values("value", ascending=False, kind="stable")
focus = state.chosen(unit, list(rows[unit]))
page.finding(words.topics_of(scores.table), key="sub-finding-system")
page.picture(
    charts.intervals(rows, look=page.look(), label=unit, measure=measure, dot=dot, focus=focus),
    alt=words.topics_of(scores.table),
    key="topics",
    on_select=lambda: state.take_click("topics", unit),
    name="topics",
)
page.table(scores, key="scores-table", title="Every topic of this system", folded=True)

st.markdown("## One ranking, document by document")
if rows.empty:
    page.empty("This system has no judged topic.")
chosen = state.choose_one(st, unit.capitalize(), list(rows[unit]), key=unit)
one = {"topic": rows["topic"][rows[unit] == chosen].iloc[0], **({"query": chosen} if unit == "query" else {})}
with page.asking():
    ranking = state.ask(study, "ranking", system=system, metric=measure, depth=depth, **one)
page.finding(words.ranking(ranking.table, kind), key="sub-finding-ranking")
page.picture(
    charts.ranking(ranking.table, look=page.look(), measure=measure, kind=kind),
    alt=words.ranking(ranking.table, kind),
    key="ranking",
    name="ranking",
)
page.table(ranking, key="ranking-table", title="Every document of this ranking", folded=True)

with page.fold("Documents with tied scores: how far could another order move a system?") as opened:
    if opened:
        ties = state.ask(study, "ties", metric=measure)
        page.finding(words.ties(ties.table), key="sub-finding-ties")
        page.table(ties, key="ties", title="Ties")

seen, _, apart = words.INTERVAL_READ[kind]
page.how_to_read(
    f"A row per system, best on top: {seen}; the dot is the score. Below, the same for one system's topics, and one "
    "ranking with each document's state.",
    f"{apart} Click on a row to go down into it."
    + ("" if kind == "point" else " `rank_best` and `rank_worst` are the places that its interval leaves to a system."),
    "Means over topics. `rank` = 1 + systems with a higher value; `rank_best` = 1 + systems whose lower end is above "
    "this one's upper; `rank_worst` = n − systems whose upper end is below this one's lower. Ravana & Moffat, ADCS "
    "2010.",
)
page.where_next("pages/pool_depth.py", "pages/data.py")
