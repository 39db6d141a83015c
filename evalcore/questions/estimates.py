"""Guesses of the unjudged, held against what deeper judgments say (Ravana & Moffat 2010; Lu, Moffat & Culpepper 2017).

The reference is the interval by all judgments of what stands down to `reference_depth`, the study's pool depth unless
another is named; the guesses are made from shallower pools. Formulas look at the same ranks, models at whole lists.
"""

from numbers import Real

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore.comparing import orderings, significance
from evalcore.estimating import sampling
from evalcore.estimating.estimators import (
    canonical,
    errors,
    estimator_named,
    is_model,
    linear_in_constants,
    rmse,
    rmse_of_constants,
)
from evalcore.estimating.rank_models import RANK_MODELS
from evalcore.metrics import metric as metric_named
from evalcore.questions.tidy import (
    ALL_JUDGMENTS,
    ascending_counts,
    ascending_depths,
    checked_count,
    checked_seed,
    chosen_systems,
    contributed,
    gaps,
    listed,
    of_systems,
)
from evalcore.study import checked_threshold

SHALLOW = (5, 10, 20, 30, 50)
COMPARED = ("lower", "rm", "linear", "two-stage-a", "two-stage-b")


def estimator_error(
    study,
    *,
    metric="RBP(p=0.95)",
    reference_depth=None,
    depths=None,
    estimators=COMPARED,
    by="all",
    systems="pooled",
):
    """How far estimates from shallow pools lie from what deeper judgments say, by pool depth and estimator.

    rmse is the mean over topics of each topic's root mean square error over systems, rmse_plain that of all (system,
    topic) errors together, accuracy the percentage of errors that are 0 (Lu, Moffat & Culpepper 2017, eq. 3). By
    default of the systems that contributed; by="group" estimates each group's from a pool without the group and
    averages over the groups.
    """
    _weighted(metric, "estimator_error")
    listed(estimators, "estimators", "lower")
    reference_depth, depths = _depths_below(study, reference_depth, depths)
    parts = _parts(study, by, systems)
    rows = []
    for depth in depths:
        summaries = {name: [] for name in estimators}
        for part in parts:
            reference = _by_topic(part, _reference(part, metric, reference_depth))
            for name in estimators:
                made = _by_topic(part, _shallow(part, metric, name, depth, reference_depth))
                summaries[name].append(_summary(made.value, reference))
        for name in estimators:
            *means, n = zip(*summaries[name], strict=True)
            rows.append((depth, name, *map(_mean_of_known, means), int(sum(n))))
    columns = ["depth", "estimator", "rmse", "rmse_plain", "accuracy", "mean_estimate", "mean_reference", "n"]
    notes = [f"Averages over {len(parts)} groups, each left out of the pool in turn."] if by == "group" else []
    table = pd.DataFrame(rows, columns=columns)
    return table, [*notes, *gaps(table, rmse="where no topic counts for any of the systems")]


def estimates(study, *, metric="RBP(p=0.95)", depth=None, estimator="two-stage-b", reference_depth=None):
    """The estimate of every system and judged topic from a pool of this depth, beside the reference interval.

    error is 0 inside the reference interval, else how far the estimate lies outside.
    adjusted says whether the gamma test lets a model leave the lower end; formulas have no such test.
    """
    _weighted(metric, "estimates")
    if depth is None:
        reference_depth = _reference_depth(study, reference_depth)
    else:
        reference_depth, _ = _depths_below(study, reference_depth, [depth])
    reference = _by_topic(study, _reference(study, metric, reference_depth))
    made = _by_topic(study, _shallow(study, metric, estimator, depth, reference_depth))
    S, T = made.value.shape
    table = pd.DataFrame(
        {
            "system": np.repeat(np.array(study.systems, object), T),
            "topic": np.tile(np.array(study.track.topics, object)[study.judged_topics], S),
            "value": made.value.ravel(),
            "lower": made.lower.ravel(),
            "upper": made.upper.ravel(),
            "reference": reference.lower.ravel(),
            "reference_upper": reference.upper.ravel(),
            "error": errors(made.value, reference.lower, reference.upper).ravel(),
            "adjusted": np.tile(_adjusted(study, estimator, depth), S),
        }
    )
    return table[~np.isnan(made.value).ravel()].reset_index(drop=True)


