"""Ask many tracks the same question. One is open at a time, so the memory is that of the largest."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from evalcore.answers import Answer, ask, checked
from evalcore.findings.conclusion import Conclusion, conclude
from evalcore.many_tracks import comparison, track_folder
from evalcore.questions import QUESTIONS
from evalcore.reading.files import InputError
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits

SIZE = ("systems", "topics")  # of a track, beside its name


class TrackAnswer(NamedTuple):
    """What one track answers. systems, topics : how many it has, topics with judgments; digest : of its study; answer :
    None where there is none, for this reason"""

    track: str
    systems: int = 0
    topics: int = 0
    digest: str = ""
    answer: Answer | None = None
    reason: str = ""


@dataclass(frozen=True)
class OverTracks:
    """The answers of many tracks.

    table : a row for each row of each track's answer: track, systems, topics, and the columns of the question; one that
        is called like these is `systems_of_answer`, say
    question, params : as asked; refused : track -> why it has no rows
    notes : the caveats and notes of the tracks, each after their names; setting : of the first answer
    finding : on how many tracks the same holds, where `Question.across` says how tracks are compared
    """

    table: pd.DataFrame
    question: str
    params: dict[str, Any]
    notes: tuple[str, ...]
    refused: dict[str, str]
    setting: str = ""

    @classmethod
    def of(cls, question: str, params: Mapping[str, Any], answers: Iterable[TrackAnswer]) -> "OverTracks":
        """The answers of these tracks in one table. The same data count once."""
        tables, notes, refused, first, setting = [], defaultdict(list), {}, {}, ""
        for track, systems, topics, digest, answer, reason in answers:
            if answer is None:
                refused[track] = reason
                continue
            if first.setdefault(digest, track) != track:
                refused[track] = f"It has the same data as {first[digest]}."
                continue
            setting = setting or answer.finding.setting
            for note in dict.fromkeys([*answer.finding.caveats, *answer.notes]):
                notes[note].append(track)
            rows = answer.table.rename(columns={name: f"{name}_of_answer" for name in SIZE}).astype(object)
            rows.insert(0, "track", track)
            rows.insert(1, "systems", systems)
            rows.insert(2, "topics", topics)
            tables.append(rows)
        columns = columns_of(question)
        table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=columns)
        named = tuple(f"{', '.join(tracks)}: {note}" for note, tracks in notes.items())
        return cls(table[columns].infer_objects(), question, dict(params), named, refused, setting)

    @property
    def finding(self) -> Conclusion:
        if QUESTIONS[self.question].across:
            return replace(self.compared().finding, setting=self.setting)
        answering = self.table["track"].nunique()
        return conclude("{answer} of {n:digits track} {answer:verb answers/answer}.",
                        answer=answering, n=answering + len(self.refused))  # fmt: skip

    def compared(self, against: str | None = None, **keys: Any) -> "comparison.Compared":
        """One number of every track, and on how many tracks the same holds; see `comparison.compared`."""
        return comparison.compared(self.table, QUESTIONS[self.question], self.refused, against, **keys)


def columns_of(question: str) -> list[str]:
    """The columns of the table of many tracks."""
    own = [f"{name}_of_answer" if name in SIZE else name for name in QUESTIONS[question].columns.split()]
    return ["track", *SIZE, *own]


def over_tracks(
    studies: Path | str | Mapping[str, Any] | Iterable[Any], question: str, *,
    options: Mapping[str, Any] = {}, cache: Path | str | bool | None = None,
    progress: Callable[[int, int], None] | None = None, **params: Any,
) -> OverTracks:  # fmt: skip
    """The answers of many tracks to one question. A track that cannot be opened, or cannot answer, is named with the
    reason (`refused`). Raises ValueError for an unknown question, parameter or value, and for a folder without tracks.

    studies : a folder of tracks (see `track_folder`); or paths, study files and studies, in a list or by name
    options, cache : of `open_study`, for those that are opened; params : of the question
    progress : called with (done, total) tracks; what it raises ends the work
    """
    further = track_folder.FURTHER if "other" in checked(question, params).files else ()
    if isinstance(studies, (str, Path)):
        tracks: dict[str, Any] = track_folder.tracks_in(Path(studies))
    else:
        tracks = dict(studies if isinstance(studies, Mapping) else track_folder.named(studies))
        if not tracks:
            raise ValueError("there is no track to ask. Name at least one.")
    answers: list[TrackAnswer] = []
    for name, track in tracks.items():
        if progress:
            progress(len(answers), len(tracks))
        opens = partial(_opened, track, options=options, cache=cache, further=further)
        answers.append(answer_of(name, opens, partial(ask, question=question, **params)))
    return OverTracks.of(question, params, answers)


def _opened(track, **reading):
    return track if isinstance(track, Study) else track_folder.open_track(track, **reading)


def answer_of(track: str, opens: Callable[[], Study], asks: Callable[[Study], Answer]) -> TrackAnswer:
    """What a track answers, or why it does not. The study is not kept."""
    try:
        study = opens()
        return TrackAnswer(track, len(study.systems), len(study.judged_topics), study.digest, asks(study))
    except InputError as refused:
        first, *more = (problem.message for problem in refused.problems)
        return TrackAnswer(track, reason=first + (f" ({digits(len(more), 'more problem')})" if more else ""))
    except ValueError as refused:
        return TrackAnswer(track, reason=str(refused))
    except MemoryError:
        return TrackAnswer(track, reason="It needs more memory than is available.")
    except OSError as refused:
        return TrackAnswer(track, reason=f"It cannot be read: {refused.strerror or refused}.")
