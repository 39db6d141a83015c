"""Judgments by several judges: loading them, their names and scales, and the study that one of them judges."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import evalcore
from evalcore.__main__ import main
from evalcore.study.judge_names import judge_name, judge_of
from tests.small import small_study

RUNS = {
    "a": {"t": {"d": 3.0, "e": 2.0, "f": 1.0}, "u": {"d": 1.0, "g": 0.5}},
    "b": {"t": {"f": 2.0, "e": 1.0}, "u": {"g": 1.0, "d": 0.5}},
}
QRELS = {"t": {"d": 1, "e": 0, "f": 0}, "u": {"d": 2, "g": 0}}
LENIENT = {"t": {"d": 1, "e": 1, "f": 1, "new": 2, "old": 0}, "u": {"d": 1, "g": 1}}
STRICT = {"t": {"d": 0, "f": 1}}


def lines_of(qrels):
    return "".join(f"{topic} 0 {document} {grade}\n" for topic, of in qrels.items() for document, grade in of.items())


@pytest.fixture
def files(tmp_path):
    """A folder with the track and two judges."""
    (tmp_path / "runs").mkdir()
    for name, run in RUNS.items():
        rows = [(topic, d, score) for topic, of in run.items() for d, score in of.items()]
        text = "".join(f"{topic} Q0 {d} 0 {score} {name}\n" for topic, d, score in rows)
        (tmp_path / "runs" / name).write_text(text)
    for name, qrels in (("qrels.txt", QRELS), ("gpt-4o.qrels.txt", LENIENT), ("llama.txt", STRICT)):
        (tmp_path / name).write_text(lines_of(qrels))
    return tmp_path


@pytest.fixture
def study(files):
    return evalcore.open_study(files / "runs", files / "qrels.txt", cache=False)


def graded(judgments, study):
    """topic -> document -> grade, of a study's judgments."""
    found = {}
    for item in judgments.pooled_items:
        topic, document = study.track.topics[study.track.topic_of_item[item]], study.track.documents([item])[0]
        found.setdefault(topic, {})[document] = int(judgments.grade[item])
    return found


def test_every_judge_keeps_its_grades_and_the_order(study, files):
    both = study.with_judges({"gpt-4o": files / "gpt-4o.qrels.txt", "llama": files / "llama.txt"})
    assert list(both.judges) == ["gpt-4o", "llama"]
    for name, qrels in (("gpt-4o", LENIENT), ("llama", STRICT)):
        assert graded(both.judges[name], both) == qrels
        assert graded(both.judged_by(name).judgments, both) == qrels
    assert graded(both.judgments, both) == QRELS
    assert both.options["judges"] == {"gpt-4o": "model", "llama": "model"}
    assert both.judged_by("reference") is both


def test_a_judge_scores_as_a_study_opened_with_its_file(study, files):
    both = study.with_judges({"x": files / "llama.txt", "y": files / "gpt-4o.qrels.txt"})
    for name, file in (("x", "llama.txt"), ("y", "gpt-4o.qrels.txt")):
        alone = evalcore.open_study(files / "runs", files / file, cache=False)
        for metric in ("nDCG@10", "RBP(p=0.8)", "AP"):
            boards = (evalcore.ask(one, "leaderboard", metric=metric).table for one in (both.judged_by(name), alone))
            mine, theirs = (board.sort_values("system", ignore_index=True) for board in boards)
            columns = ["system", "value", "n"]
            pd.testing.assert_frame_equal(mine[columns], theirs[columns])


def test_judgments_in_memory_are_judges_too(study):
    frame = pd.DataFrame([("t", "d", 1), ("u", "g", 1)], columns=["topic", "document", "grade"])
    both = study.with_judges({"frame": frame, "dict": LENIENT}, kinds={"dict": "people"})
    assert graded(both.judges["dict"], both) == LENIENT
    assert graded(both.judges["frame"], both) == {"t": {"d": 1}, "u": {"g": 1}}
    assert both.options["judges"] == {"frame": "model", "dict": "people"}


