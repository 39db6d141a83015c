"""Is the crowd better than its best member? Rankings of systems, or of query variations, made one."""

import streamlit as st

import evalcore
from ui import choices, fusing, glossary, page, session, studies, truth
from ui.views import VIEWS

page.title("Several rankings of a topic are made one. The fused run is a system like any other.")
with page.fold("A worked example with letters", key="letters") as opened:
    if opened:
        fusing.worked_example()

study = page.study()
left, middle, right = st.columns(3)
measure = choices.measure(right)
truth.switch(st, study)
asked = None
with page.part():
    crowds = choices.crowds(study, session.ask(study, "leaderboard", metric=measure).table)
    if not crowds:
        raise ValueError("one system with one query a topic leaves nothing to fuse; load another run.")
    crowd = choices.one(left, "Fuse", list(crowds), key="crowd")
    rule = choices.named(middle, "Method", choices.rules(), key="rule")
    choices.plainly(middle, glossary.summed_up(evalcore.FUSIONS[rule.partition("(")[0]]), key="rule")
    names, over = crowds[crowd]
    asked = {"systems": names, "over": over, "k": int(study.track.lengths.max(initial=1))}
    gained = session.ask(study, "fusion_scores", methods=[rule], metrics=[measure], slow="Fusing …", **asked)
    fusing.say_gain(gained, crowd)
    recipe = {"method": rule, **asked}
    run, kept = studies.fused_name(study, f"fused-{rule}", recipe)
    beside = studies.fused_among_inputs(study, run, recipe, measure)
    seen, focus = (beside, {"focus": run}) if over == "systems" else (gained, {})
    marks, by_truth = fusing.by_truth(study, run, recipe, crowd, measure)
    page.numbers(*VIEWS["fusion_scores"].tiles(gained))
    page.draw(study, seen, VIEWS[seen.question], key="fused", **focus, **marks)
    page.give(gained, key="fusion_scores", title="What fusing gains", folded=True)
    page.give(beside, key="beside", title="The fused run among its inputs", folded=True)
    fusing.give(by_truth)
    fusing.doors(study, run, recipe, kept=kept)

    st.markdown("## Topic by topic")
    page.show(study, "fusion_topics", method=rule, metric=measure, **asked)

    with page.fold("Who put it there? One fused list, document by document", key="fuse"):
        topic = choices.one(st, "Topic", studies.judged_topics(study), key="topic")
        of_topic = {"topic": topic, "variations": over != "systems", "k": 100}
        page.show(study, "fuse", table="open", systems=names, method=rule, **of_topic)

with page.fold("Every method beside every other", key="methods", long=True) as opened:
    if asked:
        fusing.every_method(study, measure, opened=opened, **asked)

if study.has_variations:
    with page.fold("What do more variations buy?", key="fusion_by_count", long=True) as opened:
        if asked:
            fewer = {"slow": "Fusing …", "method": rule, "metric": measure}
            marks = fusing.marks(study, "fusion_by_count", **fewer) if opened else {}
            page.show(study, "fusion_by_count", drawn=marks, **fewer)

page.how_to_read(
    "A row per input, or bars for the best and the mean of the variations, and the fused run in focus; it may be as "
    "deep as the deepest ranking of the track. Then a bar per topic: how far the fused run is above or below the best "
    "input. Folded, one fused list, and at which rank each input has the document.",
    "The best input is known only after judging, so being level with it is already a success. A crowd of like systems "
    "gains little; unlike ones gain most. The fused run was not pooled: what it lifts to the top may be unjudged.",
    r"RBC: a document's weight is $\sum_{lists}(1-\phi)\phi^{k-1}$; Borda: $n-k+1$. Bailey, Moffat, Scholer & Thomas, "
    "SIGIR 2017. CombSUM and CombMNZ add scores that run from 0 to 1 in every list: Fox & Shaw, TREC-2.",
)
page.where_next()
