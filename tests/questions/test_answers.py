"""Answers carry all that makes them again: the script runs, alone, and gives the same table."""

import argparse
import dataclasses
import io
import json
import signal
import subprocess
import sys
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pandas as pd
import pytest

import evalcore
from evalcore import __main__ as command_line
from tests.reading.test_column_files import workbook
from tests.small import small_study
from ui.data import uploaded_file

ROOT = Path(__file__).parents[2]
RUN = "1 Q0 a 1 2.5 {tag}\n1 Q0 b 2 1.5 {tag}\n2 Q0 a 1 0.5 {tag}\n"
QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 1\n2 0 a 2\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "one.run").write_text(RUN.format(tag="one"))
    (tmp_path / "runs" / "two.run").write_text(
        RUN.format(tag="two").replace("a", "b"[:1]).replace("1 Q0 b 2", "1 Q0 z 2")
    )
    (tmp_path / "qrels.txt").write_text(QRELS)
    return tmp_path


@pytest.fixture
def study(folder):
    return evalcore.open_study(folder / "runs", folder / "qrels.txt", cache=False, gains="linear", pooled=["one"])


def run_script(answer, folder):
    script = folder / "again.py"
    script.write_text(answer.script())
    return subprocess.run(
        [sys.executable, script, folder],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        check=False,
    )


def test_the_script_makes_the_table_again(study, folder):
    answer = evalcore.ask(study.only(systems=["one"]), "leaderboard", metric="rbp(p=0.95)", depth=2, estimator="rm")
    done = run_script(answer, folder)
    assert done.returncode == 0, done.stderr
    again = pd.read_csv(io.StringIO(done.stdout), keep_default_na=False)
    pd.testing.assert_frame_equal(again, answer.table, check_dtype=False)


def test_the_script_refuses_a_changed_file(study, folder):
    answer = evalcore.ask(study, "systems")
    (folder / "qrels.txt").write_text(QRELS + "2 0 b 1\n")
    done = run_script(answer, folder)
    assert done.returncode != 0
    assert "qrels.txt is not the file that the table was made from" in done.stderr


def test_the_script_says_which_file_is_not_there(study, folder):
    answer = evalcore.ask(study, "systems")
    (folder / "runs" / "one.run").unlink()
    assert "one.run is not below" in run_script(answer, folder).stderr


def test_the_script_finds_members_of_a_zip_and_odd_names(folder):
    with zipfile.ZipFile(folder / "tracks [1].zip", "w") as archive:
        for path in (folder / "runs").iterdir():
            archive.write(path, f"runs/{path.name}")
            path.write_text("another file of the same name")
    study = evalcore.open_study(folder / "tracks [1].zip", folder / "qrels.txt", cache=False)
    done = run_script(evalcore.ask(study, "topics"), folder)
    assert done.returncode == 0, done.stderr


def test_an_answer_says_everything_in_full(study):
    answer = evalcore.ask(study, "trend", metrics=("map",), estimators=["interpolated"])
    assert answer.params == {
        "metrics": ["AP"],
        "estimators": ["interpolated"],  # its rows are found by the name that was asked for
        "judgments": None,
        "systems": "all",
    }
    assert answer.question == "trend"
    assert answer.version == evalcore.__version__
    assert [source.role for source in answer.sources].count("run") == 2


def words(folder, arguments, runs="runs"):
    files = ("--runs", folder / runs, "--qrels", folder / "qrels.txt", "--cache", "none")
    return [str(word) for word in (*arguments, *files)]


def command(folder, *arguments, **more):
    """What the command returns and prints, in this process, which has imported everything."""
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(io.StringIO()) as said:
        try:
            code = command_line.main(words(folder, arguments, **more))
        except SystemExit as ended:
            code = ended.code
    return subprocess.CompletedProcess(arguments, code, printed.getvalue(), said.getvalue())


def test_the_command_line_answers_the_same(folder):
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", cache=False)
    answer = evalcore.ask(study, "leaderboard", metric="AP", depth=1)
    asked = words(folder, ["leaderboard", "--metric", "map", "--depth", "1", "--format", "csv"])
    program = [sys.executable, "-m", "evalcore", *asked]
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    unknown = {column: [""] for column in ("rank_best", "rank_worst", "upper_listed")}  # a guide bounds nothing
    printed = pd.read_csv(io.StringIO(done.stdout), keep_default_na=False, na_values=unknown)
    pd.testing.assert_frame_equal(printed, answer.table, check_dtype=False)
    assert "AP has no exact bounds" in done.stderr


