"""Validation of plain values: each function returns the complete value, or raises a ValueError on what is valid."""

import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

EQUAL = 1e-12  # scores, means and shares closer than this differ by the rounding of sums alone
MOST = 10**18  # larger whole numbers do not fit into 64 bits


class NotKnown(ValueError):
    """The answer depends on something that the files do not show; the message says how to provide it."""


def setting(name: str, default: int | None, *, least: int = 0, such_as: object = "") -> Any:
    """The whole number in an environment variable, or the default if it is not set."""
    text = os.environ.get(name)
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 18 and int(text) >= least):
        raise ValueError(
            f"{name}={text!r} is not valid; it must be a whole number from {least}, such as {such_as or default}."
        )
    return int(text)


def one_of(name: str, value: Any, known: Iterable[Any]) -> Any:
    """A name of a table, or one of a few words."""
    if isinstance(value, bool) or not isinstance(value, str) or value not in known:
        raise ValueError(f"{name}={value!r} is not known. Known: {', '.join(known)}.")
    return value


def row_of(table: Mapping[str, T], what: str, name: Any) -> T:
    """The row of a table that a name stands for."""
    if not isinstance(name, str) or name not in table:
        raise ValueError(f"no {what} {name!r}. Known: {', '.join(table)}.")
    return table[name]


def threshold(name: str, value: Any) -> int | None:
    """A pool depth or a count of judgments, or None for all of them."""
    if value is None:
        return None
    if isinstance(value, bool) or not _real(value, 1, MOST) or value != int(value):
        raise ValueError(f"{name}={value!r} is not valid; it must be a whole number from 1, or None for all judgments.")
    return int(value)


def listed(name: str, values: Any, such_as: object) -> list[Any]:
    """A list that is not empty."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise ValueError(f"{name}={values!r} is one value; a list such as [{such_as!r}] is needed.")
    if not len(values):
        raise ValueError(f"{name} is empty; name at least one, such as {such_as}.")
    return list(values)


def _reads(fits, allowed):
    """A function that returns a value that fits, and raises ValueError for any other."""

    def read(name, value):
        if isinstance(value, bool) or not fits(value):
            raise ValueError(f"{name}={value!r} is not valid; it {allowed}.")
        return value

    return read


def _real(value, low, high):
    return isinstance(value, Real) and low <= value <= high


WITHIN = "must be between 0 and 1, such as"

count = _reads(lambda value: isinstance(value, int) and 1 <= value <= MOST, "must be a whole number from 1")
number = _reads(lambda value: _real(value, -MOST, MOST), "must be a number, such as 1 or 0.5")
whole = _reads(lambda value: isinstance(value, int), "must be a whole number, such as 1")
seed = _reads(lambda value: isinstance(value, int) and value >= 0, "must be a whole number from 0")
level = _reads(lambda value: _real(value, 0, 1) and value not in (0, 1), f"{WITHIN} .05")
persistence = _reads(lambda value: _real(value, 0, 1), f"{WITHIN} 0.9")
persistence_within = _reads(lambda value: _real(value, 0, 1) and value not in (0, 1), f"{WITHIN} 0.9")
share = _reads(lambda value: _real(value, 0, 1) and value != 0, "must be a share above 0, at most 1")
not_negative = _reads(lambda value: _real(value, 0, np.inf) and value != np.inf, "must be a number from 0")
