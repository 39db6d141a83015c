"""One question asked of many tracks: as if each were asked by itself, one open at a time."""

import gc
import json
import math
import os
import shutil
import weakref
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

import evalcore
from evalcore.__main__ import main
from evalcore.answers import checked
from evalcore.many_tracks import comparison, track_folder
from evalcore.many_tracks.over_tracks import columns_of
from evalcore.study import study_file

SAMPLES = Path(__file__).parents[2] / "sample_data"
ACROSS = {name: row for name, row in evalcore.QUESTIONS.items() if row.across}
FEW = {"models": {"resamples": 2}, "estimator_error": {"estimators": ["lower", "interpolated"], "depths": [5]}}


@pytest.fixture
def tracks(tmp_path):
    """A folder: a small track, one of another size, one without judgments for any document, one that is damaged."""
    folder = tmp_path / "tracks"
    for name, systems, topics in (("small", "ab", "12"), ("wide", "abcd", "123")):
        (folder / name / "runs").mkdir(parents=True)
        for number, system in enumerate(systems):
            lines = [
                f"{topic} Q0 d{(rank * (number + 1) + int(topic)) % 7} {rank} {9 - rank} {system}"
                for topic in topics
                for rank in range(1, 5 - number % 2)
            ]
            (folder / name / "runs" / system).write_text("\n".join(dict.fromkeys(lines)) + "\n")
        judged = [f"{topic} 0 d{number} {(number + int(topic)) % 2}" for topic in topics for number in range(6)]
        (folder / name / "qrels.txt").write_text("\n".join(judged) + "\n")
    (folder / "damaged" / "runs").mkdir(parents=True)
    (folder / "damaged" / "runs" / "a").write_text("1 Q0 d1 1 high a\n")
    (folder / "damaged" / "qrels.txt").write_text("1 0 d1 1\n")
    (folder / "alone" / "runs").mkdir(parents=True)
    shutil.copy(folder / "small" / "runs" / "a", folder / "alone" / "runs")
    shutil.copy(folder / "small" / "qrels.txt", folder / "alone")
    return folder


def by_itself(folder, question, **params):
    """The answer of one track that is opened with the plain functions."""
    beside = {role: folder / f"{role}.tsv" for role in ("systems", "queries") if (folder / f"{role}.tsv").exists()}
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", **beside, cache=False)
    judges = sorted((folder / "judges").glob("*"))
    names = [track_folder.judge_name(path) for path in judges]
    study = study.with_judges(dict(zip(names, judges, strict=True))) if judges else study
    second = folder / "qrels.second.txt.gz"
    study = study.with_other(second) if second.exists() else study
    return study, evalcore.ask(study, question, **params)


def assert_is(many, name, study, answer):
    rows = many.table[many.table["track"] == name].reset_index(drop=True)
    assert {*zip(rows["systems"], rows["topics"], strict=True)} == {(len(study.systems), len(study.judged_topics))}
    own = rows.drop(columns=["track", "systems", "topics"])
    pd.testing.assert_frame_equal(own, answer.table, check_dtype=False)
    notes = dict(reversed(note.split(": ", 1)) for note in many.notes)
    own = {note for note, tracks in notes.items() if name in tracks.split(", ")}
    assert own == {*answer.finding.caveats, *answer.notes}


@pytest.mark.parametrize("question", ACROSS)
def test_every_track_answers_as_it_does_by_itself(question):
    params = FEW.get(question, {})
    names = ["newswire", "web"]
    many = evalcore.over_tracks([SAMPLES / name for name in names], question, cache=False, **params)
    assert list(many.table) == columns_of(question)
    assert not many.refused
    for name in names:
        assert_is(many, name, *by_itself(SAMPLES / name, question, **params))
    assert sorted(many.compared().rows["track"]) == names
    assert many.finding


def test_who_cannot_answer_or_be_opened_is_named_with_the_reason(tracks):
    many = evalcore.over_tracks(tracks, "pairs", cache=False)
    assert set(many.table["track"]) == {"small", "wide"}
    assert many.refused.keys() == {"alone", "damaged"}
    assert "two systems" in many.refused["alone"]
    assert "'high'" in many.refused["damaged"] or "high" in many.refused["damaged"]
    for name in ("small", "wide"):
        assert_is(many, name, *by_itself(tracks / name, "pairs"))