def test_the_command_line_says_which_column_is_what(folder):
    rows = (line.split() for path in sorted((folder / "runs").iterdir()) for line in path.read_text().splitlines())
    lines = [f"{tag};{topic};{document};{score};{score}" for topic, _, document, _, score, tag in rows]
    (folder / "all.csv").write_text("\n".join(["who;need;what;a;b", *lines]))
    columns = ("system=who", "topic=2", "document=3", "all.csv:score=a")
    asked = ("topics", "--format", "csv")
    said = command(folder, *asked, "--columns", *columns, runs="all.csv")
    assert said.stdout == command(folder, *asked).stdout
    assert "it is not clear which column is the" in command(folder, *asked, runs="all.csv").stderr


def test_the_command_line_prints_lines_as_trec_eval_does(folder):
    done = command(folder, "scores", "--metric", "AP", "--systems", "one", "--trec")
    assert done.stdout.splitlines() == [
        "runid                 \tall\tone",
        "map                   \t1\t0.5000",
        "map                   \t2\t1.0000",
        "map                   \tall\t0.7500",
    ]


def test_the_command_line_takes_several_metrics(folder):
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", cache=False)
    names = ("map", "MRR@10", "P(rel=1)@1")
    asked = [word for name in names for word in ("--metric", name)]
    boards = [evalcore.ask(study, "leaderboard", metric=name) for name in names]
    done = command(folder, "leaderboard", *asked, "--format", "csv")
    printed = pd.read_csv(io.StringIO(done.stdout), keep_default_na=False, na_values={"rank_best": [""]})
    assert list(printed["metric"].unique()) == ["AP", "RR@10", "P(rel=1)@1"]
    for metric, rows in printed.groupby("metric", sort=False):
        (board,) = (one.table for one in boards if one.params["metric"] == metric)
        assert rows["value"].tolist() == board["value"].tolist()
        assert rows["system"].tolist() == board["system"].tolist()
    lines = command(folder, "leaderboard", *asked, "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line)["metric"] for line in lines] == printed["metric"].tolist()
    text = command(folder, "leaderboard", *asked).stdout
    assert (
        text
        == "\n\n".join(command(folder, "leaderboard", "--metric", name).stdout.rstrip("\n") for name in names) + "\n"
    )
    lines = command(folder, "scores", *asked, "--systems", "one", "--trec").stdout.splitlines()
    assert [line.split("\t")[0].strip() for line in lines if "\tall\t" in line and "runid" not in line] == [
        "map", "RR@10", "P(rel=1)@1",
    ]  # fmt: skip
    wrong = command(folder, "leaderboard", "--metric", "AP", "--metric", "RPB")
    assert (wrong.returncode, wrong.stdout) == (2, "")


@pytest.mark.parametrize(
    ("severity", "codes"), [(None, (0, 0, 0)), ("note", (0, 0, 0)), ("warning", (0, 1, 0)), ("error", (0, 1, 1))]
)
def test_findings_may_fail(folder, monkeypatch, severity, codes):
    """The exit code with --fail-on nothing, warning and error, where the gravest finding is of this severity."""
    row = evalcore.QUESTIONS["findings"]
    rows = [
        (one, "odd", "", "", 1, "Something is odd.", 0.0) for one in ["note"] * bool(severity) + [severity] * 2 if one
    ]

    def found(study):
        """Findings."""
        return pd.DataFrame(rows, columns=row.columns.split())

    monkeypatch.setitem(evalcore.QUESTIONS, "findings", dataclasses.replace(row, function=found))
    for flags, code in zip(([], ["--fail-on", "warning"], ["--fail-on", "error"]), codes, strict=True):
        done = command(folder, "findings", "--format", "csv", *flags)
        assert done.returncode == code, done.stderr
        assert len(done.stdout.splitlines()) == 1 + len(rows)


def test_a_real_warning_fails(folder):
    (folder / "qrels.txt").write_text(QRELS + "2 0 never-retrieved 1\n" * 2)
    assert command(folder, "findings", "--duplicates", "first").returncode == 0
    done = command(folder, "findings", "--duplicates", "first", "--fail-on", "warning")
    assert done.returncode == 1
    assert "warning" in done.stdout
    assert command(folder, "leaderboard", "--fail-on", "error").returncode == 2


def test_the_command_line_ends_quietly_where_it_is_stopped(monkeypatch, capsys):
    def stopped(said):
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "_study", stopped)
    assert command_line.main(["leaderboard", "--runs", "runs", "--qrels", "qrels.txt"]) == 130
    assert capsys.readouterr() == ("", "")


