"""The house as DESIGN draws it: imports go down only, and what computes knows nothing of the screen."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import evalcore
from evalcore.comparing import anova, significance
from evalcore.estimating import estimators, rank_models
from evalcore.fusion import FUSIONS, NORMALISATIONS
from evalcore.judging_orders import JUDGING_ORDERS
from evalcore.metrics import METRICS

ROOT = Path(__file__).parent.parent
FLOORS = (  # within evalcore; a module may import from what stands before it
    ("version", "shown", "reading.archive_limits"),
    ("reading.files", "values"),
    ("reading.budget", "comparing.tukey"),
    ("names", "sentences", "columns", "memo", "ragged", "track", "judgments", "joining", "spreading"),
    (
        "trec_files",
        "reading.white_space",
        "reading.wording",
        "reading.headings",
        "comparing.anova",
        "comparing.agreement",
        "estimating.coverage",
        "estimating.gamma",
        "estimating.rank_models",
    ),
    (
        "places",
        "ties",
        "pool",
        "comparing.orderings",
        "estimating.evidence",
        "reading.json_files",
        "reading.store",
        "reading.sheets",
        "reading.unpacking",
    ),
    (
        "inst",
        "ndcg",
        "contributors",
        "intervals",
        "reading.formats",
        "reading.on_disk",
        "reading.belonging",
        "comparing.overlap",
        "comparing.rank_intervals",
        "estimating.two_stage",
        "reading.workbooks",
        "reading.rankings",
        "reading.items",
    ),
    ("metrics", "fusion", "reading.tables", "reading.tabular"),
    ("estimating.estimators", "reading.ranges", "reading.naming", "reading.roles"),
    ("reading.noticed",),
    (
        "scoring",
        "fused_runs",
        "reading.loading",
        "comparing.regimes",
        "comparing.significance",
        "estimating.sampling",
        "reading.score_files",
    ),
    ("beside", "finished"),
    (
        "study",
        "pool_orders",
        "checking.seen",
        "checking.by_file",
        "checking.kinds",
        "comparing.shards",
        "comparing.certain_pairs",
    ),
    ("checking.whole", "checking.topics", "checking.runs", "checking.basis"),
    ("opening", "pool_bias", "judging_orders", "comparing.consistency", "checking.findings", "conventions"),
    ("checking.suspects", "pool_doubt", "block", "script"),
    ("joined",),
    ("blocks",),
    ("parameters",),
    ("questions",),
    ("findings",),
    ("asking",),
    ("__init__", "__main__", "synth"),
)
FLOOR = {name: number for number, floor in enumerate(FLOORS) for name in floor}


def imports(path):
    """The dotted names that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


MODULES = sorted((ROOT / "evalcore").rglob("*.py"))


def module_of(name):
    """The room that a dotted name below evalcore stands for: a module, or the package of questions; None for none."""
    parts = name.split(".")
    return next((room for room in (".".join(parts[:2]), parts[0]) if room in FLOOR), None)


def room_of(path):
    """The dotted name of a file below evalcore."""
    return ".".join(path.relative_to(ROOT / "evalcore").with_suffix("").parts).removesuffix(".__init__")


def test_every_room_stands_on_one_floor():
    rooms = {module_of(room_of(path)) for path in MODULES if path.read_text().strip()}
    assert sorted(name for floor in FLOORS for name in floor) == sorted(rooms)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_imports_go_down_only(path):
    own = room_of(path)
    if not path.read_text().strip():
        return  # a folder's empty __init__
    own = module_of(own)
    assert own, f"{path.name} stands on no floor; give it one."
    for name in imports(path):
        package, _, inner = name.partition(".")
        room = module_of(inner) if package == "evalcore" else None
        if room and not (room == own in ("questions", "findings")):
            assert FLOOR[room] < FLOOR[own], f"{path.name} imports {room}, which does not stand below it."


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_what_computes_knows_nothing_of_the_screen(path):
    roots = {name.split(".")[0] for name in imports(path)}
    assert not roots & {"streamlit", "plotly", "ui", "sample_data"}


