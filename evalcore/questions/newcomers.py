"""Newcomers: is a system that did not help to build the pool treated fairly? [WP09]."""

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
from evalcore.sentences import FUZZ, Sentence, digits, joined, known, listed

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
    or its whole group alone; all systems are scored anew on what is left.

    unique_judged, unique_relevant : how many judgments, and relevant ones, those are; n : topics averaged
    """
    contributed(study)
    if by == "group" and not any(study.whole.groups):
        raise ValueError("no system has a group; give a table of systems with a column group, or leave out by run.")
    if not study.track.pooled.any():
        raise ValueError(NONE_TO_LEAVE_OUT)
    grouped = zip(study.whole.systems, study.whole.groups, strict=True)  # a group may be called as a system is
    goes_with = {name: ("group", group) if by == "group" and group else ("run", name) for name, group in grouped}
    units = list(dict.fromkeys(goes_with.values()))
    owners = np.array([units.index(unit) for unit in goes_with.values()])
    in_force = study.at(depth=depth).judgments
    scale = in_force.scale
    sole = pool_bias.sole_owners(pool_bias.tops(study, depth), owners[study.whole.pooled])
    owned = np.where(in_force.level > 0, sole, pool_bias.NOBODY)
    taken = np.flatnonzero(owned >= 0)
    judged, relevant = (
        np.bincount(owned[taken][table[in_force.level[taken]]], minlength=len(units))
        for table in (scale.judged, scale.relevant)
    )
    whole = study.mean(study.at(judgments=in_force, unjudged=unjudged).values(metric))
    without = pool_bias.without_each(study, in_force, metric_named(metric), owned, len(units), unjudged=unjudged)
    pooled = np.flatnonzero(study.track.pooled)
    owner = [units.index(goes_with[study.systems[s]]) for s in pooled]
    ranks_without = np.stack([orderings.ranks(scores) for scores in without.T], axis=1)
    table = pd.DataFrame(
        {
            "left_out": [units[one][1] for one in owner],
            "system": [study.systems[s] for s in pooled],
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
    contributed(study)
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

    What the system alone brought into the pool is taken away first. reading : "unadjusted", "condensed", "from
    systems", "from topics" (see `adjust_from_systems`, `adjust_from_topics`), "true"
    """
    contributed(study)
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
    """What being left out of the pool costs, and who falls furthest by it."""
    table = table[table["value"].notna()]
    if not len(table):
        return Sentence("No system that helped to build the pool has a score.")
    lost = table["value"] - table["value_without"]
    text, facts = "a system loses {loss:score} on average", {"loss": lost.mean()}
    if lost.abs().max() < FUZZ:
        text, facts = "every system keeps its score", {}
    elif lost.mean() < -FUZZ:
        text, facts = "a system gains {gain:score} on average", {"gain": -lost.mean()}
    when = "Left out" if asked["by"] == "run" else "Left out with its group"
    return joined(Sentence(f"{when}, {text}", **facts), _falls(table), end=".")


def _falls(table):
    """Who falls furthest in the ordering."""
    fall = table["rank_without"] - table["rank"]
    furthest = table[fall == fall.max()]
    if fall.max() <= 0:
        return "none falls in the ordering"
    if len(furthest) > 1:
        names = list(furthest["system"])
        return Sentence("{systems:listed} fall {places:count place} each", systems=names, places=int(fall.max()))
    one = furthest.iloc[0]
    return Sentence(
        "{system} falls {places:count place}, from {rank:number} to {rank_without:number}",
        system=one["system"], places=int(fall.max()), rank=int(one["rank"]), rank_without=int(one["rank_without"]),
    )  # fmt: skip


def _by_width(table, asked, study):
    """How much the first and the last of the pools take from one more system."""
    first, last = table.iloc[0], table.iloc[-1]
    one, other = "A pool of {narrow:digits system} takes {narrow_bias:score} from one more on average", ", one of "
    if min(first["mean"], last["mean"]) < 0:
        one = "The bias of a pool of {narrow:digits system} against one more is {narrow_bias:score} on average"
        other = ", that of one of "
    narrow = Sentence(one, narrow=int(first["width"]), narrow_bias=first["mean"])
    if first["width"] == last["width"]:
        return joined(narrow, end=".")
    wide = Sentence(other + "{wide:number} {wide_bias:score}", wide=int(last["width"]), wide_bias=last["mean"])
    return joined(narrow, wide, by="", end=".")


def _too_late(table, asked, study):
    """What one system would score had it come too late, and which reading of its score is closest to the true one."""
    fact = {reading: reading.replace(" ", "_") for reading in READINGS}
    value = dict(zip(table["reading"], table["value"], strict=True))
    system, true = asked["system"], value.get("true")
    if not known(value["unadjusted"]):
        return Sentence("No topic counts for {system}.", system=system)
    if true is None:
        each = listed(f"{READINGS[reading]} {{{fact[reading]}:score}}" for reading in value)
        facts = {fact[reading]: score for reading, score in value.items()}
        return Sentence(f"{{system}} was not pooled, so its true score is not known: {each}.", system=system, **facts)
    off = {reading: abs(score - true) for reading, score in value.items() if reading != "true"}
    nearest = min(off, key=off.get)
    if off["unadjusted"] < FUZZ:
        return Sentence(
            "Had {system} come too late, it would score {true:score} all the same.", system=system, true=true
        )
    late = Sentence(
        "Had {system} come too late, it would score {unadjusted:score} in place of {true:score}",
        system=system, unadjusted=value["unadjusted"], true=true,
    )  # fmt: skip
    if nearest == "unadjusted":
        return joined(late, "no other reading comes closer", end=".")
    closest = f"closest comes “{READINGS[nearest]}” with {{{fact[nearest]}:score}}"
    return joined(late, Sentence(closest, **{fact[nearest]: value[nearest]}), end=".")


QUESTIONS = by_name(
    Question("leave_out", leave_out, finding=_cost),
    Question("bias_by_width", bias_by_width, finding=_by_width),
    Question("newcomer", newcomer, finding=_too_late),
)
