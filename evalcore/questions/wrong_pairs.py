"""System pairs that shallow judgments order wrongly, compared with all judgments or with complete ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.judgment_cuts import ascending_depths, thresholds
from evalcore.questions.question import Question
from evalcore.questions.table_helpers import names_of
from evalcore.questions.table_notes import gaps, notes_on
from evalcore.statistics import significance
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.validation import EQUAL

NOTHING_LEFT = (
    "No swapped pair can be shown: all judgments are used, and there are no complete judgments to compare with."
)


def wrong_pairs(
    study: Study, *, metric: str = "RBP(p=0.8)", estimator: str = "lower", unjudged: str = "irrelevant",
    depths: Sequence[int | None] | None = None, level: float = 0.05, systems: str | Sequence[str] = "all",
    final_estimator: str | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The number of system pairs that each pool depth swaps, compared with the reference, and the clearest of them.

    A blank depth: all judgments. The reference is the study's complete judgments (`Study.with_truth`), else all its
    judgments, with the same estimator unless `final_estimator` names another
    inversions : swapped pairs, without ties in either ordering; significant : how many of these differ significantly at
    that depth (paired t-test, uncorrected); touching : for how many the intervals touch in the reference, because of
    its unjudged documents (metrics with weights of ranks only)
    a, b : the clearest pair, whose smaller difference is the largest: a is above b at the depth, by `difference`;
    `difference_final`, below 0, is the difference in the reference; p : of a and b
    """
    depths, chosen = ascending_depths(study, depths), study.chosen(systems)
    options: dict[str, Any] = {"metric": metric, "estimator": final_estimator or estimator}
    estimate = study.at(unjudged=unjudged).sweep(metric, thresholds(depths), estimator=estimator)
    truth = study if study.truth is None else study.judged_by_truth
    final = truth.means(truth.at(unjudged=unjudged).estimate(**options))
    ends = _ends_of(final, metric_named(metric), chosen)
    final = final.value[chosen]
    means, names = study.means(estimate).value[chosen], names_of(study, systems)
    rows = []
    for i, depth in enumerate(depths):
        scores = study.topic_scores(estimate.value[..., i])[chosen]
        rows.append({"depth": depth, **_wrong(names, means[:, i], final, ends, scores, level)})
    table = pd.DataFrame(rows).astype({"depth": float})
    of_pair = dict.fromkeys(("a", "b", "difference", "difference_final"), "if no pair is swapped")
    few = {"p": "if no pair is swapped, or the pair has fewer than two common topics"}
    without = {"touching": "for metrics without weights of ranks, and if unjudged documents are removed"}
    return table, [*notes_on(study, metric, estimator, unjudged), *gaps(table, **of_pair, **few, **without)]


def _ends_of(means, metric, chosen):
    """The lower and upper bounds of the systems, from unjudged documents only. Two (S,), or None without bounds."""
    return (means.lower[chosen], means.upper_listed[chosen]) if metric.weighted and means.kind == "bounds" else None


def _wrong(names, means, final, ends, scores, level):
    """The pairs that these means (S,) swap, compared with the final ones. ends : of the final ones, by `_ends_of`

    scores : float (S, T)
    """
    difference, in_the_end = (some[:, None] - some[None, :] for some in (means, final))
    a, b = np.nonzero((difference > EQUAL) & (in_the_end < -EQUAL))
    n = np.count_nonzero(~np.isnan(means + final))
    counts = {"pairs": n * (n - 1) // 2, "inversions": len(a)}
    touching = {"touching": np.nan if ends is None else int((ends[1][a] > ends[0][b] - EQUAL).sum())}
    if not len(a):
        return counts | {"significant": 0, "a": None, "b": None} | dict.fromkeys(PAIR[2:], np.nan) | touching
    p = significance.t_test(scores[a] - scores[b])
    clear = np.minimum(difference, -in_the_end)[a, b]
    i = np.flatnonzero(clear >= clear.max() - EQUAL)[0]
    pair = (names[a[i]], names[b[i]], difference[a[i], b[i]], in_the_end[a[i], b[i]], p[i])
    return counts | {"significant": int((p < level).sum())} | dict(zip(PAIR, pair, strict=True)) | touching


PAIR = ("a", "b", "difference", "difference_final", "p")


QUESTIONS = by_name(
    Question(
        "wrong_pairs", wrong_pairs, section="4.6",
        columns="depth pairs inversions significant a b difference difference_final p touching",
    ),
)  # fmt: skip
