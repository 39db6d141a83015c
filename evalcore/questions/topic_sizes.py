"""How many topics: to find a difference, and what those at hand can find; more topics or deeper pools."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.questions.pairs import topic_scores
from evalcore.questions.pool_depth import pool_depths
from evalcore.questions.question import Question
from evalcore.questions.table_notes import ALL_JUDGMENTS, gaps
from evalcore.statistics import orderings
from evalcore.statistics import power as of_tests
from evalcore.statistics.anova import MODELS, Anova
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.validation import EQUAL

DIFFERENCES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2)


def topics_needed(
    study: Study, *, metric: str = "RBP(p=0.8)", depth: int | None = None, differences: Sequence[float] = DIFFERENCES,
    design: str = "t", power: float = 0.8, level: float = 0.05, systems: str | Sequence[str] = "all",
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """How many topics a comparison of systems needs to find a difference, by its size. The first row is the smallest
    difference that these topics show.

    design : "t", two average systems and a paired t-test; "anova", all systems and a one-way analysis of variance,
        for the difference of the best and the worst; "width", two average systems, and the width of the interval of
        their difference on average, which the power has no part in. METHODS 8.9, [Sak16].
    """
    scores = _complete(topic_scores(study, systems, metric=metric, depth=depth))
    S, T = scores.shape
    deviation = _within_systems(scores) if design == "anova" else _of_differences(scores)
    power_of: Callable[[float, int], float]
    if design == "anova":
        power_of = partial(of_tests.power_among, level=level, systems=S)
    else:
        power_of = partial(of_tests.power, level=level)
    smallest = of_tests.width(T, level) if design == "width" else _smallest_effect(power_of, T, power)

    def enough(effect: float, topics: int) -> bool:
        if design == "width":
            return of_tests.width(topics, level) <= effect
        return power_of(effect, topics) >= power

    rows = [
        {
            "difference": effect * deviation,
            "effect_size": effect,
            "power": np.nan if design == "width" else float(power_of(effect, T)),
            "topics_needed": T if nth == 0 else of_tests.fewest(partial(enough, effect)),
            "n": T,
        }
        for nth, effect in enumerate((smallest, *(difference / deviation for difference in sorted(differences))))
    ]
    table = pd.DataFrame(rows)
    return table, gaps(table, power="because the width of an interval is no test", topics_needed="above a million")


def topics_or_depth(
    study: Study, *, metric: str = "RBP(p=0.8)", depths: Sequence[int | None] | None = None, budget: int | None = None,
    power: float = 0.8, level: float = 0.05, systems: str | Sequence[str] = "all",
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """For the same number of judgments: many topics judged to a shallow depth, or few to a deep one.

    For each pool depth, how many topics the judgments would be enough for, if further topics need as many each as these
    do; the smallest difference of two average systems that a paired t-test finds with so many topics, as often as
    `power`; and how wide the intervals are. METHODS 8.9.

    budget : judgments; None = as many as there are
    tau : of the ordering of the systems at that depth with that for all judgments, on the topics at hand
    """
    if depths is None:
        beyond = study.judgments.marked(study.judgments.scale.judged) & (study.pool_rank >= study.depth)
        depths = [*range(1, study.depth + 1), *([None] if beyond.any() else [])]
    pools, notes = pool_depths(study, metric=metric, depths=depths)
    rows = pools[["depth", "per_topic", "mean_width"]]
    budget = int(pools["judgments"].iloc[-1]) if budget is None else budget
    each, full = [], _complete(topic_scores(study, systems, metric=metric)).mean(axis=1)
    for depth, per_topic in zip(rows["depth"], rows["per_topic"], strict=True):
        at = None if np.isnan(depth) else int(depth)
        scores = _complete(topic_scores(study, systems, metric=metric, depth=at))
        deviation, tau = _of_differences(scores), orderings.kendall_tau(full, scores.mean(axis=1))
        topics = int(budget / per_topic + 1e-9) if per_topic else 0
        power_of = partial(of_tests.power, level=level)
        smallest = _smallest_effect(power_of, topics, power) * deviation if topics >= of_tests.FEWEST else np.nan
        each.append((topics, deviation, smallest, tau))
    table = rows.assign(**dict(zip(("topics", "deviation", "difference", "tau"), zip(*each, strict=True), strict=True)))
    missing = {"depth": ALL_JUDGMENTS, "difference": "for fewer than two topics"}
    missing["tau"] = "where all systems have the same score"
    return table, [*notes, *gaps(table, **missing, mean_width="because the metric has no exact bounds")]


def _complete(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The topics that count for every system. float (S, T)."""
    scores = scores[:, ~np.isnan(scores).any(axis=0)]
    if scores.shape[1] < 2:
        raise ValueError("fewer than two topics count for every system. Choose other systems.")
    return scores


def _of_differences(scores: NDArray[np.float64]) -> float:
    """The standard deviation over topics of the difference of two average systems."""
    return _some(np.sqrt(2 * Anova(scores[:, :, None], MODELS["MD1"]).error), scores)


def _within_systems(scores: NDArray[np.float64]) -> float:
    """The standard deviation over topics of an average system."""
    return _some(np.sqrt(scores.var(axis=1, ddof=1).mean()), scores)


def _some(deviation: float, scores: NDArray[np.float64]) -> float:
    if not deviation > 0 and np.ptp(scores.mean(axis=1)) < EQUAL:
        raise ValueError("all systems have the same scores, so there is no difference to find. Add another system.")
    if not deviation > 0:
        raise ValueError("all systems differ alike on every topic, so one topic shows every difference.")
    return float(deviation)


def _smallest_effect(power_of: Callable[[float, int], float], topics: int, wanted: float) -> float:
    return of_tests.smallest_effect(lambda effect: power_of(effect, topics), wanted)


QUESTIONS = by_name(
    Question("topics_needed", topics_needed, section="8.9", columns="difference effect_size power topics_needed n"),
    Question(
        "topics_or_depth", topics_or_depth, section="8.9", of_pool=True,
        columns="depth per_topic mean_width topics deviation difference tau",
    ),
)  # fmt: skip
