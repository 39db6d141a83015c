"""Diversity: how soon systems cover the subtopics of the topics."""

import numpy as np
import pandas as pd

from evalcore.metrics.diversity import Subtopics, measures
from evalcore.questions.question import Question
from evalcore.questions.table_helpers import by_rank, of_systems
from evalcore.statistics import orderings
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.validation import NotKnown

NONE = (
    "the judgments name no subtopics. Load a qrels whose second column is the subtopic: with study.with_subtopics, "
    "--subtopics FILE, or on the page Scores."
)
UNJUDGED = "Unjudged documents count as relevant to no subtopic; these scores have no bounds."
NOTHING_RELEVANT = (
    "no document is relevant to a subtopic of these topics. Load other judgments by subtopic, or choose a lower lowest "
    "relevant grade."
)
MEASURES = ("alpha_ndcg", "err_ia", "subtopic_recall")


def diversity(study: Study, *, k: int = 20, alpha: float = 0.5) -> tuple[pd.DataFrame, list[str]]:
    """How well each system's top k covers the subtopics of the topics. Unjudged documents count as not relevant.

    alpha_ndcg : over the greedy ideal ranking; err_ia : over a ranking of documents relevant to all subtopics
    subtopic_recall : the share of the subtopics that the top k covers; subtopics : their mean number
    """
    by_topic, track = _by_topic(study), study.track
    values = {name: np.zeros(track.shape[:2]) for name in (*MEASURES, "subtopics")}
    for query, topic in enumerate(track.topic_of_query.tolist()):
        if of := by_topic.get(track.topics[topic]):
            items = track.items[:, query, :k]
            names = np.array(track.documents(items.ravel()), object).reshape(items.shape)
            for name, of_each in measures(of, names, k, alpha).items():
                values[name][:, query] = of_each
            values["subtopics"][:, query] = of.relevant.shape[1]
    means = {name: study.mean(by_query) for name, by_query in values.items()}
    rank, n = orderings.ranks(means["alpha_ndcg"]), study.counted.sum(axis=1)
    table = of_systems(study).assign(rank=rank, **means, n=n)
    without = len({track.topics[topic] for topic in study.judged_topics} - by_topic.keys())
    notes = [UNJUDGED]
    if without:
        notes.append(f"Topics without a document relevant to a subtopic, which count 0: {without}.")
    return by_rank(table), notes


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
        raise ValueError(NOTHING_RELEVANT)
    return by_topic


QUESTIONS = by_name(
    Question(
        "diversity", diversity, section="3.15", files=("subtopics",),
        columns="system group pooled rank alpha_ndcg err_ia subtopic_recall subtopics n",
    ),
)  # fmt: skip
