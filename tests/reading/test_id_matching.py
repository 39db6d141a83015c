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
    with pytest.raises(
        ValueError, match=r"names='loose' is not known\. Known: exact, case, zeros, numbers, fold, prefix"
    ):
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


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (3, "The file s0 has the tag s1, the file s1 the tag s2, and the file s2 the tag s0. The file names"),
        (6, "The file s0 has the tag s1, the file s1 the tag s2, the file s2 the tag s3, and so on. The file names"),
    ],
)
def test_files_in_a_ring_of_names(count, said):
    files = [upload(f"s{n}.txt", [f"1 Q0 {n} 1 3 s{(n + 1) % count}\n"]) for n in range(count)]
    files += [upload("t.txt", ["1 Q0 t 1 3 u\n"]), upload("u.txt", ["1 Q0 u 1 3 s0b\n"])]  # no ring
    table = evalcore.ask(evalcore.open_study(files, upload("q", ["1 0 0 1\n"]), cache=False), "findings").table
    (message,) = table["message"][table["check"] == "file names exchanged"]
    assert message.startswith(said)


def track_of(documents, judged, *, topics=("1", "2", "3"), judged_topics=None, runs=None, **options):
    """Runs of the same thirty documents for every topic, and judgments of them, each called by a function of a number.
    Tabs stand between columns where names have blanks.

    runs : {name: (function of a topic, function of a number)}, further runs
    """
    named = {f"s{n}": (str, documents) for n in range(2)} | (runs or {})
    numbers = range(1, 31)
    blank = (
        "\t"
        if any(" " in call(n) for call in (judged, *(call for _, call in named.values())) for n in numbers)
        else " "
    )

    def line(*columns):
        return blank.join(map(str, columns)) + "\n"

    files = [
        upload(name, [line(of(t), "Q0", call(n), n, 99 - n, name) for t in topics for n in numbers])
        for name, (of, call) in named.items()
    ]
    lines = [line(t, 0, judged(n), n % 2) for t in judged_topics or topics for n in numbers]
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
        (lambda n: f"story-20190101-{n:02}"[:15], "story-20190101-{:02}".format, "are cut after 15 characters"),
        ("Doc-{}".format, "x{{}}/doc-{}".format, "are ignored (Doc-1 for x{}/doc-1): write both alike."),
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
    assert (problem.remedy, "compare both with the list of topics" in problem.message) == ("", True)
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


KINDS = {  # what the names of documents of runs and of judgments may differ in -> of runs, of judgments, what is said
    "case": ("Doc/{}".format, "doc/{}".format, "if case is ignored", "case"),
    "entity": ("a&amp;{}".format, "a&{}".format, "but for an HTML entity", "fold"),
    "scheme": ("http://x.org/{}".format, "https://x.org/{}".format, "but for http, https or www.", "fold"),
    "www": ("http://www.x.org/{}".format, "http://x.org/{}".format, "but for http, https or www.", "fold"),
    "slash": ("x.org/{}/".format, "x.org/{}".format, "without “/” at the end", "suffix=/"),
    "percent": ("a%20{}".format, "a {}".format, "but for percent-encoding", "fold"),
    "plus": ("a+{}".format, "a%20{}".format, "but for percent-encoding", "fold"),
    "backslash": ("d\\{}".format, "d/{}".format, "but for / or \\", "fold"),
    "zeros": ("{:04}".format, str, "but for leading zeros", "fold"),
    "ending": ("{}.html".format, str, "without “.html” at the end", "suffix=.html"),
    "pandas": ("{}.0".format, str, "without “.0” at the end", "suffix=.0"),
    "first part": ("{}_0".format, str, "without “_0” at the end", "suffix=_0"),
    "prefix": ("x{}".format, str, "without “x” at the beginning", "prefix=x"),
    "dash": ("FT\u2013{}".format, "FT-{}".format, "but for a dash, underscore or blank", "fold"),
    "underscore": ("FT_{}".format, "FT-{}".format, "but for a dash, underscore or blank", "fold"),
    "identifier": (
        lambda n: f"{n:032x}",
        lambda n: f"00000000-0000-0000-0000-{n:012x}",
        "but for a dash, underscore or blank",
        "fold",
    ),
    "case and ending": ("DOC-{}.txt".format, "doc-{}".format, "but for letter case and an ending", "fold"),
}  # fmt: skip
NAMED = "documents of other names"


