"""The papers' own numbers: those of METHODS, shown where a page shows the paper's experiment; on the paper's own track
with the page's numbers."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.study.study_pool import with_order
from ui.session import notes
from ui.text import citations, definitions
from ui.tours import printed_numbers
from ui.tours.tours import TOURS

ROOT = Path(__file__).parents[2]
STEPS = {
    name: TOURS[tour].steps[number - 1]
    for name, tour, number in [
        ("models", "ferro-sanderson", 3),
        ("partitions", "ferro-sanderson", 4),
        ("letters", "bailey-moffat-scholer-thomas", 6),
        ("means", "ravana-moffat", 2),
        ("constants", "ravana-moffat", 5),
        ("significance", "ravana-moffat", 7),
        ("errors", "lu-moffat-culpepper", 1),
        ("threshold", "lu-moffat-culpepper", 4),
        ("groups", "lu-moffat-culpepper", 5),
        ("strata", "lu-moffat-culpepper", 10),
        ("experiment", "webber-park", 5),
        ("robust", "webber-park", 6),
        ("condensed", "webber-park", 7),
        ("agreement", "bailey-moffat-scholer-thomas", 5),
        ("counts", "bailey-moffat-scholer-thomas", 8),
        ("double", "bailey-moffat-scholer-thomas", 10),
        ("methods", "bailey-moffat-scholer-thomas", 13),
        ("best-query", "bailey-moffat-scholer-thomas", 14),
    ]
}
PRINTED = [(tour, row) for tour in TOURS.values() for step in tour.steps for row in step.printed]
NAMES = [f"{tour.source}-{row.what}-{'-'.join(row.numbers.values())}" for tour, row in PRINTED]
TREC8 = STEPS["models"].printed[0].track


def section(number):
    """A section of METHODS, on one line and without the marks of formulas."""
    return " ".join(definitions.sections()[number].text.replace("$", "").replace(r"\%", "%").split())


def rows_of(number):
    """The rows of a section's tables: first cell -> the others."""
    lines = [line.strip("| ").split("|") for line in definitions.sections()[number].text.splitlines() if "|" in line]
    return {first.replace("$", "").strip(" `"): [cell.strip() for cell in cells] for first, *cells in lines}


# ---- the numbers are those of METHODS


@pytest.mark.parametrize(("tour", "row"), PRINTED, ids=NAMES)
def test_every_number_stands_in_its_section(tour, row):
    for number in row.numbers.values():
        assert re.search(rf"(?<![\d.,]){re.escape(number.rstrip('%'))}(?!\d)", section(row.section))
    assert tour.source in citations.references()


def test_models_are_those_of_the_table():
    table, rows = rows_of("10.5"), iter(STEPS["models"].printed)
    for shards in (5, 2, 10):
        for named in ("significant pairs", r"\omega^2 of systems", "top group"):
            row = next(rows)
            assert list(row.numbers.values()) == table[f"{named}, S = {shards}"]
            assert row.parameters["shards"] == shards
    assert not list(rows)
    assert f"{TREC8.systems} runs" in section("10.5")
    for named, row in zip(
        ("significant pairs", "interval, whole width", r"\tau"), STEPS["partitions"].printed, strict=True
    ):
        assert list(row.numbers.values()) == table[named]
        assert list(row.numbers) == [f"{shards} shards" for shards in table["table 2, MD3 to MD5"]]


def test_letters_are_those_of_the_table():
    for row in STEPS["letters"].printed:
        cells = rows_of("11")[row.what][0].replace(" and ", ", ").split(", ")
        in_methods = dict(pair.split(" ") for pair in cells)
        ours = {name: in_methods[name] for name in row.numbers}
        if row.what == "rbc(phi=0.8)":  # its misprint
            assert (ours.pop("G"), row.numbers["G"]) == (".36", ".37")
            assert "At \\phi = .8 the paper prints G .37, a misprint" in section("11")
            assert row.note == "Its G is a misprint: by its definition it is .364"
        assert row.numbers.items() >= ours.items()
        assert len(row.numbers) == (3 if row.what == "borda" else 7)  # of Borda the paper gives only these


COLLECTIONS = ("Rob04", "TREC-9", "TREC-10", "TB04", "TB05", "TB06")  # of METHODS 6.7, in the order of the step
DEPTHS = {"TB04": 80, "TB06": 50}  # of the pool and of the reference, 100 elsewhere


