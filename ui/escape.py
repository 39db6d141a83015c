"""Names that come from files, made harmless for the place where they are shown."""

import html
import re

# ASCII punctuation is what CommonMark, its tables, Streamlit's colours (:red[...]) and formulas ($...$) are made of.
MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")
LINK = re.compile(r"(?i)(https?|ftp|mailto|xmpp|www)(?=[:.])")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
# An invisible character that stands between the letters of "http" and keeps a name from becoming a link.
JOINER = "\u2060"


def text(name):
    """A name on one line, without the characters that control a terminal or the direction of writing."""
    return "".join(" " if c in "\t\r\n" else c for c in str(name) if c in "\t\r\n" or c.isprintable() or c == "\u200d")


def md(name):
    """A name as Markdown that shows exactly that name: no emphasis, link, picture, colour or formula."""
    plain = LINK.sub(lambda found: found[0][:1] + JOINER + found[0][1:], text(name))
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


def cell(value):
    """A cell that a spreadsheet shows and does not run; numbers stay numbers."""
    return "'" + value if isinstance(value, str) and value.startswith(FORMULA) else value


LATEX = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", "`": r"\textasciigrave{}", "*": "{*}",
})  # fmt: skip


def latex(name):
    """A name as LaTeX, which shows exactly that name: no command, formula, or column."""
    return text(name).translate(LATEX).replace("--", "-{}-").replace("--", "-{}-")
