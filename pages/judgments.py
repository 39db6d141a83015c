"""Can these judgments be trusted, and what should be judged next? Health, audit, suspects, a second opinion."""

import streamlit as st

import evalcore
from ui import charts, deep_links, page, state, uploads, words

PAGE = "pages/judgments.py"
deep_links.enter()
page.title(PAGE, "Topic by topic: what was found, what may be missing, what looks odd, and what a second opinion says.")
study = page.study()

left, right = st.columns(2)
measure = state.choose_measure(left, only=state.WEIGHTED, fits=lambda metric: metric.weighted)
budget = state.choose(right, "Documents to judge next", [100, 20, 50, 200, 500, 1000], key="budget")
with page.part():
    health = state.ask(study, "judgment_health")
    audit = state.ask(study, "pool_audit")
    suspects = state.ask(study, "suspects", top=None, slow="Looking for odd judgments …")
    holes = state.ask(study, "holes") if audit.table["holes"].any() else None
    said = words.judgments(health.table, holes and holes.table, suspects.table, len(audit.table))
    page.finding(said)
    page.picture(
        charts.known_and_missing(health.table, look=page.look()), alt=said, key="health", name="judgment_health"
    )
    page.numbers(*words.judgment_numbers(health.table, holes and holes.table))
    page.table(health, key="health-table", title="Every topic", folded=True)

    st.markdown("## Was more relevant the deeper one looked?")
    depths = state.depths(study, "RBP(p=0.8)")
    pool = state.ask(study, "pool", metric="RBP(p=0.8)", depths=depths)
    for place, column, title, ticks in zip(
        st.columns(2),
        ("relevant", "share_relevant"),
        ("relevant documents found", "share of the judged that are relevant"),
        (",d", ".0%"),
        strict=True,
    ):
        with place:
            page.picture(
                charts.by_depth(pool.table, look=page.look(), column=column, title=title, ticks=ticks),
                alt=f"{title}, by pool depth.",
                key=f"by-depth-{column}",
                name=f"{column}_by_depth",
            )
    page.table(pool, key="pool", title="Every depth", folded=True)

    st.markdown("## Who formed the pool?")
    page.finding(words.audit(audit.table, study.options["order"]), key="sub-finding-audit")
    page.table(audit, key="audit", title="Every system")
    if holes:
        page.table(holes, key="holes", title="Holes: pooled, and not judged", folded=True)
    page.table(state.ask(study, "unretrieved"), key="unretrieved", title="Judged, and in no run", folded=True)

    st.markdown("## Judgments that look wrong")
    page.table(suspects, key="suspects", title="Worth a second look")

st.markdown("## A second opinion")
second = state.second_qrels()
level = uploads.second_qrels(second)
if second is not None:
    with page.part():
        both = uploads.readable_second(study, level)
        if both is not None:
            agreed = state.ask(both, "agreement")
            counted = state.ask(both, "confusion")
            page.finding(
                words.agreement(agreed.table, counted.table, by_grade=level is None), key="sub-finding-agreement"
            )
            changed = state.ask(both, "agreement_effect", metric=measure)
            page.picture(
                charts.confusion(counted.table, look=page.look()),
                alt="How often each grade of one set of judgments meets each of the other.",
                key="confusion",
                name="confusion",
            )
            by_other = changed.table[["system"]].assign(rank=changed.table["rank_other"])
            alone = int(agreed.table["first_alone"].iloc[-1])
            said = words.agreement_effect(changed.table, changed.params["metric"], alone)
            page.finding(said, key="sub-finding-effect")
            page.picture(
                charts.slopes(changed.table, by_other, look=page.look(), names=["these judgments", "the second ones"]),
                alt=said,
                key="effect",
                name="agreement_effect",
            )
            page.table(changed, key="effect-table", title="Every system by both")
            page.table(agreed, key="agreement", title="Every topic", folded=True)
            page.table(counted, key="confusion-table", title="Every pair of grades", folded=True)
            odd = state.ask(both, "suspects", kind="contradiction", top=None)
            page.table(odd, key="contradictions", title="Where the two contradict each other", folded=True)

st.markdown("## What to judge next")
with page.part():
    following = state.ask(study, "judge_next", metric=measure, budget=budget)
    said = words.judge_next(following.table, following.params["metric"])
    page.finding(said, key="sub-finding-next")
    if len(following.table):
        page.picture(
            charts.shrinking(following.table, look=page.look(), title="mean width of the intervals"),
            alt=said,
            key="next",
            name="judge_next",
        )
        page.table(following, key="next-table", title="The list for the assessors")

with page.fold("Which order of judging would have found them sooner?") as opened:
    if opened:
        raced = state.ask(study, "judging_orders", metric=measure, slow="Judging all over again …")
        page.finding(words.judging_orders(raced.table), key="sub-finding-orders")
        for y, title, ticks in (
            ("relevant", "relevant documents found", ",d"),
            ("tau", "tau with all judgments", ".2f"),
        ):
            page.picture(
                charts.judged_so_far(raced.table, look=page.look(), y=y, title=title, ticks=ticks),
                alt=f"{title}, by number of judgments, for every order.",
                key=f"orders-{y}",
                name=f"judging_orders_{y}",
            )
        orders = evalcore.JUDGING_ORDERS.items()
        st.markdown("\n".join(f"- **{name}**: {row.summary} ({row.source})" for name, row in orders))
        page.table(raced, key="orders-table", title="Every order", folded=True)

page.how_to_read(
    "A bar per topic: blue are the relevant documents that are known, amber how many more there may be. Below: the "
    "pool by depth, every system's place in it, and judgments that most systems speak against.",
    "Amber is an estimate from how often the systems agree: what a single system found hints at what none did. A topic "
    "with nothing relevant, with fewer than five, or with more relevant than not deserves a look. A suspect is no "
    "proof: good systems can be wrong together.",
    r"coverage $=1-f_1/C$; relevant in all $R/\mathrm{cov}+C(1-\mathrm{cov})/\mathrm{cov}\cdot\gamma^2$: Chao & Lee, "
    r"JASA 1992. $\kappa$: Cohen 1960; alpha: Krippendorff. To judge next: the unjudged by $\sum_s W(k_s)$, the weight "
    "of their ranks: Moffat, Webber & Zobel, SIGIR 2007.",
)
page.where_next("pages/pool_depth.py", "pages/new_systems.py")
