"""Is a system outside the pool treated fairly? Leave every system out of the pool in turn."""

import streamlit as st

from evalcore.questions.requirements import pool_known
from ui.components import choices
from ui.forms import complete_judgments, system_choice
from ui.layout import definition_links, page, section
from ui.session import answers
from ui.views.new_systems import hardest_hit

LEFT_OUT = {"run": "each system", "group": "each group"}
INTERVALS = {"t": "t distribution", "bootstrap": "bootstrap: topics drawn again"}
UNJUDGED = {"irrelevant": "not relevant", "condensed": "removed from rankings"}
study = page.begin(
    "Each contributing system is scored again without the judgments that only it, or its group, contributed."
)

depth = choices.carried_depth(study)
page.require(pool_known, study, depth)
line = page.line()
metric = choices.metric(line)
by = choices.named(line, "Left out", LEFT_OUT, key="by", says=lambda by: f"{LEFT_OUT[by]} left out")
says = lambda way: f"unread documents {'count as ' * (way == 'irrelevant')}{UNJUDGED[way]}"  # noqa: E731
unjudged = choices.named(line, "Unjudged documents", UNJUDGED, key="unjudged", says=says)
shown = system_choice.column(line, study, fewer=depth is not None)
params = {"metric": metric, "unjudged": unjudged}
seen = {"depth": depth, **params}
names = []
with page.part():
    left_out = answers.ask(shown, "leave_out", by=by, slow="Leaving out …", **seen)
    section.say(left_out.finding, key="leave_out")
    complete_judgments.say_swapped(shown, **seen)
    marks = complete_judgments.marks(shown, **seen)
    section.ask(shown, "leave_out", answer=left_out).draw(tiles=True, **marks).table()
    definition_links.keep_place()
    names = answers.computed(shown, hardest_hit, left_out)

same_pools = {"depth": depth or (study.depth if study.pooling.depth_known else None)}  # where pools are drawn
drawn_singly = "Systems are drawn one by one, whatever their group." if by == "group" else ""
with page.fold("How much does the number of contributing systems matter?", key="bias_by_width", long=True):
    both = {"metric": metric, "unjudged": "both", **same_pools}
    section.ask(study, "bias_by_width", slow="Drawing pools …", **both).say().draw().table()
    st.caption(drawn_singly)

st.markdown("## One system, treated as new")
first, second, third = st.columns([4, 4, 2])
system = choices.select(first, "New system", list(dict.fromkeys([*names, *study.systems])), key="system")
counts = [count for count in (10, 5, 2, 20, 40) if count < len(study.judged_topics)] or [2]
common = choices.select(second, "Fully judged topics", counts, key="common")
with page.part():
    newcomer = {"system": system, "metric": metric, "by": by, "depth": depth} | choices.level(third)
    came = answers.ask(study, "newcomer", common=common, **newcomer)
    section.say(came.finding, key="newcomer")
    marks = complete_judgments.marks(study, metric=metric, depth=depth)
    complete_judgments.say_nearest(came, marks)
    section.ask(study, "newcomer", answer=came).draw(**marks).table()
    readings = set(came.table["reading"])
    if {"from systems", "from topics"} & readings:
        with page.fold("How is each correction computed?", key="corrections"):
            if "from topics" in readings:
                method = choices.named(st, "Interval over topics", INTERVALS, key="topics-interval")
                from_topics = {"common": common, "method": method, **newcomer}
                section.ask(study, "adjust_from_topics", **from_topics).say().draw().table(folded=False)
            if "from systems" in readings:
                section.ask(study, "adjust_from_systems", **newcomer).say().draw().table(folded=False)

with page.fold("How well do the corrections work? Webber and Park's experiment", key="experiment", long=True):
    takes = "Drawing new systems and pools, which may take a minute …"
    design = choices.experiment(study, same_pools["depth"])
    growing = "widths", section.prefixes(design.pop("widths"))
    experiment = section.ask_at_length(study, "adjustment_experiment", takes=takes, growing=growing, **design, **params)
    experiment.say().draw().table(folded=False)
    st.caption(drawn_singly)

page.how_to_read(
    "Each row is a contributing system, the best on top. Its bar is the change of its score without the judgments that "
    "only it (or its group) contributed. The dashed line is the median gap between systems at neighbouring ranks.",
    "The bar is what a similar new system would lose. It is short if many similar systems contribute; an unusual "
    "system loses most. A bar beyond the dashed line can cost ranks. Leaving out the whole group is the fairer test, "
    "because runs of one team share documents. Other systems may also retrieve a document that only one contributed: "
    "below the pool depth, or without contributing to the pool.",
    r"bias $=\mathrm{score}(r, Q)-\mathrm{score}(r, Q')$, where $Q'$ lacks the judgments that only $r$ contributed. A "
    r"correction adds the mean bias of the contributing systems, or the system's own bias on fully judged topics. "
    "Webber & Park, SIGIR 2009.",
)
page.where_next()
