"""Is a system that did not help to build the pool treated fairly? Every system left out of the pool in turn."""

import streamlit as st

from ui import choices, page, session, truth
from ui.views.newcomers import hardest_hit

LEFT_OUT = {"run": "every system alone", "group": "its whole group"}
UNJUDGED = {"irrelevant": "not relevant", "condensed": "taken out of the rankings"}
study = page.begin("Take away the judgments that only one system, or its group, brought in, and score everyone again.")

left, middle, right = st.columns([4, 4, 5])
measure = choices.measure(left)
by = choices.named(middle, "Left out", LEFT_OUT, key="by")
unjudged = choices.named(right, "Unjudged documents", UNJUDGED, key="unjudged")
depth = choices.carried_depth(study)
truth.switch(st, study)
asked = {"metric": measure, "unjudged": unjudged}
seen = {"depth": depth, **asked}
names = []
with page.part():
    left_out = session.ask(study, "leave_out", by=by, slow="Leaving out …", **seen)
    page.finding(left_out.finding, key="leave_out")
    truth.say(study, **seen)
    marks = truth.marks(study, **seen)
    page.show(study, "leave_out", answer=left_out, say=False, drawn=marks, tiles=True)
    names = session.made(study, hardest_hit, left_out)

same_pools = {"depth": depth or (study.depth if study.pooling.depth_known else None)}  # where pools are drawn
drawn_singly = "Pools are drawn system by system, whatever the group." if by == "group" else ""
with page.fold("How much does the number of pooled systems matter?", key="bias_by_width", long=True):
    page.show(study, "bias_by_width", slow="Drawing pools …", **same_pools, **asked)
    st.caption(drawn_singly)

st.markdown("## One system as the newcomer")
first, second = st.columns(2)
system = choices.one(first, "It was not pooled", list(dict.fromkeys([*names, *study.systems])), key="system")
counts = [count for count in (10, 5, 2, 20, 40) if count < len(study.judged_topics)] or [2]
common = choices.one(second, "Topics on which it is fully judged", counts, key="common")
with page.part():
    newcomer = {"system": system, "metric": measure, "by": by, "depth": depth}
    came = session.ask(study, "newcomer", common=common, **newcomer)
    page.finding(came.finding, key="newcomer")
    marks = truth.marks(study, metric=measure, depth=depth)
    truth.say_nearest(came, marks)
    page.show(study, "newcomer", answer=came, say=False, drawn=marks)
    readings = set(came.table["reading"])
    if {"from systems", "from topics"} & readings:
        with page.fold("What do the corrections rest on?", key="corrections"):
            if "from systems" in readings:
                page.show(study, "adjust_from_systems", table="open", **newcomer)
            if "from topics" in readings:
                page.show(study, "adjust_from_topics", table="open", common=common, **newcomer)

with page.fold("How well do the corrections work here? Webber and Park's experiment", key="experiment", long=True):
    takes = "Newcomers and pools are drawn, which may take a minute …"
    page.show_at_length(study, "adjustment_experiment", takes=takes, table="open", **same_pools, **asked)
    st.caption(drawn_singly)

page.how_to_read(
    "A row per system that contributed to the pool: the dot is its score, the diamond its score when what it, or its "
    "group, alone brought into the pool is not judged.",
    "The gap is what a newcomer like it loses by coming too late. Where the systems are many and alike it is small; a "
    "system unlike the others loses most. Leaving out its whole group is the fairer test: runs of one team share "
    "documents. Brought in by one alone is not retrieved by one alone: others, further down or too late, may have it.",
    r"bias $=\mathrm{score}(r, Q)-\mathrm{score}(r, Q')$, where $Q'$ lacks the judgments that only $r$ brought. "
    "Correcting: the mean bias of the pooled systems, or of the system itself on topics where it is judged. Webber & "
    "Park, SIGIR 2009.",
)
page.where_next()
