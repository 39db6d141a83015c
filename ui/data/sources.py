"""Sources of a study: a sample, a track on the server, or a visitor's files; and how to open them."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import evalcore
from evalcore.reading.files import NO_JUDGMENTS, File, Problem, stamp, why_no_file
from evalcore.study import attached
from evalcore.study.attached import AttachedFile
from evalcore.study.judge_names import KINDS, REFERENCE, judge_name
from evalcore.study.study import Study
from evalcore.study.study_file import is_study_file
from evalcore.vocabulary.sentences import listed
from ui.data import uploaded_file
from ui.session.visit import LoadedFile

SAMPLE_DATA = Path(__file__).resolve().parents[2] / "sample_data"
SAMPLES = {"web": "Sample: web", "newswire": "Sample: newswire", "variations": "Sample: query variations"}
OF_SAMPLES = {  # role -> name of the file
    "systems": "systems.tsv", "queries": "queries.tsv", "other": "qrels.second.txt.gz",
    "truth": "qrels.complete.txt.gz",
}  # fmt: skip
VARIATIONS = {"variations": "run"}  # how a sample's queries name their topic
ROUNDS = 10  # times that files which cannot be read are left out; each may take as long as opening the others
KEPT_NAMES = (REFERENCE, "second")  # which no judge that a visitor loads gets
LABELS = {"runs": "run", "qrels": "judgments", uploaded_file.UNKNOWN: "not recognised"}
LABELS |= {role: row.label for role, row in attached.ROLES.items()}  # of files, for people


@dataclass(frozen=True)
class Source:
    """Source of a study. `key` changes with its files; `private` = one visitor's files."""

    key: str
    label: str
    runs: tuple[Any, ...] = ()
    qrels: tuple[Any, ...] = ()
    beside: tuple[AttachedFile, ...] = ()  # its other files
    variations: str | None = None  # how its queries name a topic, if known
    private: bool = False
    audience: str = ""  # who else may see what is computed: everybody, or those with this link
    columns: dict[str, Any] | None = None  # meaning of columns, as chosen by a visitor
    waiting: tuple[str, ...] = ()  # tables whose columns are still unknown
    problems: tuple[Problem, ...] = ()  # files that could not be recognised
    scheduler: str | None = None  # address of a cluster that opens it in blocks of topics
    block: int | None = None  # topics per block, if chosen
    gone: str = ""  # why a study on the server cannot be opened, in sentences

    def of(self, role: str) -> list[AttachedFile]:
        """Its files of a role of `attached.ROLES`."""
        return [given for given in self.beside if given.role == role]

    def file(self, role: str) -> File | None:
        """Its file of a role, or None."""
        return next((given.file for given in self.of(role)), None)


@dataclass(frozen=True)
class Opened:
    """A study, or None, with the problems of files that were left out."""

    study: Study | None = None
    problems: tuple[Problem, ...] = ()
    missing: str = ""


@cache
def server_folder() -> dict[str, Any] | None:
    """What was named when the server was started (`-- --runs DIR --qrels FILE`), as arguments of `on_disk`, or None."""
    arguments, _ = _arguments().parse_known_args(sys.argv[1:])
    if not arguments.runs:
        return None
    named = {name: getattr(arguments, name) for name in ("runs", "qrels", "scheduler", "block")}
    return named | {"beside": [given for given in attached.named(vars(arguments)) if given.file]}


def server_track() -> str:
    """What the server's track is called: as its folder of runs, or the folder around that if it is called "runs"."""
    runs = Path((server_folder() or {"runs": "/"})["runs"]).resolve()
    folder = runs.parent if runs.stem == "runs" else runs
    return (folder.stem if folder.is_file() else folder.name) or "The server's track"


def study_at_start() -> str | None:
    """The study file that was named when the server was started, or None."""
    return _arguments().parse_known_args(sys.argv[1:])[0].study


