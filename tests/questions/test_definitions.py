"""Where each number is defined, and by whom: what the report says of it, and its BibTeX."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

import evalcore
from tests.small import small_study
from ui.report.page_section import PageSection
from ui.text import citations, definitions

# Of presentation MathML, as browsers draw it.
ELEMENTS = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "msub", "msup", "msubsup", "mover"}
ELEMENTS |= {"munder", "munderover"}


def test_every_measure_names_its_section():
    assert {family.section for family in evalcore.METRICS.values()} <= set(definitions.sections())


def test_an_answer_names_its_sections_and_its_sources():
    study = small_study({"a": {"t": {"d": 1.0}}, "b": {"t": {"e": 1.0}}}, {"t": {"d": 1, "e": 0}}, pooled="all")
    board = evalcore.ask(study, "leaderboard", metric="RBP(p=0.8)", depth=1, estimator="interpolated(C=0.4)")
    assert [section.number for section in definitions.sections_of(board)] == ["4.1", "3.1", "5"]
    assert citations.keys_of(board)[:2] == ["MZ08", "RM10"]
    condensed = evalcore.ask(study, "leaderboard", metric="AP", unjudged="condensed")
    assert {"TREC_EVAL", "Sak07"} <= set(citations.keys_of(condensed))
    fused = evalcore.ask(study, "fusion_scores", methods=["borda", "rbc"], metrics=["AP", "nDCG@5"])
    assert {"3.4", "3.5", "11"} == {section.number for section in definitions.sections_of(fused)}
    assert "Bor84" in citations.keys_of(fused)
    said = [PageSection("Scores", "?", ["."], [("Every system", board)])]
    assert "@article{MZ08," in citations.bibliography(said)


def test_the_opening_of_a_section_has_the_list_that_it_leads_to():
    (whole,) = definitions.sections()["10.6"].opening
    assert whole.startswith("Topics are drawn")
    assert "Asked by" not in whole
    first, listed = definitions.sections()["4.2"].opening
    assert first.endswith("the table has:")
    assert listed.startswith("- the judgments")
    assert listed.count("\n- ") == 5


@pytest.mark.parametrize("key", citations.references())
def test_every_source_is_an_entry_of_bibtex(key):
    entry = citations.references()[key].bibtex()
    kind, fields = re.fullmatch(rf"@(article|inproceedings|misc){{{key},\n(.+)\n}}\n", entry, re.DOTALL).groups()
    named = dict(re.fullmatch(r"  (\w+) = \{(.*)\},?", line).groups() for line in fields.splitlines())
    assert {"author", "title"} <= set(named)
    assert {"article": "journal", "inproceedings": "booktitle", "misc": "howpublished"}[kind] in named
    assert key == "TREC_EVAL" or re.fullmatch(r"\d{4}", named["year"])
    for value in named.values():
        assert not re.search(r"(?<!\\)[&%$#_^~]|`", value)
        assert value.count("{") == value.count("}")


def test_all_sources_of_methods_are_read():
    methods = (definitions.DOCS / "METHODS.md").read_text("utf-8")
    assert len(citations.references()) == len(re.findall(r"^- \[\w+\]", methods, re.MULTILINE))
    mz08 = citations.references()["MZ08"].bibtex()
    assert "author = {Alistair Moffat and Justin Zobel}" in mz08
    assert "journal = {ACM Transactions on Information Systems},\n  volume = {27},\n  number = {1}" in mz08
    assert "pages = {2}" in mz08


@pytest.mark.parametrize("section", [one for one in definitions.sections().values() if one.formulas],
                         ids=lambda one: one.number)  # fmt: skip
def test_every_formula_of_methods_becomes_mathml(section):
    for tex in section.formulas:
        formula = ElementTree.fromstring(definitions.mathml(tex))
        assert {part.tag.partition("}")[2] for part in formula.iter()} <= ELEMENTS, tex
        assert "\\" not in "".join(formula.itertext()), tex  # a command that the library does not know stays as it is


def test_a_formula_is_mathml():
    (row,) = ElementTree.fromstring(definitions.mathml(r"\frac1n \sum_{i<j} x_i^2 \ge \hat\gamma"))
    shape = [(part.tag.partition("}")[2], "".join(part.itertext())) for part in row]
    assert shape == [("mfrac", "1n"), ("munder", "∑i<j"), ("msubsup", "xi2"), ("mo", "≥"), ("mover", "γ^")]
