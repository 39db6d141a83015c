"""The faces of newcomers and corrections: figures that Plotly accepts, and sentences that are true."""

import json
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import pytest

from evalcore.asking import Answer
from evalcore.questions import QUESTIONS
from tests.small import small_study
from ui import theme
from ui.views import VIEWS
from ui.views.newcomers import hardest_hit

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
    return str(
        QUESTIONS[question].finding(pd.DataFrame(rows, columns=columns), ASKED | {"metric": "AP"} | asked, STUDY)
    )


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
        "left as it is<br>t interval", "unjudged documents taken out", "as part of the pool<br>bounds (exact)",
    ]  # fmt: skip


def test_a_guide_is_not_drawn():
    table = READINGS.assign(kind=["guide", "point", "guide"])
    figure = VIEWS["newcomer"].figure(answer("newcomer", table), LOOK)
    assert figure["layout"]["yaxis"]["ticktext"] == [
        "left as it is",
        "unjudged documents taken out",
        "as part of the pool",
    ]
    error = figure["data"][0]["error_x"]
    assert not any(end == end and end for side in ("array", "arrayminus") for end in error[side])


def test_the_experiment_is_drawn_for_the_widest_pool():
    table = pd.DataFrame(ERRORS | {"common": [10, 10]}).assign(width=[40, 2], unadjusted=[0.1, 0.9])
    data = VIEWS["adjustment_experiment"].figure(answer("adjustment_experiment", table), LOOK)["data"]
    assert data[0]["y"] == [0.1]
    assert len({(one["line"]["dash"], one["marker"]["symbol"]) for one in data}) == 4


# Left out

LEFT_OUT = ["system", "left_out", "value", "value_without", "rank", "rank_without", "unique_relevant"]
LOSES = "By AP with all judgments, a system left out of the pool "


@pytest.mark.parametrize(
    ("rows", "asked", "sentence"),
    [
        ([("a", "a", 0.5, 0.48, 1, 1, 2), ("b", "b", 0.4, 0.38, 2, 11, 3)], {},
         LOSES + "loses .020 on average; a and b lose most (.020); b falls furthest, by nine places."),
        ([("a", "a", 0.5, 0.48, 1, 3, 2), ("b", "b", 0.4, 0.37, 2, 4, 3), ("c", "c", 0.3, 0.3, 3, 4, 0)], {"depth": 5},
         "By AP at pool depth 5, a system left out of the pool loses .017 on average; b loses most (.030); a and b "
         "fall furthest, by two places."),
        ([("a", "a", 0.5, 0.48, 1, 2, 2), ("b", "b", 0.4, 0.35, 2, 5, 3)], {},
         LOSES + "loses .035 on average; b loses most (.050) and falls furthest, by three places."),
        ([("a", "G", 0.5, 0.45, 1, 1, 2)], {"by": "group"},
         "By AP with all judgments, a, left out of the pool with its group, loses .050 and does not fall in the "
         "ordering."),
        ([("a", "a", 0.5, 0.52, 2, 1, 2), ("b", "b", NAN, NAN, NAN, NAN, 0)], {"unjudged": "condensed"},
         "By AP with all judgments, unjudged documents taken out, a, left out of the pool, gains .020 and does "
         "not fall in the ordering."),
        ([("a", "a", 0.5, 0.4998, 1, 2, 0)], {},
         "By AP with all judgments, a, left out of the pool, loses or gains less than .001 and falls by one "
         "place."),
        ([("a", "a", 0.5, 0.5, 1, 1, 0)], {},
         "By AP with all judgments, no system's score changes when it is left out of the pool."),
        ([("a", "a", NAN, NAN, NAN, NAN, 0)], {}, "No system that contributed to the pool has a score."),
        ([], {}, "No system that contributed to the pool has a score."),
    ],
)  # fmt: skip
def test_left_out(monkeypatch, rows, asked, sentence):
    monkeypatch.setattr("evalcore.contributors.unexplained", lambda study, depth=None: 0.0)
    assert finding("leave_out", rows, LEFT_OUT, **asked) == sentence
    monkeypatch.setattr("evalcore.contributors.unexplained", lambda study, depth=None: 0.25)
    of = "all" if asked.get("depth") else "the"
    others = f" Of {of} judgments, 25% are of documents that no contributing system brought into the pool: if others "
    others += "helped to form it, less is lost."
    assert finding("leave_out", rows, LEFT_OUT, **asked) == sentence + (others if " loses ." in sentence else "")


