"""Places against lists: which documents of a ranking the judgments speak of, and what is made of them."""

import contextlib
import gc

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import evalcore
from evalcore.collection.judged_positions import Places, ideal
from evalcore.metrics.intervals import promoted
from tests.oracles.ranking import order
from tests.small import small_study, tracks

TRACKS = tracks(systems=3, grades=(-1, 0, 1, 2))


def listed(study, places):
    """{(system, query): [(rank, document, grade)]} of places."""
    Q = study.track.shape[1]
    found = {(s, q): [] for s in study.systems for q in study.track.queries}
    for row, rank, item in zip(places.row, places.rank, places.item, strict=True):
        key = study.systems[row // Q], study.track.queries[row % Q]
        (document,) = study.track.documents([item])
        found[key].append((int(rank), document, int(places.judgments.grade[item])))
    return found


def expected(study, runs, qrels, keep=lambda rank, grade: True):
    """The same from the dicts: the documents that the qrels name, where `keep` says so."""
    found = {}
    for system in study.systems:
        for query in study.track.queries:
            ranked = order(runs[system].get(query, {}))
            judged = qrels.get(query, {})
            places = [(rank, d, judged[d]) for rank, d in enumerate(ranked) if d in judged]
            found[system, query] = [place for place in places if keep(place[0], place[2])]
    return found


@given(track=TRACKS)
def test_places_are_the_documents_that_the_qrels_name(track):
    runs, qrels = track
    study = small_study(runs, qrels)
    assert listed(study, study.places) == expected(study, runs, qrels)
    lengths = [len(runs[s].get(q, {})) for s in study.systems for q in study.track.queries]
    assert study.places.lengths.tolist() == lengths


@given(track=TRACKS, k=st.integers(1, 9))
def test_some_of_the_places(track, k):
    runs, qrels = track
    study = small_study(runs, qrels)
    places = study.places
    assert listed(study, places.within(k)) == expected(study, runs, qrels, lambda rank, grade: rank < k)
    assert listed(study, places.relevant) == expected(study, runs, qrels, lambda rank, grade: grade >= 1)
    assert listed(study, places.judged) == expected(study, runs, qrels, lambda rank, grade: grade != -1)
    first = [min((rank for rank, _, _ in row), default=np.inf) for row in expected(study, runs, qrels).values()]
    assert places.first_rank.tolist() == first


@given(track=TRACKS)
def test_condensed_rankings_are_closed_up(track):
    runs, qrels = track
    study = small_study(runs, qrels)
    condensed = study.places.condensed()
    judged = expected(study, runs, qrels, lambda rank, grade: grade != -1)
    closed_up = {key: [(n, *place[1:]) for n, place in enumerate(row)] for key, row in judged.items()}
    assert listed(study, condensed) == closed_up
    assert condensed.lengths.tolist() == [len(row) for row in judged.values()]
    assert not condensed.endless


@given(track=TRACKS, data=st.data())
def test_a_ranking_as_it_stands_after_each_rank(track, data):
    runs, qrels = track
    study = small_study(runs, qrels)
    places = study.places
    assume(places.rows)
    row = data.draw(st.integers(0, places.rows - 1))
    assume(places.lengths[row])
    cut = places.cut_after_each(row)
    whole = list(expected(study, runs, qrels).values())[row]
    assert cut.lengths.tolist() == list(range(1, places.lengths[row] + 1))
    for k in range(cut.rows):
        here = slice(cut.starts[k], cut.starts[k + 1])
        assert cut.rank[here].tolist() == [rank for rank, _, _ in whole if rank <= k]


@given(track=TRACKS)
def test_blocks_are_all_of_the_places(track):
    runs, qrels = track
    places = small_study(runs, qrels).places
    rows, items = [], []
    for some, block in places.blocks():
        rows += range(some.start, some.stop)
        items += block.item.tolist()
        assert block.rows == some.stop - some.start
    assert rows == list(range(places.rows))
    assert items == places.item.tolist()


@given(track=TRACKS)
def test_the_ideal_ranking_holds_what_is_worth_something(track):
    _, qrels = track
    study = small_study(*track)
    best = ideal(study.judgments)
    for t, topic in enumerate(study.track.topics):
        grades = sorted((grade for grade in qrels.get(topic, {}).values() if grade > 0), reverse=True)
        here = slice(best.starts[t], best.starts[t + 1])
        assert study.judgments.grade[best.item[here]].tolist() == grades
        assert best.rank[here].tolist() == list(range(len(grades)))


def lucky(ranked, judged, k=None):
    """The grades of a ranking when the relevant documents that it lacks stand in its first unjudged ranks."""
    missing = sorted((g for d, g in judged.items() if g >= 1 and d not in ranked), reverse=True)
    grades = [judged.get(document, -1) for document in ranked]
    for rank, grade in enumerate(grades if k is None else grades[:k]):
        if grade == -1 and missing:
            grades[rank] = missing.pop(0)
    return grades


@given(track=TRACKS)
def test_a_lucky_assessor_fills_the_first_gaps_with_the_best(track):
    runs, qrels = track
    study = small_study(runs, qrels)
    lucky_places = promoted(study.places)
    rows = [(s, q) for s in study.systems for q in study.track.queries]
    for row, (system, query) in enumerate(rows):
        grades = lucky(order(runs[system].get(query, {})), qrels.get(query, {}))
        here = slice(lucky_places.starts[row], lucky_places.starts[row + 1])
        assert lucky_places.rank[here].tolist() == [rank for rank, grade in enumerate(grades) if grade >= 1]
        assert study.judgments.grade[lucky_places.item[here]].tolist() == [grade for grade in grades if grade >= 1]


def test_no_place_is_lost_in_a_track_without_judgments():
    study = small_study({"s": {"t": {"a": 1.0}}}, {})
    assert study.places.size == 0
    assert study.places.rows == 1
    with pytest.raises(IndexError):
        study.places.rank[0]


@pytest.mark.parametrize("question", ["scores", "leave_out", "pool", "holes", "models", "estimator_error", "fuse"])
@pytest.mark.parametrize("grades", [(1,), (0, 1), (-1, 0, 1, 2)])  # where all are relevant, the relevant are the places
def test_what_is_let_go_is_free_at_once(question, grades):
    """Nothing of a study holds itself, so that it needs no collection to be freed."""
    qrels = {f"t{t}": {f"d{d}": grades[d % len(grades)] for d in range(6)} for t in range(4)}
    runs = {f"s{s}": {topic: {f"d{(d + s) % 6}": 9.0 - d for d in range(6)} for topic in qrels} for s in range(3)}
    gc.collect()
    before = {id(thing) for thing in studies_and_places()}  # of other tests
    gc.disable()
    try:
        study = small_study(runs, qrels)
        with contextlib.suppress(ValueError):
            for name in ("AP", "nDCG", "bpref"):
                evalcore.ask(study, question, **({"metric": name} if takes_metric(question) else {}))
        del study
        assert {id(thing) for thing in studies_and_places()} <= before
    finally:
        gc.enable()


def studies_and_places():
    """Those that nobody has freed yet."""
    return [thing for thing in gc.get_objects() if isinstance(thing, (Places, evalcore.Study))]


def takes_metric(question):
    return "metric" in evalcore.QUESTIONS[question].parameters
