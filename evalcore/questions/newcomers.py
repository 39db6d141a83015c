"""New systems: is a system that did not contribute to the pool treated fairly? [WP09]."""

import numpy as np
import pandas as pd

from evalcore import contributors, pool_bias
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name, indices_of
from evalcore.questions import apart
from evalcore.questions.clauses import by_what, of_judgments
from evalcore.questions.corrections import WEBBER_PARK, adjust_from_systems, adjust_from_topics
from evalcore.questions.cuts import pool_known
from evalcore.questions.notes import gaps, untouched_topics
from evalcore.questions.question import Question
from evalcore.sentences import FUZZ, Sentence, digits, joined, known, opening, read_alike

READINGS = {
    "unadjusted": "left as it is",
    "condensed": "unjudged documents taken out",
    "from systems": "corrected from other systems",
    "from topics": "corrected from common topics",
    "true": "as part of the pool",
}
COLUMNS = ["reading", "value", "lower", "upper", "kind"]
NONE_TO_LEAVE_OUT = "none of the selected systems contributed to the pool, so none can be left out of it."


def leave_out(study, *, metric=WEBBER_PARK, depth=None, by="run", unjudged="irrelevant"):
    """Each contributing system's score and rank with and without the judgments that only it (or its group) contributed.

    Without them, all systems are scored again
    retrieved_alone : at any rank, among all systems of the track
    """
    pool_known(study, depth)
    left_out, owners = pool_bias.units(study, by)
    if not study.track.pooled.any():
        raise ValueError(NONE_TO_LEAVE_OUT)
    in_force = study.at(depth=depth).judgments
    sole = pool_bias.brought_by_one(study, depth, owners[study.whole.pooled])
    owned = np.where(in_force.level > 0, sole, pool_bias.NOBODY)
    retrieved = pool_bias.retrieved_by_one(study, by)
    judged, relevant, retrieved_alone = (
        np.bincount(owner[(owner >= 0) & counts[in_force.level]], minlength=len(left_out))
        for owner, counts in (
            (owned, in_force.scale.judged), (owned, in_force.scale.relevant), (retrieved, in_force.scale.relevant)
        )
    )  # fmt: skip
    whole, without = pool_bias.without_each(
        study, in_force, metric_named(metric), owned, len(left_out), unjudged=unjudged
    )
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
            "retrieved_alone": retrieved_alone[owner],
            "n": study.counted[pooled].sum(axis=1),
        }
    ).sort_values(["rank", "system"], ignore_index=True)
    return table, [*untouched_topics(study, depth), *gaps(table, value="for systems for which no topic counts")]


