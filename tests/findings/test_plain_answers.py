"""Plain answers: how a page shows them, and that what is wrong with one is found."""

from functools import partial
from math import comb
from pathlib import Path

import pandas as pd
import pytest

import evalcore
from evalcore.estimating.estimators import counted
from evalcore.findings.conclusion import Conclusion
from evalcore.findings.confidence import elsewhere, top_groups
from evalcore.findings.fusion import gain
from evalcore.findings.judgments import summary
from evalcore.findings.pool_depth import _at_depth, at_each_depth
from evalcore.findings.setting import setup_plainly
from evalcore.vocabulary.validation import EQUAL
from tests.findings.plain import CODES, check_plain
from tests.findings.test_wording import STUDIES, odd_study
from tests.small import small_study

ROOT = Path(__file__).parents[2]


def test_what_is_shown_first():
    assert Conclusion("Head.", "Detail.").on_screen == ("Head.", "Detail.")
    assert Conclusion("Head.", "Detail.", plain="A leads. B is next.").on_screen == ("A leads.", "B is next.")
    assert Conclusion("Head.", "Detail.", plain="A scores .820 of 1.").on_screen == ("A scores .820 of 1.", "")


@pytest.mark.parametrize("plain", ["A leads with .1, .2 and .3.", "A is best (p = .1).", "A leads on RBP(p=0.8).",
                                   " ".join(["word"] * 21) + ".", "A leads. B is next. C is last.", "τ is high.",
                                   "Yes: A leads."])  # fmt: skip
def test_a_wrong_plain_answer_is_found(plain):
    with pytest.raises(AssertionError):
        check_plain(Conclusion("A leads.", plain=plain), "leaderboard")


def certain_pairs(study, metric, depth):
    """The share of pairs whose intervals do not overlap, by the table of scores."""
    rows = evalcore.ask(study, "leaderboard", metric=metric, depth=depth).table
    apart = [a.lower > b.upper + EQUAL for a in rows.itertuples() for b in rows.itertuples()]
    return sum(apart) / comb(len(rows), 2)


@pytest.mark.parametrize("sample", ["web", "variations"])
def test_each_stop_of_the_slider_has_its_share_and_that_of_all_judgments(sample):
    study = opened(sample)
    depths = [1, 5, 10, None]
    sweep = evalcore.ask(study, "depth_sweep", depths=depths)
    pool = evalcore.ask(study, "pool", depths=depths)
    *stops, last = at_each_depth(sweep.table, sweep.params, pool.table)
    final = certain_pairs(study, "RBP(p=0.8)", None)
    for depth, found in zip(depths[:-1], stops, strict=True):
        check_plain(found, "depth_sweep")
        share = certain_pairs(study, "RBP(p=0.8)", depth)
        assert found.facts["decided"] == pytest.approx(share)
        assert found.facts["decided_at_last"] == pytest.approx(final)
        assert f"of {'all' if final == 1 else f'at least {final:.0%}'}" in found.plain
        assert ("overlap" in found.plain) == (share == 0)
        assert f"of {'all' if share == 1 else f'at least {share:.0%} of'} system pairs" in found.plain or not share
    check_plain(last, "depth_sweep")
    assert last.plain.startswith("With all judgments, the order of ")


@pytest.mark.parametrize("model", ["MD6", "MD1"])
@pytest.mark.parametrize("sample", ["web", "newswire", "variations"])
def test_which_differences_hold_elsewhere(sample, model):
    study = opened(sample)
    for metric in ("RBP(p=0.8)", "AP", "P@1"):
        found = on_confidence(study, model, metric=metric)
        check_plain(found, "models")
        pairs = evalcore.ask(study, "tukey_pairs", model="MD1", metric=metric).table["significant"]
        assert f"For {pairs.mean():.0%} of system pairs" in found.plain
        board = evalcore.ask(study, "system_intervals", model="MD1", metric=metric).table
        near = board["system"][board["in_top_group"] & (board["rank"] > 1)].tolist()
        assert all(name in found.plain for name in [board["system"].iloc[0], *(near if len(near) <= 3 else [])])
        assert len(near) <= 3 or f" {len(near)} other systems may be as good as " in found.plain
        assert ("other documents" in found.plain) == (model != "MD1")


