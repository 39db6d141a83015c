"""Open a track that is too large for the memory: a study in blocks of topics, each an ordinary study.

Topics are independent of each other. So every run file is indexed once by topic; the blocks are opened one after
another, or by the workers of a cluster, and return what is computed from their rankings.
"""

import hashlib
import os
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa

from evalcore import executors
from evalcore.collection.pool_inference import Leads
from evalcore.large.blocked_study import Blocks, Elsewhere, JoinedStudy, JoinedTrack
from evalcore.large.topic_block import Block, Shared, skeleton
from evalcore.reading import (
    column_files,
    companion_tables,
    files,
    id_matching,
    loading,
    memory_budget,
    ranking_findings,
    sheets,
    system_names,
    topic_index,
)
from evalcore.reading.files import InputError, Problem, Source
from evalcore.reading.rankings import Judged
from evalcore.reading.unpacked_runs import OnDisk
from evalcore.reading.unpacking import Unpacker, beginning_of_text
from evalcore.study import opening
from evalcore.study.extra_qrels import as_beside, judgments_as_read, refuse_contradictions, unknown_topics
from evalcore.vocabulary.validation import count, one_of

APART = "A track in blocks needs its runs and its judgments in separate files. Unpack it first."
SHARE = 16  # the text of a block is so much smaller than the memory that may be taken


def open_within(runs, qrels=None, *, scheduler=None, topics=None, **options):
    """A study as `opening.open_study` returns it if it fits into the allowed memory, else a study in blocks.

    Also in blocks if a scheduler or a number of topics is given. Raises `InputError`, or ValueError for an option.

    scheduler : the address of a Dask cluster; topics : how many topics a block has; options : of `open_study`
    """
    if scheduler is None and topics is None and not _too_large(runs):
        return opening.open_study(runs, qrels, **options)
    each = executors.one_after_another if scheduler is None else executors.Cluster(scheduler)
    return open_blocks(runs, qrels, topics=topics, each=each, **options)


def _too_large(runs):
    """Whether runs need more than the allowed memory, estimated from their sizes and first bytes."""
    given = files.listing(runs, "run")
    if given.problems or any(file.container.path is None for file in given.given):  # an upload lies in memory already
        return False
    estimated = [_estimated(file) for file in given.given]
    _close(given.given)
    return (
        sum(max(memory_budget.PER_BYTE * size, memory_budget.PER_LINE * lines) for lines, size in estimated)
        > memory_budget.allowed()
    )


def _close(given):
    for file in given:
        file.close()


def _estimated(file):
    """The estimated number of lines and of bytes of text of a run file."""
    head = file.beginning(1 << 16)
    text, size = beginning_of_text(head), file.size
    size = max(size, round(size * len(text) / max(len(head), 1)))
    return text.count(b"\n") / max(len(text), 1) * size, size


def open_blocks(
    runs, qrels, systems=None, queries=None, *, memory=None, topics=None, each=executors.one_after_another, cache=None,
    other=None, other_rel_level=None, truth=None, without=(), progress=None, **options,
):  # fmt: skip
    """A study in blocks of these runs and judgments. Raises `InputError`.

    runs : text of six columns, on disk, plain or packed; qrels, systems, queries, other, truth and options : as of
    `opening.open_study`
    memory : bytes allowed for opening a block, None = as much as is allowed here (`budget`)
    topics : how many topics a block has, None = as many as fit
    each : runs a function on all blocks, see `spreading`
    without, progress : as for `opening.open_study`; `progress` is called for indexed files
    """
    said = {name: option.default for name, option in opening.OPTIONS.items()} | options
    said = {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}
    said["columns"] = column_files.read_option(said["columns"])
    id_matching.way(said["names"])
    one_of("duplicates", said["duplicates"], opening.OPTIONS["duplicates"].choices)
    topics = topics if topics is None else count("topics", topics)
    said |= {} if other is None else {"other_rel_level": other_rel_level}
    beside = {role: os.fspath(file) for role, file in (("other", other), ("truth", truth)) if file is not None}
    if loading.is_one_source(runs, qrels):
        raise InputError([Problem("", None, APART)])
    given = files.listing(runs, "run")
    out = files.left_out(without)
    given.given = [file for file in given.given if file.name not in out]
    if given.problems or not given.given:
        raise InputError(given.problems or [Problem("", None, "No run file is left. Add at least one.")])
    on_disk = OnDisk(cache)
    pieces = _looked_through(given.given, on_disk, progress)
    judged, of_qrels, findings = loading.load_judgments(qrels, said["names"], said["columns"], "qrels")
    named = (systems, "systems"), (queries, "queries")
    beside_runs = [None if one is None else _table(one, role) for one, role in named]
    found, both = list(findings), tuple(one and one[0] for one in beside_runs)
    who = _Who(pieces, judged, both, said, found)
    parts = tuple(
        Block(names, tuple(pieces_of), _of_topics(judged, names), both, beside, said, cache)
        for names, pieces_of in who.blocks((memory or memory_budget.allowed()) / SHARE, topics)
    )  # fmt: skip
    sources = (*(piece.source for piece in pieces), of_qrels, *(one[1] for one in beside_runs if one))
    for role, file in beside.items():
        more, source, told = loading.load_judgments(file, said["names"], said["columns"], role)
        found += [*told, *unknown_topics(more, source, who.topics)]
    return _joined(parts, who, sources, given.findings + found, each, on_disk)


