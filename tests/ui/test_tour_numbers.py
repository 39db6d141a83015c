"""What the steps of the tours say of the samples, worked out in plain Python from the files: `oracles/tours.py`."""

import re
from itertools import combinations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from tests.live_picture import tiles
from tests.oracles import tours as plain
from tests.ui.test_pages import ROOT, went_well

WEB, WORDED = ROOT / "sample_data" / "web", ROOT / "sample_data" / "variations"
DEPTH = 20  # of the pool of the web sample, as its README says


class Track:
    """The web sample as plain dicts."""

    def __init__(self):
        self.table = plain.read_systems(WEB / "systems.tsv")
        runs = runs_of(WEB)
        self.runs = {name: runs[name] for name in self.table}
        self.qrels = plain.read_qrels(WEB / "qrels.txt")
        self.topics = sorted({topic for topic, _ in self.qrels})
        self.pooled = [name for name, row in self.table.items() if row["pooled"] == "1"]
        self.ranks = plain.pool_ranks(self.runs, self.pooled)

    def scored(self, depth=None, p=0.8, qrels=None):
        judged = self.qrels if qrels is None else qrels
        judged = judged if depth is None else plain.at_depth(judged, self.ranks, depth)
        return plain.scores(self.runs, self.topics, judged, p)

    def left_out(self, by, depth=DEPTH):
        """depth : of the pool; one of 10 is scored with a metric that looks as deep, RBP(p=0.8)@10"""
        groups = {name: row["group"] if by == "group" else name for name, row in self.table.items()}
        of_topics, cut = dict.fromkeys(self.topics, depth), None if depth == DEPTH else depth
        runs = {name: {topic: ranked[:cut] for topic, ranked in run.items()} for name, run in self.runs.items()}
        judged = plain.at_depth(self.qrels, self.ranks, depth)
        found = plain.left_out(runs, self.topics, judged, self.pooled, of_topics, groups, 0.8)
        whole = 1 if cut is None else 1 - 0.8**cut
        return {name: tuple(score / whole for score in pair) for name, pair in found.items()}


@pytest.fixture(scope="module")
def track():
    return Track()


