"""Which guess about unread documents is best? Shallow pools against deeper ones."""

from dataclasses import replace

import streamlit as st

import evalcore
from evalcore.findings import conclusion_of
from ui.components import choices
from ui.forms import complete_judgments, estimator_choices, system_choice
from ui.layout import definition_links, page, section
from ui.session import answers
from ui.text import glossary
from ui.views.estimates import tiles_at

study = page.begin(
    "Pretend that judging stopped early, estimate the missing scores, and compare them with those from all judgments."
)

line = page.line()
metric = choices.metric(line, fits=lambda metric: metric.kind == "bounds")
compared = estimator_choices.compared(line, metric)
study = system_choice.narrowed(line, study, first="contributing")
complete_judgments.switch(line, study)
reference = estimator_choices.more(line, metric)
compares = {"metric": metric, "estimators": compared, **({"systems": "all"} if "systems" in study.scope else {})}
depth = None
with page.part():
    errors = answers.ask(study, "estimator_error", slow="Estimating …", **reference, **compares)
    judged = errors.table["depth"].unique().tolist()
    depth = choices.select(line, "Judged to depth", judged, key="shallow", says="judged to depth {}".format)
    error = choices.view(line, estimator_choices.ERRORS, key="error", says=estimator_choices.SAYS.get)
    if error == "order":
        by, weight = choices.agreement(line, estimator_choices.AGREEMENTS)
        ordered = answers.ask(study, "estimator_agreement", slow="Ordering …", weight=weight, **compares)
        finding = conclusion_of("estimator_agreement", ordered.table, ordered.params, study, depth=depth, by=by)
        by_depth = section.ask(study, "estimator_agreement", answer=ordered).say(finding)
        by_depth.draw(column=by, depth=depth).table()
    else:
        finding = conclusion_of("estimator_error", errors.table, errors.params, study, depth=depth)
        by_depth = section.ask(study, "estimator_error", answer=errors).say(finding)
        by_depth.draw(own_tiles=tiles_at(errors.table, depth), column=error, depth=depth).table()
    definition_links.keep_place()

if depth is not None:
    st.markdown("## One estimator, system by system")
    closest_first = errors.table[errors.table["depth"] == depth].sort_values("rmse", kind="stable")
    params = {"metric": metric, "depth": depth}
    guessed = params | {"estimator": choices.estimate(st, list(closest_first["estimator"]))}
    with page.part():
        means = answers.ask(study, "system_estimates", **reference, **guessed)
        section.say(means.finding, key="system_estimates")
        complete_judgments.say_swapped(study, key="truth-of-guess", final_estimator="lower", **guessed)
        section.ask(study, "system_estimates", answer=means).draw(**complete_judgments.marks(study, **params)).table()
        section.ask(study, "estimates", **reference, **guessed).draw().table()

st.markdown("## How are estimates made?")
with page.fold("What each estimator does", key="guess-by-guess"):
    st.markdown(glossary.listed(evalcore.ESTIMATORS))

with page.fold("A topic's gains by rank, and the curves fitted to them", key="rank_models"):
    topic = choices.topic(st, study, study.judged_topic_names)
    section.ask(study, "rank_models", topic=topic, depth=depth).say().draw().table()

with page.fold("For which topics should a model be used? The gamma test", key="coverage"):
    theta = st.slider("Threshold theta", 0.0, 0.1, 0.018, 0.001, format="%.3f", key="theta")
    section.ask(study, "coverage", depths=[depth], theta=theta).say().draw().table()

if depth is not None:
    with page.fold("Which threshold (theta) should the gamma test have?", key="error_by_theta"):
        weighted = choices.weighted(st, metric)
        model = choices.select(st, "Model", estimator_choices.MODELS, key="thresholded")
        by_theta = {"metric": weighted, "estimator": model, "depths": [depth], "slow": "Estimating …", **reference}
        by_theta |= {"systems": compares["systems"]} if "systems" in compares else {}
        section.ask(study, "error_by_theta", **by_theta).say().draw().table()
        section.ask(study, "gamma_by_depth").say().draw().table()

    st.markdown("## What else could be compared?")
    with page.fold("Error with each group left out of the pool", key="by_group", long=True):
        reach = choices.view(st, {"one": f"depth {depth}", "all": "every depth"}, key="left_out", label="Pool depth")
        title = "Error with each group left out of the pool"
        at_length = {"takes": "Leaving out each group …", "key": "by_group", "title": title}
        at_length |= {"growing": ("estimators", estimator_choices.formulas_first(compared))}
        left_out = compares | reference | {"by": "group", "depths": [depth] if reach == "one" else None}
        by_group = section.ask_at_length(study, "estimator_error", **at_length, **left_out)
        words = by_group.answer and replace(by_group.answer.finding, caveats=())  # which are of this section only
        by_group.say(words).draw(column="rmse", depth=depth, whole=errors.table).table()

with page.fold("Learn the constants C and E of Ravana & Moffat", key="constants"):
    left, right = st.columns([2, 5])
    learnt = {"estimator": choices.select(left, "Formula", ["interpolated", "smoothed"], key="formula")}
    learnt |= {"judgments": choices.judgment_counts(right, study)}
    learnt |= {"systems": "pooled"} if depth is not None and "systems" not in compares else {}
    section.ask(study, "constants", metric=metric, **learnt).say().draw().table()

with page.fold("Judge a random sample of the deeper pool: two strata", key="two_strata", long=True):
    weighted = choices.weighted(st, metric)
    drawn = {"takes": "Drawing samples …", "growing": ("repeats", range(1, 11)), "metric": weighted, "depth": depth}
    sampled = section.ask_at_length(study, "two_strata", **drawn)
    sampled.say().draw().table()

page.how_to_read(
    "Each line is an estimator, by pool depth: its root mean square error against the scores with all judgments, or "
    "how well it orders the systems. Below, one estimator's scores are compared with the intervals that remain with "
    "all judgments (the reference).",
    "A smaller error is better. The estimator `lower` counts unjudged documents as not relevant; do not use an "
    "estimator with a larger error than `lower`. An estimate counts as correct if its amber bar crosses the dashed "
    "line. Others that the reference intervals still allow to be as close are counted. Errors are over contributing "
    "systems, unless you choose other *Systems*.",
    r"$e=0$ inside $[M, M+D]$ of the reference, else the distance to it; RMSE = mean over topics of "
    r"$\sqrt{\mathrm{mean}_s\, e^2}$. Weighted distance: $\sum\lambda\,|\rho_{ij}-\sigma_{ij}|$. "
    "Ravana & Moffat, ADCS 2010; Lu, Moffat & Culpepper, AIRS 2016 and SIGIR 2017.",
)
page.where_next()
