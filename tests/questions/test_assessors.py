"""Assessors against scikit-learn, statsmodels, SciPy and plain loops. METHODS 13.8."""

import random
import re
import shutil

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.multitest import multipletests

import evalcore
from evalcore.statistics import significance
from tests.questions.test_judges import LENIENT, PEOPLE, RUNS, opened

NAMES = ("ann", "bob", "cas")


def upload(text):
    return evalcore.Upload("assessors.csv", text.encode())


def judgments(seed=0, twice=0.4):
    """(topic, assessor, document, grade), in the order of judging; cas is stricter, and some documents come twice."""
    draw, rows = random.Random(seed), []
    for place, (topic, of) in enumerate(PEOPLE.items()):
        for document, grade in of.items():
            second = [draw.choice(NAMES)] if draw.random() < twice else []
            for name in dict.fromkeys([NAMES[place % 3], *second]):
                rows.append((topic, name, document, max(0, grade - (name == "cas" or draw.random() < 0.2))))
    return rows


def written(rows, header="topic,assessor,document,grade"):
    return upload("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")


def ask(question, table, study=None, **params):
    return evalcore.ask(study or opened(), question, assessors=table, **params)


def of(rows, name):
    return [row for row in rows if row[1] == name]


def share(rows):
    return sum(row[3] >= 1 for row in rows) / len(rows) if rows else np.nan


@pytest.mark.parametrize("seed", range(3))
def test_assessors_by_plain_counts_and_scikit_learn(seed):
    rows = judgments(seed)
    table = ask("assessors", written(rows), judge="lenient").table
    assert sorted(table["assessor"]) == sorted(NAMES)
    assert list(table["share_relevant"]) == sorted(table["share_relevant"], reverse=True)
    for row in table.itertuples():
        own = of(rows, row.assessor)
        assert (row.topics, row.judged) == (len({one[0] for one in own}), len(own))
        assert row.share_relevant == pytest.approx(share(own))
        assert row.mean_grade == pytest.approx(sum(one[3] for one in own) / len(own))
        popular = [one for one in own if sum(one[2] in run[one[0]] for run in RUNS.values()) >= 4]
        assert (row.popular, row.share_relevant_popular) == (len(popular), pytest.approx(share(popular)))
        theirs = [LENIENT[topic][document] for topic, _, document, _ in own]
        assert row.share_relevant_other == pytest.approx(sum(grade >= 1 for grade in theirs) / len(own))
        grades = [one[3] for one in own]
        assert row.both == len(own)
        assert row.kappa == pytest.approx(cohen_kappa_score(grades, theirs))
        assert row.kappa_weighted == pytest.approx(cohen_kappa_score(grades, theirs, weights="quadratic"))


def test_without_grades_those_of_the_judgments_count_and_without_documents_the_whole_topic():
    topics = [(topic, NAMES[place % 2]) for place, topic in enumerate(PEOPLE)]
    table = ask("assessors", written(topics, "query_id\tWorker ID".replace("\t", ","))).table.set_index("assessor")
    for name in NAMES[:2]:
        grades = [grade for topic, who in topics if who == name for grade in PEOPLE[topic].values()]
        assert table.judged[name] == len(grades)
        assert table.mean_grade[name] == pytest.approx(np.mean(grades))
    some = [(topic, "ann", document) for topic, of_topic in PEOPLE.items() for document in [*of_topic][:3]]
    (row,) = ask("assessors", written([*some, some[0]], "topic,annotator,docno")).table.itertuples()
    assert row.judged == len(some)  # a repeated line is the same judgment
    assert row.mean_grade == pytest.approx(np.mean([PEOPLE[topic][document] for topic, _, document in some]))


def test_no_judge_is_needed():
    answer = ask("assessors", written(judgments()), opened({}))
    assert answer.table["kappa"].isna().all()
    assert (answer.table["both"] == 0).all()
    assert "no judge" in answer.notes[0]