def test_errors_of_estimators_are_those_of_the_table():
    table = rows_of("6.7")
    shown = STEPS["errors"].printed
    for name, errors, accuracies in zip(COLLECTIONS, shown[::2], shown[1::2], strict=True):
        (heading,) = (heading for heading in table if heading.split(" (")[0] == name)
        assert [*map("{} ({})".format, errors.numbers.values(), accuracies.numbers.values())] == table[heading]
        assert errors.track is accuracies.track or errors.track == accuracies.track
        assert errors.track.systems == int(re.search(r"\((\d+) runs", heading)[1])
        assert errors.parameters["reference_depth"] == accuracies.parameters["reference_depth"] == DEPTHS.get(name, 100)
        what = "root mean square error, depth 10", "correct estimates (%), depth 10"
        assert (errors.what, accuracies.what) == what


def test_errors_without_a_group_are_those_of_the_table():
    table, rows = rows_of("6.7"), iter(STEPS["groups"].printed)
    for name in ("Rob04", "TB04", "TB05", "TB06"):
        errors = next(rows)
        cells = table[f"{name}, each group left out"]
        if name in DEPTHS:
            accuracies = next(rows)
            assert [*map("{} ({})".format, errors.numbers.values(), accuracies.numbers.values())] == cells
        else:
            assert list(errors.numbers.values()) == cells
        assert errors.parameters["reference_depth"] == DEPTHS.get(name, 100)
    assert not list(rows)


def test_errors_with_a_threshold_are_those_of_the_sentence():
    rows = STEPS["threshold"].printed
    by_model = {model: [row.numbers[model] for row in rows] for model in rows[0].numbers}
    said = "; ".join(f"{model.split('(')[0]} {', '.join(numbers)}" for model, numbers in by_model.items())
    assert said in section("6.7").replace("`", "")
    (strata,) = STEPS["strata"].printed
    judged, relevant = strata.numbers.values()
    assert f"table 1 prints {judged} judgments per topic, {relevant} of them relevant" in section("6.7")


def test_means_are_those_of_the_table():
    table = rows_of("4.3")
    for row in STEPS["means"].printed:
        cells = table[row.what.removesuffix(" judgments")]
        assert list(row.numbers.values()) == [cell for cell in cells if cell]
    assert len(STEPS["means"].printed) == 12


def test_other_numbers_are_in_the_sentence_of_methods():
    interpolated, smoothed = (row.numbers for row in STEPS["constants"].printed)
    assert "least error {error} at C = {C}, E = {E} for interpolated".format(**interpolated) in section("5.1")
    assert "{error} at C = {C}, E = {E} for smoothed".format(**smoothed) in section("5.1")
    table, shown = rows_of("7.6"), iter(STEPS["significance"].printed)
    for letter in range(3):  # S, I and M
        found = {}
        for row in (next(shown), next(shown), next(shown)):
            for metric, number in row.numbers.items():
                found.setdefault(metric, []).append(number.rstrip("%"))
        for metric, numbers in found.items():
            in_methods = {"SDCG@100": "SDCG", "RBP(p=0.95)": "RBP(.95)"}.get(metric, metric)
            assert table[in_methods][letter] == ", ".join(numbers)
    assert not list(shown)


IN_METHODS = {"true scores on 10 topics": "mixed, 10 topics"}


@pytest.mark.parametrize(
    ("step", "begins"), [("experiment", ""), ("robust", "not relevant, "), ("condensed", "condensed, ")]
)
def test_errors_of_corrections_are_those_of_the_table(step, begins):
    table = rows_of("9.5")
    for row in STEPS[step].printed:
        what = row.what.removeprefix("mean error, ")
        assert list(row.numbers.values()) == table[begins + IN_METHODS.get(what, what)]
        assert list(row.numbers) == [f"{width} systems" for width in table["pool of"]]


