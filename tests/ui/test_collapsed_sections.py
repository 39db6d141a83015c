"""The folds of pages: drawn when they are opened, named in the address, and in the report whether opened or not."""

import html
import re

import pandas as pd
import pytest

from tests.ui.test_pages import everything, visit
from ui.layout import section
from ui.session import memory

TITLES = {
    "pages/scores.py": {"system": "One system, topic by topic", "topic": "One ranking, document by document"},
    "pages/orderings.py": {"verdicts": "Every pair of systems, as a grid"},
    "pages/confidence.py": {"tukey_pairs": "Which pairs differ significantly?",
                            "anova": "Where does the variance come from?"},
    "pages/judges.py": {"judge_topics": "On which documents and topics is the judge wrong?",
                        "people_and_model": "How many topics must people still judge?",
                        "judge_checks": "What should a person check next?"},
}  # fmt: skip
EACH = [(page, key) for page, folds in TITLES.items() for key in folds]
LONG = {
    "pages/confidence.py": "Does it matter how the documents are split?",
    "pages/estimators.py": "Judge a random sample of the deeper pool: two strata",
    "pages/new_systems.py": "How well do the corrections work? Webber and Park's experiment",
}


def the_fold(app, page, key):
    return next(one for one in app.expander if one.label == TITLES[page][key])


def shown(app):
    """How many tables are folded on the page."""
    return len([one for one in app.expander if re.search(r"rows?\)$", one.label)])


@pytest.mark.parametrize(("page", "key"), EACH)
def test_what_is_folded_is_drawn_when_it_is_opened(app, page, key):
    visit(app, page, study="web")
    assert not the_fold(app, page, key).proto.expanded
    before = shown(app)
    app.session_state[memory.fold_key(key)] = True
    app.run()
    assert the_fold(app, page, key).proto.expanded
    assert shown(app) > before
    assert app.query_params["open"] in (key, [key])
    app.session_state[memory.fold_key(key)] = False
    app.run()
    assert shown(app) == before
    assert "open" not in app.query_params


@pytest.mark.parametrize(("page", "key"), EACH)
def test_an_address_opens_its_folds(app, page, key):
    visit(app, page, study="web", open=[key, "nothing"])
    opened = {one.label for one in app.expander if one.proto.expanded}
    assert opened == {TITLES[page][key]}


def test_a_choice_holds_in_a_fold_that_is_closed(app):
    visit(app, "pages/scores.py", study="web", system="lumen-lm")
    assert not the_fold(app, "pages/scores.py", "system").proto.expanded
    assert app.selectbox(key="system").value == "lumen-lm"
    assert app.query_params["system"] in ("lumen-lm", ["lumen-lm"])
    assert "lumen-lm's RBP(p=0.8) ranges from" in report(app).replace("\\", "")


def report(app):
    visit(app, "pages/report.py")
    return html.unescape(next(one.proto.body for one in app.get("html") if "Made with Poolscope" in one.proto.body))


@pytest.mark.parametrize("page", TITLES)
def test_the_report_holds_what_was_not_opened(app, page):
    """The same findings and tables, whether or not somebody opened the folds."""
    visit(app, page, study="web")
    unopened = report(app)
    visit(app, page, open=list(TITLES[page]))
    opened = report(app)
    tables = re.compile("<summary>(.*?)</summary>")
    assert sorted(tables.findall(unopened)) == sorted(tables.findall(opened))
    pictures = re.compile("<figcaption>(.*?) <button").findall(unopened)
    assert sorted(pictures) == sorted(re.compile("<figcaption>(.*?) <button").findall(opened))
    assert len(set(pictures)) == len(pictures)  # each has a caption of its own
    found = re.compile(r"<p>(?!<a )(?:<strong>)?(.*?)</p>")
    assert sorted(found.findall(unopened)) == sorted(found.findall(opened))


@pytest.mark.parametrize("page", LONG)
def test_the_report_names_what_takes_long(app, page):
    visit(app, page, study="web")
    said = report(app)
    assert "<h2>Slow sections that were not opened</h2>" in said
    assert f"<td>{LONG[page]}</td>" in said
    assert LONG[page] not in everything(app)


def test_the_report_does_not_say_of_the_whole_collection_that_its_partition_takes_long(app):
    visit(app, "pages/confidence.py", study="web", model="MD1")
    assert LONG["pages/confidence.py"] not in report(app)


def test_the_report_draws_what_was_not_opened(app):
    visit(app, "pages/confidence.py", study="web")
    note = next(iter(app.session_state["_notes"].values()))["Confidence"]
    assert "tukey_pairs" not in note["pictures"]
    assert note["unopened"]["tukey_pairs"].answer is None  # nobody has asked for it yet
    assert [title for title in note["too_long"] if title == LONG["pages/confidence.py"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "key", "question", "row", "times"),
    [
        ("pages/confidence.py", "models_by_shards", "models_by_shards", ["shards", "model"], 6),
        ("pages/confidence.py", "partitions", "shard_stability", ["shards"], 4),
        ("pages/new_systems.py", "experiment", "adjustment_experiment", ["width", "common"], 3),
        ("pages/estimators.py", "by_group", "estimator_error", ["depth", "estimator"], 1),
        ("pages/estimators.py", "two_strata", "two_strata", ["repeat", "estimator"], 9),
    ],
)
def test_the_first_rows_of_slow_sections_come_first_and_stay(app, monkeypatch, page, key, question, row, times):
    meanwhile, shown = [], section.sheet

    def show(rows, of, **more):
        if of == question:
            meanwhile.append(rows)
        return shown(rows, of, **more)

    visit(app, page, study="web")
    monkeypatch.setattr(section, "sheet", show)
    app.session_state[memory.fold_key(key)] = True
    assert not app.run().exception
    name = question if key in ("partitions", "experiment") else key
    final = app.session_state["_note"]["tables"][name][1].table
    assert len(meanwhile[:times]) == times
    for rows in meanwhile[:times]:
        assert 0 < len(rows) < len(final)
        same = final.merge(rows[row], on=row)[list(rows)]
        pd.testing.assert_frame_equal(rows.reset_index(drop=True), same)
