"""Which systems further judging could still put first, and which ranks it leaves to each."""

import numpy as np

from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.pairs import least_leads
from evalcore.statistics import orderings
from evalcore.vocabulary.sentences import FUZZ
from evalcore.vocabulary.validation import EQUAL

LEADS, BY_JUDGING, PAST_END, NO, UNKNOWN = "leads", "yes", "past the end", "no", ""
NEGLIGIBLE = 2.5e-6  # of either system, so a lead is at most 5e-6 too small: no printed bound shows it


def standings(study, metric, means, cuts, chosen, *, limits=True):
    """Which systems could still be first, and the ranks that are left to each, by cut of the judgments.

    -> texts (S, cuts), and two float (S, cuts), the best and the worst possible rank, NaN without exact bounds
    "leads", or shares the highest score; "yes", if unjudged documents turn out so; "past the end", only through ranks
    after the end of its runs, which no judging fills; "no", never ahead of a leader, or certainly behind another
    system, or without a judged topic; "" without exact bounds, or without a score

    means : an estimate, arrays (S, cuts); cuts : `pairs.Cuts`; chosen : bool (S,), the systems that are compared
    limits : False = all of this is left blank, which takes no time
    METHODS 4.1.
    """
    states = np.full(means.value.shape, UNKNOWN, object)
    best, worst = np.full((2, *means.value.shape), np.nan)
    if means.kind != "bounds" or not chosen.any() or not limits:
        return states, best, worst
    answers, means = study.answers[chosen], means.map(lambda end: end[chosen])
    ends = ["upper", "upper_listed"]
    for cut, ahead in _ahead(study, metric_named(metric), means, cuts, chosen, ends):
        value = means.value[:, cut]
        best[chosen, cut], worst[chosen, cut] = orderings.ranks_between(ahead[0])
        if np.isnan(value).all():
            continue
        state = np.where(np.isnan(value), UNKNOWN, NO).astype(object)
        leading = np.nanmax(value) - value < FUZZ
        for least, reached in zip(ahead, (PAST_END, BY_JUDGING), strict=True):
            beaten = (least[leading] >= -EQUAL).any(axis=0) | (least > EQUAL).any(axis=0)
            state[answers & ~beaten & ~np.isnan(value)] = reached
        state[leading] = LEADS
        states[chosen, cut] = state
    return states, best, worst


def no_limits(limits):
    """A note on blank columns, if they were not asked for."""
    return [] if limits else ["Possible ranks, and who could still be first, are empty: ask for them with limits=True."]


def _ahead(study, metric, means, cuts, chosen, ends):
    """By how much each chosen system's mean is ahead of each other's at least: cut, and float (S', S') for each of
    `ends`. By intervals, or, over the same topics, by pair, which is never less."""
    pairwise = None
    if study.options["average"] == "qrels" and len(study.judged_topics):
        pairwise = least_leads(study, metric, cuts, chosen, ends=ends, negligible=NEGLIGIBLE)
    for cut in reversed(range(len(cuts.thresholds))):
        lower = means.lower[:, cut]
        ahead = [lower[:, None] - getattr(means, end)[:, cut] for end in ends]
        ahead = ahead if pairwise is None else np.fmax(ahead, next(pairwise))
        yield cut, ahead
