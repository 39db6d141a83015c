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
    ],
)
def test_what_would_match_is_said_and_can_be_taken_so(topic, judged_topic, change, remedy):
    with pytest.raises(evalcore.InputError, match="do not belong together") as refused:
        opened(topic, judged_topic=judged_topic, change=change)
    (problem,) = refused.value.problems
    assert problem.remedy == remedy
    assert "They match if" in problem.message
    study = opened(topic, judged_topic=judged_topic, change=change, names=remedy)
    assert evalcore.ask(study, "leaderboard", metric="P@10").table.value.tolist() == [0.5]


def test_nothing_that_would_match():
    with pytest.raises(evalcore.InputError, match=r"0 of 30 judged documents .* Are they of the same collection") as no:
        opened("7", judged_topic="7", change=lambda document: document[::-1])
    assert no.value.problems[0].remedy == ""


def test_names_that_become_one_are_one():
    lines = ["1 Q0 A 1 3 r\n", "1 Q0 a 2 2 r\n", "1 Q0 b 3 1 r\n"]
    study = evalcore.open_study([upload("r", lines)], upload("q", ["1 0 a 1\n"]), cache=False, names="case")
    assert study.track.lengths.tolist() == [[2]]
    assert "duplicate documents" in set(evalcore.ask(study, "findings").table["check"])
    with pytest.raises(evalcore.InputError, match="two grades"):
        evalcore.open_study([upload("r", lines)], upload("q", ["1 0 a 1\n", "1 0 A 0\n"]), cache=False, names="case")


def test_an_unknown_way_of_comparing_names():
    with pytest.raises(ValueError, match=r"names='loose' is not known\. Known: exact, case, zeros, numbers"):
        opened("7", judged_topic="7", names="loose")


def test_topics_that_become_one_topic_have_all_of_its_lines():
    study = opened("07", judged_topic="7", names="zeros")
    assert study.topics == ("7",)
