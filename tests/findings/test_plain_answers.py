"""Plain answers: how a page shows them, and that what is wrong with one is found."""

from math import comb
from pathlib import Path

import pytest

import evalcore
from evalcore.estimating.estimators import counted
from evalcore.findings.conclusion import Conclusion
from evalcore.findings.confidence import elsewhere, top_groups
from evalcore.findings.pool_depth import at_each_depth
from evalcore.findings.setting import setup_plainly
from evalcore.vocabulary.validation import EQUAL
from tests.findings.plain import check_plain

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
        assert f"{final:.0%}" in found.plain
        assert ("overlap" in found.plain) == (share == 0)
        assert f"{share:.0%} of" in found.plain or share in (0, 1)
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


@pytest.mark.parametrize(("rival", "same"), [("fjord-fusion", False), ("alder-bm25", True)])
def test_which_of_two_systems_is_better_elsewhere(rival, same):
    study = opened("web", "vesper-manual", rival)
    for model in ("MD1", "MD6"):
        found = on_confidence(study, model)
        check_plain(found, "models")
        assert evalcore.ask(study, "tukey_pairs", model="MD1").table["significant"].tolist() == [same]
        assert ("On other topics, the same of the two systems would probably be better." in found.plain) == same
        assert ("other documents" in found.plain) == (model != "MD1")


def on_confidence(study, model, **params):
    """What the page says first."""
    models = evalcore.ask(study, "models", models=sorted({"MD1", model}), **params)
    top, topics = (evalcore.ask(study, "system_intervals", model=one, **params).finding for one in (model, "MD1"))
    return elsewhere(models.finding, top_groups(top, topics), topics)


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
    said = {"depth=10 | RBP(p=0.8)": "about the first 5 results at depth 10", "AP": "every relevant result",
            "nDCG@10 | condensed": "good results early in the first 10 without unread documents",
            "judgments=5 | P@10 | rm": "the first 10 results with the first 5 judgments with unread documents counted "
            "like the read ones"}  # fmt: skip
    assert {name: setup_plainly(evalcore.regime(name), study) for name in said} == said