@pytest.mark.parametrize("seed", range(3))
def test_documents_judged_twice_by_scikit_learn(seed):
    rows = judgments(seed)
    table = ask("assessors_twice", written(rows)).table
    pairs = {}
    for a in rows:
        for b in rows:
            if (a[0], a[2]) == (b[0], b[2]) and a[1] < b[1]:
                pairs.setdefault((a[1], b[1]), []).append((a[3], b[3]))
    assert set(zip(table["a"], table["b"], strict=True)) == set(pairs)
    assert list(table["both"]) == sorted(map(len, pairs.values()), reverse=True)
    for row in table.itertuples():
        first, second = zip(*pairs[row.a, row.b], strict=True)
        assert row.same == sum(a == b for a, b in pairs[row.a, row.b])
        assert row.kappa == pytest.approx(cohen_kappa_score(first, second))
        assert row.kappa_weighted == pytest.approx(cohen_kappa_score(first, second, weights="quadratic"))
        assert row.share_relevant == pytest.approx(np.mean([grade >= 1 for grade in first]))
        assert row.share_relevant_other == pytest.approx(np.mean([grade >= 1 for grade in second]))


def test_one_who_judges_again_is_compared_with_the_earlier_judgment():
    rows = [("t00", "ann", "d00", 2), ("t00", "ann", "d01", 0), ("t00", "ann", "d00", 1), ("t00", "ann", "d01", 0)]
    (row,) = ask("assessors_twice", written(rows)).table.itertuples()
    assert (row.a, row.b, row.both, row.same) == ("ann", "ann", 2, 1)
    assert row.kappa == pytest.approx(cohen_kappa_score([2, 0], [1, 0]))


@pytest.mark.parametrize("seed", range(3))
def test_drift_by_statsmodels_and_scipy(seed):
    rows = judgments(seed)
    table = ask("assessor_drift", written(rows)).table
    assert list(table["p_corrected"]) == pytest.approx(multipletests(table["p"], method="holm")[1])
    for row in table.itertuples():
        own = of(rows, row.assessor)
        by_topic = {topic: [one for one in own if one[0] == topic] for topic in dict.fromkeys(one[0] for one in own)}
        if row.by == "topics":
            shares, half = [share(some) for some in by_topic.values()], len(by_topic) // 2
            first, second = shares[:half], shares[-half:]
            expected = [np.mean(first), np.mean(second), scipy.stats.mannwhitneyu(first, second).pvalue]
        else:
            tables, early, late = [], [], []
            for some in by_topic.values():
                half = len(some) // 2
                if half:
                    early += some[:half]
                    late += some[-half:]
                    counts = [sum(one[3] >= 1 for one in part) for part in (some[:half], some[-half:])]
                    tables.append([[count, half - count] for count in counts])
            test = StratifiedTable([np.array(one, float) for one in tables]).test_null_odds(correction=False)
            expected = [share(early), share(late), test.pvalue]
        assert [row.share_first, row.share_second, row.p] == pytest.approx(expected), (row.by, row.assessor)


def test_the_example_of_the_methods():
    counts = (np.array([value]) for value in (10, 0, 10))
    assert significance.stratified_test(*counts) == pytest.approx(scipy.stats.chi2.sf(19, 1))
    assert np.isnan(significance.stratified_test(np.array([2]), np.array([2]), np.array([2])))


def test_an_assessor_who_grows_stricter_is_found_and_one_who_does_not_is_not():
    draw = random.Random(3)
    rows = []
    for topic in PEOPLE:
        for n in range(20):
            rows.append((topic, "ann", f"d{n:02d}", int(draw.random() < (0.7 if n < 10 else 0.3))))
            rows.append((topic, "bob", f"d{n:02d}", int(draw.random() < 0.5)))
    answer = ask("assessor_drift", written(rows))
    found = answer.table[answer.table["p_corrected"] < 0.05]
    assert list(zip(found["by"], found["assessor"], strict=True)) == [("documents", "ann")]
    assert answer.finding.headline.startswith("ann became stricter: ")


