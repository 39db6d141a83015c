"""Every control that a page shows: what it changes, and that the address gives the same page again."""

import json

import pytest
from streamlit.testing.v1 import element_tree

from tests.ui.test_pages import PAGES, opened, visit, went_well

CONTROLS = "selectbox", "multiselect", "button_group", "toggle", "radio"
ANSWERS = "markdown", "caption", "metric", "info", "warning", "error", "success", "bidi_component"


def shown(block):
    """The elements of a block that a visitor sees, with the pickers of the line of choices and the details: not those
    of closed sections and of buttons that open something."""
    for child in getattr(block, "children", {}).values():
        yield child
        is_open = child.type not in ("popover", "expander") or (child.type == "expander" and child.proto.expanded)
        if is_open or str(child.key).startswith(("part-", "details-")):
            yield from shown(child)


class Label(str):
    """An option as the page shows it; AppTest asks for the value behind it, which only the page knows."""


@pytest.fixture(autouse=True)
def by_label(monkeypatch):
    """Options are chosen by their labels."""
    value_of = element_tree._format_value_for_widget
    of_label = lambda words, value: str(value) if isinstance(value, Label) else value_of(words, value)  # noqa: E731
    monkeypatch.setattr(element_tree, "_format_value_for_widget", of_label)


def controls(app):
    """The controls of the page in sight that offer something else, by their keys."""
    alone = (one for one in shown(app.main) if one.type in CONTROLS and "-columns-" not in one.key)
    return {one.key: one for one in alone if not one.disabled and other(one)}


def other(control):
    """Something else to choose in a control, as a list of one value; empty where there is nothing."""
    if control.type == "toggle":
        return [not control.value]
    chosen = [control.index] if control.type in ("selectbox", "radio") else control.indices
    left = [Label(label) for place, label in enumerate(control.options) if place not in chosen]
    if control.type == "multiselect":
        now = [Label(control.options[place]) for place in chosen]
        return [now + left[:1]] if left else [now[:-1]] if len(now) > 1 else []
    return left[:1]


def answer(app):
    """What the page answers, without its controls: texts, tiles, and the figures as they are sent."""
    sections = (one.label for one in shown(app.main) if one.type == "expander")
    return [*sections, *(one.proto.SerializeToString() for one in shown(app.main) if one.type in ANSWERS)]


def state(app):
    """What a link must give again: findings, tiles, controls, sections and what the figures show."""
    elements = [*shown(app.main)]
    return {
        "findings": {key: one.headline for key, one in app.session_state["_note"]["findings"].items()},
        "tiles": [(one.label, one.value) for one in elements if one.type == "metric"],
        "controls": {key: one.value for key, one in controls(app).items()},
        "sections": [one.label for one in elements if one.type == "expander"],
        "figures": [in_words(one.proto) for one in elements if one.type == "bidi_component"],
    }


def in_words(figure):
    """What a figure shows, in words; of the live picture, all that it shows at each depth."""
    sent = json.loads(figure.bytes or figure.json)
    return sent["alt"] if "alt" in sent else [sent.get(name) for name in ("findings", "tiles", "value")]


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if page != "pages/report.py"])
def test_each_choice_changes_the_answer_and_leaves_one_state_that_its_address_gives_again(app, page):
    visit(app, page, study="variations" if "consistency" in page else "web")
    tried = 0
    for key in controls(app):
        if (control := controls(app).get(key)) is None:  # a choice may take another away
            continue
        address, before, tried = dict(app.query_params), answer(app), tried + 1
        went_well(control.set_value(*other(control)).run())
        if dict(app.query_params) != address and key != "pin":  # of a system that no figure here shows
            assert answer(app) != before, f"nothing changes with {key}: {address} {dict(app.query_params)}"
        assert control.type != "button_group" or dict(app.query_params) != address, key
    assert tried
    chosen = state(app)
    app.session_state["large"], app.session_state["present"] = True, True
    presented = state(went_well(app.run()))  # some sentences are hidden
    assert set(presented["findings"].values()) <= set(chosen["findings"].values())
    app.session_state["large"], app.session_state["present"] = False, False
    assert state(went_well(app.run())) == chosen

    assert state(opened(page, **app.query_params)) == chosen
