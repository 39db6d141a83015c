"""Complete judgments on the figures: what is drawn, what the live figure gets, and one switch for all pages."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import plotly.graph_objects as go
import pytest

import evalcore
from evalcore.questions.wrong_pairs import NOTHING_LEFT
from tests.ui.test_pages import ROOT, assume, everything, load_track, run_text, visit
from tests.ui.test_views_scores import HOSTILE, KINDS, LOOKS, NAN, answer, board, documents, pool, sweep
from ui.components import depth_slider
from ui.data import sources
from ui.text.interval_labels import ALL_JUDGMENTS, COMPLETE
from ui.views import VIEWS
from ui.views.consistency import BESIDE_SCORE
from ui.views.fusion import points_of

TRUTH = {"name": COMPLETE, "at": dict.fromkeys(HOSTILE, 0.5) | {"NA": NAN, "unknown": 0.1}}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [0, 1, 6, 143])
def test_a_stroke_on_every_row_that_has_a_truth(kind, n, look):
    drawn = VIEWS["leaderboard"].figure(answer("leaderboard", board(n, kind), metric=KINDS[kind]), look, truth=TRUTH)
    go.Figure(drawn)
    marks = [trace for trace in drawn["data"] if trace.get("name") == COMPLETE]
    assert [trace["marker"]["symbol"] for trace in marks] == ["line-ns"]  # told from dots by its form
    assert [x for x in marks[0]["x"] if x == x and x is not None] == [0.5] * min(n, len(HOSTILE) - 1)
    assert all(ALL_JUDGMENTS not in (trace.get("name") or "") for trace in drawn["data"])  # one form, one meaning
    assert all(text.endswith(COMPLETE) for text in marks[0]["text"])


def test_without_a_truth_the_picture_is_as_before():
    for kind, metric in KINDS.items():
        seen = answer("leaderboard", board(6, kind), metric=metric)
        assert VIEWS["leaderboard"].figure(seen, LOOKS[0]) == VIEWS["leaderboard"].figure(seen, LOOKS[0], truth=None)


@pytest.mark.parametrize("look", LOOKS)
def test_strokes_on_the_other_pictures_of_scores(look):
    rows = board(6).assign(value_without=0.2, rank=1, rank_without=2, in_top_group=True)
    asked = {"metric": "AP", "model": "MD1", "shards": 5}
    for question in ("leave_out", "system_intervals"):
        drawn = VIEWS[question].figure(answer(question, rows, **asked), look, truth=TRUTH)
        go.Figure(drawn)
        assert COMPLETE in [trace.get("name") for trace in drawn["data"]]
    topics = pd.DataFrame({"topic": ["1", "2"], "value": [0.3, 0.4], "lower": 0.1, "upper": 0.6, "upper_listed": 0.6})
    at = {"name": ALL_JUDGMENTS, "at": {"1": 0.6, "2": 0.2}}
    drawn = VIEWS["scores"].figure(answer("scores", topics.assign(kind="bounds")), look, truth=at)
    assert [list(trace["x"]) for trace in drawn["data"] if trace.get("name") == ALL_JUDGMENTS] == [[0.2, 0.6]]


GAINED = {"system": "", "method": "rbc", "phi": 0.9, "metric": "AP", "best_input": 0.4, "mean_input": 0.2, "value": 0.6}


def stroked(drawn):
    """The strokes of a picture: their form, and where they stand."""
    go.Figure(drawn)
    (marks,) = [trace for trace in drawn["data"] if trace.get("name") == COMPLETE]
    assert not re.search("<b>(A|new)", str(marks["text"]))  # names are harmless
    return marks["marker"]["symbol"], list(marks["x"]), list(marks["y"])


@pytest.mark.parametrize("look", LOOKS)
def test_strokes_on_the_pictures_of_fusion(look):
    def drawn(question, rows, at):
        return VIEWS[question].figure(answer(question, pd.DataFrame(rows)), look, truth={"name": COMPLETE, "at": at})

    bars = drawn("fusion_scores", [GAINED], {"fused": 0.7, "best input": 0.3, "mean input": NAN})
    symbol, x, y = stroked(bars)
    assert (symbol, x[:2], y) == ("line-ns", [0.7, 0.3], [0, 1, 2])
    assert [round(one, 9) for one in bars["data"][-1]["x"]] == [0.7, 0.4, 0.2]  # numbers stand past bar and stroke
    assert [one.strip() for one in bars["data"][-1]["text"]] == ["0.600", "0.400", "0.200"]
    assert bars["layout"]["xaxis"]["range"][1] > 0.7
    methods = [GAINED, {**GAINED, "method": "borda", "phi": NAN}]
    assert stroked(drawn("fusion_scores", methods, {"RBC(phi=0.9)": 0.5}))[1] == [0.5, None]


@pytest.mark.parametrize("look", LOOKS)
def test_level_strokes_where_more_variations_are_fused(look):
    rows = pd.DataFrame({"system": ["<b>A", "<b>A", "B"], "count": [1, 2, 1], "value": [0.2, 0.3, 0.1]})
    grown = answer("fusion_by_count", rows)
    assert [name for name, _ in points_of(grown)] == ["<b>A, 1", "<b>A, 2", "B, 1"]
    at = {"<b>A, 1": 0.4, "<b>A, 2": 0.5, "B, 1": NAN}
    drawn = VIEWS["fusion_by_count"].figure(grown, look, truth={"name": COMPLETE, "at": at})
    symbol, x, y = stroked(drawn)
    assert (symbol, x, y[:2]) == ("line-ew", [1, 2, 1], [0.4, 0.5])
    assert VIEWS["fusion_by_count"].figure(grown, look) == VIEWS["fusion_by_count"].figure(grown, look, truth=None)


@pytest.mark.parametrize("look", LOOKS)
def test_a_stroke_on_every_guess_where_the_truth_puts_its_system(look):
    rows = pd.DataFrame({"system": ["<b>A", "B", "late"], "pooled": [True, True, False], "value": [0.5, 0.4, 0.1]})
    rows = rows.assign(reference=0.3, reference_upper=0.35)
    guessed = answer("system_estimates", rows, estimator="rm", reference_depth=None)
    at = {"<b>A": 0.9, "B": NAN, "late": 0.7}
    drawn = VIEWS["system_estimates"].figure(guessed, look, truth={"name": COMPLETE, "at": at})
    symbol, x, y = stroked(drawn)
    assert (symbol, x[:1], y) == ("line-ns", [0.9], [0.5, 0.4])  # of the systems that are drawn
    assert drawn["layout"]["xaxis"]["range"][1] > 0.9
    assert drawn["layout"]["xaxis"]["title"]["text"] == "RBP(p=0.8)"
    plain = VIEWS["system_estimates"].figure(guessed, look)
    assert plain == VIEWS["system_estimates"].figure(guessed, look, truth=None)
    assert plain["layout"]["xaxis"]["title"]["text"] == "RBP(p=0.8) with all judgments"


@pytest.mark.parametrize("look", LOOKS)
def test_strokes_on_ranks_on_consistency_and_at_the_end_of_a_ranking(look):
    rows = pd.DataFrame({"system": ["<b>A", "B"], "rank": [1, 2], "lower": 1, "upper": 2, "kind": "bootstrap"})
    at = {"name": COMPLETE, "at": {"<b>A": 2, "B": 1}}
    drawn = VIEWS["rank_intervals"].figure(answer("rank_intervals", rows), look, truth=at)
    (marks,) = [trace for trace in drawn["data"] if trace.get("name") == COMPLETE]
    assert (marks["x"], marks["y"]) == ([2, 1], [1, 2])
    same_way = answer("consistency_of_systems", pd.DataFrame({"system": ["<b>A", "B"], "consistency": [0.8, 0.6]}))
    scores = {"scores": {"<b>A": 0.2, "B": 0.1}, "metric": "AP"}
    drawn = BESIDE_SCORE.figure(same_way, look, **scores, truth={"name": COMPLETE, "at": {"<b>A": 0.3, "B": 0.4}})
    assert stroked(drawn) == ("line-ew", [0.8, 0.6], [0.3, 0.4])
    assert BESIDE_SCORE.figure(same_way, look, **scores) == BESIDE_SCORE.figure(same_way, look, **scores, truth=None)
    listed = answer("ranking", documents(), topic="7", query=None)
    drawn = VIEWS["ranking"].figure(listed, look, truth={"name": COMPLETE, "at": {"7": 0.6, "8": 0.1}})
    assert stroked(drawn) == ("line-ew", [12], [0.6])  # the score of the whole list, at its last rank


@pytest.mark.parametrize("look", LOOKS)
def test_a_stroke_on_every_reading_of_a_newcomer(look):
    ends = {"lower": [0.2, NAN], "upper": [0.4, NAN], "kind": ["t", "point"]}
    rows = pd.DataFrame({"reading": ["unadjusted", "true"], "value": [0.3, 0.5], **ends})
    came = answer("newcomer", rows, system="<b>new")
    drawn = VIEWS["newcomer"].figure(came, look, truth={"name": COMPLETE, "at": {"<b>new": 0.6, "other": 0.1}})
    assert stroked(drawn) == ("line-ns", [0.6, 0.6], [0, 1])
    assert len(drawn["layout"]["shapes"]) == 1  # the line of its score as part of the pool stays
    assert VIEWS["newcomer"].figure(came, look) == VIEWS["newcomer"].figure(came, look, truth=None)


def wrong(sources=()):
    rows = [
        (1.0, 1, 1, 0, "<b>A", "B", 0.2, -0.1, 0.5, NAN),
        *((depth, 1, 0, 0, None, None, NAN, NAN, NAN, NAN) for depth in (2.0, NAN)),
    ]
    columns = [
        "depth", "pairs", "inversions", "significant", "a", "b", "difference", "difference_final", "p", "touching",
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns)
    return SimpleNamespace(table=table, params={"metric": "AP", "level": 0.05}, sources=sources)


def test_the_live_picture_gets_what_is_marked():
    told = {"dot": "AP", "pooled": []}
    plain = depth_slider.payload(sweep("guide"), pool(2), **told)
    assert "truth" not in plain
    beside = [SimpleNamespace(role="truth")]
    at = {"<b>A": 1.23456, "B": NAN}
    marked = depth_slider.payload(sweep("guide"), pool(2), wrong(beside), truth={"name": COMPLETE, "at": at}, **told)
    assert marked["truth"]["at"] == [12346, None]
    assert marked["most"] == 13000
    assert marked["truth"]["name"] == COMPLETE
    assert marked["truth"]["unmarked"] is None
    assert all("complete judgments" in part for part in marked["truth"]["findings"][0])
    assert ".200" in marked["truth"]["findings"][0][1]
    assert ".100" in marked["truth"]["findings"][0][1]
    assert marked["key"] != plain["key"]
    json.dumps(marked)


def test_at_all_judgments_there_is_nothing_to_mark_without_a_truth():
    told = {"dot": "AP", "pooled": [], "truth": {"name": ALL_JUDGMENTS, "at": {"<b>A": 0.2, "B": 0.1}}}
    marked = depth_slider.payload(sweep(), pool(2), wrong(), **told)
    assert marked["truth"]["unmarked"] == 2
    assert marked["truth"]["findings"][2] == [NOTHING_LEFT, ""]
    assert "compared with all judgments" in marked["truth"]["findings"][0][0]


@pytest.mark.parametrize("look", LOOKS)
def test_what_each_depth_got_wrong(look):
    for table in (wrong().table, wrong().table.head(0), wrong().table.tail(1)):
        go.Figure(VIEWS["wrong_pairs"].figure(answer("wrong_pairs", table), look))


# ---------------------------------------------------------------------------------------------------------------------
# The switch

PAGES = [
    "pages/pool_depth.py", "pages/scores.py", "pages/new_systems.py", "pages/confidence.py", "pages/fusion.py",
    "pages/orderings.py",
]  # fmt: skip
OF_ALL_JUDGMENTS = "pages/confidence.py", "pages/fusion.py"  # which without complete judgments have nothing to mark


def findings_of(app):
    """The findings that a page shows about the complete judgments, by their key."""
    shown = app.session_state["_note"]["findings"]
    return {key: finding for key, finding in shown.items() if "truth" in key}


@pytest.mark.parametrize("page", PAGES)
def test_one_switch_for_all_pages(app, page):
    visit(app, page, study="web", depth="5", metric="nDCG@10")
    off = everything(app)
    assert not findings_of(app)
    app.toggle(key="truth").set_value(True).run()
    assert not app.exception
    assert findings_of(app)
    assert all("complete judgments" in finding.headline for finding in findings_of(app).values())
    assert app.toggle(key="truth").label == "Compare with complete judgments"
    assert app.query_params["truth"] in ("true", ["true"])
    visit(app, PAGES[PAGES.index(page) - 1])
    assert app.toggle(key="truth").value
    visit(app, page)
    app.toggle(key="truth").set_value(False).run()
    assert everything(app) == off
    assert "truth" not in app.query_params


def test_a_newcomer_that_was_not_pooled_stands_beside_its_truth(app):
    visit(app, "pages/new_systems.py", metric="nDCG@10", system="indigo-rerank")
    app.toggle(key="truth").set_value(True).run()
    facts = findings_of(app)["newcomer-by-truth"].facts
    assert facts.items() >= {"system": "indigo-rerank", "metric": "nDCG@10"}.items()
    assert round(facts["final"], 3) == 0.586


def test_variations_fused_and_every_method_stand_beside_the_truth(app):
    visit(app, "pages/fusion.py", study="variations", truth="true", crowd="the variations of cobalt-rerank")
    (told,) = findings_of(app).values()
    assert "complete judgments" in told.headline
    assert "variations of cobalt-rerank" in app.session_state["_note"]["findings"]["fusion_scores"].facts["inputs"]
    assert "Gain from fusion, complete judgments (1 row)" in [fold.label for fold in app.expander]


def test_a_guess_stands_beside_the_truth(app):
    visit(app, "pages/estimators.py", study="web", truth="true", shallow="5", guess="rm")
    assert findings_of(app)["truth-of-guess"].facts["depth"] == 5
    assert COMPLETE in drawn_on(app)["system_estimates"]
    app.toggle(key="truth").set_value(False).run()
    assert not findings_of(app)
    assert COMPLETE not in drawn_on(app)["system_estimates"]


def drawn_on(app):
    """What the marks of each picture of a page are called."""
    pictures = app.session_state["_note"]["pictures"]
    return {key: [mark.get("name") for mark in make(look=LOOKS[0])["data"]] for key, (*_, make) in pictures.items()}


def test_both_of_two_orderings_and_the_pairs_stand_beside_the_truth(app):
    address = {"study": "web", "truth": "true", "regimes": ["depth=5", "AP"], "metric": "P@10"}
    visit(app, "pages/orderings.py", a="depth=5", b="AP", **address)
    assert [finding.facts.get("depth") for finding in findings_of(app).values()] == [5, None, None]
    assert list(findings_of(app)) == ["truth-of-regime-0", "truth-of-regime-1", "truth-of-pairs"]


def test_a_way_of_measuring_without_a_pool_or_by_other_judgments_has_no_truth(app):
    a, b = "judgments=500", "qrels=other | AP"
    visit(app, "pages/orderings.py", study="web", truth="true", regimes=[a, b], a=a, b=b)
    assert list(findings_of(app)) == ["truth-of-pairs"]


def test_consistency_stands_beside_true_scores(app):
    visit(app, "pages/consistency.py", study="variations", truth="true", metric="AP")
    assert findings_of(app)["truth-of-scores"].facts["pairs"] == 6
    assert app.toggle(key="truth").value


def test_scores_on_shards_and_ranks_are_marked(app):
    visit(app, "pages/confidence.py", study="web", truth="true")
    names = drawn_on(app)
    assert COMPLETE in names["intervals-MD1"]
    assert f"{COMPLETE}, split into as many shards" in names["intervals-MD6"]


def test_marks_beside_means_over_all_topics_are_means_over_all_topics(app):
    """marble-fusion lacks a topic, which the analysis counts as 0 whatever scores average over."""
    assume(app, average="common")
    visit(app, "pages/confidence.py", study="web", truth="true", metric="P@10")
    *_, make = app.session_state["_note"]["pictures"]["intervals-MD1"]
    drawn = make(look=LOOKS[0])
    (marks,) = (one["x"] for one in drawn["data"] if one.get("name") == COMPLETE)
    folder = ROOT / "sample_data" / "web"
    files = {"systems": folder / "systems.tsv", "truth": folder / "qrels.complete.txt.gz"}
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", average="common", **files)
    asked = {"metric": "P@10", "model": "MD1"}
    wanted = evalcore.ask(study.judged_by_truth, "system_intervals", **asked).table.set_index("system")["value"]
    shown = evalcore.ask(study, "system_intervals", **asked).table["system"]
    assert marks == pytest.approx(wanted[shown].tolist())


def test_own_files_have_all_judgments_for_a_truth(app):
    load_track(app, ("A", run_text("A")), ("B", run_text("B", ("d3", "d1"))))
    visit(app, "pages/scores.py")
    assert not [toggle for toggle in app.toggle if toggle.key == "truth"]  # all judgments are in use
    app.get_by_key("depth").set_value(1).run()
    assert app.toggle(key="truth").label == "Compare with all judgments"
    app.toggle(key="truth").set_value(True).run()
    assert all("all judgments" in finding.headline for finding in findings_of(app).values())
    assert findings_of(app)
    assert NOTHING_LEFT not in [caption.value for caption in app.caption]


def test_a_truth_that_contradicts_the_judgments_is_told(app, monkeypatch):
    def with_a_wrong_one(name, sample=sources.sample):
        source = sample(name)
        (second,) = source.of("other")
        others = [given for given in source.beside if given.role != "truth"]
        return replace(source, beside=(*others, second._replace(role="truth")))

    monkeypatch.setattr(sources, "sample", with_a_wrong_one)
    for page in PAGES:
        app.switch_page(page).run()
        assert not app.exception
        assert "Complete judgments must contain all judgments" in app.error[0].value.replace("\\", "")
        switches = [toggle for toggle in app.toggle if toggle.key == "truth"]
        assert bool(switches) == (page not in OF_ALL_JUDGMENTS)
        for switch in switches:
            switch.set_value(True).run()
            assert not app.exception
