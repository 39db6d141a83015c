"""Newcomers: is a system that did not help to build the pool treated fairly? [WP09]."""

import numpy as np
import pandas as pd

from evalcore import contributors, pool_bias
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name, indices_of
from evalcore.questions.corrections import WEBBER_PARK, adjust_from_systems, adjust_from_topics
from evalcore.questions.cuts import pool_known
from evalcore.questions.notes import gaps
from evalcore.questions.question import Question
from evalcore.sentences import Sentence, digits, joined, known

READINGS = {
    "unadjusted": "left as it is",
    "condensed": "unjudged documents taken out",
    "from systems": "corrected from other systems",
    "from topics": "corrected from common topics",
    "true": "true score",
}
NONE_TO_LEAVE_OUT = "none of the systems looked at contributed to the pool, so none can be left out of it."


def leave_out(study, *, metric=WEBBER_PARK, depth=None, by="run", unjudged="irrelevant"):
    """Every contributing system's score and rank with and without the judgments that it alone brought into the pool,
    or its whole group alone; all systems are scored anew on what is left."""
    pool_known(study, depth)
    if by == "group" and not any(study.whole.groups):
        raise ValueError("no system has a group; give a table of systems with a column group, or leave out by run.")
    if not study.track.pooled.any():
        raise ValueError(NONE_TO_LEAVE_OUT)
    each = zip(study.whole.systems, study.whole.groups, strict=True)  # a group may be called as a system is
    units = [("group", group) if by == "group" and group else ("run", name) for name, group in each]
    left_out = list(dict.fromkeys(units))
    owners = np.array([left_out.index(unit) for unit in units])
    in_force = study.at(depth=depth).judgments
    sole = pool_bias.sole_owners(pool_bias.tops(study, depth), owners[study.whole.pooled])
    owned = np.where(in_force.level > 0, sole, pool_bias.NOBODY)
    taken = np.flatnonzero(owned >= 0)
    judged, relevant = (
        np.bincount(owned[taken][table[in_force.level[taken]]], minlength=len(left_out))
        for table in (in_force.scale.judged, in_force.scale.relevant)
    )
    whole = pool_bias.means(study, in_force, metric, unjudged)
    without = pool_bias.without_each(study, in_force, metric_named(metric), owned, len(left_out), unjudged=unjudged)
    ranks_without = np.stack([orderings.ranks(scores) for scores in without.T], axis=1)
    pooled = np.flatnonzero(study.track.pooled)
    systems = [study.systems[s] for s in pooled]
    owner = owners[indices_of(systems, study.whole.systems, "system")]
    table = pd.DataFrame(
        {
            "left_out": [left_out[unit][1] for unit in owner],
            "system": systems,
            "rank": orderings.ranks(whole)[pooled],
            "rank_without": ranks_without[pooled, owner],
            "value": whole[pooled],
            "value_without": without[pooled, owner],
            "unique_relevant": relevant[owner],
            "unique_judged": judged[owner],
            "n": study.counted[pooled].sum(axis=1),
        }
    ).sort_values(["rank", "system"], ignore_index=True)
    return table, gaps(table, value="for systems for which no topic counts")


def bias_by_width(
    study, *, metric=WEBBER_PARK, depth=None, widths=(2, 4, 10, 20, 40), repeats=100, seed=0, unjudged="irrelevant"
):
    """The bias against one more system of pools that so many contributing systems form: mean and quartiles over random
    choices [WP09, fig. 1].

    The bias is the system's score when it helps to form the pool less that when it does not.
    """
    pool_known(study, depth)
    if not len(pool_bias.with_a_score(study)):
        raise ValueError(NONE_TO_LEAVE_OUT)
    n = int(study.whole.pooled.sum())
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
        raise ValueError(f"widths={list(widths)!r}: all of them need more than the {digits(n, 'pooled system')}.")
    table = pd.DataFrame(rows, columns=["width", "repeats", "mean", "q1", "median", "q3"])
    too_wide = [width for width in widths if width >= n]
    return table, [f"Widths {too_wide} need more than the {digits(n, 'system')} that contributed."] if too_wide else []


