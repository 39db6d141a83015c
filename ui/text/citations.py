"""Sources of docs/METHODS.md, as text and as BibTeX, and the sources of a table's numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import evalcore
from evalcore.answers import Answer
from ui.text.definitions import asked_for, chapters, sections
from ui.text.escape import latex

ENTRY = re.compile(r"^- \[(\w+)\] (.+?), \*(.+?)\*,? ?(.*)$", re.MULTILINE)
CITED = re.compile(r"(?:\[|; )([A-Z][A-Za-z]*\d\d[a-z]?|TREC_EVAL|Tuk)(?=[],;])")

OF_PARAMETER: dict[str, dict[str, Any]] = {  # tables whose rows name their source
    "metric": evalcore.METRICS, "estimator": evalcore.ESTIMATORS, "test": evalcore.TESTS,
    "correction": evalcore.CORRECTIONS, "model": evalcore.MODELS, "interval": evalcore.INTERVALS,
    "method": evalcore.FUSIONS, "normalisation": evalcore.NORMALISATIONS, "order": evalcore.JUDGING_ORDERS,
}  # fmt: skip


@dataclass(frozen=True)
class Reference:
    """A source of docs/METHODS.md, section 16; where : place of publication, as written there"""

    key: str
    authors: str
    title: str
    where: str

    def __str__(self) -> str:
        return f"{self.authors}, {self.title}{', ' if self.where else ''}{self.where}"

    def bibtex(self) -> str:
        """The source as a BibTeX entry."""
        article = re.fullmatch(r"(.+?) (\d+)(?:\(([\d/]+)\))?, (?:article )?([\d–]+), (\d{4})\.?", self.where)
        paper = re.fullmatch(r"(.*?\(?[A-Z]{3,}\)? (\d{4}))(?:, pp\. ([\d–]+))?(?: \(.*\))?\.?", self.where)
        authors = re.sub(r" \(eds\)", "", self.authors)
        fields: dict[str, Any] = {"author": re.sub(r", (?:and )?", " and ", authors), "title": self.title}
        if article:
            kind = "article"
            fields |= dict(zip(("journal", "volume", "number", "pages", "year"), article.groups(), strict=True))
        elif paper:
            kind = "inproceedings"
            fields |= {"booktitle": paper[1], "pages": paper[3], "year": paper[2]}
        else:
            kind = "misc"
            year = re.search(r"\b(1[789]|20)\d\d\b", self.where)
            fields |= {"howpublished": self.where.rstrip("."), "year": year and year[0]}
        lines = [f"  {name} = {{{latex(value).replace('–', '--')}}}" for name, value in fields.items() if value]
        return f"@{kind}{{{self.key},\n" + ",\n".join(lines) + "\n}\n"


@cache
def references() -> dict[str, Reference]:
    """Every source, by its key."""
    entries = ENTRY.findall(chapters()["16. References"])
    return {key: Reference(key, *parts, re.sub("[`<>]", "", where)) for key, *parts, where in entries}  # type: ignore[call-arg]


def keys_of(answer: Answer) -> list[str]:
    """Keys of the sources of an answer: of its metrics, estimators, tests and methods, then of its definition."""
    cited = []
    for name, table in OF_PARAMETER.items():
        for value in asked_for(answer, name):
            row = table.get(re.findall(r"[\w-]*", str(value))[0])
            cited += CITED.findall(row.source) if row else []
    cited += ["Sak07"] if answer.params.get("unjudged") == "condensed" else []
    cited += CITED.findall(sections()[evalcore.QUESTIONS[answer.question].section].text)
    return [key for key in dict.fromkeys(cited) if key in references()]


class WithTables(Protocol):
    """A part of a report, as far as it cites: `report.PageSection` is one."""

    @property
    def tables(self) -> Sequence[tuple[str, Answer]]:
        """Pairs of title and answer."""


def cited_by(sections: Sequence[WithTables]) -> list[str]:
    """Keys of all sources of a report, in alphabetical order."""
    return sorted(
        {key for section in sections for _, answer in section.tables for key in keys_of(answer)}, key=str.lower
    )


def bibliography(sections: Sequence[WithTables]) -> str:
    """All sources of a report as BibTeX."""
    return "\n".join(references()[key].bibtex() for key in cited_by(sections))