def own_sample(tour, step, **choices):
    """A step as a link without a study opens it."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    app.query_params.update({"tour": tour, "step": str(step), **choices})
    return went_well(app.run())


def opened(tour, step, **choices):
    return own_sample(tour, step, study="web", **choices)


def facts(app, key):
    """The facts of a finding that the page shows under this key."""
    return app.session_state["_note"]["findings"][key].facts


def table_of(app, key):
    """The table that a page shows under this key."""
    return app.session_state["_experiments"][key].table


def runs_of(folder):
    return {plain.lines_of(path)[0][5]: plain.read_run(path) for path in sorted((folder / "runs").iterdir())}


def number(text):
    """The nearest number to how it is written: .754 and 57% are both numbers."""
    return float(text.replace(",", "").rstrip("%")) / (100 if text.endswith("%") else 1)


def like(text, value, *, unit=0.001):
    """Whether a number that is said is this one, to its last digit, rounded whichever way."""
    return abs(number(text) - value) <= unit


@pytest.mark.parametrize(("tour", "step", "depth", "p"), [("pooling", 2, 1, 0.8), ("pooling", 3, 10, 0.8),
                                                            ("ravana-moffat", 1, 5, 0.95)])  # fmt: skip
def test_what_is_judged_so_deep(track, tour, step, depth, p):
    app = opened(tour, step)
    scored, told = track.scored(depth, p), tiles(app)
    judged = plain.at_depth(track.qrels, track.ranks, depth)
    assert told["Judgments"] == f"{len(judged):,}"
    assert told["Relevant documents"] == f"{sum(judged.values()):,}"
    live = app.session_state["_note"]["findings"]["live"].headline
    share = "0%" if live.startswith("The intervals of all") else re.search(r"[\d.]+%", live)[0]
    assert like(share, plain.told_apart(scored)[0], unit=0.01)
    low, high = plain.means(scored), plain.means(scored, 1)
    assert like(told["Mean width"], sum(high[name] - low[name] for name in low) / len(low))


def test_which_systems_swap(track):
    early, late = track.scored(5), track.scored()
    swapped = plain.swaps(plain.means(early), plain.means(late))
    shown = facts(opened("pooling", 4), "swaps")
    assert (shown["swaps"], shown["pairs"]) == (len(swapped), len(track.runs) * (len(track.runs) - 1) // 2)
    pair = shown["better"], shown["worse"]
    assert pair in {pair[:2] for pair in swapped}
    assert plain.surest(early, swapped) == pair


@pytest.mark.parametrize(
    ("tour", "step", "by", "depth"),
    [("pooling", 5, "group", DEPTH), ("soundness", 5, "group", DEPTH), ("webber-park", 1, "system", 10)],
)
def test_what_a_system_that_came_too_late_loses(track, tour, step, by, depth):
    scores = track.left_out(by, depth)
    loss = {name: before - after for name, (before, after) in scores.items()}
    hit = max(loss, key=loss.get)
    shown = facts(opened(tour, step), "leave_out")
    assert shown["most"] == [hit]
    assert shown["change"] == pytest.approx(sum(loss.values()) / len(loss), abs=1e-9)
    assert shown["largest"] == pytest.approx(loss[hit], abs=1e-9)


def test_the_newcomer_is_the_one_that_loses_most(track):
    scores = track.left_out("group")
    shown = facts(opened("pooling", 6), "newcomer")
    name = shown["system"]
    assert name == max(scores, key=lambda system: scores[system][0] - scores[system][1])
    assert (shown["true"], shown["unadjusted"]) == pytest.approx(scores[name], abs=1e-9)


def test_the_newcomer_of_webber_and_park_is_the_manual_run_that_falls_furthest(track):
    """Its own bias on fully judged topics brings it closest to the true score, as they found."""
    scores = track.left_out("system", 10)
    app = opened("webber-park", 3)
    shown = facts(app, "newcomer")
    table = table_of(app, "leave_out").set_index("system")
    manual = [name for name in scores if track.table[name]["type"] == "manual"]
    assert shown["system"] == (table["rank_without"] - table["rank"])[manual].idxmax()
    assert (shown["true"], shown["unadjusted"]) == pytest.approx(scores[shown["system"]], abs=1e-9)
    assert shown["nearest"] == ["corrected from fully judged topics"]


def test_whom_the_shallow_pool_got_wrong(track):
    early = track.scored(5)
    complete = track.scored(qrels=plain.read_qrels(WEB / "qrels.complete.txt.gz"))
    wrong = plain.swaps(plain.means(early), plain.means(complete))
    a, b, ahead, behind = max(wrong, key=lambda pair: min(pair[2:]))
    shown = facts(opened("pooling", 7), "truth")
    assert (shown["inversions"], shown["pairs"]) == (len(wrong), 703)
    assert (shown["significant"], shown["a"], shown["b"]) == (plain.significant(early, wrong), a, b)
    assert (shown["ahead"], shown["behind"]) == pytest.approx((ahead, behind), abs=1e-9)


def test_how_two_assessors_agree(track):
    second = plain.read_qrels(WEB / "qrels.second.txt.gz")
    both = [one for one in track.qrels if one in second]
    first = {one for one in both if track.qrels[one]}
    other = {one for one in both if second[one]}
    shown = facts(opened("soundness", 4), "agreement")
    counts = shown["relevant"], shown["relevant_both"], shown["others"]
    assert counts == (len(first), len(first & other), len(other - first))
    assert shown["overlap"] == pytest.approx(len(first & other) / len(first | other), abs=1e-9)


def test_a_place_inside_the_interval_is_inside_and_rises_with_what_is_relevant(track):
    """The dot of Ravana and Moffat's second step: C times what the judged documents gain on average, of the rest."""
    C, p = 0.42, 0.95
    judged = plain.at_depth(track.qrels, track.ranks, 5)
    guessed = {}
    for name, run in track.runs.items():
        of_topics = []
        for topic in track.topics:
            low, high = plain.ends(run.get(topic, ()), topic, judged, p)
            known = 1 - (high - low)
            share = C * low / known if known > plain.TINY else 0.01
            of_topics.append(low + (high - low) * share)
        guessed[name] = np.mean(of_topics)
    best = max(guessed, key=guessed.get)
    shown = facts(opened("ravana-moffat", 3), "leaderboard")
    assert shown["leaders"] == [best]
    assert shown["value"] == pytest.approx(guessed[best], abs=1e-9)


