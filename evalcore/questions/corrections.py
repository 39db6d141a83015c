"""Corrections: the score of a new system if it had contributed to the pool [WP09]."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from evalcore.metrics.metrics import metric as metric_named
from evalcore.pooling import pool_bias
from evalcore.questions.question import SMALL, Question
from evalcore.questions.requirements import pool_known
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name, indices_of
from evalcore.vocabulary.sentences import digits, listed, verb

WEBBER_PARK = "RBP(p=0.8)@10"
UNITS = {"run": "systems", "group": "groups"}  # what takes whose place


def adjust_from_systems(
    study: Study, *, system: str, metric: str = WEBBER_PARK, depth: int | None = None, by: str = "run",
    unjudged: str = "irrelevant", level: float = 0.05,
) -> pd.DataFrame:  # fmt: skip
    """A system's score, corrected by the mean bias of contributing systems if left out, with its t interval.

    [WP09, algorithm 1]. Each contributing system's own judgments are removed, except those that the new system would
    have contributed: it takes the other's place in the pool. By group, its group takes the place of each other group,
    whose bias is the mean over its systems.
    """
    pool_known(study, depth)
    key = system, metric_named(metric).name, depth, by, unjudged
    unadjusted, biases, certain = study.memo.biases.get(key, lambda: _in_its_place(study, *key))
    return pd.DataFrame([{"system": system} | _cut(pool_bias.from_systems(unadjusted, biases, level), certain)])


def _certain(study, judgments, metric, unjudged):
    """The ends of the interval of the only system's mean score, which no judging leaves; infinite without bounds."""
    means = study.means(study.at(judgments=judgments, unjudged=unjudged).estimate(metric))
    return (means.lower[0], means.upper[0]) if means.kind == "bounds" else (-np.inf, np.inf)


def _cut(corrected, certain):
    """A corrected score whose interval is cut at the ends of what is certain. dicts"""
    lower, upper = np.clip([corrected["lower"], corrected["upper"]], *certain)
    return corrected | {"lower": lower, "upper": upper}


def _in_its_place(study, system, metric, depth, by, unjudged):
    """A new system's score, the bias of every contributing system (or group) if left out, and the ends of what is
    certain of the score. float, float (n,), (float, float)"""
    alone, in_force = study.only(systems=[system]), study.at(depth=depth).judgments
    together, _ = pool_bias.left_out_with(study, system, by)
    remaining = study.without_contribution_of([system, *together])
    names = np.array(remaining.whole.systems, object)[remaining.whole.pooled]
    unit = np.unique(pool_bias.units(study, by)[1][remaining.whole.pooled], return_inverse=True)[1]
    if len(set(unit[np.isin(names, remaining.systems)])) < 2:
        raise ValueError(f"correcting from systems needs at least two other {UNITS[by]} that contributed to the pool.")
    own, sole = pool_bias.brought(study, depth, [system, *together]), pool_bias.brought_by_one(remaining, depth, unit)
    left = pool_bias.without_its_own(study, in_force, system, depth, by)
    metric = metric_named(metric)
    biases = pool_bias.in_the_place_of_each(study, left, metric, sole, names, own, unjudged=unjudged, unit=unit)
    unadjusted = pool_bias.means(alone, left, metric, unjudged)[0]
    if np.isnan(unadjusted) or len(biases) < 2:
        raise ValueError(f"no topic counts for {system if np.isnan(unadjusted) else 'two other systems'}.")
    return unadjusted, biases, _certain(alone, left, metric, unjudged)


def adjust_from_topics(
    study: Study, *, system: str, common: int | Sequence[str] = 10, metric: str = WEBBER_PARK,
    depth: int | None = None, by: str = "run", method: str = "t", seed: int = 0, unjudged: str = "irrelevant",
    level: float = 0.05,
) -> pd.DataFrame:  # fmt: skip
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
    left = in_force.only(~brought)
    true, unpooled = (
        alone.by_topic(alone.at(judgments=judgments, unjudged=unjudged).values(metric))[0]
        for judgments in (in_force, left)
    )
    # a system that did not contribute owes none of its score to the pool: what is judged of it counts as it is
    everywhere, judgments = (unpooled, left) if study.track.pooled[r] else (true, in_force)
    corrected = pool_bias.from_topics(
        true[topics], unpooled[topics], everywhere[study.counted[r]], level, method=method, seed=seed
    )
    corrected = _cut(corrected, _certain(alone, judgments, metric, unjudged))
    names = " ".join(study.judged_topic_names[topic] for topic in topics)
    return pd.DataFrame([{"system": system} | corrected | {"common": names}])


