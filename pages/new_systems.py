"""Is a system that did not help to build the pool treated fairly? Every system left out of the pool in turn."""

import streamlit as st

from ui import charts, deep_links, page, state, words

PAGE = "pages/new_systems.py"
deep_links.enter()
page.title(PAGE, "Take away the judgments that only one system, or its group, brought in, and score everyone again.")
study = page.study()

left, middle, right = st.columns([4, 4, 5])
measure = state.choose_measure(left, only=["RBP(p=0.8)@10", *state.MEASURES])
by = state.choose(middle, "Left out", ["run", "group"], key="by", format_func=words.left_out_choice)
unjudged = state.choose(
    right, "Unjudged documents", ["irrelevant", "condensed"], key="unjudged", format_func=words.reading_choice
)
asked = {"metric": measure, "unjudged": unjudged}
hardest_hit = []
with page.part():
    left_out = state.ask(study, "leave_out", by=by, slow="Leaving out …", **asked)
    said = words.left_out(left_out.table, by)
    page.finding(said)
    page.picture(
        charts.before_and_after(left_out.table, look=page.look(), measure=left_out.params["metric"]),
        alt=said,
        key="left-out",
        name="leave_out",
    )
    page.numbers(*words.left_out_numbers(left_out.table))
    page.table(left_out, key="left-out-table", title="Every system that helped to build the pool")
    hardest_hit = state.made(study, words.hardest_hit, left_out)

with page.fold("How much does the number of pooled systems matter?") as opened:
    if opened:
        widths = state.ask(study, "bias_by_width", slow="Drawing pools …", **asked)
        page.finding(words.widths(widths.table), key="sub-finding-widths")
        page.picture(
            charts.quartiles(widths.table, look=page.look(), title="bias"),
            alt=words.widths(widths.table),
            key="widths",
            name="bias_by_width",
        )
        page.table(widths, key="widths-table", title="Every width", folded=True)

st.markdown("## One system as the newcomer")
first, second = st.columns(2)
names = list(dict.fromkeys([*hardest_hit, *study.systems]))
system = state.choose_one(first, "It was not pooled", names, key="system")
counts = [count for count in (10, 5, 2, 20, 40) if count < len(study.judged_topics)] or [2]
count = state.choose(second, "Topics on which it is fully judged", counts, key="common")
with page.part():
    came = state.ask(study, "newcomer", system=system, common=count, metric=measure)
    said = words.newcomer(came.table, system)
    page.finding(said, key="sub-finding-newcomer")
    page.picture(
        charts.readings(came.table, words.READINGS, look=page.look(), measure=came.params["metric"]),
        alt=said,
        key="newcomer",
        name="newcomer",
    )
    page.table(came, key="newcomer-table", title="Every reading of its score")
    made = set(came.table["reading"])
    if "from systems" in made:
        from_systems = state.ask(study, "adjust_from_systems", system=system, metric=measure)
        page.table(from_systems, key="from-systems", title="Corrected from other systems", folded=True)
    if "from topics" in made:
        from_topics = state.ask(study, "adjust_from_topics", system=system, common=count, metric=measure)
        page.finding(words.adjusted(from_topics.table.iloc[0], f"{count} common topics"), key="sub-finding-topics")
        page.table(from_topics, key="from-topics", title="Corrected from common topics", folded=True)

with page.fold("How well do the corrections work here? Webber and Park's experiment") as opened:
    if opened:
        tried = page.at_length(
            study, "adjustment_experiment", takes="Newcomers and pools are drawn, which may take a minute …", **asked
        )
        if tried is not None:
            page.finding(words.experiment(tried.table), key="sub-finding-experiment")
            widest = tried.table[tried.table["width"] == tried.table["width"].max()]
            page.picture(
                charts.errors_by_common(widest, look=page.look()),
                alt=words.experiment(tried.table),
                key="experiment",
                name="adjustment_experiment",
            )
            page.table(tried, key="experiment-table", title="Every width and number of common topics")

page.how_to_read(
    "A row per system that helped to build the pool: the dot is its score, the diamond its score when what it alone "
    "brought into the pool is not judged.",
    "The gap is what a newcomer like it loses by coming too late. Where the systems are many and alike it is small; a "
    "system unlike the others loses most. Leaving out its whole group is the fairer test: runs of one team share "
    "documents.",
    r"bias $=\mathrm{score}(r, Q)-\mathrm{score}(r, Q')$, where $Q'$ lacks the judgments that only $r$ brought. "
    "Correcting: the mean bias of the pooled systems, or of the system itself on topics where it is judged. Webber & "
    "Park, SIGIR 2009.",
)
page.where_next("pages/scores.py", "pages/orderings.py")
