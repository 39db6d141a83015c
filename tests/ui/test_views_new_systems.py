"""The views of new systems and corrections: figures that Plotly accepts, and findings that are true."""

import json
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import pytest

from evalcore.answers import Answer
from evalcore.findings import FINDINGS
from tests.small import small_study
from ui.views import VIEWS, theme
from ui.views.new_systems import hardest_hit

NAN = float("nan")
LOOKS = [theme.look(), theme.look(dark=True, large=True)]
LOOK = LOOKS[0]
HOSTILE = ["**b**", "<img src=x onerror=alert(1)>", "=cmd()", "![x](http://evil/x.png)", "😀", "NA"]
ASKED = {"by": "run", "system": "a", "method": "t", "metric": "<b>AP", "depth": None, "unjudged": "irrelevant"}
ASKED |= {"level": 0.05}
RUNS = {name: {topic: {"d": 1.0} for topic in "12345"} for name in "abc"}
STUDY = small_study(RUNS, {topic: {"d": 1} for topic in "12345"}, pooled=["a", "b"], groups={"a": "G"}, pool_depth=10)


def answer(question, rows, columns=None):
    return Answer(pd.DataFrame(rows, columns=columns), question, ASKED, (), "", (), {}, {})


def finding(question, rows, columns=None, **asked):
    return FINDINGS[question](pd.DataFrame(rows, columns=columns), ASKED | {"metric": "AP"} | asked, STUDY)


def board(n):
    names = (HOSTILE + [f"system {i}" for i in range(n)])[:n]
    values = [1 - i / (n + 1) for i in range(n)]
    table = pd.DataFrame({"system": names, "value": values}).assign(value_without=0.1, rank=1, rank_without=2)
    return answer("leave_out", table)


WIDTHS = pd.DataFrame({"width": [2, 4], "mean": 0.1, "q1": 0.0, "q3": 0.2, "unjudged": "irrelevant"})
BOTH = pd.concat([WIDTHS, WIDTHS.assign(unjudged="condensed", mean=-0.1)])
READINGS = pd.DataFrame({"reading": ["unadjusted", "condensed", "true"], "value": 0.3, "lower": [0.2, NAN, 0.1]})
READINGS = READINGS.assign(upper=[0.4, NAN, 0.5], kind=["t", "point", "bounds"])
ERRORS = {"common": [10, 20], "unadjusted": 0.2, "mixed": 0.1, "from_systems": 0.1, "from_topics": 0.0}
ERRORS |= {f"{name}_se": 0.01 for name in ("unadjusted", "mixed", "from_systems", "from_topics")}


def every_figure(look):
    for n in (0, 1, 6, 143):
        yield VIEWS["leave_out"].figure(board(n), look)
    yield VIEWS["leave_out"].figure(answer("leave_out", board(6).table.assign(value=NAN, rank=NAN)), look)
    for table in (WIDTHS, WIDTHS[:1], WIDTHS[:0], BOTH):
        yield VIEWS["bias_by_width"].figure(answer("bias_by_width", table), look)
    for table in (READINGS, READINGS[:2], READINGS.assign(value=NAN, lower=NAN, upper=NAN), READINGS[:0]):
        yield VIEWS["newcomer"].figure(answer("newcomer", table), look)
    for name in HOSTILE:
        yield VIEWS["adjust_from_topics"].figure(answer("adjust_from_topics", [ADJUSTED | {"system": name}]), look)
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


def with_finding(asked):
    return replace(asked, finding=FINDINGS[asked.question](asked.table, ASKED, STUDY))


def test_a_bar_is_the_change_and_says_it():
    bars, gap, numbers = VIEWS["leave_out"].figure(with_finding(board(6)), LOOK)["data"]
    assert bars["customdata"] == HOSTILE
    assert (bars["y"], bars["x"]) == ([1, 2, 3, 4, 5, 6], pytest.approx([0.1 - (1 - i / 7) for i in range(6)]))
    assert [text.strip("\u00a0") for text in numbers["text"]][:2] == ["−.900", "−.757"]
    assert gap["x"] == pytest.approx([-1 / 7, -1 / 7])


