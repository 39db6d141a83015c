"""Names that come from files, made harmless for the place where they are shown."""

import html
import re
from collections import defaultdict
from itertools import takewhile

from evalcore.shown import printable

# ASCII punctuation is what CommonMark, its tables, Streamlit's colours (:red[...]) and formulas ($...$) are made of.
MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")
JOINERS = re.compile("([\u200c\u200d\ufe0f\xa0\u3000]+)")
LINK = re.compile(r"(?i)(https?|ftp|mailto|xmpp|www)(?=[:.])")
# What Streamlit's page still looks for in text that is read already: :smile:, :material_home:, a@b.co, and lone arrows.
CODE = re.compile(r":(?=[^\s:]+:)|@(?=[\w-]+\.)")
ARROW = re.compile(r"(?<!\S)(<->|->|<-|--|>=|<=|~=)(?!\S)")
# An invisible character that stands between the letters of "http" and keeps a name from becoming a link, and so on.
JOINER = "\u2060"


def text(name):
    """A name on one line of which everything can be seen: what reverses or hides text as \\u202e. What joins the parts
    of a picture or the letters of a word stays."""
    parts = JOINERS.split(re.sub(r"[\t\r\n]", " ", str(name)))
    return "".join(part if JOINERS.fullmatch(part) else printable(part) for part in parts)


def md(name):
    """A name as Markdown that shows exactly that name: no emphasis, link, picture, colour or formula."""
    plain = CODE.sub(lambda found: found[0] + JOINER, text(name))
    for apart in (LINK, ARROW):
        plain = apart.sub(lambda found: found[0][:1] + JOINER + found[0][1:], plain)
    blank = JOINER + "\xa0" + JOINER  # is not taken away at an end, nor does it end bold letters
    plain = re.sub("^ | $|(?<= ) ", blank, plain)
    return MARKDOWN.sub(r"\\\1", plain)


def plotly(name, longest=None):
    """A name for a Plotly label, cut to `longest` characters: Plotly reads a little HTML in every text."""
    return html.escape(short(name, longest))


def short(name, longest=None):
    """A name cut in its middle, where run tags of one team are most alike."""
    name = text(name)
    if longest is None or len(name) <= longest:
        return name
    head = (longest - 1) * 2 // 3
    return name[:head] + "…" + name[head + 1 - longest :]


def labels(names, longest):
    """Names for the labels of one Plotly picture, as `plotly` gives them; names that would so read alike are cut before
    they part, or not at all."""
    cut, alike = [short(name, longest) for name in names], defaultdict(set)
    for name, one in zip(names, cut, strict=True):
        alike[one].add(text(name))
    told = [_before_they_part(text(name), alike[one], longest) for name, one in zip(names, cut, strict=True)]
    return [html.escape(one) for one in told]


def _before_they_part(name, alike, longest):
    """A name, cut so that it is told from those that read alike when they are cut in the middle."""
    if len(alike) == 1:
        return short(name, longest)
    parting = len([*takewhile(lambda letters: len({*letters}) == 1, zip(*alike, strict=False))])
    head = longest // 3
    if len({_headed(one, head, parting, longest) for one in alike}) < len(alike):
        return name
    return _headed(name, head, parting, longest)


def _headed(name, head, parting, longest):
    return name[:head] + "…" + short(name[max(head, parting) :], longest - head - 1)


LATEX = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", "`": r"\textasciigrave{}", "*": "{*}",
})  # fmt: skip


def latex(name):
    """A name as LaTeX, which shows exactly that name: no command, formula, or column."""
    return text(name).translate(LATEX).replace("--", "-{}-").replace("--", "-{}-")
