"""What a visitor has: the files that they loaded, what they made of them, and what they chose, as one record.

The record is frozen, so a run, a callback and the copy that is kept for a reload never see half of a change. It becomes
a study file and comes back in `ui.data.saved_studies`; an address has the choices of it that are not a page's defaults.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from evalcore.reading.files import Problem, Upload

RECORD = "_visit"


@dataclass(frozen=True)
class LoadedFile:
    """A file that a visitor loaded, and how it is read.

    role : what it is for, a key of `sources.LABELS`; seems : the role that it looks like, "" = none
    surely : whether it can only be read in the other role; problem : why it can be read in none
    table : its first rows and suggested columns, see `uploaded_file.table_of`; columns : their meaning, if chosen
    size, digest : bytes of the upload that it came in, and their SHA-256; upload_id : as Streamlit keeps that
    kind : of a judge, "model" or "people"
    """

    name: str
    upload: Upload
    size: int
    digest: str
    role: str
    seems: str = ""
    surely: bool = False
    table: dict[str, Any] | None = field(default=None, repr=False)
    columns: dict[str, Any] | None = None
    problem: Problem | None = None
    upload_id: str = ""
    kind: str = ""

    @property
    def key(self) -> str:
        """Its name among the files of a data set."""
        return f"{self.role}/{self.name}/{self.digest[:12]}"

    @property
    def waits(self) -> bool:
        """Whether the meaning of a table's columns is still unknown."""
        return bool(self.table and not self.table["certain"] and not self.columns)


@dataclass(frozen=True)
class Additions:
    """What a visitor has of one data set.

    files : its runs, judgments and tables, or those that are added to a sample or to a track of the server
    second, judges, by_page : second judgments, further judges by name, and files that one part of a page asks for
    without_second : whether the second judgments of a sample or of the server are removed
    systems : the systems table as edited; fused : how fused runs are made, by name; name : of the data set
    judge_levels, judge_gains, add_to_truth : options on how the files are read
    notes : for the report: digest of the study -> page -> text
    saved : the manifest of the study file that was opened, with its options; None = none
    """

    files: Mapping[str, LoadedFile] = field(default_factory=dict)
    second: LoadedFile | None = None
    without_second: bool = False
    judges: Mapping[str, LoadedFile] = field(default_factory=dict)
    by_page: Mapping[str, Upload] = field(default_factory=dict)
    systems: Upload | None = None
    fused: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    name: str = ""
    judge_levels: Mapping[str, Any] = field(default_factory=dict)
    judge_gains: Mapping[str, Any] = field(default_factory=dict)
    add_to_truth: bool = False
    notes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    saved: Mapping[str, Any] | None = None

    def loaded(self) -> Iterator[LoadedFile]:
        """All its loaded files."""
        yield from (*self.files.values(), *self.judges.values(), *([self.second] if self.second else ()))


@dataclass(frozen=True)
class Visit:
    """The record of a visit.

    studies : data set -> what the visitor has of it
    options : with which studies are opened; None = not read from the address yet
    choices : as in an address: key -> values
    from_link : whether *Your files* was opened by a link, and no file was loaded since; None = not known yet
    tracks : files that are whole tracks, by name, which the page Tracks compares
    """

    studies: Mapping[str, Additions] = field(default_factory=dict)
    options: Mapping[str, Any] | None = None
    choices: Mapping[str, list[str]] = field(default_factory=dict)
    from_link: bool | None = None
    tracks: Mapping[str, LoadedFile] = field(default_factory=dict)

    def loaded(self) -> Iterator[LoadedFile]:
        """All loaded files, for whichever data set."""
        yield from self.tracks.values()
        for additions in self.studies.values():
            yield from additions.loaded()


def now() -> Visit:
    """The record as it is now."""
    return st.session_state.get(RECORD) or Visit()


def change(**parts: Any) -> None:
    """Replace parts of the record."""
    st.session_state[RECORD] = replace(now(), **parts)


def of(study: str) -> Additions:
    """What the visitor has of a data set."""
    return now().studies.get(study) or Additions()


def change_of(study: str, **parts: Any) -> None:
    """Replace parts of what the visitor has of a data set."""
    change(studies={**now().studies, study: replace(of(study), **parts)})


def kept() -> Visit:
    """The record for a reload: without options and choices, which the address has, so that a link shows the same to
    everybody."""
    return replace(now(), options=None, choices={})


def without(values: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """A mapping without some of its names."""
    return {name: value for name, value in values.items() if name not in names}