def test_second_judgments_are_the_first_judge(study, files):
    other = study.with_other(files / "llama.txt")
    assert list(other.judges) == ["llama"]
    more = other.with_judges({"gpt-4o": files / "gpt-4o.qrels.txt"})
    assert list(more.judges) == ["llama", "gpt-4o"]
    assert graded(more.judged_by_other.judgments, more) == STRICT
    judges = study.with_judges({"gpt-4o": files / "gpt-4o.qrels.txt"})
    assert graded(judges.judged_by_other.judgments, judges) == LENIENT
    assert evalcore.ask(judges, "agreement").table["both"].iloc[-1] == 5
    later = judges.with_other(files / "llama.txt")
    assert graded(later.judged_by_other.judgments, later) == STRICT
    assert list(later.judges) == ["llama", "gpt-4o"]


def test_judges_change_the_digest_and_nothing_else(study, files):
    one = study.with_judges({"gpt-4o": files / "gpt-4o.qrels.txt"})
    named = study.with_judges({"gpt": files / "gpt-4o.qrels.txt"})
    people = study.with_judges({"gpt-4o": files / "gpt-4o.qrels.txt"}, kinds={"gpt-4o": "people"})
    assert len({one.digest, named.digest, people.digest, study.digest, one.judged_by("gpt-4o").digest}) == 5
    for question in ("leaderboard", "pool_audit", "findings"):
        before, after = (evalcore.ask(of, question).table for of in (study, one))
        pd.testing.assert_frame_equal(before, after)


def test_a_narrower_study_keeps_its_judges(study, files):
    one = study.with_judges({"gpt-4o": files / "gpt-4o.qrels.txt"}).only(topics=["u"])
    assert graded(one.judged_by("gpt-4o").judgments, one) == {"u": LENIENT["u"]}


def test_a_judge_on_a_lower_scale_calls_its_highest_grade_relevant(files):
    study = evalcore.open_study(files / "runs", files / "qrels.txt", rel_level=2, cache=False)
    both = study.with_judges({"llama": files / "llama.txt", "gpt-4o": files / "gpt-4o.qrels.txt"})
    assert both.judges["llama"].relevant.sum() == 1
    assert both.judges["gpt-4o"].relevant.sum() == 1  # has a grade 2
    (said,) = [(one.count, one.message) for one in both.findings if one.check == "grades of a judge"]
    assert said == (1, "All grades of llama are below 2, so its highest, 1, counts as relevant.")


def test_second_judgments_on_a_lower_scale_are_compared_as_relevant_or_not(files):
    study = evalcore.open_study(files / "runs", files / "qrels.txt", rel_level=2, cache=False)
    both = study.with_judges({"gpt-4o": files / "gpt-4o.qrels.txt", "llama": files / "llama.txt"})
    row = evalcore.ask(both.compared_with("llama"), "agreement").table.iloc[-1]
    assert (row["both"], row["relevant"], row["relevant_other"]) == (2, 0, 1)
    row = evalcore.ask(both, "agreement").table.iloc[-1]  # the first judge has the study's scale
    assert (row["both"], row["relevant"], row["relevant_other"]) == (5, 1, 0)


def test_fractions_of_a_judge_are_gains(study):
    judged = study.with_judges({"half": {"t": {"d": 0.5, "e": 0.25, "f": 0.0}}}).judges["half"]
    assert sorted(judged.scale.gain[judged.level[judged.pooled_items]]) == [0, 0.25, 0.5]