def test_what_one_alone_found_is_counted_once_a_group():
    rows = [("a", "G", 0.5, 0.4, 1, 2, 7), ("b", "G", 0.4, 0.4, 2, 2, 7)]
    rows = [(*row, 3) for row in rows]
    tiles = VIEWS["leave_out"].tiles(answer("leave_out", rows, [*LEFT_OUT, "retrieved_alone"]))
    assert [value for _, value, _ in tiles] == [".050", ".100", "7", "3"]
    assert [label for label, _, _ in tiles[2:]] == ["Relevant from one system", "Retrieved by one system"]
    of_whom = [note for *_, note in tiles]
    assert of_whom[0].endswith("mean over contributing systems.")
    assert (
        "only one contributing system has within the pool depth" in of_whom[2]
    )  # who came later may have it there, too


def test_the_hardest_hit_come_first():
    rows = [("a", "a", 0.5, 0.4, 1, 2, 7), ("b", "b", 0.4, 0.2, 2, 2, 7), ("c", "c", NAN, NAN, NAN, NAN, 0)]
    assert hardest_hit(answer("leave_out", rows, LEFT_OUT)) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("widths", "means", "sentence"),
    [
        ([2, 40], [0.283, -0.012],
         "By AP, a pool of 2 systems down to rank 10 scores one more system .283 too low on average, one of 40 systems "
         ".012 too high."),
        ([1], [0.0001],
         "By AP, a pool of 1 system down to rank 10 scores one more system less than .001 too high or too low on "
         "average."),
        ([1], [0.0],
         "By AP, a pool of 1 system down to rank 10 scores one more system neither too high nor too low on average."),
    ],
)  # fmt: skip
def test_widths(widths, means, sentence):
    assert finding("bias_by_width", {"width": widths, "mean": means}) == sentence


# A newcomer

WITH_ALL = "By AP with all judgments"


def newcomer(*, by="run", system="a", common=2, **scores):
    readings = [reading.replace("_", " ") for reading in scores]
    rows = {"reading": readings, "value": scores.values(), "n": 5}
    return finding("newcomer", rows, by=by, system=system, common=common)


def test_a_newcomer():
    assert newcomer(unadjusted=0.2, from_topics=0.28, true=0.3) == (
        f"{WITH_ALL}, a would score .200 in place of .300 had it not helped to build the pool; closest to .300 comes "
        "“corrected from common topics” with .280."
    )
    as_it_is = f"{WITH_ALL}, a would score .200 in place of .300 had it not helped to build the pool; closest to .300 "
    as_it_is += "comes “left as it is” with .200."
    assert newcomer(unadjusted=0.2, condensed=0.5, from_systems=0.1, true=0.3) == as_it_is
    with_group, others = as_it_is.replace("had it not", "had it and its group G not"), {"condensed": 0.1, "true": 0.3}
    assert newcomer(by="group", unadjusted=0.2, **others) == with_group
    assert newcomer(by="group", system="b", unadjusted=0.2, **others) == as_it_is.replace(" a ", " b ")


@pytest.mark.parametrize("common", [5, ["1", "2", "3", "4", "5"]], ids=["count", "named"])
def test_a_correction_from_all_topics_is_not_said_to_come_closest(common):
    said = newcomer(unadjusted=0.2, condensed=0.5, from_topics=0.3, true=0.3, common=common)
    assert said == (
        f"{WITH_ALL}, a would score .200 in place of .300 had it not helped to build the pool; closest to .300 comes "
        "“left as it is” with .200, beside the correction from common topics, which here are all that it has."
    )


