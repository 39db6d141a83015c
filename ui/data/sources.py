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
from evalcore.reading.study_file import is_study_file
from evalcore.study.extra_qrels import REFERENCE, judge_name, judge_of
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import listed
from ui.data import uploaded_file

SAMPLE_DATA = Path(__file__).resolve().parents[2] / "sample_data"
SAMPLES = {"web": "Sample: web", "newswire": "Sample: newswire", "variations": "Sample: query variations"}
VARIATIONS = {"variations": "run"}  # how a sample's queries name their topic
ROUNDS = 10  # times that files which cannot be read are left out; each may take as long as opening the others
KEPT_NAMES = (REFERENCE, "second")  # which no judge that a visitor loads gets
FILES = {  # role -> option of the command that starts the server
    "runs": "--runs", "qrels": "--qrels", "systems": "--systems-table", "queries": "--queries-table",
    "truth": "--truth", "other": "--other",
}  # fmt: skip
ROLES = {
    "runs": "run", "qrels": "judgments", "systems": "systems table", "queries": "queries table",
    "truth": "complete judgments", "excluded": "documents to leave out", uploaded_file.UNKNOWN: "not recognised",
}  # fmt: skip


@dataclass(frozen=True)
class Source:
    """Source of a study. `key` changes with its files; `private` = one visitor's files."""

    key: str
    label: str
    runs: tuple[Any, ...] = ()
    qrels: tuple[Any, ...] = ()
    systems: File | None = None
    queries: File | None = None
    other: File | None = None  # a second qrels
    truth: File | None = None  # complete judgments
    excluded: File | None = None  # documents to leave out of the rankings
    judges: tuple[tuple[str, Path], ...] = ()  # names and files
    judge_levels: tuple[tuple[str, float], ...] = ()  # names and lowest relevant grades, where the server names them
    variations: str | None = None  # how its queries name a topic, if known
    private: bool = False
    audience: str = ""  # who else may see what is computed: everybody, or those with this link
    columns: dict[str, Any] | None = None  # meaning of columns, as chosen by a visitor
    waiting: tuple[str, ...] = ()  # tables whose columns are still unknown
    problems: tuple[Problem, ...] = ()  # files that could not be recognised
    scheduler: str | None = None  # address of a cluster that opens it in blocks of topics
    block: int | None = None  # topics per block, if chosen
    gone: str = ""  # why a study on the server cannot be opened, in sentences


@dataclass(frozen=True)
class Opened:
    """A study, or None, with the problems of files that were left out."""

    study: Study | None = None
    problems: tuple[Problem, ...] = ()
    missing: str = ""


@cache
def server_folder() -> dict[str, Any] | None:
    """Files named when the server was started (`-- --runs DIR --qrels FILE`), by role, or None."""
    arguments, _ = _arguments().parse_known_args(sys.argv[1:])
    return {name: value for name, value in vars(arguments).items() if name != "study"} if arguments.runs else None


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
    for role, option in FILES.items():
        named.add_argument(option, dest=role, metavar="DIR" if role == "runs" else "FILE")
    named.add_argument("--judge", dest="judges", action="append", type=judge_of, metavar="NAME=FILE[:GRADE]")
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
    for role, option in FILES.items():
        none = role == "qrels" and paths.get(role) == "none"
        if role in paths and not none and not Path(paths[role]).exists():
            raise ValueError(f"{option}: there is no file or folder {paths[role]}. Check the path.")
    for _, file, _ in paths.get("judges", ()):
        if not Path(file).exists():
            raise ValueError(f"--judge: there is no file {file}. Check the path.")


# ---- the three kinds


def sample(name: str) -> Source:
    """One of SAMPLES."""
    folder = SAMPLE_DATA / name
    tables: dict[str, Any] = {role: folder / f"{role}.tsv" for role in ("systems", "queries")}
    extra_qrels: dict[str, Any] = {"other": folder / "qrels.second.txt.gz", "truth": folder / "qrels.complete.txt.gz"}
    source = on_disk(SAMPLES[name], folder / "runs", folder / "qrels.txt", **tables, **extra_qrels)
    judges = tuple((judge_name(file), file) for file in sorted((folder / "judges").glob("*")))
    return replace(source, variations=VARIATIONS.get(name), judges=judges)


