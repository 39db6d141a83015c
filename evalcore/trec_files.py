"""Runs as TREC's files: what `trec_eval` and other programs read."""

import numpy as np
import pyarrow as pa

from evalcore.names import indices_of


def trec_run(track, system):
    """A system's rankings as a TREC run: query, Q0, document, rank, score, system. Bytes.

    Where all queries of a topic have one ranking, it stands there once, under the topic's name. Raises ValueError for
    names that six columns cannot hold.
    """
    s = int(indices_of([system], track.systems, "system")[0])
    _, first, topic = np.unique(track.topic_of_query, return_index=True, return_inverse=True)
    alike = np.array_equal(track.items[s], track.items[s, first[topic]])
    names = {q: track.topics[track.topic_of_query[q]] for q in first} if alike else dict(enumerate(track.queries))
    lines = []
    for q, query in names.items():
        n = track.lengths[s, q]
        documents = track.doc_of_item.take(pa.array(track.items[s, q, :n])).to_pylist()
        scores = track.scores[s, q, :n]
        if np.any(np.diff(scores) > 0):  # in the order of the rank column
            scores = np.arange(n, 0.0, -1)
        for k, (document, score) in enumerate(zip(documents, scores.tolist(), strict=True), 1):
            lines.append(b"%s Q0 %s %d %s %s" % (query.encode(), document, k, repr(score).encode(), system.encode()))
    if any(len(line.split()) != 6 for line in lines):
        raise ValueError(f"{system}: a name with a blank in it has no place in a TREC run, which has six columns.")
    return b"".join(line + b"\n" for line in lines)
