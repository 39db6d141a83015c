"""Reading a track: run files and judgments from disk, zip or browser, into arrays of item codes.

`load` reads every file, says everything that is wrong with all of them at once, and puts the rankings in one order:
score descending, ties by document id descending as bytes, as trec_eval does.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.collection.track import Track
from evalcore.reading import (
    column_files,
    companion_tables,
    file_kinds,
    id_matching,
    item_codes,
    memory_budget,
    rankings,
    several_judgments,
    sheets,
    system_names,
    track_cache,
)
from evalcore.reading.files import (
    NO_JUDGMENTS,
    File,
    Finding,
    InputError,
    Listing,
    Problem,
    Source,
    Upload,
    left_out,
    listing,
)
from evalcore.reading.rankings import How
from evalcore.reading.unpacking import Unpacker
from evalcore.vocabulary.validation import one_of

__all__ = ["Finding", "InputError", "Loaded", "Problem", "Source", "Upload", "load", "load_judgments"]

WORKERS = min(4, os.cpu_count() or 1)
EXCLUDED = "excluded"  # the role of documents that are left out of rankings
NEEDED = ("run", "qrels")  # roles without which there is no track
MOST_COMPARED = 5_000  # rows of a run that has two columns of documents
Check = Callable[[Track, rankings.Judged, item_codes.Items, item_codes.Places, str], Iterable[Finding]]


@dataclass(frozen=True)
class Loaded:
    """What the files say, before any choice of what it means.

    track : in score order; `pooled` is False where the table of systems does not say otherwise
    by_rank : int32 (S, Q, K) or None, [..., k] = the place in score order of the document that the file's own rank
        column puts k-th; None when the two orders agree everywhere
    grade : int32 (N,), as in the qrels, 0 where they have no line; listed : bool (N,), whether they have one
    stratum : int8 (N,), the stratum of a sample that each judgment was drawn in, 0 where none; None = no such sample
    system_table, query_table : one row per system and per query, with the other columns of the user's tables
    subtopics : judgments by subtopic, see `several_judgments.by_subtopic`, or None
    computed : what was computed from the track before
    """

    track: Track
    by_rank: NDArray[np.int32] | None
    grade: NDArray[np.number]
    listed: NDArray[np.bool_]
    system_table: pd.DataFrame
    query_table: pd.DataFrame
    sources: tuple[Source, ...]
    findings: tuple[Finding, ...]
    stratum: NDArray[np.int8] | None = None
    subtopics: pd.DataFrame | None = None
    computed: track_cache.Computed = field(default_factory=track_cache.Computed)


def load(
    runs: File | Iterable[File], qrels: Any, *, systems: File | None = None, queries: File | None = None,
    duplicates: str = "keep", names: str = "exact", itself: str = "keep", variations: str | None = None,
    columns: dict[str, Any] | None = None, cache: Path | str | bool | None = None,
    progress: Callable[[int, int], None] | None = None, without: Iterable[str] = (), aspect: str | None = None,
    passages: str = "keep", excluded: File | None = None, make: Callable[[Loaded], Any] = lambda loaded: loaded,
    check: Check = lambda *of: (),
) -> Any:  # fmt: skip
    """The track, the judgments and the findings of these files. -> what `make` makes of a Loaded

    Most are those of `evalcore.study.opening.open_study`.
    make : such as a study; check : finds what is wrong with the track, or raises InputError
    Raises InputError with every problem of every file.
    """
    one_of("duplicates", duplicates, rankings.DUPLICATES)
    one_of("itself", itself, ("keep", "drop"))
    one_of("passages", passages, ("keep", "best"))
    id_matching.way(names)
    columns = column_files.read_option(columns)
    if not (variations is None or (isinstance(variations, str) and variations)):
        raise ValueError(f'variations={variations!r} is not valid; give None, a separator such as "-", or "run".')
    listings = _listings(runs, NO_JUDGMENTS if qrels is False else qrels, systems, queries, without, excluded)
    passed_over = [finding.message for listed in listings for finding in listed.findings]
    reading_options = How(duplicates, names, columns, itself, aspect, passages)
    options = {**vars(reading_options), "variations": variations, "passed": passed_over, "check": check.__qualname__}
    files = [file for listed in listings for file in listed.files]
    store = track_cache.open_cache(cache)
    key = None if any(listed.problems for listed in listings) else track_cache.key_of(files, options)
    try:
        with memory_budget.enough("Together these files"):
            if (loaded := store.read(key, from_parts)) is not None:
                return make(replace(loaded, computed=track_cache.Computed(store, key)))
            loaded = _load(listings, reading_options, variations, progress, check)
            if track_cache.unchanged(files):
                store.write(key, partial(parts_of, loaded))
                loaded = replace(loaded, computed=track_cache.Computed(store, key))
            if store.why:
                note = Finding("note", "cache not used", "", "", 1, store.why)
                loaded = replace(loaded, findings=(*loaded.findings, note))
            return make(loaded)
    finally:
        for file in files:
            file.close()


def load_judgments(
    qrels: File,
    names: str,
    columns: dict[str, Any] | None = None,
    role: str = "other",
    duplicates: str = "keep",
    aspect: str | None = None,
) -> tuple[rankings.Judged, Source, tuple[Finding, ...]]:
    """The judgments of one more qrels file, as `item_codes.with_room` takes them. -> (Judged, Source, findings)

    qrels : a path or an `Upload`; names : how they compare; columns, duplicates, aspect : as in `open_study`; role : of
    the source, "other", "truth" or "judge". Raises InputError with every problem of the file.
    """
    judged, source, findings = load_file(qrels, "qrels", How(duplicates, names, columns, aspect=aspect))
    return judged, replace(source, role=role), findings


def load_file(file: File, role: str, how: How) -> tuple[Any, Source, tuple[Finding, ...]]:
    """What a file that is added to a track contains. -> (its content, Source, findings)

    file : a path or an `Upload`; role : qrels; excluded, documents to leave out of the rankings by topic, as judgments
        whose grades do not count; or that of a table, as in `companion_tables`, whose content is a Table
    Raises InputError with every problem of the file, and where it is not the only one.
    """
    listed = listing(file, role)
    _refuse_several(listed)
    _refuse_none(listed)
    if listed.problems:
        raise InputError(listed.problems)
    with contextlib.closing(listed.files[0]) as given:
        parts, problems = _read_file(given, Unpacker(), how)
    if problems:
        raise InputError(problems)
    (read,) = parts
    return read.content, read.source, tuple(read.findings)


def is_one_source(runs: Any, qrels: Any) -> bool:
    """Whether runs and judgments come together: in one zip archive, one folder or one workbook, or as a list of all."""
    return qrels is None or _as_list(runs) == _as_list(qrels)


def _as_list(source):
    return [*source] if isinstance(source, (list, tuple)) else [source]


def _listings(runs, qrels, systems, queries, without, excluded):
    without = left_out(without)
    tables = {"systems": systems, "queries": queries, EXCLUDED: excluded}
    listings = _sorted_by_role(runs, tables) if is_one_source(runs, qrels) else []
    listings = listings or [listing(runs, "run"), listing(qrels, "qrels")]
    listings += [listing(listed, role) for role, listed in tables.items() if listed is not None]
    for listed in listings:
        listed.files = [file for file in listed.files if file.name not in without]
        listed.problems = [problem for problem in listed.problems if problem.file not in without]
        if listed.role != "run":
            _refuse_several(listed)
        if listed.role in NEEDED:
            _refuse_none(listed)
    return listings


def _sorted_by_role(source, tables):
    """The files of a whole track by what they seem to be. tables : those given by themselves, which count alone"""
    listed = listing(source, "run")
    by_role = {role: Listing(role) for role in ("run", "qrels", *tables)}
    by_role["run"].problems, by_role["run"].findings = listed.problems, listed.findings
    for file, role in chain.from_iterable(map(file_kinds.parts_of, listed.files)):
        if role and tables.get(role) is None:
            by_role[role].files.append(replace(file, role=role))
            continue
        why = "another table was given" if role else "it is no run, no judgments and no table of systems or queries"
        listed.skip(file.name, f"{why}.", "note" if role else "warning")
    return [listed for role, listed in by_role.items() if role in NEEDED or listed.files]


def _refuse_none(listed):
    if not listed.size:
        listed.problems.append(Problem("", None, f"No {listed.role} file is left. Add at least one."))


def _refuse_several(listed):
    if len(listed.files) > 1:
        names = ", ".join(file.name for file in listed.files[:5]) + (", ..." if len(listed.files) > 5 else "")
        message = f"{names}: {len(listed.files)} {listed.role} files, but only one can be used. Keep one."
        listed.problems.append(Problem("", None, message))  # each of them can be read


@dataclass
class _Read:
    """One file as read, or one of the runs in a table: its content is Rankings, Judged or a Table.

    part : which of the runs in a table; "" in other files
    rivals : of a run with several columns that are called a document, (topic, document) of some rows by each of them:
        (heading, pairs), the one that was read first
    """

    source: Source
    content: object
    findings: list
    part: str = ""
    rivals: Sequence[tuple[str, list]] = ()


def _load(listings, options, variations, progress, check):
    files = [file for listed in listings for file in listed.files]
    problems = [problem for listed in listings for problem in listed.problems]
    memory_budget.refuse_if_over(memory_budget.PER_BYTE * sum(file.size for file in files), "These files")
    unpacker = Unpacker()
    by_file, problems_of = [], []
    first = {
        place: _read_file(file, unpacker, options)
        for place, file in enumerate(files)
        if _is_needed_first(file, options)
    }
    needed = {part.source.role: part.content for parts, _ in first.values() for part in parts}
    options = replace(options, excluded=needed.get(EXCLUDED), judged=needed.get("qrels"))
    with ThreadPoolExecutor(WORKERS) as workers:
        reading = [
            None if place in first else workers.submit(copy_context().run, _read_file, file, unpacker, options)
            for place, file in enumerate(files)
        ]
        try:
            for done, future in enumerate(reading, 1):
                parts, more = first[done - 1] if future is None else future.result()
                by_file.append(parts)
                problems_of.append(more)
                if progress:
                    progress(done, len(files))
        except BaseException:  # whoever follows the progress may have had enough
            workers.shutdown(cancel_futures=True)
            raise
    left_out = _passed_over(files, problems_of, problems)
    problems += [problem for more in problems_of for problem in more]
    if problems:
        raise InputError([*_exchanged(problems, files), *problems])
    read = [part for parts in by_file for part in parts]
    findings = [finding for part in (*listings, *read) for finding in part.findings] + left_out
    runs = [part for part in read if part.source.role == "run"]
    content = {part.source.role: part.content for part in read if part.source.role != "run"}
    _refuse_rivals(runs, content["qrels"])
    loaded = assembled(
        runs, content["qrels"], content.get("systems"), content.get("queries"), variations=variations,
        names=options.names, findings=findings, check=check,
    )  # fmt: skip
    return replace(loaded, sources=tuple(parts[0].source for parts in by_file if parts))


def _is_needed_first(file, options):
    """Whether runs are compared with this file while they are read."""
    return file.role == EXCLUDED or (file.role == "qrels" and options.passages == "best")


def _passed_over(files, problems_of, problems):
    """Takes the problems of files that are no runs, or damaged in a folder, from the problems, by file and of archives,
    if another file is a run. -> findings"""
    if not any(file.role == "run" and not problems for file, problems in zip(files, problems_of, strict=True)):
        return []
    findings = [was_skipped(problem.file, problem.damaged) for problem in problems if problem.damaged]
    problems[:] = [problem for problem in problems if not problem.damaged]
    for place, file in enumerate(files):
        if problems_of[place] and file.role == "run" and (why := file_kinds.why_no_run(file, problems_of[place])):
            findings.append(was_skipped(file.name, why))
            problems_of[place] = ()
    return findings


def was_skipped(name: str, why: str) -> Finding:
    """That a file was left out. why : a sentence"""
    return Finding("warning", "file passed over", "", "", 1, f"{name} was skipped. {why}")


def _refuse_rivals(runs, judged):
    """Raises InputError where another column that is called a document fits the judgments, and not the one read."""
    rivals = [(run, *pair) for run in runs if run.rivals for pair in run.rivals[1:]]
    if not rivals:
        return
    topics = np.repeat(judged.topics, np.diff(judged.starts)).tolist()
    known = set(zip(topics, judged.documents.to_pylist(), strict=True))
    problems = []
    for run, heading, pairs in rivals:
        own, other = (sum(pair in known for pair in of) for of in (run.rivals[0][1], pairs))
        if other > 2 * own:
            message = (
                f": two columns could be the document. In {len(pairs):,} rows, {other:,} documents of the column "
                f"{heading} are judged, but only {own:,} of the column that was read. Assign the document."
            )
            problem = Problem.at(run.source.name, None, message)
            problems.append(replace(problem, columns={"document": heading}))
    if problems:
        raise InputError(problems)


def _exchanged(problems, files):
    """That runs were given as judgments and judgments as a run, where both were."""
    role = {file.name: file.role for file in files}
    taken = {(role.get(problem.file), problem.seems): problem.file for problem in reversed(problems) if problem.seems}
    if {("run", "qrels"), ("qrels", "run")} <= taken.keys():
        run, qrels = taken["qrels", "run"], taken["run", "qrels"]
        message = (
            f"Runs and judgments are swapped: {run} is a run and {qrels} contains judgments. Load each as the other."
        )
        yield Problem("", None, message)


def _read_file(file, unpacker, options):
    """The file, or each of the runs in it. -> (a list of _Read, the problems)

    Problems are returned and not raised: an exception would keep what was unpacked of a file until all are read.
    """
    try:
        with memory_budget.enough(f"{file.name}: its lines", file.name):
            return _read_within_memory(file, unpacker, options), ()
    except InputError as error:
        return [], error.problems


def _read_within_memory(file, unpacker, options):
    """The file, or each of the runs in it. -> a list of _Read"""
    duplicates, names, columns, aspect = options.duplicates, options.names, options.columns, options.aspect
    data, text = unpacker.read(file)
    source = Source(file.role, file.name, hashlib.sha256(data).hexdigest(), file.size)
    if (file.role, file.name, file.size) == ("qrels", NO_JUDGMENTS.name, 0):
        return [_Read(source, rankings.NOTHING_JUDGED, [])]
    del data
    text, encoding = sheets.in_utf8(file.name, text)
    message = f"{file.name} is text in {encoding} and was read as such."
    findings = [Finding("note", "encoding", "", "", 1, message)] if encoding else []
    if file.role in companion_tables.KEYS:
        content, more = companion_tables.read(file.name, text, file.role, file.sheet)
        return [_Read(source, content, findings + more)]
    unpacker.meter.take(memory_budget.more_than_text(text), file.name)
    read = file.read if sheets.is_workbook(file.name, text) else None
    role = "qrels" if file.role == EXCLUDED else file.role
    parts, more = column_files.parts_of(file.name, text, role, columns, file.sheet, read)
    if file.role == EXCLUDED:
        rows, _ = id_matching.compared_by(file.name, parts[0][1], names)
        content, _ = rankings.judged(file.name, rows, "highest")
        return [_Read(source, content, findings)]
    findings += more
    if file.role == "qrels":
        every = parts[0][1]
        rows, chosen = several_judgments.of_aspect(file.name, every, aspect)
        parts, duplicates = [("", rows)], "highest" if aspect == several_judgments.UNION and chosen else duplicates
        if chosen or duplicates in rankings.CHOOSE or several_judgments.refuse_several_judgments(file.name, rows):
            findings = [finding for finding in findings if finding.check != "columns exchanged"]
        findings += chosen
    del text
    runs = []
    for part, rows in parts:
        rows, more = id_matching.compared_by(file.name, rows, names)
        findings += more
        if file.role == "qrels":
            content, more = rankings.judged(file.name, rows, duplicates)
            if aspect == several_judgments.UNION and chosen:  # which says so
                more = [finding for finding in more if finding.check != "two grades"]
            if aspect is not None:
                compared, _ = id_matching.compared_by(file.name, every, names)
                content = replace(content, subtopics=several_judgments.by_subtopic(compared))
            return [_Read(source, content, findings + more)]
        rivals = _rivals(rows)
        rows, more = rankings.adapted(file.name, rows, options)
        findings += more
        runs.append(_Read(source, rankings.rankings(file.name, rows, duplicates), [], part, rivals))
    return [replace(runs[0], findings=findings), *runs[1:]]


def _rivals(rows):
    """As `_Read.rivals`."""
    if not rows.rivals:
        return ()
    topics = [rows.queries[query].decode("utf-8", "backslashreplace") for query in rows.query[:MOST_COMPARED].tolist()]
    columns = [("", rows.documents), *rows.rivals]
    texts = ((heading, names.slice(0, MOST_COMPARED).cast(pa.large_binary()).to_pylist()) for heading, names in columns)
    return [(heading, list(zip(topics, names, strict=True))) for heading, names in texts]


# From files to arrays


def assembled(
    runs: Sequence[Any], judged: rankings.Judged, system_table: companion_tables.Table | None = None,
    query_table: companion_tables.Table | None = None, *, variations: str | None = None, names: str = "exact",
    findings: Sequence[Finding] = (), check: Check = lambda *of: (),
) -> Loaded:  # fmt: skip
    """The track and the judgments that these files make. -> Loaded, without its sources

    runs : files as read, each with `source` and `content` (Rankings); judged : Judged; the tables : Table or None
    names : how they were compared; check : as of `load`
    """
    findings = list(findings)
    runs = sorted(runs, key=lambda run: (system_names.natural(run.source.name), run.source.sha256))
    runs = system_names.without_copies(runs, variations, findings)
    run_names = system_names.run_names(runs, variations, findings)
    systems, own = system_names.systems(runs, run_names, variations, findings)
    by_system = sorted(set(systems), key=system_names.natural)
    queries, queries_of_runs = system_names.queries(runs, own, judged, query_table, variations, findings)
    topics = sorted({query.topic for query in queries.values()}, key=system_names.natural)
    topic_of = {name: number for number, name in enumerate(topics)}
    by_query = sorted(queries, key=system_names.natural)
    by_topic = item_codes.rankings_by_topic(runs, systems, queries_of_runs, by_system, by_query, queries, topic_of)
    places = item_codes.Places(len(by_system), len(by_query), by_topic)
    coded = item_codes.coded(by_topic, judged, topics, places)
    system_rows = system_names.system_rows(runs, systems, by_system, run_names, system_table, findings)
    track = Track(
        items=places.items,
        scores=places.scores,
        systems=tuple(by_system),
        groups=tuple(system_rows["group"]),
        pooled=np.array([value is True for value in system_rows["pooled"]], bool),
        queries=tuple(by_query),
        topics=tuple(topics),
        topic_of_query=np.array([topic_of[queries[name].topic] for name in by_query], np.int32),
        topic_of_item=coded.topic,
        doc_of_item=coded.documents,
    )
    findings += check(track, judged, coded, places, names)
    stratum = None if judged.stratum is None else np.where(coded.listed, judged.stratum[coded.row], 0).astype(np.int8)
    for array in (coded.grade, coded.listed, places.by_rank, stratum):
        if array is not None:
            array.flags.writeable = False
    return Loaded(
        track=track,
        by_rank=places.by_rank,
        grade=coded.grade,
        listed=coded.listed,
        system_table=companion_tables.frame(system_rows),
        query_table=companion_tables.frame(system_names.query_rows(by_query, queries)),
        sources=(),
        findings=tuple(findings),
        stratum=stratum,
        subtopics=judged.subtopics,
    )


# To and from the cache

ARRAYS = ("items", "scores", "pooled", "topic_of_query", "topic_of_item", "doc_of_item")
NAMES = ("systems", "groups", "queries", "topics")
TABLES = ("system_table", "query_table", "subtopics")


def parts_of(loaded: Loaded) -> tuple[dict[str, Any], dict[str, Any]]:
    """A Loaded as plain arrays and plain values, which say everything about it. `from_parts` reads it back."""
    arrays = {name: getattr(loaded.track, name) for name in ARRAYS}
    arrays |= {name: getattr(loaded, name) for name in ("grade", "listed", "by_rank", "stratum")}
    values = {name: list(getattr(loaded.track, name)) for name in NAMES}
    for name in TABLES:
        if (table := getattr(loaded, name)) is not None:
            values[name] = [[column, str(table[column].dtype), table[column].tolist()] for column in table]
    for name in ("sources", "findings"):
        values[name] = [list(vars(entry).values()) for entry in getattr(loaded, name)]
    return {name: array for name, array in arrays.items() if array is not None}, values


def from_parts(arrays: Mapping[str, Any], values: Mapping[str, Any]) -> Loaded:
    """The Loaded that `parts_of` took apart."""

    def table(columns):
        return pd.DataFrame({name: pd.Series(cells, dtype=dtype) for name, dtype, cells in columns})

    names: dict[str, Any] = {name: tuple(values[name]) for name in NAMES}
    return Loaded(
        track=Track(**{name: arrays[name] for name in ARRAYS}, **names),
        by_rank=arrays.get("by_rank"),
        grade=arrays["grade"],
        listed=arrays["listed"],
        sources=tuple(Source(*source) for source in values["sources"]),
        findings=tuple(Finding(*finding) for finding in values["findings"]),
        stratum=arrays.get("stratum"),
        **{name: table(values[name]) for name in TABLES if name in values},
    )
