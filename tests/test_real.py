"""On real tracks, where POOLSCOPE_DATA names their folder: equal to `trec_eval`, and what is known of them."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

import evalcore
from evalcore.metrics.metrics import metric
from evalcore.statistics import significance
from tests.cached import opened_in_every_way

pytrec_eval = pytest.importorskip("pytrec_eval")
DATA = os.environ.get("POOLSCOPE_DATA")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not DATA, reason="POOLSCOPE_DATA does not name the folder of real tracks"),
]
TRACKS = ("robust03", "trec-covid-r1", "dl21-passage", "clef-ehealth-2016-queryvariants", "messy")
MEASURES = ("map", "ndcg", "ndcg_cut_10", "P_10", "recip_rank", "Rprec", "bpref", "infAP", "recall_100", "map_cut_100")


def opened(track, qrels="qrels.txt", **options):
    folder = Path(DATA) / track
    table = folder / "systems.tsv"
    options = {"systems": table if table.exists() else None, "cache": False} | options
    return evalcore.open_study(folder / "runs", folder / qrels, **options)


@pytest.fixture(scope="module", params=TRACKS)
def track(request):
    return request.param, opened(request.param)


@pytest.mark.parametrize("name", TRACKS)
def test_a_track_is_the_same_from_the_cache(name, tmp_path):
    opened_in_every_way(lambda cache: opened(name, cache=cache), tmp_path)


def read_run(path):
    """A run as {topic: {document: score}}, the plain way; of a document's places the one with the highest score."""
    run = {}
    data = path.read_bytes()
    text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    for line in text.decode().splitlines():
        if line.strip() and not line.startswith("#"):
            topic, _, document, _, score, *_ = line.split()
            scored = run.setdefault(topic, {})
            scored[document] = max(float(score), scored.get(document, -np.inf))
    return run


def as_ranks(run):
    """Scores as small whole numbers of the same order and ties: `pytrec_eval` compares scores as 32-bit floats."""
    ranks = {}
    for topic, scored in run.items():
        place = {score: float(rank) for rank, score in enumerate(sorted(set(scored.values())))}
        ranks[topic] = {document: place[score] for document, score in scored.items()}
    return ranks


def read_qrels(path):
    qrels = {}
    for line in path.read_text().splitlines():
        topic, _, document, grade = line.split()
        qrels.setdefault(topic, {})[document] = int(grade)
    return qrels


def test_every_run_and_topic_equals_trec_eval(track):
    name, study = track
    folder = Path(DATA) / name
    judge = pytrec_eval.RelevanceEvaluator(read_qrels(folder / "qrels.txt"), set(MEASURES))
    values = {measure: study.at().estimate(measure).value for measure in MEASURES}
    query = {topic: q for q, topic in enumerate(study.track.queries)}
    compared = 0
    for s, file in enumerate(study.system_table["file"]):
        run = read_run(folder / "runs" / file)
        for topic, theirs in judge.evaluate(as_ranks(run)).items():
            for measure in MEASURES:
                ours = values[measure][s, query[topic]]
                assert ours == pytest.approx(theirs[measure], abs=5e-5), (file, topic, measure)
                compared += 1
    assert compared > 1000


@pytest.mark.parametrize("level", [1, 2])
def test_what_trec_eval_prints_is_explained_and_what_is_made_up_is_not(track, level):
    name, study = track
    study, folder, lines = study.only(systems=study.systems[:12]), Path(DATA) / name, []
    judge = pytrec_eval.RelevanceEvaluator(read_qrels(folder / "qrels.txt"), set(MEASURES), relevance_level=level)
    for system, file in list(zip(study.system_table["system"], study.system_table["file"], strict=True))[:12]:
        for topic, theirs in judge.evaluate(as_ranks(read_run(folder / "runs" / file))).items():
            lines += [f"{measure} {topic} {theirs[measure]:.4f}" for measure in MEASURES]
        lines += [f"runid all {system}", "num_q all 1"]
    draw = np.random.default_rng(1)
    for i in draw.choice(np.flatnonzero([line.startswith(MEASURES) for line in lines]), 9, replace=False):
        measure, topic, value = lines[i].split()
        lines[i] = f"{measure} {topic} {(float(value) + draw.uniform(0.001, 0.4)) % 1:.4f}"
    printed = evalcore.Upload("eval.txt", "\n".join(lines).encode())
    answer = evalcore.ask(study, "score_differences", theirs=printed)
    both = answer.table[answer.table["value"].notna() & answer.table["theirs"].notna()]
    why = both["explained_by"].value_counts()
    assert why["unexplained"] == 9
    binary = max(study.judgments.scale.grades) < 2
    assert set(why.index) - {"unexplained"} == ({"relevant from grade 2 (-l 2)"} if level > 1 and not binary else set())


