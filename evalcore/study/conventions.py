"""Conventions in which other programs differ, and which of them explains the scores that they print.

A convention is tried, never guessed: the scores are computed again under it. It explains a difference where it gives
the printed score, and leaves every score right that was right without it: of the whole output, else of one measure,
else of one system.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations, groupby
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.collection.shares import share
from evalcore.interop import score_files
from evalcore.reading.files import File
from evalcore.study.evaluation import Evaluation
from evalcore.study.study import Study

ROUNDING = 1e-9  # of sums, beside that of what is printed
SINGLE = 1e-6  # what numbers of 32 bits lose in sums over a list
CUTS = (1000, 500, 200, 100, 50, 20, 10)  # documents of a topic


@dataclass(frozen=True)
class Convention:
    """One way of doing it.

    about : of two on the same thing only one can be; words : for people, with the option of trec_eval where it has one
    study(study) : the study read so; unjudged : see `Study.at`; average : over which topics, a key of AVERAGES
    printed : how scores are written, "cut" or "single"
    """

    about: str
    words: str
    study: Callable[[Study], Study] | None = None
    unjudged: str = ""
    average: str = ""
    printed: str = ""


# ---------------------------------------------------------------------------------------------------------------------
# The conventions


def conventions(study: Study) -> list[Convention]:
    """What may be done otherwise than the study does it, in the order in which it is tried. List of Convention."""
    return [*_orders(study), *_readings(study), *_averages(study), *_printed()]


def _orders(study):
    order, about = study.options["order"], "order"
    if study.by_rank is not None:
        other = "rank" if order == "score" else "score"
        words = {"rank": "ranked by the file's rank column", "score": "ranked by score, not by the rank column"}
        yield Convention(about, words[other], lambda study: study.ordered_by(other))
    if order == "score":
        yield Convention(about, "scores compared as 32-bit numbers", _in_32_bits)
        yield Convention(about, "ties by document name, ascending", _ties_ascending)
        if study.by_rank is not None:
            yield Convention(about, "ties in the order of the rank column", _ties_by_rank)
    longest = study.track.shape[2]
    for most in CUTS:
        if most < longest:
            words = f"only the first {most:,} documents of a topic (-M {most})"
            yield Convention("length", words, partial(_cut, most=most))


def _in_32_bits(study):
    return _sorted(study, study.track.scores.astype(np.float32), -study.track.name_order[study.track.items])


def _ties_ascending(study):
    return _sorted(study, study.track.scores, study.track.name_order[study.track.items])


def _ties_by_rank(study):
    by_rank = study.ordered_by("rank").track
    return replace(study, track=_by(by_rank, by_rank.scores, np.zeros(by_rank.shape, int)))


def _sorted(study, scores, then):
    return replace(study, track=_by(study.track, scores, then))


def _by(track, scores, then):
    """The track by falling score, ties by rising `then`, then as they stand; empty places stay at the end."""
    falling = np.where(np.isnan(scores), np.inf, -scores)
    return track.reordered(np.lexsort((then, falling), axis=2))


def _cut(study, most):
    track = study.track
    return replace(study, track=replace(track, items=track.items[:, :, :most], scores=track.scores[:, :, :most]))


def _readings(study):
    scale = study.judgments.scale
    for level in sorted({grade for grade in scale.grades if grade > 0} - {scale.rel_level}):
        words = f"relevant from grade {level} (-l {level})"
        yield Convention("level", words, partial(_scaled, rel_level=level))
    grades = [grade for grade in scale.grades if grade >= 0]
    largest = max([1, *grades])
    gains = {
        "gain 1 for every relevant grade": {grade: float(grade >= scale.rel_level) for grade in grades},
        "gain 2^grade - 1": {grade: (2.0**grade - 1) / 2.0**largest for grade in grades},
        "gain by grade": {grade: grade / largest for grade in grades},
    }
    for words, gain in gains.items():
        if any(gain.values()):
            yield Convention("gains", words, partial(_scaled, gains=gain))
    if min(scale.grades, default=0) < 0:
        yield Convention("negative", "negative grades count as judged and not relevant", _negative_judged)
        words = "unjudged documents removed, except those with negative grades"
        yield Convention("unjudged", words, _negative_judged, unjudged="condensed")
    all_unjudged = partial(_scaled, negative="unjudged")
    yield Convention("unjudged", "unjudged documents removed (-J)", all_unjudged, unjudged="condensed")


def _scaled(study, **options):
    return replace(study, judgments=replace(study.judgments, scale=replace(study.judgments.scale, **options)))


def _negative_judged(study):
    """Every negative grade as a 0, for bpref and infAP too, which otherwise take none of them as judged."""
    scale = study.judgments.scale
    return _scaled(study, grades=tuple(max(grade, 0) for grade in scale.grades), negative="judged")


AVERAGES = {
    "qrels": "averaged over all topics of the qrels (-c)",
    "common": "averaged over the topics that the run answers (no -c)",
    "relevant": "averaged over the topics that have a relevant document",
    "listed": "averaged over the topics that the output lists",
}


def _averages(study):
    for average, words in AVERAGES.items():
        if average != study.options["average"]:
            yield Convention("average", words, average=average)


def _printed():
    yield Convention("printed", "digits cut off, not rounded", printed="cut")
    yield Convention("printed", "computed in 32 bits", printed="single")


# ---------------------------------------------------------------------------------------------------------------------
# What they give


class Tries:
    """The scores of printed rows, computed under conventions.

    study, rows : the study, and the columns output (which one printed it), metric (names), system (index), place (index
        of a judged topic, `MEAN`, or T' + that of a query), value and digits
    """

    def __init__(self, study: Study, rows: pd.DataFrame) -> None:
        self.study = study
        self.rows = {name: rows[name].to_numpy() for name in ("output", "metric", "system", "place", "value", "digits")}
        self._values = {}
        self._last_read: tuple[tuple[Any, ...], tuple[Study, Evaluation]] | None = None

    def scores(self, tried: Sequence[Convention], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The scores here of these rows (indices) under some conventions. float, NaN where there is none."""
        result = np.full(len(rows), np.nan)
        average = next(filter(None, (convention.average for convention in tried)), self.study.options["average"])
        systems, row_of = np.unique(self.rows["system"][rows], return_inverse=True)
        metrics, places = self.rows["metric"][rows], self.rows["place"][rows]
        for name in dict.fromkeys(metrics):
            values, of = self._of(tried, name, tuple(systems)), metrics == name
            topic, mean = np.flatnonzero(of & (places != MEAN)), np.flatnonzero(of & (places == MEAN))
            result[topic] = values[row_of[topic], places[topic]]
            if len(mean):
                counted = self._counted_for(average, rows[mean])
                total = np.where(counted, values[row_of[mean], : counted.shape[1]], 0).sum(axis=1)
                n = counted.sum(axis=1)
                result[mean] = share(total, n, without=np.nan)
        return result

    def agree(self, tried: Sequence[Convention], rows: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of these rows (indices) the conventions give to the last digit printed. bool"""
        printed = next(filter(None, (convention.printed for convention in tried)), "")
        theirs, unit = self.rows["value"][rows], 10.0 ** -self.rows["digits"][rows]
        ours = self.scores(tried, rows)
        if printed == "cut":
            return (ours - theirs > -ROUNDING) & (ours - theirs < unit)
        return np.abs(ours - theirs) <= (SINGLE if printed == "single" else ROUNDING) + unit / 2

    def matters(self, convention: Convention, rows: NDArray[np.intp]) -> bool:
        """Whether a convention alone changes any of the scores of these rows (indices), or how they are printed."""
        return bool(convention.printed) or bool(
            (np.abs(self.scores((convention,), rows) - self.scores((), rows)) > ROUNDING).any()
        )

    def _of(self, tried, metric, systems):
        """The scores of some systems (indices) on every judged topic, then on every query. float (systems, T' + Q)"""
        key = (tuple(convention.words for convention in tried if convention.study or convention.unjudged), systems)
        if (key, metric) not in self._values:
            if self._last_read is None or self._last_read[0] != key:  # one alone is kept: each holds a whole study
                self._last_read = key, self._read(tried, systems)
            study, reading = self._last_read[1]
            values = reading.values(metric)
            self._values[key, metric] = np.concatenate([study.by_topic(values), values], axis=1)
        return self._values[key, metric]

    def _read(self, tried, systems):
        study = self.study
        if len(systems) < len(study.systems):
            study = study.only(systems=[study.systems[s] for s in systems])
        for convention in tried:
            study = convention.study(study) if convention.study else study
        unjudged = next(filter(None, (convention.unjudged for convention in tried)), "irrelevant")
        return study, study.at(unjudged=unjudged)

    def _counted_for(self, average, rows):
        """Whether each judged topic counts for these means. bool (rows, T')"""
        if average != "listed":
            return self._counted[average][self.rows["system"][rows]]
        counted = np.zeros((len(rows), len(self.study.judged_topics)), bool)
        for row, counts in zip(rows, counted, strict=True):
            counts[self._listed.get((self.rows["output"][row], self.rows["metric"][row]), [])] = True
        return counted

    @cached_property
    def _counted(self):
        """Whether each judged topic counts for each system, by averages. bool (S, T')"""
        study = self.study
        answered = study.by_topic((study.track.lengths > 0).astype(float)) > 0
        relevant = study.judgments.relevant[study.judged_topics] > 0
        return {"qrels": np.ones_like(answered), "common": answered, "relevant": answered & relevant}

    @cached_property
    def _listed(self):
        """The topics that each output lists for each measure."""
        values = {}
        for output, metric, place in zip(*(self.rows[name] for name in ("output", "metric", "place")), strict=True):
            if 0 <= place < len(self.study.judged_topics):
                values.setdefault((output, metric), []).append(place)
        return values


MEAN = -1  # the place of a mean over topics
SAMPLE = 200  # rows on which two or three conventions together are tried first
ENOUGH = 0.9  # of what is left, so that no more conventions are tried together


def explained(study: Study, rows: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.object_]]:
    """Which conventions explain the printed scores. -> (scores here, float; words, "" for what agrees as it is and None
    for what nothing explains)

    study, rows : see `Tries`, and the column label
    """
    tries, every = Tries(study, rows), np.arange(len(rows))
    ours, right = tries.scores((), every), tries.agree((), every)
    words = np.where(right, "", None)  # type: ignore[call-overload]
    known = conventions(study)
    for most, scope in ((3, np.zeros(len(rows))), (2, rows["label"].to_numpy()), (2, rows["system"].to_numpy())):
        for scope_name in dict.fromkeys(scope):
            here = np.flatnonzero(scope == scope_name)
            while _explain_some(tries, known, most, here, words):
                pass
    return ours, words


def _explain_some(tries, known, most, rows, words):
    """Find what explains the most of the rows (indices) that nothing explains yet. -> whether something did

    It must leave right what is right so far; several conventions together must explain as many rows at the least.
    """
    unknown = pd.isna(words[rows])
    left, right = rows[unknown], rows[~unknown]
    best, hits, few = None, 0, left[:: -(-len(left) // SAMPLE) or 1]
    mattering = [convention for convention in known if tries.matters(convention, few)]
    for size, combinations_ in groupby(_together(known, mattering, most), len):
        sample = left if size == 1 else few
        scale = len(left) / max(len(sample), 1)
        scored = (
            [(tries.agree(tried, sample).sum() * scale, tried) for tried in combinations_] if len(left) >= size else []
        )
        for count, tried in sorted(scored, key=lambda pair: -pair[0]):
            if count < max(size, hits + 1):
                break
            if all_agree(tries, tried, right):
                best, hits = tried, count
                break
        if hits >= ENOUGH * len(left):
            break
    if best is None:
        return False
    words[left[tries.agree(best, left)]] = "; ".join(convention.words for convention in best)
    return True


def all_agree(tries: Tries, tried: Sequence[Convention], rows: NDArray[np.intp]) -> bool:
    """Whether the conventions give all of these rows (indices); a few are looked at first."""
    return all(tries.agree(tried, some).all() for some in (rows[:: len(rows) // 20 or 1], rows) if len(some))


def _together(known, mattering, most):
    """One convention, then two of different things, then three of which one is of means alone."""
    for size in range(1, most + 1):
        for combination in combinations(known if size == 1 else mattering, size):
            about = {convention.about for convention in combination}
            if len(about) == size and (size < 3 or "average" in about):
                yield combination


# ---------------------------------------------------------------------------------------------------------------------
# A study with another program's scores


def with_scores(study: Study, theirs: File | Sequence[File]) -> Study:
    """The study with the scores that another program printed beside its own.

    theirs : a file, a folder or a zip; see `interop.score_files`. Raises `InputError`.
    """
    table, sources = score_files.scores_in(theirs)
    kept = (source for source in study.sources if source.role != "theirs")
    return replace(study, theirs=table, sources=(*kept, *sources))
