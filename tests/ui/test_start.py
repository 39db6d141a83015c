"""The start page's toy, the menu that reaches every page, the words that are explained, and the tours."""

import re
from itertools import permutations

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.estimating.estimators import is_model
from tests.small import small_study
from tests.ui.test_pages import ROOT, went_well
from ui.forms import toy
from ui.layout import menu
from ui.text import definitions, glossary
from ui.tours import tour_steps
from ui.tours.tours import PAPERS, TOURS

# ---- the toy


def plain_toy():
    """The toy's files in plain Python: (system -> documents from rank 1, relevant documents)."""
    folder = ROOT / "sample_data" / "toy"
    runs = {}
    for path in sorted((folder / "runs").iterdir()):
        rows = [line.split() for line in path.read_text().splitlines()]
        runs[path.stem] = [row[2] for row in sorted(rows, key=lambda row: int(row[3]))]
    judged = [line.split() for line in (folder / "qrels.txt").read_text().splitlines()]
    return runs, {row[2] for row in judged if row[3] == "1"}


def test_the_toy_shows_what_its_files_hold():
    runs, relevant = plain_toy()
    for depth, stage in enumerate(toy.content()["stages"], 1):
        read = {document for run in runs.values() for document in run[:depth]}
        for one in stage["lists"]:
            run = runs[one["system"]]
            state = {d: "unread" if d not in read else "relevant" if d in relevant else "not relevant" for d in run}
            assert one["cards"] == list(state.items())
            assert one["lower"] == sum(state[d] == "relevant" for d in run[:3])
            assert one["upper"] == sum(state[d] != "not relevant" for d in run[:3])
    assert all(state != "unread" for one in stage["lists"] for _, state in one["cards"])


def test_the_toy_has_a_story():
    said = [stage["sentence"] for stage in toy.content()["stages"]]
    assert said == [
        "Two of six documents read: Heron seems best, with one document that helps among its first three; but Finch "
        "and Swift may still catch up.",
        "Four of six documents read: Finch, Heron and Swift are level, each with one document that helps among its "
        "first three: it is unclear which is best.",
        "Six of six documents read: Finch is certainly best, with two documents that help among its first three.",
    ]


@pytest.mark.parametrize("ends", list(permutations([(0, 2), (1, 1), (2, 3)])))
def test_the_toy_names_who_may_still_catch_up(ends):
    of = zip("ABC", ends, strict=True)
    lists = [{"system": name, "cards": [("x", "unread")], "lower": low, "upper": high} for name, (low, high) in of]
    best, rival = "ABC"[ends.index((2, 3))], "ABC"[ends.index((0, 2))]
    said = f"{best} seems best, with two documents that help among its first three; but {rival} may"
    assert said in toy.finding(lists)


# ---- the menu


def test_the_next_steps_reach_every_page():
    """Following the first link of every page goes through all of them and back to the start."""
    path, way = menu.HOME, []
    while path not in way:
        way.append(path)
        path = menu.PAGES[path].leads_to[0]
    assert set(way) == set(menu.PAGES)
    assert path == menu.HOME
    assert all(path not in page.leads_to for path, page in menu.PAGES.items())


def test_every_page_has_its_file_and_its_place_in_the_menu():
    assert {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")} == set(menu.PAGES)
    assert [path for group in menu.sections().values() for path in group] == list(menu.PAGES)


# ---- words


@pytest.mark.parametrize("name", evalcore.METRICS)
def test_every_measure_has_a_plain_line(name):
    assert evalcore.METRICS[name].plainly
    assert glossary.metric(name if name != "Judged" else "Judged@10").endswith(".")


def test_a_measure_in_plain_words():
    assert glossary.metric("RBP(p=0.8)") == "How relevant the first results are to a reader of about 5 results."
    cut = "How relevant the first results are to a reader of about 8.03 results, and at none past rank 10."
    assert glossary.metric("RBP(p=0.95)@10") == cut
    assert glossary.metric("RBP(p=0.9999)") == "How relevant the first results are to a reader of about 10,000 results."
    assert glossary.metric("P@3") == "The share of the first 3 results that are relevant."
    assert glossary.metric("P@1") == "Whether the first result is relevant."
    assert glossary.metric("RR@10") == "One divided by the rank of the first relevant result in the first 10."
    assert glossary.metric("RR@1") == glossary.metric("Success@1") == glossary.metric("P@1")
    assert glossary.metric("Success@5") == "Whether any of the first 5 results is relevant."
    graded = "The share of the first 3 results that are relevant. Relevant here: grade 2 or higher."
    assert glossary.metric("P(rel=2)@3") == graded
    assert glossary.metric("AP@1").startswith("At each relevant result at the first rank, the share of results so far")


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("nDCG", " early,"),
        ("nDCG@10", " early in the first 10,"),
        ("nDCG@1", " at the first rank,"),
        ("nDCG(log=10)@5", " in the first 5, in any order,"),
        ("nDCG(log=10)@20", " early in the first 20 (the first 10 ranks count equally),"),
        ("nDCG(log=2.5)", " early (the first 2 ranks count equally),"),
    ],
)
def test_ranks_that_a_discount_leaves_alike_are_not_said_to_want_good_results_early(name, where):
    assert glossary.metric(name) == f"Credit for good results{where} as a share of the best possible ranking's credit."
    discount = evalcore.metric(name).name
    alike = {"nDCG(log=10)@5": 5, "nDCG(log=10)@20": 10, "nDCG(log=2.5)": 2}.get(discount, 1)
    first, then, last = (_one_relevant(discount, rank) for rank in (1, alike, alike + 1))
    assert first == pytest.approx(then)
    assert last < then


