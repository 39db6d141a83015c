"""What a file seems to be before it is read: a run, judgments or a table of systems or of queries, and which column of
a table is what.
"""

import re

from evalcore.reading import sheets
from evalcore.reading.files import InputError, listing
from evalcore.reading.headings import MOST_GRADES, NAMES, plain
from evalcore.reading.tabular import OTHER, TREC, first_line, said_of, table_of
from evalcore.reading.unpacking import Unpacker


def look(upload, role, columns=None, read=None):
    """The `Table` that a file is, or None where it is none, or several files.

    upload : an `Upload` or a path, plain or packed with gz; role : "run" or "qrels"; columns : as in `open_study`
    read : a dict that keeps what was read between looks at this one file
    Raises InputError for a table that cannot be read.
    """
    name, data = _content(upload, role)
    return None if data is None else table_of(name, data, role, said_of(columns, name), read)


def role_of(upload, read=None):
    """What a file seems to be: "run", "qrels", "systems", "queries", or "" where nothing tells. read : as in `look`"""
    try:
        name, data = _content(upload, "run")
        return "" if data is None else _role_of(name, data, {} if read is None else read)
    except InputError:  # it is said when the file is read
        return ""


def words(upload):
    """How many words the first line of a file has; 0 where it is several files, or cannot be unpacked."""
    try:
        _, data = _content(upload, "run")
    except InputError:
        return 0
    return 0 if data is None else len(first_line(data).split())


def _content(upload, role):
    """The name and the bytes of a file, unpacked; no bytes where it is several files, or cannot be unpacked."""
    found = listing(upload, role)
    try:
        if found.problems or len(found.given) != 1 or found.given[0].member is not None:
            return "", None
        name = found.given[0].name
        return name, sheets.in_utf8(name, Unpacker().read(found.given[0])[1])[0]
    finally:
        for file in found.given:
            file.close()


def _role_of(name, data, read):
    words = first_line(data).split()
    if data.lstrip()[:1] == b"{":
        return _role_by_values(re.findall(rb":\s*([+-]?[\d.][\d.eE+-]*)", data[: 64 << 10]))
    tables = {role: table_of(name, data, role, read=read) for role in OTHER}
    plain_lines = [role for role, table in tables.items() if table is None and len(words) in TREC[role]]
    if plain_lines:
        if len(words) != 3:
            return plain_lines[0]
        last = [line.split()[-1] for line in data[: 64 << 10].splitlines()[:1000] if line.split()]
        return _role_by_values([word for word in last if word[-1:].isdigit()])
    heading = {
        cell.strip().strip('"').lower() for cell in re.split(r"[\t,;]", first_line(data).decode("utf-8", "replace"))
    }
    if tables["run"]:
        heading = {cell.lower() for cell in tables["run"].sheets[0].first}
    of_documents = {plain(cell) for cell in heading} & {*NAMES["document"]}
    if heading & {"system", "run"} and heading & {"group", "team", "pooled", "type"} and not of_documents:
        return "systems"
    sure = {role: table.used[0][1].columns for role, table in tables.items() if table and table.certain}
    if len(sure) == 2:  # one column may be either's, such as a score of whole numbers
        return "qrels" if sure["qrels"]["grade"] == sure["run"].get("score") else "run"
    if sure:
        return next(iter(sure))
    if heading & {"query", "topic", "qid", "query_id", "query-id"} and heading & {"text", "topic", "variation"}:
        return "queries"
    return "qrels" if not (tables["run"] and tables["run"].used[0][1].fits("run")) and tables["qrels"] else "run"


def _role_by_values(numbers):
    """Judgments have a few whole numbers; ranks and scores are many, or have decimals."""
    whole = all(re.fullmatch(rb"[+-]?\d+", number) for number in numbers)
    counts = numbers[:3] in ([b"0", b"1", b"2"], [b"1", b"2", b"3"])
    return "qrels" if whole and not counts and len(set(numbers)) <= MOST_GRADES else "run"
