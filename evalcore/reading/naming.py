"""Who is who: what each run is called, which query asks for which topic, and what the user's tables add to both."""

import re
from collections import defaultdict
from dataclasses import dataclass, replace

from evalcore.reading import tables
from evalcore.reading.files import Finding
from evalcore.reading.wording import some
from evalcore.sentences import digits as counted

ENDINGS = (".txt", ".run", ".res", ".out", ".trec", ".tsv", ".csv", ".json", ".exp")
VARIATION = re.compile(r"(.+)\.v(\d+)")


def natural(name):
    """A sort key by which "2" comes before "10", and numbers before the rest."""
    parts = re.findall(r"0*([0-9]+)|([^0-9]+)", name)
    return [(0, len(number), number) if number else (1, 0, rest) for number, rest in parts], name


# Systems


def without_copies(runs, variations, findings):
    """The runs, each file once: of files that are the same byte for byte the first one stays."""
    kept, first = [], {}
    for run in runs:
        name = _stem(run.source.name) if variations == "run" else ""
        key = run.source.sha256, name
        if key not in first:
            first[key] = run.source.name
            kept.append(run)
            continue
        message = f"{run.source.name} is {first[key]} once more, byte for byte; it was left out."
        findings.append(Finding("warning", "same file twice", "", "", 1, message))
    return kept


def _stem(name):
    """A file's own name without its folder, .gz, and one ending that only says what kind of file it is."""
    name = name.rsplit("/", 1)[-1]
    name = name[:-3] if name.lower().endswith(".gz") and len(name) > 3 else name
    ending = next((ending for ending in ENDINGS if name.lower().endswith(ending)), "")
    return name[: len(name) - len(ending)] or name


def run_names(runs, variations, findings):
    """What each run is called: its tag, or its file name where tags clash, differ within the file, or are missing."""
    files_of = defaultdict(list)
    for run in runs:
        if len(run.content.tags) == 1:
            files_of[run.content.tags[0]].append(run.source.name)
    for tag, files in files_of.items():
        if len(files) > 1:
            message = f"{len(files)} files have the tag {tag} ({some(files)}); they are named by file."
            findings.append(Finding("note", "one tag in several files", "", "", len(files), message))
    names = []
    for run in runs:
        tags, stem = run.content.tags, _stem(run.source.name)
        if len(tags) > 1:
            message = f"{run.source.name} has {len(tags)} tags ({some(tags)}); it is named {stem}, by its file."
            findings.append(Finding("note", "several tags in one file", stem, "", len(tags), message))
        by_tag = len(tags) == 1 and len(files_of[tags[0]]) == 1
        if by_tag and variations == "run" and VARIATION.fullmatch(stem) and not VARIATION.fullmatch(tags[0]):
            by_tag = False
        names.append(tags[0] if by_tag else stem)
    return _told_apart(runs, names, findings)


def _told_apart(runs, names, findings):
    """The names with " (2)" and so on after those that an earlier run has."""
    taken, apart = set(names), []
    for run, name in zip(runs, names, strict=True):
        if name not in apart:
            apart.append(name)
            continue
        other = next(f"{name} ({n})" for n in range(2, len(names) + 2) if f"{name} ({n})" not in taken)
        taken.add(other)
        apart.append(other)
        message = f"{run.source.name}: there is a system {name} already; this one is called {other}."
        findings.append(Finding("warning", "two systems of one name", other, "", 1, message))
    return apart


