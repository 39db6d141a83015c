"""Split a system into its run files, one per query variation, so that each file is checked on its own."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from evalcore.collection.track import EMPTY
from evalcore.study.study import Study


def by_file(study: Study) -> Study:
    """The study with a system per system and variation, and a query per topic.

    The same study where run files are not named by variation.
    """
    if study.options["variations"] != "run":
        return study
    variation, by_rank = _variation_of(study), study.by_rank
    if by_rank is not None:
        files = _Files(study.whole, variation)
        by_rank = files.rows(by_rank, 0)[files.present]
    track, whole = (_Files(track, variation).track() for track in (study.track, study.whole))
    return replace(study, track=track, whole=whole, by_rank=by_rank)


def lacking(study: Study) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The judged topics for which each system, or each file of a variation, returned nothing.

    -> pairs of a name and a tuple of positions among all topics; only topics with a query of the variation count
    """
    track, variations = study.track, _variation_of(study)
    judged = np.isin(track.topic_of_query, study.judged_topics)
    variation = np.array([variations[query] for query in track.queries])
    for system, lengths in zip(track.systems, track.lengths, strict=True):
        for label in dict.fromkeys(variation[judged]):
            expected = judged & (variation == label)
            has = track.topic_of_query[expected & (lengths > 0)]
            if len(has):
                without = np.setdiff1d(track.topic_of_query[expected], has)
                yield _name(system, label), tuple(without)


def _variation_of(study):
    """The variation of each query, "" where files are not named by variation. A dict, by the query's name."""
    named = study.options["variations"] == "run"
    variation = study.query_table["variation"] if named else np.full(len(study.query_table), "")
    return dict(zip(study.query_table["query"], variation, strict=True))


def _name(system, variation):
    return f"{system}.v{variation}" if variation else system


class _Files:
    """Which rankings of a track come from which file.

    query : int (V, T'), the query of each variation and topic, -1 where there is none
    present : bool (S * V,), which systems have each variation
    """

    def __init__(self, of, variation):
        self.of, self.variations = of, list(dict.fromkeys(variation[query] for query in of.queries))
        self.topics, place = np.unique(of.topic_of_query, return_inverse=True)
        self.query = np.full((len(self.variations), len(self.topics)), -1)
        place_of_query = [self.variations.index(variation[query]) for query in of.queries]
        self.query[place_of_query, place] = np.arange(len(of.queries))
        self.present = self.rows(of.items, EMPTY).any(axis=(1, 2))

    def rows(self, values, empty):
        """The values of each rank, file by file. (S, Q, K) -> (S * V, T', K)"""
        chosen = values[:, self.query]
        chosen[:, self.query < 0] = empty
        return chosen.reshape(-1, *chosen.shape[2:])

    def track(self):
        files = [(s, variation) for s in range(len(self.of.systems)) for variation in self.variations]
        files = [file for file, present in zip(files, self.present, strict=True) if present]
        system = [s for s, _ in files]
        return replace(
            self.of,
            items=self.rows(self.of.items, EMPTY)[self.present],
            scores=self.rows(self.of.scores, np.nan)[self.present],
            systems=tuple(_name(self.of.systems[s], variation) for s, variation in files),
            groups=tuple(self.of.groups[s] for s in system),
            pooled=self.of.pooled[system],
            queries=tuple(self.of.topics[topic] for topic in self.topics),
            topic_of_query=self.topics.astype(np.int32),
        )