def test_one_track_is_open_at_a_time(tracks, monkeypatch):
    alive, opens = [], track_folder.open_track

    def watched(path, **how):
        gc.collect()
        assert not [study for study in alive if study() is not None]
        study = opens(path, **how)
        alive.append(weakref.ref(study))
        return study

    monkeypatch.setattr(track_folder, "open_track", watched)
    many = evalcore.over_tracks(tracks, "leaderboard", cache=False)
    assert len(alive) == 3
    assert many.refused.keys() == {"damaged"}


def test_a_track_that_is_too_large_for_the_memory_answers_all_the_same(tracks, monkeypatch):
    whole = evalcore.over_tracks(tracks, "leaderboard", cache=False)
    monkeypatch.setenv("POOLSCOPE_MEMORY_BYTES", "4000")
    in_blocks = evalcore.over_tracks(tracks, "leaderboard", cache=tracks.parent / "cache")
    pd.testing.assert_frame_equal(in_blocks.table, whole.table)
    assert in_blocks.refused.keys() == whole.refused.keys()


def test_studies_and_files_may_be_given_in_a_list_or_by_name(tracks, tmp_path):
    study, answer = by_itself(tracks / "wide", "leaderboard")
    runs = sorted((tracks / "small" / "runs").iterdir())
    qrels = tracks / "small" / "qrels.txt"
    manifest = {"version": "", "name": "", "track": "files", "fused": [], "choices": {}, "address": {}, "page": "",
                "notes": {}, "options": {}}  # fmt: skip
    small = evalcore.open_study(runs, qrels, cache=False)
    (tmp_path / "saved.poolscope").write_bytes(study_file.written(manifest, small.sources, [*runs, qrels]))
    given = [tracks / "wide", study, str(tmp_path / "saved.poolscope"), tracks / "wide"]
    many = evalcore.over_tracks(given, "leaderboard", cache=False)
    assert list(dict.fromkeys(many.table["track"])) == ["wide", "saved"]
    same = "It has the same data as wide."  # which count once
    assert many.refused == {"track 2": same, "wide (4)": same}
    assert_is(many, "wide", study, answer)
    assert_is(many, "saved", *by_itself(tracks / "small", "leaderboard"))
    named = evalcore.over_tracks({"ours": study, "theirs": tracks / "small"}, "leaderboard", cache=False)
    assert set(named.table["track"]) == {"ours", "theirs"}


def test_a_folder_that_is_a_track_is_the_only_one(tracks):
    assert list(track_folder.tracks_in(tracks / "small")) == ["small"]
    assert list(track_folder.tracks_in(tracks)) == ["alone", "damaged", "small", "wide"]


def test_options_hold_for_every_track(tracks):
    many = evalcore.over_tracks(tracks, "leaderboard", cache=False, options={"rel_level": 2})
    assert many.table["value"].eq(0).all()


def test_a_column_of_the_name_of_a_tracks_size_is_kept(tracks):
    many = evalcore.over_tracks(tracks, "consistency_of_systems", cache=False)
    assert list(many.table) == ["track", "systems", "topics", "system", "rank", "consistency", "topics_of_answer"]


@pytest.mark.parametrize(
    ("question", "params", "why"),
    [
        ("nothing", {}, "no question 'nothing'"),
        ("pool", {"deep": 5}, "no parameter 'deep'"),
        ("pool", {"metric": "X@3"}, "X"),
        ("ranking", {}, "needs a value for system and topic"),
    ],
)
def test_what_no_track_could_answer_is_refused_before_any_is_opened(tracks, question, params, why, monkeypatch):
    monkeypatch.setattr(track_folder, "open_track", lambda *_, **__: pytest.fail("a track was opened"))
    with pytest.raises(ValueError, match=why):
        evalcore.over_tracks(tracks, question, **params)


def test_the_work_can_be_stopped_between_tracks(tracks):
    class StoppedError(Exception):
        pass

    seen = []

    def progress(done, total):
        seen.append((done, total))
        if done == 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        evalcore.over_tracks(tracks, "pool", cache=False, progress=progress)
    assert seen == [(0, 4), (1, 4), (2, 4)]


# ---------------------------------------------------------------------------------------------------------------------
# The comparison


@pytest.mark.parametrize("question", ACROSS)
def test_every_row_names_columns_and_parameters_that_there_are(question):
    row = ACROSS[question]
    across, columns = row.across, row.columns.split()
    assert set(across.keys) <= set(columns)
    assert callable(across.value) or across.value in columns
    checked(question, across.params("RBP(p=0.8)", **across.keys))
    names = dict.fromkeys(across.keys, "x") | {"other": "y", "at": "z"}
    assert len({says.format_map(names) for says in across.says}) == 2