# ---- the directions that the papers found, on the samples that their tours open


@pytest.fixture(scope="module")
def newswire():
    """The runs and judgments of the newswire sample as plain dicts."""
    folder = ROOT / "sample_data" / "newswire"
    return runs_of(folder), plain.read_qrels(folder / "qrels.txt")


def test_shards_show_more_differences_as_ferro_and_sanderson_found(newswire):
    runs, qrels = newswire
    models = table_of(own_sample("ferro-sanderson", 3), "models").set_index("model")["share_significant"]
    whole, cut = (plain.share_significant(plain.ap_by_shard(runs, qrels, shards)) for shards in (1, 5))
    assert models["MD1"] == pytest.approx(whole, abs=1e-9)
    assert models["MD6"] == pytest.approx(cut, abs=0.02)  # other parts, and one draw of them
    assert cut > whole
    assert models["MD6"] == max(models) > models["MD1"] == min(models)


def lower_ends(scored):
    return {name: {topic: ends[0] for topic, ends in of.items()} for name, of in scored.items()}


def test_a_two_stage_model_orders_systems_better_as_lu_moffat_and_culpepper_found(newswire):
    """The scores of the model are the program's, which `test_evaluation.py` and others test; all else is worked out."""
    runs, qrels = newswire
    folder = ROOT / "sample_data" / "newswire"
    pooled = [name for name, row in plain.read_systems(folder / "systems.tsv").items() if row["pooled"] == "1"]
    shallow = plain.at_depth(qrels, plain.pool_ranks(runs, pooled), 10)
    topics = sorted({topic for topic, _ in qrels})
    early, late = (lower_ends(plain.scores(runs, topics, some, 0.95)) for some in (shallow, qrels))
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", systems=folder / "systems.tsv")
    answer = evalcore.ask(study, "scores", metric="RBP(p=0.95)", depth=10, estimator="two-stage-b")
    modelled = {name: {} for name in runs}
    for row in answer.table.itertuples():
        modelled[row.system][row.topic] = row.value
    lower, model = (plain.distance_per_pair(late, some) for some in (early, modelled))
    shown = table_of(own_sample("lu-moffat-culpepper", 6), "agreement").set_index(["a", "b"])["distance_per_pair"]
    cut = "depth=10 | RBP(p=0.95)"
    assert shown[cut, "RBP(p=0.95)"] == pytest.approx(lower, abs=1e-6)
    assert shown[f"{cut} | two-stage-b(theta=0)", "RBP(p=0.95)"] == pytest.approx(model, abs=1e-6)
    assert model < lower


def test_the_discrimination_ratio_is_the_share_of_contributing_pairs_that_a_t_test_separates(newswire):
    folder = ROOT / "sample_data" / "newswire"
    runs, qrels = newswire
    table, topics = plain.read_systems(folder / "systems.tsv"), sorted({topic for topic, _ in qrels})
    pooled = [name for name, row in table.items() if row["pooled"] == "1"]
    ranks, pairs = plain.pool_ranks(runs, pooled), list(combinations(pooled, 2))
    shown = table_of(own_sample("lu-moffat-culpepper", 11), "separability")
    lower = shown[shown["estimator"].str.startswith("lower")].set_index("depth")["separable"]
    for depth in (10, None):
        judged = qrels if depth is None else plain.at_depth(qrels, ranks, depth)
        scored = plain.scores({name: runs[name] for name in pooled}, topics, judged, 0.95)
        at = lower[lower.index.isna()].item() if depth is None else lower[depth]
        assert at == pytest.approx(plain.significant(scored, pairs) / len(pairs), abs=2 / len(pairs))


