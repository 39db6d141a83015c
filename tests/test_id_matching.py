"""Whether runs and judgments belong together, and how names are taken so that they do."""

import pytest

import evalcore

RUN = "{topic} Q0 {document} {rank} {score} one\n"
DOCUMENTS = [f"DOC-{n:03}" for n in range(30)]


def upload(name, lines):
    return evalcore.Upload(name, "".join(lines).encode())


def opened(topic, *, judged_topic, change=str, **options):
    """A run of thirty documents for a topic, and judgments of them, their names changed."""
    run = [
        RUN.format(topic=topic, document=document, rank=rank, score=99 - rank)
        for rank, document in enumerate(DOCUMENTS, 1)
    ]
    qrels = [f"{judged_topic} 0 {change(document)} {n % 2}\n" for n, document in enumerate(DOCUMENTS)]
    return evalcore.open_study([upload("one.txt", run)], upload("qrels.txt", qrels), cache=False, **options)


@pytest.mark.parametrize(
    ("topic", "judged_topic", "change", "remedy"),
    [
        ("7", "007", str, "zeros"),
        ("mb7", "MB7", str, "case"),
        ("7", "MB007", str, "numbers"),
        ("7", "7", str.lower, "case"),
        ("7", "7", "clueweb12-{}".format, "prefix=clueweb12-"),
        ("7", "7", "{}.txt.gz".format, "suffix=.txt.gz"),
        ("7", "7", lambda name: name.removeprefix("DOC-"), "prefix=DOC-"),
        ("wind", "wind-old", str, "suffix=-old"),
    ],
)
def test_what_would_match_is_said_and_can_be_taken_so(topic, judged_topic, change, remedy):
    with pytest.raises(evalcore.InputError, match="do not belong together") as refused:
        opened(topic, judged_topic=judged_topic, change=change)
    (problem,) = refused.value.problems
    assert problem.remedy == remedy
    assert problem.message.endswith(f": set the option names to {remedy}.")
    study = opened(topic, judged_topic=judged_topic, change=change, names=remedy)
    assert evalcore.ask(study, "leaderboard", metric="P@10").table.value.tolist() == [0.5]


def test_nothing_that_would_match():
    with pytest.raises(
        evalcore.InputError, match=r"0 of 30 judged documents .* Check that both are of the same collection"
    ) as no:
        opened("7", judged_topic="7", change=lambda document: document[::-1])
    assert no.value.problems[0].remedy == ""


def test_of_what_few_runs_hold_a_tenth_tells_what_would_match():
    """The run has four of the forty judged documents, in other case; the file of judgments was made for many more."""
    run = [RUN.format(topic="7", document=f"doc-{n:03}", rank=n, score=99 - n) for n in range(1, 41)]
    qrels = [f"7 0 DOC-{n:03} 1\n" for n in range(37, 77)]
    with pytest.raises(evalcore.InputError, match="They match if case is ignored"):
        evalcore.open_study([upload("one.txt", run)], upload("qrels.txt", qrels), cache=False)


def test_names_that_become_one_are_one():
    lines = ["1 Q0 A 1 3 r\n", "1 Q0 a 2 2 r\n", "1 Q0 b 3 1 r\n"]
    study = evalcore.open_study([upload("r", lines)], upload("q", ["1 0 a 1\n"]), cache=False, names="case")
    assert study.track.lengths.tolist() == [[2]]
    assert "duplicate documents" in set(evalcore.ask(study, "findings").table["check"])
    with pytest.raises(evalcore.InputError, match="two grades"):
        evalcore.open_study([upload("r", lines)], upload("q", ["1 0 a 1\n", "1 0 A 0\n"]), cache=False, names="case")


def test_an_unknown_way_of_comparing_names():
    with pytest.raises(ValueError, match=r"names='loose' is not known\. Known: exact, case, zeros, numbers, prefix"):
        opened("7", judged_topic="7", names="loose")
    with pytest.raises(ValueError, match="names='suffix=' is not known"):
        opened("7", judged_topic="7", names="suffix=")


def test_topics_that_become_one_topic_have_all_of_its_lines():
    study = opened("07", judged_topic="7", names="zeros")
    assert study.topics == ("7",)


def test_only_what_is_dropped_is_dropped():
    """Neither elsewhere in a name, nor where nothing is left, and its characters stand for themselves."""
    names = ["x.y", "ax.y", "x.ya", "xzya"]
    run = [f"1 Q0 {name} {rank} {9 - rank} one\n" for rank, name in enumerate(names)]
    for names, expected in (("prefix=x.y", ["x.y", "ax.y", "a", "xzya"]), ("suffix=x.y", ["x.y", "a", "x.ya", "xzya"])):
        study = evalcore.open_study([upload("r", run)], upload("q", ["1 0 a 1\n"]), cache=False, names=names)
        assert study.track.documents(study.track.items[0, 0]) == expected


def test_a_run_and_judgments_in_each_others_place():
    run, qrels = ["1 Q0 a 1 3 r\n", "1 Q0 b 2 2 r\n"], ["1 0 a 1\n", "1 0 b 0\n"]
    with pytest.raises(evalcore.InputError) as refused:
        evalcore.open_study([upload("judged.txt", qrels)], upload("ranked.txt", run), cache=False)
    first = refused.value.problems[0].message
    assert first.startswith("Runs and judgments are swapped: ranked.txt is a run and judged.txt contains judgments.")
    with pytest.raises(evalcore.InputError) as refused:  # one alone may be a file too many
        evalcore.open_study([upload("r", run), upload("judged.txt", qrels)], upload("q", qrels), cache=False)
    assert [problem.seems for problem in refused.value.problems] == ["qrels"]


def test_two_files_under_each_others_name():
    files = [
        upload(f"{name}.txt", [f"1 Q0 a 1 3 {tag}\n"]) for name, tag in (("one", "two"), ("two", "one"), ("c", "c"))
    ]
    study = evalcore.open_study(files, upload("q", ["1 0 a 1\n"]), cache=False)
    table = evalcore.ask(study, "findings").table
    (said,) = table["message"][table["check"] == "file names exchanged"]
    assert said.startswith("The file one has the tag two, and the file two the tag one. The file names may be swapped")
