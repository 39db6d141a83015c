"""Write runs and judgments as TREC files, which `trec_eval` and other programs read."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.collection.track import Track
from evalcore.vocabulary.registry import indices_of


def trec_run(
    track: Track, system: str, *, tag: str | None = None, queries: Mapping[int, str] | None = None,
    first_rank: int = 1, decimals: int | None = None,
) -> bytes:  # fmt: skip
    """A system's rankings as a TREC run: query, Q0, document, rank, score, tag. Bytes.

    tag : the system's name, unless another is given
    queries : {query (index): its name in the file}, or None for all of them; where all queries of a topic have one
        ranking, it then stands there once, under the topic's name
    decimals : of the scores, or None for as many as they need

    Raises ValueError for names that six columns cannot hold.
    """
    s = int(indices_of([system], track.systems, "system")[0])
    score_format = b"%a" if decimals is None else b"%%.%df" % decimals
    line = b"%s Q0 %s %d " + score_format + b" %s\n"
    tag, lines = (tag or system).encode(), []
    for q, query in (queries or _query_names(track, s)).items():
        n = track.lengths[s, q]
        documents = track.doc_of_item.take(pa.array(track.items[s, q, :n])).to_pylist()
        scores = track.scores[s, q, :n]
        if np.any(np.diff(scores) > 0):  # in the order of the rank column
            scores = np.arange(n, 0.0, -1)
        ranked = enumerate(zip(documents, scores.tolist(), strict=True), first_rank)
        lines += [line % (query.encode(), document, rank, score, tag) for rank, (document, score) in ranked]
    if any(len(line.split()) != 6 for line in lines):
        raise ValueError(
            f"{system}: names in a TREC run must not contain blanks, which separate its six columns. Rename it."
        )
    return b"".join(lines)


def trec_qrels(track: Track, grade: NDArray[np.number], listed: NDArray[np.bool_]) -> bytes:
    """Judgments as TREC qrels: topic, 0, document, grade, in the order of the items. Bytes.

    grade : int (N,), read only where listed; listed : bool (N,), the items that the file has a line for
    """
    items = np.flatnonzero(listed)
    topics = np.array([topic.encode() for topic in track.topics], object)[track.topic_of_item[items]]
    documents = track.doc_of_item.take(pa.array(items)).to_pylist()
    return b"".join(b"%s 0 %s %d\n" % row for row in zip(topics, documents, grade[items].tolist(), strict=True))


def _query_names(track, s):
    """{query: its name} of a run that has every ranking of a system once: by topic, where a topic has only one."""
    _, first, topic = np.unique(track.topic_of_query, return_index=True, return_inverse=True)
    if np.array_equal(track.items[s], track.items[s, first[topic]]):
        return {q: track.topics[track.topic_of_query[q]] for q in first}
    return dict(enumerate(track.queries))
