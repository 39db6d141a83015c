"""Small faults put into the code one at a time, to see whether the tests of its subject notice: python -m tests.mutants

    python -m tests.mutants --count 60 --seed 1
    python -m tests.mutants --count 60 --seed 1 --only 7 31

In each mutant of a module one comparison, operator, number or call is another one. One that survives shows a hole in
the tests, or changes nothing that anybody could see. All libraries are imported once; each mutant has a fork of that
process, which runs the tests of its subject up to the first that fails, without what these start as programs of their
own. Not a part of .ci/run.
"""

import argparse
import ast
import contextlib
import os
import random
import signal
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parents[1]
OURS = ("evalcore", "ui", "pages", "tests")
PAIRS = ["questions/test_two_systems.py", "questions/test_comparison_questions.py"]
POOL = ["collection/test_pool.py", "collection/test_pool_inference.py", "pooling/test_uncertain_contributors.py"]
JUDGES = ["questions/test_judges.py", "study/test_judges.py"]
ESTIMATES = ["estimating/test_estimate_questions.py", "estimating/test_estimator_choices.py"]
SCORES = ["study/test_evaluation.py", "questions/test_tables.py"]
SUBJECTS = {  # a package -> the tests of its subject; those of a module, which come before them
    "metrics": {
        "": ["metrics/test_metrics.py", *SCORES, "metrics", "questions/test_definitions.py"],
        "diversity": ["questions/test_diversity.py"],
    },
    "estimating": {"": ["estimating"]},
    "statistics": {
        "": ["questions/test_confidence_questions.py", *PAIRS],
        "agreement": [*JUDGES, "questions/test_assessors.py", "pooling/test_judging_orders.py"],
        "anova": ["statistics/test_anova.py", "statistics/test_power.py"],
        "bootstrap": ["statistics/test_anova.py", *JUDGES],
        "certain_pairs": ["statistics/test_certain_pairs.py", "statistics/test_contenders.py"],
        "consistency": ["statistics/test_consistency.py", "fusion/test_fusion_questions.py"],
        "control_variate": JUDGES,
        "orderings": ["statistics/test_orderings.py", "statistics/test_setups.py"],
        "overlap": ["questions/test_overlap.py", "study/test_without_judgments.py", "fusion/test_fusion_questions.py"],
        "panel": ["statistics/test_panel.py", *JUDGES, "pooling/test_judging_orders.py"],
        "power": ["statistics/test_power.py"],
        "rank_intervals": ["questions/test_confidence_questions.py"],
        "setups": ["statistics/test_setups.py"],
        "shards": ["statistics/test_shards.py"],
        "significance": ["statistics/test_significance.py"],
        "tukey": ["statistics/test_anova.py"],
    },
    "pooling": {
        "": ["pooling", *JUDGES],
        "checking_orders": ["pooling/test_checking_orders.py", *JUDGES],
        "pool_bias": ["pooling/test_new_systems.py"],
        "uncertain_contributors": ["pooling/test_uncertain_contributors.py"],
    },
    "fusion": {"": ["fusion"]},
    "collection": {
        "": [*POOL, *SCORES, "study/test_study.py", "questions/test_questions.py"],
        "contributor_draws": ["collection/test_contributor_draws.py"],
        "judged_positions": ["metrics/test_judged_positions.py", "metrics/test_metrics.py"],
        "judgments": ["collection/test_judgments.py"],
        "pool_inference": ["collection/test_pool_inference.py", "collection/test_pool_unknown.py"],
        "query_numbers": ["fusion"],
        "ragged": ["collection/test_ragged.py"],
        "shares": ["metrics/test_metrics.py"],
        "ties": ["questions/test_questions.py", "fusion/test_fusion.py", "checking/test_checking.py"],
        "track": ["study/test_study.py", "reading/test_loading.py"],
    },
    "questions": {
        "": ["questions/test_tables.py", "questions/test_questions.py"],
        "assessors": ["questions/test_assessors.py"],
        "comparison": [*PAIRS, "study/test_without_judgments.py"],
        "confidence": ["questions/test_confidence_questions.py", "statistics/test_anova.py"],
        "consistency": ["fusion/test_fusion_questions.py"],
        "contenders": ["statistics/test_contenders.py"],
        "corrections": ["pooling/test_new_systems.py", "pooling/test_judging_orders.py"],
        "diversity": ["questions/test_diversity.py"],
        "estimates": ESTIMATES,
        "fitted_models": [*ESTIMATES, "estimating/test_coverage.py", "estimating/test_sampling.py"],
        "fusion": ["fusion"],
        "fusion_inputs": ["fusion"],
        "judge_next": ["pooling/test_judging_orders.py"],
        "judges": [*JUDGES, "pooling/test_judging_orders.py"],
        "judgment_cuts": ["estimating", "statistics/test_setups.py"],
        "judgments": ["pooling/test_judging_orders.py", *POOL],
        "new_systems": ["pooling/test_new_systems.py"],
        "orderings": ["statistics/test_setups.py", *PAIRS],
        "other_programs": ["interop/test_other_programs.py"],
        "overlaps": ["fusion/test_fusion_questions.py", "study/test_without_judgments.py"],
        "pairs": [*PAIRS, "study/test_study.py", "statistics/test_certain_pairs.py", "statistics/test_contenders.py"],
        "people_and_model": JUDGES,
        "pool_depth": ["questions/test_questions.py", "study/test_complete_judgments.py"],
        "requirements": [
            "collection/test_pool_unknown.py",
            "pooling/test_uncertain_contributors.py",
            "fusion/test_fusion_questions.py",
        ],
        "table_helpers": PAIRS,
        "table_notes": ["pooling/test_new_systems.py", "collection/test_pool_unknown.py"],
        "topic_sizes": ["statistics/test_power.py"],
        "wrong_pairs": ["study/test_complete_judgments.py"],
    },
    "study": {
        "": ["study/test_study.py", *SCORES, *POOL, "questions/test_questions.py"],
        "assessors": ["questions/test_assessors.py"],
        "evaluation": ["study/test_evaluation.py", *POOL, *ESTIMATES],
        "extra_qrels": [*JUDGES, "study/test_complete_judgments.py", "pooling/test_judging_orders.py"],
        "opening": ["study/test_opening.py", "reading/test_loading.py"],
        "run_order": POOL,
        "study_pool": ["questions/test_judging_in_other_orders.py"],
        "subtopics": ["questions/test_diversity.py"],
        "topic_attributes": ["fusion/test_fusion_questions.py"],
    },
}
NO_TABLES = {"study_caches"}  # how much is kept: no table depends on it
COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
OPERATED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div}
CALLED = {"max": "min", "min": "max", "any": "all", "all": "any", "maximum": "minimum", "minimum": "maximum"}
MOST_SECONDS = 120  # of a test
AROUND = 45  # characters of a line that are shown
NO_TEST = "(cannot be imported, or does not end)"
OPTIONS = [
    "-q", "-x", "-m", "not browser", "-p", "no:cacheprovider", "-p", "no:randomly", "--hypothesis-seed=0",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",  # of libraries, which are imported before
    "-k", "not every_column_of_a_sample",  # many seconds for names of columns
]  # fmt: skip


