"""Metrics in everyday words: "mainly the first 5 results" for RBP(p=0.8)."""

from typing import Any

from evalcore.metrics.intervals import Metric
from evalcore.metrics.metrics import metric as metric_named
from evalcore.vocabulary import registry
from evalcore.vocabulary.sentences import number


def in_a_phrase(name: str) -> str:
    """What a metric looks at, in a phrase; its name if it cannot be read or has no phrase."""
    try:
        named = metric_named(name)
    except ValueError:
        return name
    if not named.family.phrase:
        return name
    phrase = named.family.phrase.format(**words_of(named))
    values = dict(named.values)
    if values.get("log"):
        phrase += f", {int(values['log'])} counted equally"
    return phrase if named.rel is None else f"{phrase}, grade {registry.number(named.rel)} or higher"


def words_of(named: Metric) -> dict[str, Any]:
    """What texts about a metric may say of its parameters: {to}, {past} = how far down it looks, where it is cut."""
    values = dict(named.values)
    k, p, hope = (values.get(parameter) for parameter in "kpT")
    to = (" at the first rank" if k == 1 else f" in the first {number(k)}") if k else ""
    return values | {
        "to": to,
        "first": ("result" if k == 1 else _results(k)) if k else "",
        "past": f", and at none past rank {number(k)}" if k else "",
        "seen": _results((1 - p**k if k else 1) / (1 - p)) if p is not None else "",
        "hoped": _results(hope, "relevant ") if hope else "",
        "early": _early(to, k, values.get("log")),
    }


def _early(to, k, log):
    """Where good results count: early, except that a discount with a base treats the first ranks alike."""
    if k == 1:
        return to
    if log and k and k <= log:
        return f"{to}, in any order"
    return f" early{to}" + (f" (the first {int(log)} ranks count equally)" if log else "")


def _results(n, kind=""):
    return f"{float(f'{n:.3g}'):,g} {kind}{'result' if n == 1 else 'results'}"