def test_numbers_of_fusion_and_consistency_are_those_of_methods():
    for row in STEPS["double"].printed:
        assert list(row.numbers.values()) == rows_of("11")[row.what.removesuffix("(T=1)")]
    (counts,) = STEPS["counts"].printed
    assert f"(table 1, \\phi = .9): {', '.join(counts.numbers.values())}." in section("11")
    by_phi, others = STEPS["methods"].printed
    assert f"RBC {', '.join(by_phi.numbers.values())} at \\phi = .9, .95, .98, .99;" in section("11")
    assert "Borda {borda}, CombMNZ {combmnz}".format(**others.numbers) in section("11")
    said = "; ".join(
        f"{row.what.removeprefix('agreement of topics on ')} {', '.join(row.numbers.values())}"
        for row in STEPS["agreement"].printed
    )
    assert said in section("12.4")
    for row in STEPS["best-query"].printed:
        metric = row.what.removesuffix(" of the best system").removesuffix("(T=1)")
        assert f"{metric} {', '.join(row.numbers.values())}" in section("12.6")


# ---- the papers' tracks


def test_a_track_is_recognised_as_methods_says():
    topics = sorted(map(int, TREC8.topics))
    assert f"{TREC8.name} by topics {topics[0]} to {topics[-1]} and {TREC8.systems} systems" in section("15")
    assert len(topics) == topics[-1] - topics[0] + 1


def study_of(topics, systems, pooled):
    return SimpleNamespace(
        judged_topics=np.arange(len(topics)),
        judged_topic_names=list(map(str, topics)),
        systems=tuple(f"s{number}" for number in range(systems)),
        track=SimpleNamespace(topics=tuple(map(str, topics)), pooled=np.arange(systems) < pooled),
    )


@pytest.mark.parametrize(
    ("topics", "systems", "pooled", "own"),
    [
        (range(401, 451), 129, 71, True),
        (range(401, 451), 128, 71, False),
        (range(401, 450), 129, 71, False),
        (range(401, 451), 140, 129, True),
    ],
)
def test_a_track_is_known_by_its_topics_and_systems(topics, systems, pooled, own):
    study = study_of(list(topics), systems, pooled)
    assert TREC8.is_of(study) is own


# ---- as a step shows it


@pytest.mark.parametrize(
    ("printed", "value", "said"),
    [(".031", 0.0308, ".031"), ("3,423", 3422.6, "3,423"), ("45", 44.7, "45"), (".0538", 0.05384, ".0538"),
     ("2", 2.1, "2"), (".031", None, "–"), (".399", float("nan"), "–"), ("59%", 0.594, "59%"),
     ("68.9%", 0.6889, "68.9%"),
     ("-.002", -0.0021, "-.002"), ("-.002", 0.004, ".004"), (".997", 1.2, "1.200")],
)  # fmt: skip
def test_a_value_is_written_as_the_paper_has_it(printed, value, said):
    assert printed_numbers.written_as(printed, value) == said


BY_ESTIMATOR = pd.DataFrame(
    {"depth": [10, 10, 20], "estimator": ["lower", "rm", "lower"], "rmse": [0.0311, 0.0559, 0.01],
     "accuracy": [45, 22.4, 60]}
)  # fmt: skip
BY_CONSTANTS = pd.DataFrame(
    {"C": [0.4, 0.42], "E": [0.01, 0.0142], "rmse_plain": [0.07, 0.0653], "best": [False, True]}
)
BY_WIDTH = pd.DataFrame(
    {"width": [2, 2, 4], "common": [10, 20, 10], "unadjusted": [0.4512, 0.4512, 0.3],
     "unadjusted_se": [0.009, 0.009, 0.01],
     "from_systems": [0.3, 0.3, 0.2], "from_systems_se": 0.02, "mixed": 0.1, "mixed_se": 0.01,
     "from_topics": [0.0604, 0.037, 0.01], "from_topics_se": [0.002, 0.001, 0.001]}
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "row", "table", "expected"),
    [
        ("errors", 0, BY_ESTIMATOR, [".031", ".056"]),
        ("errors", 1, BY_ESTIMATOR, ["45", "22"]),
        ("constants", 0, BY_CONSTANTS, [".065", ".42", ".01"]),
        ("experiment", 0, BY_WIDTH, [".451 ± .009", ".300 ± .010"]),
        ("experiment", 3, BY_WIDTH, [".060 ± .002", ".010 ± .001"]),
        ("experiment", 5, BY_WIDTH, [".037 ± .001"]),
    ],
)
def test_a_page_s_numbers_are_read_from_its_table(name, row, table, expected):
    printed = STEPS[name].printed[row]
    of_page = experiment(printed.question, table, **printed.parameters)
    shown = printed.on(of_page)
    assert list(shown.numbers) == list(printed.numbers)[: len(expected)]  # those that the table has
    assert [text.replace("*", "") for text in shown.computed(of_page).values()] == expected


