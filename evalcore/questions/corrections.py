"""Corrections: the score of a new system if it had contributed to the pool [WP09]."""

import numpy as np
import pandas as pd

from evalcore import pool_bias
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name, indices_of
from evalcore.questions import apart
from evalcore.questions.clauses import by_what
from evalcore.questions.cuts import pool_known
from evalcore.questions.question import Question
from evalcore.sentences import FUZZ, Sentence, digits, joined, listed, read_alike, verb

WEBBER_PARK = "RBP(p=0.8)@10"
UNITS = {"run": "systems", "group": "groups"}  # what takes whose place


def adjust_from_systems(
    study, *, system, metric=WEBBER_PARK, depth=None, by="run", unjudged="irrelevant", level=0.05
):  # fmt: skip
    """A system's score, corrected by the mean bias of contributing systems if left out, with its t interval.

    [WP09, algorithm 1]. Each contributing system's own judgments are removed, except those that the new system would
    have contributed: it takes the other's place in the pool. By group, its group takes the place of each other group,
    whose bias is the mean over its systems.
    """
    pool_known(study, depth)
    asked = system, metric_named(metric).name, depth, by, unjudged
    unadjusted, biases = study.memo.biases.get(asked, lambda: _in_its_place(study, *asked))
    return pd.DataFrame([{"system": system} | pool_bias.from_systems(unadjusted, biases, level)])


def _in_its_place(study, system, metric, depth, by, unjudged):
    """A new system's score, and the bias of every contributing system (or group) if left out. float, float (n,)"""
    alone, in_force = study.only(systems=[system]), study.at(depth=depth).judgments
    together, _ = pool_bias.left_out_with(study, system, by)
    others = study.without_contribution_of([system, *together])
    names = np.array(others.whole.systems, object)[others.whole.pooled]
    unit = np.unique(pool_bias.units(study, by)[1][others.whole.pooled], return_inverse=True)[1]
    if len(set(unit[np.isin(names, others.systems)])) < 2:
        raise ValueError(f"adjusting from systems needs at least two other {UNITS[by]} that contributed to the pool.")
    own, sole = pool_bias.brought(study, depth, [system, *together]), pool_bias.brought_by_one(others, depth, unit)
    left = pool_bias.without_its_own(study, in_force, system, depth, by)
    metric = metric_named(metric)
    biases = pool_bias.in_the_place_of_each(study, left, metric, sole, names, own, unjudged=unjudged, unit=unit)
    unadjusted = pool_bias.means(alone, left, metric, unjudged)[0]
    if np.isnan(unadjusted) or len(biases) < 2:
        raise ValueError(f"no topic counts for {system if np.isnan(unadjusted) else 'two other systems'}.")
    return unadjusted, biases


def adjust_from_topics(
    study, *, system, common=10, metric=WEBBER_PARK, depth=None, by="run", method="t", seed=0, unjudged="irrelevant",
    level=0.05,
):  # fmt: skip
    """A system's score, corrected by its own bias on n topics on which it is fully judged, with an interval.

    Also two answers on whether the correction is likely to help [WP09, algorithm 2]. The bias is what the system loses
    without the judgments that only it (or its group) contributed.
    """
    pool_known(study, depth)
    r = int(indices_of([system], study.systems, "system")[0])
    topics, alone = _common_topics(study, r, common, seed), study.only(systems=[system])
    in_force = study.at(depth=depth).judgments
    together, _ = pool_bias.left_out_with(study, system, by)
    brought = pool_bias.brought_alone(study, [system, *together], depth)
    true, unpooled = (
        alone.by_topic(alone.at(judgments=judgments, unjudged=unjudged).values(metric))[0]
        for judgments in (in_force, in_force.only(~brought))
    )
    # a system that did not contribute owes none of its score to the pool: what is judged of it counts as it is
    everywhere = unpooled if study.track.pooled[r] else true
    found = pool_bias.from_topics(
        true[topics], unpooled[topics], everywhere[study.counted[r]], level, method=method, seed=seed
    )
    names = [study.track.topics[topic] for topic in study.judged_topics[topics]]
    return pd.DataFrame([{"system": system} | found | {"common": " ".join(names)}])