def test_what_is_refused_says_what_to_do(study, files):
    file = files / "llama.txt"
    with pytest.raises(ValueError, match="at most 12"):
        study.with_judges({f"j{n}": file for n in range(13)})
    with pytest.raises(ValueError, match="cannot be called 'reference'"):
        study.with_judges({"reference": file})
    one = study.with_judges({"x": file})
    with pytest.raises(ValueError, match="cannot be called 'x'"):
        one.with_judges({"x": file})
    with pytest.raises(ValueError, match="kind='robot' is not known"):
        study.with_judges({"x": file}, kinds={"x": "robot"})
    with pytest.raises(ValueError, match="kinds names 'y'"):
        study.with_judges({"x": file}, kinds={"y": "people"})
    with pytest.raises(ValueError, match=r"no judge 'z'\. Known: x"):
        one.judged_by("z")
    with pytest.raises(ValueError, match="there are no judges"):
        study.judged_by("z")
    with pytest.raises(evalcore.InputError):
        study.with_judges({"x": files / "missing.txt"})
    with pytest.raises(ValueError, match="already uses other judgments"):
        one.judged_by("x").with_judges({"y": file})


@pytest.mark.parametrize(
    ("file", "name"),
    [("umbrela.gpt-4o.txt", "umbrela.gpt-4o"), ("a/b/qrels.second.txt.gz", "second"), ("llama3.2", "llama3.2"),
     ("x.qrels.txt", "x"), (".txt", ".txt")],
)  # fmt: skip
def test_a_judge_has_the_name_of_its_file(file, name):
    assert judge_name(file) == name


def test_the_script_opens_the_judges_again(study, files):
    both = study.with_judges({"gpt-4o": files / "gpt-4o.qrels.txt", "b": files / "llama.txt"}, kinds={"b": "people"})
    answer = evalcore.ask(both.judged_by("b"), "leaderboard")
    (files / "script.py").write_text(answer.script())
    how = {"capture_output": True, "text": True, "check": True, "env": {"PYTHONPATH": ":".join(sys.path)}}
    done = subprocess.run([sys.executable, files / "script.py", files], **how)
    assert done.stdout == answer.table.to_csv(index=False, lineterminator="\n")
    assert answer.finding.caveats[-1] == "Uses the judgments by b."
    assert "judgments by b" in answer.finding.setting


