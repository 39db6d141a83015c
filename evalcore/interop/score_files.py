"""Read the scores that another program printed: `trec_eval -q`, `ir_measures`, or JSON lines.

map          301   0.2410        trec_eval: measure, topic, value; the line `runid` names the run
301   AP     0.2410              ir_measures: topic, measure, value; no run is named
{"run": "a", "topic": "301", "measure": "AP", "value": 0.241}
"""

import contextlib
import hashlib
import io
import json
import math
import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import islice

import pandas as pd

from evalcore.metrics.metrics import metric as metric_named
from evalcore.reading.error_text import MOST_BAD, also, shortened
from evalcore.reading.files import File, InputError, Source, listing, refusal
from evalcore.reading.unpacking import Unpacker

ALL = "all"  # the topic of a mean
WANTED = (
    "lines of three columns are needed (map 301 0.2410, or 301 AP 0.2410), or JSON lines such as "
    '{"run": "a", "topic": "301", "measure": "AP", "value": 0.241}'
)
KEYS = {
    "run": ("run", "system", "runid", "run_id", "tag"),
    "topic": ("topic", "query", "query_id", "qid", "topic_id"),
    "label": ("measure", "metric"),
    "value": ("value", "score"),
}
# what ir_measures says of a measure beside its name: how grades and unjudged documents are read
READING = re.compile(r"\b(?:rel|judged_only|dcg|min_rel|max_rel|gains)\s*=\s*(?:\{[^}]*\}|[^,()]+)\s*,?\s*")
NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)
FEWEST_DIGITS = 4  # JSON writes .5 for .5000
LONGEST = 64  # characters of a number
MOST_MEASURES = 1000  # in a file; each is scored anew
SAMPLE = 200  # words of a column that show whether it holds measures


def scores_in(source: File | Sequence[File]) -> tuple[pd.DataFrame, list[Source]]:
    """The scores in a file, a folder or a zip. -> (DataFrame, list of Source); InputError for what cannot be read

    Columns: file; run, "" where none is named; topic, `ALL` for a mean; label, the measure as it is written; metric,
    our name of it, "" where we have none; value; digits, behind the point, that the file prints at the most.
    """
    given = listing(source, "theirs")
    problems, tables, sources, unpacker = list(given.problems), [], [], Unpacker()
    for file in given.files:
        with contextlib.closing(file):
            try:
                data, text = unpacker.read(file)
                tables.append(_table(file.name, text))
                sources.append(Source("theirs", file.name, hashlib.sha256(data).hexdigest(), file.size))
            except InputError as error:
                problems += error.problems
    if problems:
        raise InputError(problems)
    return pd.concat(tables, ignore_index=True), sources


def metric_meant(label: str) -> str:
    """Our name of a measure as trec_eval or ir_measures writes it, "" for one that we do not have; what the name says
    of the reading of grades is left out: `P(rel=2)@10` is P@10, read otherwise."""
    plain = READING.sub("", label).replace(",)", ")").replace("()", "")
    with contextlib.suppress(ValueError):
        return metric_named(plain).name
    return ""


def _table(name, data):
    text = data.decode("utf-8-sig", "backslashreplace").replace("\r\n", "\n").replace("\r", "\n")
    is_json = text.lstrip()[:1] in ("{", "[")
    rows = _json_rows(name, text) if is_json else _rows(name, text)
    if not rows:
        raise refusal(name, f" contains no score; {WANTED}.")
    table = pd.DataFrame(rows, columns=["run", "topic", "label", "value"])
    if (several := table["label"].nunique()) > MOST_MEASURES:
        raise refusal(name, f" contains {several:,} metrics, but at most {MOST_MEASURES:,} are allowed; {WANTED}.")
    digits = max(max(0, -value.as_tuple().exponent) for value in table["value"])
    meant = {label: metric_meant(label) for label in table["label"].unique()}
    return table.assign(
        file=name,
        metric=table["label"].map(meant),
        value=table["value"].astype(float),
        digits=max(digits, FEWEST_DIGITS) if is_json else digits,
    )