@pytest.mark.parametrize("path", [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))], ids=lambda path: path.stem)
def test_pages_are_thin(path):
    roots = {name.split(".")[0] for name in imports(path)}
    assert not roots & {"numpy", "scipy", "plotly", "pyarrow"}
    assert "unsafe_allow_html" not in path.read_text()


def test_scipy_is_loaded_when_it_is_first_used():
    loaded = "import sys, evalcore; sys.exit(any(name.startswith('scipy.stats') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", loaded], cwd=ROOT).returncode == 0, "import scipy, not parts of it"


def test_no_room_without_an_idea_in_its_name():
    forbidden = ("utils", "helpers", "common", "base", "core", "misc")
    assert not [path.name for path in ROOT.rglob("*.py") if path.stem in forbidden and ".venv" not in path.parts]


# ---------------------------------------------------------------------------------------------------------------------
# Definitions: docs/METHODS.md

TABLES = (
    METRICS,
    FUSIONS,
    NORMALISATIONS,
    JUDGING_ORDERS,
    estimators.ESTIMATORS,
    rank_models.RANK_MODELS,
    significance.TESTS,
    significance.CORRECTIONS,
    anova.MODELS,
    anova.INTERVALS,
)
METHODS = (ROOT / "docs" / "METHODS.md").read_text()
BODY, _, REFERENCES = METHODS.partition("## 16. References")
KEYS = set(re.findall(r"^- \[(\w+)\]", REFERENCES, re.MULTILINE))
SECTIONS = set(re.findall(r"^#{2,3} ([\d.]*\d)\.? ", METHODS, re.MULTILINE))
KEY = re.compile(r"(?:\[|; )([A-Z][A-Za-z]*\d\d[a-z]?|TREC_EVAL|Tuk)(?=[],;])")
SOURCES = [path for folder in ("evalcore", "ui", "pages", "tests") for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: "/".join(path.relative_to(ROOT).with_suffix("").parts))
def test_what_the_code_cites_is_in_methods(path):
    text = path.read_text()
    missing = set(KEY.findall(text)) - KEYS
    assert not missing, f"docs/METHODS.md has no reference {sorted(missing)}."
    unknown = set(re.findall(r"METHODS (\d+(?:\.\d+)*)", text)) - SECTIONS
    assert not unknown, f"docs/METHODS.md has no section {sorted(unknown)}."


def test_every_reference_is_cited_where_something_is_defined():
    assert set(KEY.findall(BODY)) == KEYS


def test_every_question_has_its_sections_in_methods():
    _, _, table = BODY.partition("| questions | sections |")
    listed = re.findall(r"`(\w+)`", table)
    assert sorted(listed) == sorted(evalcore.QUESTIONS)
    rows = [row.split("|")[2] for row in table.splitlines()[2:] if "|" in row]
    assert set(re.findall(r"\d+(?:\.\d+)?", " ".join(rows))) <= SECTIONS


@pytest.mark.parametrize("row", [row for table in TABLES for row in table.values()], ids=lambda row: row.name)
def test_every_row_of_a_method_names_its_source(row):
    cited = set(KEY.findall(row.source))
    assert cited <= KEYS
    assert cited or row.name == "none"


@pytest.mark.parametrize("path", sorted((ROOT / "ui" / "views").glob("*.py")), ids=lambda path: path.stem)
def test_a_view_mirrors_a_chapter_and_draws_no_screen(path):
    assert not {name.split(".")[0] for name in imports(path)} & {"streamlit"}
    chapters = {chapter.stem for chapter in (ROOT / "evalcore" / "questions").glob("*.py")}
    assert path.stem in chapters | {"view"}


def test_what_safari_knows_by_another_name_has_both():
    for style in sorted((ROOT / "ui").rglob("*.css")):
        said = re.findall(r"([\w-]*user-select): none", style.read_text("utf-8"))
        assert said.count("-webkit-user-select") == said.count("user-select"), style.name
