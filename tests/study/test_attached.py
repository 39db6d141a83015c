"""The table of attached files: each role attaches as its method of `Study` does, from whichever side the file comes."""

import argparse

import pytest

import evalcore
from evalcore.large.open_blocked import open_blocks
from evalcore.reading.files import Upload
from evalcore.study import attached, opening
from evalcore.study.attached import ROLES, AttachedFile
from tests.study.test_study_file import saved

RUNS = [  # with query variations
    Upload(f"{name}.run", "".join(f"{query} Q0 {d} 0 {score} {name}\n" for query, d, score in rows).encode())
    for name, rows in (
        ("a", [("1-1", "d1", 3), ("1-1", "d2", 2), ("1-2", "d2", 2), ("2-1", "d1", 1), ("2-2", "d3", 1)]),
        ("b", [("1-1", "d2", 3), ("1-2", "d1", 2), ("1-2", "d2", 1), ("2-1", "d3", 1), ("2-2", "d3", 1)]),
    )
]
QRELS = Upload("qrels.txt", b"1 0 d1 2\n1 0 d2 0\n2 0 d3 1\n")
FILES = {  # role -> files of it
    "other": [Upload("second.txt", b"1 0 d1 1\n2 0 d3 2\n")],
    "truth": [Upload("all.txt", QRELS.data + b"1 0 d9 1\n")],
    "judge": [Upload("gpt.txt", b"1 0 d1 0\n1 0 d2 1\n"), Upload("llama.txt", b"2 0 d3 1\n")],
    "theirs": [Upload("eval.txt", b"runid all a\nmap 1 0.5000\nmap 2 0.0000\nmap all 0.2500\n")],
    "attributes": [Upload("attributes.tsv", b"topic\tlength\n1\t3\n2\t5\n")],
    "assessors": [Upload("assessors.tsv", b"topic\tassessor\n1\tx\n2\ty\n")],
    "subtopics": [Upload("sub.txt", b"1 1 d1 1\n1 2 d2 1\n2 1 d3 1\n")],
}
OPTIONS = {
    "other_rel_level": 2, "add_to_truth": False, "judges": {"gpt": "model", "llama": "people"},
    "judge_levels": {"llama": 1},
}  # fmt: skip


@pytest.fixture(scope="module")
def study():
    return evalcore.open_study(RUNS, QRELS, variations="-", cache=False)


def by_methods(study):
    """The study with all files, by the methods of `Study` and the question's file."""
    gpt, llama = FILES["judge"]
    study = study.with_other(FILES["other"][0], rel_level=2).with_truth(FILES["truth"][0])
    study = study.with_judges({"gpt": gpt, "llama": llama}, kinds={"llama": "people"}, rel_levels={"llama": 1})
    study = study.with_attributes(FILES["attributes"][0]).with_assessors(FILES["assessors"][0])
    return study.with_subtopics(FILES["subtopics"][0])


def tables(study):
    """Answers that depend on each of the files, as text."""
    asked = {"confusion": {}, "judges": {"metric": "AP"}, "wrong_pairs": {"depths": [1]}, "diversity": {}}
    asked |= {"consistency_correlations": {}, "assessors": {}}
    return {question: evalcore.ask(study, question, **params).table.to_csv() for question, params in asked.items()}


def test_every_attached_file_has_a_file_here():
    assert FILES.keys() == {role for role, row in ROLES.items() if row.attach}


def test_the_table_attaches_as_the_methods_of_the_study_do(study):
    by_table = attached.attach_all(study, FILES, OPTIONS)
    expected = by_methods(study)
    assert tables(by_table) == tables(expected)
    assert by_table.options == expected.options
    assert [source for source in by_table.sources if source.role != "theirs"] == [
        source for role in ("run", "qrels", *ROLES) for source in expected.sources if source.role == role
    ]
    assert by_table.theirs["value"].tolist() == [0.5, 0, 0.25]


def test_a_study_file_keeps_every_attached_file(study):
    whole = attached.attach_all(study, FILES, OPTIONS)
    packed = saved(whole, [*RUNS, QRELS, *(file for files in FILES.values() for file in files)])
    again = evalcore.open_study(Upload("s.poolscope", packed), cache=False)
    assert tables(again) == tables(whole)
    assert (again.options, again.sources) == (whole.options, whole.sources)
    assert again.theirs.equals(whole.theirs)


@pytest.mark.parametrize("role", [role for role, row in ROLES.items() if row.as_parameter])
def test_a_question_takes_the_file_and_nothing_else(study, role):
    questions = [row for row in evalcore.QUESTIONS.values() if role in row.files]
    assert questions
    params = {"metric": "AP"} if "metric" in questions[0].parameters else {}
    beside = attached.attach_all(study, {other: files for other, files in FILES.items() if other != role}, OPTIONS)
    given = evalcore.ask(beside, questions[0].name, **{role: FILES[role][0]}, **params)
    assert given.params[role] is None
    assert role in {source.role for source in given.sources}


def test_both_command_lines_name_the_same_files():
    parser = argparse.ArgumentParser()
    attached.add_flags(parser)
    words = "--other o --other-rel-level 2 --judge gpt=j:2 --judge x/llama.txt --systems-table s --add-to-truth"
    files = attached.named(vars(parser.parse_args(words.split())))
    judges = [
        AttachedFile("judge", "j", {"judges": {"gpt": "model"}, "judge_levels": {"gpt": 2}}),
        AttachedFile("judge", "x/llama.txt", {"judges": {"llama": "model"}}),
    ]
    assert files == [AttachedFile("systems", "s"), AttachedFile("other", "o", {"other_rel_level": 2}), *judges]
    assert attached.of_track(files) == {"systems": "s"}


def test_a_question_takes_one_file_where_there_is_one(study):
    """A list of rows is one file in memory; two files are not taken for the first of them."""
    rows = [("1", "d1", 1), ("2", "d3", 2)]
    given = evalcore.ask(study, "confusion", other=rows).table
    assert given.equals(evalcore.ask(study, "confusion", other=FILES["other"][0]).table)
    with pytest.raises(evalcore.InputError, match="only one can be used"):
        evalcore.ask(study, "confusion", other=FILES["other"] * 2)
    with pytest.raises(evalcore.InputError, match="No qrels file is left"):
        evalcore.ask(study, "confusion", other=[])


def test_judges_without_files_are_refused(study):
    with pytest.raises(ValueError, match="no file contains their judgments"):
        opening.of_files({"run": RUNS, "qrels": [QRELS]}, judges={"gpt": "model"}, variations="-", cache=False)


def test_blocks_take_what_open_study_takes(tmp_path):
    with pytest.raises(TypeError, match="no option 'judges'"):
        open_blocks(RUNS, QRELS, judges={"gpt": "model"})


def test_judges_without_names_are_refused(study):
    with pytest.raises(ValueError, match=r"2 files .* 1 .* named"):
        attached.attach_all(study, FILES, {"judges": {"gpt": "model"}})
