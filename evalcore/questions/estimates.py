"""Estimates of unjudged documents, compared with deeper judgments ([RM10]; [LMC17]).

The reference is the interval with all judgments, over all ranks of the metric or the first `reference_depth`; estimates
use shallower pools. Formulas use the same ranks, models use whole rankings.
"""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pandas as pd

from evalcore.estimating.estimators import (
    ESTIMATORS,
    Estimate,
    errors,
    estimator_named,
    in_short,
    is_model,
    most_farther,
    rmse,
)
from evalcore.estimating.estimators import estimated as value_of
from evalcore.metrics.intervals import Metric
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.pairs import agreement, means_and_certainties, topic_scores
from evalcore.questions.question import LARGE, SMALL, Across, Question
from evalcore.questions.requirements import contributed, deep
from evalcore.questions.table_helpers import ends_of, mean_of_known, names_of, of_systems
from evalcore.questions.table_notes import gaps
from evalcore.statistics import orderings
from evalcore.study.evaluation import relevant_retrieved
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.sentences import digits
from evalcore.vocabulary.validation import EQUAL

COMPARED = tuple(name for name, row in ESTIMATORS.items() if row.compared or name == "two-stage-a")


def estimator_error(
    study: Study, *, metric: str = "RBP(p=0.95)", reference_depth: int | None = None,
    depths: Sequence[int] | None = None, estimators: Sequence[str] = COMPARED, by: str = "all",
    systems: str | Sequence[str] = "pooled", progress: Callable[[int, int], None] | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The error of estimates from shallow pools against deeper judgments, by depth and estimator [LMC17, eq. 3].

    By default of contributing systems; by="group" estimates each system from a pool without its group. Models are left
    out for metrics without a weight for every rank.
    """
    metric = bounded(metric, "estimator_error")
    guesses, notes = _possible(estimators, metric)
    depths = depths_below(study, reference_depth, depths)
    parts = _parts(study, by, systems)
    references = [by_topic(part, reference_interval(part, metric, reference_depth)) for part in parts]
    lower, upper = (np.vstack([getattr(estimate, end) for estimate in references]) for end in ("lower", "upper"))
    width = np.nanmean(upper - lower) if not np.isnan(lower).all() else np.nan
    rows = []
    job = "estimator_error", metric.name, reference_depth, by, tuple(names_of(study, systems))
    finished = study.memo.jobs.get(job, dict) if progress else {}
    total = len(depths) * len(guesses) * len(parts)

    def estimated(number, depth, name):
        """The estimates of one part, which are kept if the work is stopped."""
        if (number, depth, name) not in finished:
            if progress:
                progress(sum(place in wanted for place in finished), total)
            part = parts[number]
            value = _shallow(part, metric, name, depth, reference_depth).value
            finished[number, depth, name] = part.topic_scores(value)
        return finished[number, depth, name]

    wanted = {(number, depth, name) for number in range(len(parts)) for depth in depths for name in guesses}
    for depth in depths:
        at = []
        for name in guesses:
            value = np.vstack([estimated(number, depth, name) for number in range(len(parts))])
            at.append((value, (depth, name, *_summary(value, lower, upper), width)))
        closest, _ = min(at, key=lambda row: (np.isnan(row[1][2]), row[1][2]))
        rows += [(*row, _certainly_farther(closest, value, lower, upper)) for value, row in at]
    if by == "group":
        notes.append(
            f"Each of {digits(len(parts), 'group', 'groups')} is left out of the pool in turn to estimate its systems."
        )
    table = QUESTIONS["estimator_error"].table(rows)
    return table, [
        *notes,
        *other_depths(study, depths),
        *gaps(table, rmse="if none of the systems has a topic that counts"),
    ]


def estimator_agreement(
    study: Study, *, metric: str = "RBP(p=0.95)", depths: Sequence[int] | None = None,
    estimators: Sequence[str] = COMPARED, weight: int = 1, systems: str | Sequence[str] = "pooled",
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """How well each estimator orders the systems from shallow pools, compared with all judgments [LMC17, fig. 4].

    The reference counts unjudged documents as not relevant. By default of contributing systems, as in
    `estimator_error`. distance is that of [LMC17, eq. 11]; pairs = all pairs of systems. Models are left out for
    metrics without a weight for every rank. tau_final : of the model linear with all judgments, the same in every row
    """
    metric = bounded(metric, "estimator_agreement")
    names, notes = _possible(estimators, metric)
    depths = depths_below(study, None, depths)
    reference = means_and_certainties(topic_scores(study, systems, metric=metric.name))
    n = np.count_nonzero(~np.isnan(reference[0]))
    final = np.nan
    if metric.weighted:
        of_model = topic_scores(study, systems, metric=metric.name, estimator="linear")
        final = orderings.kendall_tau(reference[0], mean_of_known(of_model.T))
    rows = []
    for depth, name in product(depths, names):
        scores = topic_scores(study, systems, metric=metric.name, estimator=name, depth=depth)
        agreed = agreement(reference, means_and_certainties(scores), weight)
        rows.append({"depth": depth, "estimator": name, **agreed, "pairs": n * (n - 1) // 2, "tau_final": final})
    table = pd.DataFrame(rows)
    tied = "if all systems are tied in one of the two orderings"
    left = "for metrics without a weight for every rank, and if all systems are tied"
    return table, [*notes, *other_depths(study, depths), *gaps(table, tau=tied, tau_final=left)]


def _certainly_farther(closest, value, lower, upper):
    """Whether estimates have a larger error than the closest ones for every possible reference score."""
    return not np.isnan(lower).all() and most_farther(closest, value, lower, upper) < -EQUAL


def other_depths(study: Study, depths: Sequence[int]) -> list[str]:
    """Notes on the topics whose pool has another depth than most."""
    own = study.pooling.depth_of_topic[study.judged_topics]
    shallow, none = int(((own > 0) & (own <= max(depths))).sum()), int((own == 0).sum())
    notes = []
    if shallow:
        notes.append(f"{digits(shallow, 'topic was', 'topics were')} pooled no deeper than {max(depths)}.")
    if none and none < len(own):
        notes.append(
            f"{digits(none, 'topic has', 'topics have')} an unknown pool depth; a shallow pool there consists of the "
            "documents that happen to be judged."
        )
    return notes


def estimates(
    study: Study, *, metric: str = "RBP(p=0.95)", depth: int | None = None, estimator: str = "two-stage-b",
    reference_depth: int | None = None,
) -> pd.DataFrame:  # fmt: skip
    """The estimate for every system and judged topic at this pool depth, with the reference interval."""
    metric = bounded(metric, "estimates")
    if depth is not None:
        depths_below(study, reference_depth, [depth])
    reference = by_topic(study, reference_interval(study, metric, reference_depth))
    estimate = by_topic(study, _shallow(study, metric, estimator, depth, reference_depth))
    S, T = estimate.value.shape
    table = pd.DataFrame(
        {
            "system": np.repeat(study.systems, T),
            "topic": np.tile(study.judged_topic_names, S),
            **ends_of(estimate),
            "reference": reference.lower.ravel(),
            "reference_upper": reference.upper.ravel(),
            "error": errors(estimate.value, reference.lower, reference.upper).ravel(),
            "adjusted": np.tile(_adjusted(study, metric, estimator, depth), S),
        }
    )
    return table[~np.isnan(estimate.value).ravel()].reset_index(drop=True)


def system_estimates(
    study: Study, *, metric: str = "RBP(p=0.95)", depth: int | None = None, estimator: str = "two-stage-b",
    reference_depth: int | None = None,
) -> pd.DataFrame:  # fmt: skip
    """The mean estimate for every system and its mean reference interval, over n topics. See `estimates`."""
    table = estimates(study, metric=metric, depth=depth, estimator=estimator, reference_depth=reference_depth)
    of_system = table.groupby("system", sort=False)
    means = of_system[["value", "reference", "reference_upper"]].mean().assign(n=of_system.size())
    return of_systems(study).merge(means, left_on="system", right_index=True)


def bounded(metric: str, question: str) -> Metric:
    """The metric of this name, whose interval must be exact."""
    metric = metric_named(metric)
    if metric.kind != "bounds":
        raise ValueError(
            f"{question} needs a metric whose interval is exact: P, RBP, SDCG, INST, RR or nDCG@k, such as "
            f"RBP(p=0.95). {metric.name} has none."
        )
    return metric


def _possible(estimators, metric):
    """Those of the estimators that the metric has room for, all where it has for none, and a note on the others."""
    possible = [name for name in estimators if metric.weighted or not is_model(name)] or list(estimators)
    gone = [in_short(name) for name in estimators if name not in possible]
    needs = f"{metric.name} has no weight for every rank, which models need"
    return possible, [f"{needs}; models left out: {', '.join(gone)}."] if gone else []


def depths_below(study: Study, reference_depth: int | None, depths: Sequence[int] | None) -> list[int]:
    """The ascending pool depths to estimate from, all shallower than the reference or, of all ranks, than the pool."""
    contributed(study)
    reference = reference_depth or study.depth
    depths = some_depths(study, min(reference, max(2, study.depth))) if depths is None else depths
    if None in depths:
        raise ValueError("depth None (all judgments) is not a shallow pool. Choose depths, such as 10.")
    depths = sorted(set(depths))
    if not depths or depths[-1] >= reference:
        problem = f"depth {depths[-1]} is not shallower" if depths else "no depth is shallower"
        if not reference_depth and not depths and not study.pooling.depth_known:
            deep(study)
        if not reference_depth:
            raise ValueError(f"{problem} than the study's pool, of depth {reference}. Choose shallower depths.")
        raise ValueError(
            f"{problem} than the reference, of depth {reference}. Choose shallower depths, or a larger reference_depth "
            f"(pool depth of the study: {study.depth})."
        )
    return depths


SHALLOW = (5, 10, 20, 30, 50)


def some_depths(study: Study, below: int) -> list[int]:
    """Depths that people look at, those of a shallow pool all of them."""
    usual = [depth for depth in SHALLOW if depth < below]
    return usual if len(usual) > 1 else list(range(1, below))


def reference_interval(study: Study, metric: Metric, depth: int | None) -> Estimate:
    """The interval with all judgments over the first ranks, None = all ranks of the metric."""
    return study.at().estimate(metric, ranks=depth)


def _shallow(study, metric, estimator, depth, reference_depth):
    if is_model(estimator):
        return study.at(depth=depth).estimate(metric, estimator=estimator)

    def ends():
        lowest = study.at(judgments=study.at(depth=depth).judgments).estimate(metric, ranks=reference_depth)
        return lowest.value, lowest.lower, lowest.upper, lowest.upper_listed

    value, lower, upper, upper_listed = study.memo.ends.get(("shallow", metric.name, depth, reference_depth), ends)
    value = value_of(estimator, value, upper, highest=metric.highest(study.judgments.scale))
    return Estimate(value, lower, upper, upper_listed, metric.kind)


def by_topic(study: Study, estimate: Estimate) -> Estimate:
    """An estimate averaged over each judged topic's queries; NaN where the topic does not count. Arrays (S, T')."""
    return estimate.map(study.topic_scores)


def _summary(value, lower, upper):
    """(rmse, rmse_plain, accuracy, mean estimate, mean reference, n) of values and their references (S, T')."""
    error = errors(value, lower, upper)
    known = ~np.isnan(error)
    if not known.any():
        return (np.nan,) * 5 + (0,)
    return (
        rmse(error),
        float(np.sqrt(np.mean(error[known] ** 2))),
        100 * float(np.mean(error[known] == 0)),
        float(np.mean(value[known])),
        float(np.mean(lower[known])),
        int(known.sum()),
    )


def _parts(study, by, systems):
    """The study of the chosen systems; or, by group, one of each contributing group with a pool formed without it."""
    chosen = list(names_of(study, systems))
    if by == "all":
        return [study.only(systems=chosen)]
    whole = study.whole
    every = zip(whole.systems, whole.groups, whole.pooled, strict=True)
    group_of = {name: group or name for name, group, pooled in every if pooled}
    left_out = [group_of[name] for name in chosen if name in group_of]
    if not left_out:
        raise ValueError(
            f"systems={systems!r} chooses no contributing system, so no group can be left out. Choose others."
        )
    if len(set(group_of.values())) < 2:
        raise ValueError("only one group contributed to the pool, so it cannot be left out. Use by='all'.")
    parts = []
    for group in dict.fromkeys(left_out):
        without = study.without_contribution_of([name for name in group_of if group_of[name] == group])
        parts.append(without.only(systems=[name for name in chosen if group_of.get(name) == group]))
    return parts


def _adjusted(study, metric, estimator, depth):
    """Whether the estimator changes each topic's scores: for a model, whether the topic passes the gamma test. bool
    (T',)."""
    if not is_model(estimator):
        return np.ones(len(study.judged_topics), bool)
    return relevant_retrieved(study.at(depth=depth), estimator_named(estimator)[1]["theta"], metric).adjusted


def possibly_closest(rows: pd.DataFrame) -> list[str]:
    """Which guesses may be the closest, the least error first. rows : of one depth, with an error"""
    return list(rows[~rows["certainly_farther"]].sort_values("rmse", kind="stable")["estimator"])


def judged_deeper(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the systems that contributed, for theirs was judged deeper; all where none did."""
    return table[table["pooled"]] if table["pooled"].any() else table


QUESTIONS = by_name(
    Question(
        "estimator_error", estimator_error, section="6.1", long_from=SMALL, of_pool=True,
        columns="depth estimator rmse rmse_plain accuracy mean_estimate mean_reference n reference_width "
        "certainly_farther",
        across=Across(
            "Error of guesses about unread documents", "rmse",
            ("guessing “{other}” beats “{estimator}” {at}", "guessing “{estimator}” beats “{other}” {at}"), "lower",
            {"depth": 5, "estimator": "interpolated"},
            lambda metric, depth, estimator: {"metric": metric, "depths": [depth]},
            lambda metric: metric.kind == "bounds", caveat="More judgments could make both errors larger.",
        ),
    ),
    Question(
        "estimator_agreement", estimator_agreement, section="6.8", long_from=SMALL, of_pool=True,
        columns="depth estimator tau tau_distance distance distance_per_pair inversions pairs tau_final",
    ),
    Question(
        "estimates", estimates, section="6.1", long_from=LARGE, of_pool=True,
        columns="system topic value lower upper upper_listed reference reference_upper error adjusted",
    ),
    Question(
        "system_estimates", system_estimates, section="6.1", long_from=LARGE, of_pool=True,
        columns="system group pooled value reference reference_upper n",
    ),
)  # fmt: skip
