"""What cannot be said where the files do not show who formed the pool: refused in words, until somebody tells."""

import pytest

import evalcore
from evalcore.vocabulary.validation import NotKnown
from tests.small import small_study

NAMES = [str(number) for number in range(2)]
RUNS = {  # the first two are judged down to rank 3, the others hardly; too few for the files to show it
    **{f"c{n}": {t: {"x": 4.0, "y": 3.0, f"own{n}": 2.0, f"z{n}": 1.0} for t in NAMES} for n in range(2)},
    **{f"o{n}": {t: {f"u{n}": 3.0, "x": 2.0, f"v{n}": 1.0} for t in NAMES} for n in range(2)},
}
QRELS = {t: {"x": 1, "y": 0, "own0": 1, "own1": 1, "elsewhere": 1} for t in NAMES}
REFUSED = {
    "leave_out": {}, "bias_by_width": {"widths": [1], "repeats": 2}, "newcomer": {"system": "c0", "common": 2},
    "adjust_from_topics": {"system": "c0", "common": 2},
    "adjustment_experiment": {"widths": [1], "common": [2], "system_samples": 2, "topic_samples": 2}, "holes": {},
}  # fmt: skip
COMPUTED = {  # these ask what the judgments of these systems teach, whoever formed the pool
    "estimator_error": {"depths": [1], "reference_depth": 3}, "coverage": {"depths": [2]}, "judging_orders": {},
    "depth_sweep": {}, "pool": {},
}  # fmt: skip


@pytest.mark.parametrize("question", REFUSED)
@pytest.mark.parametrize("depth", [None, 2])
def test_what_hangs_on_the_contributors_is_refused_until_they_are_told(question, depth):
    asked = REFUSED[question] | ({} if depth is None else {"depth": depth})
    with pytest.raises(
        NotKnown, match=r"do not show which systems contributed .* Mark the contributing systems .* Set the pool depth"
    ):
        evalcore.ask(small_study(RUNS, QRELS), question, **asked)
    for told in ({"pooled": ["c0", "c1"]}, {"pool_depth": 3}):
        answer = evalcore.ask(small_study(RUNS, QRELS, **told), question, **asked)
        inferred = ["2 of 4" in caveat for caveat in answer.finding.caveats if caveat.startswith("Assumes")]
        assert inferred == [True] * ("pool_depth" in told)


@pytest.mark.parametrize("question", COMPUTED)
def test_what_does_not_is_computed_and_says_what_it_takes_for_granted(question):
    caveats = evalcore.ask(small_study(RUNS, QRELS), question, **COMPUTED[question]).finding.caveats
    assert any("every system contributed" in caveat for caveat in caveats)
    named = evalcore.ask(small_study(RUNS, QRELS, pooled="all"), question, **COMPUTED[question]).finding.caveats
    assert len(named) == len(caveats) - 1


def test_how_much_is_missing_is_not_estimated():
    answer = evalcore.ask(small_study(RUNS, QRELS), "judgment_health")
    assert answer.table[["coverage", "still_missing"]].isna().all(axis=None)
    assert (
        "The column “coverage” is empty because the files do not show which systems contributed to the pool."
        in answer.notes
    )
    assert "cannot be estimated" in str(answer.finding)
    told = evalcore.ask(small_study(RUNS, QRELS, pooled=["c0", "c1"]), "judgment_health")
    assert told.table["coverage"].tolist() == [0.5] * 2  # x is met twice, own0 and own1 once each: f_1 = 2 of C = 4


def test_an_unknown_depth_is_not_called_one_document():
    missed = {"a": {"t": {"e": 1.0}}, "b": {"t": {"e": 1.0}}}  # nobody has a judged document
    with pytest.raises(NotKnown, match=r"the pool depth is unknown, so no shallower pool .* Set the pool depth"):
        evalcore.ask(small_study(missed, {"t": {"d": 1}}), "estimator_error")
    with pytest.raises(ValueError, match="no depth is shallower than the study's pool, of depth 1"):
        evalcore.ask(small_study(missed, {"t": {"d": 1}}, pool_depth=1, pooled="all"), "estimator_error")


def test_a_depth_tells_who_is_judged_down_to_it():
    study = small_study(RUNS, QRELS, pool_depth=3)
    assert (study.pooling.how, study.depth, study.track.pooled.tolist()) == ("inferred", 3, [True, True, False, False])
    with pytest.raises(NotKnown, match="no system is judged to rank 4"):
        evalcore.ask(small_study(RUNS, QRELS, pool_depth=4), "leave_out")


def test_contributors_that_nobody_judged_show_no_depth():
    study = small_study(RUNS, QRELS, pooled=["o0", "o1"])
    with pytest.raises(NotKnown, match="not judged to a common depth below rank 1"):
        evalcore.ask(study, "leave_out")
    assert len(evalcore.ask(study, "leave_out", depth=2).table) == 2


def test_a_pool_deeper_than_any_list_is_all_of_them():
    study = small_study(RUNS, QRELS, pooled=["c0", "c1"], pool_depth=50)
    told = evalcore.ask(study, "leave_out", depth=4).table
    assert evalcore.ask(study, "leave_out").table.equals(told)
