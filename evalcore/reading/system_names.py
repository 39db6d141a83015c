"""Names of systems and queries: the name of each run, the topic of each query, and the user's tables of both."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from evalcore.reading import companion_tables
from evalcore.reading.error_text import few_of
from evalcore.reading.files import Finding
from evalcore.reading.rankings import Judged
from evalcore.vocabulary.sentences import digits, written

ENDING = re.compile(
    r"(\.(txt|run|res|out|trec|tsv|csv|xlsx?|xlsb|ods|json|jsonl|parquet|exp))?(\.gz|\.lz4)?\Z", re.IGNORECASE
)
MOST_NAMED = 4  # files with each other's tags
VARIATION = re.compile(r"(.+)\.v(\d+)")


def natural(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """A sort key by which "2" comes before "10", and numbers before the rest."""
    parts = re.findall(r"0*([0-9]+)|([^0-9]+)", name)
    return [(0, len(number), number) if number else (1, 0, rest) for number, rest in parts], name


# Systems


def without_copies(runs: Sequence[Any], variations: str | None, findings: list[Finding]) -> list[Any]:
    """The runs, each file once: of files that are the same byte for byte the first one stays."""
    distinct = {}
    for run in runs:
        own = _stem(run.source.name) if variations == "run" else ""
        first = distinct.setdefault((run.source.sha256, own, run.part), run)
        if first is not run:
            message = f"{run.source.name} is identical to {first.source.name}, byte for byte, and was left out."
            findings.append(Finding("warning", "same file twice", "", "", 1, message))
    return list(distinct.values())


def _stem(name):
    """A file's own name without its folder, .gz, and one ending that only says what kind of file it is."""
    own = name.rsplit("/", 1)[-1]
    return ENDING.sub("", own) or own


def run_names(runs: Sequence[Any], variations: str | None, findings: list[Finding]) -> list[str]:
    """What each run is called: its tag, or its file name where tags clash, differ within the file, or are missing."""
    files_of, topics_of = defaultdict(list), defaultdict(list)
    for run in runs:
        if len(run.content.tags) == 1:
            files_of[run.content.tags[0]].append(run.source.name)
            topics_of[run.content.tags[0]].append(run.content.queries)
    findings += _names_exchanged(runs)
    for tag, files in files_of.items():
        topics = topics_of[tag]
        if len(files) > 1 and sum(map(len, topics)) == len(set().union(*topics)):
            message = (
                f"{len(files)} files have the tag {tag} ({few_of(files)}), but no topic in common, so they seem to be "
                f"parts of one run. They count as {len(files)} systems, each without the other topics: join their "
                "lines in one file."
            )
            findings.append(Finding("warning", "one tag in several files", "", "", len(files), message))
        elif len(files) > 1:
            message = (
                f"{len(files)} files have the tag {tag} ({few_of(files)}), so each system is named after its file."
            )
            findings.append(Finding("note", "one tag in several files", "", "", len(files), message))
    names = []
    for run in runs:
        tags, stem = run.content.tags, _stem(run.source.name)
        if len(tags) > 1:
            message = (
                f"{run.source.name} has {len(tags)} tags ({few_of(tags)}), so its system is named after the file: "
                f"{stem}."
            )
            findings.append(Finding("note", "several tags in one file", stem, "", len(tags), message))
        by_tag = len(tags) == 1 and len(files_of[tags[0]]) == 1
        if by_tag and variations == "run" and VARIATION.fullmatch(stem):
            by_tag = VARIATION.fullmatch(tags[0])
        names.append(tags[0] if by_tag else stem)
    return _told_apart(runs, names, findings)


def _names_exchanged(runs):
    """Files of which each is named as the next one's lines are tagged, and the first as the last one's."""
    tag_of = {_stem(run.source.name): run.content.tags[0] for run in runs if len(run.content.tags) == 1}
    around = Counter((stem.partition(tag)[0], stem.partition(tag)[2]) for stem, tag in tag_of.items() if tag in stem)
    # what names of files have besides, as NIST's do
    before, after = max(around, key=around.__getitem__, default=("", ""))
    file_of = {stem.removeprefix(before).removesuffix(after): stem for stem in tag_of}
    seen = set()
    for name in sorted(file_of):
        ring = [name]
        while (tag := tag_of[file_of[ring[-1]]]) in file_of and tag not in ring and tag not in seen:
            ring.append(tag)
        seen.update(ring)
        if len(ring) > 1 and tag == name:
            first, *rest = [file_of[stem] for stem in ring]
            pairs = [f"the file {stem} the tag {tag_of[stem]}" for stem in rest[: MOST_NAMED - 1]]
            pairs[-1] = "and so on" if len(rest) >= MOST_NAMED else f"and {pairs[-1]}"
            message = (
                f"The file {first} has the tag {tag_of[first]}, {', '.join(pairs)}. The file names may be swapped. "
                "Systems are named by their tags: check which are right."
            )
            yield Finding("warning", "file names exchanged", name, "", len(ring), message)


