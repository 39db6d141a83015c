"""Tables of named functions, and names with parameters: `RBP(p=0.95)@10`, `interpolated(C=0.42, E=0.01)`.

Each choice is a function and a `Row` of the table at the end of its file. The function's keyword-only arguments are
the parameters (`k` is written after the @); a written name can be parsed again.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evalcore.vocabulary.sentences import first_of

SENTENCE_END = re.compile(r"(?<=\.)\s(?=[A-Z(])")
NUMBER = re.compile(r"[+-]?[\d.]")
WRITTEN = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\w+))?\s*")


REQUIRED = inspect.Parameter.empty  # the default of a parameter that has none
LONGEST_NUMBER = 18  # characters: a score has fewer digits, and a whole number still fits into 64 bits


@dataclass(frozen=True)
class Row:
    """A function with its label, source and limits.

    label : what it is in at most five words, "" if the name says so
    source : who defined it, by a key of docs/METHODS.md; oracle : what it is tested against
    limits : parameter -> (test, the words of what is allowed)
    instead : parameter that it does not have, and a similar row has -> what to do, for the error
    """

    name: str
    function: Callable[..., Any]
    label: str = ""
    source: str = ""
    oracle: str = "the definition in plain Python"
    limits: dict[str, tuple[Callable[[Any], bool], str]] = field(default_factory=dict)
    instead: dict[str, str] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        paragraph = " ".join((inspect.getdoc(self.function) or "").split("\n\n")[0].split())
        return SENTENCE_END.split(paragraph)[0].removesuffix(".")

    @property
    def parameters(self) -> Mapping[str, Any]:
        return parameters(self.function)

    @property
    def title(self) -> str:
        """The label, or the name if it has none."""
        return self.label or self.name

    @property
    def worded(self) -> str:
        """What it is in words, then its name: "Full model · MD6"."""
        return worded(self.label, self.name)


def worded(label: str, name: str) -> str:
    return f"{label} · {name}" if label else name


R = TypeVar("R", bound=Any)


def by_name(*rows: R) -> dict[str, R]:
    """name -> row."""
    return {row.name: row for row in rows}


def rows_of_folder(package: str, folder: Iterable[str], table: str) -> dict[str, Any]:
    """The rows of the tables of this name in all modules of a package and its folder. name -> row"""
    modules = (import_module(f"{package}.{info.name}") for info in iter_modules(folder))
    return {name: row for module in modules for name, row in getattr(module, table, {}).items()}


@cache
def parameters(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The keyword-only arguments of a function with their defaults: what a name may set."""
    arguments = inspect.signature(function).parameters.values()
    return MappingProxyType({a.name: a.default for a in arguments if a.kind is a.KEYWORD_ONLY})


def read(text: object, table: Mapping[str, R], *, what: str, examples: str) -> tuple[R, dict[str, Any]]:
    """The row with this name and all its parameters, including defaults.

    what, examples : for the error, such as "metric" and "P@10 or RBP(p=0.95)"
    Raises ValueError for a name, a parameter or a value that is not known.
    """
    match = WRITTEN.fullmatch(str(text))
    key = match and _key(match[1], table)
    if not match or not key:
        raise ValueError(f"no {what} {_shortened(str(text))!r}. Known: {', '.join(table)}; write {examples}.")
    entry = table[key]
    known = entry.parameters
    pairs = [*_pairs(match[2] or "", text, what), *([("k", match[3])] if match[3] is not None else [])]
    given = dict(pairs)
    if len(given) < len(pairs):
        raise ValueError(f"{what} {text!r} has a parameter twice. Write it once.")
    values = dict(known)
    for name, value in given.items():
        if name not in known:
            takes = ", ".join(known) or "no parameters"
            todo = entry.instead.get(name) or f"It takes {takes}."
            raise ValueError(f"{what} {text!r}: {key} has no parameter {name!r}. {todo}")
        if len(value) > LONGEST_NUMBER and NUMBER.match(value):
            raise ValueError(
                f"{what} {_shortened(text)!r}: {name} has {len(value):,} digits; use at most {LONGEST_NUMBER}."
            )
        values[name] = _value(name, value)
        allowed, words = entry.limits.get(name, (None, ""))
        if allowed and not allowed(values[name]):
            raise ValueError(f"{what} {text!r}: {name} = {value} is not valid; {name} must be {words}.")
    return entry, values


def write(name: str, values: dict[str, Any]) -> str:
    """The name with these parameters, which `read` parses again; parameters that are None are omitted."""
    shown = {key: value for key, value in values.items() if value is not None and key != "k"}
    inside = ", ".join(f"{key}={number(value)}" for key, value in shown.items())
    cut = f"@{values['k']}" if values.get("k") is not None else ""
    return name + (f"({inside})" if inside else "") + cut


def number(value: object) -> str:
    """A number as people write it: 1 for 1.0, otherwise as short as it can be parsed again."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _shortened(text, most=40):
    return text if len(text) <= most else text[:most] + "..."


def _key(name, table):
    by_lower = {key.lower(): key for key in table}
    return by_lower.get(name.lower())


def _pairs(inside, text, kind):
    for part in filter(None, (part.strip() for part in inside.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise ValueError(f"{kind} {text!r}: {part!r} is not a parameter; write name=value, such as p=0.95.")
        yield name, value


def _value(name, text):
    if name == "k":
        return int(text) if text.isdecimal() else text
    try:
        return float(text)
    except ValueError:
        return text


def indices_of(names: Sequence[str] | None, known: Sequence[str], what: str) -> NDArray[np.intp]:
    """The indices of these names among the known ones, each once; None = all. int. ValueError for an unknown one."""
    if names is None:
        return np.arange(len(known))
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ValueError(f"{names!r} is not a list of {what}s.")
    place = {name: index for index, name in enumerate(known)}
    if not len(names):
        raise ValueError(f"an empty list of {what}s. Name at least one, or omit the list to choose all.")
    missing = [name for name in names if name not in place]
    if missing:
        raise ValueError(f"no {what} {missing[0]!r}. Known: {first_of(known, 5)}.")
    return np.array([place[name] for name in dict.fromkeys(names)], int)
