"""Guesses of the unjudged, held against what deeper judgments say (Ravana & Moffat 2010; Lu, Moffat & Culpepper 2017).

The reference is the interval by all judgments of what stands down to `reference_depth`, the study's pool depth unless
another is named; the guesses are made from shallower pools. Formulas look at the same ranks, models at whole lists.
"""

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore.estimating.estimators import errors, estimator_named, is_model, rmse
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.cuts import contributed
from evalcore.questions.notes import gaps
from evalcore.questions.question import Question
from evalcore.questions.tables import of_systems

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
    weighted(metric, "estimator_error")
    reference_depth, depths = _depths_below(study, reference_depth, depths)
    parts = _parts(study, by, systems)
    rows = []
    for depth in depths:
        summaries = {name: [] for name in estimators}
        for part in parts:
            reference = by_topic(part, reference_interval(part, metric, reference_depth))
            for name in estimators:
                made = by_topic(part, _shallow(part, metric, name, depth, reference_depth))
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
    weighted(metric, "estimates")
    if depth is None:
        reference_depth = _reference_depth(study, reference_depth)
    else:
        reference_depth, _ = _depths_below(study, reference_depth, [depth])
    reference = by_topic(study, reference_interval(study, metric, reference_depth))
    made = by_topic(study, _shallow(study, metric, estimator, depth, reference_depth))
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


def weighted(metric, question):
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
        depths = some_depths(study, reference)
    asked = sorted({depth or pool.EVERYTHING for depth in depths})
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
    return study.depth if reference_depth is None else reference_depth


SHALLOW = (5, 10, 20, 30, 50)


def some_depths(study, below):
    """Depths that people look at, those of a shallow pool all of them."""
    usual = [depth for depth in SHALLOW if depth < below]
    return usual if len(usual) > 1 else list(range(1, below))


def reference_interval(study, metric, depth):
    """The interval by all judgments of the first ranks."""
    return study.at().estimate(metric, ranks=depth)


def _shallow(study, metric, estimator, depth, reference_depth):
    if is_model(estimator):
        return study.at(depth=depth).estimate(metric, estimator=estimator)
    return study.at(judgments=study.at(depth=depth).judgments).estimate(
        metric, estimator=estimator, ranks=reference_depth
    )


def by_topic(study, estimate):
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


def names_of(study, systems):
    return [study.systems[s] for s in np.flatnonzero(study.chosen(systems))]


def _parts(study, by, systems):
    """The study of the chosen systems; or, by group, one of each contributing group with a pool formed without it."""
    names = names_of(study, systems)
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
    return np.array([evidence.adjusted(theta) for _, evidence in study.at(depth=depth).evidence()])


QUESTIONS = by_name(
    Question("estimator_error", estimator_error),
    Question("estimates", estimates),
    Question("system_estimates", system_estimates),
)