def every_second(of_runs, of_judgments):
    return lambda n: (of_runs if n % 2 else of_judgments)(n)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("others", [0, 4])
@pytest.mark.parametrize("half", [False, True])
def test_a_run_that_names_its_documents_otherwise_is_named_with_the_difference(kind, others, half):
    """All of them, or half; nothing else is said of it, and with the option that is offered it scores as the others."""
    of_runs, of_judgments, says, option = KINDS[kind]
    call = every_second(of_runs, of_judgments) if half else of_runs
    runs = {"odd": (str, call)} | {f"t{n}": (str, of_judgments) for n in range(others)}
    study = track_of(of_judgments, of_judgments, runs=runs)
    (message,) = said(study, NAMED)
    assert message.startswith(f"odd: {30 if half else 60} of ")
    assert f"have the name of a judged one {says}" in message
    assert f"({call(1)} in the run, {of_judgments(1)} in the judgments)" in message
    assert message.endswith(f"Rename them as in the qrels, or set the option names to {option}.")
    table = evalcore.ask(study, "findings").table
    assert list(table["check"][(table["system"] == "odd") & (table["severity"] != "note")]) == [NAMED]
    mended = track_of(of_judgments, of_judgments, runs=runs, names=option)
    assert not said(mended, NAMED)
    assert evalcore.ask(mended, "leaderboard", metric="P@10").table["value"].nunique() == 1


@pytest.mark.parametrize("kind", KINDS)
def test_half_of_all_documents_named_otherwise_are_named_run_by_run(kind):
    of_runs, of_judgments, says, _ = KINDS[kind]
    messages = said(track_of(every_second(of_runs, of_judgments), of_judgments), NAMED)
    assert len(messages) == 2
    assert all(f"have the name of a judged one {says}" in message for message in messages)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind][3] == "fold"])
def test_the_difference_is_in_the_refusal_where_no_name_matches(kind):
    of_runs, of_judgments, says, option = KINDS[kind]
    problem = refusal_of(of_runs, of_judgments)
    assert f"They match {says}" in problem.message
    assert problem.remedy == option


def test_what_would_be_made_one_is_not_offered_and_refused_with_the_pair():
    """A-1 and a_1 are two documents of the run, which are both one of the judged documents."""
    runs = {"odd": (str, lambda n: f"A-{n}" if n <= 15 else f"a_{n - 15}")}
    (message,) = said(track_of("a-{}".format, "a-{}".format, runs=runs), NAMED)
    assert message.endswith("so they count as unjudged. Rename them as in the qrels.")
    with pytest.raises(evalcore.InputError, match="the documents A-1 and a_1 of topic 1 would become one"):
        track_of("a-{}".format, "a-{}".format, runs=runs, names="fold")


def test_a_run_with_both_names_of_a_document_has_two_documents():
    runs = {"odd": (str, lambda n: f"d{n}" if n <= 15 else f"D{n - 15}")}
    assert not said(track_of("d{}".format, "d{}".format, runs=runs), NAMED)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda n: f"{n}_{n % 3}", "are passages of the judged ones (1_1 of 1)"),
        (lambda n: f"{n}#chunk{n % 4}", "are passages of the judged ones (1#chunk1 of 1)"),
        (lambda n: f"{n}_chunk_{n % 4}", "are passages of the judged ones (1_chunk_1 of 1)"),
    ],
)
@pytest.mark.parametrize("half", [False, True])
def test_a_run_of_passages_is_named(call, says, half):
    runs = {"odd": (str, every_second(call, str) if half else call)}
    (message,) = said(track_of(str, str, runs=runs), NAMED)
    assert "belong to judged ones. The ranked documents" in message
    assert says in message


def test_passages_of_which_most_are_the_first_are_no_suffix():
    """names=suffix=-0, or fold, would keep four in five of them only."""
    passages = lambda n: f"d{n}x-{0 if n % 5 else 1}"  # noqa: E731
    problem = refusal_of(passages, "d{}x".format)
    assert problem.options == (("passages", "best"),)
    assert problem.remedy == ""
    (message,) = said(track_of("d{}x".format, "d{}x".format, runs={"odd": (str, passages)}), NAMED)
    assert message.endswith("score each document as its best passage, with the option passages=best.")