def test_of_readings_that_come_as_close_none_is_named_alone():
    two = newcomer(unadjusted=0.2, condensed=0.2, from_systems=0.1, true=0.3)
    assert two.endswith("; closest to .300 come “left as it is” and “unjudged documents taken out” with .200.")
    sides = newcomer(unadjusted=0.2, condensed=0.1, from_systems=0.4, true=0.3)
    both = "“left as it is” and “corrected from other systems”"
    assert sides.endswith(f"; closest to .300 come {both}, above it and below.")
    assert newcomer(unadjusted=0.2, condensed=0.2, true=0.3).endswith(
        "; every reading of its score is as close, with .200."
    )


def test_a_newcomer_that_loses_nothing():
    same = f"{WITH_ALL}, a would score .200, less than .001 off, had it{{}} not helped to build the pool."
    assert newcomer(unadjusted=0.2, from_topics=0.28, true=0.2004) == same.format("")
    exactly = same.replace(", less than .001 off,", " all the same,")
    assert newcomer(by="group", unadjusted=0.2, true=0.2) == exactly.format(" and its group G")
    assert newcomer(unadjusted=0.1996, true=0.2004) == same.format("")  # both read .200
    assert "would score .200 in place of .201" in newcomer(unadjusted=0.2004, true=0.2009)


def test_a_newcomer_of_whom_less_is_known():
    unknown = " as a newcomer{}; what it would score had it helped to build the pool is not known."
    assert newcomer(unadjusted=NAN, condensed=NAN, true=NAN) == f"{WITH_ALL}, a scores unknown" + unknown.format("")
    assert newcomer(by="group", unadjusted=0.2, condensed=0.3) == f"{WITH_ALL}, a scores .200" + unknown.format(
        " without what its group G alone brought"
    )


# Corrections

ADJUSTED = {"system": "a", "unadjusted": 0.2, "adjustment": 0.05, "adjusted": 0.25, "lower": 0.24, "upper": 0.26}


def test_adjusted_from_systems():
    from_others = (
        "the score of a from .200 to .250 ({}% t interval of that mean: .240 to .260); a system unlike them may "
    )
    from_others += "lie outside."
    told = f"{WITH_ALL}, the mean bias of 10 other systems corrects " + from_others.format(95)
    assert finding("adjust_from_systems", [ADJUSTED | {"n": 10}]) == told
    told = f"{WITH_ALL} and without its group G, the mean bias of 2 other groups and lone systems corrects "
    told += from_others.format(99.9)
    assert finding("adjust_from_systems", [ADJUSTED | {"n": 2}], by="group", level=0.001) == told


@pytest.mark.parametrize("by", [0.0004, -0.0004, 0.0])
def test_a_correction_that_would_read_as_none_is_told_as_little(by):
    little = ADJUSTED | {"n": 10, "adjustment": by, "adjusted": 0.2 + by, "lower": 0.199, "upper": 0.202}
    told, size = finding("adjust_from_systems", [little]), "less than .001" if by else "zero"
    assert told.startswith(f"{WITH_ALL}, the mean bias of 10 other systems is {size} and leaves the score of a ")
    assert "at .200 (95% t interval of that mean: .199 to .202); a system" in told
    told = finding("adjust_from_topics", [little | {"n": 2, "helps_over_unadjusted": False}])
    less = f"of a on 2 common topics is {size} and leaves its score at .200 (95% t interval: .199 to .202); "
    assert told == f"{WITH_ALL}, the bias {less}correcting may not help."


@pytest.mark.parametrize(
    ("changed", "asked", "sentence"),
    [
        ({"helps_over_unadjusted": True}, {"method": "bootstrap"},
         ".250 (95% bootstrap interval: .240 to .260); correcting is likely to help."),
        ({"helps_over_unadjusted": True, "lower": 1.0, "upper": 1.2, "adjusted": 1.1}, {},
         "1.100, more than any score can be (95% t interval: 1.000 to 1.200, beyond what scores can be); "
         "correcting is likely to help."),
        ({"helps_over_unadjusted": True, "lower": 0.1, "upper": 0.3}, {},
         ".250 (95% t interval: .100 to .300); correcting is likely to help, though the interval holds the score as it "
         "is, too."),
        ({"helps_over_unadjusted": False, "lower": -0.1, "upper": 1.1}, {},
         ".250 (95% t interval: −.100 to 1.100, beyond what scores can be); correcting may not help."),
    ],
)  # fmt: skip
def test_adjusted_from_topics(changed, asked, sentence):
    said = finding("adjust_from_topics", [ADJUSTED | {"n": 2} | changed], **asked)
    assert said == f"{WITH_ALL}, the bias of a on 2 common topics corrects its score from .200 to {sentence}"


