"""Which systems further judging could still put first, and which ranks it leaves to each."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from evalcore.estimating.estimators import Estimate
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.pairs import Cuts, least_leads
from evalcore.statistics import orderings
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ
from evalcore.vocabulary.validation import EQUAL

LEADS, BY_JUDGING, PAST_END, NO, UNKNOWN = "leads", "yes", "past the end", "no", ""
NEGLIGIBLE = 2.5e-6  # of either system, so a lead is at most 5e-6 too small: no printed bound shows it


def standings(
    study: Study, metric: str, means: Estimate, cuts: Cuts, chosen: NDArray[np.bool_], *, limits: bool = True,
    ranks: bool = True,
) -> tuple[NDArray[np.object_], NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
    """Which systems could still be first, and the ranks that are left to each, by cut of the judgments.

    -> texts (S, cuts), and two float (S, cuts), the best and the worst possible rank, NaN without exact bounds
    "leads", or shares the highest score; "yes", if unjudged documents turn out so; "past the end", only through ranks
    after the end of its runs, which no judging fills; "no", never ahead of a leader, or certainly behind another
    system, or without a judged topic; "" without exact bounds, or without a score

    means : an estimate, arrays (S, cuts); cuts : `pairs.Cuts`; chosen : bool (S,), the systems that are compared
    limits : False = all of this is left blank, which takes no time; ranks : False = the ranks alone are
    METHODS 4.1.
    """
    states = np.full(means.value.shape, UNKNOWN, object)
    best, worst = np.full((2, *means.value.shape), np.nan)
    if means.kind != "bounds" or not chosen.any() or not limits:
        return states, best, worst
    answers, means = study.answers[chosen], means.map(lambda end: end[chosen])
    for cut, ahead in _ahead(study, metric_named(metric), means, cuts, chosen):
        value = means.value[:, cut]
        every = ahead() if ranks else np.zeros((0, 0))
        if ranks:
            best[chosen, cut], worst[chosen, cut] = orderings.ranks_between(every)
        if np.isnan(value).all():
            continue
        state = np.where(np.isnan(value), UNKNOWN, NO).astype(object)
        leading = np.nanmax(value) - value < FUZZ
        able = np.flatnonzero(
            answers & ~np.isnan(value) & ~(means.upper[:, cut] < np.nanmax(means.lower[:, cut]) - EQUAL)
        )
        for end, reached in (("upper", PAST_END), ("upper_listed", BY_JUDGING)):
            least = every[:, able] if ranks and end == "upper" else ahead(end, able)
            able = able[~((least[leading] >= -EQUAL).any(axis=0) | (least > EQUAL).any(axis=0))]
            state[able] = reached
        state[leading] = LEADS
        states[chosen, cut] = state
    return states, best, worst


def no_limits(limits: bool) -> list[str]:
    """A note on blank columns, if they were not asked for."""
    return [] if limits else ["Possible ranks, and who could still be first, are empty: ask for them with limits=True."]


def _ahead(study, metric, means, cuts, chosen):
    """By how much each chosen system's mean is ahead of others' at least: cut, and a function as of `least_leads`. By
    intervals, or, over the same topics, by pair, which is never less."""
    pairwise = None
    if study.options["average"] == "qrels" and len(study.judged_topics):
        pairwise = least_leads(study, metric, cuts, chosen, negligible=NEGLIGIBLE)

    def ahead(cut, by_pair, end="upper", of=slice(None)):
        by_interval = means.lower[:, cut, None] - getattr(means, end)[of, cut]
        return np.fmax(by_interval, by_pair(end, of)) if by_pair else by_interval

    for cut in reversed(range(len(cuts.thresholds))):
        yield cut, partial(ahead, cut, pairwise and next(pairwise))