def faults(tree):
    """Nodes of a tree with the field that makes each another one, and its other value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
            yield node, "ops", [COMPARED[type(node.ops[0])](), *node.ops[1:]]
        elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OPERATED:
            yield node, "op", OPERATED[type(node.op)]()
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float) and hasattr(node, "lineno"):
            yield node, "value", node.value + 1
        elif isinstance(node, ast.Attribute) and node.attr in CALLED:
            yield node, "attr", CALLED[node.attr]


def mutant(path, rng):
    """The code of a module with one fault, and where: the words there as they were and as they are."""
    tree = ast.parse(path.read_text("utf-8"))
    before = ast.unparse(tree).splitlines()
    node, field, value = rng.choice(list(faults(tree)))
    setattr(node, field, value)
    after = ast.unparse(tree).splitlines()
    old, new = next(((old, new) for old, new in zip(before, after, strict=True) if old != new), ("", ""))
    alike = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    start = max(0, alike - AROUND)
    old, new = (line[start : start + 2 * AROUND].strip() for line in (old, new))
    return compile(tree, path, "exec"), f"{path.relative_to(ROOT)}:{node.lineno}: {old}  ->  {new}"


class Faulty(SourceFileLoader):
    """Finds one module, whose code is another one."""

    def __init__(self, path, code):
        super().__init__(".".join(path.relative_to(ROOT).with_suffix("").parts), str(path))
        self.code = code

    def find_spec(self, name, path=None, target=None):
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, name):
        return self.code


class FirstFailure:
    """For pytest: says which test failed, and has Hypothesis neither simplify nor remember what it found."""

    def __init__(self, said):
        self.said = said

    def pytest_configure(self, config):
        settings.register_profile("faults", deadline=None, database=None, phases=(Phase.explicit, Phase.generate))
        settings.load_profile("faults")

    def pytest_runtest_logstart(self, nodeid, location):
        signal.alarm(MOST_SECONDS)  # ends this process, if the test does not

    def pytest_runtest_logreport(self, report):
        if report.failed:
            os.write(self.said, report.nodeid.encode())


def failing(tests, faulty=None):
    """The first of these tests to fail, "" if none does, and the seconds of the processor. faulty : what has a fault"""
    heard, said = os.pipe()
    sys.stdout.flush()
    process = os.fork()
    if not process:
        code = pytest.ExitCode.INTERNAL_ERROR
        try:
            os.setpgid(0, 0)
            signal.alarm(MOST_SECONDS)
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            if faulty:
                sys.meta_path.insert(0, faulty)
            code = pytest.main([*OPTIONS, *tests], plugins=[FirstFailure(said)])
        finally:
            os._exit(code)
    os.close(said)
    _, status, used = os.wait4(process, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)  # what its tests have started
    with os.fdopen(heard) as pipe:
        name = pipe.read()
    return name or (NO_TEST if status else ""), used.ru_utime + used.ru_stime


def import_libraries():
    """Everything that the tests import is, and what is ours forgotten again."""
    every = {f"tests/{name}" for package in SUBJECTS.values() for tests in package.values() for name in tests}
    with open(os.devnull, "w") as silent, contextlib.redirect_stdout(silent):
        code = pytest.main([*OPTIONS, "--collect-only", *sorted(every)])
    if code:
        sys.exit(f"The tests cannot be collected: pytest ends with {code!r}.")
    for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
        del sys.modules[name]


def tests_of(path):
    """The names of the tests of a module's subject, the nearest first."""
    package = SUBJECTS[path.parent.name]
    return [f"tests/{name}" for name in dict.fromkeys([*package.get(path.stem, []), *package[""]])]


