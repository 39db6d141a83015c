"""What every question finds in a dozen odd studies: its facts, which are computed again; its wording, in one golden
file, which no other test repeats; and the columns that its table has on all of them.

    pytest tests/findings/test_wording.py --regenerate-wording

writes tests/golden/wording.txt anew. Read its diff before you commit it: is every sentence true, and would you say it?

    == question
    -- {how it is asked} the setting of most of these findings
    [study] headline and detail
      > plain words, where a page shows these first
      a caveat
      (the setting, where it is another)
"""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import evalcore
from evalcore.metrics.metrics import METRICS
from tests.findings.plain import SAID
from tests.findings.test_findings import CASES, GROUPS, answers, case_of, check_finding
from tests.small import small_study

GOLDEN = Path(__file__).parents[1] / "golden" / "wording.txt"
HEADING = "== "
NUMBER = re.compile(r"[.]?\d[\d.,]*")
METRIC = re.compile(rf"\b({'|'.join(METRICS)})\b(@#|\([^)]*\))?")  # once its numbers are #
STUDIES = {name: (name, "all") for name in CASES} | {
    f"judged deep, pooled={pooled and list(pooled)}": ("judged deep", pooled) for pooled in (("s0",), None)
}


@cache
def odd_study(name, pooled):
    """The study, which is opened once for all questions, and its plain values. pooled : all, some names, or inferred"""
    runs, qrels = CASES[name]
    study = small_study(runs, qrels, pooled=list(pooled) if isinstance(pooled, tuple) else pooled, groups=GROUPS)
    return study, case_of(study, runs, qrels)


def wording(found):
    """The lines of these findings, (study, params, finding); those that differ only in numbers and in the metric appear
    once."""
    shown, asked = set(), {}
    for name, params, finding in found:
        words = str(finding) + finding.plain + "".join(finding.caveats) if finding else ""
        if words and (template := METRIC.sub("metric", NUMBER.sub("#", words))) not in shown:
            shown.add(template)
            asked.setdefault(str(params), []).append((name, finding))
    lines = []
    for params, findings in asked.items():
        ((usual, _),) = Counter(finding.setting for _, finding in findings).most_common(1)
        lines.append(f"-- {params} {usual}".rstrip())
        for name, finding in findings:
            lines.append(f"[{name}] {finding}")
            lines += [f"  > {finding.plain}"] if finding.plain else []
            lines += [f"  {caveat}" for caveat in finding.caveats]
            lines += [f"  ({finding.setting})"] if finding.setting != usual else []
    return lines


def golden():
    """question -> the lines of the golden file."""
    sections = {}
    for line in GOLDEN.read_text("utf-8").splitlines() if GOLDEN.exists() else []:
        if line.startswith(HEADING):
            sections[line.removeprefix(HEADING)] = lines = []
        else:
            lines.append(line)
    return sections


def write(question, lines):
    """The golden file with these lines of one question."""
    sections = golden() | {question: lines}
    every = [line for name in evalcore.QUESTIONS if name in sections for line in (HEADING + name, *sections[name])]
    GOLDEN.write_text("".join(f"{line}\n" for line in every), "utf-8")


@pytest.mark.parametrize("question", evalcore.QUESTIONS)
def test_the_facts_the_wording_and_the_columns_in_odd_studies(question, request):
    found, columns = [], None
    for name in STUDIES:
        study, case = odd_study(*STUDIES[name])
        for params, answer in answers(study, question):
            check_finding(answer, params, case, name)
            columns = [column for column in columns or answer.table if column in answer.table]
            found.append((name, params, answer.finding))
    assert " ".join(columns or []) == evalcore.QUESTIONS[question].columns  # a contract
    assert any(finding.plain for *_, finding in found) == (question in SAID)
    if request.config.getoption("--regenerate-wording"):
        write(question, wording(found))
    if golden().get(question) != wording(found):
        pytest.fail("A finding reads differently. If that is intended, regenerate the file and read its diff.")


@pytest.mark.slow
@pytest.mark.parametrize("question", evalcore.QUESTIONS)
def test_the_facts_where_one_system_contributed(question):
    for name in CASES:
        study, case = odd_study(name, ("s0",))
        for params, answer in answers(study, question):
            check_finding(answer, params, case, name)


def test_the_golden_file_has_the_questions_in_their_order():
    assert list(golden()) == list(evalcore.QUESTIONS)
