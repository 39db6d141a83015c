"""The page Methods: sections that other pages name and open, and its search; and that the labels of the screen are in
those sections."""

import pytest

import evalcore
from tests.ui.test_pages import everything, go, opened, went_well
from ui.forms import estimator_choices
from ui.layout import menu
from ui.text import definitions, interval_labels
from ui.views import orderings

DEFINED = {page.name: path for path, page in menu.PAGES.items() if page.defined}
SAMPLES = {"Judges": "web", "Fusion": "variations", "Consistency": "variations"}  # with what these pages need


@pytest.fixture(scope="module")
def pages():
    """Each page on a sample, with all its sections open: name -> app."""
    shown = {}
    for name, path in DEFINED.items():
        sample = SAMPLES.get(name, "newswire")
        shown[name] = opened(path, study=sample, open=menu.PAGES[path].folds.split())
    return shown


def links(app):
    """The sections that the page's line names: number -> address of Methods."""
    (opened,) = app.get_by_key("definitions").children.values()
    links_of = [link.proto for link in opened.children.values() if link.type == "page_link"]
    return {link.label.partition(" ")[0].replace("\\", ""): link.query_string for link in links_of}


@pytest.mark.parametrize("name", DEFINED)
def test_a_page_names_the_sections_of_all_its_numbers(pages, name):
    page = menu.PAGES[DEFINED[name]]
    named = page.definitions
    of_metric = ["3.1"] * ("metric" in page.choices.split())  # by default RBP
    assert list(links(pages[name])) == [*of_metric, *named]
    assert set(named) <= set(definitions.sections())
    for part in (page.defined, page.also_defined):
        assert part.split() == sorted(part.split(), key=lambda number: [int(part) for part in number.split(".")])
    asked = {answer.question for _, answer in pages[name].session_state["_note"]["tables"].values()}
    assert asked or page.of_many  # of whose answers none is that of one study
    assert {evalcore.QUESTIONS[question].section for question in asked} <= set(named)


def test_every_page_that_shows_results_names_its_sections():
    without = {page.name for page in menu.PAGES.values() if page.asks_study} - DEFINED.keys()
    assert without == {"Report"}  # which prints them


def test_a_link_to_a_section_keeps_the_choices_but_not_the_open_sections():
    app = opened("pages/scores.py", study="newswire", metric="P@10", depth="5", open=["ties"])
    assert links(app)["4.1"] == "study=newswire&metric=P%4010&depth=5&section=4.1"
    app.get_by_key("depth").select(10).run()
    assert "depth=10&" in links(app)["4.1"]  # chosen in this run
    app.get_by_key("metric").set_value("nDCG@10").run()
    assert next(iter(links(app))) == "3.5"  # of the metric


def test_before_an_audience_no_section_is_named():
    app = opened("pages/scores.py")
    app.session_state["present"] = True
    app.session_state["_present"] = True
    assert not [link for link in went_well(app.run()).get("page_link") if link.proto.label == "4.1"]


def address(app):
    return {name: values[0] if isinstance(values, list) else values for name, values in app.query_params.items()}


def test_a_section_is_opened_with_the_choices_of_the_page_that_names_it():
    app = opened("pages/methods.py", study="newswire", metric="P@10", depth="5", section="8.5")
    shown = {"shown": "defined", "chapter": "8. Pairs of systems", "section": "8.5"}
    assert address(app) == {"study": "newswire", "metric": "P@10", "depth": "5", **shown}
    assert app.session_state["_opened-by-click"][0] == "section-8-5"
    assert not app.warning  # the choices are those of a page, though this one has no use for them
    app.selectbox(key="chapter").select("3. Metrics").run()
    assert "section" not in address(app)
    go(app, "scores")
    assert "section" not in address(app)


def test_a_section_that_does_not_exist_is_said():
    app = opened("pages/methods.py", section="99")
    assert "“99” (section), which is not available here" in app.warning[0].value
    app = opened("pages/methods.py", colour="red")
    assert "does not use these choices of the link: colour" in app.warning[0].value


# ---- labels

PICKERS = {
    "selectbox", "radio", "multiselect", "button_group", "slider", "select_slider", "toggle", "checkbox",
    "number_input", "text_input",
}  # fmt: skip
OF_A_FILE = "-columns-"  # in the keys of pickers of what a LaTeX file contains, which no section defines
PIN = "pin"  # the key of the picker of systems that figures name, which changes no number