@pytest.mark.parametrize("sample", ["web", "newswire", "variations"])
def test_who_may_be_the_best_on_other_documents(sample):
    """Where the picture shows these."""
    study = opened(sample)
    found = on_confidence(study, "MD6", pictured=True)
    check_plain(found, "models")
    board = evalcore.ask(study, "system_intervals", model="MD6").table
    near = board["system"][board["in_top_group"] & (board["rank"] > 1)].tolist()
    last = found.plain.partition(" On other documents, ")[2]
    assert all(name in last for name in [board["system"].iloc[0], *(near if len(near) <= 3 else [])])
    assert last.startswith(f"{len(near)} other systems may") == (len(near) > 3)


@pytest.mark.parametrize(("rival", "same"), [("fjord-fusion", False), ("alder-bm25", True)])
def test_which_of_two_systems_is_better_elsewhere(rival, same):
    study = opened("web", "vesper-manual", rival)
    for model in ("MD1", "MD6"):
        found = on_confidence(study, model)
        check_plain(found, "models")
        assert evalcore.ask(study, "tukey_pairs", model="MD1").table["significant"].tolist() == [same]
        assert ("On other topics, the same of the two systems would probably be better." in found.plain) == same
        assert ("other documents" in found.plain) == (model != "MD1")


def on_confidence(study, model, *, pictured=False, **params):
    """What the page says first. pictured : whether its picture is that of other documents"""
    models = evalcore.ask(study, "models", models=sorted({"MD1", model}), **params)
    top, topics = (evalcore.ask(study, "system_intervals", model=one, **params).finding for one in (model, "MD1"))
    return elsewhere(models.finding, top_groups(top, topics), topics, top if pictured else None)


def opened(sample, *systems):
    """A sample, or some of its systems."""
    folder = ROOT / "sample_data" / sample
    if systems:
        runs = [path for path in (folder / "runs").iterdir() if path.name.split(".")[0] in systems]
        return evalcore.open_study(runs, folder / "qrels.txt")
    return evalcore.open_study(folder / "runs", folder / "qrels.txt", systems=folder / "systems.tsv")


def test_no_two_guesses_are_called_the_same():
    assert len({counted(name) for name in evalcore.ESTIMATORS}) == len(evalcore.ESTIMATORS)
    assert not any("judged" in counted(name) for name in evalcore.ESTIMATORS)


def test_a_setup_in_everyday_words():
    study = opened("variations")
    said = {"depth=10 | RBP(p=0.8)": "mainly the first 5 results at depth 10", "AP": "every relevant result",
            "nDCG@10 | condensed": "good results early in the first 10 without unread documents",
            "judgments=5 | P@10 | rm": "the first 10 results with the first 5 judgments with unread documents counted "
            "like the read ones"}  # fmt: skip
    assert {name: setup_plainly(evalcore.regime(name), study) for name in said} == said


def disjoint(counts, length, offset=0):
    """A run of query variations, topic -> how many, that share no document."""
    return {f"t{t}-{v}": {f"d{offset}-{t}-{v}-{rank}": float(length - rank) for rank in range(length)}
            for t, count in enumerate(counts) for v in range(count)}  # fmt: skip


@pytest.mark.parametrize("length", [1, 4, 30, 150])
@pytest.mark.parametrize("phi", [0.5, 0.9, 0.95])
def test_rankings_without_a_common_document_have_the_consistency_that_is_named(phi, length):
    qrels = {f"t{t}": {f"d0-{t}-0-0": 1} for t in range(3)}
    study = small_study({"a": disjoint([2, 3, 5], length), "b": disjoint([4, 1, 2], length, 1)}, qrels, pooled="all")
    answer = evalcore.ask(study, "consistency_of_systems", phi=phi)
    assert answer.finding.facts["nothing"] == pytest.approx(answer.table["consistency"].mean())
    assert "If a topic's rankings shared no document, it would be ." in answer.finding.plain
    if length == 150:  # one over the number of rankings
        expected = ((1 / 2 + 1 / 3 + 1 / 5) / 3 + (1 / 4 + 1 / 2) / 2) / 2
        assert answer.finding.facts["nothing"] == pytest.approx(expected, abs=0.001)
    check_plain(answer.finding, "consistency_of_systems")


def test_systems_of_rankings_of_other_lengths_have_nearly_the_consistency_that_is_named():
    runs = {"a": disjoint([2, 3], 40) | {"t0-0": {f"x{rank}": -float(rank) for rank in range(9)}}}
    answer = evalcore.ask(small_study(runs, {"t0": {"x1": 1}}, pooled="all"), "consistency_of_systems")
    assert answer.finding.facts["nothing"] == pytest.approx(answer.table["consistency"].mean(), abs=0.01)


