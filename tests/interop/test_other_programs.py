"""Another program's scores: each convention, altered on purpose, is named; what was made up is called unexplained."""

import io
import json
import os
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

import evalcore
from evalcore.findings import FINDINGS
from evalcore.interop import score_files
from evalcore.reading.files import InputError, Upload
from evalcore.study.conventions import with_scores
from tests.oracles.ranking import order

ROOT = Path(__file__).parents[2]
KNOWN = json.loads((ROOT / "tests" / "reference" / "trec_eval.json").read_text("utf-8"))
MEASURES = ("map", "map_cut_5", "ndcg", "ndcg_cut_10", "P_5", "P_10", "recip_rank", "Rprec", "bpref", "recall_20")
UNEXPLAINED = "unexplained"


def rank_column(run):
    """Another order of the same documents, for the rank column: by name."""
    return {document: rank for rank, document in enumerate(sorted(run), 1)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The track of tests/reference as files, its rank columns in an order of their own."""
    into = tmp_path_factory.mktemp("track")
    (into / "runs").mkdir()
    for system, topics in KNOWN["runs"].items():
        rows = [(topic, d, rank_column(run)[d], run[d]) for topic, run in topics.items() for d in order(run)]
        lines = [f"{topic} Q0 {document} {rank} {score} {system}\n" for topic, document, rank, score in rows]
        (into / "runs" / f"{system}.run").write_text("".join(lines), "utf-8")
    judged = [f"{topic} 0 {one} {grade}\n" for topic, of in KNOWN["qrels"].items() for one, grade in of.items()]
    (into / "qrels.txt").write_text("".join(judged), "utf-8")
    return into


@pytest.fixture(scope="module")
def study(folder):
    return evalcore.open_study(folder / "runs", folder / "qrels.txt", cache=False)


def as_ordered(documents):
    """A run in just this order."""
    return {document: float(-rank) for rank, document in enumerate(documents)}


def printed(
    *, ordered=order, grade=lambda g: g, level=1, judged_only=False, complete=True, keep=None, form="{:6.4f}".format
):
    """What trec_eval prints of the track with -q, its input or its options altered. Text"""
    qrels = {topic: {one: grade(g) for one, g in of.items()} for topic, of in KNOWN["qrels"].items()}
    names = set(MEASURES)
    judge = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level, judged_docs_only_flag=judged_only)
    lines = []
    for system, topics in KNOWN["runs"].items():
        found = judge.evaluate({topic: as_ordered(ordered(run)) for topic, run in topics.items()})
        found = {topic: of for topic, of in found.items() if keep is None or keep(topic)}
        lines += [f"{name:<22}\t{topic}\t{form(of[name])}" for topic, of in found.items() for name in MEASURES]
        lines += [f"runid                 \tall\t{system}", f"num_q                 \tall\t{len(found)}"]
        n = len(qrels) if complete else len(found)
        lines += [f"{name:<22}\tall\t{form(sum(of[name] for of in found.values()) / n)}" for name in MEASURES]
    return "\n".join(lines) + "\n"


def differences(study, text):
    return evalcore.ask(study, "score_differences", theirs=Upload("eval.txt", text.encode()))


def reasons(answer):
    """Why scores differ that stand on both sides."""
    return set(answer.table["explained_by"][answer.table["value"].notna() & answer.table["theirs"].notna()])


def by_rank(run):
    return sorted(run, key=rank_column(run).get)


ALTERED = {
    "ranked by the file's rank column": {"ordered": by_rank},
    "ties by document name, ascending": {
        "ordered": lambda run: sorted(run, key=lambda name: (-run[name], name.encode()))
    },
    "only the first 10 documents of a topic (-M 10)": {"ordered": lambda run: order(run)[:10]},
    "relevant from grade 2 (-l 2)": {"level": 2},
    "relevant from grade 3 (-l 3)": {"level": 3},
    "gain 2^grade - 1": {"grade": lambda g: 2**g - 1 if g > 0 else g},
    "gain 1 for every relevant grade": {"grade": lambda g: min(g, 1)},
    "negative grades count as judged and not relevant": {"grade": lambda g: max(g, 0)},
    "unjudged documents removed (-J)": {"judged_only": True},
    "averaged over the topics that the run answers (no -c)": {"complete": False},
    "averaged over the topics that the output lists": {"complete": False, "keep": lambda topic: topic not in "401 402"},
    "digits cut off, not rounded": {"form": lambda value: f"{np.floor(value * 1e4 + 1e-9) / 1e4:.4f}"},
    "computed in 32 bits": {"form": lambda value: f"{np.float32(value):.12f}"},
}


@pytest.mark.parametrize("convention", ALTERED)
def test_a_convention_that_was_altered_is_named(study, convention):
    answer = differences(study, printed(**ALTERED[convention]))
    assert reasons(answer) == {convention}
    assert answer.finding.facts["convention"].startswith(convention.split(" (")[0])
    assert "unexplained" not in answer.finding.facts
    assert " (-" not in str(answer.finding)


def test_what_trec_eval_prints_as_it_is_read_here_agrees(study):
    answer = differences(study, printed())
    assert reasons(answer) == set()
    assert answer.table["explained_by"].unique().tolist() == ["the run has no ranking for the topic (no -c)"]
    facts = answer.finding.facts
    assert facts["compared"] == facts["agreeing"] == len(MEASURES) * (3 * 10 - 1 + 3)
    assert answer.notes == ("1 metric is not available here and left out (num_q).",)


def test_scores_compared_in_32_bits_are_named(tmp_path):
    (tmp_path / "a.run").write_text("1 Q0 x 1 1.00000002 a\n1 Q0 y 2 1.00000001 a\n1 Q0 z 3 0.5 a\n")
    (tmp_path / "qrels.txt").write_text("1 0 x 1\n1 0 y 0\n1 0 z 1\n")
    study = evalcore.open_study([tmp_path / "a.run"], tmp_path / "qrels.txt", cache=False)
    run = {"1": {"x": 1.00000002, "y": 1.00000001, "z": 0.5}}
    found = pytrec_eval.RelevanceEvaluator({"1": {"x": 1, "y": 0, "z": 1}}, {"map", "recip_rank"}).evaluate(run)
    text = "".join(f"{name} 1 {value:.4f}\n" for name, value in found["1"].items())
    answer = differences(study, text)
    assert reasons(answer) == {"scores compared as 32-bit numbers"}
    assert answer.notes[0] == "eval.txt is compared with a, because it names no run."


@pytest.mark.parametrize(
    ("altered", "convention"),
    [
        ({"level": 2, "ordered": by_rank}, "ranked by the file's rank column; relevant from grade 2 (-l 2)"),
        ({"level": 2, "complete": False},
         "relevant from grade 2 (-l 2); averaged over the topics that the run answers (no -c)"),
        ({"level": 2, "complete": False, "ordered": by_rank},
         "ranked by the file's rank column; relevant from grade 2 (-l 2); averaged over the topics that the run "
         "answers (no -c)"),
    ],
)  # fmt: skip
def test_conventions_are_named_together(study, altered, convention):
    table = differences(study, printed(**altered)).table
    both = table[table["value"].notna() & table["theirs"].notna()]
    assert (both["explained_by"] == convention).any()
    assert UNEXPLAINED not in set(both["explained_by"])


@pytest.mark.slow
@pytest.mark.parametrize("altered", [{}, {"level": 2}, {"complete": False}, {"ordered": by_rank}])
@pytest.mark.parametrize("seed", range(2))
def test_made_up_numbers_are_called_unexplained(study, altered, seed):
    lines, draw = printed(**altered).splitlines(), random.Random(seed)
    scores = [i for i, line in enumerate(lines) if not line.startswith(("runid", "num_q"))]
    made_up = draw.sample(scores, 12)
    true = differences(study, "\n".join(lines)).table
    for i in made_up:
        name, topic, value = lines[i].split()
        lines[i] = f"{name} {topic} {(float(value) + draw.uniform(0.001, 0.3)) % 1:.4f}"
    answer = differences(study, "\n".join(lines))
    assert UNEXPLAINED not in set(true["explained_by"])
    assert (answer.table["explained_by"] == UNEXPLAINED).sum() == 12
    assert answer.table["explained_by"].head(12).eq(UNEXPLAINED).all()
    assert answer.finding.facts["unexplained"] == 12


def test_one_made_up_number_alone_is_unexplained(study):
    assert reasons(differences(study, "runid all calm\nmap 401 0.1234\n")) == {UNEXPLAINED}


def test_what_one_score_shows_may_be_chance(study):
    """A convention that this topic's score follows, and the same with one score more."""
    by_level = [line for line in printed(level=3).splitlines() if line.split()[:1] in (["runid"], ["map"])]
    one, two = (differences(study, "\n".join(lines)) for lines in (_first(by_level, 1), _first(by_level, 2)))
    assert one.finding.facts["convention"] == two.finding.facts["convention"] == "relevant from grade 3"
    assert "1 score may follow" in one.finding.detail
    assert "2 scores follow" in two.finding.detail


def _first(lines, scores):
    """The name of the first system and so many of its topics' scores, those that differ at grade 3."""
    name = next(line for line in lines if line.startswith("runid"))
    usual = {line for line in printed().splitlines() if line.startswith("map")}
    differ = [line for line in lines[: lines.index(name)] if line not in usual]
    return [name, *differ[:scores]]


def test_an_output_of_another_system_is_named(study):
    text = printed().replace("calm", "?").replace("tied", "calm").replace("?", "tied")
    answer = differences(study, text)
    exchanged = {f"the scores of {one}: a run's tag and its file's name are exchanged" for one in ("calm", "tied")}
    assert reasons(answer) == exchanged
    answer = differences(study, printed().replace("calm", "nobody"))
    assert reasons(answer) == set()
    assert "nobody is compared with calm, because the scores match." in answer.notes
    answer = differences(study, "runid all stranger\nmap 401 0.9\n")
    assert answer.table["explained_by"].tolist() == ["no system here has that name"]
    answer = differences(study, "runid all x\nmap all 0.9\nrunid all y\nmap all 0.9\n")
    assert answer.notes == ("No system here is called x; 1 more like it.",)


@pytest.mark.parametrize(
    ("whys", "words"), [("aab", "for 2 of them it is “a”"), ("ab", "such as “a”"), ("aa", ": “a”.")]
)
def test_no_reason_is_the_most_frequent_where_another_is_as_frequent(whys, words):
    table = pd.DataFrame({"value": 0.1, "theirs": 0.2, "difference": 0.1, "explained_by": list(whys)})
    study = SimpleNamespace(theirs=pd.DataFrame({"metric": ["AP"] * 9}))
    assert words in FINDINGS["score_differences"](table, {}, study).detail


def test_topics_of_one_side_alone_are_listed(study):
    answer = differences(study, "map 999 0.5\n" + printed(keep=lambda topic: topic not in ("401", "405")))
    table = answer.table[(answer.table["system"] == "short") & (answer.table["metric"] == "map")]
    why = dict(zip(table["topic"], table["explained_by"], strict=True))
    assert why["401"] == "the topic is missing in the output"
    assert why["405"] == "the topic has no relevant document"
    assert why["407"] == "the run has no ranking for the topic (no -c)"
    assert "no judged topic here has that name" in set(answer.table["explained_by"])


# ---------------------------------------------------------------------------------------------------------------------
# What is read


def read(text, name="eval.txt"):
    return score_files.scores_in(Upload(name, text.encode()))[0]


def rows(text):
    table = read(text)
    return list(zip(table["run"], table["topic"], table["metric"], table["value"], strict=True))


def test_trec_eval_names_a_run_below_its_topics_and_others_above():
    wanted = [("a", "1", "AP", 0.5), ("a", "all", "AP", 0.5), ("b", "1", "AP", 0.25), ("b", "all", "AP", 0.25)]
    assert rows("map 1 .5\nrunid all a\nmap all .5\nmap 1 .25\nrunid all b\nmap all .25\n") == wanted
    assert rows("runid all a\nmap 1 .5\nmap all .5\nrunid all b\nmap 1 .25\nmap all .25\n") == wanted
    assert rows("runid all a\nmap all .5\nrunid all b\nmap all .25\n") == [wanted[1], wanted[3]]


def test_ir_measures_puts_the_topic_first():
    found = rows("1\tP(rel=2)@10\t0.5\n1\tnDCG(dcg='exp-log2')@5\t0.1\nall\tP(rel=2)@10\t0.5\n")
    assert found == [("", "1", "P@10", 0.5), ("", "1", "nDCG@5", 0.1), ("", "all", "P@10", 0.5)]
    assert rows("AP\t0.5\nRBP(rel=1,p=0.9)\t0.25\n") == [("", "all", "AP", 0.5), ("", "all", "RBP(p=0.9)", 0.25)]


def test_json_lines_are_read():
    text = '{"run": "a", "topic": 301, "measure": "AP", "value": 0.25}\n{"qid": "7", "metric": "?", "score": 1}\n'
    assert rows(text) == [("a", "301", "AP", 0.25), ("", "7", "", 1.0)]
    assert set(read(text)["digits"]) == {4}
    assert set(read("AP 0.123456\n")["digits"]) == {6}


@pytest.mark.parametrize(
    ("text", "line"),
    [("map 1 0.5\nmap 2\n", 2), ("a b c d\n", 1), ("map 1 nan\n", 1), ('{"measure": "AP"}\n', 1),
     ('{"measure": "AP", "value": 1}\n{"measure\n', 2), ('{"measure": "AP", "value": Infinity}', 1), ("7", 1),
     ("map 1 1e999999999\n", 1), ("map 1 0." + "1" * 10**6, 1), ('{"measure": "AP", "value": 1e999}', 1),
     ("[" * 10**5, 1), ('{"a":' * 10**5, 1), ("map 1 1_0\n", 1)],
)  # fmt: skip
def test_what_cannot_be_read_is_said_with_its_line(text, line):
    with pytest.raises(InputError, match=rf"^eval\.txt, line {line}: .*three columns are needed"):
        read(text)
    with pytest.raises(InputError, match="contains no score"):
        read("\n")


def test_no_file_asks_for_more_measures_than_there_can_be():
    with pytest.raises(InputError, match=r"^eval\.txt contains 1,001 metrics, but at most 1,000 are allowed; "):
        read("".join(f"P@{k} 1 0.5\n" for k in range(1, 1002)))


def test_names_in_json_may_hold_halves_of_characters():
    assert rows('{"measure": "AP", "value": 1, "topic": "\\ud800"}') == [("", "\\ud800", "AP", 1.0)]


@given(st.text() | st.lists(st.sampled_from([*'{}[]",: \n', "runid", "map", "AP", "all", "1", ".5", "1e9", "null"])))
def test_whatever_another_program_printed_is_read_or_refused(text):
    text = text if isinstance(text, str) else " ".join(text)
    with suppress(InputError):
        assert np.isfinite(read(text.encode("utf-8", "replace").decode())["value"]).all()


# ---------------------------------------------------------------------------------------------------------------------
# Python, the command line, the script


def test_the_script_and_the_command_line_make_the_same_table(study, folder, tmp_path):
    (folder / "eval.txt").write_text(printed(level=2), "utf-8")
    answer = evalcore.ask(study, "score_differences", theirs=folder / "eval.txt")
    assert answer.params == {"theirs": None}
    assert [source.name for source in answer.sources if source.role == "theirs"] == ["eval.txt"]
    script = tmp_path / "again.py"
    script.write_text(answer.script())
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    made = subprocess.run([sys.executable, script, folder], capture_output=True, text=True, env=env, check=True)
    files = ("--runs", folder / "runs", "--qrels", folder / "qrels.txt", "--cache", "none", "--format", "csv")
    command = [sys.executable, "-m", "evalcore", "score_differences", *files, "--theirs", folder / "eval.txt"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert made.stdout == done.stdout == answer.table.to_csv(index=False)
    assert pd.read_csv(io.StringIO(done.stdout))["explained_by"].str.contains("-l 2").any()


def test_without_scores_it_says_how_to_name_them(study):
    with pytest.raises(ValueError, match="Name their file"):
        evalcore.ask(study, "score_differences")
    assert with_scores(study, Upload("e", b"map all 0.5\n")).digest != study.digest
