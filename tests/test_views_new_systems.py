"""The faces of newcomers and corrections: figures that Plotly accepts, and sentences that are true."""

import json

import pandas as pd
import plotly.graph_objects as go
import pytest

from evalcore.asking import Answer
from evalcore.questions import QUESTIONS
from ui import theme
from ui.views import VIEWS
from ui.views.newcomers import hardest_hit

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
LOOK = LOOKS[0]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
ASKED = {"by": "run", "system": "a", "method": "t", "metric": "<b>AP"}


def answer(question, rows, columns=None):
    return Answer(pd.DataFrame(rows, columns=columns), question, ASKED, (), "", (), {}, {})


def finding(question, rows, columns=None, **asked):
    return str(QUESTIONS[question].finding(pd.DataFrame(rows, columns=columns), ASKED | asked, None))


def board(n):
    names = (HOSTILE + [f"system {i}" for i in range(n)])[:n]
    values = [1 - i / (n + 1) for i in range(n)]
    table = pd.DataFrame({"system": names, "value": values}).assign(value_without=0.1, rank=1, rank_without=2)
    return answer("leave_out", table)


WIDTHS = pd.DataFrame({"width": [2, 4], "mean": 0.1, "q1": 0.0, "q3": 0.2})
READINGS = pd.DataFrame({"reading": ["unadjusted", "condensed", "true"], "value": 0.3, "lower": [0.2, NAN, 0.1]})
READINGS = READINGS.assign(upper=[0.4, NAN, 0.5], kind=["t", "point", "bounds"])
ERRORS = {"common": [10, 20], "unadjusted": 0.2, "mixed": 0.1, "from_systems": 0.1, "from_topics": 0.0}


def every_figure(look):
    for n in (0, 1, 6, 143):
        yield VIEWS["leave_out"].figure(board(n), look)
    yield VIEWS["leave_out"].figure(answer("leave_out", board(6).table.assign(value=NAN, rank=NAN)), look)
    for table in (WIDTHS, WIDTHS[:1], WIDTHS[:0]):
        yield VIEWS["bias_by_width"].figure(answer("bias_by_width", table), look)
    for table in (READINGS, READINGS[:2], READINGS.assign(value=NAN, lower=NAN, upper=NAN), READINGS[:0]):
        yield VIEWS["newcomer"].figure(answer("newcomer", table), look)
    for widths in ([4, 4], [2, 4]):
        table = pd.DataFrame(ERRORS).assign(width=widths)
        yield VIEWS["adjustment_experiment"].figure(answer("adjustment_experiment", table), look)


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark, large"])
def test_plotly_accepts_every_figure_and_no_name_reaches_it_unescaped(look):
    for figure in every_figure(look):
        go.Figure(figure)
        assert isinstance(figure["layout"]["height"], int)
        texts = ([trace.get(key) for key in ("name", "text", "hovertemplate")] for trace in figure["data"])
        shown = json.dumps([figure["layout"], *texts])
        assert "<img" not in shown
        assert "<b>AP" not in shown


def test_before_and_after_stand_in_one_row():
    gap, before, after = VIEWS["leave_out"].figure(board(6), LOOK)["data"]
    assert before["customdata"] == after["customdata"] == HOSTILE
    assert before["y"] == after["y"] == [1, 2, 3, 4, 5, 6]
    assert gap["x"][:3] == [0.1, before["x"][0], None]
    assert before["marker"]["symbol"] != after["marker"]["symbol"]


def test_a_line_stands_at_the_true_score_where_there_is_one():
    marked = VIEWS["newcomer"].figure(answer("newcomer", READINGS), LOOK)["layout"]["shapes"]
    assert [(one["x0"], one["x1"]) for one in marked] == [(0.3, 0.3)]
    for table in (READINGS[:2], READINGS.assign(value=NAN)):
        assert not VIEWS["newcomer"].figure(answer("newcomer", table), LOOK)["layout"]["shapes"]


def test_an_interval_names_its_kind():
    rows = VIEWS["newcomer"].figure(answer("newcomer", READINGS), LOOK)["layout"]["yaxis"]["ticktext"]
    assert rows == [
        "left as it is<br>t interval", "unjudged documents taken out", "true score<br>bounds (exact)",
    ]  # fmt: skip


def test_the_experiment_is_drawn_for_the_widest_pool():
    table = pd.DataFrame(ERRORS | {"common": [10, 10]}).assign(width=[40, 2], unadjusted=[0.1, 0.9])
    data = VIEWS["adjustment_experiment"].figure(answer("adjustment_experiment", table), LOOK)["data"]
    assert data[0]["y"] == [0.1]
    assert len({(one["line"]["dash"], one["marker"]["symbol"]) for one in data}) == 4


# Left out

LEFT_OUT = ["system", "left_out", "value", "value_without", "rank", "rank_without", "unique_relevant"]