def system_estimates(study, *, metric="RBP(p=0.95)", depth=None, estimator="two-stage-b", reference_depth=None):
    """The mean estimate of every system beside the mean reference interval, over n topics. See `estimates`."""
    table = estimates(study, metric=metric, depth=depth, estimator=estimator, reference_depth=reference_depth)
    means = table.groupby("system", sort=False).agg(
        value=("value", "mean"),
        reference=("reference", "mean"),
        reference_upper=("reference_upper", "mean"),
        n=("topic", "size"),
    )
    return of_systems(study).merge(means, left_on="system", right_index=True)


def constants(study, *, metric="P@10", estimator="interpolated", depths=None, judgments=None, systems="all"):
    """The error of an estimator for every C from 0 to 1 and every E from 0 to the largest gain, in a hundred steps
    each, over several sizes of the pool at once, against the scores by all judgments (Ravana & Moffat 2010, figs 2 and
    3). best is true for the least.

    By default 1/64 to 1/2 of the judgments. The estimates are linear in C and E, so the error is a quadratic form.
    """
    name = estimator_named(estimator)[0].name
    if name not in ("interpolated", "smoothed"):
        raise ValueError(f"constants learns C and E of interpolated or smoothed; {name} does not have both.")
    if depths is not None and judgments is not None:
        raise ValueError("depths and judgments exclude each other: name pool depths or counts of judgments.")
    by = "judgments" if depths is None else "depth"
    if depths is not None:
        cuts = [pool.EVERYTHING if depth is None else depth for depth in ascending_depths(study, depths)]
    else:
        cuts = ascending_counts(study, judgments)[: -1 if judgments is None else None]
    if not cuts:
        raise ValueError("there are too few judgments to take a part of them.")
    swept = study.sweep(metric, cuts, by=by)
    if swept.kind == "point":
        raise ValueError(f"{metric_named(metric).name} has no interval, so there is nothing to estimate inside.")
    highest = metric_named(metric).highest(study.judgments.scale)
    chosen = chosen_systems(study, systems)
    if not study.counted[chosen].any():
        raise ValueError("no topic counts for any of the systems, so there is no error to make small.")
    B, D = swept.lower, (swept.upper - swept.lower) / highest
    plain, by_C, by_E = linear_in_constants(name, B, D)
    off = plain - study.estimate(metric).lower[:, :, None]
    off, by_C, by_E = (study.by_topic(part)[chosen][study.counted[chosen]] for part in (off, by_C, by_E))
    C, E = np.meshgrid(np.linspace(0, 1, 101).round(2), np.linspace(0, 1, 101).round(2) * highest, indexing="ij")
    C, E = C.ravel(), E.ravel()
    error = rmse_of_constants(off, by_C, by_E, C, E)
    return pd.DataFrame({"C": C, "E": E, "rmse_plain": error, "best": np.arange(len(C)) == np.argmin(error)})


def rank_models(study, *, topic=None, depth=None):
    """The mean gain of the contributing runs at each rank of a topic, down to where they were judged, and the curves
    fitted to it. By default the first judged topic."""
    by_name = {study.track.topics[t]: t for t in study.judged_topics}
    if not by_name:
        raise ValueError("no topic is judged, so there is nothing to fit a curve to.")
    name = next(iter(by_name)) if topic is None else str(topic)
    if name not in by_name:
        raise ValueError(f"no judged topic {name!r}. Known: {', '.join(list(by_name)[:5])}, ...")
    evidence = study.only(topics=[name]).evidence(depth=depth)[0][1]
    K = evidence.pooled.shape[1]
    observed = np.full(max(K, len(evidence.observed)), np.nan)
    observed[: len(evidence.observed)] = evidence.observed
    table = pd.DataFrame(
        {
            "rank": np.arange(1, K + 1),
            "observed": observed[:K],
            **{model: evidence.curve(model) for model in RANK_MODELS},
        }
    )
    return table, gaps(table, observed="below the depth that was judged")


def coverage(study, *, depths=None, theta=0.0):
    """How often each topic's relevant documents were met in the contributing runs' top ranks, and what follows: gamma,
    whether a model would adjust the topic, and how many relevant documents there may be.

    relevant = R, occurrences = C, once = f_1; chao_lee is Chao & Lee's estimate (JASA 1992). Lu, Moffat & Culpepper
    2017, eq. 10.
    """
    if isinstance(theta, bool) or not isinstance(theta, Real) or not 0 <= theta < np.inf:
        raise ValueError(f"theta={theta!r} cannot be; it is a number from 0.")
    depths = _some_depths(study, study.depth + 1) if depths is None else ascending_depths(study, depths)
    rows, undefined = [], []
    for depth in depths:
        for (_, evidence), t in zip(study.evidence(depth=depth), study.judged_topics, strict=True):
            met, topic = evidence.coverage, study.track.topics[t]
            rows.append((depth, topic, met.relevant, met.occurrences, met.once, evidence.gamma))
            rows[-1] += (evidence.adjusted(theta), met.expected)
            if not met.defined:
                undefined.append(f"{topic} (depth {'all' if depth is None else depth})")
    columns = ["depth", "topic", "relevant", "occurrences", "once", "gamma", "adjusted", "chao_lee"]
    table = pd.DataFrame(rows, columns=columns)
    where = ", ".join(dict.fromkeys(undefined))
    notes = [f"gamma is 0 by definition where no relevant document was met twice: {where}."] if undefined else []
    missing = gaps(table, chao_lee="where no relevant document was met twice", depth=ALL_JUDGMENTS)
    return table, [*notes, *missing]


