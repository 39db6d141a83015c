"""A panel of judges: the judgments of all judges of a study, item by item, and how far two of them agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.shares import mean_of_known, share
from evalcore.metrics.intervals import Metric
from evalcore.metrics.metrics import metric as metric_named
from evalcore.statistics import agreement, orderings
from evalcore.study import extra_qrels
from evalcore.study.judge_names import REFERENCE
from evalcore.study.study import Study

TOP = 5  # systems whose place at the top is compared
DOCUMENTS = "both share_relevant share_relevant_other shift kappa_weighted alpha"  # columns of `on_documents`


def agreement_of(
    first: NDArray[Any], second: NDArray[Any], relevant: NDArray[Any], other: NDArray[Any], *,
    classes: NDArray[Any] | None = None, weights: str = "quadratic",
) -> dict[str, Any]:  # fmt: skip
    """How far two judges of the same documents agree, as columns.

    first, second : (M,), the grades that each gives; relevant, other : (M,), whether a document is relevant to either
    classes : all grades that may occur, ascending; None = those that do; weights : as of `agreement.weighted`
    """
    count, classes = len(first), np.union1d(first, second) if classes is None else classes
    counts = agreement.confusion(first, second, classes) if count else np.zeros((0, 0), int)
    relevant, other = (np.asarray(values, bool) for values in (relevant, other))
    return {
        "both": count,
        "same": int(np.trace(counts)),
        "relevant": int(relevant.sum()),
        "relevant_other": int(other.sum()),
        "relevant_both": int((relevant & other).sum()),
        "overlap_relevant": agreement.overlap(relevant, other),
        "share_relevant": float(share(relevant.sum(), count, without=np.nan)),
        "share_relevant_other": float(share(other.sum(), count, without=np.nan)),
        "shift": float(share((second - first).sum(), count, without=np.nan)),
        "kappa": agreement.kappa(counts, agreement.nominal(classes)),
        "kappa_weighted": agreement.kappa(counts, agreement.weighted(classes, weights)),
        "alpha": agreement.alpha_of_two(counts),
    }


@dataclass(frozen=True)
class Panel:
    """The judgments of J judges, the study's own first, over the M items that any of them judges.

    scales : of each, as in `extra_qrels.scale_of`; classes : the grades that each may give, ascending
    grades : float (J, M), NaN = not judged; relevant : bool (J, M); topic : int (M,)
    scores : float (J, S, T), of all topics of the track, NaN where none counts
    ranked : bool (S, T), whether a system ranks any document for a topic
    """

    names: tuple[str, ...]
    scales: tuple[str, ...]
    classes: tuple[NDArray[Any], ...]
    items: NDArray[Any]
    topic: NDArray[Any]
    grades: NDArray[Any]
    relevant: NDArray[Any]
    scores: NDArray[Any]
    ranked: NDArray[np.bool_]

    def both(self, a: int, b: int) -> NDArray[Any]:
        """The places of what both judge. int"""
        return np.flatnonzero(~np.isnan(self.grades[a] + self.grades[b]))

    def alone(self, a: int, b: int) -> NDArray[Any]:
        """The places of what a judges and b does not. int"""
        return np.flatnonzero(~np.isnan(self.grades[a]) & np.isnan(self.grades[b]))

    def shared(self, a: int, b: int) -> NDArray[Any]:
        """The topics on which both score every system that counts. int"""
        return np.flatnonzero((~np.isnan(self.scores[a]) & ~np.isnan(self.scores[b])).any(axis=0))

    def confusion(self, a: int, b: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """All grades that either may give, ascending, (C,), and how often each of a coincides with each of b, int
        (C, C)."""
        classes = np.unique(np.concatenate([self.classes[a], self.classes[b]]))
        shared = self.both(a, b)
        return classes, agreement.confusion(self.grades[a, shared], self.grades[b, shared], classes)

    def on_documents(self, a: int, b: int, places: NDArray[Any] | None = None) -> dict[str, Any]:
        """How far two agree on what both judge, or on some of it: on grades, or where these are on two scales, on what
        is relevant. A dict of columns."""
        shared = self.both(a, b) if places is None else places
        relevant = self.relevant[[a, b]][:, shared]
        alike = self.scales[a] == self.scales[b]
        columns = agreement_of(*(self.grades[[a, b]][:, shared] if alike else relevant.astype(float)), *relevant)
        return {name: columns[name] for name in DOCUMENTS.split()} | ({} if alike else {"shift": np.nan})

    def means(self, a: int, b: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """The mean scores of all systems by each of two, over the topics that both judge; NaN for a system that ranks
        nothing there. Two float (S,)."""
        shared = self.shared(a, b)
        first, second = (self.mean(self.scores[judge], shared) for judge in (a, b))
        return first, second

    def mean(self, scores: NDArray[Any], topics: NDArray[Any]) -> NDArray[Any]:
        """The mean of scores (S, T) over some topics; NaN for a system that ranks nothing there. float (S,)."""
        return np.where(self.ranked[:, topics].any(axis=1), mean_of_known(scores[:, topics].T), np.nan)

    def on_orderings(self, a: int, b: int) -> dict[str, Any]:
        """How far the orderings of systems by two of them agree, a being the reference. A dict of columns."""
        first, second = self.means(a, b)
        known = ~np.isnan(first + second)
        top = min(TOP, int(known.sum()))
        tops = [set(orderings.ordering(means[known])[:top]) for means in (first, second)]
        tied = any(len(np.unique(np.round(means[known], 12))) < 2 for means in (first, second))
        columns = {
            "tau": orderings.kendall_tau(first, second),
            "tau_ap": orderings.tau_ap(first, second),
            "rbo": orderings.rank_biased_overlap(first, second),
            "top5": len(tops[0] & tops[1]) / top if top else np.nan,
        }
        return dict.fromkeys(columns, np.nan) if tied else columns


def panel(study: Study, metric: str | None = None, names: Sequence[str] | None = None) -> Panel:
    """The `Panel` of some judges, by default of all; without scores if no metric is given."""
    names = (REFERENCE, *(study.judges if names is None else names))
    if metric is not None:
        waits = extra_qrels.without_level(study)
        extra_qrels.refuse_level(study, metric, [name for name in names if name not in waits])
    scales = tuple(extra_qrels.scale_of(study, name) for name in names)
    return _aligned([study.judged_by(name) for name in names], names, scales, metric)


def with_second(study: Study) -> Panel:
    """The `Panel` of the study's own and its second judgments, whose grades are read as on one scale, without scores.
    ValueError without any."""
    return _aligned([study, study.judged_by_other], (REFERENCE, "second"), ("", ""))


def _aligned(studies, names, scales, metric=None):
    """The panel of one track with the judgments of each judge."""
    sets = [study.judgments for study in studies]
    judged = np.array([judgments.scale.judged[judgments.level] for judgments in sets])
    items = np.flatnonzero(judged.any(axis=0))
    grades = np.where(judged[:, items], [judgments.grade[items].astype(float) for judgments in sets], np.nan)
    relevant = np.array([judgments.scale.relevant[judgments.level[items]] for judgments in sets])
    scores = np.array([] if metric is None else [scores_of(study, metric) for study in studies])
    classes = tuple(np.array(judgments.scale.grades)[judgments.scale.judged[1:]] for judgments in sets)
    track = studies[0].track
    ranked = np.zeros((len(track.topics), len(track.systems)), bool)
    np.logical_or.at(ranked, track.topic_of_query, track.lengths.T > 0)
    return Panel(names, scales, classes, items, track.topic_of_item[items], grades, relevant, scores, ranked.T)


def scores_of(study: Study, metric: str | Metric) -> NDArray[np.float64]:
    """The score of every system on every topic of the track, NaN where it does not count or has no judgments. float
    (S, T)"""
    scores = np.full((len(study.systems), len(study.track.topics)), np.nan)
    scores[:, study.judged_topics] = study.topic_scores(study.at().values(metric_named(metric)))
    return scores
