"""The probabilities of contributing systems, and the draws (METHODS 2.7)."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

import evalcore
from evalcore import QUESTIONS
from evalcore.collection import contributor_draws
from evalcore.pooling import uncertain_contributors
from evalcore.questions.judgments import count_of_holes
from evalcore.reading import files
from sample_data import make
from tests.oracles import uncertain_contributors as oracle
from tests.small import small_study

NOBODY = np.zeros(4, bool)
TOPS = [{1, 2, 3, 4}, {3, 4, 5, 6}, {5, 6}, {1, 2, 3, 7}]  # the third has only what the second has
JUDGED = {1, 2, 3, 4, 5}


def test_chains_are_in_each_state_as_often_as_a_plain_sampler(monkeypatch):
    """All 16 sets of contributors: the stationary distribution of one round, from its matrix of transitions."""
    monkeypatch.setattr(contributor_draws, "beta_of", lambda *_: (2.0, 3.0))
    monkeypatch.setattr(contributor_draws, "INSIDE", (6.0, 1.0))
    monkeypatch.setattr(contributor_draws, "ALIKE", 0.2)
    monkeypatch.setattr(contributor_draws, "ROUNDS", 20_000)
    judged = np.isin(np.arange(8), list(JUDGED))
    tops = contributor_draws.Tops([np.array(sorted(top)) for top in TOPS], judged)
    draws = contributor_draws.chain(tops, NOBODY, NOBODY, np.random.default_rng(0))
    expected = oracle.stationary(TOPS, JUDGED, inside=(6, 1), outside=(2, 3), alike=0.2, twin=1)
    states = [tuple(bool(one) for one in draw) for draw in draws]
    for state in product((False, True), repeat=4):
        assert states.count(state) / len(states) == pytest.approx(expected[state], abs=0.02)
    assert max(expected.values()) < 0.5  # no state is certain


@pytest.mark.parametrize(("documents", "judged"), [(1, 0), (10, 9), (500, 480)])
def test_the_likelihood_is_that_of_a_beta_binomial(documents, judged):
    found = [contributor_draws.BetaBinomial(a, b, documents)(documents, judged) for a, b in ((60, 0.6), (2, 9))]
    expected = [stats.betabinom.logpmf(judged, documents, a, b) for a, b in ((60, 0.6), (2, 9))]
    assert found[0] - found[1] == pytest.approx(expected[0] - expected[1])


def test_what_is_a_systems_own_is_counted_as_contributors_come_and_go():
    """After each of many moves, and after copies exchanged their places, as from the sets of items."""
    rng = np.random.default_rng(3)
    sets = [set(rng.choice(40, rng.integers(0, 15), replace=False).tolist()) for _ in range(7)]
    sets += [sets[0], sets[0], set()]
    judged = rng.random(40) < 0.5
    tops = contributor_draws.Tops([np.array(sorted(items), int) for items in sets], judged)
    own = contributor_draws.Own(tops, rng.random(len(sets)) < 0.5)
    for _ in range(300):
        if rng.random() < 0.3:
            own.mix([0, 7, 8], rng)
        else:
            own.move(rng.integers(len(sets)))
        for s, items in enumerate(sets):
            others = set().union(*(sets[u] for u in range(len(sets)) if u != s and own.inside[u]))
            count = [sum(bool(judged[item]) == kind for item in items - others) for kind in (False, True)]
            assert own.count[:, s].tolist() == count


def test_the_moments_recover_the_distribution_that_shares_were_drawn_from():
    rng = np.random.default_rng(1)
    documents = rng.integers(50, 200, 4000)
    judged = rng.binomial(documents, rng.beta(3, 12, 4000))
    assert contributor_draws.beta_of(documents, judged) == pytest.approx((3, 12), rel=0.06)
    alike = np.append(documents, 100), np.append(judged, 95)  # as many as of a contributor: that is not usual
    assert contributor_draws.beta_of(*alike) == contributor_draws.beta_of(documents, judged)
    assert contributor_draws.beta_of(np.array([0, 3]), np.array([0, 1])) == (1, 1)  # too few to say


def test_a_copy_is_as_probable_as_what_it_copies():
    """Which of two equal runs contributed cannot be seen; that one of them did is certain."""
    rng = np.random.default_rng(5)
    topics = [f"t{n}" for n in range(12)]
    runs = {
        f"s{s}": {t: {f"d{n:02}": -float(k) for k, n in enumerate(rng.permutation(60)[:10])} for t in topics}
        for s in range(9)
    }
    qrels = {t: {D: int(D > "d40") for s in range(6) for D in list(runs[f"s{s}"][t])[:4]} for t in topics}
    runs["copy"] = runs["s0"]
    study = small_study(runs, qrels)
    probable = dict(zip(study.systems, study.pooling.probability, strict=True))
    assert all(probable[f"s{s}"] > 0.9 for s in range(1, 6))
    assert all(probable[f"s{s}"] < 0.1 for s in range(6, 9))
    assert probable["copy"] == probable["s0"] == pytest.approx(2 / 3, abs=0.05)  # either, or both
    table = evalcore.ask(study, "systems").table.set_index("system")
    assert table.probability.to_dict() == probable
    audit = evalcore.ask(study, "pool_audit").table.set_index("system")
    assert audit.probability.to_dict() == probable
    named = evalcore.ask(small_study(runs, qrels, pooled=["s8"]), "pool_audit").table
    assert named.probability.isna().all()  # who contributed is known
    assert (table.pooled == (table.probability > 0.5)).all()
    again = small_study(runs, qrels).pooling
    assert (again.draws == study.pooling.draws).all()
    assert len(again.draws) <= 20


def test_the_probability_is_certain_where_contributors_are_named_and_missing_where_they_are_not_known():
    runs = {f"s{s}": {"1": {f"d{s}": 2.0, "x": 1.0}} for s in range(4)}
    qrels = {"1": {"x": 1, "d0": 0}}
    named = evalcore.ask(small_study(runs, qrels, pooled=["s0"]), "systems").table
    assert named.probability.tolist() == [1, 0, 0, 0]
    assert evalcore.ask(small_study(runs, qrels), "systems").table.probability.isna().all()


def test_draws_are_read_again_for_the_same_options_and_again_drawn_for_others(tmp_path, monkeypatch):
    sample = make.make("newswire", 3, systems=16, pooled=8, groups=8, topics=12, pool_depth=10, length=30)
    make.write(sample, tmp_path / "track", gz=False)
    monkeypatch.setattr(files, "SETTLED", 0)  # files that were written just now are not cached
    chains = []
    drawn = contributor_draws.chain
    monkeypatch.setattr(contributor_draws, "chain", lambda *given: chains.append(given) or drawn(*given))

    def opened(cache, **options):
        """The study, and how many chains were drawn for it."""
        before = len(chains)
        runs, qrels = tmp_path / "track" / "runs", tmp_path / "track" / "qrels.txt"
        return evalcore.open_study(runs, qrels, cache=cache, **options), len(chains) - before

    changed = (({}, 2), ({"pool_depth": 5}, 0), ({"rel_level": 2}, 0), ({"order": "rank"}, 2), ({"pooled": "all"}, 0))
    for options, of_first in changed:  # the draws depend on the order, and on which documents are judged
        fresh, _ = opened(False, **options)
        for expected in (of_first, 0):
            study, count = opened(tmp_path / "cache", **options)
            assert (options, count) == (options, expected)
            assert study.pooling.how == fresh.pooling.how
            for name in ("probability", "draws", "depth_of_topic"):
                np.testing.assert_array_equal(getattr(study.pooling, name), getattr(fresh.pooling, name))
            assert study.pooling.doubtful == fresh.pooling.doubtful
            assert study.whole.pooled.tolist() == fresh.whole.pooled.tolist()
            assert study.findings == fresh.findings


SHAPES = [  # kind, systems, pooled, topics, depth, share of the judgments lost
    ("newswire", 24, 12, 20, 20, 0.005), ("newswire", 30, 8, 20, 10, 0), ("newswire", 30, 24, 20, 7, 0.01),
    ("web", 30, 24, 20, 20, 0.01), ("web", 24, 8, 20, 5, 0), ("web-lecture", 24, 10, 25, 30, 0.005),
]  # fmt: skip


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Tracks as files, with the names of their contributors and the pool depth; some have a copy of one."""
    tracks = []
    for seed, (kind, systems, pooled, topics, depth, lost) in enumerate(SHAPES):
        sizes = {"systems": systems, "pooled": pooled, "groups": 8, "topics": topics, "pool_depth": depth}
        sample, folder = make.make(kind, 70 + seed, length=2 * depth + 20, **sizes), tmp_path_factory.mktemp("track")
        make.write(sample, folder, gz=False)
        names = [name for name, has in zip(sample.systems.names, sample.systems.pooled, strict=True) if has]
        lines, rng = (folder / "qrels.txt").read_text().splitlines(), np.random.default_rng(seed)
        kept = [line for line in lines if rng.random() >= lost]
        (folder / "qrels.txt").write_text("\n".join(kept) + "\n")
        for name in names[: seed % 2]:
            text = (folder / "runs" / name).read_text()
            (folder / "runs" / "copy").write_text(text.replace(name, "copy"))
        tracks.append((folder, names, depth))
    return tracks


@pytest.mark.slow
def test_contributors_and_the_ranges_of_figures_on_generated_tracks(generated):
    """F1 is at least .95 on average, and seven in ten ranges contain the figure for the true contributors.

    The goal is 85 of 100 over many tracks (METHODS 2.7); most of these few are harder, since they lack judgments.
    """
    f1, inside = [], []
    for folder, names, depth in generated:
        files = folder / "runs", folder / "qrels.txt"
        found = evalcore.open_study(*files, cache=False)
        true = evalcore.open_study(*files, pooled=names, pool_depth=depth, cache=False)
        both = (found.whole.pooled & true.whole.pooled).sum()
        f1.append(2 * both / (found.whole.pooled.sum() + true.whole.pooled.sum()))
        for question in ("leave_out", "pool_audit", "holes", "judgment_health"):
            figure = QUESTIONS[question].figure or count_of_holes
            figures = [
                figure(evalcore.ask(study, question).table)
                for study in (found, *uncertain_contributors.possible_studies(found))
            ]
            inside.append(min(figures) - 1e-9 <= figure(evalcore.ask(true, question).table) <= max(figures) + 1e-9)
    assert np.mean(f1) >= 0.95
    assert np.mean(inside) >= 0.7