def _arguments():
    """Parser of the options after `streamlit run app.py --`."""
    named = argparse.ArgumentParser("streamlit run app.py --", add_help=False, allow_abbrev=False, exit_on_error=False)
    named.add_argument("--runs", metavar="DIR")
    named.add_argument("--qrels", metavar="FILE")
    attached.add_flags(named, options=False)
    named.add_argument("--study", metavar="NAME.poolscope")
    named.add_argument("--scheduler", metavar="ADDRESS")
    named.add_argument("--block", type=int, metavar="TOPICS")
    return named


def named_at_start() -> None:
    """Raise ValueError if an option of the server is unknown, or names a missing file."""
    named = _arguments()
    try:
        arguments, unknown = named.parse_known_args(sys.argv[1:])
    except argparse.ArgumentError as error:
        raise ValueError(f"{error}. {named.format_usage()}") from None
    if unknown:
        raise ValueError(f"Unknown: {listed(unknown)}. Use only these options. {named.format_usage()}")
    paths = {role: path for role, path in vars(arguments).items() if path is not None}
    if (study := paths.pop("study", None)) is not None and not is_study_file(study):
        raise ValueError(f"--study: {study} is not a study that Poolscope saved. Check the path.")
    if paths and "runs" not in paths:
        raise ValueError(
            "The option --runs is missing. Add it. Also add --qrels, unless the runs folder contains the judgments. "
            f"{named.format_usage()}"
        )
    named_files = [(f"--{role}", paths[role]) for role in ("runs", "qrels") if paths.get(role) not in (None, "none")]
    named_files += [(attached.ROLES[given.role].flag, str(given.file)) for given in attached.named(paths)]
    for flag, path in named_files:
        if not Path(path).exists():
            raise ValueError(f"{flag}: there is no file or folder {path}. Check the path.")


# ---- the three kinds


def sample(name: str) -> Source:
    """One of SAMPLES."""
    folder = SAMPLE_DATA / name
    beside = [AttachedFile(role, folder / name) for role, name in OF_SAMPLES.items()]
    for file in sorted((folder / "judges").glob("*")):
        beside.append(AttachedFile("judge", file, {"judges": {judge_name(file): KINDS[0]}}))
    source = on_disk(SAMPLES[name], folder / "runs", folder / "qrels.txt", beside)
    return replace(source, variations=VARIATIONS.get(name))


def on_disk(
    label: str, runs: Path | str, qrels: Path | str | None = None, beside: Iterable[AttachedFile] = (),
    scheduler: str | None = None, block: int | None = None,
) -> Source:  # fmt: skip
    """A source on the server's disk. qrels : None = `runs` is a zip archive, folder or workbook with the whole track"""
    without = qrels == "none"  # as on the command line
    paths: Any = (path and Path(path) for path in (runs, not without and qrels))
    runs, qrels = paths
    beside = tuple(given._replace(file=Path(str(given.file))) for given in beside)
    files, problems = _in_folder(runs)
    if qrels is None:
        files, qrels = ([runs, *sorted(runs.rglob("*"))] if runs.is_dir() else [runs]), runs
    stamps = [_stamped(path) for path in (*files, qrels, *(given.file for given in beside)) if path]
    key = json.dumps([label, *stamps])
    read = (runs,) if qrels == runs else tuple(files)
    judgments = (NO_JUDGMENTS if without else qrels,)
    problems = () if qrels == runs else problems
    return Source(key, label, read, judgments, beside, scheduler=scheduler, block=block, problems=problems)


def _in_folder(runs):
    """The files of a folder, with problems of what is none; of anything else, or of a folder that cannot be listed, the
    path itself."""
    try:
        paths = sorted(path for path in runs.iterdir() if path.name[0] != "." and not os.path.isdir(path))
    except OSError:
        return [runs], ()
    whys = {path: why_no_file(path) for path in paths}
    problems = (Problem.at(path.name, None, f" was skipped: it is {why}.") for path, why in whys.items() if why)
    return [path for path, why in whys.items() if not why], tuple(problems)


def _stamped(path):
    """A path, with by what a change of its file shows, if there is one."""
    try:
        return str(path), *stamp(path)
    except OSError:
        return (str(path),)


