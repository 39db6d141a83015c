"""A synthetic track with complete judgments, drawn from `model` with a seed and written as ordinary files:
`python -m sample_data.make --kind newswire --seed 1 --out DIR`.
"""

import argparse
import gzip
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa

from evalcore.collection import pool
from evalcore.collection.track import EMPTY, Track
from evalcore.interop.trec_files import trec_qrels, trec_run
from sample_data import lessons, model, names
from sample_data.model import KINDS, STYLES, Kind, Systems

COMMAND = "python -m sample_data.make"
SECOND_DEPTH = 20  # how deep the second assessor reads the pool
SIZES = ("systems", "pooled", "groups", "topics", "length", "pool_depth", "variations")
ODDITIES = {
    "tied": "nearly all scores tied",
    "ragged": "lists of different lengths",
    "short": "a few documents per topic",
    "missing": "misses a topic",
    "from zero": "ranks from 0",
}
NAMINGS = {
    "run": "Each variation has run files of its own, `SYSTEM.v1` and so on.",
    "query": "A query is named by its topic and its variation, as in `401-2`.",
}


@dataclass(frozen=True)
class Sample:
    """A track and what only its maker knows of it. Items are numbered by topic, then by document name."""

    kind: Kind
    systems: Systems
    oddities: dict  # system (index) -> what is unusual about it, of ODDITIES
    written: Track  # in the order of the rank column of its files
    texts: tuple  # (Q,), what is asked
    grade: np.ndarray  # int8 (N,), complete: of every document that a run retrieved and of every relevant one
    second: np.ndarray  # int8 (N,), the grades that a second assessor would give
    judges: dict  # name -> the same by a language model, int8 (N,); of a kind that teaches

    @cached_property
    def track(self):
        """The track in `trec_eval`'s order: printed score, then document name, both falling."""
        return self.written.reordered(np.lexsort((-self.written.items, -self.written.scores)))

    @cached_property
    def pool_rank(self):
        """The best rank, from 0, that a pooled system gave each item; see `pool.pool_ranks`. int32 (N,)."""
        return pool.pool_ranks(self.track)

    @property
    def judged(self):
        """What the qrels hold: the pool. bool (N,)."""
        return self.pool_rank < self.kind.pool_depth


