"""The corpus's names, and one of 10 kB, in whatever leaves a page: CSV, LaTeX, report, archive, script."""

import ast
import csv
import io
import re
import zipfile
from functools import partial

import pytest

import evalcore
from tests.hostile.corpus import NAMES
from tests.small import small_study
from tests.ui.test_export import TAGS, Tags
from tests.ui.test_safe_text import read_back
from ui.report import export
from ui.report import report as report_of
from ui.text import escape
from ui.views import VIEWS

SAID = [name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace") for name in NAMES.values()]
LONG = "z" * 10_000
MANY = [*dict.fromkeys(SAID), LONG]


@pytest.fixture(scope="module")
def board():
    runs = {name: {"t": {"d": 2.0, f"<{number}>": 1.0}} for number, name in enumerate(MANY)}
    return evalcore.ask(small_study(runs, {"t": {"d": 1, "<1>": 0}}, pooled="all"), "leaderboard", metric="P@5")


def test_csv_reads_back(board):
    rows = list(csv.reader(io.StringIO(export.csv(board.table).decode("utf-8"), newline="")))
    assert [read_back(row[0]) for row in rows[1:]] == board.table["system"].tolist()
    assert not [cell for row in rows for cell in row if re.match(r"[=+@\t\r]|-[^\d]", cell)]


def test_latex_has_a_row_for_each(board):
    made = export.tabular(board, LONG)
    assert sum(line.endswith(r"\\") for line in made.splitlines()) == 1 + min(len(MANY), export.ROWS_OF_LATEX)
    assert all(line.isprintable() or "\u200d" in line or "\ufe0f" in line for line in made.splitlines())


def test_report_and_archive_hold_text_alone(board):
    figure = partial(VIEWS["leaderboard"].figure, board)
    note = {"findings": {"a": board.finding}, "tables": {"a": (LONG, board)}, "address": "scores",
            "pictures": {LONG: (SAID[0], SAID[1], figure)}}  # fmt: skip
    said = [report_of.section_of("Scores", "How good?", note, own="".join(SAID))]
    page = report_of.report_page(report_of.report(LONG, said, [], (), day="d", in_full=True), LONG).decode()
    seen = Tags(page)
    assert {tag for tag, _ in seen.tags} <= set(TAGS.split())
    assert not [name for _, attributes in seen.tags for name in attributes if name.startswith("on")]
    packed = zipfile.ZipFile(io.BytesIO(export.archive(page.encode(), said)))
    assert not [name for name in packed.namelist() if len(name) > 120 or re.search(r"[^\w./=-]|\.\.|^/", name)]


@pytest.mark.parametrize("name", MANY, ids=lambda name: ascii(name)[:20])
def test_a_script_says_the_name_as_a_value(name):
    study = small_study({name: {"t": {"d": 2.0}}, "other": {"t": {"d": 1.0}}}, {"t": {"d": 1}}, pooled="all")
    program = evalcore.ask(study, "scores", metric="P@5", systems=[name]).script()
    values = [node.value for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Constant)]
    assert name in values
    assert program.replace("\n", "").isprintable()


@pytest.mark.parametrize("name", MANY, ids=lambda name: ascii(name)[:20])
def test_a_name_is_short_and_seen_where_it_is_shown(name):
    short = escape.short(name, 24)
    assert len(short) <= 24
    assert "\n" not in escape.text(name)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x1f\x7f-\x9f\u200b\ufeff]", escape.text(name))