def _one_relevant(metric, rank):
    """The score of a ranking of thirty whose one relevant document stands at this rank."""
    run = {"t": {f"d{i}": float(-i) for i in range(1, 31)}}
    study = small_study({"a": run}, {"t": {f"d{i}": int(i == rank) for i in range(1, 31)}})
    return evalcore.ask(study, "scores", metric=metric).table["value"].iloc[0]


@pytest.mark.parametrize(
    ("title", "rows", "plainly"), glossary.choosable(), ids=lambda of: of if type(of) is str else ""
)
def test_a_plain_line_stands_alone(title, rows, plainly):
    """One sentence, without a source, a formula's letters or the sentence before."""
    for row in rows:
        said = plainly(row)
        assert len(said) > 20
        assert not re.search(r"\[|_|\.\s|^And |d'", said), said


def test_terms_are_those_of_the_methods():
    assert glossary.words()["new system"] == "a system that did not contribute to the pool"
    assert "**new system**: " in glossary.those_in("Two new systems came.")
    assert glossary.those_in("Nothing to see.") == ""


def test_the_questions_name_sections_that_are_there():
    text = (ROOT / "docs" / "METHODS.md").read_text()
    sections = set(re.findall(r"^#{2,3} ([\d.]*\d)\.? ", text, re.MULTILINE))
    for question, answer in definitions.chapters("QUESTIONS.md").items():
        named = re.findall(r"\d+(?:\.\d+)?", re.search(r"Definitions:([^.]*(?:\.\d[^.]*)*)\.", answer)[1])
        assert named, question
        assert set(named) <= sections


def test_a_chapter_of_the_methods_is_shown_whole_section_by_section():
    for heading, text in definitions.chapters().items():
        parts = definitions.parts(heading)
        assert {number for number, _ in parts} <= set(definitions.sections())
        assert "".join(part for _, part in parts).split() == f"## {heading} {text}".replace("\\\n", "\n").split()


def test_the_sections_that_an_answer_names_are_one_click_away(app):
    app.switch_page("pages/methods.py").run()
    question = next(iter(definitions.chapters("QUESTIONS.md")))
    assert "Definitions: 3.5" not in said(app)
    press(app, f"defines-{question}-3.14")
    assert app.selectbox(key="chapter").value == "3. Metrics"
    assert (stands(app, "shown"), stands(app, "chapter")) == ("defined", "3. Metrics")
    assert app.session_state["_opened-by-click"][0] == "section-3-14"


# ---- tours


@pytest.fixture
def app():
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)


def visit(app, **address):
    app.query_params.update(address)
    return went_well(app.run())


def press(app, key):
    return went_well(app.button(key=key).click().run())


def stands(app, name):
    """What stands in the address."""
    value = app.query_params[name]
    return value[0] if isinstance(value, list) else value


def said(app):
    return "\n".join(str(element.value) for element in app.markdown)


def names_of_parts(app):
    """What the page's headings, folds, tabs, tables and buttons are called."""
    headings = re.findall(r"^#+ (.+)$", said(app), re.MULTILINE)
    folds = [re.sub(r" \([\d,]+ rows?\)$", "", fold.label) for fold in app.expander]
    return {*headings, *folds, *(one.label for one in [*app.tabs, *app.get("download_button")])}


