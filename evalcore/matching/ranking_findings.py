"""Findings about rankings as they were read, and about the topics that runs and judgments share."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evalcore.collection.track import Track
from evalcore.reading import system_names
from evalcore.reading.error_text import few_of, shortened
from evalcore.reading.files import Finding
from evalcore.reading.item_codes import HEADLESS, Places, Ranking
from evalcore.reading.rankings import Judged
from evalcore.vocabulary.sentences import digits


def duplicate_findings(
    duplicates: Sequence[tuple[Ranking, NDArray[np.intp]]], systems: Sequence[str]
) -> Iterator[Finding]:
    """Warnings on documents that occur twice in a ranking, per file."""
    by_file = defaultdict(list)
    for ranking, again in duplicates:
        by_file[ranking.run.source.name].append((ranking, again))
    for file in sorted(by_file, key=system_names.natural):
        ranking, again = by_file[file][0]
        run, place = ranking.run.content, ranking.start + int(again[0])
        query = run.queries[np.searchsorted(run.starts, place, "right") - 1]
        document = shortened(run.document(place), 60)
        count = sum(len(again) for _, again in by_file[file])
        message = (
            f"{file}: {digits(count, 'line repeats', 'lines repeat')} a document within a ranking; its best rank is "
            f"kept (e.g. topic {query}, document {document}{run.line(place)})."
        )
        yield Finding("warning", "duplicate documents", systems[ranking.system], "", count, message)


def rank_findings(places: Places, track: Track) -> Iterator[Finding]:
    """Notes on ranks that disagree with the scores, and on rankings that do not start at rank 1."""
    for system, name in enumerate(track.systems):
        first_ranks = places.first_ranks[system]
        of_all = f"of {first_ranks.total()} rankings"
        if count := places.disagree[system]:
            more = places.beyond_ties[system]
            among = f"in {more} of these even without tied scores" if more else "but only where scores are tied"
            message = f"{name}: in {count} {of_all}, the rank column gives another order than the scores, {among}."
            yield Finding("note", "ranks disagree with scores", name, "", count, message)
        if count := places.unranked[system]:
            message = (
                f"{name}: in {count} {of_all}, all documents have the same rank, so only the scores order them. Keep "
                "the order by score."
            )
            yield Finding("note", "ranks all alike", name, "", count, message)
        if cut := places.headless[system]:
            query, start = cut[0]
            high = sum(count for rank, count in first_ranks.items() if rank >= HEADLESS)
            message = (
                f"{name}: ranks start at {start} for topic {track.queries[query]}, and above {HEADLESS - 1} in "
                f"{high} {of_all}. Its best documents seem to be missing, so its scores are too low: check the "
                "beginning of its file."
            )
            yield Finding("warning", "head missing", name, track.queries[query], len(cut), message)
        del first_ranks[1]
        if first_ranks and not cut:
            (start, _), count = first_ranks.most_common(1)[0], first_ranks.total()
            message = f"{name}: ranks start at {start}, not 1, in {count} {of_all}, but only their order counts."
            yield Finding("note", "ranks not from 1", name, "", count, message)


def coverage_findings(track: Track, judged: Judged) -> Iterator[Finding]:
    """Warnings on topics without judgments or without a run, and on systems that share no topic with the qrels."""
    judged_topics = set(judged.topics)
    is_judged = np.array([topic in judged_topics for topic in track.topics], bool)
    answered = np.zeros((len(track.systems), len(track.topics)), bool)
    system, query = np.nonzero(track.lengths)
    answered[system, track.topic_of_query[query]] = True
    idle = ~answered.any(axis=0)
    count = "it counts" if idle.sum() == 1 else "they count"
    as_zero = f'; {count} as 0 in every mean over the topics of the qrels (average="qrels")'
    for check, concerned, singular, plural, lack, whose in (
        ("topics without judgments", ~is_judged, "topic of the runs has", "topics of the runs have", "no judgment",
         _who_alone(track, answered & ~is_judged)),
        ("judgments without runs", idle, "topic of the qrels is", "topics of the qrels are", "in no run", as_zero),
    ):  # fmt: skip
        names = [track.topics[topic] for topic in np.flatnonzero(concerned)]
        if names:
            message = f"{digits(len(names), singular, plural)} {lack} ({few_of(names)}){whose}."
            yield Finding("warning", check, "", names[0] if len(names) == 1 else "", len(names), message)
    count = int(is_judged.sum())
    for system in np.flatnonzero(~answered[:, is_judged].any(axis=1)) if count else ():
        name = track.systems[system]
        message = f"{name} shares no topic with the qrels. Check that the two belong together."
        yield Finding("warning", "no topic of the qrels", name, "", count, message)


def _who_alone(track, answered):
    """The run that has most topics which no other run has, in words. answered : bool (S, T)"""
    alone = answered[:, answered.sum(axis=0) == 1].sum(axis=1)
    if len(alone) < 2 or not alone.any():
        return ""
    topics = "it" if answered.any(axis=0).sum() == 1 else f"{alone.max():,} of them"
    return f"; only {track.systems[int(alone.argmax())]} has {topics}"
