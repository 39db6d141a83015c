"""The papers' own numbers: those of METHODS, and on a paper's own track what the program finds beside them."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from ui import citations, definitions, printed_numbers
from ui.tours import TOURS

ROOT = Path(__file__).parent.parent
PRINTED = [(name, one) for name, shown in printed_numbers.SHOWN.items() for one in shown]
NAMES = [f"{name}-{one.track}-{one.what}" for name, one in PRINTED]


def section(number):
    """A section of METHODS, on one line and without the marks of formulas."""
    return " ".join(definitions.sections()[number].text.replace("$", "").replace(r"\%", "%").split())


def rows_of(number):
    """The rows of a section's tables: first cell -> the others."""
    lines = [line.strip("| ").split("|") for line in definitions.sections()[number].text.splitlines() if "|" in line]
    return {first.replace("$", "").strip(" `"): [cell.strip() for cell in cells] for first, *cells in lines}


# ---- the numbers are those of METHODS


@pytest.mark.parametrize(("name", "one"), PRINTED, ids=NAMES)
def test_every_number_stands_in_its_section(name, one):
    for number in one.numbers.values():
        assert number == printed_numbers.UNTOLD or re.search(
            rf"(?<![\d.,]){re.escape(number)}(?!\d)", section(one.section)
        )
    assert one.source in citations.references()


def test_errors_are_those_of_the_table():
    table, heads = rows_of("6.7"), ["lower", "rm", "linear", "two-stage-a", "two-stage-b"]
    for track in ("TREC-9", "TB04", "TB05"):
        first = next(row for row in table if row.startswith(f"{track} ("))
        rmse, inside = (one for one in printed_numbers.SHOWN["errors"] if one.track == track)
        assert list(rmse.numbers) == list(inside.numbers) == heads
        cells = [f"{rmse.numbers[guess]} ({inside.numbers[guess]})" for guess in heads]
        assert table[first] == cells
        runs, depth = re.fullmatch(rf"{track} \((\d+) runs, d = (\d+)\)", first).groups()
        assert (printed_numbers.TRACKS[track].systems, rmse.asked["reference_depth"]) == (int(runs), int(depth))


def test_models_are_those_of_the_table():
    table = rows_of("10.5")
    pairs, effects, top = printed_numbers.SHOWN["models"]
    assert list(pairs.numbers.values()) == table["significant pairs, S = 5"]
    assert list(effects.numbers.values()) == table[r"\omega^2 of systems"]
    assert f"from {top.numbers['MD1']} to 2 to {top.numbers['MD6']}." in section("10.5")
    assert f"{printed_numbers.TRACKS['TREC-8'].systems} runs" in section("10.5")
    half, apart = printed_numbers.SHOWN["partitions"][0].numbers.values()
    assert f"with MD3 to MD5 (S = 10: half-width {half}, {apart} pairs)" in section("10.5")


def test_constants_are_those_of_the_sentence():
    for one in printed_numbers.SHOWN["constants"]:
        error, C, E = one.numbers.values()
        estimator, measure = one.what.split(", ")
        assert re.search(rf"{error} at C = {C}, E = {E} for {estimator}", section("5.1"))
        assert measure == one.asked["metric"]
        assert f"{one.track}, P@10, six pool sizes" in section("5.1")
    sizes = re.search(r"\[RM10\] used ([\d, and]+) of", section("2.6"))[1]
    assert [int(size.replace(",", "")) for size in re.findall(r"[\d,]*\d", sizes)] == printed_numbers.SIX_SIZES


def test_experiments_are_those_of_the_sentence():
    manual, robust = printed_numbers.SHOWN["experiment"]
    unadjusted, from_systems, *from_topics = manual.numbers.values()
    assert (
        f"width 2: {', '.join(from_topics)} at n = 10, 15, 20, as the law says; unadjusted {unadjusted}, from systems "
        f"{from_systems}."
    ) in section("9.5")
    assert f"at n = 10, 20, 40, 100 by the law. Table 2 of [WP09] has {', '.join(robust.numbers.values())};" in section(
        "9.5"
    )


def test_what_is_told_apart_is_that_of_the_sentence():
    for one, (apart, taken_back) in zip(
        printed_numbers.SHOWN["separability"],
        re.findall(r"\(([\d.]+%) and ([\d.]+%)\)", section("7.6")),
        strict=True,
    ):
        assert list(one.numbers.values()) == [apart, taken_back]


def test_letters_are_those_of_the_table():
    for one in printed_numbers.SHOWN["letters"]:
        told = dict(pair.split(" ") for pair in rows_of("11")[one.what][0].split(", "))
        assert one.numbers == told


def test_what_the_paper_asked_otherwise_than_the_page_is_said():
    """The measure of the constants and of the experiment, how deep the pool was, and the model."""
    shown = printed_numbers.SHOWN
    assert all(f"by {RBP10}, " in one.what and "of depth 10" in one.what for one in shown["experiment"])
    assert all("from depth 10" in one.what for one in shown["errors"] if "RMSE" in one.what)
    assert shown["partitions"][0].what.startswith(shown["partitions"][0].asked["model"])


RBP10 = "RBP(p=0.8)@10"  # what the experiment is asked by where no measure is named


# ---- the papers' tracks