def _looked_through(given, on_disk, progress):
    pieces, problems = [], []
    for done, file in enumerate(given):
        if progress:
            progress(done, len(given))
        try:
            pieces.append(topic_index.looked_through(file, on_disk))
        except InputError as error:
            if not all(problem.file for problem in error.problems):  # it would be as large without this file
                raise
            problems += error.problems
    _close(given)
    if problems:
        raise InputError(problems)
    return pieces


def _table(path, role):
    """A table of systems or of queries. -> (tables.Table, Source)"""
    one = files.listing(path, role)
    if one.problems:
        raise InputError(one.problems)
    (file,) = one.given
    data, text = Unpacker().read(file)
    text, _ = sheets.in_utf8(file.name, text)
    content, _ = companion_tables.read(file.name, text, role)
    return content, Source(role, file.name, hashlib.sha256(data).hexdigest(), file.size)


def _of_topics(judged, names):
    """The judgments of these topics."""
    wanted = [number for number, topic in enumerate(judged.topics) if topic in set(names)]
    bounds = [*pairwise(judged.starts.tolist())]
    rows = np.concatenate([np.zeros(0, int), *(np.arange(*bounds[number]) for number in wanted)])
    starts = np.concatenate([[0], np.cumsum([bounds[number][1] - bounds[number][0] for number in wanted])]).astype(int)
    documents = pa.concat_arrays([judged.documents.take(pa.array(rows))])
    return Judged([judged.topics[number] for number in wanted], starts, documents, judged.grades[rows])


class _Who:
    """The systems, queries and topics, as loading the whole track would find them."""

    def __init__(self, pieces, judged, system_and_query_table, said, findings):
        variations, (system_table, query_table) = said["variations"], system_and_query_table
        runs, names_of = [], {}
        for piece in pieces:
            compared = [
                name.decode("utf-8", "backslashreplace")
                for name in topic_index.as_compared(piece.places, said["names"])
            ]
            names_of[piece.name] = dict(zip(piece.places, compared, strict=True))
            runs.append(piece.run(list(dict.fromkeys(compared))))
        runs = sorted(runs, key=lambda run: (system_names.natural(run.source.name), run.source.sha256))
        runs = system_names.without_copies(runs, variations, findings)
        names = system_names.run_names(runs, variations, findings)
        of_run, own = system_names.systems(runs, names, variations, findings)
        self.systems = tuple(sorted(set(of_run), key=system_names.natural))
        queries, asked = system_names.queries(runs, own, judged, query_table, variations, findings)
        self.topics = tuple(sorted({query.topic for query in queries.values()}, key=system_names.natural))
        self.queries = tuple(sorted(queries, key=system_names.natural))
        self.topic_of_query = {name: query.topic for name, query in queries.items()}
        self.system_table = companion_tables.frame(
            system_names.system_rows(runs, of_run, self.systems, names, system_table, findings)
        )
        self.query_table = companion_tables.frame(system_names.query_rows(self.queries, queries))
        self.judged = judged
        by_name = {piece.name: piece for piece in pieces}
        self.pieces = []  # and, of each, the topic that a topic of its file stands for
        for run, asks in zip(runs, asked, strict=True):
            topic_of = {name: queries[query].topic for name, query in zip(run.content.queries, asks, strict=True)}
            raw = {topic: topic_of[name] for topic, name in names_of[run.source.name].items()}
            self.pieces.append((by_name[run.source.name], raw))

    def blocks(self, most, count):
        """The topics of each block and its pieces. most : bytes of text; count : topics, or None"""
        size = dict.fromkeys(self.topics, 0)
        for piece, topic_of in self.pieces:
            for raw, topic in topic_of.items():
                size[topic] += piece.bytes_of(raw)
        made, here, text = [], [], 0
        for topic in self.topics:
            full = len(here) >= count if count else here and text + size[topic] > most
            if full and text:
                made.append(here)
                here, text = [], 0
            here.append(topic)
            text += size[topic]
        made = [*made, here] if text or not made else [*made[:-1], made[-1] + here]  # no block is without a line
        block_of = {topic: b for b, names in enumerate(made) for topic in names}
        raws = [[[] for _ in self.pieces] for _ in made]
        for p, (_, topic_of) in enumerate(self.pieces):
            for raw, topic in topic_of.items():
                raws[block_of[topic]][p].append(raw)
        for names, of_piece in zip(made, raws, strict=True):
            yield tuple(names), [piece.only(raw) for (piece, _), raw in zip(self.pieces, of_piece, strict=True)]


