"""The structure of the code: no cycle of imports, and what computes does not depend on the screen."""

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from textwrap import dedent

import pytest

import evalcore
from evalcore.estimating import estimators, rank_models
from evalcore.fusion.methods import FUSIONS, NORMALISATIONS
from evalcore.metrics.metrics import METRICS
from evalcore.pooling.judging_orders import JUDGING_ORDERS
from evalcore.statistics import anova, significance
from tests import javascript

ROOT = Path(__file__).parent.parent
LONGEST_FUNCTION = 40  # lines of JavaScript
BOUNDARIES = {  # package -> what its modules never import
    "evalcore": {"streamlit", "plotly", "ui", "sample_data"},
    "evalcore.questions": {"evalcore.findings"},
    "ui.views": {"streamlit"},
}


def imports(path):
    """The dotted names that a file imports, wherever in it, also those for types."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for folder in ("evalcore", "ui")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


def package_of(module):
    """The folder of a module, such as `evalcore.metrics`; a module beside the folders stands for itself."""
    return ".".join(module.split(".")[:2])


def dependencies(name_of):
    """The imports between modules of the program, hidden ones and those for types included: name -> names.

    name_of : of a module
    """
    found = {name_of(module): set() for module in MODULES}
    for module, path in MODULES.items():
        named = imports(path)
        targets = {name if name in MODULES else name.rpartition(".")[0] for name in named} & set(MODULES)
        found[name_of(module)] |= {name_of(target) for target in targets} - {name_of(module)}
    return found


def test_no_package_needs_one_that_needs_it():
    """Not for its types either."""
    packages = dependencies(package_of)
    order = [*TopologicalSorter(packages).static_order()]  # raises CycleError
    assert order.index("evalcore.collection") < order.index("evalcore.study") < order.index("evalcore.answers")


def test_no_module_needs_one_that_needs_it():
    """Not for its types either."""
    TopologicalSorter(dependencies(str)).prepare()  # raises CycleError


@pytest.mark.parametrize("package", BOUNDARIES)
def test_what_computes_knows_nothing_of_the_screen(package):
    for module, path in MODULES.items():
        if f"{module}.".startswith(f"{package}."):
            assert not BOUNDARIES[package] & {part for name in imports(path) for part in accumulate(name)}, module


def accumulate(name):
    """The packages around a dotted name, and the name: a.b.c -> a, a.b, a.b.c."""
    parts = name.split(".")
    return {".".join(parts[:end]) for end in range(1, len(parts) + 1)}


def test_only_what_opens_a_study_knows_of_large_tracks():
    outside = {module for module in MODULES if not f"{module}.".startswith("evalcore.large.")}
    knows = {
        module for module in outside if any(name.startswith("evalcore.large") for name in imports(MODULES[module]))
    }
    assert knows == {"evalcore", "evalcore.__main__", "evalcore.many_tracks.track_folder"}


def public_functions(tree):
    """The public functions of a module, each with None, and the methods of its public classes, each with its class."""
    for owner in [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_")]:
        for node in owner.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
                node.name[0] != "_" or node.name[:2] == "__"
            ):
                yield owner if owner is not tree else None, node


def _has_types(owner, function):
    takes = function.args
    named = [*takes.posonlyargs, *takes.args, *takes.kwonlyargs, *filter(None, (takes.vararg, takes.kwarg))]
    bare = [one.arg for one in named if one.annotation is None]
    return function.returns is not None and (not bare or (bare in (["self"], ["cls"]) and owner is not None))


def test_every_public_function_has_types():
    assert not [
        f"{module}: {function.name}"
        for module, path in MODULES.items()
        for owner, function in public_functions(ast.parse(path.read_text()))
        if not _has_types(owner, function)
    ]


def test_pages_are_thin():
    for path in [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]:
        roots = {name.split(".")[0] for name in imports(path)}
        assert not roots & {"numpy", "scipy", "plotly", "pyarrow"}, path.name
        assert "unsafe_allow_html" not in path.read_text("utf-8"), path.name


def test_scipy_is_loaded_when_it_is_first_used():
    loaded = "import sys, evalcore; sys.exit(any(name.startswith('scipy.stats') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", loaded], cwd=ROOT).returncode == 0, "import scipy, not parts of it"


def test_opening_and_scoring_load_no_questions_and_no_findings():
    work = """
        import sys, evalcore
        evalcore.open_study("sample_data/toy/runs", "sample_data/toy/qrels.txt", cache=False).at().values("AP")
        before = {"questions", "findings", "script", "answers"} & {name[9:] for name in sys.modules}
        assert not before, before
        assert set(evalcore.__all__) <= set(dir(evalcore)) and len(evalcore.QUESTIONS) > 50
    """
    assert subprocess.run([sys.executable, "-c", dedent(work)], cwd=ROOT).returncode == 0


def test_no_room_without_an_idea_in_its_name():
    forbidden = ("utils", "helpers", "common", "base", "core", "misc")
    assert not [path.name for path in ROOT.rglob("*.py") if path.stem in forbidden and ".venv" not in path.parts]


PRONOUNS = {
    "one", "found", "asked", "both", "said", "made", "how", "that", "these", "those", "others", "what", "which",
}  # fmt: skip
PRONOUNS_LEFT = 26  # mostly parameters of public functions, and fields; their number may only fall


def _set_in(tree):
    """The names of the variables, parameters and attributes that a module sets."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(getattr(node, "ctx", None), ast.Store):
            yield getattr(node, "id", getattr(node, "attr", ""))
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            yield node.name or ""