def labels(block):
    """The labels of pickers and tiles in a part of a page."""
    for child in getattr(block, "children", {}).values():
        if child.type in PICKERS | {"metric"} and OF_A_FILE not in (child.key or "") and child.key != PIN:
            yield child.label or child.proto.label
        yield from labels(child)


@pytest.mark.parametrize("name", DEFINED)
def test_every_label_is_in_a_section_that_its_page_names(pages, name):
    """In italics. Without it, weave the label into the section that defines what the label names."""
    shown = set(filter(None, labels(pages[name].main)))
    assert len(shown) > 3  # which are found at all
    assert sorted(shown - of_page(name)) == []


def of_page(name):
    """What stands in italics in the sections that a page names."""
    sections = (definitions.sections()[number] for number in menu.PAGES[DEFINED[name]].definitions)
    return set().union(*(section.labels for section in sections))


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("Pool depth", [row.label for row in interval_labels.KINDS.values()]),
        ("Scores", [interval_labels.UNJUDGED, interval_labels.PAST_THE_END]),
        ("Pool depth", [interval_labels.ALL_JUDGMENTS, interval_labels.COMPLETE, interval_labels.TO_COME]),
        ("Confidence", [row.title for row in evalcore.INTERVALS.values()]),
        ("Orderings", orderings.AGREEMENTS.values()),
        ("Estimators", [*estimator_choices.AGREEMENTS.values(), *estimator_choices.ERRORS.values()]),
    ],
    ids=str,
)
def test_legends_axes_and_choices_that_are_terms_are_in_a_section_that_their_page_names(name, named):
    assert sorted(set(named) - of_page(name)) == []


# ---- search


def found(app):
    return [button.label.strip("*") for button in app.button if (button.key or "").startswith("finds-")]


def test_a_search_is_in_the_address_and_leads_to_a_section():
    app = opened("pages/methods.py", search="certain pair")
    assert found(app)[0] == "8.5 Certain pairs"
    app.text_input(key="search").set_value("first unjudged").run()
    assert address(app)["search"] == "first unjudged"
    assert found(app)[0] == "4.4 First unjudged rank"
    app.button(key="finds-4.4").click().run()
    assert address(app) == {"shown": "defined", "chapter": "4. Pools and intervals", "section": "4.4"}
    assert not found(app)
    assert app.text_input(key="search").value == ""
    assert app.session_state["_opened-by-click"][0] == "section-4-4"


def test_a_search_finds_questions_that_people_ask():
    app = opened("pages/methods.py", search="scores have no range")
    assert [fold.label for fold in app.expander] == ["Why do some scores have no range?"]


def test_a_search_without_a_result_says_so_and_is_harmless():
    app = opened("pages/methods.py", search="zzz <b>$x$")
    assert r"No section contains “zzz \<b\>\$x\$”." in everything(app)
    assert not found(app)
    app.text_input(key="search").set_value(" ").run()
    assert "search" not in address(app)
    assert any(fold.label.endswith("?") for fold in app.expander)


def test_a_search_finds_titles_first_then_terms_and_every_word_begins_a_word():
    assert definitions.found("fusion")[0][0].title == "Fusion"
    assert "1" in [section.number for section, _ in definitions.found("new system")[:3]]
    assert [section.number for section, _ in definitions.found("pool audit")] == ["13.3"]
    assert not definitions.found("udgment")
    assert not definitions.found("Moffat Zobel Rank-biased ACM")  # the references are not searched
    assert not definitions.found("  ")


def test_a_line_of_a_section_is_whole():
    """A sentence keeps its formulas and the end of its emphasis; a row has all of its cells."""
    text = "**It is so.** Take $a. B$ and `x. Y`, e.g. this. *Check.* One\\\n*Asked by:* `x`.\n\n"
    text += "| a | `b|c` |\n| --- | --- |\n"
    assert definitions.sentences(text) == [
        "**It is so.**",
        "Take $a. B$ and `x. Y`, e.g. this.",
        "*Check.*",
        "One",
        "a",
        "`b|c`",
    ]
    (line,) = [line for section, line in definitions.found("binary default fractions") if section.number == "2.2"]
    assert line == "`binary` (default, but for fractions) · 1 if relevant, else 0 · 1"
    assert not [line for _, line in definitions.found("the") if line.count("$") % 2]
