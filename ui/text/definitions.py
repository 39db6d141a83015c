"""Chapters of docs/, sections of METHODS.md with their formulas, the sections that define the numbers of a table, and
those in which something is found."""

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
INLINE = re.compile(r"\$[^$]+\$|`[^`]+`")  # nothing in it ends a sentence
BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:- |\d+\. |\|))|\\?\n(?=\*Asked by)")  # what ends a paragraph, an item or a row
END = re.compile(r"(?<=[.?!])([*)”]*)\s+(?=[A-Z\[*(“\x00])")  # of a sentence; \x00 stands for a formula
EMPHASISED = re.compile(r"\*+([^*]+)\*+")
LABEL = re.compile(r"(?<![*\w])\*([^*\n]+(?:\n[^*\n]+)?)\*(?![*\w])")  # in italics
WORDS, REFERENCES = "1", "16"  # sections


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
    def opening(self) -> list[str]:
        """Its first paragraph, list or table, and what a colon at its end leads to, as Markdown."""
        first, _, rest = self.text.strip().partition("\n\n")
        parts = [first, rest.partition("\n\n")[0]] if first.endswith(":") else [first]
        return [part.partition("\\\n*Asked by")[0] for part in parts]

    @property
    def labels(self) -> set[str]:
        """What stands in italics in it, such as the labels of the screen."""
        return {" ".join(label.split()) for label in LABEL.findall(INLINE.sub("", FORMULA.sub("", self.text)))}


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


def sentences(text: str) -> list[str]:
    """The sentences of a Markdown text, each in one line: also those of lists, and of each cell of a table. Without
    headings, displayed formulas, and the names of questions."""
    return [sentence for block in _blocks(text) for part in block for sentence in _sentences(part) if sentence]


def _blocks(text):
    """Paragraphs and items of lists as one part, rows of tables as their cells."""
    text = re.sub(r"^#.*|^ *\|[-:| ]+\|$", "", FORMULA.sub("", text), flags=re.MULTILINE)
    for block in BLOCK.split(text):
        words = " ".join(block.replace("\\\n", "\n").split())
        if words and not words.startswith("*Asked by"):
            yield _cells(words) if words.startswith("|") else [re.sub(r"^(?:- |\d+\. )", "", words)]


def _cells(row):
    row = INLINE.sub(lambda code: code[0].replace("|", "\x01"), row)
    return [cell.strip().replace("\x01", "|") for cell in row.strip("| ").split(" | ")]


def _sentences(part):
    inside = INLINE.findall(part)
    ended = END.sub(r"\1\n", INLINE.sub("\x00", part)).split("\n")
    return [re.sub("\x00", lambda _: inside.pop(0), sentence).strip() for sentence in ended]


def found(search: str) -> list[tuple[Section, str]]:
    """The sections in which every word of a search begins a word, each with the line that has them: first those with
    the words in their title, then those with them in a label or a term, then others."""
    words, places = _words(search), []
    for section in sections().values() if words else ():
        if section.number != REFERENCES and (place := _place_in(section, words)):
            places.append((place[0], section, place[1]))
    return [(section, line) for _, section, line in sorted(places, key=lambda place: place[0])]


def questions_found(search: str) -> dict[str, str]:
    """The questions of QUESTIONS.md with every word of a search in them or in one paragraph of their answers."""
    words, questions = _words(search), chapters("QUESTIONS.md")
    return {
        question: answer
        for question, answer in questions.items()
        if words and any(_are_in(words, part) for part in (question, *answer.split("\n\n")))
    }


def _words(search):
    return [re.compile(rf"(?i)(?<!\w){re.escape(word)}") for word in search.split()]


def _place_in(section, words):
    """How good a place in a section is, from 0, and its line; None if it has not all of these words."""
    lines = _lines(section)
    has = [line for line in lines if _are_in(words, line)]
    named = [label for label in section.labels if _are_in(words, label)]
    first = next(iter(sorted(has, key=lambda line: not _is_emphasised(words, line)) or lines), "")
    if _are_in(words, section.title):
        return 0, first
    terms = [line for line in has if section.number == WORDS and _are_in(words, line.partition(":")[0])]
    if named or terms:
        return 1, (terms or [first])[0]
    return (2, first) if has else None


@cache
def _lines(section):
    """What a search of a section shows: its sentences, and the rows of its tables."""
    between = ": " if section.number == WORDS else " · "
    rows = [(block, between.join(filter(None, block))) for block in _blocks(section.text)]
    return [line for block, row in rows for line in ([row] if len(block) > 1 else _sentences(row)) if line]


def _is_emphasised(words, line):
    """Whether one of these words is in bold or in italics."""
    return any(word.search(emphasised) for emphasised in EMPHASISED.findall(line) for word in words)


def _are_in(words, text):
    return all(word.search(text) for word in words)


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