def numbers(values, name="pool", column="pairs_decided", **more):
    """The table of tracks with these values."""
    rows = [(f"t{number:02}", 9, 9, 5, value) for number, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["track", "systems", "topics", "depth", column]).assign(**more)


def counted_by_hand(agree, n):
    """The probability of so many of n coins or more on one side."""
    ways = [math.comb(n, heads) for heads in range(n + 1) if max(heads, n - heads) >= agree]
    return float(Fraction(sum(ways), 2**n))


@pytest.mark.parametrize("n", range(1, 13))
def test_the_sign_test_counts_coins(n):
    for more in range(n + 1):
        assert comparison.sign_test(more, n - more) == pytest.approx(counted_by_hand(max(more, n - more), n))


@pytest.mark.parametrize("n", range(1, 40))
def test_chance_alone_says_yes_at_most_once_in_twenty(n):
    """Every track a coin: the probability of a verdict other than that nothing is clear, by all outcomes."""
    says_so = 0.0
    for more in range(n + 1):
        values = [0.9] * more + [0.1] * (n - more)
        headline = comparison.compared(numbers(values), ACROSS["pool"], {}).finding.headline
        if not headline.startswith(("Cannot tell", "Not clearly")):
            assert headline.startswith("Yes" if more in (0, n) else "Mostly")
            says_so += math.comb(n, more) / 2**n
    assert says_so <= 0.05
    assert n < comparison.FEWEST or says_so > 0  # which is as few tracks as can be clear


def test_the_finding_says_how_many_tracks_and_between_which_values():
    table = numbers([0.2, 0.7, 0.9, 0.8, 0.6, 0.75, 0.5, 0.95, 0.85])
    finding = comparison.compared(table, ACROSS["pool"], {"t99": "damaged"}).finding
    assert finding.headline == "Not clearly: on 7 of 9 tracks, the order of most pairs is certain at depth 5."
    assert finding.detail.startswith("From 20% on t00 to 95% on t07.")
    assert f"{counted_by_hand(7, 8):.2g}"[1:] in finding.detail
    assert finding.caveats == ("Left out: 1 track without this number.",)
    rows = comparison.compared(table, ACROSS["pool"], {}).rows
    assert list(rows["value"]) == sorted(table["pairs_decided"], reverse=True)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([0.9] * 6, "Yes: on all 6 tracks,"),
        ([0.9] * 6 + [0.5] * 2, "Mostly: on 6 of 8 tracks,"),
        ([0.9] * 5 + [0.5], "Cannot tell: on 5 of 6 tracks,"),
        ([0.9] * 2, "Cannot tell: on both tracks,"),
        ([0.9], "Cannot tell: on the one track,"),
    ],
)
def test_a_track_without_a_difference_counts_for_neither_side(values, says):
    finding = comparison.compared(numbers(values), ACROSS["pool"], {}).finding
    assert finding.headline == f"{says} the order of most pairs is certain at depth 5."
    assert finding.facts["p"] == pytest.approx(counted_by_hand(values.count(0.9), values.count(0.9)))


def test_two_values_of_a_key_are_compared_track_by_track():
    errors = {"lower": [0.3, 0.2, 0.4, 0.2, 0.3, 0.2], "linear": [0.1, 0.1, 0.1, 0.1, 0.1, 0.3]}
    table = pd.concat([numbers(values, column="rmse", estimator=name) for name, values in errors.items()])
    shown = comparison.compared(table, ACROSS["estimator_error"], {}, estimator="linear")
    assert list(shown.rows["other"]) == [dict(enumerate(errors["lower"]))[int(t[1:])] for t in shown.rows["track"]]
    assert "on 5 of 6 tracks, guessing “linear” beats “lower” at depth 5" in shown.finding.headline
    assert "“by their rank” beats “as not relevant”" in shown.finding.plain
    swapped = comparison.compared(table, ACROSS["estimator_error"], {}, against="linear", estimator="lower").finding
    assert "on 5 of 6 tracks, guessing “linear” beats “lower” at depth 5" in swapped.headline


def test_what_was_asked_for_is_compared(tracks):
    """Where the usual values of the keys are not among the answers."""
    for depth in (2, 3):
        many = evalcore.over_tracks(tracks, "pool", depths=[depth], cache=False)
        assert f"at depth {depth}." in many.finding.headline
        assert list(many.compared(depth=depth).rows["value"]) == list(many.compared().rows["value"])
    many = evalcore.over_tracks(tracks, "regimes", regimes=["nDCG@10", "P@5", "AP"], cache=False)
    assert "“nDCG@10” and “AP”" in many.finding.headline
    many = evalcore.over_tracks(tracks, "regimes", regimes=["AP", "P@5"], cache=False)
    assert "“AP” and “P@5”" in many.finding.headline


