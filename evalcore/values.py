"""What a plain value may be. Each function gives the value in full, or says with a ValueError what would be right."""

from collections.abc import Sequence
from numbers import Real

import numpy as np

MOST = 10**18  # larger whole numbers do not fit into 64 bits


def one_of(name, value, known):
    """A name of a table, or one of a few words."""
    if isinstance(value, bool) or not isinstance(value, str) or value not in known:
        raise ValueError(f"{name}={value!r} is not known. Known: {', '.join(known)}.")
    return value


def row_of(table, what, name):
    """The row of a table that a name stands for."""
    if not isinstance(name, str) or name not in table:
        raise ValueError(f"no {what} {name!r}. Known: {', '.join(table)}.")
    return table[name]


def count(name, value):
    """A whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
        raise ValueError(f"{name}={value!r} cannot be; it is a whole number from 1.")
    return value


def threshold(name, value):
    """A pool depth or a count of judgments, or None for all of them."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Real) or not 1 <= value <= MOST or value != int(value):
        raise ValueError(f"{name}={value!r} cannot be; it is a whole number from 1, or None for all judgments.")
    return int(value)


def whole(name, value):
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name}={value!r} cannot be; it is a whole number, such as 1.")
    return value


def seed(name, value):
    """A whole number from 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{name}={value!r} cannot be; it is a whole number from 0.")
    return value


def level(name, value):
    """A level of significance."""
    if not _between(value, 0, 1) or value in (0, 1):
        raise ValueError(f"{name}={value!r} cannot be; it lies between 0 and 1, such as .05.")
    return value


def persistence(name, value):
    """A number from 0 to 1."""
    if not _between(value, 0, 1):
        raise ValueError(f"{name}={value!r} cannot be; it lies between 0 and 1, such as 0.9.")
    return value


def persistence_within(name, value):
    """A number above 0 and below 1."""
    if not _between(value, 0, 1) or value in (0, 1):
        raise ValueError(f"{name}={value!r} cannot be; it lies between 0 and 1, such as 0.9.")
    return value


def share(name, value):
    """A share above 0."""
    if not _between(value, 0, 1) or value == 0:
        raise ValueError(f"{name}={value!r} cannot be; it is a share above 0, at most 1.")
    return value


def not_negative(name, value):
    """A number from 0."""
    if not _between(value, 0, np.inf) or value == np.inf:
        raise ValueError(f"{name}={value!r} cannot be; it is a number from 0.")
    return value


def listed(name, some, such_as):
    """A list that is not empty."""
    if isinstance(some, str) or not isinstance(some, Sequence):
        raise ValueError(f"{name}={some!r} is one value; a list such as [{such_as!r}] is needed.")
    if not len(some):
        raise ValueError(f"{name} is empty; name at least one, such as {such_as}.")
    return list(some)


def _between(value, low, high):
    return not isinstance(value, bool) and isinstance(value, Real) and low <= value <= high