@pytest.mark.parametrize(("name", "table"), [("errors", BY_ESTIMATOR[2:]), ("experiment", BY_WIDTH.assign(width=3))])
def test_a_table_without_the_paper_s_depth_or_width_is_another_experiment(name, table):
    printed = STEPS[name].printed[0]
    assert not printed.on(experiment(printed.question, table, **printed.parameters))


def test_an_experiment_with_fewer_new_systems_is_another_one():
    printed = STEPS["robust"].printed[0]
    assert printed.parameters["best"] is None
    assert not printed.on(experiment(printed.question, BY_WIDTH, **printed.parameters | {"best": 5}))


def experiment(question, table=None, **params):
    return notes.Experiment(question, params, table)


MD3 = pd.DataFrame({"shards": [5, 10], "width": [0.03, 0.0269], "significant": [5004.0, 5009.3]})


def test_the_width_of_an_interval_is_twice_the_half_width_of_the_table():
    """[FS19, table 2] prints whole widths, the question `shard_stability` half ones."""
    pairs, interval, _ = STEPS["partitions"].printed
    of_page = experiment("shard_stability", MD3, **interval.parameters)
    assert interval.on(of_page).computed(of_page) == {"5 shards": "**.0600**", "10 shards": "**.0538**"}
    assert pairs.on(of_page).computed(of_page) == {"5 shards": "**5,004**", "10 shards": "**5,009**"}


RM = {"estimator": "smoothed(C=0.91, E=0.05)", "metric": "P@10", "systems": "pooled",
      "judgments": [1000, 2000, 4000, 10_000, 20_000, 40_000]}  # fmt: skip
RM_2 = {"judgments": 1000, "level": 0.01, "systems": "all"}
BY_METRIC = pd.DataFrame(
    {"metric": ["P@10", "AP"], "estimator": "lower", "separable": 0.5, "separable_final": 0.6, "reversed": 0.1,
     "pairs": 1035}
)  # fmt: skip
LMC = {"metric": "RBP(p=0.95)", "by": "all", "systems": "pooled", "reference_depth": 100}
ON_PAGES = [
    ("models", experiment("models", metric="AP", shards=5, undefined=0, level=0.05), 3),
    ("models", experiment("models", metric="P@10", shards=5, undefined=0), 0),
    ("models", experiment("models", metric="AP", shards=10, undefined=0), 3),
    ("models", experiment("models", metric="AP", shards=3, undefined=0), 0),
    ("models", experiment("models", metric="AP", shards=5, undefined=0.5), 0),
    ("models", experiment("tukey_pairs", metric="AP", shards=5, undefined=0), 0),
    ("constants", experiment("constants", BY_CONSTANTS, **RM), 1),
    ("constants", experiment("constants", BY_CONSTANTS, **RM | {"judgments": None}), 0),
    ("constants", experiment("constants", BY_CONSTANTS, **RM | {"systems": "all"}), 0),
    ("significance", experiment("separability_by_metric", BY_METRIC, **RM_2), 3),
    ("significance", experiment("separability_by_metric", BY_METRIC, **RM_2 | {"judgments": 500}), 0),
    ("significance", experiment("separability_by_metric", BY_METRIC.assign(pairs=990), **RM_2), 0),
    ("errors", experiment("estimator_error", BY_ESTIMATOR, **LMC), 2),
    ("errors", experiment("estimator_error", BY_ESTIMATOR, **LMC | {"reference_depth": None}), 0),
    ("groups", experiment("estimator_error", BY_ESTIMATOR, **LMC | {"by": "group"}), 1),
    ("groups", experiment("estimator_error", BY_ESTIMATOR, **LMC | {"by": "group", "reference_depth": 20}), 0),
    ("partitions", experiment("shard_stability", metric="AP", model="MD3", shards=[2, 10], undefined=0), 3),
    ("partitions", experiment("shard_stability", metric="AP", model="MD6", shards=[2, 10], undefined=0), 0),
    ("letters", experiment("worked example", lists="ADBCGF BDEC ABDCGFE GDEAFC", phi=0.8), 2),
    ("letters", experiment("worked example", lists="ADBCGF BDEC ABDCGFE GDEAFC", phi=0.85), 1),  # Borda has no phi
    ("letters", experiment("worked example", lists="ADBCGF BDEC", phi=0.8), 0),
]


