"""Numbers and names as text, and templates that name them.

    written("{n} systems score {part:share}.", {"n": 1300, "part": 0.63}) -> "1,300 systems score 63%."

Numbers are rounded the safe way: a lower bound down, an upper bound up, and a share is never rounded to 0% or 100%.
"""

import string
from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor
from typing import Any, TypeGuard

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
FUZZ = 1e-9  # a bound of .6 may be stored as .5999999999999


def first_of(names: Sequence[str], most: int = 3) -> str:
    """The first few of these names: `a, b, c, ...`."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


# ---------------------------------------------------------------------------------------------------------------------
# How facts are written


def known(value: float | None) -> TypeGuard[float]:
    """Whether there is a number."""
    return value is not None and value == value


def score(value: float | None) -> str:
    """A score to three digits, without the zero: .604, 1.000, −.012; none is rounded to 0 or 1."""
    if not known(value):
        return "unknown"
    size = abs(value)
    for below, words in ((0.0005, "under .001"), (1, "over .999")):
        if FUZZ < size < below - FUZZ and f"{size:.3f}" in ("0.000", "1.000"):
            return words if value > 0 or below < 1 else "under −.999"
    digits = f"{size:.3f}".removeprefix("0")
    return f"−{digits}" if value < 0 and digits != ".000" else digits


def read_alike(a: float, b: float) -> bool:
    """Whether two scores are written the same."""
    return score(a) == score(b)


def finely(value: float | None) -> str:
    """A score to four digits: .0024."""
    return f"{value:.4f}".removeprefix("0") if known(value) else "unknown"


def as_apart(a: float, b: float, name: str = "apart") -> str:
    """How a text writes the fact `name`, how far apart two scores are that a reader sees and may subtract: "under
    .001" where they are written the same, to four digits where subtracting gives another three."""
    if read_alike(a, b):
        return "under .001"
    written = abs(round(a, 3) - round(b, 3))
    return f"{{{name}:{'score' if abs(round(abs(a - b), 3) - written) < FUZZ else 'finely'}}}"


def width(value: float | None) -> str:
    """How wide an interval is: .140, .0089, and to four digits at the least; none is rounded to 0."""
    if known(value) and FUZZ <= value < 0.00005:
        return "under .0001"
    return score(value) if not known(value) or value >= 0.1 - FUZZ or value < FUZZ else f"{value:.4f}".removeprefix("0")


def at_least(value: float) -> str:
    """A score rounded down."""
    return score(floor(value * 1000 + FUZZ) / 1000) if known(value) else "unknown"


def at_most(value: float) -> str:
    """A score rounded up."""
    return score(ceil(value * 1000 - FUZZ) / 1000) if known(value) else "unknown"


def share(part: float) -> str:
    """A share in percent: 63%, <1%, >99%; 0% and 100% only when it is so."""
    if not known(part):
        return "an unknown share"
    rounded = round(part, 9)  # a mean of .225 may be stored as .22499999999999998
    if part > 0 and rounded < 0.01:
        return "<1%"
    if rounded > 0.99 and part < 1:
        return ">99%"
    return f"{rounded:.0%}"


def share_in_words(part: float) -> str:
    """A share in percent without signs: 63%, under 1%, over 99%."""
    return share(part).replace("<", "under ").replace(">", "over ")


def share_at_most(part: float) -> str:
    """A share in percent, rounded up; 0% only when it is so."""
    return f"{ceil(100 * part - FUZZ)}%" if known(part) else "an unknown share"


def percent(part: float | None) -> str:
    """A share for a number alone: 63%, <1%, –."""
    return share(part) if known(part) else "–"


def figure(value: float | None) -> str:
    """A score for a number alone: .604, –."""
    return score(value) if known(value) else "–"


def number(n: float | None) -> str:
    """A count in digits, with commas."""
    return f"{int(n):,}" if known(n) else "–"


def small(n: int) -> str:
    """A count in words up to twelve."""
    return SMALL[int(n)] if 0 <= n < len(SMALL) else number(n)


def short(value: float | None) -> str:
    """A number as one would say it: 0.42, 3, 12.5, 1,130."""
    if not known(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def count(n: int, noun: str = "", many: str | None = None) -> str:
    """A count with its noun, in words up to twelve: no systems, one system, 45 systems; `many` of query is queries."""
    return f"{small(n)} {noun if n == 1 else many or noun + 's'}"


def digits(n: float, noun: str = "", many: str | None = None) -> str:
    """The same in digits: 1 system, 45 systems."""
    return f"{number(n)} {noun if n == 1 else many or noun + 's'}"


def verb(n: float | Sequence[Any], singular: str, plural: str) -> str:
    """The form of the verb for n subjects, or for those of a list."""
    return singular if (len(n) if isinstance(n, list) else n) == 1 else plural


def everyone(n: int) -> str:
    """All systems: the one system, both systems, all 45 systems."""
    return {1: "the one system", 2: "both systems"}.get(n, f"all {digits(n, 'system')}")


def listed(names: Iterable[object], longest: int = 3) -> str:
    """Names in a row: A; A and B; A, B and 4 others."""
    words, longest = [str(name) for name in names], int(longest)
    if len(words) > longest:
        words = [*words[: longest - 1], digits(len(words) - longest + 1, "other")]
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def opening(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]


def gain(value: float | None) -> str:
    """A difference with its sign: +.074, −.003, +.0002; none is rounded to 0."""
    if not known(value) or abs(value) < FUZZ:
        return score(value)
    if abs(value) < 0.00005:
        return "under .0001" if value > 0 else "over −.0001"
    if abs(value) < 0.0005:
        return ("+" if value > 0 else "−") + finely(abs(value))
    if 0.9995 <= value < 1 - FUZZ:
        return "over +.999"
    return f"+{score(value)}" if value > 0 else score(value)


def chance(p: float) -> str:
    """A p-value with its sign: "= .043", "< .001"."""
    return "< .001" if p < LEAST else f"= {level(float(f'{p:.2g}'))}"


def level(alpha: float) -> str:
    """A level of significance: .05."""
    return f"{alpha:g}".removeprefix("0")


LEAST = 0.001  # a smaller p is only said to be below it


WAYS: dict[str, Callable[..., str]] = {
    way.__name__: way
    for way in (
        *(score, finely, width, at_least, at_most, gain),  # of scores
        *(share, share_in_words, share_at_most, chance, level),  # of shares and probabilities
        *(number, short, digits, listed, verb),  # of counts and names
    )
}


class _Writer(string.Formatter):
    """Writes `{n:digits query/queries}` as `digits(n, "query", "queries")`, `{n:verb is/are}` as "is" or "are", and a
    whole number with commas."""

    def format_field(self, value, spec):
        if not spec and not isinstance(value, str) and value == int(value):
            return number(value)
        way, _, words = spec.partition(" ")
        return WAYS[way](value, *filter(None, words.split("/"))) if way in WAYS else super().format_field(value, spec)


_WRITER = _Writer()


def written(text: str, facts: dict[str, Any]) -> str:
    """A template with the facts that it names put in."""
    return _WRITER.vformat(text, (), facts)
