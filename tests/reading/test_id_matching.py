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


def track_of(documents, judged, *, topics=("1", "2", "3"), judged_topics=None, runs=None, **options):
    """Runs of the same thirty documents for every topic, and judgments of them, each called by a function of a number.

    runs : {name: (function of a topic, function of a number)}, further runs
    """
    named = {f"s{n}": (str, documents) for n in range(2)} | (runs or {})
    files = [
        upload(name, [f"{of(t)} Q0 {call(n)} {n} {99 - n} {name}\n" for t in topics for n in range(1, 31)])
        for name, (of, call) in named.items()
    ]
    lines = [f"{t} 0 {judged(n)} {n % 2}\n" for t in judged_topics or topics for n in range(1, 31)]
    return evalcore.open_study(files, upload("qrels.txt", lines), cache=False, **options)


def refusal_of(*args, **options):
    with pytest.raises(evalcore.InputError, match="do not belong together") as refused:
        track_of(*args, **options)
    (problem,) = refused.value.problems
    return problem


@pytest.mark.parametrize(
    ("documents", "judged", "said"),
    [
        (lambda n: f"d{n}_{n % 4}", "d{}".format, "The ranked documents are passages of the judged ones (d1_1 of d1)"),
        (lambda n: f"4{n:03}#p{n % 3}", "4{:03}".format, "are passages of the judged ones (4001#p1 of 4001)"),
        ("d{}".format, lambda n: f"d{n}-{n % 5}", "The judged documents are passages of the ranked ones (d1-1 of d1)"),
        ("D{:05}".format, "D{}".format, "They match without leading zeros (D00001 for D1): write both alike."),
        (lambda n: f"story-20190101-{n:02}"[:15], "story-20190101-{:02}".format, "are cut after 15 characters"),
        ("doc-{}.txt".format, "DOC-{}".format, "case is ignored, and without “.txt” at the end (doc-1.txt for DOC-1)"),
        ("Doc-{}".format, "x{{}}/doc-{}".format, "without “x{}/” at the beginning (Doc-1 for x{}/doc-1): write both"),
        (lambda n: f"40{n:04}", "{:04}".format, "Check that both are of the same collection"),
    ],
)
def test_why_documents_do_not_match_is_said_where_no_option_makes_most_match(documents, judged, said):
    """Not a remedy that keeps a part of the passages, or cuts numbers."""
    problem = refusal_of(documents, judged)
    assert said in problem.message
    assert problem.remedy == ""


def test_an_option_that_keeps_one_passage_in_four_is_refused():
    problem = refusal_of(lambda n: f"d{n}_{n % 4}", "d{}".format, names="suffix=_1")
    assert "with the option names=suffix=_1, only 9 of 30 documents in the top 10 are then judged" in problem.message
    assert "passages of the judged ones" in problem.message


TURNS, OTHER_YEAR = ["31_1", "31_2", "32_1", "32_2"], ["81_1", "81_2", "82_1", "82_2"]


def test_topics_of_different_conversations_are_not_made_one():
    problem = refusal_of("d{}".format, "d{}".format, topics=TURNS, judged_topics=OTHER_YEAR)
    assert (problem.remedy, "same collection and year" in problem.message) == ("", True)
    with pytest.raises(evalcore.InputError, match=r"2 topics would become one \(31_1, 32_1\)"):
        track_of("d{}".format, "d{}".format, topics=TURNS, judged_topics=OTHER_YEAR, names="numbers")


def test_a_remedy_of_topics_makes_their_documents_match_too():
    """Topics 1 to 3 and 001 to 003 of other documents are other topics."""
    same = refusal_of("d{}".format, "d{}".format, judged_topics=["001", "002", "003"])
    assert same.remedy == "zeros"
    assert "(90 of 90 judged documents are then in a run)" in same.message
    assert refusal_of("d{}".format, "e{}".format, judged_topics=["001", "002", "003"]).remedy == ""


@pytest.mark.parametrize("count", [1, 4, 12])
def test_few_judgments_of_documents_that_are_named_otherwise_are_refused(count):
    run = upload("r", [f"1 Q0 D{n} {n} {99 - n} r\n" for n in range(1, 31)])
    for call, remedy in (("{}".format, "prefix=D"), ("doc{}".format, ""))[: 1 if count == 1 else 2]:
        qrels = upload("q", [f"1 0 {call(n)} 1\n" for n in range(1, count + 1)])
        with pytest.raises(evalcore.InputError, match=f"0 of {count} judged documents") as refused:
            evalcore.open_study([run], qrels, cache=False)
        assert refused.value.problems[0].remedy == remedy