def test_a_loss_and_a_gain_have_their_colours():
    table = board(3).table.assign(value=[0.5, 0.4, 0.3], value_without=[0.4, 0.5, 0.3])
    lost, gained, *_ = VIEWS["leave_out"].figure(answer("leave_out", table), LOOK)["data"]
    assert (lost["y"], gained["y"]) == ([1, 3], [2])
    assert lost["marker"]["color"] != gained["marker"]["color"]


def test_on_a_large_track_only_rows_that_the_sentence_names_have_numbers():
    table = board(143).table
    table.loc[77, "value_without"] = -1.0
    *_, numbers = VIEWS["leave_out"].figure(with_finding(answer("leave_out", table)), LOOK)["data"]
    assert 0 < sum(map(bool, numbers["text"])) <= 3
    assert numbers["text"][77]


def test_complete_judgments_are_marked_as_changes():
    marks = {"truth": {"name": "with complete judgments", "at": {"**b**": 0.75, "nobody": 0.1}}}
    *_, stroke, _ = VIEWS["leave_out"].figure(board(6), LOOK, **marks)["data"]
    assert stroke["x"][0] == pytest.approx(0.75 - 1)
    assert stroke["x"][1:] == [None] * 5


def test_both_biases_are_drawn_with_the_line_of_none():
    shown = VIEWS["bias_by_width"].figure(answer("bias_by_width", BOTH), LOOK)
    counted, _, removed, _ = shown["data"]
    assert (counted["y"], removed["y"]) == ([0.1, 0.1], [-0.1, -0.1])
    assert len({trace["name"] for trace in shown["data"]}) == 4
    assert [(line["y0"], line["y1"]) for line in shown["layout"]["shapes"]] == [(0, 0)]


def test_a_line_stands_at_the_true_score_where_there_is_one():
    marked = VIEWS["newcomer"].figure(answer("newcomer", READINGS), LOOK)["layout"]["shapes"]
    assert [(one["x0"], one["x1"]) for one in marked] == [(0.3, 0.3)]
    for table in (READINGS[:2], READINGS.assign(value=NAN)):
        assert not VIEWS["newcomer"].figure(answer("newcomer", table), LOOK)["layout"]["shapes"]


def test_an_interval_names_its_kind():
    rows = VIEWS["newcomer"].figure(answer("newcomer", READINGS), LOOK)["layout"]["yaxis"]["ticktext"]
    ends = "uncorrected<br>t interval", "as part of the pool<br>bounds (exact)"
    assert rows == [ends[0], "unjudged documents removed", ends[1]]


def test_a_guide_is_not_drawn():
    table = READINGS.assign(kind=["guide", "point", "guide"])
    figure = VIEWS["newcomer"].figure(answer("newcomer", table), LOOK)
    assert figure["layout"]["yaxis"]["ticktext"] == ["uncorrected", "unjudged documents removed", "as part of the pool"]
    error = figure["data"][0]["error_x"]
    assert not any(end == end and end for side in ("array", "arrayminus") for end in error[side])


def test_the_experiment_is_drawn_over_the_width_of_the_pool():
    at = pd.DataFrame(ERRORS)
    table = pd.concat(
        [at.assign(width=2, unadjusted=0.9, mixed=[0.5, 0.3], from_topics=[0.2, 0.1]), at.assign(width=40)]
    )
    data = VIEWS["adjustment_experiment"].figure(answer("adjustment_experiment", table), LOOK)["data"]
    drawn = {line["name"]: (line["x"], line["y"]) for line in data}
    assert drawn == {
        "uncorrected": (["2", "40"], [0.9, 0.2]),
        "true scores on 10 fully judged topics": (["2", "40"], [0.5, 0.1]),
        "corrected from systems": (["2", "40"], [0.1, 0.1]),
        "corrected from 10 fully judged topics": (["2", "40"], [0.2, 0.0]),
        "corrected from 20 fully judged topics": (["2", "40"], [0.1, 0.0]),
    }
    assert all(line["error_y"]["array"] == pytest.approx([0.01, 0.01]) for line in data)
    assert len({(one["line"]["dash"], one["marker"]["symbol"], one["line"]["color"]) for one in data}) == len(data)


