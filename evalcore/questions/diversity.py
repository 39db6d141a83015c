"""Diversity: how soon a ranking covers the subtopics of a topic, by the measures of the Web track."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.questions.question import Question
from evalcore.questions.table_helpers import of_systems
from evalcore.statistics import orderings
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.validation import NotKnown

NONE = (
    "the judgments name no subtopics. Load a qrels whose second column is the subtopic: with study.with_subtopics, "
    "--subtopics FILE, or on the page Scores."
)
UNJUDGED = "Unjudged documents count as relevant to no subtopic; these scores have no bounds."
DISJOINT = "no topic of the study has a document that is relevant to a subtopic. Load judgments of the same topics."


@dataclass(frozen=True)
class Subtopics:
    """What the documents of one topic are relevant to.

    documents : names of the D that are relevant to any subtopic; relevant : bool (D, n), one column per subtopic that
    any document is relevant to
    """

    documents: pd.Index
    relevant: NDArray[np.bool_]

    def of(self, names: NDArray[Any]) -> NDArray[np.bool_]:
        """The same for documents of these names, relevant to none where they are not known. bool (..., n)"""
        place = self.documents.get_indexer(names.ravel()).reshape(names.shape)
        nothing = np.zeros((1, self.relevant.shape[1]), bool)
        return np.concatenate([self.relevant, nothing])[place]  # -1 is the last row

    def ideal(self, k: int, alpha: float) -> NDArray[np.float64]:
        """The gains of the greedy ideal ranking, as ndeval makes it: the best next document, ties by name. (k,)"""
        left, worth, gains = np.ones(len(self.documents), bool), np.ones(self.relevant.shape[1]), np.zeros(k)
        last_name_first = self.documents.argsort()[::-1]
        for rank in range(min(k, len(left))):
            of_each = np.where(left, self.relevant @ worth, -1)[last_name_first]
            best = last_name_first[of_each.argmax()]
            gains[rank] = self.relevant[best] @ worth
            left[best], worth = False, np.where(self.relevant[best], worth * (1 - alpha), worth)
        return gains


def gains_of(relevant: NDArray[np.bool_], alpha: float) -> NDArray[np.float64]:
    """The gain of each rank: a subtopic counts 1, and (1 - alpha) less for each earlier document relevant to it.

    relevant : bool (..., K, n), by rank and subtopic -> float (..., K)
    """
    earlier = relevant.cumsum(axis=-2) - relevant
    return (relevant * (1 - alpha) ** earlier).sum(axis=-1)


def diversity(study: Study, *, k: int = 20, alpha: float = 0.5) -> tuple[pd.DataFrame, list[str]]:
    """How well each system's top k covers the subtopics of the topics. Unjudged documents count as not relevant.

    alpha_ndcg : over the greedy ideal ranking; err_ia : over a ranking of documents relevant to all subtopics
    subtopic_recall : the share of the subtopics that the top k covers; subtopics : their mean number
    """
    by_topic = _by_topic(study)
    track, ranks = study.track, np.arange(1, k + 1)
    discounts = {"alpha_ndcg": 1 / np.log2(ranks + 1), "err_ia": 1 / ranks}
    found = {name: np.zeros(track.shape[:2]) for name in (*discounts, "subtopic_recall", "subtopics")}
    for query, topic in enumerate(track.topic_of_query.tolist()):
        of = by_topic.get(track.topics[topic])
        if of is None:
            continue
        items = track.items[:, query, :k]
        relevant = of.of(np.array(track.documents(items.ravel()), object).reshape(items.shape))
        gains = gains_of(relevant, alpha)
        n = relevant.shape[-1]
        best = {"alpha_ndcg": of.ideal(k, alpha), "err_ia": n * (1 - alpha) ** (ranks - 1.0)}
        for name, discount in discounts.items():
            found[name][:, query] = gains @ discount[: gains.shape[1]] / (best[name] @ discount)
        found["subtopic_recall"][:, query] = relevant.any(axis=1).mean(axis=-1)
        found["subtopics"][:, query] = n
    means = {name: study.mean(values) for name, values in found.items()}
    table = of_systems(study).assign(rank=orderings.ranks(means["alpha_ndcg"]), **means)
    without = len(study.judged_topics) - len({*by_topic} & {track.topics[one] for one in study.judged_topics})
    notes = [UNJUDGED]
    if without:
        notes.append(f"Topics without a document relevant to a subtopic, which count 0: {without}.")
    return table.sort_values(["rank", "system"], ignore_index=True), notes


def _by_topic(study):
    """The `Subtopics` of each topic that has any. Raises NotKnown without judgments by subtopic."""
    if study.subtopics is None:
        raise NotKnown(NONE)
    rows = study.subtopics[study.subtopics["grade"] >= study.judgments.scale.rel_level]
    by_topic = {}
    for topic, of in rows[rows["topic"].isin(study.topics)].groupby("topic", sort=False):
        (document, documents), (subtopic, names) = (pd.factorize(of[name]) for name in ("document", "subtopic"))
        relevant = np.zeros((len(documents), len(names)), bool)
        relevant[document, subtopic] = True
        by_topic[topic] = Subtopics(pd.Index(documents), relevant)
    if not by_topic:
        raise ValueError(DISJOINT)
    return by_topic


QUESTIONS = by_name(
    Question(
        "diversity", diversity, section="3.15", files=("subtopics",),
        columns="system group pooled rank alpha_ndcg err_ia subtopic_recall subtopics",
    ),
)  # fmt: skip