def _told_apart(runs, names, findings):
    """The names with " (2)" and so on after those that an earlier run has."""
    taken, renamed = set(names), []
    for run, name in zip(runs, names, strict=True):
        own = name
        if name in renamed:
            own = next(f"{name} ({n})" for n in count(2) if f"{name} ({n})" not in taken)
            taken.add(own)
            message = f"{run.source.name}: another system is already named {name}; this one is named {own}."
            findings.append(Finding("warning", "two systems of one name", own, "", 1, message))
        renamed.append(own)
    return renamed


def systems(
    runs: Sequence[Any], names: Sequence[str], variations: str | None, findings: list[Finding]
) -> tuple[Sequence[str], Sequence[str]]:
    """The system of each run, and the query variation that the run holds ("" for none). -> (names, variations)"""
    if variations != "run":
        return names, [""] * len(names)
    matches = [VARIATION.fullmatch(name) for name in names]
    plain = [run.source.name for run, match in zip(runs, matches, strict=True) if match is None]
    if plain:
        message = (
            f"{digits(len(plain), 'run has', 'runs have')} a name that does not end in .v1, .v2 and so on "
            f"({few_of(plain)}); each counts as a system with one query per topic."
        )
        findings.append(Finding("warning", "no variation in the name", "", "", len(plain), message))
    systems = [match[1] if match else name for name, match in zip(names, matches, strict=True)]
    return systems, [match[2] if match else "" for match in matches]


# Queries and topics


@dataclass
class _Query:
    topic: str
    variation: str
    more: dict  # the other columns of its row in the table
    row: object = None  # what the row was found by


def queries(
    runs: Sequence[Any], own: Sequence[str], judged: Judged, table: companion_tables.Table | None,
    variations: str | None, findings: list[Finding],
) -> tuple[dict[str, Any], list[list[str]]]:  # fmt: skip
    """Every query that a run answers or that stands for a judged topic. -> (name -> _Query, names by run)"""
    queries = {}
    rows, again = _table_rows(table)
    topics_of = []
    for run, variation in zip(runs, own, strict=True):
        topics_of.append([f"{name}.v{variation}" if variation else name for name in run.content.queries])
        for query, name in zip(topics_of[-1], run.content.queries, strict=True):
            if query not in queries:
                queries[query] = _query(query, name, variation, variations, rows)
    without = sorted((name for name, query in queries.items() if query.row is None), key=natural)
    answered = {query.topic for query in queries.values()}
    for topic in judged.topics:
        if topic not in answered:
            name = topic if topic not in queries else f"{topic} (no run)"
            queries[name] = replace(_query(name, topic, "", None, rows), topic=topic)
    if table is not None:
        used = {query.row for query in queries.values()}
        idle = [key for key in rows if key not in used]
        findings += _table_findings(
            table.name,
            ("note", "rows without a query", idle, "{n:digits row matches/rows match} no query of the runs ({which})"),
            ("warning", "query twice in the table", again, "{n:digits row repeats/rows repeat} an earlier one"),
            ("note", "queries without a row", without, "{n:digits query has/queries have} no row ({which})"),
        )
    if variations not in (None, "run"):
        whole = sorted({name for name in queries if variations not in name}, key=natural)
        if whole:
            words = "query has", "queries have"
            message = f'{digits(len(whole), *words)} no "{variations}" ({few_of(whole)}); each counts as its own topic.'
            findings.append(Finding("note", "query without variation", "", "", len(whole), message))
    return queries, topics_of


def _query(query, name, variation, variations, rows):
    """What a query asks for: as the table says, else as its name says, else the topic of that name."""
    topic = name
    if variations not in (None, "run") and variations in name:
        before, _, after = name.rpartition(variations)
        topic, variation = (before, after) if before else (name, "")
    key = next((key for key in (query, name, (topic, variation), (topic, "")) if key in rows), None)
    row = dict(rows.get(key, {}))
    row.pop("query", None)
    topic = row.pop("topic", "") or topic
    variation = row.pop("variation", "") or variation
    return _Query(topic, variation, row, key)


