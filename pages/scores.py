"""How good is each system, and how sure are we? All systems, then one system's topics, then one ranking."""

import streamlit as st

import evalcore
from evalcore.findings.scores import NAMED
from ui.components import choices
from ui.components.depth_slider import MOST_RIVALS
from ui.forms import compared_systems, complete_judgments, other_programs, page_file, system_choice
from ui.layout import definition_links, page, pins, section
from ui.session import answers, memory
from ui.text import interval_labels
from ui.views import charts

study = page.begin("Every system's score, with its interval where the metric has one. Click a row to see its topics.")

line = page.line()
metric = choices.metric(line)
params = {
    "metric": metric,
    "depth": choices.depth(line, study),
    "estimator": choices.estimator(line, metric, list(evalcore.ESTIMATORS)),
}
study = system_choice.column(line, study, fewer=params["depth"] is not None)
with page.part(ends_page=True):
    board = answers.ask(study, "leaderboard", **params)
names, kind = list(board.table["system"]), board.table["kind"].iloc[0]
focus = (
    {"focus": memory.chosen("system", names)}
    | complete_judgments.marks(study, **params)
    | complete_judgments.spoken_of(study, **params)
)
section.say(board.finding, key="leaderboard")
rivals = board.finding.facts.get("rivals", [])
focus["spoken_of"] = [*focus.get("spoken_of", []), *rivals[:MOST_RIVALS]]
place = st.empty()  # with and without a button, the figure keeps its place, and so its zoom
if len(rivals) > NAMED:  # fewer are named
    pins.offer(place, rivals)
complete_judgments.say_swapped(study, **params)
section.ask(study, "leaderboard", answer=board).draw(tiles=True, picks="system", **focus).table()
complete_judgments.give(study, **params)
definition_links.keep_place()

with page.fold("One system, topic by topic", key="system"):
    system = choices.select(st, "System", names, key="system")
    scores = answers.ask(study, "scores", systems=[system], **params)
    unit = "query" if "query" in scores.table else "topic"
    rows = scores.table.sort_values("value", ascending=False, kind="stable")
    focus = {"focus": memory.chosen(unit, list(rows[unit]))}
    focus |= complete_judgments.marks(study, "scores", unit, systems=[system], **params)
    section.ask(study, "scores", answer=scores).say().draw(picks=unit, **focus).table()

with page.fold("One ranking, document by document", key=unit):
    if rows.empty:
        raise ValueError("this system has no judged topic. Choose another system.")
    picked = choices.select(st, unit.capitalize(), list(rows[unit]), key=unit)
    of = {"topic": rows["topic"][rows[unit] == picked].iloc[0], **({"query": picked} if unit == "query" else {})}
    cut = {"metric": params["metric"], "depth": params["depth"]}
    marks = complete_judgments.marks(study, "scores", unit, systems=[system], **cut)
    if params["estimator"] != "lower":
        st.caption("Estimates apply to systems and topics, not to a single ranking.")
    section.ask(study, "ranking", system=system, **cut, **of).say().draw(**marks).table()

with page.fold("Tied scores: how much could they change a system's score?", key="ties"):
    section.ask(study, "ties", metric=params["metric"]).say().draw().table(folded=False)

with page.fold("Does another program, such as trec_eval, give the same scores?", key="other-program") as opened:
    if opened:
        other_programs.compare(study)

with page.fold("Do the results cover every subtopic of a topic?", key="diversity"):
    covered = study
    if study.subtopics is None:
        note = "A qrels whose second column is the subtopic, such as the Web track's for diversity."
        covered = page_file.added(study, "subtopics", "Judgments by subtopic", note)
    if covered.subtopics is not None:
        ranks = choices.view(st, compared_systems.RANKS, key="ranks", label="Ranks")
        st.caption(
            "α-nDCG is high if each document is about subtopics that those above are not about, ERR-IA if the first "
            "document about each subtopic comes soon."
        )
        section.ask(covered, "diversity", k=ranks).say().draw().table()

tick = charts.has_moved(board.table) and not complete_judgments.is_on()
how = interval_labels.of_metric(kind, evalcore.metric(params["metric"]), estimator=params["estimator"], tick=tick)
page.how_to_read(
    how.seen,
    how.pairs + (" `rank_best` and `rank_worst` limit the rank after further judging." if how.drawn else ""),
    "Scores are means over topics. `rank` = 1 + systems with a higher value; `rank_best` = 1 + systems that are "
    "certainly above; `rank_worst` = n − systems that are certainly below. A system is certainly above another if "
    "further judging cannot bring their difference down to 0. Ravana & Moffat, ADCS 2010.",
)
page.where_next()