def test_base_and_residual_at_depths_equal_the_definition(track):
    _, study = track
    rbp = metric("RBP(p=0.95)")
    weights = rbp.weights(study.track.shape[2])
    depths = sorted({1, 2, 5, study.depth, 20})
    swept = study.at().sweep(rbp, depths)
    judgments, items = study.judgments, study.track.items
    for at, depth in enumerate(depths):
        in_force = judgments.level * (study.pool_rank < depth)
        base = (judgments.scale.gain[in_force[items]] * weights).sum(axis=2)
        unknown = 1 - (judgments.scale.judged[in_force[items]] * weights).sum(axis=2)
        np.testing.assert_allclose(swept.lower[..., at], base, atol=1e-9)
        np.testing.assert_allclose(swept.upper[..., at] - swept.lower[..., at], unknown, atol=1e-9)


def test_more_judgments_never_widen_bounds(track):
    _, study = track
    for name in ("RBP(p=0.8)", "P@10", "SDCG@20", "RR"):
        swept = study.means(study.at().sweep(name, [1, 2, 5, 10, 50]))
        assert np.all(np.diff(swept.lower, axis=1) >= -1e-12)
        assert np.all(np.diff(swept.upper, axis=1) <= 1e-12)


def test_trec_covid_round_1_from_the_table():
    study = opened("trec-covid-r1")
    assert study.track.pooled.sum() == 56
    assert study.depth == 7
    assert len(study.judgments.pooled_items) == 8691
    assert study.track.shape == (143, 30, 100)


def test_trec_covid_round_1_from_the_files_alone():
    told, found = opened("trec-covid-r1"), opened("trec-covid-r1", systems=None)
    pooled = {name for name, is_in in zip(told.systems, told.track.pooled, strict=True) if is_in}
    names = {name for name, is_in in zip(found.systems, found.track.pooled, strict=True) if is_in}
    assert pooled <= names
    assert len(names - pooled) <= 5


def test_robust_2003_has_heavily_tied_runs():
    systems = evalcore.ask(opened("robust03"), "systems").table.set_index("system")
    assert systems.tied["rutcor03100"] > 0.995
    assert systems.tied["MU03rob01"] > 0.9
    assert systems.documents["NLPR03vb10"] / systems.topics["NLPR03vb10"] < 13


@pytest.mark.parametrize("name", ["RBP(p=0.8)", "P@10"])
def test_certain_differences_hold_with_five_times_the_judgments(name):
    few, more = opened("trec-covid-r1"), opened("trec-covid-r1", qrels="qrels.union.txt")
    before, after = (evalcore.ask(study, "pairs", metric=name).table for study in (few, more))
    assert np.all(after.difference >= before.certain_low - 1e-9)
    assert np.all(after.difference <= before.certain_high + 1e-9)
    board = evalcore.ask(few, "leaderboard", metric=name).table.set_index("system")
    lower, upper = (np.array([board[end][side] for side in (before.a, before.b)]) for end in ("lower", "upper"))
    apart = (lower[0] > upper[1]) | (lower[1] > upper[0])
    assert np.all(before.verdict[apart] == "certain")
    assert (before.verdict == "certain").sum() > apart.sum()


