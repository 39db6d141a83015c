"""Is a fused run better than its best input? Merge rankings of systems, or of query variations."""

import streamlit as st

from evalcore.fusion.methods import rule as rule_named
from evalcore.vocabulary.sentences import known
from ui.components import choices
from ui.forms import complete_judgments, fused_runs
from ui.layout import definition_links, page, section
from ui.session import answers
from ui.text import glossary
from ui.views import VIEWS

study = page.begin("Fusion merges several rankings of a topic into one. The fused run is scored like any other system.")
line = page.line("crowd", "rule")
metric = choices.metric(line)
tested = choices.level(line)
complete_judgments.switch(line, study, fewer=False)
longest = int(study.track.lengths.max(initial=1))  # a fused run is as deep as the track's own
params = None
with page.part():
    crowds = choices.crowds(study, answers.ask(study, "leaderboard", metric=metric).table)
    crowd = choices.select(line, "Inputs", list(crowds), key="crowd")
    more = {"accept_new_options": True, "help": "Choose a method, or type one with another phi, such as rbc(phi=0.85)."}
    rule = choices.named(line, "Method", choices.rules(), key="rule", says=glossary.merged_by, **more)
    choices.plainly(line, glossary.summed_up(rule_named(rule).method), key="rule")
    names, over = crowds[crowd]
    params = {"systems": names, "over": over, "k": longest}
    gained = answers.ask(study, "fusion_scores", methods=[rule], metrics=[metric], slow="Fusing …", **params, **tested)
    fused_runs.say_gain(gained, crowd)
    recipe = {"method": rule, **params}
    run, is_kept = fused_runs.name_of(study, f"fused-{rule}", recipe)
    among_inputs = fused_runs.among_inputs(study, run, recipe, metric)
    seen, focus = (among_inputs, {"focus": run}) if over == "systems" else (gained, {})
    marks, by_truth = fused_runs.by_truth(study, run, recipe, crowd, metric, **tested)
    section.ask(study, seen.question, key="fused", answer=seen).draw(closes=False, **focus, **marks)
    section.details(*VIEWS["fusion_scores"].tiles(gained), key="fused")
    section.table(gained, key="fusion_scores", title="The gain in numbers", folded=True)
    section.table(among_inputs, key="beside", title="Fused run and its inputs", folded=True)
    fused_runs.give(by_truth)
    fused_runs.actions(study, run, recipe, is_kept=is_kept)
    definition_links.keep_place()

    st.markdown("## Topic by topic")
    section.ask(study, "fusion_topics", method=rule, metric=metric, **params).say().draw().table()

    with page.fold("Which inputs found each document? One fused ranking", key="fuse"):
        topic = choices.topic(st, study, study.judged_topic_names)
        of_topic = {"topic": topic, "variations": over != "systems", "k": 100}
        section.ask(study, "fuse", systems=names, method=rule, **of_topic).say().draw().table(folded=False)

st.markdown("## Other methods, other inputs")
with page.fold("Compare all fusion methods", key="methods", long=True) as opened:
    if params:
        fused_runs.every_method(study, metric, opened=opened, **params, **tested)

with page.fold("How alike are the inputs? Rank-biased overlap of every two", key="rbo", long=True) as opened:
    phi = choices.select(st, "Persistence", choices.PERSISTENCES, key="phi")
    if opened and params:
        of_each = over == "variations"
        section.ask(study, "rbo", systems=names, variations=of_each, phi=phi, slow="Comparing …").say().draw().table()

if study.has_variations:
    st.markdown("## More query variations")
    with page.fold("How much do more query variations gain?", key="fusion_by_count", long=True) as opened:
        if params:
            fewer = {"slow": "Fusing …", "method": rule, "metric": metric, "k": longest}
            marks = fused_runs.marks(study, "fusion_by_count", **fewer) if opened else {}
            section.ask(study, "fusion_by_count", **fewer).say().draw(**marks).table()

    more = choices.metrics(st, "More metrics", key="with")
    several = {"metrics": list(dict.fromkeys([metric, "AP", "nDCG@10", *more])), "k": longest, "slow": "Fusing …"}
    phi = rule_named(rule).says("phi")
    several |= {"phis": [phi]} if known(phi) else {}
    with page.fold("Which method is best, by number of query variations?", key="fusion_methods_by_count", long=True):
        section.ask(study, "fusion_methods_by_count", **several).say().draw().table()
    if len(study.systems) > 1:
        with page.fold("Double fusion: variations, then systems", key="double_fusion", long=True):
            section.ask(study, "double_fusion", **several).say().draw().table()

with page.fold("A worked example with letters", key="letters") as opened:
    if opened:
        fused_runs.worked_example()

page.how_to_read(
    "Each row is an input or the fused run, which is highlighted. For query variations, bars show the best input and "
    "the mean. Below, each bar is a topic: how far the fused run scores above or below the best input.",
    "The best input is known only after judging, so equalling it is already a success. Fusing similar inputs gains "
    "little; fusing different ones gains most. The fused run did not contribute to the pool, so documents at its top "
    "may be unjudged.",
    r"RBC: a document's weight is $\sum_{rankings}(1-\phi)\phi^{k-1}$; Borda: $n-k+1$. Bailey, Moffat, Scholer & "
    "Thomas, SIGIR 2017. CombSUM and CombMNZ add scores scaled to 0–1 within each ranking: Fox & Shaw, TREC-2.",
)
page.where_next()