def test_the_interval_of_a_correction_is_drawn_again_from_the_same_topics():
    """The middle is the same as of the t interval, whose width is near."""
    drawn, t = (
        opened("webber-park", 4, **choice).session_state["_experiments"]["adjust_from_topics"]
        for choice in ({}, {"topics-interval": "t"})
    )
    assert (drawn.params["method"], t.params["method"]) == ("bootstrap", "t")
    drawn, t = drawn.table.iloc[0], t.table.iloc[0]
    assert (drawn["adjusted"], drawn["common"]) == (t["adjusted"], t["common"])
    assert drawn["lower"] < drawn["adjusted"] < drawn["upper"]
    assert drawn["upper"] - drawn["lower"] == pytest.approx(t["upper"] - t["lower"], rel=0.35)
    assert (drawn["lower"], drawn["upper"]) != (t["lower"], t["upper"])


def test_the_guess_of_the_least_error_is_a_two_stage_model_as_lu_moffat_and_culpepper_found():
    """Nothing is worked out here but the order of the numbers that the page shows. `interpolated` is not the paper's;
    the step says at which depths it is the closest."""
    table = table_of(own_sample("lu-moffat-culpepper", 1), "estimator_error")
    for depth, rows in table.groupby("depth"):
        rmse = rows.set_index("estimator")["rmse"]
        assert rmse.drop("interpolated").idxmin() == "two-stage-b"
        assert (rmse.idxmin() == "interpolated") == (depth in (5, 10, 50))


# Nothing is worked out in these but the order of the numbers that the page shows


def test_a_two_stage_model_swaps_fewer_pairs_as_lu_moffat_and_culpepper_found():
    table = table_of(own_sample("lu-moffat-culpepper", 2), "estimator_agreement")
    swapped = table[table["depth"] == 10].set_index("estimator")["tau_distance"]
    assert swapped.idxmin() == "two-stage-b"


def test_an_interpolated_estimate_is_reversed_less_often_as_ravana_and_moffat_found():
    table = table_of(own_sample("ravana-moffat", 6), "separability")
    reversed_ = table.pivot(index="judgments", columns="estimator", values="reversed")[:-1]  # with all, none is
    interpolated = next(name for name in reversed_ if name.startswith("interpolated"))
    assert (reversed_[interpolated] < reversed_["lower"]).all()


def test_the_wider_the_pool_the_smaller_the_bias_as_webber_and_park_found():
    table = table_of(own_sample("webber-park", 2), "bias_by_width")
    as_irrelevant, condensed = (table[table["unjudged"] == how]["mean"] for how in ("irrelevant", "condensed"))
    assert as_irrelevant.is_monotonic_decreasing
    assert as_irrelevant.min() > 0 > condensed.max()


# The results that are to occur on the sample that a step opens, see the list of the papers' experiments in docs


def test_the_estimator_inside_the_interval_comes_closest_as_ravana_and_moffat_found():
    rmse = table_of(own_sample("ravana-moffat", 4), "estimator_error")
    rmse = rmse[rmse["depth"] == 5].set_index("estimator")["rmse"]
    assert rmse.idxmin().startswith("interpolated")
    assert rmse.min() < rmse["lower"]


def test_shards_shorten_intervals_and_the_top_group_as_ferro_and_sanderson_found(newswire):
    runs, qrels = newswire
    whole, cut = (own_sample("ferro-sanderson", step) for step in (1, 2))
    before, after = ({metric.label: int(metric.value) for metric in app.metric} for app in (whole, cut))
    alike = "Not clearly worse than the best, other {}"
    on_topics, on_documents = (after[alike.format(what)] for what in ("topics", "documents"))
    assert before[alike.format("topics")] == on_topics > on_documents
    relevant = plain.relevant_by_topic(qrels)
    at_ten = {
        (topic, name, 0): len(relevant[topic].intersection(run.get(topic, ())[:10])) / 10
        for topic in relevant
        for name, run in runs.items()
    }
    assert facts(whole, "tukey_pairs")["whole"] == pytest.approx(plain.share_significant(at_ten), abs=1e-9)
    assert facts(cut, "tukey_pairs")["part"] > facts(whole, "tukey_pairs")["whole"]


def test_the_best_threshold_is_not_none_as_lu_moffat_and_culpepper_found():
    table = table_of(own_sample("lu-moffat-culpepper", 4), "error_by_theta")
    best = table.loc[table["rmse"].idxmin()]
    assert best["theta"] > 0
    assert best["topics"] > 0
    assert best["rmse"] < 0.9 * table["rmse"].iloc[0]