# Left out

LEFT_OUT = ["system", "left_out", "value", "value_without", "rank", "rank_without", "unique_relevant"]


@pytest.mark.parametrize(
    ("rows", "asked", "facts", "words"),
    [
        ([("a", "a", 0.5, 0.48, 1, 1, 2), ("b", "b", 0.4, 0.38, 2, 11, 3)], {},
         {"change": 0.02, "most": ["a", "b"], "furthest": ["b"], "places": 9}, ["loses", "b falls furthest"]),
        ([("a", "a", 0.5, 0.48, 1, 3, 2), ("b", "b", 0.4, 0.37, 2, 4, 3), ("c", "c", 0.3, 0.3, 3, 4, 0)], {"depth": 5},
         {"change": 0.05 / 3, "most": ["b"], "furthest": ["a", "b"], "places": 2}, ["loses", "a and b fall furthest"]),
        ([("a", "a", 0.5, 0.48, 1, 2, 2), ("b", "b", 0.4, 0.35, 2, 5, 3)], {},
         {"change": 0.035, "largest": 0.05, "most": ["b"], "furthest": ["b"], "places": 3}, ["worst", "3 ranks (b)"]),
        ([("a", "a", 0.5, 0.56, 1, 1, 2), ("b", "b", 0.4, 0.38, 2, 2, 3)], {},
         {"change": 0.02, "largest": 0.02, "most": ["b"]}, ["gains", "largest loss is .020 (b)", "No system loses"]),
        ([("a", "G", 0.5, 0.45, 1, 1, 2)], {"by": "group"}, {"only": "a", "change": 0.05}, ["its group", "lowers"]),
        ([("a", "a", 0.5, 0.52, 2, 1, 2), ("b", "b", NAN, NAN, NAN, NAN, 0)], {"unjudged": "condensed"},
         {"only": "a", "change": 0.02}, ["raises its score by .020."]),
        ([("a", "a", 0.5, 0.4998, 1, 2, 0)], {}, {"only": "a"}, ["less than .001 and costs it 1 rank"]),
        ([("a", "a", 0.5, 0.5, 1, 1, 0)], {}, {}, ["changes no score"]),
        ([("a", "a", NAN, NAN, NAN, NAN, 0)], {}, {}, ["no score"]),
        ([], {}, {}, ["no score"]),
    ],
)  # fmt: skip
def test_left_out(monkeypatch, rows, asked, facts, words):
    monkeypatch.setattr("evalcore.study.study_pool.unexplained", lambda study, depth=None: 0.0)
    told = finding("leave_out", rows, LEFT_OUT, **asked)
    for name, fact in facts.items():
        assert told.facts[name] == (pytest.approx(fact) if isinstance(fact, float) else fact)
    assert [word for word in words if word not in str(told)] == []
    assert not told.caveats
    monkeypatch.setattr("evalcore.study.study_pool.unexplained", lambda study, depth=None: 0.25)
    caveats = finding("leave_out", rows, LEFT_OUT, **asked).caveats
    assert ["25%" in caveat for caveat in caveats] == [True] * ("loses" in told.headline or "lowers" in told.headline)


def test_what_one_alone_found_is_counted_once_a_group():
    rows = [("a", "G", 0.5, 0.4, 1, 2, 7), ("b", "G", 0.4, 0.4, 2, 2, 7)]
    rows = [(*row, 3) for row in rows]
    tiles = VIEWS["leave_out"].tiles(answer("leave_out", rows, [*LEFT_OUT, "retrieved_alone"]))
    assert [value for _, value, _ in tiles] == ["7", "3"]
    assert [label for label, _, _ in tiles] == [
        "Relevant documents that only one system contributed",
        "Relevant documents that only one system retrieved",
    ]
    of_whom = [note for *_, note in tiles]
    assert "only one contributing system has within the pool depth" in of_whom[0]  # a later one may have it, too


