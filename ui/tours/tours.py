"""The tours: the TOML files of this folder, read and checked. CONTRIBUTING.md says how to write one."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import evalcore
from ui.data.sources import SAMPLES
from ui.forms.fused_runs import WORKED_EXAMPLE
from ui.layout import menu
from ui.text import citations, definitions
from ui.tours.printed_numbers import Cells, Printed, Track
from ui.tours.tour_steps import NEEDS, VALUE, VALUES, Step, Tour, as_in_address

START = menu.HOME
PAGES = {Path(path).stem: path for path in menu.PAGES}  # as the link and the files call them

# Fields of a file, of its steps and of its other tables: name -> type.
TOUR = {"order": int, "title": str, "what": str, "step": list}
TOUR_OPTIONS = {"source": str, "sample": str, "track": dict, "printed": dict}
STEP = {"page": str, "title": str, "words": str}
STEP_OPTIONS = {"choices": dict, "needs": list, "section": str, "printed": list, "labels": list, "at": str}
SENTENCES = ("claim", "words", "see")  # a step's words in this order; those of a paper's step begin and end like this
STEP_OPTIONS |= {"claim": str, "see": str, "moral": str, "differs": str, "then": str}
TRACK, TRACK_OPTIONS = {"name": str}, {"topics": list, "systems": int, "without": list}
CELLS: dict[str, Any] = {"column": (str, dict), "by": str, "where": dict}  # of the page's table, see `Cells`
CELLS |= {"best": str, "last": str, "unit": str, "spread": str, "times": int, "note": str, "ours": str}
NOTES = "note", "ours"
PRINTED: dict[str, Any] = {"section": str, "question": str, "parameters": dict, "rows": list}
PRINTED_OPTIONS, ROW_OPTIONS = {"track": dict} | CELLS, {"parameters": dict} | CELLS
ROW = {"what": str, "numbers": dict}
TYPES: dict[Any, str] = {str: "a text in quotes", int: "a whole number", list: "a list", dict: "a table"}
TYPES |= {(str, dict): "a text in quotes or a table"}


def tour_in(path: Path) -> tuple[int, Tour]:
    """(order, tour) of a file; a `ValueError` says where it is wrong and what is right."""
    try:
        fields = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name} is not TOML: {error}.") from None
    where = f"{path.name} ({fields.get('title', 'no title')})"
    _check(where, fields, TOUR, TOUR_OPTIONS)
    if source := fields.get("source"):
        _check_known(where, "source", source, citations.references())
    if sample := fields.get("sample"):
        _check_known(where, "sample", sample, SAMPLES)
    track = _track(f"{where}, track", fields["track"]) if "track" in fields else None
    printed = {
        name: tuple(_printed(f"{where}, printed.{name}", table, track))
        for name, table in fields.get("printed", {}).items()
    }
    steps = [
        _step(f"{where}, step {number} ({step.get('title', 'no title')})", step, printed)
        for number, step in enumerate(fields["step"], 1)
    ]
    return fields["order"], Tour(fields["title"], _line(fields["what"]), tuple(steps), source or "", sample or "")


def _step(where, fields, printed):
    _check(where, ({"words": ""} if "see" in fields else {}) | fields, STEP, STEP_OPTIONS)
    page, choices = fields["page"], fields.get("choices", {})
    _check_known(where, "page", page, PAGES)
    for name, value in choices.items():
        _check_known(where, "choice", name, [*menu.PAGES[PAGES[page]].choices.split(), "open"], f" on page {page}")
        for each in value if isinstance(value, list) else [value]:
            if name == "open":
                _check_known(where, "section", each, menu.PAGES[PAGES[page]].folds.split(), f" on page {page}")
            for value_name in VALUE.findall(as_in_address(each)):
                _check_known(where, "value", f"{{{value_name}}}", [f"{{{known}}}" for known in VALUES])
    for need in fields.get("needs", ()):
        _check_known(where, "need", need, NEEDS)
    if section := fields.get("section", ""):
        _check_known(where, "section", section, definitions.sections(), " in docs/METHODS.md")
    rows = []
    for table in fields.get("printed", ()):
        _check_known(where, "table of printed numbers", table, printed)
        rows += [_only(where, row, fields.get("labels", row.numbers)) for row in printed[table]]
    words = _line(" ".join(fields.get(name, "") for name in SENTENCES))
    rest = {name: _line(fields.get(name, "")) for name in ("at", "claim", "see", "moral", "differs", "then")}
    return Step(
        PAGES[page], fields["title"], words, choices, tuple(fields.get("needs", ())), section, tuple(rows), **rest
    )


def _only(where, row, labels):
    """A row of printed numbers with these labels."""
    for label in labels:
        _check_known(where, "label", label, row.numbers, f" in “{row.what}”")
    return replace(row, numbers={label: row.numbers[label] for label in labels})


def _track(where, fields):
    _check(where, fields, TRACK, TRACK_OPTIONS)
    if "topics" not in fields:
        return Track(fields["name"])
    spans = fields["topics"] if isinstance(fields["topics"][0], list) else [fields["topics"]]
    if any([type(topic) for topic in span] != [int, int] for span in spans):
        raise ValueError(f"{where}: topics must be the first and the last number, such as [401, 450].")
    topics = {topic for first, last in spans for topic in range(first, last + 1)} - set(fields.get("without", ()))
    return Track(fields["name"], frozenset(map(str, topics)), fields.get("systems", 0))


def _printed(where, fields, track):
    """The rows of a table of printed numbers."""
    _check(where, fields, PRINTED, PRINTED_OPTIONS)
    track = _track(f"{where}, track", fields["track"]) if "track" in fields else track
    _check_known(where, "question", fields["question"], [*evalcore.QUESTIONS, WORKED_EXAMPLE])
    _check_known(where, "section", fields["section"], definitions.sections(), " in docs/METHODS.md")
    columns = evalcore.QUESTIONS[fields["question"]].columns.split() if track else []
    for row in fields["rows"]:
        _check(where, row, ROW, ROW_OPTIONS)
        _check(f"{where}, numbers", row["numbers"], dict.fromkeys(row["numbers"], str), {})
        parameters = fields["parameters"] | row.get("parameters", {})
        parameters = {name: None if value == "" else value for name, value in parameters.items()}  # TOML has no None
        cells = _cells(f"{where}, {row['what']}", fields, row, columns) if track else None
        notes = (row.get(name, fields.get(name, "")) for name in NOTES)
        yield Printed(
            row["what"], row["numbers"], fields["section"], fields["question"], parameters, track, cells, *notes
        )


def _cells(where, fields, row, columns):
    """Which cells of a question's table are a row's numbers. fields : of the table of printed numbers"""
    given = {name: row.get(name, fields.get(name)) for name in CELLS if name not in NOTES}
    given["where"] = fields.get("where", {}) | row.get("where", {})
    given = {name: value for name, value in given.items() if value is not None}
    if "column" not in given:
        raise ValueError(f"{where}: the field column is missing.")
    read = [given["column"]] if isinstance(given["column"], str) else list(given["column"].values())
    for column in (*read, *given["where"], *(given[name] for name in ("by", "best", "spread") if name in given)):
        _check_known(where, "column", column, columns)
    return Cells(**given)


def _line(words):
    """A text that may be wrapped in its file, on one line."""
    return " ".join(words.split())


def _check(where, fields, required, optional):
    """Refuse a table without a field, with an unknown one, or with one of another type."""
    kinds = required | optional
    for name, value in fields.items():
        _check_known(where, "field", name, kinds)
        if not isinstance(value, kinds[name]) or isinstance(value, bool):
            raise ValueError(f"{where}: {name} must be {TYPES[kinds[name]]}, not {value!r}.")
    if missing := [name for name in required if name not in fields]:
        raise ValueError(f"{where}: the field {missing[0]} is missing. Required: {', '.join(required)}.")


def _check_known(where, kind, name, known, within=""):
    """Refuse an unknown name. within : " on page scores", say"""
    if name not in known:
        raise ValueError(f"{where}: no {kind} {name!r}{within}. Known: {', '.join(known) or 'none'}.")


def read_all(folder: Path) -> dict[str, Tour]:
    """The tours of a folder by name, which is that of the file and of the link, in their order."""
    tours = {path.stem: tour_in(path) for path in sorted(folder.glob("*.toml"))}
    return {name: tour for name, (_, tour) in sorted(tours.items(), key=lambda named: named[1][0])}


TOURS = read_all(Path(__file__).parent)
PAPERS = [name for name, tour in TOURS.items() if tour.source]
