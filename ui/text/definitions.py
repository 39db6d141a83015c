"""Chapters of docs/, sections of METHODS.md with their formulas, and the sections that define the numbers of a
table."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from latex2mathml.converter import convert

import evalcore
from evalcore.answers import Answer
from evalcore.estimating.estimators import is_model
from evalcore.metrics.metrics import metric as metric_named

DOCS = Path(__file__).resolve().parents[2] / "docs"
HEADING = re.compile(r"^#{2,3} ([\d.]*\d)\.? (.+)$", re.MULTILINE)
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)


@dataclass(frozen=True)
class Section:
    """A section of docs/METHODS.md: its number, title and text."""

    number: str
    title: str
    text: str

    @property
    def formulas(self) -> list[str]:
        """Its displayed formulas, as TeX."""
        displayed = (" ".join(formula.split()).rstrip(" ,") for formula in FORMULA.findall(self.text))
        return [part.strip(" ,") for formula in displayed for part in formula.split(r"\qquad")]

    @property
    def opening(self) -> str:
        """Its first paragraph, list or table, as Markdown."""
        return self.text.strip().partition("\n\n")[0].partition("\\\n*Asked by")[0]


def mathml(tex: str) -> str:
    """A displayed formula as MathML, which browsers draw themselves."""
    return convert(tex, display="block")


@cache
def chapters(document: str = "METHODS.md") -> dict[str, str]:
    """A document of docs/ by its headings of the second order: heading -> Markdown below it."""
    _, *parts = re.split(r"^## ", (DOCS / document).read_text("utf-8"), flags=re.MULTILINE)
    return {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in parts}


@cache
def sections() -> dict[str, Section]:
    """Every section of METHODS.md, by its number."""
    _, *parts = HEADING.split((DOCS / "METHODS.md").read_text("utf-8"))
    return {number: Section(number, title, text) for number, title, text in zip(*[iter(parts)] * 3, strict=True)}


def asked_for_more(answer: str) -> tuple[str, list[str]]:
    """An answer of QUESTIONS.md, and the numbers of the sections that it refers to."""
    text, _, named = answer.partition("Definitions:")
    return text.rstrip(), re.findall(r"\d+(?:\.\d+)?", named)


def parts(chapter: str) -> list[tuple[str, str]]:
    """A chapter of METHODS.md by its sections: pairs of number and Markdown, with the headings."""
    first, *rest = re.split(r"^(?=### )", chapters()[chapter], flags=re.MULTILINE)
    whole = [f"## {chapter}\n\n{first}", *rest]
    return [(HEADING.findall(part)[0][0], re.sub(r"\\\n", "  \n", part)) for part in whole]


def sections_of(answer: Answer) -> list[Section]:
    """Sections that define the numbers of an answer: the question's, then those of its metrics and estimators."""
    measures = [metric_named(name).family.section for name in asked_for(answer, "metric")]
    guesses = ["6.4" if is_model(name) else "5" for name in asked_for(answer, "estimator") if name != "lower"]
    numbers = [evalcore.QUESTIONS[answer.question].section, *measures, *guesses]
    return [sections()[number] for number in dict.fromkeys(numbers)]


def asked_for(answer: Answer, name: str) -> list[str]:
    """Values of a parameter of an answer that are names, one or several."""
    single, several = answer.params.get(name), answer.params.get(f"{name}s")
    several = several if isinstance(several, list) else []
    return [value for value in (single, *several) if isinstance(value, str)]