def adjustment_experiment(
    study, *, metric=WEBBER_PARK, depth=10, widths=(2, 4, 10, 20, 40), common=(10, 20, 40, 100), system_samples=100,
    topic_samples=200, seed=0, new="all", unjudged="irrelevant", progress=None,
):  # fmt: skip
    """The mean error of a new system's score, uncorrected and corrected, by number of contributing systems and topics.

    Mean absolute errors, by number of common topics [WP09, algorithm 3]. The reference is the score if the new system
    contributes. New systems of one type are compared with pools of the other types.
    """
    pool_known(study, depth)
    metric, depth = metric_named(metric), depth or study.depth
    newcomers = _of_type(study, new)
    room = len(newcomers) - (1 if newcomers.all() else int(newcomers.sum()))
    widths, notes = _possible(widths, room, "widths", f"the {digits(room, 'system')} available for a pool")
    topics = len(study.judged_topics)
    common, more = _possible(common, topics, "common", f"the {digits(topics, 'judged topic')}")
    in_force = study.at(depth=depth).judgments
    finished = study.memo.jobs.get((metric.name, depth, tuple(common), topic_samples, seed, new, unjudged), dict)
    units = [(width, sample) for width in widths for sample in range(system_samples)]
    left = [unit for unit in units if unit not in finished]
    for done, (width, sample) in enumerate(left, len(units) - len(left)):
        if progress:
            progress(done, len(units))
        rng = np.random.default_rng([seed, width, sample])
        finished[width, sample] = pool_bias.trial(
            study, in_force, metric, width, rng, depth=depth, common=common, draws=topic_samples,
            newcomers=newcomers, unjudged=unjudged,
        )  # fmt: skip
    rows = []
    for width in widths:
        errors = np.stack([finished[width, sample] for sample in range(system_samples)], axis=2).mean(axis=2)
        rows += [(width, n, *of_n, system_samples * topic_samples) for n, of_n in zip(common, errors, strict=True)]
    table = pd.DataFrame(rows, columns=["width", "common", *ERRORS, "samples"])
    if depth > study.depth:
        notes = [*notes, f"The pool was judged down to {study.depth} only: ranks below count as judged where they are."]
    return table, [*notes, *more]


def _of_type(study, new):
    """Which of the selected contributing systems may be new. bool, by `pool_bias.with_a_score`"""
    names, table = pool_bias.with_a_score(study), study.system_table.set_index("system")
    if new == "all":
        return np.ones(len(names), bool)
    if "type" not in table or not any(table["type"]):
        raise ValueError(f"new={new!r}: no table of systems says of which type they are; give one with a column type.")
    kinds = table["type"].reindex(names).astype(str).to_numpy()
    if new not in kinds or np.all(kinds == new):
        raise ValueError(
            f"new={new!r}: some systems that contributed must be of that type, and others not. Types: "
            f"{', '.join(sorted(set(kinds)))}."
        )
    return kinds == new


def _possible(counts, most, name, those):
    """The counts that are at most so many, and a note of the others; ValueError where none is."""
    fitting = [count for count in counts if count <= most]
    if not fitting:
        raise ValueError(f"{name}={list(counts)!r}: every one is more than {those}. Choose smaller numbers.")
    left_out = [count for count in counts if count not in fitting]
    named = listed(left_out, 9)
    what = {"widths": "Pools of {} systems", "common": "{} common topics"}[name].format(named)
    return fitting, [f"{what} are left out, because they exceed {those}."] if left_out else []


def _common_topics(study, r, common, seed):
    """The judged topics that are named, or so many drawn at random of those that count for system r. int, indices into
    `judged_topics`."""
    counted = np.flatnonzero(study.counted[r])
    known = [study.track.topics[topic] for topic in study.judged_topics[counted]]
    if isinstance(common, list | tuple):
        topics = counted[indices_of([str(topic) for topic in common], known, "judged topic")]
    elif common > len(known):
        count = f"{digits(len(known), 'judged topic')} {verb(len(known), 'counts', 'count')}"
        raise ValueError(f"common={common}: only {count} for {study.systems[r]}.")
    else:
        topics = counted[np.sort(np.random.default_rng(seed).choice(len(known), common, replace=False))]
    if len(topics) < 2:
        raise ValueError("correcting from topics needs at least two common topics. Choose more.")
    return topics


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _from_systems(table, asked, study):
    """What a score becomes when it is corrected from other systems."""
    row, source = table.iloc[0], "{n:digits other system}"
    if asked["by"] == "group":
        lone = any(not study.whole.groups[s] for s in np.flatnonzero(study.whole.pooled))
        source = f"{{n:digits other group{' or lone system/other groups and lone systems' if lone else ''}}}"
    corrects = "corrects the score of {system} from {unadjusted:score} to {adjusted:score}"
    if read_alike(row["unadjusted"], row["adjusted"]):
        corrects = f"is {_little(row)} and leaves the score of {{system}} at {{adjusted:score}}"
    text = (
        f", the mean bias of {source} {corrects}{_beyond(row)} "
        f"({{sure:short}}% t interval of that mean: {{lower:score}} to {{upper:score}}{_too_wide(row)}); a system "
        "unlike them may lie outside."
    )
    return _by_what(asked, study) + Sentence(text, sure=_sure(asked), **row[["n", *CORRECTED]])


