"""A qrels with the judgments of several rounds, some of which judged documents that these runs could not retrieve."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evalcore.collection import pool
from evalcore.collection.shares import share
from evalcore.collection.track import Track
from evalcore.reading.error_text import few_of
from evalcore.reading.files import Finding
from evalcore.reading.rankings import Judged
from evalcore.vocabulary.sentences import digits

MOST, FEWEST = 20, 10  # rounds, and judgments of each
HARDLY, HALF = 0.1, 0.5  # of the usual share, and a tenth of all that is relevant
RETRIEVERS = 2  # runs that have a document which was there to be retrieved


def round_findings(track: Track, judged: Judged, row: NDArray[np.intp]) -> Iterator[Finding]:
    """A warning where runs lack nearly all judgments of some rounds, as many of which are relevant as of the others.

    A round is a word of TREC's second column. judged : `rankings.Judged`; row : int (N,), the judgment of each item
    """
    if judged.iteration is None or len(judged.iteration.dictionary) > MOST:
        return
    answered = np.zeros(len(track.topics), bool)
    answered[track.topic_of_query[(track.lengths > 0).any(axis=0)]] = True
    looked_at = (row >= 0) & answered[track.topic_of_item]
    items = np.flatnonzero(looked_at)
    runs = pool.holders(track.items, looked_at)[0][items]
    of_round = judged.iteration.indices.to_numpy()[row[items]]

    def shares(of):
        return share(np.bincount(of_round, of, len(words)), count)

    words = [word.decode("utf-8", "backslashreplace") for word in judged.iteration.dictionary.to_pylist()]
    count = np.bincount(of_round, minlength=len(words))
    known = shares(runs >= min(RETRIEVERS, len(track.systems)))
    relevant = shares(judged.grades[row[items]] > 0)
    usual = (known >= HALF * known.max()) & (count >= FEWEST)
    lacked = (known < HARDLY * known.max()) & (count >= FEWEST) & (relevant >= HALF * relevant[usual].min(initial=1))
    lost = int(count[lacked].sum())
    if lacked.any() and (relevant * count)[lacked].sum() >= HARDLY * (relevant * count).sum():
        names = sorted(word for word, lacks in zip(words, lacked, strict=True) if lacks)
        message = (
            f"The qrels have the judgments of {digits(len(words), 'round')} (their second column). Runs retrieve "
            f"hardly any of the {digits(lost, 'document')} judged in {few_of(names)}, but {known.max():.0%} of those "
            f"judged in {words[known.argmax()]}. They seem to be judged for other runs, but count as relevant, so AP, "
            "nDCG and recall may be too low. Check whether only the judgments of the runs' own round should count."
        )
        yield Finding("warning", "judgments of several rounds", "", "", lost, message)