@pytest.mark.parametrize(("name", "of_page", "rows"), ON_PAGES)
def test_a_printed_number_is_shown_only_where_the_page_shows_the_paper_s_experiment(name, of_page, rows):
    line = printed_numbers.shown(
        STEPS[name].printed, study_of([1], 2, 2), [experiment("leaderboard", metric="AP"), of_page]
    ).markdown
    shown = {row.what for row in STEPS[name].printed if f"{row.what}: " in line}  # of one of its tracks
    assert len(shown) == rows
    assert bool(line) is bool(rows)


@pytest.mark.parametrize("name", [name for name in STEPS if name != "letters"])
def test_every_parameter_of_the_paper_is_one_of_the_question(name):
    for row in STEPS[name].printed:
        assert set(row.parameters) <= set(evalcore.QUESTIONS[row.question].parameters)


def app_at(tour, step):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for name, value in {"tour": tour, "step": str(step), "study": "web"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, [e.message for e in app.exception]
    return app


def paper_s(app):
    """What the step shows of the paper; None for nothing."""
    return next((one.value for one in app.markdown if re.search(r"\*\*The paper|\| TREC-8: paper", one.value)), None)


def opened(step):
    return paper_s(app_at("ferro-sanderson", step))


@pytest.mark.parametrize(
    ("tour", "step"), [("webber-park", 3), ("ravana-moffat", 6), ("lu-moffat-culpepper", 3), ("ferro-sanderson", 5)]
)
def test_a_page_that_shows_another_experiment_has_no_number_of_the_paper(tour, step):
    assert paper_s(app_at(tour, step)) is None


def test_the_paper_s_numbers_go_when_another_experiment_is_chosen():
    app = app_at("ferro-sanderson", 3)
    assert "systems in the top group, 5 shards: MD1 7, MD2 2, MD3 1, MD4 1, MD5 1, MD6 1" in paper_s(app)
    app.get_by_key("shards").set_value(10).run()
    assert "significant pairs by AP, 10 shards: MD1 3,423, MD2 4,614" in paper_s(app)
    app.get_by_key("shards").set_value(3).run()
    assert paper_s(app) is None


def test_the_letters_are_the_paper_s_as_long_as_its_rankings_are():
    app = app_at("bailey-moffat-scholer-thomas", 6)
    assert paper_s(app) == (
        "**The paper:** rbc(phi=0.8): A .50, B .49, C .37, D .61, E .31, F .21, G .37; borda: A 18, B 18, D 23. "
        "Its G is a misprint: by its definition it is .364."
    )
    app.text_input(key="letters").set_value("AB BA").run()
    assert paper_s(app) is None


NOTE = "The paper has one partition."
OURS = "This track's numbers are means over ten, ± their standard deviation."


def test_on_another_track_the_paper_s_numbers_are_one_line():
    assert opened(1) == (
        "**The paper, on TREC-8:** significant pairs by AP, 5 shards: MD1 3,423; effect of systems (ω²), 5 shards: "
        f"MD1 .399; systems in the top group, 5 shards: MD1 7. {NOTE}"
    )


def test_on_another_track_many_numbers_are_in_a_popover():
    rows = STEPS["means"].printed
    table = pd.DataFrame({"judgments": [1000, 69_100], "metric": "P@10", "estimator": "lower", "pooled": False,
                          "value": [0.1, 0.2], "width": [0.6, 0.3]})  # fmt: skip
    of_page = experiment("trend", table, systems="all")
    line = printed_numbers.shown(rows, study_of([1], 2, 2), [of_page])
    assert cells_of(line.markdown.splitlines())[:3] == [
        ["TREC-9: paper", "P@10"], ["---", "---:"], ["base, 1,000 judgments", ".1184"],
    ]  # fmt: skip
    assert not line.is_long
    both = pd.concat([table, table.assign(estimator="smoothed")])
    assert printed_numbers.shown(rows, study_of([1], 2, 2), [of_page._replace(table=both)]).is_long
    own = printed_numbers.shown(rows, study_of(range(451, 501), 105, 59), [of_page]).markdown
    assert cells_of(own.splitlines())[:6] == [
        ["TREC-9: paper · **this track**", "P@10"],
        ["---", "---:"],
        ["base, 1,000 judgments", ".1184 · **.1000**"],
        ["base, all judgments", ".1923 · **.2000**"],
        ["residual, 1,000 judgments", ".6759 · **.6000**"],
        ["residual, all judgments", ".1631 · **.3000**"],
    ]
    assert own.endswith("The paper's residual of AP and nDCG is the width of a guide, which is no interval.")


def test_on_its_own_track_both_stand_in_a_table(monkeypatch):
    """The web sample taken for TREC-8."""
    web = ROOT / "sample_data" / "web"
    study = evalcore.open_study(web / "runs", web / "qrels.txt", systems=web / "systems.tsv")
    monkeypatch.setattr(printed_numbers.Track, "is_of", lambda track, study: True)
    table, _, note = opened(2).partition("\n\n")
    cells = cells_of(table.splitlines())
    assert cells[0] == ["TREC-8: paper · **this track**", "MD1", "MD6"]
    found = evalcore.ask(study, "models", metric="AP", shards=5).table.set_index("model")
    expected = [f"{found['significant'][name]:,.0f}" for name in ("MD1", "MD6")]
    deviation = f"{found['significant_sd']['MD6']:,.0f}"
    assert cells[2] == [
        "significant pairs by AP, 5 shards",
        f"3,423 · **{expected[0]}**",
        f"5,935 · **{expected[1]}** ± {deviation}",
    ]
    assert note == f"{NOTE} {OURS}"


def test_a_row_with_fewer_numbers_leaves_cells_empty():
    """[RM10, table 2] has AP and nDCG without an estimate only."""
    both = pd.concat([BY_METRIC, BY_METRIC[:1].assign(estimator="interpolated")])
    rows, of_page = STEPS["significance"].printed, experiment("separability_by_metric", both, **RM_2)
    cells = cells_of(printed_numbers.shown(rows, study_of(range(451, 501), 105, 59), [of_page]).markdown.splitlines())
    assert cells[0] == ["TREC-9: paper · **this track**", "P@10", "AP"]
    assert cells[2] == ["lower, with 1,000", "68.9% · **50.0%**", "69.1% · **50.0%**"]
    assert cells[5] == ["interpolated, with 1,000", "58.6% · **50.0%**", ""]


def test_rows_with_other_labels_begin_another_table():
    """[BMST17, table 2]: a row by persistence, and one by method."""
    table = pd.DataFrame({"method": ["rbc", "rbc", "borda"], "phi": [0.9, 0.98, np.nan], "value": [0.2, 0.3, 0.1]})
    of_page = experiment("fusion_scores", table, metrics=["AP"], over="systems")
    text = printed_numbers.shown(STEPS["methods"].printed, study_of(range(201, 301), 5, 5), [of_page]).markdown
    first, second = text.split("\n\n")
    assert cells_of(first.splitlines())[::2] == [
        ["UQV100: paper · **this track**", "0.9", "0.98"],
        ["AP of the five systems fused, RBC by persistence", ".217 · **.200**", ".220 · **.300**"],
    ]
    assert cells_of(second.splitlines())[2] == ["AP of the five systems fused, other methods", ".215 · **.100**"]


def test_a_row_is_shown_once_with_the_experiment_that_has_most_of_its_numbers():
    """Fusion asks `fusion_scores` for the chosen method, and again for every method."""
    table = pd.DataFrame({"method": "rbc", "phi": [0.9, 0.95, 0.98, 0.99], "value": 0.2})
    chosen, every = (experiment("fusion_scores", rows, metrics=["AP"], over="systems") for rows in (table[:1], table))
    for order in ((chosen, every), (every, chosen)):
        text = printed_numbers.shown(STEPS["methods"].printed, study_of([1], 2, 2), order).markdown
        assert text.count("RBC by persistence") == 1
        assert "0.9 .217, 0.95 .219, 0.98 .220, 0.99 .217" in text


def test_the_best_system_and_the_last_count_are_read():
    values = [0.1, 0.2, 0.3, 0.2, 0.4, 0.35]
    table = pd.DataFrame({"system": ["a"] * 3 + ["b"] * 3, "count": [1, 2, 3] * 2, "value": values})
    (printed,) = STEPS["counts"].printed
    of_page = experiment("fusion_by_count", table, **printed.parameters)
    computed = printed.on(of_page).computed(of_page)
    assert computed == {"1 variation": "**.200**", "2 variations": "**.400**", "all": "**.350**"}


def cells_of(lines):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_a_number_by_number_of_judgments_has_its_range_over_orders():
    """Each number of the table is over all orders; with all judgments it has no effect, and there is no range."""
    few = [0.5, 0.52, 0.49]
    tables = [BY_METRIC.assign(separable=[share, 0.4]) for share in few]
    of_page = experiment("separability_by_metric", tables[0], **RM_2)._replace(in_orders=tables)
    rows, study = STEPS["significance"].printed, study_of(range(451, 501), 105, 59)
    cells = cells_of(printed_numbers.shown(rows, study, [of_page]).markdown.splitlines())
    assert cells[2:4] == [
        ["lower, with 1,000", "68.9% · **50.0%** (49.0%–52.0%)", "69.1% · **40.0%** (40.0%–40.0%)"],
        ["lower, with all", "67.5% · **60.0%**", "71.4% · **60.0%**"],
    ]
    assert cells[-1] == ["In brackets: the least and the most of 3 orders of judging."]


def test_on_another_track_the_range_over_orders_follows_the_paper_s_numbers():
    errors = [0.0653, 0.0701, 0.0622]
    tables = [BY_CONSTANTS.assign(rmse_plain=[0.08, error], C=[0.4, 0.3 + error]) for error in errors]
    of_page = experiment("constants", tables[0], **RM | {"estimator": "interpolated(C=0.42, E=0.01)"})
    rows, study = STEPS["constants"].printed, study_of([1], 2, 2)
    alone = "**The paper, on TREC-9:** interpolated: error .065, C .42, E .01."
    assert printed_numbers.shown(rows, study, [of_page]) == (alone, False)
    assert printed_numbers.shown(rows, study, [of_page._replace(in_orders=tables)]).markdown == (
        f"{alone} **This track, 3 orders of judging, mean (least–most):** interpolated: error .066 (.062–.070), "
        "C .37 (.36–.37), E .01 (.01–.01)."
    )
    study = study_of(range(451, 501), 105, 59)
    cells = cells_of(printed_numbers.shown(rows, study, [of_page._replace(in_orders=tables)]).markdown.splitlines())
    expected = [".065 · **.065** (.062–.070)", ".42 · **.37** (.36–.37)", ".01 · **.01** (.01–.01)"]
    assert cells[2] == ["interpolated", *expected]


def test_a_number_that_an_order_lacks_is_left_out_of_its_range():
    (printed, *_) = STEPS["significance"].printed
    without = BY_METRIC.assign(separable=[np.nan, 0.3])
    of_page = experiment("separability_by_metric", BY_METRIC, **RM_2)._replace(in_orders=[BY_METRIC, without])
    found = printed.over_orders(of_page)
    assert (found["P@10"], found["AP"], found["nDCG"]) == ("50.0% (50.0%–50.0%)", "40.0% (30.0%–50.0%)", "–")


def web():
    of = ROOT / "sample_data" / "web"
    return evalcore.open_study(of / "runs", of / "qrels.txt", systems=of / "systems.tsv")


def tables_in_orders(study, question, **params):
    return [evalcore.ask(with_order(study, seed), question, **params).table for seed in range(10)]


def written(values, form):
    """The first of values, which the page shows, and from the least to the most."""
    first, least, most = (format(found, form) for found in (next(iter(values)), min(values), max(values)))
    return f"**{first}** ({least}–{most})"


def table_at(monkeypatch, step, **choices):
    """The table at a step of the first tour, of the web sample taken for TREC-9."""
    monkeypatch.setattr(printed_numbers.Track, "is_of", lambda track, study: True)
    app = app_at("ravana-moffat", step)
    for key, value in choices.items():
        app.selectbox(key=key).set_value(value).run()
    table = next(one.value for one in app.markdown if one.value.startswith("| TREC-9: paper"))
    return cells_of(table.partition("\n\n")[0].splitlines())


@pytest.mark.parametrize("formula", ["interpolated", "smoothed"])
def test_the_step_on_constants_has_ten_orders(monkeypatch, formula):
    """For the numbers of judgments below the sample's 7,225."""
    counts = [1000, 2000, 4000]
    row = next(row for row in STEPS["constants"].printed if row.what == formula)
    monkeypatch.setitem(row.parameters, "judgments", counts)
    cells = table_at(monkeypatch, 5, formula=formula)
    asked = {"metric": "P@10", "estimator": formula, "judgments": counts, "systems": "pooled"}
    best = pd.concat([table[table["best"]] for table in tables_in_orders(web(), "constants", **asked)])
    forms = {"rmse_plain": ".3f", "C": ".2f", "E": ".2f"}
    expected = [written(best[column], form).replace("0.", ".") for column, form in forms.items()]
    assert [cell.partition(" · ")[2] for cell in cells[2][1:]] == expected


def test_on_another_track_the_step_on_constants_has_ten_orders_too(monkeypatch):
    monkeypatch.setitem(STEPS["constants"].printed[0].parameters, "judgments", [1000, 2000, 4000])
    words = paper_s(app_at("ravana-moffat", 5))
    number = r"\.\d+ \(\.\d+–\.\d+\)"
    drawn = r"\*\*This track, 10 orders of judging, mean \(least–most\):\*\* interpolated: "
    assert re.search(rf" {drawn}error {number}, C {number}, E {number}\.$", words), words


def test_the_step_on_significance_has_ten_orders_of_the_systems_that_did_not_contribute(monkeypatch):
    """The sample has six of them."""
    for row in STEPS["significance"].printed:
        monkeypatch.setitem(row.cells.where, "pairs", 15)
    cells = table_at(monkeypatch, 7)
    metrics, estimators = cells[0][1:], ["lower", "interpolated", "smoothed"]
    assert metrics == ["P@10", "SDCG@100", "RBP(p=0.95)", "AP", "nDCG"]
    study = web()
    others = study.only([name for name, pooled in zip(study.systems, study.track.pooled, strict=True) if not pooled])
    asked = {"metrics": metrics, "estimators": estimators, "judgments": 1000}
    tables = pd.concat(tables_in_orders(others, "separability_by_metric", **asked))
    shown, ranges = {line[0]: [cell.partition(" · ")[2] for cell in line[1:]] for line in cells[2:]}, 0
    for estimator in estimators:
        in_paper = metrics if estimator == "lower" else metrics[:3]
        for column, what in (("separable", "with 1,000"), ("reversed", "reversed")):
            rows = tables[tables["estimator"] == estimator].set_index("metric")[column]
            of = (100 * rows).groupby("metric").apply(list)
            if any(len(set(of[metric])) > 1 for metric in in_paper):
                expected = [written(of[metric], ".1f") if metric in in_paper else "" for metric in metrics]
                assert [cell.replace("%", "") for cell in shown[f"{estimator}, {what}"]] == expected
                ranges += 1
    assert ranges > 2


def test_of_several_tracks_a_step_shows_the_open_one_or_the_first():
    rows, of_page = (
        STEPS["errors"].printed,
        experiment("estimator_error", BY_ESTIMATOR, **STEPS["errors"].printed[0].parameters),
    )

    def shown(topics, systems, pooled, reference=100):
        page = of_page._replace(params=of_page.params | {"reference_depth": reference})
        return printed_numbers.shown(rows, study_of(list(topics), systems, pooled), [page]).markdown

    line = shown([1], 2, 2)
    assert line.startswith("**The paper, on TREC Robust 2004:**")
    assert "Terabyte" not in line
    robust = [topic for topic in range(651, 701) if topic != 672]
    assert shown(robust, 110, 42).startswith("| TREC Robust 2004: paper")
    assert not shown(robust, 110, 40).startswith("|")
    assert shown(range(501, 551), 97, 54).startswith("| TREC-10: paper")
    assert shown(range(801, 851), 80, 39, 50).startswith("| TREC Terabyte 2006: paper")
    assert "Terabyte" not in shown(range(801, 851), 80, 39)  # which the paper compared down to depth 50
    assert not shown(range(801, 851), 80, 40, 50).startswith("|")
    on_terabyte = shown(range(751, 801), 34, 34)
    assert on_terabyte.startswith("| TREC Terabyte 2005: paper")
    assert "· **.031** |" in on_terabyte
    judged = [topic for topic in range(701, 751) if topic != 703]  # 703 is without a relevant document
    assert shown(judged, 33, 20, 80).startswith("| TREC Terabyte 2004: paper")