def test_one_pair_that_would_become_one_does_not_hide_the_difference():
    problem = refusal_of("doc{}".format, lambda n: "DOC1" if n == 30 else f"Doc{n}")
    assert "They match if case is ignored, but some names would then be one: write them alike" in problem.message
    assert problem.remedy == ""


def test_topics_of_other_numbers_with_the_same_documents_are_named_in_the_refusal():
    problem = refusal_of("d{}".format, "d{}".format, judged_topics=["17", "29", "51"])
    assert "share no topic" in problem.message
    assert "although the documents are the same. The topics of one side may have other numbers" in problem.message


@pytest.mark.parametrize("half", [False, True])
def test_a_run_with_cut_names_is_named(half):
    """Ten names of a topic become one."""
    whole = "story-{:06}".format
    runs = {"odd": (str, every_second(lambda n: whole(n)[:11], whole) if half else lambda n: whole(n)[:11])}
    (message,) = said(track_of(whole, whole, runs=runs, duplicates="first"), NAMED)
    assert "The names of the ranked documents are cut after 11 characters (story-00000 for story-00000" in message


@pytest.mark.parametrize(
    "call", ["{}.txt".format, "{}/".format, "{}#chunk2".format, "{}_chunk_2".format, "{}.0".format]
)
def test_an_ending_of_the_ranked_names_is_no_cut_of_the_judged_ones(call):
    """All judged names have one length, as cut ones have."""
    judged = "4010{:02}".format
    with pytest.raises(evalcore.InputError) as refused:
        track_of(lambda n: call(judged(n)), judged)
    assert "are cut" not in refused.value.problems[0].message
    messages = said(track_of(every_second(lambda n: call(judged(n)), judged), judged), NAMED)
    assert len(messages) == 2
    assert not any("are cut" in message for message in messages)


@pytest.mark.parametrize(
    ("of_runs", "of_judgments", "option"),
    [
        (str, "{:>02}".format, "zeros"),
        ("Q{}".format, "q{}".format, "case"),
        ("trec-2021{}".format, str, "prefix=trec-2021"),
        (str, "CAsT-{}".format, "prefix=CAsT-"),
        ("t_{}".format, "T-{}".format, "fold"),
    ],
)
@pytest.mark.parametrize("shared", [0, 1])
def test_a_run_that_names_its_topics_otherwise_is_named_with_the_difference(of_runs, of_judgments, option, shared):
    """Also where it shares a topic with the judgments."""
    if not shared and of_runs("10") == of_judgments("10"):
        pytest.skip("this is shared")
    numbers = [str(n) for n in range(1, 10)]
    topics = [of_judgments(n) for n in [*numbers, "10"]]
    odd = dict(zip(topics, [*map(of_runs, numbers), topics[-1] if shared else of_runs("10")], strict=True))
    study = track_of(str, str, topics=topics, runs={"odd": (odd.get, str)})
    (message,) = said(study, "topics of other names")
    assert message.startswith(f"odd {'has 9 topics without judgments' if shared else 'shares no topic with the qrels'}")
    assert message.endswith(f"rename them, or set the option names to {option}.")
    table = evalcore.ask(study, "findings").table
    warnings = table[table["severity"] == "warning"]
    assert list(warnings["check"][warnings["system"] == "odd"]) == ["topics of other names"]
    assert not said(study, "topics without judgments")
    mended = track_of(str, str, topics=topics, runs={"odd": (odd.get, str)}, names=option)
    assert evalcore.ask(mended, "leaderboard", metric="P@10").table["value"].nunique() == 1


def test_topics_of_other_documents_are_no_other_names():
    (message,) = said(track_of(str, str, runs={"odd": ("9{}".format, "e{}".format)}), "no topic of the qrels")
    assert message.endswith("Check that the two belong together.")


def test_a_run_of_other_documents_has_no_other_names():
    study = track_of(str, str, runs={"odd": (str, "x9{:03}y".format)})
    assert said(study, NAMED) == said(study, "run of other documents") == []