def test_the_command_line_takes_several_judges(files, capsys):
    names = ["--runs", str(files / "runs"), "--qrels", str(files / "qrels.txt"), "--cache", "none"]
    names += ["--judge", f"x={files / 'llama.txt'}", "--judge", str(files / "gpt-4o.qrels.txt"), "--format", "csv"]
    assert main(["agreement", *names]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("all,2,")  # the first judge's two documents
    assert main(["judge_confusion", *names, "--judge-named", "gpt-4o"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "0,0,0", "0,1,3", "0,2,0", "1,0,0", "1,1,1", "1,2,0", "2,0,0", "2,1,1", "2,2,0",
    ]  # fmt: skip
    assert main(["agreement", *names, "--judge", f"x={files / 'llama.txt'}"]) == 2
    assert "a judge cannot be called 'x'" in capsys.readouterr().err


WORDED = {
    "lines": b"t 0 d relevant\nt 0 e not_relevant\nt 0 f highly-relevant\nu 0 d irrelevant\n",
    "commas": b"topic,document,grade\nt,d,Relevant\nt,e,not relevant\nt,f,highly relevant\nu,d,irrelevant\n",
    "tabs": b"qid\tdocid\tlabel\nt\td\trelated\nt\te\tnon-relevant\nt\tf\tHighly Relevant\nu\td\tno\n",
    "json": b'{"t": {"d": "partially relevant", "e": "false", "f": "highly relevant"}, "u": {"d": "Irrelevant"}}',
    "header": b"topic iter doc relevant\nt 0 d relevant\nt 0 e no\nt 0 f highly_relevant\nu 0 d no\n",
}


@pytest.mark.parametrize("form", WORDED)
def test_grades_of_a_judge_may_be_words(study, form):
    name = {"commas": "j.csv", "json": "j.json", "tabs": "j.tsv"}.get(form, "j.txt")
    both = study.with_judges({"j": evalcore.Upload(name, WORDED[form])})
    assert graded(both.judges["j"], both) == {"t": {"d": 1, "e": 0, "f": 2}, "u": {"d": 0}}


def test_a_word_that_is_no_grade_is_refused_by_its_line(study):
    with pytest.raises(evalcore.InputError, match=r'line 2: the grade is "maybe", but must be a number'):
        study.with_judges({"j": evalcore.Upload("j.txt", b"t 0 d relevant\nt 0 e maybe\n")})


# ---- judges on another scale

GRADED = {"t": {"d": 3, "e": 0, "f": 1}, "u": {"d": 2, "g": 0}, "v": {"d": 0, "g": 3}}
ON_SCALES = {  # a perfect judge on each scale -> its lowest relevant grade
    "1 to 4": (lambda grade: grade + 1, 2),
    "0 to 100": (lambda grade: (0, 30, 70, 100)[grade], 30),
    "0 to 1": (lambda grade: (0.0, 0.25, 0.75, 1.0)[grade], 0.25),
}
GRADED_RUNS = {system: of | {"v": {"g": 1.0, "d": 0.5} if system == "a" else {"d": 1.0}} for system, of in RUNS.items()}


def rescaled(scale):
    return {topic: {d: ON_SCALES[scale][0](grade) for d, grade in of.items()} for topic, of in GRADED.items()}


@pytest.mark.parametrize("scale", ON_SCALES)
def test_a_judge_on_another_scale_waits_for_its_lowest_relevant_grade(scale):
    study = small_study(GRADED_RUNS, GRADED).with_judges({"x": rescaled(scale)})
    (waits,) = [one for one in study.findings if one.check == "scale of a judge"]
    assert waits.severity == "warning"
    assert f"x grades documents from {scale}, people from 0 to 3. Choose the lowest relevant grade" in waits.message
    answer = evalcore.ask(study, "judges")
    row = answer.table.iloc[0]
    assert (row["both"], row["n"]) == (7, 3)
    assert row[["share_relevant_other", "kappa_weighted", "tau", "tau_by_chance"]].isna().all()
    assert answer.finding.headline == (
        f"Choose the lowest relevant grade of x: it grades from {scale}, people from 0 to 3."
    )
    for question in ("judge_pairs", "judge_systems", "judge_gains", "judge_confusion", "people_plus_model"):
        with pytest.raises(ValueError, match="Choose the lowest relevant grade of x: on Judges, with rel_levels="):
            evalcore.ask(study, question)
    assert study.other is None  # no second judgments before they can be read


def test_a_level_of_a_metric_is_refused_for_a_judge_on_another_scale():
    study = small_study(GRADED_RUNS, GRADED)
    other = study.with_judges({"x": rescaled("1 to 4")}, rel_levels={"x": 2})
    said = r"P\(rel=2\)@10 names a grade of the study's judgments, but x grades documents from 1 to 4\."
    for question in ("judges", "judge_systems", "judge_checks_curve"):
        evalcore.ask(other, question, metric="P@10")
        with pytest.raises(ValueError, match=said):
            evalcore.ask(other, question, metric="P(rel=2)@10")
    waiting = evalcore.ask(study.with_judges({"x": rescaled("1 to 4")}), "judges", metric="P(rel=2)@10")
    assert waiting.finding.headline.startswith("Choose the lowest relevant grade of x")
    alike = evalcore.ask(study.with_judges({"x": GRADED}), "judges", metric="RR(rel=2)@10")
    assert alike.table["tau"].tolist() == [1]


@pytest.mark.parametrize("scale", ON_SCALES)
@pytest.mark.parametrize("gains", ["binary", "linear", "exponential"])
def test_a_perfect_judge_on_another_scale_is_perfect_once_its_level_is_chosen(scale, gains):
    own = {"x": gains if gains == "binary" else {ON_SCALES[scale][0](g): gain for g, gain in enumerate(GAINS[gains])}}
    own = {} if scale == "1 to 4" else own  # whose rules count from the lowest grade on
    study = small_study(GRADED_RUNS, GRADED, gains=gains)
    study = study.with_judges({"x": rescaled(scale)}, rel_levels={"x": ON_SCALES[scale][1]}, gains=own)
    assert not [one for one in study.findings if one.check == "scale of a judge"]
    for metric in ("P@2", "AP", "RBP(p=0.8)", "SDCG@3", *(() if own.get("x") == "binary" else ("nDCG@3",))):
        table = evalcore.ask(study, "judge_systems", metric=metric).table
        assert table["change"].abs().max() < 1e-12, metric
    change = evalcore.ask(study, "judge_systems", metric="ERR").table["change"].abs().max()
    assert change < (1e-12 if scale == "1 to 4" else 0.07)  # 30 of 100 is not quite a third
    row = evalcore.ask(study, "judges").table.iloc[0]
    assert (row["kappa_weighted"], row["alpha"], row["tau"]) == (1, 1, 1)
    assert row["share_relevant"] == row["share_relevant_other"]
    assert np.isnan(row["shift"])  # grades on two scales
    said = evalcore.ask(study, "judge_confusion").finding
    assert said.headline == "Of the documents that both judge, x alone calls 0% relevant, people alone 0%."
    assert study.judged_by_other.judgments.relevant.sum() == 4  # the first judge that can be read


GAINS = {"linear": (0, 1 / 3, 2 / 3, 1), "exponential": (0, 1 / 8, 3 / 8, 7 / 8)}


def test_one_judge_waits_and_the_others_are_compared():
    judges = {"x": rescaled("1 to 4"), "y": GRADED, "z": rescaled("0 to 100")}
    study = small_study(GRADED_RUNS, GRADED).with_judges(judges, rel_levels={"z": 70})
    board = evalcore.ask(study, "judges").table
    assert list(board["judge"][:2]) == ["y", "z"]
    assert board["tau"].isna().tolist() == [False, False, True]
    pairs = evalcore.ask(study, "judge_pairs")
    assert set(pairs.table["a"]) == {"reference", "y", "z"}
    assert any("Left out: x, until its lowest relevant grade is chosen." in note for note in pairs.notes)
    assert graded(study.judged_by_other.judgments, study) == GRADED


@pytest.mark.parametrize(
    ("people", "judge", "waits"),
    [
        ((0, 1, 2, 3), (0, 1), False),  # 0/1 beside more grades
        ((0, 1), (0, 1), False),
        ((0, 1, 2, 3), (0, 1, 2), False),  # the highest was never given
        ((0, 1), (0, 1, 2, 3), True),  # the highest is above people's
        ((0, 1, 2, 3), (1, 2, 3), True),  # all at least 1
        ((1, 2, 3, 4), (1, 2, 3, 4), False),  # and so are people's
        ((0, 1), (1,), False),  # lists relevant documents only
        ((0, 1), (0, 0.5, 1), True),
        ((0, 0.5, 1), (0, 0.5, 1), False),
        ((-2, 0, 1), (0, 1), False),
        ((0, 1, 2), (-1, 1, 2), True),  # -1 is no judgment
    ],
)
def test_which_scales_are_others(people, judge, waits):
    qrels = [{"t": {f"d{n}": grade for n, grade in enumerate(grades)}} for grades in (people, judge)]
    study = evalcore.open_study({"a": {"t": {"d0": 2.0, "d1": 1.0}}}, qrels[0], cache=False).with_judges(
        {"x": qrels[1]}
    )
    assert [one.check for one in study.findings if "judge" in one.check] == ["scale of a judge"] * waits


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("x=a/judged.txt:2", ("x", "a/judged.txt", 2)),
        ("x=a/judged.txt:0.5", ("x", "a/judged.txt", 0.5)),
        ("judged.txt:3", ("judged", "judged.txt", 3)),
        ("judged.txt:.32", ("judged", "judged.txt", 0.32)),
        (r"x=C:\judged.txt", ("x", r"C:\judged.txt", None)),
        (r"C:\judged.txt:2", (r"C:\judged", r"C:\judged.txt", 2)),
        ("x=judged.txt", ("x", "judged.txt", None)),
        ("x=judged.txt:two", ("x", "judged.txt:two", None)),
    ],
)
def test_a_judge_on_the_command_line_may_have_a_level(word, read):
    assert judge_of(word) == read