def adjustment_experiment(
    study: Study, *, metric: str = WEBBER_PARK, depth: int = 10, widths: Sequence[int] = (2, 4, 10, 20, 40),
    common: Sequence[int] = (10, 20, 40, 100), system_samples: int = 100, topic_samples: int = 200, seed: int = 0,
    new: str = "all", best: int | None = None, pools: str = "contributing", unjudged: str = "irrelevant",
    progress: Callable[[int, int], None] | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The mean error of a new system's score, uncorrected and corrected, by number of contributing systems and topics.

    Mean absolute errors, by number of common topics [WP09, algorithm 3]. The reference is the score if the new system
    contributes. New systems of one type are compared with pools of contributing systems of the other types, or with
    pools of any systems but those that may be new. ..._se : the standard error of a mean over `system_samples` draws
    """
    if pools == "contributing" or depth is None:
        pool_known(study, depth)
    metric, depth = metric_named(metric), depth or study.depth
    names, newcomers, may_pool = _candidates(study, metric, new, best, pools)
    room = int(may_pool.sum()) - bool((newcomers & may_pool).any())
    widths, notes = _possible(widths, room, "widths", f"the {digits(room, 'system')} available for a pool")
    topics = len(study.judged_topics)
    common, more = _possible(common, topics, "common", f"the {digits(topics, 'judged topic')}")
    in_force = study.at(depth=depth if pools == "contributing" else None).judgments
    key = metric.name, depth, tuple(common), topic_samples, seed, new, best, pools, unjudged
    finished = study.memo.jobs.get(key, dict)
    codes = study.track.items[np.isin(study.systems, names), :, :depth]
    study.find_places()
    units = [(width, sample) for width in widths for sample in range(system_samples)]
    left = [unit for unit in units if unit not in finished]
    for done, (width, sample) in enumerate(left, len(units) - len(left)):
        if progress:
            progress(done, len(units))
        rng = np.random.default_rng([seed, width, sample])
        finished[width, sample] = pool_bias.trial(
            study, in_force, metric, width, rng, codes=codes, common=common, draws=topic_samples,
            names=names, may_be_new=newcomers, may_pool=may_pool, unjudged=unjudged,
        )  # fmt: skip
    rows = []
    for width in widths:
        errors = np.stack([finished[width, sample] for sample in range(system_samples)])
        deviations = errors.std(axis=0, ddof=1) if system_samples > 1 else np.full(errors.shape[1:], np.nan)
        each = zip(common, errors.mean(axis=0), deviations / np.sqrt(system_samples), strict=True)
        rows += [(width, n, *means, system_samples * topic_samples, *of_means) for n, means, of_means in each]
    table = QUESTIONS["adjustment_experiment"].table(rows)
    if depth > study.depth:
        notes = [
            *notes,
            f"The pool was judged only to depth {study.depth}: documents at deeper ranks count only if judged.",
        ]
    if pools == "all" and not newcomers.all():
        candidates = digits(int(newcomers.sum()), "system that may be new is", "systems that may be new are")
        notes = [*notes, f"The {candidates} in no pool."]
    return table, [*notes, *more]


def _candidates(study, metric, new, best, pools):
    """The names of the systems of an experiment, (n,), which of them may be new, and which may form pools. bool (n,)"""
    contributing = pools == "contributing"
    names = pool_bias.with_a_score(study, contributing=contributing)
    newcomers = _of_type(study, names, new, contributing=contributing)
    may_pool = ~newcomers if contributing and new != "all" else np.ones(len(names), bool)
    if best is not None:
        score = dict(zip(study.systems, study.mean(study.at().values(metric)), strict=True))
        order = np.argsort([-round(score[name], 12) for name in names], kind="stable")
        newcomers = np.isin(np.arange(len(names)), order[newcomers[order]][:best])
    if not contributing and not newcomers.all():
        may_pool = ~newcomers  # "from the remainder of the system set" [WP09, sec. 5]
    return names, newcomers, may_pool


def _of_type(study, names, new, *, contributing):
    """Which of these systems are of the type that new systems have. bool (n,)"""
    if new == "all":
        return np.ones(len(names), bool)
    table = study.system_table.set_index("system")
    if "type" not in table or not any(table["type"]):
        raise ValueError(f"new={new!r}: the types of systems are not known. Load a systems table with the column type.")
    kinds = table["type"].reindex(names).astype(str).to_numpy()
    types = f"Types: {', '.join(sorted(set(kinds)))}."
    if contributing and (new not in kinds or np.all(kinds == new)):
        raise ValueError(f"new={new!r}: contributing systems of that type and of other types are both needed. {types}")
    if new not in kinds:
        raise ValueError(f"new={new!r}: no system with a judged topic is of that type. {types}")
    return kinds == new


def _possible(counts, most, name, limit):
    """The counts that are at most so many, and a note of the others; ValueError where none is."""
    fitting = [count for count in counts if count <= most]
    if not fitting:
        raise ValueError(f"{name}={list(counts)!r}: all are larger than {limit}. Choose smaller numbers.")
    left_out = [count for count in counts if count not in fitting]
    named = listed(left_out, 9)
    subject = {"widths": "Pools of {} systems", "common": "{} common topics"}[name].format(named)
    return fitting, [f"{subject} are left out, because they exceed {limit}."] if left_out else []


def _common_topics(study, r, common, seed):
    """The judged topics that are named, or so many drawn at random of those that count for system r. int, indices into
    `judged_topics`."""
    counted = np.flatnonzero(study.counted[r])
    known = [study.judged_topic_names[topic] for topic in counted]
    if isinstance(common, list | tuple):
        topics = counted[indices_of([str(topic) for topic in common], known, "judged topic")]
    elif common > len(known):
        count = f"{digits(len(known), 'judged topic')} {verb(len(known), 'counts', 'count')}"
        raise ValueError(f"common={common}: only {count} for {study.systems[r]}. Choose fewer.")
    else:
        topics = counted[np.sort(np.random.default_rng(seed).choice(len(known), common, replace=False))]
    if len(topics) < 2:
        raise ValueError("correcting from topics needs at least two common topics. Choose more.")
    return topics


QUESTIONS = by_name(
    Question(
        "adjust_from_systems", adjust_from_systems, section="9.3", of_pool=True,
        columns="system unadjusted adjustment adjusted lower upper n",
    ),
    Question(
        "adjust_from_topics", adjust_from_topics, section="9.4", of_pool=True,
        columns="system unadjusted adjustment adjusted lower upper helps_over_unadjusted helps_over_common n common",
    ),
    Question(
        "adjustment_experiment", adjustment_experiment, section="9.5", long_from=SMALL,
        of_pool_if=lambda params, study: params["pools"] == "contributing",
        columns="width common unadjusted mixed from_systems from_topics samples unadjusted_se mixed_se from_systems_se "
        "from_topics_se",
    ),
)  # fmt: skip