def test_few_judged_documents_that_no_run_found_are_not_refused():
    run = upload("r", [f"1 Q0 D{n} {n} {99 - n} r\n" for n in range(1, 31)])
    assert evalcore.open_study([run], upload("q", ["1 0 D40 1\n", "1 0 D41 1\n"]), cache=False).systems == ("r",)


def test_judgments_of_topics_that_no_run_answers_are_no_mismatch():
    run = upload("r", ["2 Q0 D1 1 9 r\n"])
    others = [f"{topic} 0 D{n} 1\n" for topic in (1, 3) for n in range(20)]
    study = evalcore.open_study([run], upload("q", [*others, "2 0 D7 1\n"]), cache=False)
    assert study.systems == ("r",)


def said(study, check):
    table = evalcore.ask(study, "findings").table
    return list(table["message"][table["check"] == check])


def test_what_became_one_and_what_was_left_is_said():
    lines = ["7 Q0 A.txt 1 3 r\n", "07 Q0 a.txt 2 2 r\n", "07 Q0 A.txt 3 1 r\n", "07 Q0 b 4 1 r\n"]
    qrels = upload("q", ["7 0 a 1\n", "7 0 a.txt 1\n"])
    zeros = evalcore.open_study([upload("r", lines)], qrels, cache=False, names="zeros")
    assert said(zeros, "names merged") == ["r: 1 topic became the same as another (7, 07)."]
    case = evalcore.open_study([upload("r", lines)], qrels, cache=False, names="case")
    assert said(case, "names merged") == ["r: 1 document became the same as another (A.txt, a.txt)."]
    suffix = evalcore.open_study(
        [upload("r", lines[1:])], upload("q", ["07 0 a 1\n"]), cache=False, names="suffix=.txt"
    )
    assert said(suffix, "names left") == [
        "r: “.txt” was dropped from 2 of 3 documents; the others (such as b) keep their names."
    ]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("x{}".format, "They match without “x” at the beginning (90 of 90 judged documents are then in a run)"),
        ("{}.html".format, "They match without “.html” at the end"),
        ("000{}".format, "They match without “000” at the beginning"),
        ("{:04}".format, "They match without leading zeros (0001 for 1): write both alike."),
        (lambda n: f"{n}_{n % 3}", "are passages of the judged ones (1_1 of 1)"),
    ],
)
@pytest.mark.parametrize("others", [0, 4])
def test_one_run_that_names_its_documents_otherwise_is_named_with_the_difference(call, says, others):
    runs = {"odd": (str, call)} | {f"t{n}": (str, str) for n in range(others)}
    (message,) = said(track_of(str, str, runs=runs), "run of other documents")
    assert message.startswith("odd: 0% of its top 100 documents are judged for any topic.")
    assert says in message


def test_one_run_that_names_its_topics_otherwise_is_named_with_the_difference():
    (message,) = said(track_of(str, str, runs={"odd": ("00{}".format, str)}), "no topic of the qrels")
    assert "if leading zeros of topics are ignored" in message
    assert message.endswith("rename them, or set the option names to zeros.")
    (message,) = said(track_of(str, str, runs={"odd": ("9{}".format, str)}), "no topic of the qrels")
    assert message.endswith("Check that the two belong together.")


def test_a_run_of_other_documents_has_no_other_names():
    assert said(track_of(str, str, runs={"odd": (str, "x9{:03}y".format)}), "run of other documents") == []


@pytest.mark.parametrize(
    ("first", "says"), [(71, "odd: 3% of its top 100 documents are judged for any topic."), (91, "")]
)
def test_a_run_without_leading_zeros_is_named_where_few_names_match_as_they_are(first, says):
    """The names that have no zeros match: 1 of 30, or 21."""
    numbers = {"odd": (str, lambda n: str(n + first - 1))}
    padded = "{:03}".format
    messages = said(track_of(*[lambda n: padded(n + first - 1)] * 2, runs=numbers), "run of other documents")
    assert len(messages) == bool(says)
    assert all(message.startswith(says) and "without “0” at the beginning" in message for message in messages)