def of_judgments(study, metric="P@2"):
    """What the page Judgments says first."""
    ask = partial(evalcore.ask, study)
    health, suspects = ask("judgment_health").finding, ask("suspects", metric=metric, top=None).finding
    holes, coming = ask("holes").finding, ask("judge_next", metric=metric).finding
    return summary(suspects, health, holes, coming)


@pytest.mark.parametrize("name", STUDIES)
def test_answers_that_pages_put_together_in_odd_studies(name):
    study, _ = odd_study(*STUDIES[name])
    for answer_of, question in ((of_judgments, "suspects"), (partial(on_confidence, model="MD6", shards=2), "models"),
                           (partial(on_confidence, model="MD1"), "models")):  # fmt: skip
        try:
            conclusion = answer_of(study)
        except ValueError:  # which the page says instead
            continue
        if conclusion.plain:
            check_plain(conclusion, question)
        else:
            assert len(conclusion.headline.split()) <= 20
            assert not CODES.search(conclusion.headline)


@pytest.mark.parametrize("sample", ["web", "newswire"])
def test_whether_judgments_can_be_trusted(sample):
    study = opened(sample)
    found = of_judgments(study, "RBP(p=0.8)")
    missing = round(evalcore.ask(study, "judgment_health").table["still_missing"].sum())
    odd = len(evalcore.ask(study, "suspects", metric="RBP(p=0.8)", top=None).table)
    check_plain(found, "suspects")
    assert found.plain == (
        f"Mostly: {odd} judgments deserve a second look, and about {missing} relevant documents may be missing."
    )


@pytest.mark.parametrize(("over", "apart", "p", "certain", "words"), [
    ("systems", 0.1, 0.01, True, "Yes: merging the best 5 gains .100 over the best input, b. No further judging can "
     "reverse that."),
    ("systems", 0.1, 0.01, False, "Yes: merging the best 5 gains .100 over the best input, b. But further judging "
     "might reverse that."),
    ("systems", 0.1, 0.2, True, "Not clearly: merging the best 5 gains .100 over the best input, b. On other topics "
     "that may be luck, but no further judging can reverse it here."),
    ("systems", 0.1, 0.2, False, "Not clearly: merging the best 5 gains .100 over the best input, b. On other topics "
     "that may be luck, and further judging might reverse it."),
    ("variations", 0.1, 0.2, None, "Not clearly: merging the best 5 gains .100 over the best input. On other topics "
     "that may be luck."),
    ("systems", -0.1, 0.2, True, "No: merging the best 5 loses .100 against the best input, b. No further judging can "
     "reverse that."),
    ("variations", -0.1, 0.01, None, "No: merging the best 5 loses .100 against the best input."),
    ("systems", 0.1, float("nan"), None, "Yes: merging the best 5 gains .100 over the best input, b."),
    ("systems", 0.0, 1.0, None, "No: merging the best 5 gains nothing over the best input."),
])  # fmt: skip
def test_what_merging_gains(over, apart, p, certain, words):
    row = {"value": 0.6, "gain_over_best": apart, "method": "rbc", "phi": 0.9, "metric": "P@5", "best": "b", "n": 9}
    found = gain(row | {"p": p, "p_tukey": p}, "the best 5", over=over, certain=certain)
    check_plain(found, "fusion_scores")
    assert found.plain == words
    by_run = gain(row | {"p": p, "p_tukey": p}, "the best 5", over=over, certain=certain, best_is_fused=True)
    assert "input, b." not in by_run.plain  # whose name may be a method's


@pytest.mark.parametrize(("shares", "words"), [
    ([0.5, 0.9], "At depth 2, the order of at least 50% of system pairs is certain; with all judgments, of at least "
     "90%."),
    ([0.001, 0.999], "At depth 2, the order of hardly any system pairs is certain; with all judgments, of nearly all."),
    ([0.2, 1], "At depth 2, the order of at least 20% of system pairs is certain; with all judgments, of all."),
])  # fmt: skip
def test_shares_near_the_ends_are_said_in_words(shares, words):
    board = pd.DataFrame({"system": list("abc"), "value": [0.5, 0.4, 0.3], "kind": "bounds", "could_lead": "no"})
    found = _at_depth(2, board.assign(lower=board["value"], upper=board["value"]),
                      {"metric": "P@5"}, 3, 9, {}, dict(zip((2, None), shares, strict=True)))  # fmt: skip
    assert found.plain == words
