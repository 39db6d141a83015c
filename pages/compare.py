"""Is one system better than the other? Topic by topic, document by document, and what further judging could change."""

import streamlit as st

import evalcore
from ui.components import choices
from ui.forms import compared_systems
from ui.layout import definition_links, page, section
from ui.session import answers, memory
from ui.views import VIEWS

study = page.begin("Two systems side by side: is the difference significant, and could judging reverse it?")

line = page.line("system", "rival")
if study.without_judgments:
    compared_systems.of_rankings(line, study)
    page.end()
metric, depth = choices.metric(line), choices.depth(line, study)
tests = {name: row.label for name, row in evalcore.TESTS.items()}
test = choices.named(line, "Significance test", tests, key="pair-test")
cut = {"metric": metric, "depth": depth}
pair, of_tests = None, choices.level(line) | {"test": test, "resamples": 2000}
with page.part():
    a, b = compared_systems.pick(line, study, **cut)
    pair = {"a": a, "b": b, **cut}
    compared = section.ask(study, "comparison", **pair, **of_tests).say().draw(closes=False)

    by_topic = answers.ask(study, "comparison_topics", **pair)
    if not len(by_topic.table):
        raise ValueError("no topic counts for both systems. Choose another system.")
    topics = compared_systems.widest_first(by_topic.table)
    focus = {"picks": "topic", "focus": memory.chosen("topic", topics), "closes": False}
    section.ask(study, "comparison_topics", answer=by_topic).draw(texts=study.topic_texts, **focus).say().table()
    section.details(*VIEWS["comparison"].tiles(compared.answer), key="comparison")
    compared_systems.in_words(by_topic.table, study, a, b)
    compared.table()
    definition_links.keep_place()

    st.markdown("## Two rankings side by side")
    left, right = st.columns(2)
    topic = choices.topic(left, study, topics)
    ranks = choices.view(right, compared_systems.RANKS, key="ranks", label="Ranks")
    compared_systems.step_through(list(by_topic.table["topic"]), topic)
    section.ask(study, "comparison_documents", topic=topic, k=ranks, **pair).say().draw().table()

if pair:
    with page.fold("Which documents would decide? Judge these first", key="judge_to_decide") as opened:
        weighted = choices.weighted(st, metric)
        deciding = section.ask(study, "judge_to_decide", **(pair | {"metric": weighted})).say().table(folded=False)
        if opened:
            compared_systems.to_fill_in(deciding.answer)

    with page.fold("Does the order hold on other metrics?", key="comparison_metrics"):
        of_metrics = {name: value for name, value in pair.items() if name != "metric"}
        shown = list(dict.fromkeys([metric, *evalcore.QUESTIONS["comparison_metrics"].parameters["metrics"]]))
        section.ask(study, "comparison_metrics", metrics=shown, **of_metrics, **of_tests).say().draw().table()

    with page.fold("One system against all others", key="against_baseline"):
        left, right = st.columns(2)
        if against := compared_systems.baseline(left, right, study):
            section.ask(study, "against_baseline", **against, **cut, **of_tests).say().draw().table()

    with page.fold("Which topics decide the order of all systems?", key="topics_left_out"):
        section.ask(study, "topics_left_out", **cut).say().draw().table()

page.how_to_read(
    "Each bar is a topic: upwards the first system is ahead, downwards the second. The amber line is how far the "
    "difference could still move once everything is judged. Below are the two rankings of one topic: a line joins the "
    "two places of a document.",
    "*Significant* is about other topics: would the order hold there? *Certain* is about these topics: could more "
    "judging reverse it? A difference can be one without the other. Choose the two systems before you look at the "
    "scores; a pair picked because it differs most needs a correction, as on the page Orderings.",
    r"$\Delta$ = mean over topics of $M_a - M_b$; its bounds are those of METHODS 8.5, its p that of the chosen test, "
    "uncorrected. Against a baseline, p is corrected for the number of comparisons with it, or Dunnett's; against the "
    "best system it is Tukey's, because that one was chosen by its score.",
)
page.where_next()