def test_the_hardest_hit_come_first():
    rows = [("a", "a", 0.5, 0.4, 1, 2, 7), ("b", "b", 0.4, 0.2, 2, 2, 7), ("c", "c", NAN, NAN, NAN, NAN, 0)]
    assert hardest_hit(answer("leave_out", rows, LEFT_OUT)) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("widths", "means", "words"),
    [
        ([2, 40], [0.283, 0.012], ["2 systems under", ".283", "does so by .012"]),
        ([2, 40], [0.283, -0.012], ["2 systems under", ".283", "40 systems over", ".012"]),
        ([2, 40], [0.283, 0.0001], ["2 systems under", "40 systems has a mean bias of less than .001"]),
        ([2, 40], [0.0, 0.0001], ["has a mean bias of less than .001", "So has"]),
        ([1], [0.0001], ["1 system has a mean bias of less than .001"]),
    ],
)
def test_widths(widths, means, words):
    told = finding("bias_by_width", {"width": widths, "mean": means})
    assert "correct" not in str(told)  # scores that are too high and too low have a mean bias of 0, too
    assert [word for word in words if word not in str(told)] == []
    assert told.facts.items() >= {"narrow_bias": abs(means[0]), "wide_bias": abs(means[-1]), "depth": 10}.items()


# A new system


FROM_SYSTEMS = "corrected from other systems"


def newcomer(*, by="run", system="a", common=2, **scores):
    readings = [reading.replace("_", " ") for reading in scores]
    rows = {"reading": readings, "value": scores.values(), "n": 5}
    return finding("newcomer", rows, by=by, system=system, common=common)


@pytest.mark.parametrize(
    ("asked", "scores", "nearest"),
    [
        ({}, {"unadjusted": 0.2, "from_topics": 0.28}, ["corrected from fully judged topics"]),
        ({}, {"unadjusted": 0.2, "condensed": 0.5, "from_systems": 0.1}, ["uncorrected"]),
        ({"by": "group"}, {"unadjusted": 0.2, "condensed": 0.1}, ["uncorrected"]),
        ({"by": "group", "system": "b"}, {"unadjusted": 0.2, "condensed": 0.1}, ["uncorrected"]),  # in no group
        ({}, {"unadjusted": 0.2, "condensed": 0.2, "from_systems": 0.1}, ["uncorrected", "unjudged documents removed"]),
        ({}, {"unadjusted": 0.2, "condensed": 0.1, "from_systems": 0.4}, ["uncorrected", FROM_SYSTEMS]),
        ({}, {"unadjusted": 0.2, "condensed": 0.2}, None),
        # corrected from all topics it has its true score
        ({"common": 5}, {"unadjusted": 0.2, "condensed": 0.5, "from_topics": 0.3}, ["uncorrected"]),
        ({"common": list("12345")}, {"unadjusted": 0.2, "condensed": 0.5, "from_topics": 0.3}, ["uncorrected"]),
    ],
)  # fmt: skip
def test_a_new_system(asked, scores, nearest):
    told = newcomer(**scores, true=0.3, **asked)
    assert told.facts.items() >= {"unadjusted": 0.2, "true": 0.3, "system": asked.get("system", "a")}.items()
    assert told.facts.get("nearest") == nearest
    assert ("its group's" in told.headline) == (told.facts.get("group") == "G") == (asked == {"by": "group"})
    assert " drop " in told.headline


def test_a_new_system_may_rise():
    assert " rise " in newcomer(unadjusted=0.4, condensed=0.5, true=0.3).headline


