"""Judgments against dicts: what a grade is worth by every option, what is in force, and which documents are best."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore
from evalcore.collection.judgments import Judgments, Scale, judgments_from
from tests.oracles import metrics as oracle
from tests.oracles.ranking import is_judged

GRADES = st.sets(st.integers(-3, 4), min_size=1, max_size=5).map(lambda some: tuple(sorted(some)))
NEGATIVE = st.sampled_from(["split", "unjudged", "judged"])
QRELS = st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 5)), st.integers(-2, 3), min_size=1)


@given(grades=GRADES, rel_level=st.integers(0, 3), negative=NEGATIVE)
def test_a_grade_is_read_as_the_options_say(grades, rel_level, negative):
    scale = Scale(grades, rel_level, "binary", negative)
    for level, grade in enumerate(grades, 1):
        judged = is_judged(grade, negative=negative)
        assert scale.judged[level] == judged
        assert scale.relevant[level] == (judged and grade >= rel_level)
        assert scale.nonrelevant[level] == (0 <= grade < rel_level)
    assert not any(table[0] for table in (scale.judged, scale.relevant, scale.nonrelevant, scale.gain, scale.worth))


@given(grades=GRADES, gains=st.sampled_from(["binary", "linear", "exponential"]), negative=NEGATIVE)
def test_a_grade_gains_by_the_rule(grades, gains, negative):
    scale = Scale(grades, 1, gains, negative)
    g_max = max(1, *grades) if len(grades) > 1 else max(1, grades[0])
    for level, grade in enumerate(grades, 1):
        if not is_judged(grade, negative=negative):
            assert scale.gain[level] == scale.worth[level] == 0
            continue
        gain = oracle.gain_of(grade, rel_level=1, gains=gains, g_max=g_max)
        assert scale.gain[level] == pytest.approx(gain)
        assert scale.gain[level] <= scale.r_max
        assert scale.worth[level] == pytest.approx(gain if gains == "exponential" else max(grade, 0))


def test_gains_may_be_given():
    scale = Scale((0, 1, 2), gains={0: 0.0, 1: 0.3, 2: 0.9})
    assert scale.gain.tolist() == scale.worth.tolist() == [0, 0, 0.3, 0.9]
    assert scale.r_max == 0.9


def test_fractional_grades_are_gains():
    """Gains, and nDCG over the grades, by their definitions."""
    grades = (0, 0.5, 2.25)
    assert Scale(grades, gains="linear").gain.tolist() == [0, 0, 0.5 / 2.25, 1]
    assert Scale(grades, gains="exponential").gain == pytest.approx([0, *((2**g - 1) / 2**2.25 for g in grades)])
    assert Scale(grades, rel_level=0.5).relevant.tolist() == [False, False, True, True]
    assert Scale(grades, gains={0: 0, 0.5: 0.1, 2.25: 1}).gain.tolist() == [0, 0, 0.1, 1]
    run = evalcore.Upload("a.run", b"1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n")
    qrels = evalcore.Upload("q", b"1 0 a 0.5\n1 0 b 0\n1 0 c 2.25\n")
    study = evalcore.open_study(run, qrels, rel_level=0.5, cache=False, empty="not relevant")
    value = lambda metric: evalcore.ask(study, "leaderboard", metric=metric).table["value"][0]  # noqa: E731
    assert value("nDCG@3") == pytest.approx((0.5 + 2.25 / 2) / (2.25 + 0.5 / np.log2(3)))
    assert value("AP") == pytest.approx((1 + 2 / 3) / 2)
    assert value("RBP(p=0.5)") == pytest.approx(0.5 * (0.5 / 2.25) + 0.125)
    assert (study.options["gains"], study.judgments.scale.gains) == (None, "linear")
    assert [one.check for one in study.findings if one.check == "fractional grades"] == []  # a level was chosen
    written = evalcore.open_study(run, qrels, rel_level=0.5, gains="binary", cache=False, empty="not relevant")
    assert evalcore.ask(written, "leaderboard", metric="RBP(p=0.5)").table["value"][0] == pytest.approx(0.5 + 0.125)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"rel_level": True}, "rel_level=True is not valid; it must be a number, such as 1 or 0.5."),
        ({"negative": "keep"}, "negative='keep' is not known. Known: split, unjudged, judged."),
        ({"gains": "log"}, "gains='log' is not known. Known: binary, linear, exponential, or a dict such as"),
        ({"gains": {0: 0.0}}, "gains has no entry for grade 1, which the qrels contain. Add it."),
        ({"gains": {0: 0.0, 1: 2.0}}, "gains gives 2.0 to grade 1; a gain must be between 0 and 1."),
        ({"gains": {0: 0.0, 1: 0.0}}, "gains gives 0 to every grade; give at least one grade a gain above 0."),
    ],
)
def test_what_no_scale_can_be_is_said(options, sentence):
    with pytest.raises(ValueError) as refused:  # noqa: PT011  (the words follow)
        Scale((0, 1), **options)
    assert str(refused.value).startswith(sentence)


def made(qrels):
    """Judgments of {(topic, document): grade} over 3 topics of 6 documents; item 1 + 6 topic + document."""
    grade, listed = np.zeros(19, int), np.zeros(19, bool)
    for (topic, document), value in qrels.items():
        grade[1 + 6 * topic + document], listed[1 + 6 * topic + document] = value, True
    topic_of_item = np.concatenate([[-1], np.repeat(np.arange(3), 6)])
    return judgments_from(grade, listed, topic_of_item=topic_of_item, topics=3)


@given(qrels=QRELS)
def test_counts_are_those_of_the_dict(qrels):
    judgments = made(qrels)
    for topic in range(3):
        grades = [grade for (of, _), grade in qrels.items() if of == topic]
        assert judgments.relevant[topic] == sum(grade >= 1 for grade in grades)
        assert judgments.nonrelevant[topic] == sum(grade == 0 for grade in grades)
        assert judgments.count(judgments.scale.judged)[topic] == sum(grade != -1 for grade in grades)
    assert judgments.pooled_items.tolist() == sorted(1 + 6 * topic + document for topic, document in qrels)
    assert judgments.grade[judgments.pooled_items].tolist() == [qrels[pair] for pair in sorted(qrels)]


@given(qrels=QRELS, keep=st.sets(st.integers(0, 18)))
def test_fewer_judgments_are_those_of_the_items_kept(qrels, keep):
    few = made(qrels).only(np.isin(np.arange(19), list(keep)))
    left = {pair: grade for pair, grade in qrels.items() if 1 + 6 * pair[0] + pair[1] in keep}
    assert few.pooled_items.tolist() == sorted(1 + 6 * topic + document for topic, document in left)
    assert few.scale is not None
    assert few.scale.grades == made(qrels).scale.grades  # the file's, so that gains stay what they are


@given(qrels=QRELS, keep=st.sets(st.integers(0, 18)))
def test_what_is_known_of_all_judgments_is_right_of_fewer(qrels, keep):
    judgments = made(qrels)
    assert judgments.best_relevant.size <= judgments.best.size  # known before some are taken away
    few = judgments.only(np.isin(np.arange(19), list(keep)))
    anew = Judgments(few.level, few.stratum, few.scale, few.topic_of_item, few.topics)
    for name in ("pooled_items", "best", "best_relevant", "best_of_topic", "standing", "relevant", "nonrelevant"):
        assert getattr(few, name).tolist() == getattr(anew, name).tolist(), name


def test_fewer_judgments_may_be_taken_while_somebody_else_learns_of_all():
    judgments = made({(topic, document): 1 for topic in range(3) for document in range(6)})
    assert judgments.best.size
    asked = iter(["relevant", "nonrelevant"])

    class Keep(np.ndarray):
        def __getitem__(self, items):
            getattr(judgments, next(asked))  # as another thread may ask in between
            return super().__getitem__(items)

    few = judgments.only(np.ones(19, bool).view(Keep))
    assert few.best.tolist() == judgments.best.tolist()


@given(qrels=QRELS)
def test_the_best_documents_stand_highest_first(qrels):
    judgments = made(qrels)
    for topic in range(3):
        worthy = [pair for pair, grade in qrels.items() if pair[0] == topic and grade > 0]
        worthy.sort(key=lambda pair: (-qrels[pair], pair))
        items = [1 + 6 * topic + document for _, document in worthy]
        assert judgments.best[judgments.topic_of_item[judgments.best] == topic].tolist() == items
        assert judgments.best_of_topic[topic] == (items[0] if items else 0)
        assert judgments.standing[items].tolist() == list(range(len(items)))


def test_an_item_has_a_level_and_a_stratum_or_neither():
    scale, topics = Scale((0, 1)), np.array([-1, 0, 0])
    with pytest.raises(ValueError, match="if and only if it has a stratum"):
        Judgments(np.array([0, 1, 0]), np.array([0, 1, 1], np.int8), scale, topics, 1)
    with pytest.raises(ValueError, match="a level, a stratum and a topic for every item"):
        Judgments(np.array([0, 1]), np.array([0, 1, 1], np.int8), scale, topics, 1)