def test_topics_without_a_bias_correct_nothing():
    still = ADJUSTED | {"n": 2, "adjustment": 0.0, "adjusted": 0.2, "lower": 0.2, "upper": 0.2}
    still |= {"helps_over_unadjusted": False}
    none = f"{WITH_ALL}, a shows no bias on 2 common topics and its score stays .200"
    assert finding("adjust_from_topics", [still]) == f"{none}; on the other 3 it may have one."
    one = none.replace("2 common", "4 common")
    assert finding("adjust_from_topics", [still | {"n": 4}]) == f"{one}; on the one other topic it may have one."
    known = finding("adjust_from_topics", [ADJUSTED | {"n": 5, "helps_over_unadjusted": True}])
    assert known.endswith("; these are all of its topics, so nothing is left to guess.")
    alike = none.replace("2 common", "5 common") + "."
    assert finding("adjust_from_topics", [still | {"n": 5}]) == alike
    not_pooled = alike.replace(" a ", " c ").replace("topics and", "topics, as if it was pooled on them, and")
    assert finding("adjust_from_topics", [still | {"n": 5, "system": "c"}], system="c") == not_pooled


def experiment(**changed):
    row = {"width": [2], "common": [10], "unadjusted": 0.2, "mixed": 0.1, "from_systems": 0.15, "from_topics": 0.01}
    return finding("adjustment_experiment", row | changed)


def test_the_experiment():
    assert experiment() == (
        "By AP, with 2 systems in a pool down to rank 10 and 10 common topics, correcting from topics comes closest: a "
        "newcomer's score is off by .200 on average left as it is, .100 with true scores on the common topics, .150 "
        "corrected from systems and .010 from topics."
    )


def test_errors_that_would_read_alike_have_more_digits():
    said = experiment(unadjusted=0.0021, mixed=0.0013, from_systems=0.0019, from_topics=0.0009)
    assert "correcting from topics comes closest" in said
    assert "off by .0021 on average left as it is, .0013 with" in said
    assert ".0019 corrected from systems and .0009 from topics." in said


def test_all_topics_teach_nothing():
    widths, common = [2, 4, 4], [10, 10, 20]
    many = experiment(width=widths, common=common, mixed=[0.1, 0.1, 0.0])
    assert "with 4 systems in a pool down to rank 10 and 10 common topics" in many
    assert "taking true scores on the common topics comes closest" in experiment(mixed=0.0)
    both = "leaving it as it is and taking true scores on the common topics come closest"
    assert both in experiment(mixed=1e-17, unadjusted=1e-17)


def test_before_an_audience_the_one_that_loses_most_is_among_the_rows():
    table = pd.DataFrame({"system": [f"s{i}" for i in range(1, 31)], "value": [1 - i / 40 for i in range(30)]})
    table = table.assign(value_without=table["value"], rank=range(1, 31), rank_without=range(1, 31))
    table.loc[24, "value_without"] = 0.1
    table.loc[29, ["value", "value_without"]] = float("nan")  # one without a score loses nothing
    told = QUESTIONS["leave_out"].finding(table, ASKED | {"metric": "AP"}, STUDY)
    left_out = replace(answer("leave_out", table), finding=told)
    rows = VIEWS["leave_out"].figure(left_out, theme.look(large=True, rows=12))["layout"]["yaxis"]
    assert rows["title"]["text"] == "12 of 30 systems"
    names = rows["ticktext"]
    assert names[0] == "1  s1"
    assert "25  s25" in names
    assert len(names) == 12
