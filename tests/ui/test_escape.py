"""Names from files, made harmless."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ui.report import export
from ui.text import escape

HOSTILE = [
    "**bold**",
    "<img src=x onerror=alert(1)>",
    "=cmd()",
    "![x](http://evil/x.png)",
    "[link](javascript:alert(1))",
    "`code`",
    "# head",
    "1. list",
    "- list",
    "> quote",
    ":red[hi]",
    ":material/home:",
    "$x^2$",
    "a | b",
    "😀👩‍💻",
    "NA",
    "1e5",
    "007",
    "&amp;",
    "\\",
    "~~gone~~",
    "a_b_c",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_shows_exactly_the_name(name):
    shown = MarkdownIt("commonmark").enable(["table", "strikethrough"]).renderInline(escape.md(name))
    assert html.unescape(shown).replace(escape.JOINER, "") == name


@given(st.text(st.characters(max_codepoint=0x2FF, exclude_categories=["C"]), max_size=30))
def test_markdown_never_makes_an_element(name):
    shown = MarkdownIt("commonmark").renderInline(escape.md(name))
    assert "<" not in shown


@pytest.mark.parametrize("name", ["http://evil/x", "https://evil", "www.evil.org", "WWW.evil.org", "mailto:a@b.c"])
def test_an_address_does_not_become_a_link(name):
    said = escape.md(name)
    assert name.split(":")[0] + ":" not in said.replace("\\", "")
    assert "www." not in said.replace("\\", "").lower()
    assert said.replace("\\", "").replace(escape.JOINER, "") == name


@pytest.mark.parametrize("name", HOSTILE)
def test_plotly_gets_no_markup(name):
    assert "<" not in escape.plotly(name)
    assert html.unescape(escape.plotly(name)) == name


def test_long_names_lose_their_middle():
    assert escape.short("a" * 50 + "xyz", 20).endswith("xyz")
    assert len(escape.short("a" * 50, 20)) == 20
    assert escape.short("short", 20) == "short"


def test_what_reverses_or_hides_text_is_spelled_out():
    assert escape.text("a\u202eb\x1b[31mc\nd\u200b\ufeff") == r"a\u202eb\x1b[31mc d\u200b\ufeff"


def test_what_joins_the_parts_of_a_picture_or_a_word_stays():
    assert escape.text("👩\u200d💻 می\u200cخواهم") == "👩\u200d💻 می\u200cخواهم"


def test_files_are_named_after_what_is_inside():
    class Answer:
        question = "ranking"
        params = {"metric": "RBP(p=0.8)", "system": "../**a**", "topic": "1", "depth": None}  # noqa: RUF012

    name = export.file_name(Answer, "csv")
    assert name == "ranking_RBP_p=0.8__.._a__1.csv"
    assert "/" not in name


def test_names_that_would_be_cut_alike_are_cut_before_they_part():
    names = [f"baselineterrierBM25spam{n}_EN_Run1.v{v}" for n in (80, 90) for v in (1, 2)]
    shown = escape.labels([*names, "short", "<b>"], 24)
    assert shown[:2] == ["baseline…80_EN_Run1.v1", "baseline…80_EN_Run1.v2"]
    assert len(set(shown)) == 6
    assert all(len(one) <= 24 for one in shown)
    assert shown[4:] == ["short", "&lt;b&gt;"]
    assert escape.labels([names[0], "a" * 30], 24) == [escape.plotly(names[0], 24), escape.plotly("a" * 30, 24)]
    assert escape.labels([names[0], names[0]], 24) == [escape.plotly(names[0], 24)] * 2  # one name is one name
    far_apart = ["a" * 40 + middle + "b" * 60 + end + "c" * 40 for middle, end in ("xx", "xy", "zx")]
    assert len(set(escape.labels(far_apart, 24))) == 3