def newcomer(study, *, system, common=10, metric=WEBBER_PARK, depth=None, seed=0, level=0.05):
    """One system as a newcomer that did not help to build the pool: its score as it is, with unjudged documents taken
    out, and corrected in both ways, beside the true one where the system did help.

    What the system alone brought into the pool is taken away first. See `adjust_from_systems`, `adjust_from_topics`.
    """
    pool_known(study, depth)
    metric, r = metric_named(metric), int(indices_of([system], study.systems, "system")[0])
    helped = bool(study.track.pooled[r])
    in_force = study.at(depth=depth).judgments
    left = pool_bias.without_its_own(study, in_force, system, depth)
    alone = study.only(systems=[system])
    readings = {"unadjusted": (left, "irrelevant"), "condensed": (left, "condensed")}
    corrections = {"from systems": (adjust_from_systems, {})}
    rows, notes = {}, []
    if helped:
        readings["true"] = in_force, "irrelevant"
        corrections["from topics"] = adjust_from_topics, {"common": common, "seed": seed}
    else:
        notes.append(f"{system} was not pooled: on no topic is it fully judged, so nothing is learnt from topics.")
    for reading, (judgments, unjudged) in readings.items():
        means = alone.means(alone.at(judgments=judgments, unjudged=unjudged).estimate(metric))
        rows[reading] = means.value[0], means.lower[0], means.upper[0], means.kind
    for reading, (correct, more) in corrections.items():
        try:
            row = correct(study, system=system, metric=metric, depth=depth, level=level, **more).iloc[0]
            rows[reading] = row["adjusted"], row["lower"], row["upper"], "t"
        except ValueError as refused:
            notes.append(f"{reading}: {refused}")
    table = pd.DataFrame(
        [(reading, *rows[reading]) for reading in READINGS if reading in rows],
        columns=["reading", "value", "lower", "upper", "kind"],
    ).assign(n=study.counted[r].sum())
    without = "where unjudged documents are taken out, and for measures without one"
    return table, [*notes, *gaps(table, lower=without)]


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _cost(table, asked, study):
    """What being left out of the pool does to a score, and who falls furthest by it."""
    table = table[table["value"].notna()]
    if not len(table):
        return Sentence("No system that helped to build the pool has a score.")
    left = "Left out" if asked["by"] == "run" else "Left out with its group"
    change, outside = (table["value_without"] - table["value"]).mean(), contributors.unexplained(study)
    fall = table["rank_without"] - table["rank"]
    furthest = Sentence(
        "the furthest fall, by {places:count place}, is that of {systems:listed}",
        places=fall.max(), systems=list(table["system"][fall == fall.max()]),
    )  # fmt: skip
    return joined(
        Sentence(left + ", a system's score changes by {change:score} on average", change=change),
        furthest if fall.max() > 0 else "none falls in the ordering",
        "it costs at most that, for {unexplained:share} of the judgments are not of the pool" if outside else None,
        end=".", unexplained=outside,
    )  # fmt: skip


def _by_width(table, asked, study):
    """How much the first and the last of the pools take from one more system."""
    first, last = table.iloc[0], table.iloc[-1]
    text = "The bias of a pool of {narrow:digits system} against one more is {narrow_bias:score} on average"
    told = Sentence(text, narrow=first["width"], narrow_bias=first["mean"])
    most = Sentence("that of one of {wide:number} {wide_bias:score}", wide=last["width"], wide_bias=last["mean"])
    return joined(told, most if len(table) > 1 else None, by=", ", end=".")


def _too_late(table, asked, study):
    """What one system would score had it come too late, and which reading of its score is closest to the true one."""
    value = table.set_index("reading")["value"]
    facts = {"system": asked["system"], "unadjusted": value["unadjusted"]}
    if not known(value.get("true")):
        text = "The true score of {system} is not known; left as it is, the score is {unadjusted:score}."
        return Sentence(text, **facts)
    nearest = (value.drop("true") - value["true"]).abs().idxmin()
    return Sentence(
        "Had {system} come too late, it would score {unadjusted:score} in place of {true:score}; closest comes "
        "“{nearest}” with {closest:score}.",
        **facts, true=value["true"], nearest=READINGS[nearest], closest=value[nearest],
    )  # fmt: skip


QUESTIONS = by_name(
    Question("leave_out", leave_out, finding=_cost, of_pool=True),
    Question("bias_by_width", bias_by_width, finding=_by_width, of_pool=True),
    Question("newcomer", newcomer, finding=_too_late, of_pool=True),
)
