"""Small faults put into the code one at a time, to see whether the tests of its subject notice: python tests/mutants.py

    python tests/mutants.py --count 60 --seed 1

Each mutant is a copy of the project in which one comparison, operator, number or call is another one. A mutant that
survives shows a hole in the tests, or changes nothing that anybody could see. Not a part of .ci/run: 60 take an hour.
"""

import argparse
import ast
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUBJECTS = {  # a package or module -> the tests of its subject
    "metrics": ["metrics", "questions/test_definitions.py", "study/test_evaluation.py"],
    "estimating": ["estimating"],
    "statistics": [
        "statistics",
        "questions/test_overlap.py",
        "questions/test_confidence_questions.py",
        "questions/test_comparison_questions.py",
    ],
    "pooling": ["pooling"],
    "fusion": ["fusion"],
    "study/evaluation.py": [
        "study/test_evaluation.py",
        "study/test_study.py",
        "collection/test_pool.py",
        "estimating/test_estimate_questions.py",
    ],
}
COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
OPERATED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div}
CALLED = {"max": "min", "min": "max", "any": "all", "all": "any", "maximum": "minimum", "minimum": "maximum"}
MOST_SECONDS = 600


def faults(tree):
    """Functions that put one fault each into a tree, with what they change."""
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
    """The source of a module with one fault, and the line that changed as it was and as it is."""
    tree = ast.parse(path.read_text("utf-8"))
    before = ast.unparse(tree).splitlines()
    node, field, value = rng.choice(list(faults(tree)))
    setattr(node, field, value)
    after = ast.unparse(tree)
    changed = next(((old, new) for old, new in zip(before, after.splitlines(), strict=True) if old != new), ("", ""))
    return after, [line.strip() for line in changed]


def survives(copy, tests):
    """Whether all of these tests pass in a copy of the project."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        *(f"tests/{name}" for name in tests),
    ]
    try:
        return subprocess.run(command, cwd=copy, capture_output=True, timeout=MOST_SECONDS).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng, left = random.Random(asked.seed), []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", "__pycache__", ".*_cache"))
        for number in range(1, asked.count + 1):
            subject = rng.choice(list(SUBJECTS))
            found = ROOT / "evalcore" / subject
            path = found if found.is_file() else rng.choice(sorted(set(found.glob("*.py")) - {found / "__init__.py"}))
            source, (old, new) = mutant(path, rng)
            target = copy / path.relative_to(ROOT)
            target.write_text(source, "utf-8")
            lives = survives(copy, SUBJECTS[subject])
            shutil.copy(path, target)
            print(
                f"{number:3} {'SURVIVES' if lives else 'found   '} {path.relative_to(ROOT)}: {old}  ->  {new}",
                flush=True,
            )
            left += [path] if lives else []
    print(f"{len(left)} of {asked.count} survive.")


if __name__ == "__main__":
    main()