def two_strata(study, *, metric="RBP(p=0.95)", depth=None, rate=0.1, seed=0, repeats=10, systems="pooled"):
    """How well the ordering by all judgments is found from a shallow pool and a sample of the deeper one.

    A share `rate` of each topic's pool between `depth` (by default a tenth of the study's) and the study's depth is
    drawn `repeats` times. pool = the shallow pool alone; InfRBP and infAP infer from both strata, the two-stage
    estimates learn from both. infAP is held against AP. rmse as in `estimator_error`.
    """
    metric = _weighted(metric, "two_strata")
    if isinstance(rate, bool) or not isinstance(rate, Real) or not 0 < rate <= 1:
        raise ValueError(f"rate={rate!r} cannot be; it is a share above 0, at most 1.")
    seed, repeats = checked_seed(seed), checked_count("repeats", repeats)
    contributed(study)
    depth = max(1, study.depth // 10) if depth is None else checked_threshold("depth", depth)
    if depth >= study.depth:
        raise ValueError(f"depth={depth} leaves nothing to sample: the study's pool is {study.depth} deep.")
    chosen = study.only(systems=_names(study, systems))
    if len(chosen.systems) < 2 or len(chosen.judged_topics) < 2:
        raise ValueError(
            "two_strata compares orderings over topics: it needs two systems and two judged topics, or more."
        )
    reference, whole = _reference(chosen, metric, study.depth), chosen.estimate("AP")
    rows = []
    for repeat in range(1, repeats + 1):
        sample = sampling.two_strata(
            study.judgments,
            study.pool_rank,
            depth=depth,
            deepest=study.depth,
            rate=rate,
            rng=np.random.default_rng([seed, repeat]),
        )
        spent = {"pool": int(sample.shallow.count(sample.shallow.scale.judged).sum())}
        both = int(sample.judgments.count(sample.judgments.scale.judged).sum())
        for name, made in _from_sample(chosen, sample, metric, depth, study.depth):
            truth = whole if name == "infAP" else reference
            rows.append((repeat, name, spent.get(name, both), *_against(chosen, made, truth, bounds=name != "infAP")))
    table = pd.DataFrame(rows, columns=["repeat", "estimator", "judgments", "tau_distance", "distance", "rmse"])
    return table, ["infAP is held against AP by all judgments, the others against the reference interval."]


# ---------------------------------------------------------------------------------------------------------------------
# References and errors


def _weighted(metric, question):
    found = metric_named(metric)
    if not found.weighted:
        raise ValueError(
            f"{question} needs a metric with a weight for every rank, whose interval is exact: P, RBP or SDCG, such as "
            f"RBP(p=0.95). {found.name} is none."
        )
    return found


def _depths_below(study, reference_depth, depths):
    """The reference depth and the ascending pool depths to estimate from, all shallower."""
    contributed(study)
    reference = _reference_depth(study, reference_depth)
    if depths is None:
        depths = _some_depths(study, reference)
    asked = sorted({checked_threshold("depth", depth) or pool.EVERYTHING for depth in depths})
    if pool.EVERYTHING in asked:
        raise ValueError("all judgments (a depth of None) are no shallow pool: name depths such as 10.")
    if not asked or asked[-1] >= reference:
        said = f"depth {asked[-1]} is not shallower" if asked else "there is no depth shallower"
        raise ValueError(
            f"{said} than the reference, which is {reference} deep: name shallower depths, or a deeper reference_depth "
            f"(the study's pool is {study.depth} deep)."
        )
    return reference, asked


def _reference_depth(study, reference_depth):
    return study.depth if reference_depth is None else checked_threshold("reference_depth", reference_depth)


def _some_depths(study, below):
    """Depths that people look at, those of a shallow pool all of them."""
    usual = [depth for depth in SHALLOW if depth < below]
    return usual if len(usual) > 1 else list(range(1, below))


def _reference(study, metric, depth):
    """The interval by all judgments of the first ranks."""
    return study.estimate_under(study.judgments, metric, ranks=depth)


def _shallow(study, metric, estimator, depth, reference_depth):
    if is_model(estimator):
        return study.estimate(metric, depth=depth, estimator=estimator)
    return study.estimate_under(study.judgments_at(depth=depth), metric, estimator=estimator, ranks=reference_depth)


def _by_topic(study, estimate):
    """An estimate's means over each judged topic's queries, NaN where the topic does not count. Arrays (S, T')."""
    made = (study.by_topic(getattr(estimate, name)) for name in ("value", "lower", "upper"))
    return type(estimate)(*(np.where(study.counted, values, np.nan) for values in made), estimate.kind)


def _summary(value, reference):
    """(rmse, rmse_plain, accuracy, mean estimate, mean reference, n) of values (S, T')."""
    error = errors(value, reference.lower, reference.upper)
    known = ~np.isnan(error)
    if not known.any():
        return (np.nan,) * 5 + (0,)
    return (
        rmse(error),
        float(np.sqrt(np.mean(error[known] ** 2))),
        100 * float(np.mean(error[known] == 0)),
        float(np.mean(value[known])),
        float(np.mean(reference.lower[known])),
        int(known.sum()),
    )


def _mean_of_known(values):
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else np.nan


def _names(study, systems):
    return [study.systems[s] for s in np.flatnonzero(chosen_systems(study, systems))]


def _parts(study, by, systems):
    """The study of the chosen systems; or, by group, one of each contributing group with a pool formed without it."""
    names = _names(study, systems)
    if not names:
        raise ValueError(f"systems={systems!r} chooses none; name systems, or say which contributed to the pool.")
    if by == "all":
        return [study.only(systems=names)]
    if by != "group":
        raise ValueError(f"by={by!r} is not known. Known: all, group.")
    group_of = dict(zip(study.whole.systems, (group or name for group, name in _groups(study)), strict=True))
    contributed = [name for name, pooled in zip(study.whole.systems, study.whole.pooled, strict=True) if pooled]
    left_out = [group_of[name] for name in names if name in contributed]
    if not left_out:
        raise ValueError(f"systems={systems!r} chooses none that contributed, so no group can be left out of the pool.")
    if len({group_of[name] for name in contributed}) < 2:
        raise ValueError("one group alone formed the pool; leaving it out leaves nothing to learn from.")
    return [
        study.without_contribution_of([name for name in contributed if group_of[name] == group]).only(
            systems=[name for name in names if name in contributed and group_of[name] == group]
        )
        for group in dict.fromkeys(left_out)
    ]


def _groups(study):
    return zip(study.whole.groups, study.whole.systems, strict=True)


def _adjusted(study, estimator, depth):
    """Whether each judged topic leaves the lower end. bool (T',)."""
    if not is_model(estimator):
        return np.ones(len(study.judged_topics), bool)
    theta = estimator_named(estimator)[1]["theta"]
    return np.array([evidence.adjusted(theta) for _, evidence in study.evidence(depth=depth)])


def _from_sample(study, sample, metric, depth, reference_depth):
    """(name, estimate) of every way to use a sample of two strata."""
    yield "pool", study.estimate_under(sample.shallow, metric, ranks=reference_depth)
    places = study.places_under(sample.judgments)
    inferred = sampling.inferred(metric, places, sample.judgments).reshape(study.track.shape[:2])
    plain = study.estimate_under(sample.judgments, metric)
    yield "InfRBP", plain.raised(inferred - plain.lower)
    yield "infAP", study.estimate_under(sample.pooled, "infAP")
    for name in ("two-stage-a", "two-stage-b"):
        yield name, study.estimate_under(sample.judgments, metric, estimator=canonical(name), judged_depth=depth)


def _against(study, made, truth, *, bounds):
    """(Kendall's distance, weighted distance, rmse) of an estimate to the truth; without bounds, to its value."""
    made, truth = _by_topic(study, made), _by_topic(study, truth)
    if not bounds:
        truth = type(truth)(truth.value, truth.value, truth.value, truth.kind)
    certain = [
        orderings.certainties(*significance.mean_and_p(significance.differences(values)))
        for values in (truth.lower, made.value)
    ]
    return (
        orderings.kendall_distance(np.nanmean(truth.lower, axis=1), np.nanmean(made.value, axis=1)),
        orderings.weighted_distance(*certain),
        rmse(errors(made.value, truth.lower, truth.upper)),
    )
