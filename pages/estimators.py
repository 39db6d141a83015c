"""If we guess the unjudged documents, which guess comes closest? Shallow pools and deeper ones."""

import streamlit as st

import evalcore
from evalcore.questions.estimates import at_depth
from evalcore.questions.question import if_they_formed_the_pool
from evalcore.sentences import joined
from ui import choices, glossary, page, session, studies, truth
from ui.views.estimates import tiles_at

study = page.begin("Pretend that judging had stopped early, guess what was missed, and see what later judgments say.")

left, middle, right = st.columns([3, 5, 2])
measure = choices.measure(left, fits=lambda metric: metric.kind == "bounds")
compared = choices.guesses(middle, measure)
beside = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
truth.switch(beside, study)
depth = None
with page.part():
    if study.depth < 2:
        raise ValueError("the pool is one document deep, so there is no shallower one to pretend.")
    errors = session.ask(study, "estimator_error", metric=measure, estimators=compared, slow="Guessing …")
    depth = choices.one(right, "Judged to depth", [int(one) for one in errors.table["depth"].unique()], key="shallow")
    error = choices.view(beside, {"rmse": "Error (RMSE)", "accuracy": "Inside the reference (Acc%)"}, key="error")
    said = joined(at_depth(errors.table, depth, errors.params), if_they_formed_the_pool(study), by=" ")
    how = {"drawn": {"column": error, "depth": depth}, "tiles": tiles_at(errors.table, depth)}
    page.show(study, "estimator_error", answer=errors, say=said, **how)

with page.fold("What does each guess say?", key="guess-by-guess"):
    st.markdown(glossary.listed(evalcore.ESTIMATORS))

if depth is not None:
    st.markdown("## One guess, system by system")
    closest_first = errors.table[errors.table["depth"] == depth].sort_values("rmse", kind="stable")
    asked = {"metric": measure, "depth": depth}
    guessed = asked | {"estimator": choices.one(st, "Guess", list(closest_first["estimator"]), key="guess")}
    with page.part():
        means = session.ask(study, "system_estimates", **guessed)
        page.finding(means.finding, key="system_estimates")
        truth.say(study, key="truth-of-guess", final_estimator="lower", **guessed)
        page.show(study, "system_estimates", answer=means, say=False, drawn=truth.marks(study, **asked))
        page.show(study, "estimates", say=False, **guessed)

with page.fold("A topic's gains by rank, and the curves fitted to them", key="rank_models"):
    topic = choices.one(st, "Topic", studies.judged_topics(study), key="topic")
    page.show(study, "rank_models", topic=topic, depth=depth)

with page.fold("On which topics should a model guess at all? The gamma test", key="coverage"):
    theta = st.slider("Threshold theta", 0.0, 0.1, 0.018, 0.001, format="%.3f", key="theta")
    page.show(study, "coverage", depths=[depth], theta=theta)

with page.fold("Learn the constants C and E of Ravana & Moffat", key="constants"):
    formula = choices.one(st, "Formula", ["interpolated", "smoothed"], key="formula")
    page.show(study, "constants", metric=measure, estimator=formula)

with page.fold("Judge a sample of the deeper pool instead: two strata", key="two_strata", long=True):
    weighted = choices.weighted(st, measure)
    page.show_at_length(study, "two_strata", takes="Drawing samples …", metric=weighted, depth=depth)

page.how_to_read(
    "A line per guess: its root mean square error against what all judgments say, when only the first ranks had been "
    "judged. Below, one guess for every system, over the interval that all judgments leave.",
    "Lower is better. `lower` guesses nothing; a guess that does worse than `lower` had better not be used. A guess "
    "whose amber bar crosses the dashed line is inside what is still possible: no error. Where all judgments leave "
    "scores too open, none is called the closest. Only systems that helped to build the pool count, but for C and E.",
    r"$e=0$ inside $[M, M+D]$ over all ranks, else the distance to it; RMSE = mean over topics of "
    r"$\sqrt{\mathrm{mean}_s\, e^2}$. Ravana & Moffat, ADCS 2010; Lu, Moffat & Culpepper, AIRS 2016 and SIGIR 2017.",
)
page.where_next()
