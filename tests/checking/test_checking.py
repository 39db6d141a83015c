"""What the checks say and to whom: `test_accidents.py` asks whether they are raised."""

import re
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import pytrec_eval

import evalcore
from evalcore.checking import checks, topic_checks
from evalcore.checking.check_statistics import CheckStatistics, far_below
from evalcore.checking.run_checks import _rings
from evalcore.matching import half_judged
from tests.small import small_study
from ui.views.data_overview import by_check

SAMPLES = Path(__file__).parents[2] / "sample_data"
TOPICS = [str(number) for number in range(1, 9)]
DOCUMENTS = [f"d{number:02}" for number in range(30)]


def ranked(*, shift=0):
    return {document: float(99 - (n + shift) % 30) for n, document in enumerate(DOCUMENTS)}


def found(check, runs, qrels, **options):
    table = evalcore.ask(small_study(runs, qrels, **options), "findings").table
    return table[table["check"] == check]


def uploaded(lines, qrels="1 0 a 1\n1 0 b 0\n", name="one.run"):
    files = [evalcore.Upload(name, lines.encode())]
    study = evalcore.open_study(files, evalcore.Upload("qrels.txt", qrels.encode()), cache=False)
    return evalcore.ask(study, "findings").table


def test_systems_that_lack_topics_are_one_line_and_each_has_its_row():
    runs = {f"s{n}": {t: ranked(shift=n) for t in TOPICS[: 6 if n < 4 else 8]} for n in range(6)}
    runs["t"] = {t: ranked() for t in TOPICS[:2]}
    qrels = {t: {"d00": 1, "d01": 0} for t in TOPICS}
    rows = found("missing topics", runs, qrels)
    assert list(rows["message"])[:2] == [
        "t returned nothing for 6 judged topics (3, 4, 5, ...), which count as 0 in its mean, although any score is "
        "possible there.",
        "s0 returned nothing for 2 judged topics (7, 8), which count as 0 in its mean, although any score is possible "
        "there.",
    ]
    assert list(rows["system"]) == ["t", "s0", "s1", "s2", "s3"]
    assert list(rows["count"]) == [6, 2, 2, 2, 2]
    assert list(by_check(rows)["message"]) == [
        "5 runs (t, s0, s1, …) returned nothing for some judged topics. The most affected: t (6 topics)."
    ]
    one = found(
        "missing topics",
        {"s": {"1": ranked()}, "t": {"1": ranked(), "2": ranked()}},
        {"1": qrels["1"], "2": qrels["2"]},
    )
    assert list(one["message"]) == [
        "s returned nothing for 1 judged topic (2), which counts as 0 in its mean, although any score is possible "
        "there."
    ]
    common = found("missing topics", runs, qrels, average="common", empty="not relevant")
    assert common["message"].iloc[1].endswith("which are left out of its mean.")


def test_a_file_lacks_topics_of_which_others_have_its_variation():
    """Topics have as many variations as people wrote."""
    files = {f"{system}.v{variation}": "".join(f"{t} Q0 d{t} 1 1 {system}\n" for t in TOPICS[: 9 - 2 * variation])
             for system in "ab" for variation in (1, 2)}  # fmt: skip
    qrels = evalcore.Upload("q", "".join(f"{t} 0 d{t} 1\n" for t in TOPICS).encode())

    def lacking():
        uploads = [evalcore.Upload(name, lines.encode()) for name, lines in files.items()]
        table = evalcore.ask(evalcore.open_study(uploads, qrels, variations="run", cache=False), "findings").table
        return list(table["message"][table["check"] == "missing topics"])

    assert lacking() == []
    files["b.v2"] = files["b.v2"].partition("\n")[2]
    assert lacking() == [
        "b.v2 returned nothing for 1 judged topic (1), which counts as 0 in the means over query variations, although "
        "any score is possible there."
    ]


@pytest.mark.parametrize(("lost", "check"), [(False, "grades too high"), (True, "positives only")])
def test_no_grade_of_zero_is_one_too_high_or_lines_lost(lost, check):
    runs = {f"s{n}": {t: ranked(shift=n) for t in TOPICS} for n in range(6)}
    grades = {document: 1 + n % 3 for n, document in enumerate(DOCUMENTS)}
    qrels = {t: {document: grade for document, grade in grades.items() if grade > 1 or not lost} for t in TOPICS}
    (said,) = found(check, runs, qrels)["message"]
    if not lost:
        assert "grades go from 1 to 3" in said
        assert "Subtract 1 from each grade, or set the lowest relevant grade to 2." in said
        assert found(check, runs, qrels, rel_level=2).empty
    else:
        assert said.endswith("as in MS MARCO; otherwise get the complete qrels.")


def test_sparse_judgments_that_are_all_positive_are_one_finding_and_a_note_where_a_topic_has_few():
    """As of MS MARCO: one document of each topic is known to be relevant, and nothing else is judged."""
    topics = [str(number) for number in range(1, 13)]
    runs = {f"s{n}": {t: ranked(shift=n) for t in topics} for n in range(6)}
    for known, severity in ((1, "note"), (9, "warning")):
        table = evalcore.ask(
            small_study(runs, {t: dict.fromkeys(DOCUMENTS[:known], 1) for t in topics}), "findings"
        ).table
        (row,) = table[table["check"] == "positives only"].itertuples()
        assert row.severity == severity
        assert not set(table["check"]) & {"popular documents not judged", "barely judged"}


def test_topics_of_one_level_are_no_other_scale():
    """Where the assessor found nothing but grade 2, as where the others go to 2."""
    runs = {f"s{n}": {t: ranked(shift=n) for t in TOPICS} for n in range(6)}
    usual = {document: n % 3 for n, document in enumerate(DOCUMENTS)}
    qrels = {
        t: usual if int(t) % 2 else {document: 2 * (n % 2) for n, document in enumerate(DOCUMENTS)} for t in TOPICS
    }
    assert found("topic on another scale", runs, qrels).empty
    doubled = {t: usual if int(t) % 2 else {document: 2 * grade for document, grade in usual.items()} for t in TOPICS}
    (said,) = found("topic on another scale", runs, doubled)["message"]
    assert said.startswith(
        "Topic 2: its grades go up to 4, those of other topics up to 2. Its assessor may have used another scale. 3 "
    )
    assert "(4, 6, 8)" in said


def test_a_list_without_its_head_and_one_that_is_numbered_from_its_end():
    lines = "1 Q0 a 7 5 r\n1 Q0 b 8 4 r\n1 Q0 c 9 3 r\n"
    table = uploaded(lines)
    (said,) = table["message"][table["check"] == "head missing"]
    assert "ranks start at 7 for topic 1, and above 4 in 1 of 1 rankings" in said
    assert "ranks not from 1" not in set(table["check"])
    assert "head missing" not in set(uploaded("1 Q0 a 9 5 r\n1 Q0 b 8 4 r\n1 Q0 c 7 3 r\n")["check"])
    assert "head missing" not in set(uploaded("1 Q0 a 7 5 r\n1 Q0 b 88 4 r\n")["check"])
    assert "head missing" not in set(uploaded("1 Q0 a 4 5 r\n1 Q0 b 5 4 r\n")["check"])


def test_grade_and_iteration_exchanged_come_first():
    table = uploaded("1 Q0 a 1 5 r\n1 Q0 b 2 4 r\n", qrels="1 1 a 0\n1 0 b 0\n1 2 c 0\n")
    first = by_check(table).iloc[0]
    assert (first["severity"], first["check"]) == ("error", "columns exchanged")
    assert "the grade of all 3 lines is 0, but the iteration column contains 0, 1, 2" in first["message"]
    assert "columns exchanged" not in set(uploaded("1 Q0 a 1 5 r\n", qrels="1 0 a 1\n1 0 b 1\n")["check"])


