"""Escape names from files for the place where they are shown."""

import html
import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from evalcore.findings.conclusion import Conclusion
from evalcore.vocabulary.safe_text import printable

# ASCII punctuation is what CommonMark, its tables, Streamlit's colours (:red[...]) and formulas ($...$) are made of.
MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")
JOINERS = re.compile("([\u200c\u200d\ufe0f\xa0\u3000]+)")
LINK = re.compile(r"(?i)(https?|ftp|mailto|xmpp|www)(?=[:.])")
# Streamlit still replaces these in parsed text: :smile:, :material_home:, a@b.co, and lone arrows.
CODE = re.compile(r":(?=[^\s:]+:)|@(?=[\w-]+\.)")
ARROW = re.compile(r"(?<!\S)(<->|->|<-|--|>=|<=|~=)(?!\S)")
# An invisible character between the letters of "http" keeps a name from becoming a link, and so on.
JOINER = "\u2060"


def text(name: Conclusion | str) -> str:
    """A name on one line with invisible and reversing characters written as \\u202e. Joiners within emoji or words are
    kept."""
    parts = JOINERS.split(re.sub(r"[\t\r\n]", " ", str(name)))
    return "".join(part if JOINERS.fullmatch(part) else printable(part) for part in parts)


def md(name: Any) -> str:
    """A name as Markdown that shows exactly that name: no emphasis, link, picture, colour or formula."""
    plain = CODE.sub(lambda match: match[0] + JOINER, text(name))
    for apart in (LINK, ARROW):
        plain = apart.sub(lambda match: match[0][:1] + JOINER + match[0][1:], plain)
    blank = JOINER + "\xa0" + JOINER  # is not stripped at an end, and does not end bold text
    plain = re.sub("^ | $|(?<= ) ", blank, plain)
    return MARKDOWN.sub(r"\\\1", plain)


def plotly(name: str, longest: int | None = None) -> str:
    """A name for a Plotly label, cut to `longest` characters: Plotly reads a little HTML in every text."""
    return html.escape(short(name, longest))


def short(name: str, longest: int | None = None) -> str:
    """A name shortened in the middle, where run tags of one team are most similar."""
    name = text(name)
    if longest is None or len(name) <= longest:
        return name
    head = (longest - 1) * 2 // 3
    return name[:head] + "…" + name[head + 1 - longest :]


def labels(names: Sequence[str], longest: int) -> list[str]:
    """Unique names for the labels of a Plotly picture, as from `plotly`; names that would look the same are shortened
    before they differ, or not at all."""
    cut, alike = [short(name, longest) for name in names], defaultdict(set)
    for name, label in zip(names, cut, strict=True):
        alike[label].add(text(name))
    shown = [_before_they_part(text(name), alike[label], longest) for name, label in zip(names, cut, strict=True)]
    return [html.escape(label) for label in shown]


def _before_they_part(name, alike, longest):
    """A name, shortened so that it differs from names that look the same when shortened in the middle."""
    if len(alike) == 1:
        return short(name, longest)
    parting = len([*takewhile(lambda letters: len({*letters}) == 1, zip(*alike, strict=False))])
    head = longest // 3
    if len({_headed(other, head, parting, longest) for other in alike}) < len(alike):
        return name
    return _headed(name, head, parting, longest)


def _headed(name, head, parting, longest):
    return name[:head] + "…" + short(name[max(head, parting) :], longest - head - 1)


LATEX = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", "`": r"\textasciigrave{}", "*": "{*}",
})  # fmt: skip


def latex(name: str) -> str:
    """A name as LaTeX that shows exactly that name: no command, formula or column."""
    return text(name).translate(LATEX).replace("--", "-{}-").replace("--", "-{}-")


def plain_name(name: str) -> str:
    """A name that is safe in a file name on every system."""
    return re.sub(r"[^\w.=-]+", "_", name).strip("_.")[:80] or "study"