def test_common_topics_correct_best_as_webber_and_park_found():
    table = table_of(own_sample("webber-park", 5), "adjustment_experiment")
    assert (table["from_topics"] < table["from_systems"]).all()
    assert (table["from_systems"] < table["unadjusted"])[table["width"] == 2].all()


def variations_of(system):
    return [plain.read_run(path) for path in sorted((WORDED / "runs").glob(f"{system}.v*"))]


def mean_ap(ranked, relevant):
    """The mean AP over topics of one ranking each."""
    return np.mean([plain.average_precision(ranked.get(topic, ()), relevant[topic]) for topic in relevant])


def fused_ap(runs, relevant, deepest, phi=0.9):
    """The mean AP over topics of RBC over these rankings."""
    fused = {topic: plain.rbc([run[topic] for run in runs if topic in run], phi)[:deepest] for topic in relevant}
    return mean_ap(fused, relevant)


def test_fusing_the_wordings_of_a_need_gains_as_bailey_and_others_found():
    relevant = plain.relevant_by_topic(plain.read_qrels(WORDED / "qrels.txt"))
    row = table_of(own_sample("bailey-moffat-scholer-thomas", 7), "fusion_scores").iloc[0]
    runs = variations_of(row["system"])
    assert row["metric"] == "AP"
    assert row["value"] == pytest.approx(fused_ap(runs, relevant, 25), abs=1e-9)  # as deep as the sample's rankings
    assert row["best_input"] == pytest.approx(max(mean_ap(run, relevant) for run in runs), abs=1e-9)
    assert row["gain_over_best"] > 0


def test_more_wordings_gain_more_as_bailey_and_others_found():
    relevant = plain.relevant_by_topic(plain.read_qrels(WORDED / "qrels.txt"))
    table = table_of(own_sample("bailey-moffat-scholer-thomas", 8), "fusion_by_count")
    means = table.groupby("count")["value"].mean()
    systems = sorted(set(table["system"]))
    for count in (1, 4):
        plainly = np.mean([fused_ap(variations_of(system)[:count], relevant, 25) for system in systems])
        assert means[count] == pytest.approx(plainly, abs=1e-9)
    assert means[4] > means[1]


def test_consistent_systems_are_good_ones_as_bailey_and_others_found():
    app = own_sample("bailey-moffat-scholer-thomas", 1)
    consistency = table_of(app, "consistency_of_systems").set_index("system")["consistency"]
    relevant = plain.relevant_by_topic(plain.read_qrels(WORDED / "qrels.txt"))
    runs = {system: variations_of(system) for system in consistency.index}
    scores = {system: np.mean([mean_ap(run, relevant) for run in runs[system]]) for system in runs}
    assert max(scores, key=scores.get) == consistency.idxmax()
    assert min(scores, key=scores.get) == consistency.idxmin()


def test_double_fusion_gains_most_as_bailey_and_others_found():
    relevant = plain.relevant_by_topic(plain.read_qrels(WORDED / "qrels.txt"))
    table = table_of(own_sample("bailey-moffat-scholer-thomas", 10), "double_fusion")
    row = table[(table["method"] == "rbc") & (table["metric"] == "AP")].iloc[0]
    systems = sorted({path.name.split(".")[0] for path in (WORDED / "runs").iterdir()})
    runs = [variations_of(system) for system in systems]
    single = [mean_ap(run, relevant) for of_system in runs for run in of_system]
    by_system = [fused_ap(of_system, relevant, 25, 0.95) for of_system in runs]
    by_variation = [fused_ap(nth, relevant, 25, 0.95) for nth in zip(*runs, strict=True)]
    assert row["single"] == pytest.approx(np.mean(single), abs=1e-9)
    assert row["single_max"] == pytest.approx(max(single), abs=1e-9)
    assert row["over_variations_max"] == pytest.approx(max(by_system), abs=1e-9)
    assert row["over_systems_max"] == pytest.approx(max(by_variation), abs=1e-9)
    assert row["gain"] == pytest.approx(row["over_both"] / np.mean(single) - 1, abs=1e-9)
    assert row["gain_over_max"] == pytest.approx(row["over_both"] / max(single) - 1, abs=1e-9)
    assert row["over_both"] > max(row["over_systems"], row["over_variations"]) > row["single"]
