"""Newcomers: is a system that did not help to build the pool treated fairly? Webber & Park, SIGIR 2009."""

import numpy as np
import pandas as pd

from evalcore import pool_bias
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name, indices_of
from evalcore.questions.corrections import WEBBER_PARK, adjust_from_systems, adjust_from_topics
from evalcore.questions.cuts import contributed
from evalcore.questions.notes import gaps
from evalcore.questions.question import Question


def leave_out(study, *, metric=WEBBER_PARK, depth=None, by="run", unjudged="irrelevant"):
    """Every contributing system's score and rank with and without the judgments that it alone brought into the pool,
    or its whole group alone; all systems are scored anew on what is left.

    unique_judged, unique_relevant : how many judgments, and relevant ones, those are; n : topics averaged
    """
    if by not in ("run", "group"):
        raise ValueError(f"by={by!r} is not known. Known: run, group.")
    contributed(study)
    if by == "group" and not any(study.whole.groups):
        raise ValueError("no system has a group; give a table of systems with a column group, or leave out by run.")
    grouped = zip(study.whole.systems, study.whole.groups, strict=True)  # a group may be called as a system is
    left_out = {name: ("group", group) if by == "group" and group else ("run", name) for name, group in grouped}
    known = list(dict.fromkeys(left_out.values()))
    owners = np.array([known.index(name) for name in left_out.values()])
    in_force = study.at(depth=depth).judgments
    scale = in_force.scale
    sole = pool_bias.sole_owners(pool_bias.tops(study, depth), owners[study.whole.pooled])
    owned = np.where(in_force.level > 0, sole, pool_bias.NOBODY)
    taken = np.flatnonzero(owned >= 0)
    judged, relevant = (
        np.bincount(owned[taken][table[in_force.level[taken]]], minlength=len(known))
        for table in (scale.judged, scale.relevant)
    )
    whole = study.mean(study.at(judgments=in_force, unjudged=unjudged).values(metric))
    without = pool_bias.without_each(study, in_force, metric_named(metric), owned, len(known), unjudged=unjudged)
    ranks = orderings.ranks(whole)
    rows = []
    for s in np.flatnonzero(study.track.pooled):
        owner = known.index(left_out[study.systems[s]])
        rows.append(
            {
                "left_out": known[owner][1],
                "system": study.systems[s],
                "rank": ranks[s],
                "rank_without": orderings.ranks(without[:, owner])[s],
                "value": whole[s],
                "value_without": without[s, owner],
                "unique_relevant": relevant[owner],
                "unique_judged": judged[owner],
                "n": study.counted[s].sum(),
            }
        )
    if not rows:
        raise ValueError("none of the systems looked at contributed to the pool, so none can be left out of it.")
    table = pd.DataFrame(rows).sort_values(["rank", "system"], ignore_index=True)
    return table, gaps(table, value="for systems for which no topic counts")


def bias_by_width(
    study, *, metric=WEBBER_PARK, depth=None, widths=(2, 4, 10, 20, 40), repeats=100, seed=0, unjudged="irrelevant"
):
    """The bias against one more system of pools that so many contributing systems form: mean and quartiles over random
    choices (Webber & Park 2009, fig. 1).

    The bias is the system's score when it helps to form the pool less that when it does not.
    """
    contributed(study)
    if not len(pool_bias.with_a_score(study)):
        raise ValueError("none of the systems looked at contributed to the pool, so none can be left out of it.")
    n, repeats = int(study.whole.pooled.sum()), repeats
    metric, rng = metric_named(metric), np.random.default_rng(seed)
    in_force = study.at(depth=depth).judgments
    rows = []
    for width in [width for width in widths if width < n]:
        found = [
            pool_bias.against_one_more(study, in_force, metric, width, rng, depth=depth, unjudged=unjudged)
            for _ in range(repeats)
        ]
        rows.append((width, repeats, np.mean(found), *np.quantile(found, [0.25, 0.5, 0.75])))
    if not rows:
        raise ValueError(f"widths={list(widths)!r}: all of them need more than the {n} pooled systems.")
    table = pd.DataFrame(rows, columns=["width", "repeats", "mean", "q1", "median", "q3"])
    too_wide = [width for width in widths if width >= n]
    return table, [f"Widths {too_wide} need more than the {n} systems that contributed."] if too_wide else []


def newcomer(study, *, system, common=10, metric=WEBBER_PARK, depth=None, seed=0, level=0.05):
    """One system as a newcomer that did not help to build the pool: its score as it is, with unjudged documents taken
    out, and corrected in both ways, beside the true one where the system did help.

    What the system alone brought into the pool is taken away first. reading : "unadjusted", "condensed", "from
    systems", "from topics" (see `adjust_from_systems`, `adjust_from_topics`), "true"
    """
    contributed(study)
    metric = metric_named(metric)
    r = int(indices_of([system], study.systems, "system")[0])
    helped = bool(study.track.pooled[r])
    in_force = study.at(depth=depth).judgments
    left = pool_bias.without_its_own(study, in_force, system, depth)
    alone = study.only(systems=[system])
    rows, notes = [], []

    def add(reading, value, lower=np.nan, upper=np.nan, kind="point"):
        rows.append({"reading": reading, "value": value, "lower": lower, "upper": upper, "kind": kind})

    for reading, judgments, unjudged in (
        ("unadjusted", left, "irrelevant"),
        ("condensed", left, "condensed"),
        ("true", in_force, "irrelevant"),
    ):
        if reading != "true" or helped:
            made = alone.means(alone.at(judgments=judgments, unjudged=unjudged).estimate(metric))
            add(reading, made.value[0], made.lower[0], made.upper[0], made.kind)
    asked = {"system": system, "metric": metric, "depth": depth, "level": level}
    adjusted = [("from systems", adjust_from_systems, {})]
    if helped:
        adjusted.append(("from topics", adjust_from_topics, {"common": common, "seed": seed}))
    else:
        notes.append(f"{system} was not pooled: on no topic is it fully judged, so nothing is learnt from topics.")
    for reading, question, more in adjusted:
        try:
            row = question(study, **asked, **more).iloc[0]
            add(reading, row["adjusted"], row["lower"], row["upper"], "t")
        except ValueError as refused:
            notes.append(f"{reading}: {refused}")
    order = ["unadjusted", "condensed", "from systems", "from topics", "true"]
    table = pd.DataFrame(sorted(rows, key=lambda row: order.index(row["reading"]))).assign(n=study.counted[r].sum())
    without = "where unjudged documents are taken out, and for measures without one"
    return table, [*notes, *gaps(table, lower=without)]


QUESTIONS = by_name(
    Question("leave_out", leave_out),
    Question("bias_by_width", bias_by_width),
    Question("newcomer", newcomer),
)