def _from_topics(table, asked, study):
    """What a score becomes when it is corrected from common topics, and whether that is likely to help."""
    row, there = table.iloc[0], "{n:digits common topic}"
    if asked["system"] not in pool_bias.with_a_score(study):
        there += ", as if it was pooled on them,"
    rest = int(study.counted[study.systems.index(asked["system"])].sum() - row["n"])
    if abs(row["adjustment"]) < FUZZ and row["upper"] - row["lower"] < FUZZ:
        text = f", {{system}} shows no bias on {there} and its score stays {{unadjusted:score}}"
        told = _by_what(asked, study) + Sentence(text, **row[["n", "system", "unadjusted"]])
        others = Sentence("on the other {rest:number} it may have one", rest=rest) if rest else None
        others = Sentence("on the one other topic it may have one", rest=rest) if rest == 1 else others
        return joined(told, others, end=".")
    corrects = "corrects its score from {unadjusted:score} to {adjusted:score}"
    if read_alike(row["unadjusted"], row["adjusted"]):
        corrects = f"is {_little(row)} and leaves its score at {{adjusted:score}}"
    text = (
        f", the bias of {{system}} on {there} {corrects}{_beyond(row)} "
        f"({{sure:short}}% {asked['method']} interval: {{lower:score}} to {{upper:score}}{_too_wide(row)})"
    )
    told = _by_what(asked, study) + Sentence(text, sure=_sure(asked), **row[["n", *CORRECTED]])
    if not rest:
        return joined(told, "these are all of its topics, so nothing is left to guess", end=".")
    helps = "correcting is likely to help" if row["helps_over_unadjusted"] else "correcting may not help"
    reaches = row["lower"] <= row["unadjusted"] <= row["upper"] and row["helps_over_unadjusted"]
    return joined(told, helps + (", though the interval holds the score as it is, too" if reaches else ""), end=".")


def _beyond(row):
    """That a corrected score is none that there can be, where it is so."""
    if row["adjusted"] > 1 + FUZZ:
        return ", more than any score can be"
    return ", less than any score can be" if row["adjusted"] < -FUZZ else ""


def _little(row):
    """How little a correction is that leaves a score as it is written."""
    return "zero" if abs(row["adjustment"]) < FUZZ else "less than .001"


def _too_wide(row):
    """That an interval holds scores that there cannot be, where it does."""
    return ", beyond what scores can be" if row["lower"] < -FUZZ or row["upper"] > 1 + FUZZ else ""


CORRECTED = ["system", "unadjusted", "adjusted", "lower", "upper"]


def _sure(asked):
    """The confidence of an interval in percent."""
    return 100 * (1 - asked["level"])


def _by_what(asked, study):
    """By which measure, on which judgments, and what was taken away with the group."""
    _, group = pool_bias.left_out_with(study, asked["system"], asked["by"])
    without = Sentence(" and without its group {group}", group=group) if group else ""
    return by_what(asked["metric"], asked["depth"], asked["unjudged"]) + without


ERRORS = {
    "unadjusted": "leaving it as it is",
    "mixed": "taking true scores on the common topics",
    "from_systems": "correcting from systems",
    "from_topics": "correcting from topics",
}


def _closest(table, asked, study):
    """Which correction comes closest, with the widest pool and the most common topics that leave others to guess."""
    left_open = table[table["mixed"] > FUZZ]
    row = (left_open if len(left_open) else table).sort_values(["width", "common"]).iloc[-1]
    best = [name for name in ERRORS if row[name] <= row[list(ERRORS)].min() + FUZZ]
    way = "width" if any(read_alike(row[best[0]], row[name]) for name in ERRORS if name not in best) else "score"
    taken_out = ", unjudged documents taken out" if asked["unjudged"] == "condensed" else ""
    return Sentence(
        f"By {{metric}}{taken_out}, with {{width:digits system}} in a pool down to rank {{depth}} and "
        "{common:digits common topic}, {best:listed 4} {best:verb comes/come} closest: a newcomer's score is off by "
        f"{{unadjusted:{way}}} on average left as it is, {{mixed:{way}}} with true scores on the common topics, "
        f"{{from_systems:{way}}} corrected from systems and {{from_topics:{way}}} from topics.",
        best=[ERRORS[name] for name in best], metric=asked["metric"], depth=asked["depth"] or study.depth,
        **row[["width", "common", *ERRORS]],
    )  # fmt: skip


QUESTIONS = by_name(
    Question(
        "adjust_from_systems", adjust_from_systems, section="9.3", finding=_from_systems, spans="topics", of_pool=True,
    ),
    Question(
        "adjust_from_topics", adjust_from_topics, section="9.4", finding=_from_topics, spans="topics", of_pool=True,
    ),
    Question(
        "adjustment_experiment", adjustment_experiment, section="9.5", finding=_closest,
        spans="track", apart=apart.DRAWN, of_pool=True,
    ),
)  # fmt: skip