def bias_by_width(
    study, *, metric=WEBBER_PARK, depth=None, widths=(2, 4, 10, 20, 40), repeats=100, seed=0, unjudged="irrelevant"
):
    """The bias of a pool against a new system, by number of contributing systems: mean and quartiles.

    Over random choices [WP09, fig. 1]. The bias is the system's score if it contributes minus that if it does not.
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
        raise ValueError(
            f"widths={list(widths)!r}: every one needs more than the {digits(n, 'contributing system')}. Choose "
            "smaller widths."
        )
    table = pd.DataFrame(rows, columns=["width", "repeats", "mean", "q1", "median", "q3"])
    too_wide = [width for width in widths if width >= n]
    wider = f"A width of {' or '.join(map(str, too_wide))} needs more than the {digits(n, 'contributing system')}."
    return table, [wider] if too_wide else []


def newcomer(study, *, system, common=10, metric=WEBBER_PARK, depth=None, by="run", seed=0, level=0.05):
    """The score of a system as if it had not contributed to the pool: uncorrected, and corrected in three ways.

    With unjudged documents removed, and corrected from systems and from topics; with its actual score if it did
    contribute. Judgments that only the system (or its group) contributed are removed first. See `adjust_from_systems`,
    `adjust_from_topics`.
    """
    pool_known(study, depth)
    asked = {"system": system, "metric": metric, "depth": depth, "by": by}
    r = int(indices_of([system], study.systems, "system")[0])
    corrections, notes = {"from systems": (adjust_from_systems, {})}, untouched_topics(study, depth)
    if study.track.pooled[r]:
        corrections["from topics"] = adjust_from_topics, {"common": common, "seed": seed}
    else:
        notes.append(
            f"{system} did not contribute to the pool: what it would score as part of it is not known, and nothing is "
            "learnt from topics on which it was pooled."
        )
    tables = [uncorrected(study, **asked)]
    for reading, (correct, more) in corrections.items():
        try:
            corrected = correct(study, **asked, level=level, **more).rename(columns={"adjusted": "value"})
            tables.append(corrected.assign(reading=reading, kind="t")[COLUMNS])
        except ValueError as refused:
            notes.append(f"{reading}: {refused}")
    table = pd.concat(tables).sort_values("reading", key=lambda names: names.map([*READINGS].index), ignore_index=True)
    without = "where unjudged documents are removed, and for metrics without bounds"
    return table.assign(n=study.counted[r].sum()), [*notes, *gaps(table, lower=without)]


def uncorrected(study, *, system, metric, depth, by, **_):
    """Rows of `newcomer`: the score uncorrected, without unjudged documents, and the actual one if it contributed."""
    in_force, alone = study.at(depth=depth).judgments, study.only(systems=[system])
    left = pool_bias.without_its_own(study, in_force, system, depth, by)
    readings = {"unadjusted": (left, "irrelevant"), "condensed": (left, "condensed")}
    if alone.track.pooled[0]:
        readings["true"] = in_force, "irrelevant"
    rows = []
    for reading, (judgments, unjudged) in readings.items():
        means = alone.means(alone.at(judgments=judgments, unjudged=unjudged).estimate(metric))
        rows.append((reading, means.value[0], means.lower[0], means.upper[0], means.kind))
    return pd.DataFrame(rows, columns=COLUMNS)


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _cost(table, asked, study):
    """What being left out of the pool does to a score, who loses most by it, and who falls furthest."""
    table = table[table["value"].notna()]
    if not len(table):
        return Sentence("No system that contributed to the pool has a score.")
    loss, fall = table["value"] - table["value_without"], table["rank_without"] - table["rank"]
    names, outside = table["system"], contributors.unexplained(study, asked["depth"])
    whose = " with its group" if asked["by"] == "group" else ""
    by = by_what(asked["metric"], asked["depth"], asked["unjudged"])
    if (loss.abs() < FUZZ).all():
        return by + f", no system's score changes when it is left out of the pool{whose}."
    most, furthest = list(names[loss > loss.max() - FUZZ]), list(names[fall == fall.max()])
    hit = "{most:listed} {most:verb loses/lose} most ({largest:score})"
    hit = Sentence(hit, most=most, largest=loss.max()) if loss.max() > SHOWN and len(table) > 1 else None
    far = "{furthest:verb falls/fall} furthest, by {places:count place}"
    far = Sentence(
        far if hit and most == furthest else "{furthest:listed} " + far, furthest=furthest, places=fall.max()
    )
    far = far if fall.max() > 0 else Sentence("none falls in the ordering")
    brought, facts = "brought into the pool", {}
    if not study.pooling.depth_known:
        brought, facts = "has down to rank {depth:number}", {"depth": asked["depth"]}
    beware = (
        f"Of {of_judgments(study, whole=known(asked['depth']))}, {{unexplained:share}} are of documents that no "
        f"contributing system {brought}: if others helped to form it, less is lost"
    )
    loses = _change(loss.mean())
    if len(table) == 1:
        told = by + Sentence(f", {{only}}, left out of the pool{whose}, ", only=names.iloc[0]) + loses
        falls = Sentence("falls by {places:count place}", places=fall.max())
        told = joined(told, falls if fall.max() > 0 else "does not fall in the ordering", by=" and ")
    else:
        told = by + f", a system left out of the pool{whose} " + loses + " on average"
        told = joined(told, joined(hit, far, by=" and " if hit and most == furthest and fall.max() > 0 else "; "))
    lost = outside > 0 and loss.mean() > SHOWN
    return joined(told, Sentence(beware, unexplained=outside, **facts) if lost else None, by=". ", end=".")


SHOWN = 0.0005  # a score below reads .000


def _change(loss):
    """What is lost."""
    if abs(loss) < SHOWN:
        return Sentence("loses or gains less than .001")
    return Sentence(f"{'loses' if loss > 0 else 'gains'} {{change:score}}", change=abs(loss))


def _mean_loss(table):
    """What being left out costs a system on average."""
    return (table["value"] - table["value_without"]).mean()


def _by_width(table, asked, study):
    """How much too low the first and the last of the pools score one more system."""
    first, last = table.iloc[0], table.iloc[-1]
    text = "By {metric}, a pool of {narrow:digits system} down to rank {depth} scores one more system "
    told = Sentence(text, metric=asked["metric"], narrow=first["width"], depth=asked["depth"] or study.depth)
    told += _too_low(first["mean"], "narrow_bias") + " on average"
    most = Sentence("one of {wide:digits system} ", wide=last["width"]) + _too_low(last["mean"], "wide_bias")
    taken_out = "; unjudged documents are taken out" if asked["unjudged"] == "condensed" else ""
    return joined(told, most if len(table) > 1 else None, by=", ", end=f"{taken_out}.")


def _too_low(bias, name):
    """How far off a score is, and to which side."""
    if abs(bias) < SHOWN:
        return "neither too high nor too low" if abs(bias) < FUZZ else "less than .001 too high or too low"
    return Sentence(f"{{{name}:score}} too {'low' if bias > 0 else 'high'}", **{name: abs(bias)})


def _too_late(table, asked, study):
    """What one system would score had it come too late, and which reading of its score is closest to the true one."""
    value = table.set_index("reading")["value"]
    _, group = pool_bias.left_out_with(study, asked["system"], asked["by"])
    by, system = by_what(asked["metric"], asked["depth"]), asked["system"]
    if not known(value.get("true")):
        text = ", {system} scores {unadjusted:score} as a newcomer"
        without = Sentence(" without what its group {group} alone brought", group=group) if group else ""
        told = by + Sentence(text, system=system, unadjusted=value["unadjusted"]) + without
        return told + "; what it would score had it helped to build the pool is not known."
    late = Sentence(" and its group {group}", group=group) if group else ""
    told = by + Sentence(", {system} would score {unadjusted:score}", system=system, unadjusted=value["unadjusted"])
    if abs(value["unadjusted"] - value["true"]) < SHOWN or read_alike(value["unadjusted"], value["true"]):
        off = " all the same" if abs(value["unadjusted"] - value["true"]) < FUZZ else ", less than .001 off"
        return told + f"{off}, had it" + late + " not helped to build the pool."
    told += Sentence(" in place of {true:score} had it", true=value["true"]) + late
    told += " not helped to build the pool; "
    common = asked["common"] if isinstance(asked["common"], int) else len(asked["common"])
    if common < table["n"].iloc[0] or "from topics" not in value:
        return told + _nearest(value.drop("true"), value["true"], to=" to {true:score}") + "."
    rest = " beside the correction from common topics, which here are all that it has"
    return told + _nearest(value.drop(["true", "from topics"]), value["true"], to=" to {true:score}") + f",{rest}."


def _nearest(readings, final, *, to=""):
    """Which readings of a newcomer come closest to a score; several may be as close. to : that score, in words, where
    it is not the one that was told last"""
    off = (readings - final).abs()
    best = readings[off <= off.min() + FUZZ]
    one_score = best.max() - best.min() < FUZZ
    facts = {"nearest": [f"“{READINGS[name]}”" for name in best.index]}
    text = f"closest{to} {{nearest:verb comes/come}} {{nearest:listed 4}}"
    if len(best) == len(readings) > 1:
        text, facts = "every reading of its score is as close,", {}
    given = Sentence(" with {closest:score}", closest=best.iloc[0]) if one_score else ", above it and below"
    return Sentence(text, **facts) + given


def beside_truth(table, asked, final, by):
    """What one system scores in the end, and which of its readings as a newcomer comes closest; None where it has no
    score. table, asked : of the question `newcomer`; final : that score; by : `truth.BY_TRUTH` or `truth.BY_ALL`"""
    if not known(final):
        return None
    readings = table.set_index("reading")["value"].drop("true", errors="ignore").dropna()
    text = ", {system} scores {final:score} by {metric}"
    side, off = "", readings - final
    if (off.abs() > SHOWN).all() and (off > 0).nunique() == 1:
        side = f"; every reading of its score is too {'high' if off.iloc[0] > 0 else 'low'}"
    told = Sentence(opening(by) + text, system=asked["system"], metric=asked["metric"], final=final)
    return joined(told, _nearest(readings, final), end=f"{side}.")


def _unadjusted(table):
    """What one system would score had it come too late."""
    return table.set_index("reading")["value"]["unadjusted"]


QUESTIONS = by_name(
    Question(
        "leave_out", leave_out, section="9.1", finding=_cost, spans="topics", of_pool=True,
        figure=_mean_loss, ranged="a system loses {loss_from:score} to {loss_to:score} on average",
    ),
    Question(
        "bias_by_width", bias_by_width, section="9.2", finding=_by_width,
        spans="track", apart=apart.DRAWN, of_pool=True,
    ),
    Question(
        "newcomer", newcomer, section="9.6", finding=_too_late,
        spans="topics", of_pool=True,
        figure=_unadjusted, ranged="it would score {score_from:score} to {score_to:score}", figured=uncorrected,
    ),
)  # fmt: skip