def _rows(name, text):
    """(run, topic, label, value) of each line of columns."""
    lines, bad, widths = [], [], {}
    for number, line in enumerate(io.StringIO(text), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "runid" and len(words) == 3:
            lines.append((words[2],))
            continue
        value = _number(words[-1])
        if len(words) not in (2, 3) or value is None:
            bad.append((number, line))
            if len(bad) == MOST_BAD:
                break
        else:
            lines.append((*words[:-1], value) if len(words) == 3 else (words[0], ALL, value))
            widths.setdefault(len(words), (number, line))
    if len(widths) == 2:  # means alone have two columns
        bad.append(widths[2])
    if bad:
        number, line = bad[0]
        message = f": the line lacks a metric, a topic or a value; {WANTED}.{also(len(bad))}"
        raise refusal(name, message, number, [shortened(line.rstrip("\n").encode()) for _, line in bad[:3]])
    scores = [line for line in lines if len(line) == 3]
    first, second = (dict.fromkeys(line[at] for line in scores) for at in (0, 1))
    topic_first = _measures(second) > _measures(first)
    return list(_named(lines, topic_first))


def _named(lines, topic_first):
    """The lines as rows, each with its run. trec_eval names it below the topics and above the means; others above."""
    block, run, ended = [], "", False

    def closed():
        return [(run, *row) for row in block]

    for line in lines:
        is_name = len(line) == 1
        topic = None if is_name else line[not topic_first]
        if ended if topic != ALL and not is_name else is_name and (ended or run):
            yield from closed()
            block, run, ended = [], "", False
        if is_name:
            run = line[0]
        else:
            ended |= topic == ALL
            block.append((topic, line[topic_first], line[2]))
    yield from closed()


def _json_rows(name, text):
    """(run, topic, label, value) of each object."""
    try:
        data = _json(text)
        numbered = list(enumerate(data if isinstance(data, list) else [data], 1))
    except json.JSONDecodeError:
        numbered = []
        for number, line in enumerate(io.StringIO(text), 1):
            if line.strip():
                try:
                    numbered.append((number, _json(line)))
                except json.JSONDecodeError as error:
                    message = f": this is not JSON ({error.msg}); {WANTED}."
                    raise refusal(name, message, number, [shortened(line.rstrip("\n").encode())]) from None
    rows = []
    for number, entry in numbered:
        fields = {key: _first(entry, names) for key, names in KEYS.items()} if isinstance(entry, dict) else {}
        value = _finite(fields.get("value"))
        if value is None or fields["label"] is None:
            message = f": the entry lacks a metric or a value; {WANTED}."
            raise refusal(name, message, number, [shortened(json.dumps(entry, default=str).encode())])
        topic = ALL if fields["topic"] is None else _plain(fields["topic"])
        rows.append((_plain(fields["run"] or ""), topic, _plain(fields["label"]), value))
    return rows


def _json(text):
    """What JSON says, its numbers as they are written; JSONDecodeError for what is none, or too deep to be scores."""
    try:
        return json.loads(text, parse_float=Decimal, parse_int=Decimal)
    except RecursionError:
        raise json.JSONDecodeError("brackets within brackets", text[:1], 0) from None


def _plain(value):
    """A value as text that can be written to a file: JSON may hold halves of characters."""
    return str(value).encode("utf-8", "backslashreplace").decode()


def _first(entry, names):
    return next((entry[name] for name in names if entry.get(name) is not None), None)


def _number(text):
    """A score as it is written, or None."""
    return _finite(Decimal(text)) if len(text) <= LONGEST and NUMBER.fullmatch(text) else None


def _finite(value):
    return value if isinstance(value, Decimal) and math.isfinite(float(value)) else None


def _measures(words):
    """How many of the first of these words name a measure of ours."""
    return sum(metric_meant(word) != "" for word in islice(words, SAMPLE))