def on_disk(
    label: str, runs: Path | str, qrels: Path | str | None = None, systems: Path | str | None = None,
    queries: Path | str | None = None, other: Path | str | None = None, truth: Path | str | None = None,
    judges: Iterable[tuple[str, Path | str, float | None]] | None = None, scheduler: str | None = None,
    block: int | None = None,
) -> Source:  # fmt: skip
    """A source on the server's disk. qrels : None = `runs` is a zip archive, folder or workbook with the whole track;
    judges : name, file, and lowest relevant grade or None, of each"""
    without = qrels == "none"  # as on the command line
    given: Any = (path and Path(path) for path in (runs, not without and qrels, systems, queries, other, truth))
    runs, qrels, systems, queries, other, truth = given
    files, problems = _in_folder(runs)
    if qrels is None:
        files, qrels = ([runs, *sorted(runs.rglob("*"))] if runs.is_dir() else [runs]), runs
    stamps = [_stamped(f) for f in (*files, qrels, systems, queries, other, truth) if f]
    key = json.dumps([label, *stamps])
    read = (runs,) if qrels == runs else tuple(files)
    judgments = (NO_JUDGMENTS if without else qrels,)
    judges = tuple(judges or ())
    named = tuple((name, Path(file)) for name, file, _ in judges)
    levels = tuple((name, level) for name, _, level in judges if level is not None)
    return Source(
        key, label, read, judgments, systems, queries, other, truth, judges=named, judge_levels=levels,
        scheduler=scheduler, block=block, problems=() if qrels == runs else problems,
    )  # fmt: skip


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


def loaded(files: Iterable[dict[str, Any]]) -> Source:
    """A source of the files that a visitor loaded."""
    names, columns, waiting, content = set(), {}, (), []
    uploads: dict[str, tuple[Any, ...]] = dict.fromkeys(ROLES, ())
    problems = tuple(file["problem"] for file in files if file["problem"])
    for file in files:
        if file["problem"]:
            continue
        name = unlike(names, file["name"])
        if uploaded_file.waits(file):
            waiting += (name,)
            continue
        uploads[file["role"]] += (replace(file["upload"], name=name),)
        columns |= {name: file["columns"]} if file["columns"] else {}
        if file["role"] != "truth":  # added to the open study
            content.append((file["role"], name, file["digest"]))
    alone = "systems", "queries", "truth", "excluded"
    systems, queries, truth, excluded = (uploads[role][-1] if uploads[role] else None for role in alone)
    key = json.dumps([content, columns, waiting, [problem.file for problem in problems]])
    return Source(
        key, "Your files", uploads["runs"], uploads["qrels"], systems, queries, truth=truth, excluded=excluded,
        private=True, columns=columns or None, waiting=waiting, problems=problems,
    )  # fmt: skip


def with_added(source: Source, files: Iterable[dict[str, Any]]) -> Source:
    """A track with files that a visitor added: runs next to its own, judgments and complete judgments in place of its
    own."""
    names = {path.name for path in (*source.runs, *source.qrels)}
    added: dict[str, tuple[Any, ...]] = {"runs": (), "qrels": (), "truth": ()}
    columns, content = dict(source.columns or {}), []
    for file in files:
        name = unlike(names, file["name"])
        added[file["role"]] += (replace(file["upload"], name=name),)
        columns |= {name: file["columns"]} if file["columns"] else {}
        content.append((file["role"], name, file["digest"]))
    return replace(
        source,
        key=json.dumps([source.key, content]),
        runs=source.runs + added["runs"],
        qrels=added["qrels"] or source.qrels,
        truth=added["truth"][-1] if added["truth"] else source.truth,
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
    options = {"systems": source.systems, "queries": source.queries, **settings}
    options |= {"variations": source.variations} if source.variations else {}
    options |= {"columns": source.columns} if source.columns else {}
    options |= {"excluded": source.excluded} if source.excluded else {}
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