def test_only_values_are_compared_with_others():
    with pytest.raises(ValueError, match="and with nothing else"):
        comparison.compared(numbers([0.3]), ACROSS["pool"], {}, against="0.3")


def test_values_that_read_alike_are_said_once():
    finding = comparison.compared(numbers([0.8, 0.8001]), ACROSS["pool"], {}).finding
    assert finding.detail == "80% on each track."


def test_without_a_track_nothing_is_asked():
    with pytest.raises(ValueError, match="there is no track"):
        evalcore.over_tracks([], "pool")


def test_a_question_without_one_number_says_so():
    with pytest.raises(ValueError, match="one number of each track"):
        comparison.compared(numbers([1]), evalcore.QUESTIONS["scores"], {})
    with pytest.raises(ValueError, match="no key 'model'"):
        comparison.compared(numbers([1]), ACROSS["pool"], {}, model="MD1")


def test_equal_and_missing_values_count_for_neither():
    nothing = comparison.compared(numbers([0.5, 0.5]), ACROSS["pool"], {})
    assert nothing.finding.headline == "Cannot tell: on no track is there a difference."
    assert comparison.compared(numbers([math.nan]), ACROSS["pool"], {}).finding.headline == "No track has an answer."
    with pytest.raises(ValueError, match="no answer has depth 7"):
        comparison.compared(numbers([0.3]), ACROSS["pool"], {}, depth=7)


# ---------------------------------------------------------------------------------------------------------------------
# The command line


def test_the_command_prints_the_same_table_in_every_format(tracks, capsys):
    many = evalcore.over_tracks(tracks, "pool", metric="P@2", depths=[1, None], cache=False)
    asked = ["across", str(tracks), "pool", "--metric", "P@2", "--depths", "1", "all", "--cache", "none"]
    assert main([*asked, "--format", "csv"]) == 0
    printed = capsys.readouterr()
    assert printed.out == many.table.to_csv(index=False)
    assert "left out: damaged: " in printed.err
    assert main([*asked, "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["track"] for line in lines] == list(many.table["track"])
    assert [line["judgments"] for line in lines] == list(many.table["judgments"])
    assert main(asked) == 0
    assert capsys.readouterr().out.startswith(many.finding.lines[0])


def test_the_command_fails_where_no_track_answers(tracks, capsys):
    assert main(["across", str(tracks / "damaged"), "pool", "--cache", "none"]) == 2
    assert "left out: damaged" in capsys.readouterr().err
    for folder, why in ((tracks / "nowhere", "No such file"), (tracks / "small" / "runs", "contains no track")):
        assert main(["across", str(folder), "pool"]) == 2
        assert why in capsys.readouterr().err


@pytest.mark.real
@pytest.mark.skipif("POOLSCOPE_DATA" not in os.environ, reason="POOLSCOPE_DATA names no folder")
@pytest.mark.parametrize("question", ["pool", "leave_out", "regimes"])
def test_real_tracks_answer_as_they_do_by_themselves(question):
    folder = Path(os.environ["POOLSCOPE_DATA"])
    many = evalcore.over_tracks(folder, question)
    assert len(many.table["track"].unique()) + len(many.refused) == len(track_folder.tracks_in(folder))
    for name in many.table["track"].unique():
        assert_is(many, name, *by_itself(folder / name, question))


def test_a_bad_judge_does_not_refuse_a_question_that_needs_none(tracks):
    (tracks / "wide" / "judges").mkdir()
    (tracks / "wide" / "judges" / "odd.txt").write_text("no judgments at all\n")
    assert "wide" not in evalcore.over_tracks(tracks, "pool", cache=False).refused
    assert "odd.txt" in evalcore.over_tracks(tracks, "judges", cache=False).refused["wide"]


def test_the_example_of_the_document_prints_what_it_says():
    document = " ".join((SAMPLES.parent / "docs" / "tracks.md").read_text("utf-8").split())
    assert 'evalcore.over_tracks(["sample_data/newswire", "sample_data/web"], "pool", depths=[5])' in document
    many = evalcore.over_tracks([SAMPLES / "newswire", SAMPLES / "web"], "pool", depths=[5], cache=False)
    assert str(many.finding) in document
