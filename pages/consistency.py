"""Does a system answer the same need the same way? Rankings for variations of one query, held against each other."""

import streamlit as st

from ui import charts, deep_links, page, state, words

PAGE = "pages/consistency.py"
deep_links.enter()
page.title(PAGE, "People word one need in many ways. A consistent system gives them nearly the same documents.")
study = page.study()


def foot():
    """How to read the page, and where to go next."""
    page.how_to_read(
        "A box per system over its topics: the line is the median, the box holds half of them. Then a dot per topic, "
        "the mean over systems, with the smallest and the largest.",
        "1: all wordings give the same list; 0: they share nothing. Consistent is not good: a system may fail the same "
        "way every time. Topics with few or alike wordings look consistent by themselves.",
        r"$C_t=$ mean over variations of RBO(run, RBC of all variations), each distinct ranking once; $C_T$ the mean "
        "over topics. Bailey, Moffat, Scholer & Thomas, SIGIR 2017; RBO: Webber, Moffat & Zobel, TOIS 2010.",
    )
    page.where_next("pages/fusion.py", "pages/scores.py")


if not state.has_variations(study):
    st.info(
        "Every topic of this study has one query, so there is nothing to compare. Variations come as run files "
        "(SYSTEM.v3), inside the names of queries (401-7), or in a queries table: say which on the Data page, under "
        "*Assume something else*, *Variations of a query*."
    )
    if state.look_like_variations(study):
        st.button(
            "Read SYSTEM.v3 as the third variation of SYSTEM's queries",
            on_click=state.assume,
            args=({**state.assumed(), "variations": "run"},),
        )
    st.button("Open the sample with variations", on_click=state.open_another, args=("variations",), type="primary")
    foot()
    st.stop()

left, right = st.columns(2)
phi = state.choose(left, "Persistence", [0.9, 0.5, 0.8, 0.95, 0.99], key="phi")
measure = state.choose_measure(right, only=["AP", *state.MEASURES])
with page.part():
    by_topic = state.ask(study, "consistency", phi=phi, slow="Comparing rankings …")
    by_system = state.ask(study, "consistency_of_systems", phi=phi)
    means = state.ask(study, "consistency_of_topics", phi=phi)
    pairs = state.ask(study, "consistency_pairs", phi=phi)
    said = words.consistency(by_system.table, means.table, pairs.table)
    page.finding(said)
    page.picture(
        charts.boxes(by_topic.table, list(by_system.table["system"]), look=page.look(), title="consistency"),
        alt=said,
        key="by-system",
        name="consistency_of_systems",
    )
    page.table(by_system, key="systems", title="Every system")

    st.markdown("## Topic by topic")
    page.picture(
        charts.spread_by_topic(means.table, look=page.look(), title="consistency"),
        alt="The mean consistency of every topic, and how far the systems differ on it.",
        key="by-topic",
        name="consistency_by_topic",
    )
    page.table(means, key="topic-means", title="Every topic", folded=True)
    page.table(by_topic, key="topics", title="Every system and topic", folded=True)

    st.markdown("## Are consistent systems good ones?")
    scored = state.ask(study, "leaderboard", metric=measure)
    named = scored.params["metric"]
    both = by_system.table[["system", "consistency"]].merge(scored.table[["system", "value"]], on="system")
    said = words.consistency_against_score(both, named)
    page.finding(said, key="sub-finding-score")
    page.picture(
        charts.scatter(both, look=page.look(), x="consistency", y="value", titles=("consistency", named)),
        alt=said,
        key="scatter",
        name="consistency_and_score",
    )
    beside = list(dict.fromkeys([named, "AP", "nDCG@10"]))
    related = state.ask(study, "consistency_correlations", phi=phi, metrics=beside)
    page.table(related, key="related", title="Does consistency go with anything, topic by topic? Spearman's rho")

    st.markdown("## Which systems differ in consistency?")
    page.table(pairs, key="pairs", title="Every pair: paired t-test over topics")

with page.fold("Do topics agree on which systems are good?") as opened:
    if opened:
        for of in ("consistency", measure):
            with page.part():
                agreed = state.ask(study, "topic_agreement", of=of, phi=phi)
                page.table(agreed, key=f"agreed-{of}", title=f"By {of}")

with page.fold("What would the best wording be worth?") as opened:
    if opened:
        best = state.ask(study, "oracle_variation", metric=measure)
        page.finding(words.oracle(best.table, best.params["metric"]), key="sub-finding-oracle")
        page.table(best, key="oracle", title="Every system")

foot()
