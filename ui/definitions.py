"""What docs/ says, read in one place: its chapters, the sections of METHODS.md with their formulas, and the sources as
BibTeX; and which of these define the numbers of a table."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import evalcore
from evalcore.estimating.estimators import is_model
from evalcore.metrics import metric as metric_named
from ui.escape import latex

DOCS = Path(__file__).resolve().parent.parent / "docs"
HEADING = re.compile(r"^#{2,3} ([\d.]*\d)\.? (.+)$", re.MULTILINE)
ENTRY = re.compile(r"^- \[(\w+)\] (.+?), \*(.+?)\*,? ?(.*)$", re.MULTILINE)
CITED = re.compile(r"(?:\[|; )([A-Z][A-Za-z]*\d\d[a-z]?|TREC_EVAL|Tuk)(?=[],;])")
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)

OF_PARAMETER = {  # tables whose rows name their source
    "metric": evalcore.METRICS, "estimator": evalcore.ESTIMATORS, "test": evalcore.TESTS,
    "correction": evalcore.CORRECTIONS, "model": evalcore.MODELS, "interval": evalcore.INTERVALS,
    "method": evalcore.FUSIONS, "normalisation": evalcore.NORMALISATIONS, "order": evalcore.JUDGING_ORDERS,
}  # fmt: skip


@dataclass(frozen=True)
class Section:
    """A section of docs/METHODS.md: its number, title and text."""

    number: str
    title: str
    text: str

    @property
    def formulas(self):
        """Its displayed formulas, as TeX."""
        displayed = (" ".join(found.split()).rstrip(" ,") for found in FORMULA.findall(self.text))
        return [one.strip(" ,") for formula in displayed for one in formula.split(r"\qquad")]

    @property
    def opening(self):
        """Its first paragraph, list or table, as Markdown."""
        return self.text.strip().partition("\n\n")[0].partition("\\\n*Asked by")[0]


@dataclass(frozen=True)
class Reference:
    """A source of docs/METHODS.md, section 16; where : it was published, as it stands there"""

    key: str
    authors: str
    title: str
    where: str

    def __str__(self):
        return f"{self.authors}, {self.title}{', ' if self.where else ''}{self.where}"

    def bibtex(self):
        """The source as an entry of BibTeX."""
        article = re.fullmatch(r"(.+?) (\d+)(?:\(([\d/]+)\))?, (?:article )?([\d–]+), (\d{4})\.?", self.where)
        paper = re.fullmatch(r"(.*?\(?[A-Z]{3,}\)? (\d{4}))(?:, pp\. ([\d–]+))?(?: \(.*\))?\.?", self.where)
        authors = re.sub(r" \(eds\)", "", self.authors)
        fields = {"author": re.sub(r", (?:and )?", " and ", authors), "title": self.title}
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
        lines = [f"  {name} = {{{latex(said).replace('–', '--')}}}" for name, said in fields.items() if said]
        return f"@{kind}{{{self.key},\n" + ",\n".join(lines) + "\n}\n"


@cache
def chapters(document="METHODS.md"):
    """A document of docs/ by its headings of the second order: heading -> Markdown below it."""
    _, *parts = re.split(r"^## ", (DOCS / document).read_text("utf-8"), flags=re.MULTILINE)
    return {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in parts}


@cache
def references():
    """Every source, by its key."""
    found = ENTRY.findall(chapters()["16. References"])
    return {key: Reference(key, *said, re.sub("[`<>]", "", where)) for key, *said, where in found}


@cache
def sections():
    """Every section of METHODS.md, by its number."""
    _, *parts = HEADING.split((DOCS / "METHODS.md").read_text("utf-8"))
    return {number: Section(number, title, text) for number, title, text in zip(*[iter(parts)] * 3, strict=True)}


def sections_of(answer):
    """Where the numbers of an answer are defined: the question's section, then those of its measures and guesses."""
    measures = [metric_named(name).family.section for name in _asked(answer, "metric")]
    guesses = ["6.4" if is_model(name) else "5" for name in _asked(answer, "estimator") if name != "lower"]
    numbers = [evalcore.QUESTIONS[answer.question].section, *measures, *guesses]
    return [sections()[number] for number in dict.fromkeys(numbers)]


def keys_of(answer):
    """The keys of the sources of an answer: those of its measures, guesses, tests and methods, then those that the
    definition cites."""
    cited = []
    for name, table in OF_PARAMETER.items():
        for value in _asked(answer, name):
            row = table.get(re.match(r"[\w-]*", str(value))[0])
            cited += CITED.findall(row.source) if row else []
    cited += ["Sak07"] if answer.params.get("unjudged") == "condensed" else []
    cited += CITED.findall(sections()[evalcore.QUESTIONS[answer.question].section].text)
    return [key for key in dict.fromkeys(cited) if key in references()]


def _asked(answer, name):
    one, some = answer.params.get(name), answer.params.get(f"{name}s")
    some = some if isinstance(some, list) else []
    return [value for value in (one, *some) if isinstance(value, str)]


def cited_by(said):
    """The keys of all sources of what pages said (see `report.Said`), in the order of the alphabet."""
    return sorted({key for one in said for _, answer in one.tables for key in keys_of(answer)}, key=str.lower)


def bibliography(said):
    """These sources as BibTeX."""
    return "\n".join(references()[key].bibtex() for key in cited_by(said))
