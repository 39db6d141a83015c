"""Does a system answer the same need the same way? Compare rankings for variations of one query."""

import streamlit as st

from evalcore.findings.consistency import beside_score
from ui.components import choices
from ui.forms import complete_judgments, fused_runs, page_file
from ui.layout import definition_links, page, section
from ui.session import answers
from ui.views.consistency import BESIDE_SCORE, TOPICS_OF_SYSTEM

study = page.begin(
    "People phrase the same need in many ways. A consistent system returns nearly the same documents for all of them."
)


def foot():
    """Show how to read the page, and where to go next."""
    page.how_to_read(
        "Each box is a system's consistency over its topics. The line is the median, the box the middle half, and the "
        "diamond the mean.",
        "At 1, all query variations give the same ranking. If n variations share no documents, consistency is about "
        "1/n. A consistent system is not always a good one: it may fail the same way every time. A topic with few or "
        "similar variations looks consistent just for that reason.",
        r"$C_t=$ mean over variations of RBO(run, RBC of all variations), each distinct ranking once; $C_T$ the mean "
        "over topics. Bailey, Moffat, Scholer & Thomas, SIGIR 2017; RBO: Webber, Moffat & Zobel, TOIS 2010.",
    )
    page.where_next()


if not study.has_variations:
    fused_runs.no_variations(study)
    foot()
    page.end()

line = page.line()
seen = lambda phi: f"mainly the first {1 / (1 - phi):g} results compared"  # noqa: E731
phi = choices.select(line, "Persistence", [0.9, 0.5, 0.8, 0.95, 0.99], key="phi", says=seen)
metric = choices.metric(line)
complete_judgments.switch(line, study, fewer=False)
with page.part():
    by_topic = answers.ask(study, "consistency", phi=phi, slow="Comparing rankings …")
    by_system = answers.ask(study, "consistency_of_systems", phi=phi)
    pairs = answers.ask(study, "consistency_pairs", phi=phi)
    section.say(by_system.finding, key="consistency_of_systems")
    section.say(pairs.finding, key="consistency_pairs")
    section.ask(study, "consistency", answer=by_topic).draw(closes=False, order=list(by_system.table["system"]))
    section.ask(study, "consistency_of_systems", answer=by_system).draw().table()
    definition_links.keep_place()

    st.markdown("## Do consistent systems score higher?")
    board = answers.ask(study, "leaderboard", metric=metric)
    name, scores = board.params["metric"], dict(zip(board.table["system"], board.table["value"], strict=True))
    section.say(beside_score(by_system.table, board.table, name), key="consistency_and_score")
    complete_judgments.say_swapped(study, key="truth-of-scores", metric=metric)
    drawn = {"scores": scores, "metric": name} | complete_judgments.marks(study, metric=metric)
    by_score = {"key": "consistency_and_score", "view": BESIDE_SCORE}
    section.ask(study, "consistency_of_systems", answer=by_system, **by_score).draw(**drawn)
    metrics = list(dict.fromkeys([name, "AP", "nDCG@10", *choices.metrics(st, "More metrics", key="with")]))
    with st.popover("Add attributes of topics"):
        note = "CSV, TSV or Excel with a header: topic, and columns of numbers, such as difficulty."
        with_attributes = page_file.added(study, "attributes", "Attributes of topics", note)
    section.ask(with_attributes, "consistency_correlations", phi=phi, metrics=metrics).say().draw().table()
    section.ask(study, "consistency_pairs", answer=pairs).draw().table()

    with page.fold("Topic by topic", key="consistency_of_topics"):
        names = {name: name for name in by_system.table["system"]}
        system = choices.named(st, "System", {"all": f"all {len(names)} systems"} | names, key="topics_of")
        if system == "all":
            section.ask(study, "consistency_of_topics", phi=phi).say().draw().table()
        else:
            of_system = {"systems": [system], "key": "topics_of_system", "view": TOPICS_OF_SYSTEM}
            section.ask(study, "consistency", phi=phi, **of_system).say().draw()
        section.ask(study, "consistency", answer=by_topic).table()

with page.fold("Do topics agree on the ordering of systems?", key="topic_agreement"):
    for of in ("consistency", metric):
        with page.part():
            named = {"key": f"agreed-{of}", "title": f"Agreement on {of}"}
            section.ask(study, "topic_agreement", of=of, phi=phi, **named).say().draw().table(folded=False)

with page.fold("How much would the best query variation gain?", key="oracle_variation"):
    section.ask(study, "oracle_variation", metric=metric).say().draw().table(folded=False)

foot()
