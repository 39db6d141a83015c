"""Small studies: from dicts, the slow and obvious way, so that what reads files is not needed to test what counts."""

import numpy as np
import pandas as pd
import pyarrow as pa
from hypothesis import strategies as st

from evalcore.collection.track import Track
from evalcore.reading.loading import Loaded
from evalcore.study.opening import OPTIONS as ALL_OPTIONS
from evalcore.study.opening import study_of
from tests.oracles.ranking import order

OPTIONS = {name: option.default for name, option in ALL_OPTIONS.items()}


def small_study(runs, qrels, *, groups=None, **options):
    """A study of runs {system: {query: {document: score}}} and qrels {topic: {document: grade}}; queries are topics,
    unless they are named `topic-variation`."""
    return study_of(loaded(runs, qrels, groups), OPTIONS | options)


def loaded(runs, qrels, groups=None):
    systems = sorted(runs)
    topics = sorted({topic_of(query) for run in runs.values() for query in run} | set(qrels))
    queries = sorted({query for run in runs.values() for query in run})
    queries = sorted([*queries, *(topic for topic in topics if topic not in map(topic_of, queries))])
    documents = {topic: set(qrels.get(topic, ())) for topic in topics}
    for run in runs.values():
        for query, scored in run.items():
            documents[topic_of(query)] |= set(scored)
    pairs = [(topic, document) for topic in topics for document in sorted(documents[topic])]
    code = {pair: number for number, pair in enumerate(pairs, 1)}
    longest = max([1, *(len(scored) for run in runs.values() for scored in run.values())])
    items = np.zeros((len(systems), len(queries), longest), np.int32)
    scores = np.full(items.shape, np.nan)
    for s, system in enumerate(systems):
        for q, query in enumerate(queries):
            scored = runs[system].get(query, {})
            for rank, document in enumerate(order(scored)):
                items[s, q, rank] = code[topic_of(query), document]
                scores[s, q, rank] = scored[document]
    track = Track(
        items=items,
        scores=scores,
        systems=tuple(systems),
        groups=tuple((groups or {}).get(system, "") for system in systems),
        pooled=np.zeros(len(systems), bool),
        queries=tuple(queries),
        topics=tuple(topics),
        topic_of_query=np.array([topics.index(topic_of(query)) for query in queries], np.int32),
        topic_of_item=np.array([-1, *(topics.index(topic) for topic, _ in pairs)], np.int32),
        doc_of_item=pa.array([b"", *(document.encode() for _, document in pairs)], pa.binary()),
    )
    grade = np.array([0, *(qrels.get(topic, {}).get(document, 0) for topic, document in pairs)], np.int32)
    listed = np.array([False, *(document in qrels.get(topic, {}) for topic, document in pairs)])
    table = pd.DataFrame({"system": systems, "pooled": [None] * len(systems)})
    return Loaded(track, None, grade, listed, table, pd.DataFrame({"query": queries}), (), ())


def g_max_of(qrels):
    return max([1, *(grade for judged in qrels.values() for grade in judged.values())])


def topic_of(query):
    return query.split("-")[0]


DOCUMENTS = [f"d{letter}" for letter in "abcdefghijkl"]


@st.composite
def tracks(draw, systems=4, topics=3, grades=(-2, -1, 0, 0, 1, 1, 2, 3)):
    """Runs with ties, of ragged lengths, some without a topic; judgments of some documents of most topics."""
    names = [f"t{number}" for number in range(draw(st.integers(1, topics)))]
    ranking = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4).map(float), max_size=9)
    run = st.fixed_dictionaries({}, optional={name: ranking.filter(bool) for name in names})
    runs = {f"s{number}": draw(run) for number in range(draw(st.integers(1, systems)))}
    some = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from(grades), max_size=9)
    qrels = {name: draw(some) for name in names}
    return runs, {name: judged for name, judged in qrels.items() if judged}
