"""What visitors share on one server: nobody gets a figure that another one's thread is drawing, or a study too many."""

import gc
import os
import threading

import plotly.graph_objects as go
import pytest

import evalcore
from evalcore.study.study import Study
from tests.small import small_study
from tests.ui.test_pages import load_track, numbers_of, opened, visit
from ui.session import answers
from ui.views import VIEWS, theme


def test_figures_of_visitors_who_come_together_are_whole():
    """What draws a figure takes "type" out of its traces for a moment: each thread needs a figure of its own."""
    runs = {f"s{i}": {"t1": {"a": 9.0 - i, "b": 5.0}, "t2": {"a": 1.0 * i, "c": 2.0}} for i in range(5)}
    study = small_study(runs, {"t1": {"a": 1, "b": 0}, "t2": {"a": 0, "c": 1}}, pooled="all")
    board = evalcore.ask(study, "leaderboard")
    gate, failures = threading.Barrier(8), []

    def visit():
        gate.wait()
        for _ in range(60):
            figure = answers.computed(study, VIEWS["leaderboard"].figure, board, look=theme.look())
            try:
                go.Figure(figure)
            except ValueError as failure:
                failures.append(failure)

    visitors = [threading.Thread(target=visit) for _ in range(8)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert not failures


def everything_below(folder):
    return [path for path, _, files in os.walk(folder) for file in files if file.endswith(".track")]


def test_what_a_visitor_loads_leaves_nothing_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("POOLSCOPE_CACHE", str(tmp_path))
    app = opened()
    kept = everything_below(tmp_path)
    load_track(app, ("a.run", b"1 Q0 d 1 2 A\n"), qrels=b"1 0 d 1\n")
    assert numbers_of(app, "Systems", "Topics") == ["1", "1"]
    assert everything_below(tmp_path) == kept


def test_a_walk_over_ways_of_fusing_keeps_no_study_for_each():
    app = opened().switch_page("pages/fusion.py").run()

    def studies():
        gc.collect()
        return sum(isinstance(one, Study) for one in gc.get_objects())

    before = studies()
    for rule in ("rbc(phi=0.8)", "rbc(phi=0.9)", "borda", "combsum", "combmnz", "combmax"):
        assert not app.get_by_key("rule").set_value(rule).run().exception
    assert studies() <= before


@pytest.mark.parametrize("metric", ["SDCG@3000000000", "P@99999999999999999999", "RBP(p=0.80000000000000000000001)"])
def test_no_link_asks_for_more_than_there_is(metric):
    said = opened("pages/scores.py", metric=metric).error[0].value.replace("\\", "")
    assert "a whole number from 1 to 1,000,000" in said or "digits; use at most 18" in said


@pytest.mark.parametrize("depth", ["9" * 30, "9" * 5000, "1e999"])
def test_no_link_names_a_depth_that_no_number_holds(depth):
    visit(opened("pages/pool_depth.py", depth=depth), "pages/scores.py")


@pytest.mark.parametrize("level", ["x", "²", "9" * 5000, "0"])
def test_no_link_names_a_grade_that_there_is_not(level):
    app = opened("pages/orderings.py", regimes=["AP", "qrels=other | AP"], other_rel_level=level)
    assert not app.error
    assert "other_rel_level" not in app.query_params


def test_what_a_link_says_wrongly_is_told_in_a_line():
    (said,) = opened("pages/start.py", study="x" * 10_000).warning
    assert said.value.startswith("This server has no study “xxx")
    assert len(said.value) < 300
    assert len(opened("pages/scores.py", depth="x" * 10_000).warning[0].value) < 200
