"""A track as a folder or a file: which of its files is what, and how it is opened.

A folder with runs/ and qrels.txt is a track; systems.tsv, queries.tsv and qrels.second.txt in it are its tables and
second judgments, and the files of judges/ are those of further judges. Each may be packed with gzip. Any other folder,
archive or workbook is a whole track, as `open_study` recognises it; a study file is what it says.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evalcore.large.open_blocked import open_within
from evalcore.study import attached, study_file
from evalcore.study.attached import AttachedFile
from evalcore.study.judge_names import KINDS, judge_name
from evalcore.study.study import Study

RUNS, QRELS, JUDGES = "runs", "qrels.txt", "judges"
BESIDE = {"systems": "systems.tsv", "queries": "queries.tsv", "other": "qrels.second.txt"}
FURTHER = ("other", "judge")  # roles of judgments that some questions ask for
WHOLE = (".zip", ".xlsx", study_file.ENDING)  # files that may be whole tracks


def files_beside(folder: Path, further: Sequence[str] = FURTHER) -> list[AttachedFile]:
    """The files of a track's folder besides its runs and judgments. further : roles of further judgments"""
    beside = {role: _of(folder, name) for role, name in BESIDE.items()}
    files = [AttachedFile(role, file) for role, file in beside.items() if file]
    judges = sorted(path for path in (folder / JUDGES).glob("*") if path.name[0] != "." and path.is_file())
    files += [AttachedFile("judge", file, {"judges": {judge_name(file): KINDS[0]}}) for file in judges]
    return [file for file in files if file.role not in FURTHER or file.role in further]


def tracks_in(folder: Path) -> dict[str, Path]:
    """The tracks in a folder, name -> path: its folders, study files, zip archives and workbooks; a folder that has
    `runs` is itself the only one. Raises ValueError where there is none."""
    if (folder / RUNS).exists():
        return {folder.resolve().name: folder}
    try:
        paths = sorted(path for path in folder.iterdir() if path.name[0] != ".")
    except OSError as error:
        raise ValueError(f"{folder} cannot be read: {error.strerror}. Name a folder of tracks.") from None
    tracks = dict(named(path for path in paths if path.is_dir() or path.suffix.lower() in WHOLE))
    if not tracks:
        raise ValueError(f"{folder} contains no track. Give each track a folder with its runs and qrels.txt.")
    return tracks


def named(tracks: Any) -> Iterator[tuple[str, Any]]:
    """(name, track) of paths and studies: a path's last part, which is unique; a study has only its number."""
    taken: set[str] = set()
    for number, track in enumerate(tracks, 1):
        path = Path() if isinstance(track, Study) else Path(track)
        name = (path.stem if path.suffix.lower() in WHOLE else path.name) or f"track {number}"
        while name in taken:
            name += f" ({number})"
        taken.add(name)
        yield name, track


def open_track(
    path: Path | str, *, cache: Any = None, options: Mapping[str, Any] = {}, further: Sequence[str] = FURTHER
) -> Study:
    """The study of a folder or a file; in blocks where it needs more memory than allowed. Raises InputError, ValueError
    for an option, and OSError.

    cache, options : of `open_study`; a study file has its own; further : see `files_beside`
    """
    path = Path(path)
    runs, qrels = path / RUNS, _of(path, QRELS)
    if not (runs.exists() and qrels):
        return open_within(path, cache=cache, **options)
    files = files_beside(path, further)
    read: dict[str, Any] = {**attached.of_track(files), **options}
    return attached.attach_each(open_within(runs, qrels, cache=cache, **read), files)


def _of(folder, name):
    """The file of this name in a folder, or the same packed, or None."""
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)