@pytest.mark.parametrize(("unadjusted", "true"), [(0.2, 0.2004), (0.2, 0.2), (0.1996, 0.2004)])
def test_a_new_system_that_loses_nothing(unadjusted, true):
    told = newcomer(unadjusted=unadjusted, from_topics=0.28, true=true)
    assert "would still score .200" in told.headline
    assert not told.detail


def test_scores_that_read_differently_are_not_called_the_same():
    told = newcomer(unadjusted=0.2004, from_topics=0.28, true=0.2009)
    assert ("still" in told.headline) == (".201" not in told.headline)


def test_a_new_system_of_which_less_is_known():
    assert "no score" in newcomer(unadjusted=NAN, condensed=NAN, true=NAN).headline
    told = newcomer(by="group", unadjusted=0.2, condensed=0.3)
    assert "true" not in told.facts
    assert "not known" in told.detail


# Corrections

ADJUSTED = {"system": "a", "unadjusted": 0.2, "adjustment": 0.05, "adjusted": 0.25, "lower": 0.24, "upper": 0.26}


def test_a_correction_is_drawn_with_its_interval():
    (dots,) = VIEWS["adjust_from_systems"].figure(answer("adjust_from_systems", [ADJUSTED]), LOOK)["data"]
    assert dots["x"] == [0.2, 0.25]
    assert dots["error_x"]["array"] == [0, pytest.approx(0.01)]
    assert dots["error_x"]["arrayminus"] == [0, pytest.approx(0.01)]


def test_adjusted_from_systems():
    told = finding("adjust_from_systems", [ADJUSTED | {"n": 10}])
    facts = {name: ADJUSTED[name] for name in ("unadjusted", "adjusted", "lower", "upper")}
    assert told.facts.items() >= (facts | {"n": 10}).items()
    assert "95% t interval" in told.detail
    told = finding("adjust_from_systems", [ADJUSTED | {"n": 1}], by="group", level=0.001)
    assert "other groups" in told.headline
    assert "99.9% t interval" in told.detail


@pytest.mark.parametrize("by", [0.0004, -0.0004, 0.0])
def test_a_correction_that_would_read_as_none_leaves_the_score(by):
    little = ADJUSTED | {"n": 10, "adjustment": by, "adjusted": 0.2 + by, "lower": 0.199, "upper": 0.202}
    assert "leaves the score of a at .200" in finding("adjust_from_systems", [little]).headline
    told = finding("adjust_from_topics", [little | {"n": 2, "helps_over_unadjusted": False}])
    assert "leaves the score of a at .200" in told.headline
    assert "may not help" in told.detail


@pytest.mark.parametrize(
    ("changed", "asked", "words"),
    [
        ({"helps_over_unadjusted": True}, {"method": "bootstrap"}, ["bootstrap interval", "likely to help."]),
        ({"helps_over_unadjusted": True, "lower": 1.0, "upper": 1.2, "adjusted": 1.1}, {}, ["outside 0 to 1"]),
        ({"helps_over_unadjusted": True, "lower": 0.1, "upper": 0.3}, {}, ["to help, but the uncorrected score"]),
        ({"helps_over_unadjusted": False, "lower": -0.1, "upper": 1.1}, {}, ["may not help", "outside 0 to 1"]),
        ({"n": 5, "helps_over_unadjusted": True}, {}, ["nothing is left to estimate"]),
    ],
)  # fmt: skip
def test_adjusted_from_topics(changed, asked, words):
    told = finding("adjust_from_topics", [ADJUSTED | {"n": 2} | changed], **asked)
    assert [word for word in words if word not in told.detail] == []
    assert told.facts["rest"] == 5 - changed.get("n", 2)


def test_topics_without_a_bias_correct_nothing():
    still = ADJUSTED | {"n": 2, "adjustment": 0.0, "adjusted": 0.2, "lower": 0.2, "upper": 0.2}
    still |= {"helps_over_unadjusted": False}
    for n, rest in ((2, 3), (4, 1), (5, 0)):
        told = finding("adjust_from_topics", [still | {"n": n}])
        assert "no bias" in told.headline
        assert told.facts["rest"] == rest
        assert bool(told.detail) == bool(rest)