def test_names_are_nouns():
    """A name says what it contains, and a pronoun does not."""
    odd = [
        f"{module}: {name}"
        for module, path in MODULES.items()
        for name in _set_in(ast.parse(path.read_text()))
        if name.strip("_") in PRONOUNS
    ]
    assert len(odd) <= PRONOUNS_LEFT, odd


SCRIPT = """// { in a comment
const pattern = /[/{]+/g, text = "}" + `a ${[1].map((n) => { return "`" })} {`, half = 4 / 2 / 1
class Row { at(n) {
    if (n) { return 1 }
} }
export default function (
  component) {
  /* } */
}
"""


def test_functions_of_javascript_are_found():
    assert [*javascript.functions(SCRIPT)] == [(2, 2), (3, 5), (6, 9)]


def test_functions_of_javascript_are_short():
    long = [
        f"{path.name}, line {first}: {last - first + 1} lines"
        for path in sorted((ROOT / "ui").rglob("*.js"))
        for first, last in javascript.functions(path.read_text("utf-8"))
        if last - first >= LONGEST_FUNCTION
    ]
    assert not long


# ---------------------------------------------------------------------------------------------------------------------
# Definitions: docs/METHODS.md

TABLES = (
    METRICS, FUSIONS, NORMALISATIONS, JUDGING_ORDERS, estimators.ESTIMATORS, rank_models.RANK_MODELS,
    significance.TESTS, significance.CORRECTIONS, anova.MODELS, anova.INTERVALS,
)  # fmt: skip
METHODS = (ROOT / "docs" / "METHODS.md").read_text()
BODY, _, REFERENCES = METHODS.partition("## 16. References")
KEYS = set(re.findall(r"^- \[(\w+)\]", REFERENCES, re.MULTILINE))
SECTIONS = set(re.findall(r"^#{2,3} ([\d.]*\d)\.? ", METHODS, re.MULTILINE))
KEY = re.compile(r"(?:\[|; )([A-Z][A-Za-z]*\d\d[a-z]?|TREC_EVAL|Tuk)(?=[],;])")
SOURCES = [path for folder in ("evalcore", "ui", "pages", "tests") for path in sorted((ROOT / folder).rglob("*.py"))]


def test_what_the_code_cites_is_in_methods():
    for path in SOURCES:
        text = path.read_text("utf-8")
        missing = set(KEY.findall(text)) - KEYS
        assert not missing, f"{path.name}: docs/METHODS.md has no reference {sorted(missing)}."
        unknown = set(re.findall(r"METHODS (\d+(?:\.\d+)*)", text)) - SECTIONS
        assert not unknown, f"{path.name}: docs/METHODS.md has no section {sorted(unknown)}."