def mutants(count, seed):
    """(path, code, what it changes) of so many mutants: a package, a module and a fault, each drawn at random."""
    rng, drawn = random.Random(seed), set()
    while len(drawn) < count:
        folder = ROOT / "evalcore" / rng.choice(list(SUBJECTS))
        modules = [path for path in sorted(folder.glob("*.py")) if path.stem not in NO_TABLES | {"__init__"}]
        path = rng.choice([path for path in modules if list(faults(ast.parse(path.read_text("utf-8"))))])
        code, changed = mutant(path, rng)
        if changed not in drawn:
            drawn.add(changed)
            yield path, code, changed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="+", help="the numbers of those to try")
    asked = parser.parse_args()
    import_libraries()
    found, survived, seconds = set(), [], 0.0
    for number, (path, code, changed) in enumerate(mutants(asked.count, asked.seed), 1):
        if asked.only and number not in asked.only:
            continue
        failed, took = failing(tests_of(path), Faulty(path, code))
        seconds += took
        found |= {failed} - {"", NO_TEST}
        survived += [] if failed else [number]
        print(f"{number:3} {'found' if failed else 'SURVIVES':8} {took:4.0f} s {changed}  {failed}", flush=True)
    print(f"{len(survived)} survive: {survived}. {seconds:.0f} seconds of processor time.")
    if found and (failed := failing(sorted(found))[0]):
        sys.exit(f"{failed} fails without any fault, too.")


if __name__ == "__main__":
    main()