def make(kind="newswire", seed=1, *, oddities=True, **sizes):
    """A `Sample` of a kind; those of SIZES that are not given are the kind's own. Raises ValueError.

    `oddities=False` leaves out the tied, ragged and otherwise unusual runs, which are there from 12 systems on.
    """
    if kind not in KINDS:
        raise ValueError(f"no kind {kind!r}. Known: {', '.join(KINDS)}.")
    kind = replace(KINDS[kind], **sizes)

    def stream(*part):
        return np.random.default_rng([seed, *part])

    systems = model.systems(kind, stream(0))
    odd = model.oddities(systems, stream(1)) if oddities and kind.systems >= 12 else {}
    T, V = kind.topics, kind.variations
    items = np.zeros((kind.systems, T * V, kind.length), np.int32)
    scores = np.full(items.shape, np.nan)
    collection = kind.collection()
    documents, grades = [np.array([b""])], [np.zeros(1, np.int8)]
    for t, (relevant, ease) in enumerate(model.topics(kind, stream(2))):
        rng, queries = stream(3, t), slice(t * V, (t + 1) * V)
        here = {s: what for s, what in odd.items() if what != "missing" or t == T // 2}
        retrieved, scores[:, queries], grade = model.retrieved(rng, kind, systems, here, relevant, ease)
        known = grade > 0
        known[retrieved[retrieved >= 0]] = True
        code = sum(map(len, grades)) - 1 + np.cumsum(known)
        items[:, queries] = np.where(retrieved < 0, EMPTY, code[retrieved])
        grades.append(grade[known])
        documents.append(collection[np.sort(rng.choice(len(collection), len(grades[-1]), replace=False))])

    topics = tuple(str(kind.first_topic + t) for t in range(T))
    track = Track(
        items=items,
        scores=scores,
        systems=systems.names,
        groups=systems.groups,
        pooled=systems.pooled,
        queries=tuple(f"{topic}-{v + 1}" for topic in topics for v in range(V)) if V > 1 else topics,
        topics=topics,
        topic_of_query=np.repeat(np.arange(T, dtype=np.int32), V),
        topic_of_item=np.repeat(np.arange(-1, T, dtype=np.int32), [len(grade) for grade in grades]),
        doc_of_item=pa.array(np.concatenate(documents).tolist(), pa.binary()),
    )
    texts, grade = names.texts(T, V, stream(4)), np.concatenate(grades)
    judges = {}
    if kind.teaches:
        judges = model.judges(stream(6), grade, track.topic_of_item, model.favoured(systems, items, len(grade)))
    return Sample(kind, systems, odd, track, texts, grade, model.second_opinion(grade, stream(5)), judges)


# --- files


def write(sample, folder, gz=True, *, naming="run"):
    """Files runs/*, qrels*, systems.tsv and queries.tsv: the same bytes for the same sample.

    With several variations of a query, `naming="run"` writes a file per variation (`SYS.v2`, whose queries are the
    topics) and `"query"` one file per system (whose queries are `401-2`).
    """
    if naming not in NAMINGS:
        raise ValueError(f"no naming {naming!r}. Known: {', '.join(NAMINGS)}.")
    folder, track, systems, V = Path(folder), sample.written, sample.systems, sample.kind.variations
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    topics = [track.topics[t] for t in track.topic_of_query]
    queries, files = (topics, V) if naming == "run" else (track.queries, 1)  # files of each system
    table = [("run", "group", "pooled", "type")]
    for s, (name, family) in enumerate(zip(systems.names, systems.families, strict=True)):
        odd, kind = sample.oddities.get(s), model.TYPES.get(family, "lexical")
        first_rank, decimals = int(odd != "from zero"), 0 if odd == "tied" else STYLES[family].decimals
        for v in range(files):
            tag = f"{name}.v{v + 1}" if files > 1 else name
            asked = {q: queries[q] for q in range(v, len(queries), files)}
            run = trec_run(track, name, tag=tag, queries=asked, first_rank=first_rank, decimals=decimals)
            _put(folder / "runs" / tag, run, gz)
            table.append((tag, systems.groups[s], int(systems.pooled[s]), kind))
    _put(folder / "systems.tsv", _table(table))

    _put(folder / "qrels.txt", trec_qrels(track, sample.grade, sample.judged))
    reread = sample.judged & (sample.pool_rank < SECOND_DEPTH)
    _put(folder / "qrels.second.txt", trec_qrels(track, sample.second, reread), gz=True)
    _put(folder / "qrels.complete.txt", trec_qrels(track, sample.grade, track.topic_of_item >= 0), gz=True)
    for name, grade in sample.judges.items():
        (folder / "judges").mkdir(exist_ok=True)
        _put(folder / "judges" / f"{name}.txt", trec_qrels(track, grade, reread), gz=True)

    columns = [("query", *queries), ("topic", *topics), ("text", *sample.texts)]
    if V > 1:
        columns.insert(2, ("variation", *(q % V + 1 for q in range(len(topics)))))
        columns.insert(3, ("words", *(len(text.split()) for text in sample.texts)))
    _put(folder / "queries.tsv", _table(zip(*columns, strict=True)))


def _table(rows):
    """Tab-separated lines as bytes."""
    return "".join("\t".join(map(str, row)) + "\n" for row in rows).encode()


def _put(path, data, gz=False):
    """Bytes in a file, or zipped in `path`.gz without the time, so that equal bytes make equal files."""
    if gz:
        path, data = path.with_name(path.name + ".gz"), gzip.compress(data, 9, mtime=0)
    path.write_bytes(data)


def readme(sample, command, *, naming="run", shows=()):
    """The README of a sample, as Markdown: what it is, how it was made, what is unusual in it and what it shows."""
    kind, systems, judged = sample.kind, sample.systems, np.count_nonzero(sample.judged)
    several = f", {kind.variations} query variations per topic" if kind.variations > 1 else ""
    new = dict.fromkeys(np.array(systems.groups)[systems.newcomer])
    odd = [f"`{systems.names[s]}` ({ODDITIES[what]})" for s, what in sample.oddities.items()]
    text = f"""# A synthetic {kind.name} track

Nothing here comes from a real system, collection or assessor. This command made it:

    {command}

{kind.systems} systems of {kind.groups} groups, {kind.topics} topics{several}.
`qrels.txt` has the judgments of a pool: {kind.pooled} systems contributed, down to rank {kind.pool_depth}. \
There are {judged:,} judgments, {judged / kind.topics:,.0f} per topic.
`qrels.complete.txt.gz` has the complete judgments: of every document that a run retrieved and of every relevant one, \
with the same grades.
`qrels.second.txt.gz` has another assessor's judgments of the pool down to rank \
{min(SECOND_DEPTH, kind.pool_depth)}.
"""
    if sample.judges:
        models = "; ".join(f"`{name}` {model.JUDGES[name]}" for name in sample.judges)
        text += f"`judges/` has the judgments of three invented language models of the same documents: {models}.\n"
    if several:
        text += f"{NAMINGS[naming]}\n"
    if new:
        text += f"The groups {' and '.join(new)} did not contribute to the pool. Their systems are good and find "
        text += "relevant documents that no other system finds, so `qrels.txt` underestimates them.\n"
    if odd:
        text += f"\nUnusual, as in real tracks: {'; '.join(odd)}.\n"
    if shows:
        text += "\nWhat it was made to show:\n\n" + "".join(f"- {lesson}\n" for lesson in shows)
    return text


def main(arguments=None):
    """Write a synthetic track, with a README, into a folder."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=main.__doc__)
    parser.add_argument("--kind", choices=KINDS, default="newswire")
    parser.add_argument("--seed", type=int, default=1)
    for name in SIZES:
        parser.add_argument("--" + name.replace("_", "-"), type=int, help="default: the kind's")
    parser.add_argument("--naming", choices=NAMINGS, default="run", help="where a variation is named")
    parser.add_argument("--plain", action="store_true", help="no tied, ragged or otherwise unusual runs")
    parser.add_argument("--no-gz", action="store_true", help="runs as plain text")
    parser.add_argument("--out", required=True, help="folder to write into")
    given = parser.parse_args(arguments)
    sizes = {name: getattr(given, name) for name in SIZES if getattr(given, name) is not None}
    try:
        sample = make(given.kind, given.seed, oddities=not given.plain, **sizes)
    except ValueError as error:
        parser.error(str(error))
    write(sample, given.out, not given.no_gz, naming=given.naming)
    command = f"{COMMAND} --kind {given.kind} --seed {given.seed}"
    command += "".join(f" --{name.replace('_', '-')} {value}" for name, value in sizes.items())
    command += " --naming query" * (given.naming == "query") + " --plain" * given.plain + " --no-gz" * given.no_gz
    shows = lessons.lessons(given.out) if sample.kind.teaches else ()
    said = readme(sample, f"{command} --out {given.out}", naming=given.naming, shows=shows)
    Path(given.out, "README.md").write_text(said)


if __name__ == "__main__":
    main()