def test_times_give_the_order():
    rows = [(topic, name, document, grade, n) for n, (topic, name, document, grade) in enumerate(judgments())]
    expected = ask("assessor_drift", written(rows, "topic,assessor,document,grade,order")).table
    shuffled = random.Random(1).sample(rows, len(rows))
    pd.testing.assert_frame_equal(
        ask("assessor_drift", written(shuffled, "topic,assessor,document,grade,order")).table, expected
    )
    start = pd.Timestamp("2026-01-31T23:50:00Z")
    dated = [(*row[:4], (start + pd.Timedelta(minutes=row[4])).isoformat()) for row in shuffled]
    table = ask("assessor_drift", written(dated, "topic,assessor,document,grade,timestamp")).table
    pd.testing.assert_frame_equal(table, expected)


def test_grades_may_be_words_and_lower_than_what_is_relevant():
    rows = [("t00", "ann", "d00", "relevant"), ("t00", "ann", "d01", "Not relevant"), ("t00", "ann", "x", "relevant")]
    for study in (opened({}), opened({}, rel_level=2)):
        (row,) = ask("assessors", written(rows), study).table.itertuples()
        assert (row.judged, row.share_relevant, row.mean_grade) == (3, pytest.approx(2 / 3), pytest.approx(2 / 3))


def test_rows_with_an_empty_cell_are_ignored_with_a_note():
    study = opened({}).with_assessors(upload("topic,assessor\nt00,ann\nt01,\nt02,bob\n"))
    assert study.assessors["topic"].tolist() == ["t00", "t02"]
    assert study.findings[-1].message == "1 row of assessors.csv with an empty cell is ignored."


def test_topics_that_are_not_looked_at_do_not_count():
    study = opened({}).only(topics=["t00", "t01"])
    rows = judgments()
    table = ask("assessors", written(rows), study).table
    assert table["judged"].sum() == sum(row[0] in ("t00", "t01") for row in rows)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("topic,who\nt00,ann\n", "assessors.csv, line 1: no column 'assessor' among topic, who. Name it in line 1."),
        ("assessor,n\nann,1\n", "assessors.csv, line 1: no column 'topic' among assessor, n. Name it in line 1."),
        (
            "topic,assessor\n77,ann\n",
            "assessors.csv has no topic of this track (77; the track has t00, t01, t02, ...).",
        ),
        ("topic,assessor,document,grade\nt00,ann,d00,good\n", "assessors.csv has grades that are no numbers (good)."),
        ("topic,assessor,time\nt00,ann,noon\n", "assessors.csv has times that cannot be put in order (noon)."),
        (
            "topic,assessor\nt00,\n",
            "assessors.csv has no row without an empty cell. Fill in the columns topic, assessor.",
        ),
        ("", "assessors.csv is empty; a table of assessors is CSV, TSV or Excel"),
    ],
)
def test_tables_that_cannot_be_used(text, sentence):
    with pytest.raises(evalcore.InputError, match="^" + re.escape(sentence)):
        opened({}).with_assessors(upload(text))


@pytest.mark.parametrize(
    ("question", "text", "sentence"),
    [
        ("assessors", None, "the files do not show who judged what. Load a table"),
        ("assessors", "topic,assessor,document\nt00,ann,x\n", "no document in the table of assessors is judged."),
        ("assessors_twice", "topic,assessor\nt00,ann\n", "the table of assessors has no grades."),
        ("assessors_twice", "topic,assessor,document,grade\nt00,ann,d00,1\n", "no document is judged twice"),
    ],
)
def test_what_is_refused_says_why(question, text, sentence):
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        ask(question, text and upload(text))


def test_the_script_of_an_answer_reads_the_table_again(tmp_path):
    study = evalcore.open_study("sample_data/variations/runs", "sample_data/variations/qrels.txt", variations="run")
    (tmp_path / "who.csv").write_text("topic,assessor\n" + "".join(f"{topic},ann\n" for topic in study.topics))
    answer = evalcore.ask(study, "assessors", assessors=tmp_path / "who.csv")
    files = [(source.role, source.name.rsplit("/", 1)[-1], source.sha256) for source in answer.sources]
    shutil.copytree("sample_data/variations", tmp_path / "track")
    again = evalcore.ask(evalcore.reopen(files, tmp_path, **answer.options), answer.question, **answer.params)
    pd.testing.assert_frame_equal(again.table, answer.table)