def test_a_near_copy_is_not_said_to_be_a_whole_one():
    topics = [str(topic) for topic in range(25)]
    one = {topic: ranked() for topic in topics}
    qrels = {topic: {"d00": 1, "d01": 0} for topic in topics}
    for at, part in ((9, ">99%"), (20, "100%")):  # one of 250 ranks, and one that is further down
        other = one | {"0": {(f"x{D}" if n == at else D): score for n, (D, score) in enumerate(ranked().items())}}
        (said,) = found("nearly the same ranking", {"one": one, "other": other}, qrels)["message"]
        assert said.startswith(
            f"other: {part} of its top 10 is the same as in one, so neither run has many documents of its own."
        )


def test_one_system_with_tied_scores_or_hardly_judged_is_told_as_one():
    tied = {"pairs": {"1": {d: n // 2 / 7 for n, d in enumerate(DOCUMENTS)}}, "other": {"1": ranked()}}
    (said,) = found("ties", tied, {"1": {"d00": 1, "d01": 0}})["message"]
    assert said.startswith("pairs: 100% of documents have tied scores, so document names decide their order.")
    assert said.endswith("The Scores page shows the effect.")
    nearly = {f"d{i:04}": 1.0 for i in range(2999)} | {"last": 0.5}
    (said,) = found("ties", {"nearly": {"1": nearly}, "other": {"1": ranked()}}, {"1": {"d0000": 1, "d0001": 0}})[
        "message"
    ]
    assert said.startswith("nearly: more than 99% of documents")  # of 99.97%: not all
    runs = {"seen": {"1": {"d00": 1.0}}, "bare": {"1": {f"x{i}": 9.0 - i for i in range(9)}}}
    qrels = {"1": dict.fromkeys(["d00"], 1)}
    barely = found("barely judged", {"bare": runs["bare"]}, {"1": {"d00": 1}})["message"]
    assert list(barely) == [
        "bare has less than half of its top 10 judged (0%). Its score is mostly unknown: compare its interval, not its "
        "mean."
    ]
    both = found("barely judged", runs, qrels)["message"]
    assert both.iloc[0].startswith("2 systems (bare, seen) have less than half of their top 10 judged (bare: ")


def test_a_run_of_one_score_has_no_order_of_its_own():
    even, short = dict.fromkeys(DOCUMENTS, 1.0), dict.fromkeys(DOCUMENTS[:9], 1.0)
    runs = {"other": {t: ranked() for t in TOPICS}, "half": {t: even if int(t) % 2 else ranked() for t in TOPICS}}
    runs |= {"constant": {t: {d: float(t) for d in even} for t in TOPICS}, "short": dict.fromkeys(TOPICS, short)}
    qrels = {t: {"d00": 1, "d01": 0} for t in TOPICS}
    (said,) = found("one score", runs, qrels)["message"]
    assert said == (
        f"constant: all documents have the same score in {len(TOPICS)} of {len(TOPICS)} rankings, so document names "
        "decide their order. Check the score column. If the rank column is right, open the files in the order of that "
        "column."
    )
    assert "constant" not in found("ties", runs, qrels)["message"].iloc[0]


def read_by(order, lines, check):
    """What a check says of a run whose lines are read in this order."""
    files = evalcore.Upload("r", lines.encode()), evalcore.Upload("q", b"1 0 d00 1\n")
    table = evalcore.ask(evalcore.open_study([files[0]], files[1], order=order, cache=False), "findings").table
    (said,) = table["message"][table["check"] == check]
    return said


def test_where_the_files_are_read_by_rank_ties_have_the_order_of_the_ranks():
    even = "".join(f"1 Q0 d{n:02} {n + 1} 1 r\n" for n in range(12))
    assert read_by("score", even, "one score").endswith("open the files in the order of that column.")
    assert read_by("rank", even, "one score").endswith("in 1 of 1 rankings, so the rank column decides their order.")
    pairs = "".join(f"1 Q0 d{n:02} {n + 1} {12 - n // 2}.5 r\n" for n in range(12))
    assert "so document names decide their order" in read_by("score", pairs, "ties")
    assert read_by("rank", pairs, "ties").endswith("so the rank column decides their order.")


def test_scores_that_were_rounded_are_told_from_others_that_tie():
    runs = {"whole": {"1": {d: float(n // 4) for n, d in enumerate(DOCUMENTS)}}}
    runs["parts"] = {"1": {d: n // 4 / 7 for n, d in enumerate(DOCUMENTS)}}
    runs["constant"] = {"1": dict.fromkeys(DOCUMENTS, 1.0)}
    (said,) = found("ties", runs, {"1": {"d00": 1, "d01": 0}})["message"]
    assert said.endswith("All scores of whole are whole numbers; if they were rounded, export them with decimals.")


def test_one_list_is_for_all_topics_when_there_are_several_and_the_list_is_not_short():
    runs = {f"s{n}": {t: ranked(shift=n + int(t)) for t in TOPICS} for n in range(6)}
    qrels = {t: {"d00": 1, "d01": 0} for t in TOPICS}
    rows = found("one list for all topics", runs | {"same": {t: ranked() for t in TOPICS}}, qrels)
    assert list(rows["message"]) == [
        "same: it returns the same top 10 documents for every topic. Create the file again, or leave it out."
    ]
    seven = {t: dict(list(ranked().items())[:7]) for t in TOPICS[:2]}
    assert (
        "the same top 7 documents" in found("one list for all topics", runs | {"same": seven}, qrels)["message"].iloc[0]
    )
    short = {t: dict(list(ranked().items())[:3]) for t in TOPICS}
    assert found("one list for all topics", runs | {"same": short}, qrels).empty
    of_one_topic = {"same": {"1-1": ranked(), "1-2": ranked()}}
    assert found("one list for all topics", of_one_topic, {"1": {"d00": 1}}, variations="-").empty


@pytest.mark.filterwarnings("error")
def test_of_a_run_without_documents_for_the_topics_looked_at_nothing_is_said_but_that():
    runs = {f"s{n}": {t: ranked(shift=n) for t in TOPICS} for n in range(6)}
    runs["late"] = {t: ranked() for t in TOPICS[6:]}
    study = small_study(runs, {t: {"d00": 1, "d01": 0} for t in TOPICS}, pooled="all")
    table = evalcore.ask(study.only(topics=TOPICS[:6]), "findings").table
    said = table[table["system"] == "late"]
    assert "run of other documents" not in set(said["check"])
    assert "nan" not in " ".join(table["message"])


def test_a_table_by_which_nobody_contributed_is_held_against_the_files():
    folder = SAMPLES / "web"
    names = evalcore.open_study(folder / "runs", folder / "qrels.txt").systems
    table = "run\tpooled\n" + "".join(f"{name}\t0\n" for name in names)
    systems = evalcore.Upload("systems.tsv", table.encode())
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", systems=systems, cache=False)
    (said,) = evalcore.ask(study, "findings").table.query("check == 'contributors in doubt'")["message"]
    assert said.startswith("No system is marked as contributing, but 32 (such as ")
    assert "to rank 20" in said


def test_a_topic_is_unlike_the_others_only_where_it_stands_apart_from_them():
    """Half the topics were judged for other runs: the last of them are no further from the rest than these are."""
    old, new = np.linspace(0.4, 0.65, 9), np.full(11, 0.95)
    assert not len(far_below(np.append(old, new), 0.5))
    assert far_below(np.concatenate([[0.18, 0.1], old, new]), 0.5).tolist() == [1, 0]
    assert far_below(np.append(new, [0.57, 0.52]), 0.7).tolist() == [12, 11]
    assert not len(far_below(np.array([0.1, 0.9]), 0.5))  # of two, none is the usual


@pytest.mark.parametrize(
    ("covered", "most", "named"), [(0.6, (9, 0), {}), (0.1, (9, 0), {4: False}), (1.0, (61, 30), {4: True})]
)
def test_a_topic_is_judged_for_others_when_its_pool_is_not_judged_or_another_topic_is(covered, most, named):
    """Five runs hold little of what many more brought: of one topic they have less, and their first ones are judged."""
    unheld = np.array([0.88, 0.86, 0.9, 0.85, 0.97])
    of_others = [np.array([0, 0, 0, 0, number]) for number in (*most, 1)]
    hundred, every = np.full(5, 100), np.ones(5, bool)
    seen = SimpleNamespace(
        unheld=unheld, covered=np.array([1.0, 1.0, 0.9, 1.0, covered]), topics=np.arange(5), of_others=of_others,
        per_topic=lambda items: hundred, judged=every, holders_of_item=np.ones(5), enough=1, answered=every,
        count=hundred, found=hundred, conversation=np.arange(5),
    )  # fmt: skip
    assert topic_checks.with_judgments_of_others(seen) == named


def test_topics_that_no_run_answers_are_not_said_to_be_judged_for_another():
    documents = {t: {f"{t}-{n}": 99.0 - n for n in range(30)} for t in TOPICS}
    qrels = {t: {f"{t}-{n}": n % 2 for n in range(30)} for t in TOPICS}
    study = small_study({f"s{n}": {t: documents[t] for t in TOPICS[:5]} for n in range(6)}, qrels)
    checks = set(evalcore.ask(study, "findings").table["check"])
    assert not checks & {"judgments of another topic", "topic cut short", "missing topics", "barely judged"}


@pytest.mark.parametrize(
    ("name", "foreign", "own", "named"),
    [("{}{}", 12, 15, []), ("{}{}", 30, 15, ["311"]), ("{}_{}", 30, 15, []), ("{}_{}", 30, 2, ["31_1"])],
)
def test_neighbouring_questions_share_some_documents_another_topic_most(name, foreign, own, named):
    """Of sixty documents that systems find for a topic, thirty are judged; some are judged for its neighbour too. Turns
    of one conversation may have most in common."""
    topics = [name.format(conversation, turn) for conversation in (31, 32) for turn in (1, 2, 3)]
    runs = {f"s{s}": {t: {f"{t}-{n}": 99.0 - n for n in range(60)} for t in topics} for s in range(6)}
    qrels = {t: {f"{t}-{n}": n % 2 for n in range(30)} for t in topics}
    first, second = topics[:2]
    qrels[first] = dict(list(qrels[first].items())[:own]) | {f"{second}-{n}": 0 for n in range(foreign)}
    assert list(found("judgments of another topic", runs, qrels)["topic"]) == named


@pytest.mark.parametrize(("name", "named"), [("{}_{}", []), ("{}{}", ["odd"])])
def test_a_run_may_find_what_belongs_to_another_turn_of_a_conversation(name, named):
    topics = [name.format(conversation, turn) for conversation in "ab" for turn in (1, 2, 3)]
    runs = {f"s{s}": {t: {f"{t}-{n}": 99.0 - n for n in range(30)} for t in topics} for s in range(6)}
    runs["odd"] = runs["s0"] | {topics[0]: runs["s0"][topics[1]]}
    qrels = {t: {f"{t}-{n}": n % 2 for n in range(30)} for t in topics}
    assert list(found("topics exchanged in a run", runs, qrels)["system"]) == named


@pytest.mark.parametrize(
    ("call", "check", "said"),
    [
        ("TREC{}".format, "topics of other names", "set the option names to prefix=TREC"),
        (lambda t: str(int(t) % 8 + 1), "run of other documents", r"for 1, those for 8\).*seem to be shifted"),
    ],
)
def test_topics_that_are_named_otherwise_are_told_from_shifted_ones(call, check, said):
    documents = {t: {f"{t}d{k}": 99.0 - k for k in range(12)} for t in TOPICS}
    runs = {f"s{n}": documents for n in range(6)} | {"odd": {call(t): documents[t] for t in TOPICS}}
    qrels = {t: {f"{t}d{k}": k % 2 for k in range(12)} for t in TOPICS}
    (message,) = found(check, runs, qrels)["message"]
    assert re.search(said, message, re.IGNORECASE)


def test_judgments_of_another_topic_are_what_runs_find_for_one_other_and_not_for_their_own():
    """Of the documents judged for the first topic thirteen are the second's, four the third's, and three nobody's."""
    runs = {f"s{s}": {str(t): {f"{t}d{k:02}": 99.0 - k for k in range(20)} for t in range(6)} for s in range(3)}
    judged = {str(t): {f"{t}d{k:02}": k % 2 for k in range(20)} for t in range(6)}
    judged["0"] |= {f"1d{k:02}": 1 for k in range(13)} | {f"2d{k:02}": 0 for k in range(4)} | {"x": 1, "y": 1, "z": 0}
    seen = CheckStatistics(small_study(runs, judged))
    assert [one.tolist() for one in seen.of_others] == [[13, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]]
    (message,) = found("judgments of another topic", runs, judged)["message"]
    assert message.startswith("Topic 0: runs retrieve 13 of its 40 judged documents for topic 1 instead. ")


def test_a_topic_that_all_find_hard_is_a_note_and_says_what_is_known():
    """Of one of twelve topics what is relevant stands where chance has it, for good systems and bad ones."""
    rng = np.random.default_rng(1)
    names = [str(t) for t in range(12)]
    level = {(t, d): int(d < 15) for t in names for d in range(45)}
    runs = {
        f"s{s}": {
            t: {f"d{d:02}": level[t, d] * (t != "7") * (s + 2) / 6 + rng.normal() for d in range(45)} for t in names
        }
        for s in range(12)
    }
    judged = {t: {f"d{d:02}": level[t, d] for d in range(45)} for t in names}
    rows = found("topic shuffled", runs, judged)
    assert list(rows["severity"]) == ["note"]
    assert list(rows["topic"]) == ["7"]
    message = rows["message"].item()
    above = int(
        re.search(r"higher than those that are not relevant \(in (\d+)% of pairs; other topics: \d+%\)", message)[1]
    )
    assert ("hardly higher" in message) == (above > 50)
    assert found("topic upside down", runs, judged).empty
    judged["3"] = {f"d{d:02}": 1 - level["3", d] for d in range(45)}
    assert list(found("topic upside down", runs, judged)["topic"]) == ["3"]


def test_how_systems_fare_on_a_topic_is_held_against_how_they_do_elsewhere():
    runs = {f"s{s}": {t: ranked(shift=s * (t != "1")) for t in TOPICS} for s in range(6)}
    runs["s5"]["1"] = ranked(shift=1)
    seen = CheckStatistics(small_study(runs, {t: {d: int(n < 3) for n, d in enumerate(DOCUMENTS)} for t in TOPICS}))
    expected = [np.corrcoef(seen.score[:, t], np.delete(seen.score, t, axis=1).mean(axis=1))[0, 1] for t in range(8)]
    np.testing.assert_allclose(seen.faring, expected)


def said_of_half_judged(grades):
    """What is said of topics half judged. grades : {topic: {document: grade}}, in the order of the file"""
    lines = "".join(f"{t} 0 {d} {grade}\n" for t, of_topic in grades.items() for d, grade in of_topic.items())
    table = uploaded("".join(f"{t} Q0 d00 1 1 s\n" for t in grades), qrels=lines)
    return table[table["check"] == "topic half judged"]


def test_a_topic_whose_relevant_documents_are_all_in_its_first_half_was_judged_halfway():
    """Each by its own relevant documents, in the order of the file."""
    grades = {t: {d: int(n % 3 == 0) for n, d in enumerate(DOCUMENTS)} for t in TOPICS}
    half = {d: int(n < 15 and n % 3 != 2) for n, d in enumerate(DOCUMENTS)}
    few = {d: int(n in (0, 3, 6, 9, 14)) for n, d in enumerate(DOCUMENTS)}  # by chance in one of 47 topics
    (message,) = said_of_half_judged(grades | {"3": half})["message"]
    assert message.startswith(
        "Topic 3: its last 16 judgments in the file (d14 to d29) are all not relevant, although 10 of the 14 others are"
    )
    assert "remove" not in message
    assert said_of_half_judged(grades | {"5": few}).empty
    first = {d: int(n >= 15 and n % 3 != 2) for n, d in enumerate(DOCUMENTS)}
    (message,) = said_of_half_judged(grades | {"3": first})["message"]
    assert message.startswith("Topic 3: its first 15 judgments in the file (d00 to d14) are all not relevant")
    assert list(said_of_half_judged(grades | {"3": half, "4": half})["topic"]) == ["3", "4"]
    shuffled = {t: dict(sorted(of.items(), key=lambda one: one[0][::-1])) for t, of in (grades | {"3": half}).items()}
    assert said_of_half_judged(shuffled).empty  # by name only, in which nobody judged


def test_an_order_in_which_relevant_documents_are_close_to_each_other_shows_no_end_of_judging():
    """As by date, or by grade: what one topic is like, others are to some degree."""
    by_date = {t: {d: int(start <= n < start + 8) for n, d in enumerate(DOCUMENTS)} for start, t in enumerate(TOPICS)}
    assert said_of_half_judged(by_date).empty
    by_grade = {t: {d: int(n < 10) for n, d in enumerate(DOCUMENTS)} for t in TOPICS}
    assert said_of_half_judged(by_grade).empty


def test_a_source_without_relevant_documents_is_no_end_of_judging_where_other_topics_lack_one():
    names = [f"{source}{n:02}" for source in "de" for n in range(15)]
    grades = {t: {d: int(n % 3 == 0) for n, d in enumerate(names)} for t in TOPICS}
    of_d, of_e = ({d: int(d.startswith(source) and int(d[1:]) % 3 < 2) for d in names} for source in "de")
    assert said_of_half_judged(grades | {"3": of_d, "4": of_e}).empty
    assert list(said_of_half_judged(grades | {"3": of_d})["topic"]) == ["3"]  # alone, it is an end


@pytest.mark.parametrize(("relevant", "topics", "told"), [(14, 4, 1), (14, 2, 0), (5, 4, 0)])
def test_topics_of_one_grade_are_named_where_chance_allows_no_such_number(relevant, topics, told):
    """Where half of the relevant documents have grade 2, no more than one topic in 2 ** 13 has one by chance."""
    judged = {d: int(n < relevant) for n, d in enumerate(DOCUMENTS)}
    graded = {d: grade * (1 + n % 2) for n, (d, grade) in enumerate(judged.items())}
    qrels = {t: judged if n < topics else graded for n, t in enumerate(TOPICS)}
    rows = found("topics without grades", {f"s{n}": {t: ranked(shift=n) for t in TOPICS} for n in range(6)}, qrels)
    assert len(rows) == told
    assert all(
        message.startswith("In 4 of 8 topics (1, 2, 3, ...), all relevant documents have grade 1; in the others, 50% ")
        for message in rows["message"]
    )


def test_of_alike_runs_those_of_unlike_names_come_first():
    runs = {name: {t: ranked() for t in TOPICS} for name in ("alpha-1", "alpha-2")}
    runs |= {name: {t: ranked(shift=9) for t in TOPICS} for name in ("beta", "zoo")}
    qrels = {t: {"d01": 1} for t in TOPICS}
    assert list(found("same ranking twice", runs, qrels)["system"]) == ["zoo", "alpha-2"]


def test_topics_of_a_ring_stand_in_each_others_place():
    three, two = {(1, 2), (2, 3), (3, 1)}, {(1, 2), (2, 1)}
    assert _rings({*three, (7, None), (8, 1)}) == three
    assert _rings({*two, (4, 1), (2, 5)}) == two
    assert not _rings({(1, 2), (2, 3), (4, None)})
    assert not _rings(set())


def test_a_topic_of_whose_first_ranks_much_is_judged_was_judged_for_itself():
    """Judged far below the runs' lists, it is no topic of another; with nothing judged on top it may be."""
    topics = [f"t{n}" for n in range(9)]
    runs = {f"s{s}": {t: {f"{t}d{k}": 99.0 - k for k in range(20)} for t in topics} for s in range(3)}
    judged = {t: {f"{t}d{k}": k % 2 for k in range(20)} for t in topics}
    own = {f"t0d{k}": k % 2 for k in range(0, 20, 2)} | {f"elsewhere{k}": k % 2 for k in range(490)}
    others = {f"t0d{k}": k % 2 for k in range(15, 20)} | {f"elsewhere{k}": k % 2 for k in range(490)}

    def said(of_first):
        table = evalcore.ask(small_study(runs, judged | {"t0": of_first}), "findings").table
        return list(table["message"][table["check"] == "judgments of another topic"])

    assert said(own) == []
    assert said(others) == [
        "Topic t0: no run retrieved 99% of its judged documents (other topics: 0%). They may have been judged for "
        "another topic. If so, its scores and every mean that includes it are wrong: check the topic's number in the "
        "qrels."
    ]


def test_what_is_assumed_of_one_topic_and_of_judgments_that_find_nothing():
    runs = {"a": {"t": {"x": 2.0, "y": 1.0}}}

    def said(qrels):
        return list(evalcore.ask(small_study(runs, qrels), "findings").table["message"])

    nothing, one = said({"t": {"x": 0, "y": 0}}), said({"t": {"x": 2, "y": -2}})
    assert "Grades of 1 or more count as relevant; gains are binary, the highest grade is 0, but 1 is used." in nothing
    assert any(
        line.endswith("Check whether lines of the qrels were lost; if not, leave this topic out.") for line in nothing
    )
    assert "Grades of 1 or more count as relevant; gains are binary, the highest grade is 2." in one
    assert "Means are over the 1 topic of the qrels." in one
    assert any(
        line.startswith("1 judgment has a negative grade (−2): negative grades are read as judged") for line in one
    )
    several = said({t: {"x": 0, "y": 0} for t in "tu"})
    assert any(
        line.endswith("Check whether lines of the qrels were lost; if not, leave these topics out.") for line in several
    )


def test_what_befell_one_file_is_told_before_what_many_runs_are_like():
    """Of the notes, that of one file of twenty, not of all, stands first; all stand below the warnings."""
    tied = {document: float(n // 2) for n, document in enumerate(DOCUMENTS)}
    scores = {f"s{n:02}": tied if n < 5 else ranked(shift=n) for n in range(20)}
    qrels = evalcore.Upload("qrels.txt", b"".join(f"{t} 0 d00 1\n{t} 0 d01 0\n".encode() for t in TOPICS))

    def checks_where(of_header, of_topics):
        files = []
        for name, of in scores.items():
            topics = TOPICS[:-1] if name in of_topics else TOPICS
            lines = [f"{t} Q0 {D} 1 {score} {name}\n" for t in topics for D, score in of.items()]
            header = "topic Q0 docno rank score tag\n" if name in of_header else ""
            files.append(evalcore.Upload(name, (header + "".join(lines)).encode()))
        table = evalcore.ask(evalcore.open_study(files, qrels, cache=False), "findings").table
        order = list(by_check(table)["check"])
        return [check for check in order if check in ("missing topics", "header", "ties")]

    assert checks_where({"s07"}, {"s09"}) == ["missing topics", "ties", "header"]
    assert checks_where(set(scores), {"s09"}) == ["missing topics", "ties", "header"]


def test_what_a_run_has_for_other_topics_itself_is_not_what_others_find():
    """Of few runs, what one of them alone has is not found by others: it has much of its lists for all topics."""
    own = {t: {f"{t}-{n}": 30.0 - n for n in range(30)} for t in TOPICS}
    runs = {f"s{n}": own for n in range(4)}
    alike = {f"r{n}": 90.0 - n for n in range(6)}
    runs["odd"] = {t: alike | {f"{t}-{n}": 30.0 - n for n in range(int(t), int(t) + 4)} for t in TOPICS}
    qrels = {t: dict.fromkeys(own[t], 0) | {f"{t}-0": 1} for t in TOPICS}
    said = list(found("run of other documents", runs, qrels)["message"])
    assert not any("mixed" in message for message in said), said


def test_a_run_of_documents_that_few_find_is_not_said_to_have_other_names():
    """Its names are made as the others' are, and others have them for other topics."""
    own = {t: {f"a{t}x{n}b": 30.0 - n for n in range(30)} for t in TOPICS}
    moved = {t: own[TOPICS[n - 3]] for n, t in enumerate(TOPICS)}
    runs = {f"s{n}": {t: ranked(shift=n) | {f"a{t}x{n}b": 0.5} for t in TOPICS} for n in range(30)}
    qrels = {t: dict.fromkeys(DOCUMENTS, 0) | {"d00": 1} for t in TOPICS}
    (said,) = found("run of other documents", runs | {"odd": moved}, qrels)["message"]
    assert said.endswith("Its scores are mostly unknown: compare intervals, not means.")
    elsewhere = {t: {f"a{t}99y{n}b": 30.0 - n for n in range(30)} for t in TOPICS}
    (said,) = found("run of other documents", runs | {"odd": elsewhere}, qrels)["message"]
    assert "occur in another run, for any topic" in said
    strange = {t: {f"web:{t}-{n}": 30.0 - n for n in range(30)} for t in TOPICS}
    (said,) = found("run of other documents", runs | {"odd": strange}, qrels)["message"]
    assert said.endswith(
        "Its document names look like web:1-0, those of other runs like a1x0b, so none of them counts as judged. "
        "Rename them."
    )


def test_a_run_whose_last_documents_are_the_others_first_is_written_from_its_end():
    own = {t: {f"{t}-{n}": 300.0 - n for n in range(300)} for t in TOPICS}
    runs = {f"s{n}": {t: dict(list(of.items())[:100]) for t, of in own.items()} for n in range(6)}
    turned = {t: {D: -score for D, score in of.items()} for t, of in own.items()}
    qrels = {t: {f"{t}-0": 1, f"{t}-1": 0} for t in TOPICS}
    (said,) = found("run of other documents", runs | {"turned": turned}, qrels)["message"]
    assert "Its last 10 documents are better known (100% are judged or found by other runs), so it may be " in said
    better = {t: of | {f"{t}-299": 1, f"{t}-298": 1} for t, of in qrels.items()}  # of its first, more are relevant
    assert "better known" not in "".join(found("run of other documents", runs | {"turned": turned}, better)["message"])


@pytest.mark.parametrize(
    ("own", "others", "strange", "name", "told"),
    [
        (7, 0, 3, "d99{}", True),
        (6, 1, 3, "d99{}", False),  # six of the seven that others have are known: perhaps it looks elsewhere
        (6, 1, 3, "d99{}.v2", True),
        (8, 0, 2, "d99{}.v2", True),
        (9, 0, 1, "d99{}", False),
    ],
)
def test_names_of_a_form_that_no_judged_document_has_come_from_another_version(own, others, strange, name, told):
    def names(t, count):
        return [f"d{t}{n:02}" for n in range(count)]

    def ranking(documents):
        return {document: 99.0 - n for n, document in enumerate(documents)}

    runs = {f"s{n}": {t: ranking(names(t, 20)) for t in TOPICS} for n in range(6)}
    odd = {}
    for t, next_one in zip(TOPICS, [*TOPICS[1:], TOPICS[0]], strict=True):
        odd[t] = ranking([*names(t, own), *names(next_one, others), *(name.format(f"{t}{n}") for n in range(strange))])
    qrels = {t: dict.fromkeys(names(t, 10), 0) | {f"d{t}00": 1} for t in TOPICS}
    assert len(found("run partly of other documents", runs | {"odd": odd}, qrels)) == told


def test_a_scale_that_all_topics_share_is_no_matter_of_a_topic():
    runs = {f"s{n}": {t: ranked(shift=n) for t in TOPICS} for n in range(6)}
    qrels = {t: {D: 33 * (n % (2 + int(t) % 2)) for n, D in enumerate(DOCUMENTS)} for t in TOPICS}
    assert found("topic on another scale", runs, qrels).empty
    (said,) = found("large grades", runs, qrels)["message"]
    assert said.startswith("Grades go up to 66: they may be percentages")
    usual = {t: {D: grade // 33 for D, grade in grades.items()} for t, grades in qrels.items()}
    assert found("large grades", runs, usual).empty


def test_grades_are_upside_down_when_all_topics_together_say_so():
    """No topic alone tells much: in each the relevant documents stand a little below the others, or above."""
    runs = {f"s{n}": {t: ranked() for t in TOPICS} for n in range(6)}
    low = {D: int((n % 2 and n > 1) or n == 28) for n, D in enumerate(DOCUMENTS)}  # 1.4 errors below a half in each
    rows = found("grades upside down", runs, dict.fromkeys(TOPICS, low))
    assert list(rows["count"]) == [8]
    high = {D: 1 - grade for D, grade in low.items()}
    assert found("grades upside down", runs, dict.fromkeys(TOPICS, high)).empty


def test_a_run_with_everything_relevant_first_was_made_of_the_judgments():
    runs = {f"s{n}": {t: ranked(shift=n) for t in TOPICS} for n in range(6)}
    qrels = {t: {D: int((n + int(t)) % 5 == 0) for n, D in enumerate(DOCUMENTS)} for t in TOPICS}
    perfect = {t: {D: 2.0 * grade - n / 99 for n, (D, grade) in enumerate(of.items())} for t, of in qrels.items()}
    (said,) = found("made of the judgments", runs | {"oracle": perfect}, qrels)["message"]
    assert said.startswith("oracle: in 8 of 8 rankings it begins with half of all relevant documents or more")
    assert found("made of the judgments", runs, qrels).empty
    many = {t: {D: int(D < "d25") for D in DOCUMENTS} for t in TOPICS}
    of_ten = {name: {t: dict(list(ranked().items())[:10]) for t in TOPICS} for name in runs}
    assert found("made of the judgments", of_ten, many).empty  # where so much is relevant, the first ten may well be


def test_a_list_is_short_where_the_run_has_full_ones_and_the_others_have_too():
    runs = {f"s{n}": {t: ranked(shift=n) for t in TOPICS} for n in range(6)}
    few = dict(list(ranked().items())[:3])
    qrels = {t: {"d00": 1, "d01": 0} for t in TOPICS}
    cut = {t: few if t == "4" else ranked() for t in TOPICS}
    (said,) = found("short list in a topic", runs | {"cut": cut}, qrels)["message"]
    assert said == "cut: it has only 3 documents for topic 4, but usually 30. Check its file for missing lines."
    hard = {name: of | {"4": few} for name, of in runs.items()}
    assert found("short list in a topic", hard | {"cut": cut}, qrels).empty


def test_one_score_in_some_rankings_is_told_with_the_first_of_them():
    even = dict.fromkeys(DOCUMENTS, 1.0)
    runs = {"other": {t: ranked() for t in TOPICS}, "some": {t: even if t in "35" else ranked() for t in TOPICS}}
    qrels = {t: {"d00": 1, "d01": 0} for t in TOPICS}
    (said,) = found("one score in some rankings", runs, qrels)["message"]
    assert said == (
        "some: all documents have the same score in 2 of 8 rankings (such as 3), but not in the others. Check "
        "whether scores were lost there."
    )


def test_that_everything_is_judged_is_told_of_long_lists_only():
    def documents(count, shift):
        return {f"d{n}": 999.0 - (n + shift) % count for n in range(count)}

    for count, told in ((60, 1), (40, 0)):
        runs = {f"s{n}": {t: documents(count, n) for t in TOPICS} for n in range(6)}
        qrels = {t: {f"d{n}": int(n < 3) for n in range(count)} for t in TOPICS}
        rows = found("everything judged", runs, qrels)
        assert len(rows) == told
        assert all("were written as grade 0" in message for message in rows["message"])
        assert found("everything judged", runs, qrels | {"1": {"d0": 1}}).empty


@pytest.mark.parametrize(("groups", "told"), [(["UDel", "udel_"], True), (["UDel", "UDel"], False), (["", "-"], False)])
def test_groups_in_two_spellings_are_two_groups_and_told_so(groups, told):
    files = [evalcore.Upload(name, f"1 Q0 a 1 1 {name}\n".encode()) for name in ("r", "s")]
    table = "run\tgroup\n" + "".join(f"{file.name}\t{group}\n" for file, group in zip(files, groups, strict=True))
    systems = evalcore.Upload("t.tsv", table.encode())
    study = evalcore.open_study(files, evalcore.Upload("q", b"1 0 a 1\n"), systems=systems, cache=False)
    said = evalcore.ask(study, "findings").table.query("check == 'groups spelt differently'")["message"]
    assert len(said) == told
    assert all("the groups UDel, udel_ differ only in spelling" in message for message in said)


def test_a_run_read_by_rank_from_its_worst_end_is_to_have_other_ranks():
    """To turn the sign of its scores would change nothing there."""

    def lines(number):
        for topic in TOPICS:
            for place in range(30):
                document, rank = DOCUMENTS[(place + number % 5) % 30], 30 - place if number == 5 else place + 1
                yield f"{topic} Q0 {document} {rank} {99 - place} s{number}\n"

    files = [evalcore.Upload(f"s{number}.run", "".join(lines(number)).encode()) for number in range(6)]

    def told(judged):
        qrels = "".join(f"{t} 0 {d} {grade}\n" for t in TOPICS for d, grade in judged.items())
        study = evalcore.open_study(files, evalcore.Upload("q", qrels.encode()), cache=False, order="rank")
        rows = evalcore.ask(study, "findings").table
        return " ".join(rows["message"][rows["system"] == "s5"])

    first = {d: int(n < 5) for n, d in enumerate(DOCUMENTS[:15])}
    assert "it seems to be read from its worst end. Reverse its rank numbers." in told(first)
    assert "the sign of its scores" not in told(first)
    last = dict.fromkeys(DOCUMENTS[:15], 0) | dict.fromkeys(DOCUMENTS[24:], 1)
    assert "are judged, and 100% of its top 10 by score, but more of the former are relevant: the order" in told(last)


def test_how_two_systems_fare_tells_nothing_of_a_topic():
    """Their scores on it and elsewhere always lie on a line."""
    runs = {f"s{s}": {t: ranked(shift=s * (-1 if t == "1" else 1)) for t in TOPICS} for s in range(2)}
    seen = CheckStatistics(small_study(runs, {t: {d: int(n < 3) for n, d in enumerate(DOCUMENTS)} for t in TOPICS}))
    assert not seen.faring.any()


def test_a_topic_without_relevant_documents_names_the_grade_that_counts():
    runs = {name: {t: ranked() for t in TOPICS} for name in ("s", "t")}
    qrels = {t: {"d00": 1, "d01": 2 if t != "1" else 0} for t in TOPICS}
    (message,) = found("no relevant document", runs, qrels, rel_level=2)["message"]
    assert message.startswith("1 judged topic (1) has no document of grade 2 or more. With metrics that ")
    (message,) = found("no relevant document", runs, qrels | {"1": {"d00": 0}})["message"]
    assert message.startswith("1 judged topic (1) has no relevant document. ")


def test_where_nobody_is_known_to_have_contributed_no_pool_is_said_to_be_judged_so_deep():
    files = []
    for s in range(2):
        lines = [f"{t} Q0 {DOCUMENTS[(n + s) % 9]} {9 - n} {9 - n} s{s}\n" for t in TOPICS for n in range(9)]
        files.append(evalcore.Upload(f"s{s}.run", "".join(lines).encode()))
    qrels = "".join(f"{t} 0 {d} {int(n < 2)}\n" for t in TOPICS for n, d in enumerate(DOCUMENTS[1:3]))

    def told(check, **options):
        study = evalcore.open_study(files, evalcore.Upload("qrels.txt", qrels.encode()), cache=False, **options)
        table = evalcore.ask(study, "findings").table
        return table["message"][table["check"] == check].item()

    assert told("who contributed").endswith("or set the pool depth.")
    assert told("who contributed", pool_depth=5).endswith(
        "or set another pool depth (no system is judged to rank 5 as a contributing one would be). The pool depth "
        "is 5, as you set."
    )


@pytest.mark.parametrize(("n", "R", "end"), [(12, 5, 3), (9, 6, 2), (10, 5, 0), (8, 6, 2)])
def test_the_chance_of_an_end_without_relevant_documents_is_that_of_all_arrangements(n, R, end):
    ways = list(combinations(range(n), R))
    expected = sum(max(way) < n - end for way in ways) / len(ways)
    grades = np.zeros(n, int)
    grades[[*range(R - 1), n - end - 1]] = 1
    chance, share, topics = half_judged._ends(np.array([0, n]), grades)
    assert np.exp(-chance[0, 1]) == pytest.approx(expected)
    assert (share[0, 1], topics) == (end / n, [0])


def test_the_effect_of_a_finding_is_the_share_of_scores_that_it_may_change():
    topics_of = {f"s{n}": TOPICS for n in range(4)} | {"s0": TOPICS[:5], "t": ["x1", "x2"]}
    files = [
        evalcore.Upload(
            name, "".join(f"{t} Q0 {d} 1 {-n} {name}\n" for t in of for n, d in enumerate(DOCUMENTS)).encode()
        )
        for name, of in topics_of.items()
    ]
    qrels = evalcore.Upload("q", "".join(f"{t} 0 d00 {int(t != '8')}\n{t} 0 d01 0\n" for t in TOPICS).encode())
    table = evalcore.ask(evalcore.open_study(files, qrels, cache=False), "findings").table
    effect = table.drop_duplicates("check").set_index("check")["effect"]
    assert effect["missing topics"] == pytest.approx(3 / (5 * 8))  # of five systems on eight judged topics
    assert effect["no topic of the qrels"] == pytest.approx(1 / 5)
    assert effect["topics without judgments"] == pytest.approx(2 / 10)
    assert effect["no relevant document"] == pytest.approx(1 / 8)
    assert effect["assumed"] == 0


def test_what_changes_most_scores_comes_first():
    """As where two runs have no judged topic, many topics have no judgment, and many runs repeat documents."""
    lines = {f"s{n}": [(t, d) for t in TOPICS for d in DOCUMENTS] for n in range(12)}
    for n in range(6):
        lines[f"s{n}"] += [("1", d) for d in DOCUMENTS[: 10 + n]]
    lines["s11"] = [line for line in lines["s11"] if line[0] != "4"]
    lines |= {f"other{n}": [(f"en{t}", d) for t in range(8) for d in range(40)] for n in range(2)}
    files = [
        evalcore.Upload(name, "".join(f"{t} Q0 {d} 1 {-n} {name}\n" for n, (t, d) in enumerate(of)).encode())
        for name, of in lines.items()
    ]
    qrels = "".join(f"{t} 0 {d} {int(d < 'd10')}\n" for t in TOPICS for d in DOCUMENTS)
    answer = evalcore.ask(evalcore.open_study(files, evalcore.Upload("q", qrels.encode()), cache=False), "findings")
    lines = by_check(answer.table)
    wanted = ["topics without judgments", "no topic of the qrels", "duplicate documents", "missing topics"]
    assert [check for check in lines["check"] if check in wanted] == wanted
    (repeated,) = lines["message"][lines["check"] == "duplicate documents"]
    assert repeated == "6 runs (s5, s4, s3, …) repeat documents. The most affected: s5 (15 lines)."
    assert len(answer.table[answer.table["check"] == "duplicate documents"]) == 6


def run_lines(name, order, score):
    """A run whose rank column gives this order of documents, and whose scores are those of a function of the rank."""
    return "".join(f"{t} Q0 {t}{d} {k} {score(k)} {name}\n" for t in TOPICS for k, d in enumerate(order, 1)).encode()


def with_scores(score, order=DOCUMENTS, check="better by rank", others=0):
    """What is said of a run with such scores; judged are the first fifteen documents, of which other runs
    have eight or more, and five of them are relevant."""
    files = [evalcore.Upload("odd.run", run_lines("odd", order, score))]
    for n in range(others):
        own = DOCUMENTS[: 15 - n] + [f"s{n}-{k}" for k in range(15 + n)]
        files.append(evalcore.Upload(f"s{n}.run", run_lines(f"s{n}", own, lambda k: 99 - k)))
    qrels = "".join(f"{t} 0 {t}d{n:02} {int(n % 3 == 0)}\n" for t in TOPICS for n in range(15))
    study = evalcore.open_study(files, evalcore.Upload("q", qrels.encode()), cache=False)
    table = evalcore.ask(study, "findings").table
    warnings = table[table["severity"] != "note"]
    return list(warnings["message"][warnings["check"] == check]), list(warnings["check"])


@pytest.mark.parametrize("score", [lambda k: 1, lambda k: k % 3])
@pytest.mark.parametrize("others", [0, 6])
def test_a_run_whose_rank_column_orders_it_better_is_named_first(score, others):
    """Of its first ten by rank, four are relevant; by names, descending, none."""
    (message,), checks = with_scores(score, others=others)
    assert checks[0] == "better by rank"
    assert "top not judged" not in checks
    assert message.startswith("odd: 100% of its documents have tied scores")
    assert "by its rank column 40%. Read it in the order of that column (odd.run:order=rank" in message
    assert not [check for check in checks if check in ("one score", "ties", "run in another order", "barely judged")]


@pytest.mark.parametrize("score", [lambda k: 99 - k, lambda k: 99 - k // 2, lambda k: k * 7 % 31])
def test_a_run_whose_scores_order_it_well_is_not_named(score):
    assert with_scores(score)[0] == with_scores(score, DOCUMENTS[::-1])[0] == []


@pytest.mark.parametrize("turned", [True, False])
def test_the_sign_of_scores_is_to_be_checked_only_where_turning_them_helps(turned):
    """A run whose best documents are last, or at ranks 11 to 20."""
    order = DOCUMENTS[15:25] + DOCUMENTS[:15] + DOCUMENTS[25:] + [f"e{k}" for k in range(10)]
    order = DOCUMENTS[::-1] if turned else order
    messages = [
        message
        for check in ("run in another order", "run of other documents")
        for message in with_scores(lambda k: 99 - k, order, check, others=7)[0]
    ]
    assert messages
    assert any("the sign of its scores" in message for message in messages) == turned


@pytest.mark.parametrize(("grade_of", "named"), [(lambda n: 1 + min(n // 3, 2), True), (lambda n: 3 - (n > 20), False)])
def test_the_lowest_grade_is_best_only_where_systems_do_not_rank_the_highest_first(grade_of, named):
    """Most documents have grade 3, of 1 to 3; or of 2 and 3, which systems rank first."""
    runs = {f"s{n}": {t: ranked(shift=n) for t in TOPICS} for n in range(3)}
    qrels = {t: {d: grade_of(n) for n, d in enumerate(DOCUMENTS)} for t in TOPICS}
    assert len(found("lowest grade is best", runs, qrels)) == named


def test_one_odd_run_of_five_does_not_silence_reversed_grades():
    runs = {f"s{n}": {t: ranked() for t in TOPICS} for n in range(5)}
    runs["odd"] = {t: {f"{t}x{n}": 9.0 - n for n in range(30)} for t in TOPICS}
    qrels = {t: {d: int(n >= 15) for n, d in enumerate(DOCUMENTS)} for t in TOPICS}
    assert len(found("grades upside down", runs, qrels)) == 1


def test_one_run_gives_no_verdict_on_a_topic():
    runs = {"s": {t: ranked() for t in TOPICS}}
    qrels = {t: {d: int((n < 15) == (t != "1")) for n, d in enumerate(DOCUMENTS)} for t in TOPICS}
    assert not len(found("topic upside down", runs, qrels))


@pytest.mark.parametrize("judged", [True, False])
def test_grades_of_what_nobody_ranks_first_are_not_said_to_be_at_random(judged):
    """As of a later round, which judges what is left: the first five documents of all runs are not judged there."""
    rng = np.random.default_rng(3)
    names = [f"d{n:03}" for n in range(600)]
    runs = {
        f"s{s}": {t: {d: 99.0 - k for k, d in enumerate([*names[:5], *rng.permutation(names[5:])])} for t in TOPICS}
        for s in range(12)
    }
    qrels = {t: {d: int(rng.integers(2)) for d in names[0 if judged else 5 :]} for t in TOPICS}
    assert len(found("grades at random", runs, qrels)) == judged


def test_a_strange_run_is_said_to_be_so_without_a_double_negative():
    runs = {f"s{n}": {t: ranked(shift=n) for t in TOPICS} for n in range(6)}
    runs["odd"] = {t: {f"z{t}{n}": 9.0 - n for n in range(9)} for t in TOPICS}
    qrels = {t: dict.fromkeys(DOCUMENTS, 0) | {"d00": 1} for t in TOPICS}
    (said,) = found("run of other documents", runs, qrels)["message"]
    assert said.startswith("odd: only 0% of its top 10 documents are judged or in the top 100 of another run. ")


def refused(run, qrels="1 0 a 1\n1 0 b 0\n"):
    files = [evalcore.Upload("one.run", run.encode())], evalcore.Upload("qrels.txt", qrels.encode())
    with pytest.raises(evalcore.InputError) as refusal:
        evalcore.open_study(*files, cache=False)
    return refusal.value.problems[0].message


@pytest.mark.parametrize("missing", ["NaN", "nan", "-", "None", "N/A"])
def test_a_first_score_that_is_no_number_is_named_as_that(missing):
    lines = "".join(f"1\tQ0\td{n}\t{n}\t{missing if n < 40 else -n}\tr\n" for n in range(60))
    assert f'line 1: the score is "{missing}", but must be a' in refused(lines)


def test_columns_that_are_missing_are_counted_before_it_is_asked_which_is_which():
    lines = "".join(f"1\t{n}\t{n * 7919 % 10007}\t{n}\tr\n" for n in range(60))
    assert "5 columns where a run has 6 (topic Q0 document rank score tag); it is not clear which is the" in refused(
        lines
    )


@pytest.mark.parametrize(
    "page", ["<!DOCTYPE html>\n<html>", "<!-- saved from url -->\n<html>", "<pre>1 Q0 a 1 2 r</pre>"]
)
def test_a_saved_page_is_named_as_one(page):
    assert "one.run is an HTML or XML document (download the file itself)" in refused(page)


def test_two_assessors_in_one_file_are_to_be_opened_apart_and_a_slip_is_one():
    first = [f"1 0 d{n:02} {n % 2}\n" for n in range(30)]
    second = [f"1 0 d{n:02} {n % 3 % 2}\n" for n in range(30)]
    run = "1 Q0 d00 1 2 r\n"
    both = refused(run, "".join(first + second))
    assert both.endswith("Give each a file of its own, and open them as first and second judgments.")
    assert "second" not in refused(run, "".join([*first, "1 0 d00 1\n"]))


@pytest.mark.parametrize("by_document", [False, True])
def test_judgments_for_subtopics_are_not_called_a_second_assessors(by_document):
    rows = [(topic, subtopic, f"d{topic}{n:02}", (n + subtopic) % 2) for topic in range(1, 6) for subtopic in (1, 2, 3)
            for n in range(10)]  # fmt: skip
    rows.sort(key=lambda row: (row[0], row[2] if by_document else ""))
    table = "topic,subtopic,docno,judgment\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    message = refused("1 Q0 d100 1 2 r\n", table)
    assert "second" not in message
    assert "for subtopics" in message
    two = [f"{t} 0 d{t}{n:02} {(n + more) % 2}\n" for more in (0, 1) for t in range(1, 6) for n in range(10 + 5 * more)]
    assert "A second assessor's judgments seem to follow" in refused("1 Q0 d100 1 2 r\n", "".join(two))


@pytest.mark.parametrize(
    ("highest", "lost"),
    [(100_000, "2 lower grades (1, 2) count"), (55, "2 lower"), (54, "1 lower grade (1) counts"), (53, "")],
)
def test_exponential_gains_that_vanish_are_said(highest, lost):
    qrels = {t: {"d00": highest, "d01": 1, "d02": 2, "d03": 0} for t in TOPICS}
    runs = {"s": {t: ranked() for t in TOPICS}}
    messages = list(found("gains lost", runs, qrels, gains="exponential")["message"])
    assert len(messages) == bool(lost)
    assert all(lost in message for message in messages)
    assert (1.0 + 2.0 ** (1 - highest) == 1.0) == bool(lost)  # what grade 1 adds to the highest
    assert found("gains lost", runs, qrels, gains="linear").empty


def of_arguments(name, *, itself=99, relevant=False):
    """Two runs of six queries whose documents are the queries; the first ranks each query itself. -> runs, qrels"""
    topics = [name.format(n) for n in range(1, 7)]
    runs = {s: {t: {d: 9.0 - n for n, d in enumerate(topics) if d != t} for t in topics} for s in ("own", "other")}
    runs["own"] = {t: of | {t: itself} for t, of in runs["own"].items()}
    qrels = {t: {d: int(n % 3 == 0) for n, d in enumerate(topics) if d != t} for t in topics}
    return runs, {t: of | {t: 1} for t, of in qrels.items()} if relevant else qrels


@pytest.mark.parametrize(
    ("name", "options", "named"),
    [
        ("arg{}", {}, ["own"]),
        ("arg{}", {"itself": 5.5}, ["own"]),
        ("arg{}", {"relevant": True}, []),  # a known item, which is looked for
        ("{}", {}, ["own"]),
        ("{}", {"itself": 5.5}, []),  # a document may have a topic's number
    ],
)
def test_a_run_that_ranks_the_query_itself_is_named(name, options, named):
    rows = found("query ranks itself", *of_arguments(name, **options))
    assert list(rows["system"]) == named
    assert all("in 6 of 6 rankings" in message for message in rows["message"])


def test_queries_are_left_out_as_pytrec_eval_scores_without_them():
    runs, qrels = of_arguments("arg{}")
    files = [
        evalcore.Upload(s, "".join(f"{t} Q0 {d} 1 {v} {s}\n" for t, of in run.items() for d, v in of.items()).encode())
        for s, run in runs.items()
    ]
    judged = evalcore.Upload(
        "q", "".join(f"{t} 0 {d} {g}\n" for t, of in qrels.items() for d, g in of.items()).encode()
    )
    study = evalcore.open_study(files, judged, itself="drop", cache=False)
    without = {t: {d: v for d, v in of.items() if d != t} for t, of in runs["own"].items()}
    expected = pytrec_eval.RelevanceEvaluator(qrels, {"map"}).evaluate(without)
    table = evalcore.ask(study, "leaderboard", metric="AP").table.set_index("system")["value"]
    assert table["own"] == pytest.approx(np.mean([of["map"] for of in expected.values()]))
    findings = evalcore.ask(study, "findings").table.set_index("check")["message"]
    assert findings["query left out"] == "own: 6 documents with the name of the query were left out."
    assert "query ranks itself" not in findings
    with pytest.raises(ValueError, match="'never' is not known"):
        evalcore.open_study(files, judged, itself="never", cache=False)


def test_a_topic_with_few_judged_documents_may_have_none_that_a_run_found():
    runs = {f"s{s}": {t: {f"{t}-{n}": 99.0 - n for n in range(30)} for t in TOPICS} for s in range(6)}
    for count, named in ((3, []), (12, ["3"])):
        qrels = {t: {f"{t}-{n}": n % 2 for n in range(30)} for t in TOPICS} | {"3": {f"x{n}": 1 for n in range(count)}}
        assert list(found("judgments of another topic", runs, qrels)["topic"]) == named


def test_a_part_of_the_collection_without_judgments_is_lost_and_no_sample():
    """Of all that runs rank first the documents of one source are not judged: half, which a sample would be, too."""
    names = [f"{'FT' if n % 2 else 'LA'}{n}" for n in range(40)]
    runs = {
        f"s{s}": {t: {name: -float((n + s) % 40) for n, name in enumerate(names)} for t in TOPICS} for s in range(6)
    }
    judged = {t: {name: n % 3 for n, name in enumerate(names) if name.startswith("FT")} for t in TOPICS}
    (said,) = found("popular documents not judged", runs, judged)["message"]
    assert said.startswith("None of ")
    assert "documents called LA… that many runs rank in their top 5 is judged" in said
    assert found("judgments are a sample", runs, judged).empty


def test_two_topics_of_one_list_are_named_where_other_runs_tell_them_apart():
    runs = {f"s{n}": {t: ranked(shift=3 * int(t) + n) for t in TOPICS} for n in range(6)}
    pairs = list(zip(TOPICS[::2], TOPICS[1::2], strict=True))
    mixed = {one: runs["s0"][first] for first, second in pairs for one in (first, second)}
    qrels = {t: {D: int((n + int(t)) % 5 == 0) for n, D in enumerate(DOCUMENTS)} for t in TOPICS}
    (said,) = found("one list for two topics", runs | {"mixed": mixed}, qrels)["message"]
    assert said.startswith("mixed: it has the same top 10 for topics ")
    assert any(f"topics {one} and {other}, and 8 topics in all" in said for one, other in pairs)
    assert found("one list for two topics", runs, qrels).empty


def test_the_checks_report_their_steps_and_can_be_stopped():
    study, steps = small_study({"s": {"1": ranked()}}, {"1": {"d00": 1, "d01": 0}}), []
    evalcore.ask(study, "findings", progress=lambda *step: steps.append(step))
    assert [done for done, _ in steps] == list(range(len(steps)))
    assert {total for _, total in steps} == {checks.STEPS}
    assert len(steps) == checks.STEPS

    def stop(done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evalcore.ask(study, "findings", progress=stop)
