"""Corrections: what a newcomer's score would be had it helped to build the pool [WP09]."""

import numpy as np
import pandas as pd

from evalcore import pool_bias
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name, indices_of
from evalcore.questions.cuts import pool_known
from evalcore.questions.question import Question
from evalcore.sentences import FUZZ, Sentence, digits, joined

WEBBER_PARK = "RBP(p=0.8)@10"


def adjust_from_systems(study, *, system, metric=WEBBER_PARK, depth=None, unjudged="irrelevant", level=0.05):
    """A system's score corrected by the mean bias that pooled systems would suffer in its place, with the t interval of
    that mean [WP09, algorithm 1].

    Each pooled system's own judgments are withdrawn but for those that the new system would have brought: it takes the
    other's place in the pool.
    """
    pool_known(study, depth)
    r = int(indices_of([system], study.systems, "system")[0])
    metric, in_force = metric_named(metric), study.at(depth=depth).judgments
    others = study.without_contribution_of([system])
    if others.track.pooled.sum() < 2:
        raise ValueError("adjusting from systems needs at least two other systems that contributed to the pool.")
    names = np.array(others.whole.systems, object)[others.whole.pooled]
    tops, size = pool_bias.tops(others, depth)
    own = pool_bias.among((study.track.items[r, :, : tops.shape[2]], size))
    left = pool_bias.without_its_own(study, in_force, system, depth)
    biases = pool_bias.in_the_place_of_each(study, left, metric, (tops, size), names, own, unjudged=unjudged)
    unadjusted = pool_bias.means(study, left, metric, unjudged)[r]
    if np.isnan(unadjusted) or len(biases) < 2:
        raise ValueError(f"no topic counts for {system if np.isnan(unadjusted) else 'two other systems'}.")
    return pd.DataFrame([{"system": system} | pool_bias.from_systems(unadjusted, biases, level)])


def adjust_from_topics(
    study, *, system, common=10, metric=WEBBER_PARK, depth=None, method="t", seed=0, unjudged="irrelevant", level=0.05
):
    """A system's score corrected by its own bias on n topics on which it is fully judged, with an interval and two
    answers on whether that is likely to help [WP09, algorithm 2]."""
    pool_known(study, depth)
    r = int(indices_of([system], study.systems, "system")[0])
    topics = _common_topics(study, r, common, seed)
    in_force = study.at(depth=depth).judgments
    true, unpooled = (
        study.by_topic(study.at(judgments=judgments, unjudged=unjudged).values(metric))[r]
        for judgments in (in_force, in_force.only(~pool_bias.brought_alone(study, system, depth)))
    )
    found = pool_bias.from_topics(
        true[topics], unpooled[topics], unpooled[study.counted[r]], level, method=method, seed=seed
    )
    names = [study.track.topics[topic] for topic in study.judged_topics[topics]]
    return pd.DataFrame([{"system": system} | found | {"common": " ".join(names)}])


def adjustment_experiment(
    study, *, metric=WEBBER_PARK, depth=10, widths=(2, 4, 10, 20, 40), common=(10, 20, 40, 100), system_samples=100,
    topic_samples=200, seed=0, new="all", unjudged="irrelevant", progress=None,
):  # fmt: skip
    """How far a newcomer's score is off, left as it is and adjusted, by the width of the pool and the number of common
    topics: mean absolute errors [WP09, algorithm 3].

    Truth is the score by the pool that the newcomer helps to form. Newcomers of one type meet pools of the others.
    """
    pool_known(study, depth)
    metric, depth = metric_named(metric), depth or study.depth
    newcomers = _of_type(study, new)
    room = len(newcomers) - (1 if newcomers.all() else int(newcomers.sum()))
    widths, notes = _possible(widths, room, "widths", f"the {digits(room, 'system')} that can form a pool")
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
    """Which contributing systems that are looked at may be newcomers. bool, by `pool_bias.with_a_score`."""
    names, table = pool_bias.with_a_score(study), study.system_table.set_index("system")
    if new == "all":
        return np.ones(len(names), bool)
    if "type" not in table:
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
        raise ValueError(f"{name}={list(counts)!r}: all of them are more than {those}.")
    left_out = [count for count in counts if count not in fitting]
    named = ", ".join(map(str, left_out))
    return fitting, [f"{name} {named}: more than {those}, so left out."] if left_out else []


def _common_topics(study, r, common, seed):
    """The judged topics that are named, or so many drawn at random of those that count for system r. int, indices into
    `judged_topics`."""
    counted = np.flatnonzero(study.counted[r])
    known = [study.track.topics[topic] for topic in study.judged_topics[counted]]
    if isinstance(common, list | tuple):
        topics = counted[indices_of([str(topic) for topic in common], known, "judged topic")]
    elif common > len(known):
        raise ValueError(f"common={common}: only {len(known)} judged topics count for {study.systems[r]}.")
    else:
        topics = counted[np.sort(np.random.default_rng(seed).choice(len(known), common, replace=False))]
    if len(topics) < 2:
        raise ValueError("adjusting from topics needs at least two common topics.")
    return topics


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _from_systems(table, asked, study):
    """What a score becomes when it is corrected from other systems."""
    return _corrected("{n:digits other system}", "t", table.iloc[0])


def _from_topics(table, asked, study):
    """What a score becomes when it is corrected from common topics, and whether that is likely to help."""
    helps = "correcting is likely to help" if table["helps_over_unadjusted"].iloc[0] else "correcting may not help"
    return _corrected("{n:digits common topic}", asked["method"], table.iloc[0], helps)


def _corrected(source, method, row, advice=None):
    text = "the score of {system} is corrected from {unadjusted:score} to {adjusted:score}"
    ends = f"({method} interval: {{lower:score}} to {{upper:score}})"
    facts = row[["n", "system", "unadjusted", "adjusted", "lower", "upper"]]
    return joined(Sentence(f"From {source}, {text} {ends}", **facts), advice, end=".")


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
    best = min(ERRORS, key=lambda name: round(row[name], 9))
    return Sentence(
        "With {width:digits system} in the pool and {common:digits common topic}, {best} comes closest: a newcomer's "
        "score is off by {unadjusted:score} on average left as it is, {mixed:score} with true scores on the common "
        "topics, {from_systems:score} corrected from systems and {from_topics:score} from topics.",
        best=ERRORS[best], **row[["width", "common", *ERRORS]],
    )  # fmt: skip


QUESTIONS = by_name(
    Question("adjust_from_systems", adjust_from_systems, finding=_from_systems, of_pool=True),
    Question("adjust_from_topics", adjust_from_topics, finding=_from_topics, of_pool=True),
    Question("adjustment_experiment", adjustment_experiment, finding=_closest, of_pool=True),
)