def spelled(numbers):
    """Numbers as METHODS says them: 301 to 450 and 601 to 700 without 672."""
    numbers = sorted(numbers)
    gaps = [number for number in range(numbers[0], numbers[-1]) if number not in numbers]
    alone = [gap for gap in gaps if gap - 1 in numbers and gap + 1 in numbers]
    whole = sorted({*numbers, *alone})
    starts = [number for number in whole if number - 1 not in whole]
    ends = [number for number in whole if number + 1 not in whole]
    said = " and ".join(f"{start} to {end}" for start, end in zip(starts, ends, strict=True))
    return said + "".join(f" without {gap}" for gap in alone)


@pytest.mark.parametrize("name", printed_numbers.TRACKS)
def test_a_track_is_known_as_methods_says(name):
    track = printed_numbers.TRACKS[name]
    said = f"{name} by topics {spelled(track.topics)} " + (f"and {track.systems} systems" if track.systems else "alone")
    assert said in section("15")


def study_of(topics, systems, pooled):
    return SimpleNamespace(
        judged_topics=np.arange(len(topics)),
        systems=tuple(f"s{number}" for number in range(systems)),
        track=SimpleNamespace(topics=tuple(map(str, topics)), pooled=np.arange(systems) < pooled),
    )


@pytest.mark.parametrize(
    ("topics", "systems", "pooled", "own"),
    [
        (range(401, 451), 129, 71, "TREC-8"),
        (range(401, 451), 128, 71, None),
        (range(401, 450), 129, 71, None),
        (range(451, 501), 105, 59, "TREC-9"),
        (range(451, 501), 59, 59, "TREC-9"),
        (range(451, 501), 105, 105, None),
        ([t for t in [*range(301, 451), *range(601, 701)] if t != 672], 110, 20, "Robust 2004"),
    ],
)
def test_a_track_is_known_by_its_topics_and_systems(topics, systems, pooled, own):
    study = study_of(list(topics), systems, pooled)
    assert [name for name, track in printed_numbers.TRACKS.items() if track.is_of(study)] == ([own] if own else [])


# ---- as a step shows it


@pytest.mark.parametrize(
    ("printed", "value", "said"),
    [(".031", 0.0308, ".031"), ("3,423", 3422.6, "3,423"), ("45", 44.7, "45"), ("68.9%", 0.6889, "68.9%"),
     (".0538", 0.05384, ".0538"), (printed_numbers.UNTOLD, 2.0, "2"), (".031", None, "–"), (".399", float("nan"), "–")],
)  # fmt: skip
def test_a_value_is_written_as_the_paper_has_it(printed, value, said):
    assert printed_numbers.written_as(printed, value) == said


@pytest.fixture(scope="module")
def newswire():
    folder = ROOT / "sample_data" / "newswire"
    return evalcore.open_study(folder / "runs", folder / "qrels.txt", systems=folder / "systems.tsv")


ASKING = [(name, one) for name, one in PRINTED if one.question]


@pytest.mark.parametrize(("name", "one"), ASKING, ids=[f"{name}-{one.track}-{one.what}" for name, one in ASKING])
def test_what_asks_for_the_same_finds_it(newswire, name, one):
    """On a track that has enough: a value for every label."""
    asked = {**one.asked, **({"common": [5, 10, 15, 20][: len(one.asked["common"])]} if "common" in one.asked else {})}
    found = one.read(evalcore.ask(newswire, one.question, **asked))
    wanted = {label for label in one.numbers if not re.fullmatch(r"from \d+ topics", label)}
    assert wanted <= set(found)
    assert all(np.isfinite(found[label]) for label in wanted)


def test_every_number_is_a_step_s():
    shown = [step.printed for tour in TOURS.values() for step in tour.steps if step.printed]
    assert sorted(shown) == sorted(printed_numbers.SHOWN)
    for tour in TOURS.values():
        assert {one.source for step in tour.steps if step.printed for one in printed_numbers.SHOWN[step.printed]} <= {
            tour.source
        }


def opened(step):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for name, value in {"tour": "ferro-sanderson", "step": str(step), "study": "web"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, [e.message for e in app.exception]
    return next(one.value for one in app.markdown if "paper" in one.value and "TREC-8" in one.value)


def test_on_another_track_the_paper_s_numbers_are_one_line():
    assert opened(1) == (
        "**The paper, on TREC-8:** pairs that differ: MD1 3,423; effect of systems (ω²): MD1 .399; systems in the top "
        "group: MD1 7."
    )


def test_on_its_own_track_both_stand_in_a_table(monkeypatch):
    """The web sample taken for TREC-8: its own topics and number of systems."""
    web = ROOT / "sample_data" / "web"
    study = evalcore.open_study(web / "runs", web / "qrels.txt", systems=web / "systems.tsv")
    own = replace(
        printed_numbers.TRACKS["TREC-8"],
        topics=frozenset(int(topic) for topic in study.topics),
        systems=len(study.systems),
    )
    monkeypatch.setitem(printed_numbers.TRACKS, "TREC-8", own)
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in opened(2).splitlines()]
    assert table[0] == ["On TREC-8", "", "MD1", "MD6"]
    assert table[2] == ["pairs that differ", "the paper", "3,423", "5,935"]
    found = evalcore.ask(study, "models", metric="AP", shards=5).table.set_index("model")
    assert table[3][1:] == ["**this track**", *(f"**{found['significant'][name]:,.0f}**" for name in ("MD1", "MD6"))]


def test_what_cannot_be_told_here_is_a_dash():
    toy = ROOT / "sample_data" / "toy"
    study = evalcore.open_study(toy / "runs", toy / "qrels.txt", cache=False)
    manual = printed_numbers.SHOWN["experiment"][0]
    assert set(manual.here(study).values()) == {printed_numbers.UNTOLD}