def systems(runs, names, variations, findings):
    """The system of each run, and the query variation that the run holds ("" for none). -> (names, variations)"""
    if variations != "run":
        return names, [""] * len(names)
    matches = [VARIATION.fullmatch(name) for name in names]
    plain = [run.source.name for run, match in zip(runs, matches, strict=True) if match is None]
    if plain:
        message = (
            f"{counted(len(plain), 'run has', 'runs have')} a name that does not end in .v1, .v2 and so on "
            f"({some(plain)}); each is a system with one query to a topic."
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


def queries(runs, own, judged, table, variations, findings):
    """Every query that a run answers or that stands for a judged topic. -> (name -> _Query, names by run)"""
    queries, asked = {}, []
    rows = _table_rows(table)
    used = set()
    for run, variation in zip(runs, own, strict=True):
        names = []
        for name in run.content.queries:
            query = name if not variation else f"{name}.v{variation}"
            names.append(query)
            if query not in queries:
                queries[query] = _query(query, name, variation, variations, rows, used)
        asked.append(names)
    answered = {query.topic for query in queries.values()}
    for topic in judged.topics:
        if topic not in answered:
            name = topic if topic not in queries else f"{topic} (no run)"
            queries[name] = replace(_query(name, topic, "", None, rows, used), topic=topic)
    if table is not None:
        without = [name for name, query in queries.items() if name in set().union(*asked) and not query.row]
        findings += _query_table_findings(table, rows, used, sorted(without, key=natural))
    if variations not in (None, "run"):
        whole = sorted({name for name in queries if variations not in name}, key=natural)
        if whole:
            words = "query has", "queries have"
            message = f'{counted(len(whole), *words)} no "{variations}" ({some(whole)}); each is a topic itself.'
            findings.append(Finding("note", "query without variation", "", "", len(whole), message))
    return queries, asked


def _query(query, name, variation, variations, rows, used):
    """What a query asks for: as the table says, else as its name says, else the topic of that name."""
    topic = name
    if variations not in (None, "run") and variations in name:
        before, _, after = name.rpartition(variations)
        topic, variation = (before, after) if before else (name, "")
    key = next((key for key in (query, name, (topic, variation), (topic, "")) if key in rows), None)
    row = dict(rows.get(key, {}))
    if key is not None:
        used.add(key)
    row.pop("query", None)
    topic = row.pop("topic", "") or topic
    variation = row.pop("variation", "") or variation
    return _Query(topic, variation, row, key)


def _table_rows(table):
    """A table of queries by what a row is found by: the query, or (topic, variation) where there is no such column."""
    if table is None:
        return {}
    if "query" in table.columns:
        return {row["query"]: row for row in reversed(table.rows)}
    return {(row["topic"], row.get("variation", "")): row for row in reversed(table.rows)}


def _query_table_findings(table, rows, used, asked):
    """What of the table of queries matched nothing, and which queries have no row in it."""
    idle = [" ".join(key) if isinstance(key, tuple) else key for key in rows if key not in used]
    again = len(table.rows) - len(rows)
    found = []
    for check, severity, count, words, names in (
        ("rows without a query", "note", len(idle), ("row matches", "rows match"), idle),
        ("query twice in the table", "warning", again, ("row repeats", "rows repeat"), []),
        ("queries without a row", "note", len(asked), ("query has no row", "queries have no row"), asked),
    ):
        if count:
            more = {"rows without a query": " no query of the runs", "query twice in the table": " an earlier one"}
            examples = f" ({some(names)})" if names else ""
            message = f"{table.name}: {counted(count, *words)}{more.get(check, '')}{examples}."
            found.append(Finding(severity, check, "", "", count, message))
    return found


def query_rows(by_query, queries):
    """The table of queries, column by column."""
    more = list(dict.fromkeys(name for query in queries.values() for name in query.more))
    rows = {
        "query": by_query,
        "topic": [queries[name].topic for name in by_query],
        "variation": [queries[name].variation for name in by_query],
    }
    return rows | {name: [queries[query].more.get(name, "") for query in by_query] for name in more}


# The table of systems


def system_rows(runs, systems, by_system, names, table, findings):
    """The table of systems, column by column."""
    files = defaultdict(list)
    aliases = defaultdict(set)
    for run, system, name in zip(runs, systems, names, strict=True):
        files[system].append(run.source.name)
        own = run.source.name.rsplit("/", 1)[-1]
        for alias in (system, name, run.source.name, own, _stem(own), *run.content.tags):
            aliases[alias].add(system)
    for system in by_system:
        aliases[system] = {system}
    rows = _rows_by_system(table, aliases, findings)
    pooled = [tables.TRUTH[rows[system].get("pooled", "").lower()] for system in by_system]
    columns = {
        "system": by_system,
        "group": [rows[system].get("group", "") for system in by_system],
        "pooled": pooled,
        "type": [rows[system].get("type", "") for system in by_system],
        "file": [", ".join(files[system]) for system in by_system],
    }
    more = [] if table is None else table.columns
    for name in (name for name in more if name not in ("system", "group", "pooled", "type")):
        label = name if name not in columns else f"{name} (table)"
        columns[label] = [rows[system].get(name, "") for system in by_system]
    return columns


def _rows_by_system(table, aliases, findings):
    rows = defaultdict(dict)
    if table is None:
        return rows
    idle, again = [], []
    for row in table.rows:
        meant = aliases.get(row["system"], ())
        if len(meant) != 1:
            idle.append(row["system"])
            continue
        (system,) = meant
        if rows.setdefault(system, row) | {"system": ""} != row | {"system": ""}:
            again.append(row["system"])
    everyone = set().union(*aliases.values())
    missing = sorted(everyone - set(rows), key=natural)
    for check, severity, those, words in (
        ("rows without a run", "note", idle, ("row matches no run, or several", "rows match no run, or several")),
        ("system twice in the table", "warning", again, ("row contradicts", "rows contradict")),
        ("runs without a row", "warning", missing, ("system has no row", "systems have no row")),
    ):
        if those:
            more = " an earlier row on the same system, which is used" if those is again else ""
            message = f"{table.name}: {counted(len(those), *words)}{more} ({some(those)})."
            findings.append(Finding(severity, check, "", "", len(those), message))
    return rows