def test_the_command_line_and_a_script_read_a_judge_at_its_level(files, capsys):
    (files / "one.txt").write_text(lines_of({t: {d: g + 1 for d, g in of.items()} for t, of in QRELS.items()}))
    names = ["--runs", str(files / "runs"), "--qrels", str(files / "qrels.txt"), "--cache", "none", "--format", "csv"]
    assert main(["judge_systems", *names, "--judge", f"x={files / 'one.txt'}"]) == 2
    assert "Choose the lowest relevant grade of x" in capsys.readouterr().err
    assert main(["judge_systems", *names, "--judge", f"x={files / 'one.txt'}:2"]) == 0
    rows = capsys.readouterr().out.splitlines()
    study = evalcore.open_study(files / "runs", files / "qrels.txt", cache=False)
    study = study.with_judges({"x": files / "one.txt"}, rel_levels={"x": 2}, gains={"x": {1: 0, 2: 0.5, "3": 1}})
    assert study.options["judge_levels"] == {"x": 2}
    answer = evalcore.ask(study, "judge_systems")
    assert len(rows) == 3
    (files / "script.py").write_text(answer.script())
    how = {"capture_output": True, "text": True, "check": True, "env": {"PYTHONPATH": ":".join(sys.path)}}
    done = subprocess.run([sys.executable, files / "script.py", files], **how)
    assert done.stdout == answer.table.to_csv(index=False, lineterminator="\n")


