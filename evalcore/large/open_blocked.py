"""Open a track that is too large for the memory: its files are read in blocks of topics, and its rankings stay on disk.

Topics are independent of each other, and reading takes many times the memory of what is read. So every run file is
indexed once by topic, and some topics at a time are read as an ordinary track, here or by the workers of a cluster.
Their rankings are put together in files that are mapped into memory (`joined_blocks`). The result is an ordinary study.
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from evalcore.large import topic_block, topic_index
from evalcore.large.executors import Cluster, read_ahead
from evalcore.large.joined_blocks import joined
from evalcore.large.layout import Layout
from evalcore.large.topic_block import Block
from evalcore.large.unpacked_runs import OnDisk, private_folder
from evalcore.reading import column_files, file_kinds, files, id_matching, loading, memory_budget
from evalcore.reading.files import InputError, Problem
from evalcore.reading.rankings import How, Judged
from evalcore.reading.unpacking import beginning_of_text
from evalcore.study import attached, opening
from evalcore.study.study import Study
from evalcore.vocabulary.validation import count, one_of

APART = "A track in blocks needs its runs and its judgments in separate files. Unpack it first."
SHARE = 64  # the text of a block is so much smaller than the memory that may be taken


def open_within(
    runs: files.File | Iterable[files.File] | Mapping[str, Any],
    qrels: files.File | Iterable[Any] | Literal[False] | None = None, *,
    scheduler: str | None = None, topics: int | None = None, **options: Any,
) -> Study:  # fmt: skip
    """A study as `opening.open_study` returns it; read in blocks of topics if its files need more memory than allowed.

    Also in blocks if a scheduler or a number of topics is given. Raises `InputError`, or ValueError for an option.

    scheduler : the address of a Dask cluster; topics : how many topics a block has; options : of `open_study`
    """
    if scheduler is None and topics is None and not _too_large(runs):
        return opening.open_study(runs, qrels, **options)
    each = read_ahead if scheduler is None else Cluster(scheduler)
    return open_blocks(runs, qrels, topics=topics, each=each, **options)


def _too_large(runs):
    """Whether runs need more than the allowed memory, estimated from their sizes and first bytes."""
    listing = files.listing(runs, "run")
    if any(not problem.damaged for problem in listing.problems) or any(
        file.container.path is None for file in listing.files
    ):  # an upload is in memory already
        return False
    estimated = [_estimated(file) for file in listing.files]
    _close(listing.files)
    return (
        sum(max(memory_budget.PER_BYTE * size, memory_budget.PER_LINE * lines) for lines, size in estimated)
        > memory_budget.allowed()
    )


def _close(listed):
    for file in listed:
        file.close()


def _estimated(file):
    """The estimated number of lines and of bytes of text of a run file."""
    head = file.beginning(1 << 16)
    text, size = beginning_of_text(head), file.size
    size = max(size, round(size * len(text) / max(len(head), 1)))
    return text.count(b"\n") / max(len(text), 1) * size, size


def open_blocks(
    runs: Any, qrels: Any, systems: files.File | None = None, queries: files.File | None = None, *,
    memory: int | None = None, topics: int | None = None, each: Callable[..., Generator[Any]] = read_ahead,
    cache: Path | str | bool | None = None, excluded: Any = None, without: Iterable[str] = (),
    progress: Callable[[int, int], None] | None = None, **options: Any,
) -> Study:  # fmt: skip
    """The study of these runs and judgments, read in blocks of topics. Raises `InputError`.

    runs : text of six columns, on disk, plain or packed; the other arguments : as of `opening.open_study`
    memory : bytes allowed for reading a block, None = as much as is allowed here (`memory_budget`)
    topics : how many topics a block has, None = as many as fit
    each : how the blocks are read, see `executors`
    without, progress : as for `opening.open_study`; `progress` is called for indexed files
    """
    if unknown := options.keys() - signature(opening.open_study).parameters.keys():
        raise TypeError(f"open_study has no option {min(unknown)!r}.")
    beside = attached.taken_from(options)
    options = {name: option.default for name, option in opening.OPTIONS.items()} | options
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    options["columns"] = column_files.read_option(options["columns"])
    id_matching.way(options["names"])
    for name in ("duplicates", "itself", "passages"):
        one_of(name, options[name], opening.OPTIONS[name].choices)
    topics = topics if topics is None else count("topics", topics)
    if loading.is_one_source(runs, qrels):
        raise InputError([Problem("", None, APART)])
    listing = files.listing(runs, "run")
    left_out = files.left_out(without)
    listing.files = [file for file in listing.files if file.name not in left_out]
    damaged = [loading.was_skipped(problem.file, problem.damaged) for problem in listing.problems if problem.damaged]
    listing.problems = [problem for problem in listing.problems if not problem.damaged or not listing.files]
    if listing.problems or not listing.files:
        raise InputError(listing.problems or [Problem("", None, "No run file is left. Add at least one.")])
    unpacked = OnDisk(cache)
    pieces, passed_over = _indexed(listing.files, unpacked, progress)
    judged, of_qrels, findings = loading.load_judgments(
        qrels, options["names"], options["columns"], "qrels", options["duplicates"], options["aspect"]
    )
    left_out_of_runs, of_excluded, more = (
        (None, None, ())
        if excluded is None
        else loading.load_file(excluded, loading.EXCLUDED, How(names=options["names"], columns=options["columns"]))
    )
    findings = (*findings, *more)
    named = (systems, "systems"), (queries, "queries")
    tables = [(None, None) if file is None else loading.load_file(file, role, How())[:2] for file, role in named]
    findings, contents = list(findings), tuple(content for content, _ in tables)
    layout = Layout(pieces, judged, contents, options, findings)
    blocks = [
        Block(names, tuple(pieces_of), _of_topics(judged, names), contents, options, cache, left_out_of_runs)
        for names, pieces_of in layout.blocks((memory or memory_budget.allowed()) / SHARE, topics)
    ]
    with closing(each(topic_block.load, [(block,) for block in blocks])) as read:
        loaded = joined(read, layout, private_folder(cache))
    sources = (
        *(piece.source for piece in pieces),
        of_qrels,
        *(source for source in (*(given for _, given in tables), of_excluded) if source),
    )
    findings = (*listing.findings, *damaged, *passed_over, *findings, *loaded.findings)
    study = opening.study_of(replace(loaded, sources=sources, findings=findings), options)
    return attached.attach_all(study, *beside)


def _indexed(listed, unpacked, progress):
    """Where the topics are in each run file. -> (pieces, see `topic_index`; findings on files that are no runs)"""
    pieces, problems, skipped, passed_over = [], [], [], []
    for done, file in enumerate(listed):
        if progress:
            progress(done, len(listed))
        try:
            pieces.append(topic_index.looked_through(file, unpacked))
        except InputError as error:
            if not all(problem.file for problem in error.problems):  # it would be as large without this file
                raise
            reasons = [replace(problem, reason=problem.message) for problem in error.problems]
            if why := file_kinds.why_no_run(file, reasons):
                passed_over.append(loading.was_skipped(file.name, why))
            else:
                problems += error.problems
            skipped += error.problems
    _close(listed)
    if problems or not pieces:
        raise InputError(problems or skipped)
    return pieces, passed_over


def _of_topics(judged, names):
    """The judgments of these topics."""
    wanted = [number for number, topic in enumerate(judged.topics) if topic in set(names)]
    bounds = [*pairwise(judged.starts.tolist())]
    rows = np.concatenate([np.zeros(0, int), *(np.arange(*bounds[number]) for number in wanted)])
    starts = np.concatenate([[0], np.cumsum([bounds[number][1] - bounds[number][0] for number in wanted])]).astype(int)
    documents = pa.concat_arrays([judged.documents.take(pa.array(rows))])
    stratum = None if judged.stratum is None else judged.stratum[rows]
    return Judged([judged.topics[number] for number in wanted], starts, documents, judged.grades[rows], None, stratum)