@pytest.mark.slow
@pytest.mark.parametrize("name", TOURS)
@pytest.mark.parametrize("sample", ["web", "variations"])
def test_every_step_of_every_tour_opens(app, name, sample):
    visit(app, tour=name, study=sample)
    for number, step in enumerate(TOURS[name].steps, 1):
        assert app.title[0].value == menu.PAGES[step.page].question
        assert f"step {number} of {len(TOURS[name].steps)}" in said(app)
        assert step.markdown in said(app)
        if "This track cannot show this step" not in said(app):
            named = set(re.findall(r"\*([^*]+)\*", step.words))
            assert named <= names_of_parts(app), step.words
            assert all(fold.proto.expanded for fold in app.expander if fold.label in named), step.words
        assert not app.warning, app.warning[0].value
        assert (stands(app, "tour"), stands(app, "step")) == (name, str(number))
        if sample == "variations":
            assert not app.error
        if number < len(TOURS[name].steps):
            press(app, "tour-next")


def test_a_step_opens_from_its_address_with_its_choices(app):
    visit(app, tour="ferro-sanderson", step="2", study="web")
    assert app.title[0].value == menu.PAGES["pages/confidence.py"].question
    assert app.get_by_key("model").value == "MD6"
    press(app, "tour-back")
    assert app.get_by_key("model").value == "MD1"


def test_a_step_opens_at_its_own_choices_whatever_the_last_one_was_left_at(app):
    visit(app, tour="ferro-sanderson", step="2", study="web")
    app.get_by_key("interval").set_value("sem").run()
    app.toggle(key="truth").set_value(True).run()
    app.toggle(key="large").set_value(True).run()
    assert (stands(app, "interval"), stands(app, "truth")) == ("sem", "true")
    press(app, "tour-next")
    assert app.get_by_key("interval").value == "tukey"
    assert not app.toggle(key="truth").value
    assert app.toggle(key="large").value  # which is how one sees, and no choice of a step


def test_what_the_address_says_goes_before_the_step(app):
    visit(app, tour="ferro-sanderson", step="2", study="web", model="MD3")
    assert app.get_by_key("model").value == "MD3"


def test_a_tour_is_left_and_gone_on_with(app):
    visit(app, tour="pooling", step="3", study="web")
    app.switch_page("pages/data.py").run()
    assert "step 3 of" in said(app)
    press(app, "tour-again")
    assert app.title[0].value == menu.PAGES["pages/pool_depth.py"].question
    press(app, "tour-end")
    assert "step 3 of" not in said(app)
    assert "tour" not in app.query_params


@pytest.mark.parametrize("step", ["0", "99", "x", "9" * 400, "²"])
def test_a_step_that_is_none_is_the_nearest(app, step):
    visit(app, tour="pooling", step=step, study="web")
    assert stands(app, "step") in ("1", str(len(TOURS["pooling"].steps)))


@pytest.mark.parametrize("name", TOURS)
def test_a_tour_opens_the_sample_that_shows_what_the_paper_found(app, name):
    """In place of another sample; a link that names a sample opens that."""
    wanted = TOURS[name].sample or "web"
    visit(app, tour=name)
    assert app.selectbox(key="study").value == wanted
    assert "study" in app.query_params or not TOURS[name].sample
    press(app, "tour-next")
    assert app.selectbox(key="study").value == wanted
    assert TOURS[name].steps[1].title in said(app)


def test_a_sample_that_is_chosen_on_a_tour_stays(app):
    visit(app, tour="ferro-sanderson", step="2")
    app.selectbox(key="study").set_value("web").run()
    assert stands(app, "study") == "web"
    press(app, "tour-next")
    assert app.selectbox(key="study").value == "web"


def test_a_tour_that_is_begun_on_the_start_page_opens_its_sample(app):
    visit(app, study="variations")
    app.selectbox(key="paper").set_value("ferro-sanderson").run()
    next(button for button in app.button if button.label == "Follow this paper").click().run()
    assert not app.exception
    assert app.selectbox(key="study").value == "newswire"
    assert app.get_by_key("model").value == "MD1"


def test_the_last_step_of_a_tour_ends_on_the_start_page(app):
    visit(app, tour="pooling", step="7", study="newswire", present="true")
    assert "tour-next" not in [button.key for button in app.button]
    press(app, "tour-finish")
    assert app.title[0].value == menu.PAGES[menu.HOME].question
    assert not {"tour", "step", "present"} & set(app.query_params)
    assert "step 7 of" not in said(app)
    assert not app.session_state["present"]
    assert app.selectbox(key="study").value == "newswire"