def test_levels_and_gains_of_judges_are_checked(study, files):
    file = files / "llama.txt"
    with pytest.raises(ValueError, match="rel_levels names 'y', which is not among the judges: x"):
        study.with_judges({"x": file}, rel_levels={"y": 1})
    with pytest.raises(ValueError, match="gains names 'y'"):
        study.with_judges({"x": file}, gains={"y": "binary"})
    with pytest.raises(ValueError, match="rel_level"):
        study.with_judges({"x": file}, rel_levels={"x": "high"})
    with pytest.raises(ValueError, match="gains has no entry for grade 1"):
        study.with_judges({"x": file}, gains={"x": {0: 0}})
    with pytest.raises(ValueError, match="write a number for each grade"):
        study.with_judges({"x": file}, gains={"x": {0: 0, 1: "much"}})
    one, other = (study.with_judges({"x": file}, rel_levels=levels) for levels in (None, {"x": 1}))
    assert one.digest != other.digest


def test_a_level_that_no_grade_reaches_or_on_peoples_own_scale_changes_no_worth():
    """A judge with one grade has no steps; one on 1 to 4 beside people on 1 to 4 counts grades as they do."""
    single = {topic: dict.fromkeys(of, 5) for topic, of in GRADED.items()}
    study = small_study(GRADED_RUNS, GRADED).with_judges({"x": single}, rel_levels={"x": 6})
    for metric in ("RBP(p=0.8)", "nDCG@3", "ERR"):
        assert not evalcore.ask(study, "judge_systems", metric=metric).table["value_other"].isna().any()
    shifted = rescaled("1 to 4")
    both = small_study(GRADED_RUNS, shifted, rel_level=2).with_judges({"x": shifted}, rel_levels={"x": 2})
    for metric in ("nDCG@3", "ERR", "RBP(p=0.8)"):
        assert evalcore.ask(both, "judge_systems", metric=metric).table["change"].abs().max() < 1e-12