def _joined(parts, who, sources, findings, each, on_disk):
    """The study of these blocks, after everything that depends on all of them is determined."""
    told = each(skeleton, [(part,) for part in parts])
    problems = [problem for one in told if isinstance(one, tuple) for problem in one]
    if problems:
        raise InputError(problems)
    roles = list(told[0].grades)
    starts = np.cumsum([0, *(len(one.topics) for one in told)])
    items = np.cumsum([1, *(len(one.topic) for one in told)])
    topic_of_item = np.concatenate([[-1], *(one.topic + start for one, start in zip(told, starts, strict=False))])
    track = _track(told, who, topic_of_item, len(parts))
    id_matching.refuse_unless_topics_meet(track, who.judged)
    by_role = {role: _judgments(told, role, track, parts[0].options) for role in roles}
    queries = _queries_of(told, who)
    leads, other_leads = (_in_place([getattr(one, name) for one in told], queries) for name in ("leads", "other_leads"))
    judged_topic = by_role["qrels"].count(np.ones_like(by_role["qrels"].scale.judged)) > 0
    lengths = np.where(judged_topic[track.topic_of_query], track.lengths, 0)
    shared = Shared(track.shape[2], {role: one.scale for role, one in by_role.items()})
    parts = tuple(replace(part, shared=shared) for part in parts)
    findings = [*findings, *_findings(told), *ranking_findings.coverage_findings(track, who.judged)]
    reordered = any(one.reordered for one in told)

    def _leads(judged):
        return Leads(np.minimum(judged, lengths), lengths, track.topic_of_query, len(who.topics))

    study = JoinedStudy(
        track=track,
        judgments=by_role["qrels"],
        whole=track,
        whole_judgments=by_role["qrels"],
        pooling=None,
        leads=_leads(leads),
        by_rank=Elsewhere(track.shape, len(parts)) if reordered else None,
        options=parts[0].options,
        sources=(*sources, *told[0].sources),
        findings=tuple(findings),
        system_table=who.system_table,
        query_table=who.query_table,
        other=by_role.get("other"),
        truth=by_role.get("truth"),
        blocks=Blocks(parts, items, starts, each, on_disk, _leads(other_leads) if reordered else None),
    )
    study = opening.decided(study, "the table of systems")
    if study.truth is not None:
        refuse_contradictions(study)
    return study


def _queries_of(told, who):
    """The indices of each block's queries among all queries."""
    place = {name: number for number, name in enumerate(who.queries)}
    return [np.array([place[name] for name in one.queries], int) for one in told]


def _in_place(parts, queries):
    """Arrays (S, Q) from those of the blocks."""
    whole = np.zeros((len(parts[0]), sum(map(len, queries))), parts[0].dtype)
    for part, at in zip(parts, queries, strict=True):
        whole[:, at] = part
    return whole


def _track(told, who, topic_of_item, blocks):
    topics = {name: number for number, name in enumerate(who.topics)}
    shape = len(who.systems), len(who.queries), max(one.deepest for one in told)
    items = Elsewhere(shape, blocks)
    large = any(pa.types.is_large_binary(one.documents.type) for one in told)
    kind = pa.large_binary() if large else pa.binary()
    return JoinedTrack(
        items=items,
        scores=items,
        systems=who.systems,
        groups=tuple(who.system_table["group"]),
        pooled=np.array([value is True for value in who.system_table["pooled"]], bool),
        queries=who.queries,
        topics=who.topics,
        topic_of_query=np.array([topics[who.topic_of_query[name]] for name in who.queries], np.int32),
        topic_of_item=topic_of_item.astype(np.int32),
        doc_of_item=pa.concat_arrays([pa.array([b""], kind), *(one.documents.cast(kind) for one in told)]),
        lengths=_in_place([one.lengths for one in told], _queries_of(told, who)),
    )


def _judgments(told, role, track, options):
    """The judgments of a role, over the judged items of all blocks."""
    grade = np.concatenate([[0], *(one.grades[role] for one in told)])
    listed = np.concatenate([[False], *(one.listed[role] for one in told)])
    return judgments_as_read(grade, listed, track, as_beside(options) if role == "other" else options)


def _findings(told):
    """The findings of the blocks' files: once if all blocks have them, else with the topics of the block."""
    everywhere = [one for one in told[0].findings if all(one in other.findings for other in told)]
    yield from everywhere
    for block in told:
        where = (
            f"Topics {block.topics[0]} to {block.topics[-1]}: "
            if len(block.topics) > 1
            else f"Topic {block.topics[0]}: "
        )
        for one in block.findings:
            if one not in everywhere:
                yield replace(one, message=where + one.message)