def asked_by(section):
    """The questions that a section of METHODS defines."""
    return re.findall(r"`(\w+)`", definitions.sections()[section].text.partition("*Asked by:*")[2])


SHOWN_BY_FOLD = {
    "by_group": "estimator_error", "corrections": "adjust_from_topics", "experiment": "adjustment_experiment",
    "letters": "fuse", "methods": "fusion_scores", "partitions": "shard_stability",
}  # fmt: skip


@pytest.mark.parametrize(
    "step",
    [step for tour in TOURS.values() for step in tour.steps if step.section and step.at.startswith("open-")],
    ids=lambda step: step.title,
)
def test_the_definition_of_a_step_is_that_of_what_it_opens(step):
    fold = step.at.removeprefix("open-")
    assert SHOWN_BY_FOLD.get(fold, fold) in asked_by(step.section)


def test_a_step_calls_a_model_what_is_one():
    """`rm` is a formula of the scores [LMC17, eq. 4]."""
    steps = TOURS["lu-moffat-culpepper"].steps
    step = next(step for step in steps if "model" in step.words and "orderings" in step.page)
    study = evalcore.open_study(ROOT / "sample_data" / "web" / "runs", ROOT / "sample_data" / "web" / "qrels.txt")
    guesses = [evalcore.regime(name).estimator for name in step.address(study)["regimes"]]
    assert [is_model(name) for name in guesses] == [False, True, False]


def test_a_tour_that_is_none_is_no_tour(app):
    visit(app, tour="nowhere", step="2")
    assert "step 2 of" not in said(app)


def test_a_track_without_what_a_step_shows_says_so(app):
    visit(app, tour="bailey-moffat-scholer-thomas", step="1", study="web")
    assert "This track cannot show this step: every topic of this track has one query" in said(app).replace("\\", "")
    next(button for button in app.button if button.label == "Open a suitable sample").click().run()
    assert app.selectbox(key="study").value == "variations"
    assert "This track cannot show this step" not in said(app)


def test_a_step_makes_its_choices_as_soon_as_a_track_has_what_it_shows(app):
    visit(app, tour="bailey-moffat-scholer-thomas", step="8", study="web")
    assert "open" not in app.query_params
    next(button for button in app.button if button.label == "Open a suitable sample").click().run()
    assert (stands(app, "open"), stands(app, "step")) == ("fusion_by_count", "8")
    assert stands(app, "crowd").startswith("the variations of ")
    assert next(fold for fold in app.expander if fold.label == "How much do more query variations gain?").proto.expanded


def test_what_a_step_needs_and_chooses_follows_the_track():
    """Without groups systems are left out one by one; who contributed is needed where something is left out."""
    folder = ROOT / "sample_data" / "toy"
    files = folder / "runs", folder / "qrels.txt"
    all_pooled, found = (evalcore.open_study(*files, pooled=pooled, cache=False) for pooled in ("all", None))
    assert tour_steps.contributors(all_pooled) == ""
    assert found.pooling.how == "assumed"
    assert tour_steps.contributors(found).startswith("the files do not show which systems contributed")
    late = next(step for step in TOURS["pooling"].steps if step.title == "A system that is not in the pool")
    assert late.lacks(found)[1] == "web"
    assert late.address(found) == {}
    assert late.address(all_pooled) == {"metric": "RBP(p=0.8)", "by": "run", "depth": "all"}


def test_a_pool_of_unknown_depth_is_not_called_one_document_deep():
    qrels = {"t": {"d": 1}}
    missed = {"a": {"t": {"e": 1.0}}}  # nobody has a judged document
    assert tour_steps.pool(small_study(missed, qrels)) == "the pool depth is unknown"
    assert tour_steps.pool(small_study(missed, qrels, pool_depth=1)) == "the pool is one document deep"


def test_papers_are_those_of_the_references():
    references = (ROOT / "docs" / "METHODS.md").read_text().partition("## 16. References")[2]
    assert all(f"- [{TOURS[name].source}]" in references for name in PAPERS)
    assert len(PAPERS) == 5


def test_the_words_of_a_step_hold_no_number():
    """Numbers come from the pages: they would be wrong on another track."""
    for tour in TOURS.values():
        for step in tour.steps:
            assert not re.search(r"(?<!MD)\d", step.words), step.title  # MD6 is a name


# ---- presentation


def test_a_presentation_begins_and_ends(app):
    visit(app)
    next(button for button in app.button if button.label == TOURS["pooling"].title).click().run()
    assert app.session_state["present"]
    press(app, "end-present")
    assert not app.session_state["present"]
