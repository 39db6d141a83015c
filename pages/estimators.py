"""If we guess the unjudged documents, which guess comes closest? Shallow pools and deeper ones."""

import streamlit as st

import evalcore
from ui import charts, deep_links, page, state, words

PAGE = "pages/estimators.py"
deep_links.enter()
page.title(PAGE, "Pretend that judging had stopped early, guess what was missed, and see what later judgments say.")
study = page.study()

left, middle, right = st.columns([3, 5, 2])
weighted = [name for name in state.MEASURES if evalcore.metric(name).weighted]
measure = state.choose_measure(left, only=weighted, fits=lambda metric: metric.weighted)
compared = state.choose_many(middle, "Guesses", list(evalcore.ESTIMATORS), key="guesses", default=state.GUESSES)
depth, closest_first = None, compared
with page.part():
    if study.depth < 2:
        raise ValueError("the pool is one document deep, so there is no shallower one to pretend.")
    errors = state.ask(study, "estimator_error", metric=measure, estimators=compared, slow="Guessing …")
    depths = [int(depth) for depth in dict.fromkeys(errors.table["depth"])]
    depth = state.choose(right, "Judged to depth", depths, key="shallow")
    at_depth = errors.table[errors.table["depth"] == depth]
    closest_first = list(at_depth.sort_values("rmse", kind="stable")["estimator"])
    page.finding(words.estimators(at_depth, depth))
    which = state.choose_view(st, {"rmse": "Error (RMSE)", "accuracy": "Exactly right (Acc%)"}, key="error")
    title, ticks = {"rmse": ("RMSE", ".3f"), "accuracy": ("estimates inside the reference interval, %", ".0f")}[which]
    page.picture(
        charts.lines(
            errors.table,
            look=page.look(),
            x="depth",
            y=which,
            series="estimator",
            titles=("pool depth", title),
            ticks=ticks,
            mark=depth,
        ),
        alt=words.estimators(at_depth, depth),
        key="errors",
        name="estimator_error",
    )
    page.numbers(*words.estimator_numbers(at_depth))
    page.table(errors, key="errors-table", title="Error of every guess at every depth")

with page.fold("What does each guess say?") as opened:
    if opened:
        st.markdown("\n".join(f"- `{row.name}`: {row.summary}. {row.source}" for row in evalcore.ESTIMATORS.values()))

if depth is not None:
    st.markdown("## One guess, system by system")
    guess = state.choose_one(st, "Guess", closest_first, key="guess")
    with page.part():
        made = state.ask(study, "estimates", metric=measure, depth=depth, estimator=guess)
        systems = state.ask(study, "system_estimates", metric=measure, depth=depth, estimator=guess)
        by_system = systems.table[systems.table["pooled"]]
        page.finding(words.estimates(by_system, guess), key="sub-finding-guess")
        page.picture(
            charts.against_reference(by_system, look=page.look(), estimator=guess),
            alt=words.estimates(by_system, guess),
            key="against",
            name="estimate_against_reference",
        )
        page.table(systems, key="system-estimates", title="Every system", folded=True)
        page.table(made, key="estimates", title="Every system and topic", folded=True)

with page.fold("A topic's gains by rank, and the curves fitted to them") as opened:
    if opened:
        topic = state.choose_one(st, "Topic", state.judged_topics(study), key="topic")
        curves = state.ask(study, "rank_models", topic=topic, depth=depth)
        page.picture(
            charts.gain_curves(curves.table, look=page.look(), topic=topic),
            alt=f"Mean gain at each rank of topic {topic}, and three fitted curves.",
            key="curves",
            name="gain_curves",
        )
        page.table(curves, key="curves-table", title="Every rank", folded=True)

with page.fold("Which topics should be adjusted at all? The gamma test") as opened:
    if opened:
        theta = st.slider("Threshold theta", 0.0, 0.1, 0.018, 0.001, format="%.3f", key="theta")
        met = state.ask(study, "coverage", depths=[depth], theta=theta)
        page.finding(words.coverage(met.table, theta), key="sub-finding-gamma")
        page.picture(
            charts.gammas(met.table, look=page.look(), theta=theta),
            alt=words.coverage(met.table, theta),
            key="gammas",
            name="gamma",
        )
        page.table(met, key="gammas-table", title="Coverage of every topic", folded=True)

with page.fold("Learn the constants C and E of Ravana & Moffat") as opened:
    if opened:
        name = state.choose_one(st, "Formula", ["interpolated", "smoothed"], key="formula")
        learnt = state.ask(study, "constants", metric=measure, estimator=name)
        best = learnt.table[learnt.table["best"]].iloc[0]
        published = evalcore.ESTIMATORS[name].parameters
        page.finding(words.constants(learnt.table, name, published), key="sub-finding-constants")
        page.picture(
            charts.surface(
                learnt.table,
                look=page.look(),
                learnt=(best["C"], best["E"]),
                published=(published["C"], published["E"]),
            ),
            alt=words.constants(learnt.table, name, published),
            key="surface",
            name="constants",
        )
        page.table(learnt, key="constants-table", title="Every C and E", folded=True)

with page.fold("Judge a sample of the deeper pool instead: two strata") as opened:
    if opened:
        strata = state.ask(study, "two_strata", metric=measure, depth=depth, slow="Drawing samples …")
        page.finding(words.two_strata(strata.table), key="sub-finding-strata")
        page.picture(
            charts.repeats(strata.table, look=page.look(), column="rmse", title="RMSE, a dot per sample"),
            alt=words.two_strata(strata.table),
            key="strata",
            name="two_strata",
        )
        page.table(strata, key="strata-table", title="Every sample", folded=True)

page.how_to_read(
    "A line per guess: how far it is, on average, from what all judgments say, when only the first ranks had been "
    "judged. Below, one guess for every system, over the interval that all judgments leave.",
    "Lower is better. `lower` guesses nothing; a guess that does worse than `lower` at your depth had better not be "
    "used. A guess whose amber bar crosses the dashed line is inside what is still possible: no error. Only systems "
    "that helped to build the pool count here, for only theirs was judged deeper.",
    r"$e=0$ inside $[M, M+D]$, else the distance to it; RMSE = mean over topics of $\sqrt{\mathrm{mean}_s\, e^2}$. "
    "Ravana & Moffat, ADCS 2010; Lu, Moffat & Culpepper, AIRS 2016 and SIGIR 2017. The reference is cut at the "
    "study's pool depth.",
)
page.where_next("pages/orderings.py", "pages/scores.py")