def loaded(files: Iterable[LoadedFile]) -> Source:
    """A source of the files that a visitor loaded."""
    names, columns, waiting, content = set(), {}, (), []
    uploads: dict[str, tuple[Any, ...]] = dict.fromkeys(LABELS, ())
    problems = tuple(file.problem for file in files if file.problem)
    for file in files:
        if file.problem:
            continue
        name = unlike(names, file.name)
        if file.waits:
            waiting += (name,)
            continue
        uploads[file.role] += (replace(file.upload, name=name),)
        columns |= {name: file.columns} if file.columns else {}
        if file.role not in attached.ROLES or attached.ROLES[file.role].attach is None:
            content.append((file.role, name, file.digest))
    key = json.dumps([content, columns, waiting, [problem.file for problem in problems]])
    return Source(
        key, "Your files", uploads["runs"], uploads["qrels"], _beside(uploads), private=True, columns=columns or None,
        waiting=waiting, problems=problems,
    )  # fmt: skip


def _beside(uploads):
    """The last of the uploads of each role, role -> uploads, that are not runs or judgments of the track."""
    return tuple(AttachedFile(role, uploads[role][-1]) for role in attached.ROLES if uploads.get(role))


def with_added(source: Source, files: Iterable[LoadedFile]) -> Source:
    """A track with files that a visitor added: runs next to its own, judgments and complete judgments in place of its
    own."""
    names = {path.name for path in (*source.runs, *source.qrels)}
    uploads: dict[str, tuple[Any, ...]] = dict.fromkeys(LABELS, ())
    columns, content = dict(source.columns or {}), []
    for file in files:
        name = unlike(names, file.name)
        uploads[file.role] += (replace(file.upload, name=name),)
        columns |= {name: file.columns} if file.columns else {}
        content.append((file.role, name, file.digest))
    return replace(
        source,
        key=json.dumps([source.key, content]),
        runs=source.runs + uploads["runs"],
        qrels=uploads["qrels"] or source.qrels,
        beside=(*(given for given in source.beside if not uploads[given.role]), *_beside(uploads)),
        columns=columns or None,
        private=True,
    )


def unlike(names: set[str], name: str) -> str:
    """A unique name for a file: problems name files, and two teams may both use input.run."""
    path, n = Path(name), 1
    while name in names:
        n += 1
        name = f"{path.stem} ({n}){path.suffix}"
    names.add(name)
    return name


# ---- opening


def incomplete(chosen: Source) -> Opened:
    """What a source still lacks, and the problems of its tables."""
    tables = opened(replace(chosen, runs=(), qrels=(), problems=()), {})
    lacks = [word for word, held in (("runs", chosen.runs), ("judgments", chosen.qrels)) if not held]
    if chosen.waiting:
        lacks = [f"the meanings of columns in {listed(chosen.waiting)}"]
    problems = (*chosen.problems, *(problem for problem in tables.problems if problem.file))
    return Opened(None, problems, " and ".join(lacks))


def opened(source: Source, settings: dict[str, Any], progress: Callable[[int, int], None] | None = None) -> Opened:
    """Open a source; unreadable files are left out and reported.

    progress : called with (done, total) files
    """
    options: dict[str, Any] = {**attached.of_track(source.beside), **settings}
    options |= {"variations": source.variations} if source.variations else {}
    options |= {"columns": source.columns} if source.columns else {}
    in_blocks: dict[str, Any] = {"scheduler": source.scheduler, "topics": source.block}
    opens: Callable[..., Any] = evalcore.open_study if source.private else partial(evalcore.open_within, **in_blocks)
    uploaded = source.private or all(isinstance(file, evalcore.Upload) for file in source.runs)
    options |= {"cache": False} if uploaded else {}  # a visitor's files are never in the cache on disk
    problems = ()
    for _ in range(ROUNDS):
        bad = {problem.file for problem in problems}
        try:
            study = opens(list(source.runs), list(source.qrels), **options, without=bad, progress=progress)
            return Opened(study, source.problems + problems)
        except evalcore.InputError as error:
            new = tuple(problem for problem in error.problems if problem.file not in bad)
            problems += new
            if not any(problem.file for problem in new):  # no file to leave out
                break
    return Opened(None, source.problems + problems)
