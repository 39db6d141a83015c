"""The line of choices: the setting of a page in words, each part of which is a picker."""

from itertools import product

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.metrics.phrases import in_a_phrase
from tests.ui.test_pages import ROOT, go, opened
from ui.components import choices
from ui.text import glossary
from ui.text.escape import md

ON_PAGES = {  # page -> its parts in their order
    "data": "k pin",
    "scores": "metric depth estimator systems pin",
    "compare": "system rival metric depth pair-test level pin",
    "confidence": "metric model shards level interval pin",
    "orderings": "regimes view systems pin",
    "estimators": "metric guesses systems shallow error pin",
    "new_systems": "metric by unjudged systems pin",
    "judgments": "metric budget pin",
    "judges": "judge metric agreement-of-judges pin",
    "fusion": "crowd rule metric level pin",
    "pool_depth": "metric estimator systems pin",
}


@pytest.fixture(scope="module")
def app():
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).run()


def said(app, key):
    """What the part of a choice says."""
    return app.get_by_key(f"part-{key}").proto.popover.label


@pytest.mark.parametrize("page", ON_PAGES)
def test_a_page_says_its_setting_and_nothing_in_it_is_bold_by_itself(app, page):
    for key in ON_PAGES[page].split():
        go(app, page)
        assert said(app, key)
        assert "**" not in said(app, key)
        picker = app.get_by_key(key)
        assert picker.label


def test_another_choice_is_bold_and_is_seen_on_the_next_page(app):
    go(app, "scores")
    app.selectbox(key="metric").set_value("P@10").run()
    app.get_by_key("estimator").set_value("rm").run()
    assert said(app, "metric") == "**the first 10 results**"
    assert said(app, "estimator") == "**unread documents count like the judged ones**"
    for page in ("pool_depth", "orderings"):
        go(app, page)
    go(app, "pool_depth")
    assert said(app, "metric") == "**the first 10 results**"
    assert said(app, "estimator") == "**unread documents count like the judged ones**"
    go(app, "scores")
    app.selectbox(key="metric").set_value(choices.USUAL).run()
    app.get_by_key("estimator").set_value("lower").run()
    assert said(app, "metric") == "mainly the first 5 results"


def test_a_part_of_several_choices_counts_them():
    app = opened("pages/estimators.py", study="web", guesses=["lower", "rm"])
    assert said(app, "guesses") == "**2 guesses about unread documents**"
    app = opened("pages/orderings.py", study="web")
    assert said(app, "regimes") == "5 ways of scoring"


def test_the_name_of_a_system_is_cut_and_harmless_in_the_line():
    line = choices.Line.__new__(choices.Line)
    shown = []

    class Place:
        def popover(self, label, **_):
            shown.append(label)

    line.reserved, line.row, line.inside = {}, Place(), {}
    line.part("system", "![x](http://there/" + "a" * 99 + ")", changed=True)
    assert len(shown[0]) < 99
    assert shown[0].startswith("**\\!\\[x\\]")


def test_options_with_the_name_of_a_system_are_plain_text(monkeypatch):
    line = choices.Line.__new__(choices.Line)
    said = []

    class Place:
        def popover(self, label, **_):
            return self

        def radio(self, label, options, *, format_func, **_):
            said.extend(map(format_func, options))

    line.reserved, line.row, line.inside = {}, Place(), {}
    monkeypatch.setitem(st.session_state, "first", "a")
    line.choose_one("System A", ["a", "![x](http://there/x.png)"], key="first", default="a")
    assert said == ["a", md("![x](http://there/x.png)")]
    assert said[1].startswith("\\!")


def metrics():
    """Names of metrics that differ in one parameter or another."""
    yield from (name for row in evalcore.METRICS.values() for name in row.usual)
    yield from (
        f"{name}@{k}" for name, k in product(("P", "SDCG", "nDCG", "AP", "RR", "Success", "ERR", "R"), (1, 5, 7))
    )
    yield from ("RBP(p=0.5)", "RBP(p=0.8)@10", "RBP(p=0.8)@20", "INST(T=2)", "INST(T=3)", "P(rel=2)@10", "AP(rel=2)")
    yield from ("nDCG(log=2)", "nDCG(log=3)", "nDCG(log=2)@10", "Judged@5", "Judged@10")


def test_no_two_metrics_have_the_same_words():
    names = {evalcore.metric(name).name for name in metrics()}
    phrases = {name: in_a_phrase(name) for name in names}
    assert len(names) > 45
    assert len(set(phrases.values())) == len(names), sorted(phrases.items(), key=lambda pair: pair[1])
    assert all("{" not in phrase and "None" not in phrase and len(phrase) <= 60 for phrase in phrases.values())


def test_a_metric_without_words_is_called_by_its_name():
    assert in_a_phrase("no such metric") == "no such metric"
    assert all(row.phrase for row in evalcore.METRICS.values())


def test_every_fusion_method_has_its_own_words():
    assert glossary.MERGED.keys() == evalcore.FUSIONS.keys()
    assert len({*glossary.MERGED.values()}) == len(evalcore.FUSIONS)
    assert glossary.merged_by("rbc(phi=0.9)") == "weighted vote"
    assert glossary.merged_by("rbc(phi=0.8)") == "weighted vote (phi=0.8)"
    assert glossary.merged_by("nothing(x)") == "nothing(x)"
