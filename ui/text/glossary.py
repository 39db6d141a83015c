"""Explanations of terms: those of docs/METHODS.md, and a plain line for every metric."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import evalcore
from evalcore.metrics.phrases import words_of
from evalcore.vocabulary import registry
from evalcore.vocabulary.sentences import opening
from ui.text import definitions


def metric(name: str) -> str:
    """A metric in one plain line."""
    named = evalcore.metric(name)
    family, of_one = named.family, dict(named.values).get("k") == 1
    line = ((family.of_one if of_one else "") or family.plainly or summed_up(family)).format(**words_of(named))
    return line if named.rel is None else f"{line} Relevant here: grade {registry.number(named.rel)} or higher."


def scale(name: str) -> str:
    """The ends of a metric's scale."""
    judged = evalcore.metric(name).family.name == "Judged"
    return "From 0 to 1." if judged else "From 0 to 1; higher is better."


def metric_words(name: str) -> str:
    """A metric's name, and what it is in a few words."""
    named = evalcore.metric(name)
    return registry.worded(name, named.family.label.format(**words_of(named)))


MERGED = {  # by fusion method, as in "Showing: …"
    "rbc": "weighted vote",
    "borda": "simple vote",
    "combsum": "sum of scores",
    "combmnz": "sum of scores, times votes",
    "combmax": "highest score",
    "round-robin": "taking turns",
    "rrf": "vote by 1/rank",
}


def merged_by(rule: str) -> str:
    """How a fusion method merges, in a phrase, with parameters that are not the usual ones; its name if it cannot be
    read."""
    name, *values = rule.split("(", 1)
    usual = f"phi={evalcore.FUSIONS[name].parameters.get('phi')})" if name in MERGED else ""
    parameters = f" ({values[0]}" if values and values[0] != usual else ""
    return f"{MERGED[name]}{parameters}" if name in MERGED else rule


@cache
def words() -> dict[str, str]:
    """The terms and their meaning: those of docs/METHODS.md, section 1."""
    return dict(re.findall(r"^\| ([a-z][\w ,]*) \| (.+) \|$", definitions.chapters()["1. Words"], re.MULTILINE)[1:])


def those_in(text: str) -> str:
    """Terms in a text, each with its meaning, as Markdown; "" for none."""
    used = {term: words()[term] for term in words() if re.search(rf"(?i)\b{re.escape(term)}s?\b", text)}
    return "\n\n".join(f"**{term}**: {meaning}" for term, meaning in used.items())


def summed_up(row: Any) -> str:
    """A row of any other table in one plain line."""
    return f"{opening(row.summary)}."


def listed(rows: Mapping[str, registry.Row]) -> str:
    """Every row of a table with its source, as a Markdown list."""
    return "\n".join(f"- `{row.name}`: {row.summary}. {row.source}" for row in rows.values())


def choosable() -> Any:
    """Options: (title, rows of the table, function that describes a row in one line)."""

    def first_usual(family):
        return metric((family.usual or (family.name,))[0])

    return (
        ("Metrics", list(evalcore.METRICS.values()), first_usual),
        ("Estimators", list(evalcore.ESTIMATORS.values()), summed_up),
        ("Models of the analysis of variance", list(evalcore.MODELS.values()), summed_up),
        ("Fusion methods", list(evalcore.FUSIONS.values()), summed_up),
        ("Tests of system pairs", list(evalcore.TESTS.values()), summed_up),
        ("Corrections for multiple comparisons", list(evalcore.CORRECTIONS.values()), summed_up),
        ("Judging orders", list(evalcore.JUDGING_ORDERS.values()), summed_up),
    )