def _table_rows(table):
    """A table of queries by what a row is found by: the query, or (topic, variation) where there is no such column.

    -> (what it is found by -> row, what rows that repeat an earlier one would be found by)
    """
    rows, again = {}, []
    for row in [] if table is None else table.rows:
        key = row["query"] if "query" in row else (row["topic"], row.get("variation", ""))
        if rows.setdefault(key, row) is not row:
            again.append(key)
    return rows, again


def _table_findings(table, *mismatches):
    """What of a table matches nothing, or repeats, and what has no row in it: what is said of n names, and which."""
    for severity, check, names, text in mismatches:
        if names:
            names = [" ".join(name) if isinstance(name, tuple) else name for name in names]
            message = written(text, {"n": len(names), "which": few_of(names)})
            yield Finding(severity, check, "", "", len(names), f"{table}: {message}.")


def query_rows(by_query: Sequence[str], queries: Mapping[str, Any]) -> dict[str, list[str]]:
    """The table of queries, column by column."""
    chosen = [queries[name] for name in by_query]
    more = list(dict.fromkeys(name for query in queries.values() for name in query.more))
    rows = {
        "query": by_query,
        "topic": [query.topic for query in chosen],
        "variation": [query.variation for query in chosen],
    }
    return rows | {name: [query.more.get(name, "") for query in chosen] for name in more}


# The table of systems


def system_rows(
    runs: Sequence[Any], systems: Sequence[str], by_system: Sequence[str], names: Sequence[str],
    table: companion_tables.Table | None, findings: list[Finding],
) -> dict[str, Any]:  # fmt: skip
    """The table of systems, column by column."""
    files, aliases = defaultdict(list), defaultdict(set)
    for run, system, name in zip(runs, systems, names, strict=True):
        file = run.source.name
        files[system].append(file)
        for alias in (system, name, file, file.rsplit("/", 1)[-1], _stem(file), *run.content.tags):
            aliases[alias].add(system)
    aliases |= {system: {system} for system in by_system}
    rows = {} if table is None else _rows_by_system(table, by_system, aliases, findings)

    def cells(column):
        return [rows.get(system, {}).get(column, "") for system in by_system]

    findings += _groups_alike(table, cells("group"))
    columns = {
        "system": by_system,
        "group": cells("group"),
        "pooled": [companion_tables.TRUTH[cell.lower()] for cell in cells("pooled")],
        "type": cells("type"),
        "file": [", ".join(files[system]) for system in by_system],
    }
    for name in [] if table is None else table.columns:
        if name not in companion_tables.KNOWN["systems"]:
            columns[name if name not in columns else f"{name} (table)"] = cells(name)
    return columns


def _groups_alike(table, groups):
    """That groups differ in case, blanks or signs only: they count as two where one is left out."""
    spelt = defaultdict(set)
    for group in filter(None, groups):
        spelt[re.sub(r"[\W_]+", "", group).lower() or group].add(group)
    alike = sorted(sorted(names) for names in spelt.values() if len(names) > 1)
    if alike:
        more = f" {digits(len(alike) - 1, 'more group')} may be affected." if len(alike) > 1 else ""
        message = (
            f"{table.name}: the groups {', '.join(alike[0])} differ only in spelling, but count as {len(alike[0])} "
            f"groups.{more} If they are one group, spell them the same way."
        )
        yield Finding("warning", "groups spelt differently", "", "", len(alike), message)


def _rows_by_system(table, by_system, aliases, findings):
    rows, idle, again = {}, [], []
    for row in table.rows:
        meant = aliases.get(row["system"], ())
        if len(meant) != 1:
            idle.append(row["system"])
        else:
            (system,) = meant
            if rows.setdefault(system, row) | {"system": ""} != row | {"system": ""}:
                again.append(row["system"])
    missing = [system for system in by_system if system not in rows]
    contradicts = (
        "{n:digits row contradicts/rows contradict} an earlier row for the same system, which is used ({which})"
    )
    folded = {name.lower() for name in by_system}
    case = "; they match if case is ignored" if folded & {name.lower() for name in idle} else ""
    findings += _table_findings(
        table.name,
        ("note", "rows without a run", idle, "{n:digits row matches/rows match} no run, or several ({which})"),
        ("warning", "system twice in the table", again, contradicts),
        ("warning", "runs without a row", missing, "{n:digits system has/systems have} no row ({which})" + case),
    )
    return rows