def test_every_reference_is_cited_where_something_is_defined():
    assert set(KEY.findall(BODY)) == KEYS


def questions_by_section():
    """The table of section 15 of METHODS: each section with the questions whose rows name it."""
    rows = {}
    for name, question in evalcore.QUESTIONS.items():
        rows.setdefault(question.section, []).append(f"`{name}`")
    ordered = sorted(rows, key=lambda section: [int(part) for part in section.split(".")])
    return "\n".join(f"| {section} | {', '.join(rows[section])} |" for section in ordered)


def test_methods_lists_the_questions_of_each_section(request):
    head, title, rest = METHODS.partition("| section | questions |\n| --- | --- |\n")
    assert title
    old, gap, tail = rest.partition("\n\n")
    if request.config.getoption("--regenerate-wording"):
        (ROOT / "docs" / "METHODS.md").write_text(f"{head}{title}{questions_by_section()}{gap}{tail}", "utf-8")
    elif old != questions_by_section():
        pytest.fail("METHODS lists other sections than the questions' rows: run this test with --regenerate-wording.")
    assert {question.section for question in evalcore.QUESTIONS.values()} <= SECTIONS


def test_every_row_of_a_method_names_its_source():
    for row in (row for table in TABLES for row in table.values()):
        cited = set(KEY.findall(row.source))
        assert cited <= KEYS, row.name
        assert cited or row.name == "none"


def test_what_safari_knows_by_another_name_has_both():
    for style in sorted((ROOT / "ui").rglob("*.css")):
        said = re.findall(r"([\w-]*user-select): none", style.read_text("utf-8"))
        assert said.count("-webkit-user-select") == said.count("user-select"), style.name


def _members(tree):
    """The names that a module defines, and those of each of its classes: name -> names."""
    found = {"": set()}
    for node in tree.body:
        is_class = isinstance(node, ast.ClassDef)
        inside = [node] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ast.walk(node)
        found[""] |= {name for part in inside for name in _named(part)}
        if is_class:
            found[node.name] = {name for part in ast.walk(node) if part is not node for name in _named(part)}
    return found


def _named(node):
    """The names that one node of a tree defines, attributes of `self` among them."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).split(".")[0]}
    stored = isinstance(getattr(node, "ctx", None), ast.Store)
    return (
        {node.id} if isinstance(node, ast.Name) and stored else {node.attr} if isinstance(node, ast.Attribute) else {}
    )


def _bases():
    """Each class with the names of those that it extends."""
    for path in MODULES.values():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                yield node.name, [base.id for base in node.bases if isinstance(base, ast.Name)]


REFERENCE = re.compile(r"`(\w+(?:\.\w+)*)\.([A-Za-z_]\w*)(?:\(\))?`")
OF_OTHERS = {"st", "tarfile", "studentized_range", "server", "bytes"}  # libraries, a setting
OF_ARGUMENTS = {"question", "container", "scale", "pooling", "track", "simulation"}  # what is called so where it stands


def test_every_name_in_a_docstring_or_comment_exists():
    members = {}
    for module, path in MODULES.items():
        for owner, names in _members(ast.parse(path.read_text())).items():
            members.setdefault(owner or module.rpartition(".")[2], set()).update(names)
        members.setdefault(module.rpartition(".")[0].rpartition(".")[2], set()).add(module.rpartition(".")[2])
    for name, bases in _bases():
        members[name] |= {member for base in bases for member in members.get(base, ())}
    members |= {"sample_data": {"make"}}
    gone = [
        f"{module}: {owner}.{name}"
        for module, path in MODULES.items()
        for owner, name in REFERENCE.findall(path.read_text())
        if (last := owner.rpartition(".")[2]) not in OF_OTHERS | OF_ARGUMENTS and name not in members.get(last, ())
    ]
    assert not gone
