"""The wording of every question's finding on small studies, in one golden file, which no other test repeats; and the
columns that its table has on all of them.

    pytest tests/findings/test_wording.py --regenerate-wording

writes tests/golden/wording.txt anew. Read its diff before you commit it: is every sentence true, and would you say it?
"""

import re
from pathlib import Path

import pytest

import evalcore
from tests.findings.test_findings import CASES, with_files
from tests.oracles.facts import ASKED
from tests.small import small_study

GOLDEN = Path(__file__).parents[1] / "golden" / "wording.txt"
NUMBER = re.compile(r"[.]?\d[\d.,]*")
GROUPS = {"s0": "g0", "s1": "g1", "s2": "g1"}


def studies():
    """The dozen small studies, and some of them with contributing systems that are named or inferred."""
    for name, (runs, qrels) in CASES.items():
        yield name, small_study(runs, qrels, pooled="all", groups=GROUPS)
    for pooled in (["s0"], None):
        runs, qrels = CASES["judged deep"]
        yield f"judged deep, pooled={pooled}", small_study(runs, qrels, pooled=pooled, groups=GROUPS)


def wording():
    """What every question finds in these studies. Wordings that differ only in their numbers appear once."""
    lines = []
    for question in evalcore.QUESTIONS:
        shown, columns, findings = set(), None, []
        for name, study in studies():
            for params in ASKED.get(question, [{}]):
                answer = answer_of(study, question, params)
                if answer is None:
                    continue
                columns = [one for one in columns or answer.table if one in answer.table]
                finding = answer.finding
                if finding and (template := NUMBER.sub("#", str(finding) + "".join(finding.caveats))) not in shown:
                    shown.add(template)
                    findings += ["", f"[{name}] {params}", *finding.lines]
        assert " ".join(columns or []) == evalcore.QUESTIONS[question].columns, question  # a contract
        lines += ["", f"== {question}", *findings]
    return "\n".join(lines[1:]) + "\n"


def answer_of(study, question, params):
    """The answer, or None where the question is refused."""
    try:
        return evalcore.ask(study, question, **with_files(params))
    except ValueError:
        return None


def test_the_wording_of_findings_is_that_of_the_golden_file(request):
    now = wording()
    if request.config.getoption("--regenerate-wording"):
        GOLDEN.write_text(now, "utf-8")
    if not GOLDEN.exists() or GOLDEN.read_text("utf-8") != now:
        pytest.fail("A finding reads differently. If that is intended, regenerate the file and read its diff.")