@pytest.mark.parametrize(
    ("rows", "by", "sentence"),
    [
        ([("a", "a", 0.5, 0.48, 1, 1, 2), ("b", "b", 0.4, 0.38, 2, 11, 3)], "run",
         "Left out, a system's score changes by −.020 on average; the furthest fall, by nine places, is that of b."),
        ([("a", "a", 0.5, 0.48, 1, 3, 2), ("b", "b", 0.4, 0.38, 2, 4, 3), ("c", "c", 0.3, 0.3, 3, 4, 0)], "run",
         "Left out, a system's score changes by −.013 on average; the furthest fall, by two places, is that of a and "
         "b."),
        ([("a", "G", 0.5, 0.45, 1, 1, 2)], "group",
         "Left out with its group, a system's score changes by −.050 on average; none falls in the ordering."),
        ([("a", "a", 0.5, 0.52, 2, 1, 2), ("b", "b", NAN, NAN, NAN, NAN, 0)], "run",
         "Left out, a system's score changes by .020 on average; none falls in the ordering."),
        ([("a", "a", 0.5, 0.5, 1, 2, 0)], "run",
         "Left out, a system's score changes by .000 on average; the furthest fall, by one place, is that of a."),
        ([("a", "a", NAN, NAN, NAN, NAN, 0)], "run", "No system that helped to build the pool has a score."),
        ([], "run", "No system that helped to build the pool has a score."),
    ],
)  # fmt: skip
def test_left_out(monkeypatch, rows, by, sentence):
    monkeypatch.setattr("evalcore.contributors.unexplained", lambda study: 0.0)
    assert finding("leave_out", rows, LEFT_OUT, by=by) == sentence
    monkeypatch.setattr("evalcore.contributors.unexplained", lambda study: 0.25)
    at_most = (
        "; it costs at most that, for 25% of the judgments are not of the pool." if "Left out" in sentence else "."
    )
    assert finding("leave_out", rows, LEFT_OUT, by=by) == sentence[:-1] + at_most


def test_what_one_alone_found_is_counted_once_a_group():
    rows = [("a", "G", 0.5, 0.4, 1, 2, 7), ("b", "G", 0.4, 0.4, 2, 2, 7)]
    tiles = VIEWS["leave_out"].tiles(answer("leave_out", rows, LEFT_OUT))
    assert [value for _, value, _ in tiles] == [".050", ".100", "1", "7"]


def test_the_hardest_hit_come_first():
    rows = [("a", "a", 0.5, 0.4, 1, 2, 7), ("b", "b", 0.4, 0.2, 2, 2, 7), ("c", "c", NAN, NAN, NAN, NAN, 0)]
    assert hardest_hit(answer("leave_out", rows, LEFT_OUT)) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("widths", "means", "sentence"),
    [
        ([2, 40], [0.283, -0.012],
         "The bias of a pool of 2 systems against one more is .283 on average, that of one of 40 −.012."),
        ([1], [0.283], "The bias of a pool of 1 system against one more is .283 on average."),
    ],
)  # fmt: skip
def test_widths(widths, means, sentence):
    assert finding("bias_by_width", {"width": widths, "mean": means}) == sentence


# A newcomer


def newcomer(**scores):
    readings = [reading.replace("_", " ") for reading in scores]
    return finding("newcomer", {"reading": readings, "value": scores.values()})


def test_a_newcomer():
    assert newcomer(unadjusted=0.2, from_topics=0.28, true=0.3) == (
        "Had a come too late, it would score .200 in place of .300; closest comes “corrected from common topics” with "
        ".280."
    )
    as_it_is = "Had a come too late, it would score .200 in place of .300; closest comes “left as it is” with .200."
    assert newcomer(unadjusted=0.2, condensed=0.5, from_systems=0.1, true=0.3) == as_it_is
    assert newcomer(unadjusted=0.2, condensed=0.2, true=0.3) == as_it_is


def test_a_newcomer_of_whom_less_is_known():
    unknown = "The true score of a is not known; left as it is, the score is "
    assert newcomer(unadjusted=NAN, condensed=NAN, true=NAN) == unknown + "unknown."
    assert newcomer(unadjusted=0.2, condensed=0.3, from_systems=0.25) == unknown + ".200."


# Corrections

ADJUSTED = {"system": "a", "unadjusted": 0.2, "adjusted": 0.25, "lower": 0.24, "upper": 0.26, "n": 10}


def test_adjusted_from_systems():
    said = "From 10 other systems, the score of a is corrected from .200 to .250 (t interval: .240 to .260)."
    assert finding("adjust_from_systems", [ADJUSTED]) == said
    one = finding("adjust_from_systems", [ADJUSTED | {"adjusted": 0.2001, "n": 1}])
    assert one.startswith("From 1 other system, the score of a is corrected from .200 to .200")


@pytest.mark.parametrize(
    ("changed", "method", "sentence"),
    [
        ({"helps_over_unadjusted": True}, "bootstrap",
         "(bootstrap interval: .240 to .260); correcting is likely to help."),
        ({"helps_over_unadjusted": False, "lower": -0.1, "upper": 1.1}, "t",
         "(t interval: −.100 to 1.100); correcting may not help."),
    ],
)  # fmt: skip
def test_adjusted_from_topics(changed, method, sentence):
    said = finding("adjust_from_topics", [ADJUSTED | changed], method=method)
    assert said == f"From 10 common topics, the score of a is corrected from .200 to .250 {sentence}"


def experiment(**changed):
    row = {"width": [2], "common": [10], "unadjusted": 0.2, "mixed": 0.1, "from_systems": 0.15, "from_topics": 0.01}
    return finding("adjustment_experiment", row | changed)


def test_the_experiment():
    assert experiment() == (
        "With 2 systems in the pool and 10 common topics, correcting from topics comes closest: a newcomer's "
        "score is off by .200 on average left as it is, .100 with true scores on the common topics, .150 corrected "
        "from systems and .010 from topics."
    )


def test_all_topics_teach_nothing():
    widths, common = [2, 4, 4], [10, 10, 20]
    many = experiment(width=widths, common=common, mixed=[0.1, 0.1, 0.0])
    assert "With 4 systems in the pool and 10 common topics" in many
    assert "taking true scores on the common topics comes closest" in experiment(mixed=0.0)
    assert "leaving it as it is comes closest" in experiment(mixed=1e-17, unadjusted=1e-17)