def test_the_command_line_ends_quietly_while_it_is_loaded():
    told = [sys.executable, "-X", "importtime", "-m", "evalcore", "--help"]
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}  # what runs in the background is deaf
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(told, cwd=ROOT, **streams, **heard) as program:
        next(line for line in program.stderr if "numpy" in line)
        program.send_signal(signal.SIGINT)
        said = [line for line in program.stderr if not line.startswith("import time:")]
    assert program.returncode
    assert said == []


OFTEN = {"word": "x" * 10_000, "words": "x y " * 2_500, "named": "topic=" + "x" * 10_000}


@pytest.mark.parametrize("flag", ["metric", "depth", "systems", "gains", "names", "format", "block", "other"])
@pytest.mark.parametrize("value", OFTEN.values(), ids=OFTEN)
def test_the_command_line_cuts_what_it_repeats(folder, flag, value):
    done = command(folder, "leaderboard", f"--{flag}", value)
    assert done.returncode == 2
    assert 20 < len(done.stderr.splitlines()[-1]) < 2_100


def test_the_command_line_prints_json_lines(folder):
    done = command(folder, "topics", "--format", "jsonl")
    assert pd.read_json(io.StringIO(done.stdout), lines=True).topic.tolist() == [1, 2]


def test_the_command_line_reads_fractions_and_one_of_two_grades(tmp_path):
    (tmp_path / "a.run").write_bytes(b"1 d1 1 3.5 t\n1 d2 2 2.5 t\n")
    (tmp_path / "qrels.txt").write_bytes(b"1 0 d1 0.25\n1 0 d2 0.5\n1 0 d1 1\n")

    def value(*options):
        done = command(tmp_path, "leaderboard", "--format", "csv", *options, runs="a.run")
        assert done.returncode == 0, done.stderr
        return pd.read_csv(io.StringIO(done.stdout)).value[0]

    by_level = ("--rel-level", "0.5", "--metric", "AP", "--duplicates")
    assert [value(*by_level, grade) for grade in ("first", "last", "highest")] == [0.5, 1, 1]
    assert value("--gains", "0.25:0,0.5:1", "--duplicates", "first", "--metric", "RBP(p=0.5)") == 0.25
    refused = command(tmp_path, "leaderboard", "--rel-level", "high", runs="a.run")
    assert refused.returncode == 2
    assert "invalid grade value: 'high'" in refused.stderr


def test_the_command_line_says_what_is_wrong(folder):
    done = command(folder, "leaderboard", "--metric", "RPB")
    assert done.returncode == 2
    assert done.stderr.startswith("no metric 'RPB'. Known: P, RBP")
    (folder / "runs" / "bad.run").write_text("1 Q0 a\n1 Q0\n")
    done = command(folder, "leaderboard")
    assert done.returncode == 2
    assert "bad.run" in done.stderr


@pytest.mark.parametrize(
    ("question", "arguments", "params"),
    [
        ("agreement", [], {}),
        ("agreement", ["--agreement-rel-level", "1"], {"rel_level": 1}),
        ("adjust_from_topics", ["--system", "one", "--common", "1", "2"], {"system": "one", "common": ["1", "2"]}),
        ("adjust_from_topics", ["--system", "one", "--common", "2"], {"system": "one", "common": 2}),
        ("judging_orders", ["--budget", "2"], {"budget": 2}),
        ("judge_next", ["--budget", "all"], {"budget": None}),
        ("suspects", ["--top", "all", "--k", "1"], {"top": None, "k": 1}),
        ("pool_audit", ["--order", "rank"], {"order": "rank"}),
        ("fuse", ["--systems", "one", "two", "--method", "borda"], {"systems": ["one", "two"], "method": "borda"}),
    ],
)
def test_the_command_line_asks_as_python_does(folder, question, arguments, params):
    other = folder / "other.txt"
    other.write_text((folder / "qrels.txt").read_text())
    options = {"order": "rank"} if question == "pool_audit" else {}
    options |= {"pool_depth": 2} if question == "adjust_from_topics" else {}
    options |= {"other": other, "pooled": "all"}
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", cache=False, **options)
    answer = evalcore.ask(study, question, **params)
    said = [*arguments, "--other", str(other), "--pooled", "all", "--format", "csv"]
    said += ["--pool-depth", "2"] if question == "adjust_from_topics" else []
    done = command(folder, question, *said)
    assert done.returncode == 0, done.stderr
    assert done.stdout == answer.table.to_csv(index=False)