def test_every_estimate_lies_inside_its_interval(track):
    _, study = track
    for estimator in ("linear", "weibull", "two-stage-a", "two-stage-b(theta=0.018)"):
        estimate = study.at(depth=max(1, study.depth // 2)).estimate("RBP(p=0.95)", estimator=estimator)
        assert np.all((estimate.lower <= estimate.value) & (estimate.value <= estimate.upper))
        assert np.any(estimate.value > estimate.lower)


@pytest.fixture(scope="module")
def varied():
    """Five systems, six queries to a topic."""
    return opened("clef-ehealth-2016-queryvariants", variations="run")


@pytest.mark.parametrize("metric", ["AP", "nDCG", "P@10", "RBP(p=0.95)"])
def test_more_variations_make_better_fused_runs(varied, metric):
    found = evalcore.ask(varied, "fusion_by_count", metric=metric).table
    mean = found.groupby("count").value.mean()
    assert mean.index.tolist() == [1, 2, 3, 4, 5, 6]
    assert mean[6] > mean[4] > mean[1]
    one, all_six = (found[found["count"] == count].value.to_numpy() for count in (1, 6))
    assert np.all(all_six > one)


@pytest.mark.parametrize(
    ("over", "phis"),
    # a system's variations alone: below .99 CombMNZ is ahead by nDCG, p < .05 for two of the five systems
    [("systems", (0.95, 0.98, 0.99)), ("both", (0.95, 0.98, 0.99)), ("variations", (0.99,))],
)
@pytest.mark.parametrize("metric", ["AP", "nDCG"])
def test_patient_centroids_are_at_least_level_with_borda_and_combmnz(varied, over, phis, metric):
    def fused(method, phi=0.9):
        table = evalcore.ask(varied, "fusion_topics", over=over, method=method, phi=phi, metric=metric).table
        return table.pivot(index="system", columns="topic", values="fused")

    combmnz, borda = fused("combmnz"), fused("borda")
    for phi in phis:
        rbc = fused("rbc", phi)
        assert np.all(rbc.mean(axis=1) > borda.mean(axis=1))
        ahead = significance.p_of_better((combmnz - rbc).to_numpy())
        assert np.all(ahead > 0.05)


def test_fused_variations_are_better_than_any_one_of_them(varied):
    found = evalcore.ask(varied, "fusion_scores", over="variations", methods=["rbc"], phis=[0.95]).table
    assert np.all(found.gain_over_mean > 0)
    assert np.all(found[found.metric == "AP"].gain_over_best > 0)


def test_consistency_lies_between_0_and_1_in_a_stable_order(varied):
    found = evalcore.ask(varied, "consistency").table
    assert found.consistency.between(0, 1).all()
    assert found.consistency.std() > 0.05
    pairs = [evalcore.ask(varied, "consistency_pairs", phi=phi).table for phi in (0.9, 0.85, 0.95)]
    apart = pairs[0].p < 0.05
    assert apart.sum() >= 3
    for other in pairs[1:]:  # who differs at .9 differs the same way at neighbouring persistences
        assert np.all(np.sign(other.difference[apart]) == np.sign(pairs[0].difference[apart]))


def test_robust_2003_has_two_sets_of_topics():
    study = opened("robust03")
    depth = {study.track.topics[t]: study.pooling.depth_of_topic[t] for t in study.judged_topics}
    new = {topic for topic in depth if int(topic) > 600}
    assert (study.depth, study.pooling.how) == (125, "inferred")
    assert {topic for topic in depth if depth[topic] == 125} == new
    assert len(new) == 50
    assert all(depth[topic] == 0 for topic in depth if topic not in new)  # judged years before, for other runs
    assert evalcore.ask(study, "holes").table.empty


@pytest.mark.parametrize(("new", "old"), [(10, 50), (20, 50), (50, 10), (50, 40)])
def test_of_robust_2003_fewer_topics_tell_the_same(tmp_path, new, old):
    """As 2004's track has 49 new topics among 200; and no topic is said to be unlike the others."""
    lines = (Path(DATA) / "robust03" / "qrels.txt").read_text().splitlines(keepends=True)
    topics = np.random.default_rng(new).permutation(sorted({line.split()[0] for line in lines}))
    kept = {*[one for one in topics if int(one) > 600][:new], *[one for one in topics if int(one) <= 600][:old]}
    (tmp_path / "qrels.txt").write_text("".join(line for line in lines if line.split()[0] in kept))
    study = evalcore.open_study(Path(DATA) / "robust03" / "runs", tmp_path / "qrels.txt", cache=False)
    depth = {study.track.topics[t]: study.pooling.depth_of_topic[t] for t in study.judged_topics}
    assert study.whole.pooled.all()
    assert {topic for topic in depth if depth[topic] == 125} == {topic for topic in kept if int(topic) > 600}
    assert not any(depth[topic] for topic in kept if int(topic) <= 600)
    table = evalcore.ask(study, "findings").table
    assert set(table["check"][table["severity"] != "note"]) == {"ties", "topics without judgments", "short lists"}