def experiment(**changed):
    row = {"width": [2], "common": [10], "unadjusted": 0.2, "mixed": 0.1, "from_systems": 0.15, "from_topics": 0.01}
    row |= {f"{name}_se": 0.01 for name in ("unadjusted", "mixed", "from_systems", "from_topics")}
    return finding("adjustment_experiment", row | changed)


def test_the_experiment():
    told = experiment()
    assert told.facts.items() >= {"best": ["correcting from topics"], "least": 0.01, "width": 2, "common": 10}.items()
    headline = "Correcting from topics works best: mean error falls from .200 to .010 (2 systems, 10 topics)."
    assert told.headline == headline  # of the row that it is about; others may say the reverse


def test_a_correction_that_does_more_harm_than_chance_explains_is_named():
    """The smallest pool first. One of no more harm than the two standard errors, .01 + .01, is none."""
    assert not experiment().caveats
    assert not experiment(from_systems=0.219, from_topics=0.219).caveats
    wide = {"width": [4, 2, 4], "common": [10, 20, 20], "from_topics": [0.5, 0.221, 0.4]}
    said = "Do not correct from 20 topics if 2 systems form the pool: the error was .221, and .200 without correction."
    assert experiment(**wide).caveats == (said,)
    said = "Do not correct from systems if 2 form the pool: the error was .300, and .200 without correction."
    assert experiment(from_systems=0.3).caveats == (said,)
    assert not experiment(from_systems=0.3, unadjusted_se=NAN).caveats  # of one draw
    nothing = dict.fromkeys(("unadjusted_se", "from_systems_se", "from_topics_se"), 0.0)
    assert not experiment(unadjusted=0.2, from_systems=0.2002, **nothing).caveats  # which would read alike


def test_errors_that_would_read_alike_have_more_digits():
    told = str(experiment(unadjusted=0.0021, mixed=0.0013, from_systems=0.0019, from_topics=0.0009))
    assert [number for number in (".0021", ".0013", ".0019", ".0009") if number not in told] == []


def test_all_topics_teach_nothing():
    many = experiment(width=[2, 4, 4], common=[10, 10, 20], mixed=[0.1, 0.1, 0.0])
    assert many.facts.items() >= {"width": 4, "common": 10}.items()  # of 20 topics none is left to estimate
    assert experiment(mixed=0.0).facts["best"] == ["using true scores on fully judged topics"]
    both = experiment(mixed=1e-17, unadjusted=1e-17)
    assert both.facts["best"] == ["not correcting", "using true scores on fully judged topics"]
    assert "No correction works better than none" in both.headline
    assert "No correction makes a difference" in experiment(mixed=0.2, from_systems=0.2, from_topics=0.2).headline
    every = experiment(mixed=0.1, from_systems=0.1, from_topics=0.1).headline
    assert every == "Every correction works equally well: mean error falls from .200 to .100 (2 systems, 10 topics)."


def test_before_an_audience_the_one_that_loses_most_is_among_the_rows():
    table = pd.DataFrame({"system": [f"s{i}" for i in range(1, 31)], "value": [1 - i / 40 for i in range(30)]})
    table = table.assign(value_without=table["value"], rank=range(1, 31), rank_without=range(1, 31))
    table.loc[24, "value_without"] = 0.1
    table.loc[29, ["value", "value_without"]] = float("nan")  # one without a score loses nothing
    told = FINDINGS["leave_out"](table, ASKED | {"metric": "AP"}, STUDY)
    left_out = replace(answer("leave_out", table), finding=told)
    rows = VIEWS["leave_out"].figure(left_out, theme.look(large=True, rows=12))["layout"]["yaxis"]
    assert rows["title"]["text"] == "12 of 30 contributing systems"
    names = rows["ticktext"]
    assert names[0] == "1  s1"
    assert "25  s25" in names
    assert len(names) == 12