def test_no_parameter_of_a_question_is_said_as_an_option_of_the_study():
    parser = argparse.ArgumentParser()
    command_line._add_files(parser)
    options = {action.dest for action in parser._actions}
    for name, question in evalcore.QUESTIONS.items():
        said = {command_line._flag(name, one) for one in question.parameters.keys() - command_line.OF_THE_STUDY}
        assert not options & said, name


def test_help_lists_questions_metrics_and_estimators():
    said = command(ROOT, "--help")
    assert said.returncode == 0
    for name in (*evalcore.QUESTIONS, *evalcore.METRICS, *evalcore.ESTIMATORS):
        assert name in said.stdout


def test_lists_of_numbers_and_names_with_blanks_reach_the_question(folder):
    done = command(folder, "bias_by_width", "--widths", "1", "--repeats", "2", "--pooled", "all", "--format", "csv")
    assert "the pool depth is unknown" in done.stderr
    told = ["--pooled", "all", "--pool-depth", "2"]
    done = command(folder, "bias_by_width", "--widths", "1", "--repeats", "2", "--seed", "1", "--format", "csv", *told)
    assert done.stdout.startswith("width,repeats,mean"), done.stderr
    done = command(folder, "shard_stability", "--shards", "2", "3", "--resamples", "2", "--format", "csv")
    assert "shards='2'" not in done.stderr
    done = command(folder, "regimes", "--regimes", "depth=1 | P@1", "AP", "--format", "csv")
    assert "depth=1 | P@1,AP," in done.stdout or "two judged topics" in done.stderr


def test_the_command_line_fuses(folder):
    done = command(folder, "fuse", "--weights", "1", "3", "--method", "borda", "--k", "all", "--format", "csv")
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", cache=False)
    expected = evalcore.ask(study, "fuse", weights=[1, 3], method="borda", k=None).table
    again = pd.read_csv(io.StringIO(done.stdout), keep_default_na=False, dtype={"topic": str})
    pd.testing.assert_frame_equal(again, expected, check_dtype=False)
    (folder / "runs" / "one.run").rename(folder / "runs" / "S.v1.run")
    (folder / "runs" / "two.run").rename(folder / "runs" / "S.v2.run")
    varied = ("--variations", "run", "--format", "csv")
    done = command(folder, "rbo", "--rbo-variations", *varied)
    assert "S,1.v1,1.v2,1" in done.stdout, done.stderr
    done = command(folder, "fusion_by_count", "--counts", "1", "2", "--weights", "votes", *varied)
    assert "the queries table has no column 'votes'" in done.stderr


def test_a_lack_of_memory_is_said_in_a_sentence(monkeypatch, capsys):
    def lacks(*args, **more):
        """A question too large."""
        raise MemoryError

    tiny = small_study({"a": {"1": {"x": 1.0}}}, {"1": {"x": 1}})
    row = evalcore.QUESTIONS["leaderboard"]
    monkeypatch.setitem(evalcore.QUESTIONS, "leaderboard", dataclasses.replace(row, function=lacks))
    with pytest.raises(ValueError, match=r"^leaderboard needs more memory than is available\. Select fewer systems"):
        evalcore.ask(tiny, "leaderboard")
    monkeypatch.setattr("evalcore.reading.own_process.printed", lacks)
    (file,) = uploaded_file.taken("a.xlsx", workbook(A=[["topic", "document", "score"], [1, "d", 2]]), "any")
    assert file.role == uploaded_file.UNKNOWN
    assert "need more memory than is left here" in file.problem.message
    monkeypatch.setattr("evalcore.__main__._study", lacks)
    assert command_line.main(["scores", "--runs", "a", "--qrels", "b"]) == 2
    assert capsys.readouterr().err == "This needs more memory than is available. Select fewer systems or topics.\n"
