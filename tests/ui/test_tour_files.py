"""The files of tours: what is wrong in one is refused in words, and they know the choices and sections of the pages."""

import re

import pytest

from tests.ui.test_pages import ROOT, opened
from ui.layout import menu
from ui.tours import tours

GOOD = """
order = 1
title = "A class"
what = "What to look at."
source = "RM10"
sample = "web"

[[step]]
page = "start"
title = "Begin"
words = '''
Words that
are wrapped.
'''

[[step]]
page = "pool_depth"
title = "Judge"
words = "Look."
choices = { metric = "AP", depth = "{shallow}", truth = true }
needs = ["pool"]
section = "3.1"
printed = ["scores"]
labels = ["b"]

[track]
name = "TREC-8"
topics = [401, 450]
systems = 129

[printed.scores]
section = "10.5"
question = "models"
parameters = { metric = "AP" }
by = "model"
[[printed.scores.rows]]
what = "pairs"
column = "top_group"
numbers = { a = ".1", b = ".2" }
"""
STEP_2 = "class.toml (A class), step 2 (Judge): "


@pytest.fixture
def read(tmp_path):
    def read(text):
        (tmp_path / "class.toml").write_text(text, "utf-8")
        return tours.tour_in(tmp_path / "class.toml")

    return read


def test_a_file_is_a_tour(read):
    order, tour = read(GOOD)
    assert (order, tour.title, tour.source, tour.sample) == (1, "A class", "RM10", "web")
    begin, judge = tour.steps
    assert (begin.page, begin.words) == ("pages/start.py", "Words that are wrapped.")
    assert judge.choices == {"metric": "AP", "depth": "{shallow}", "truth": True}
    (row,) = judge.printed
    assert (row.numbers, row.track.systems, len(row.track.topics)) == ({"b": ".2"}, 129, 50)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('page = "pool_depth"', 'page = "pool"', STEP_2 + "no page 'pool'. Known: start, data, pool_depth, "),
        ("metric = ", "metrik = ", STEP_2 + "no choice 'metrik' on page pool_depth. Known: metric, depth, "),
        ('words = "Look."', "", STEP_2 + "the field words is missing. Required: page, title, words."),
        ("needs", "need", STEP_2 + "no field 'need'. Known: page, title, words, choices, "),
        ('["pool"]', '"pool"', STEP_2 + "needs must be a list, not 'pool'."),
        ('["pool"]', '["poll"]', STEP_2 + "no need 'poll'. Known: variations, pool, "),
        ("{shallow}", "{shalow}", STEP_2 + "no value '{shalow}'. Known: {shallow}, {deeper}, "),
        ("metric = ", 'open = ["pool"], metric = ', STEP_2 + "no section 'pool' on page pool_depth. Known: "),
        ("3.1", "3.99", STEP_2 + "no section '3.99' in docs/METHODS.md. Known: 1, "),
        ('printed = ["scores"]', 'printed = ["score"]', STEP_2 + "no table of printed numbers 'score'. Known: scores."),
        ('["b"]', '["c"]', STEP_2 + "no label 'c' in “pairs”. Known: a, b."),
        ("RM10", "RM11", "class.toml (A class): no source 'RM11'. Known: "),
        ('"web"', '"wep"', "class.toml (A class): no sample 'wep'. Known: web, newswire, variations."),
        ("order = 1", 'order = "1"', "class.toml (A class): order must be a whole number, not '1'."),
        ("[401, 450]", "[401]", "class.toml (A class), track: topics must be the first and the last number"),
        ('"models"', '"model"', "class.toml (A class), printed.scores: no question 'model'. Known: "),
        ('a = ".1"', "a = 1", "class.toml (A class), printed.scores, numbers: a must be a text in quotes, not 1."),
        ('column = "top_group"', "", "class.toml (A class), printed.scores, pairs: the field column is missing."),
        ("top_group", "groop", "class.toml (A class), printed.scores, pairs: no column 'groop'. Known: model, "),
        ('by = "model"', 'by = "rows"', "class.toml (A class), printed.scores, pairs: no column 'rows'. Known: "),
        ('by = "model"', "times = 1.0", "class.toml (A class), printed.scores: times must be a whole number, not 1.0."),
        ("order = 1", "order 1", "class.toml is not TOML: "),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused(read, right, wrong, message):
    with pytest.raises(ValueError, match=r"^class\.toml") as refused:
        read(GOOD.replace(right, wrong))
    assert str(refused.value).startswith(message)


def test_the_step_of_contributing_is_one(read):
    (example,) = re.findall(r"```toml\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)
    _, tour = read(f"{GOOD.partition('[[step]]')[0]}\n{example}")
    assert tour.steps[0].page == "pages/scores.py"


def test_tours_are_in_their_order(tmp_path):
    for order, name in ((2, "a"), (1, "b")):
        (tmp_path / f"{name}.toml").write_text(GOOD.replace("order = 1", f"order = {order}"), "utf-8")
    assert list(tours.read_all(tmp_path)) == ["b", "a"]


def test_choices_and_sections_are_those_of_the_pages():
    """Of all samples together; the depth slider and tabs write their choice to the address themselves; the
    agreement of orderings, the ranks of diversity, and what many tracks are compared by, are chosen where a page shows
    them."""
    choices = {page: set() for page in tours.PAGES}
    for sample in ("web", "variations"):
        app = opened("pages/start.py", study=sample)
        for page, path in tours.PAGES.items():
            app.switch_page(path).run()
            choices[page] |= set(app.session_state["_settled"])
    others = {"pool_depth": {"depth"}, "judgments": {"part"}}
    others |= {"estimators": {"agreement", "weight"}, "orderings": {"weight"}, "scores": {"ranks"}}
    others |= {"tracks": {"against", *(f"across_{key}" for key in ("estimator", "model", "a", "b", "method"))}}
    visits = {
        "study", "large", "present", "live-3", "other_rel_level", "shown", "pin", "only", "hide", "most",
    }  # of no single step  # fmt: skip
    for page, keys in choices.items():
        row = menu.PAGES[tours.PAGES[page]]
        assert {key for key in keys if key.startswith("open-")} == {f"open-{key}" for key in row.folds.split()}
        own = {key for key in keys if not key.startswith("open-")} - visits
        assert own | others.get(page, set()) == set(row.choices.split()), page
    assert set(tours.PAGES.values()) == set(menu.PAGES)


# ---- the papers' tours


OF_PAPERS = {tours.TOURS[name].source: tours.TOURS[name] for name in tours.PAPERS}
INDEX = (ROOT / "docs" / "papers.md").read_text("utf-8")


def listed():
    """The rows of the index: (key of the paper, what, page, title of the step)."""
    for paper in INDEX.split("\n## [")[1:]:
        for line in paper.splitlines():
            cells = [cell.strip() for cell in line.replace(r"\|", "¦").strip("|").split("|")]
            if line.startswith("|") and cells[1] in tours.PAGES:
                yield paper[: paper.index("]")], *cells


def test_the_index_of_the_papers_names_the_page_and_the_step_of_each_experiment():
    rows = list(listed())
    assert len(rows) >= 66
    assert len({row[:2] for row in rows}) == len(rows)
    for paper, what, page, title in rows:
        assert (tours.PAGES[page], title) in [(step.page, step.title) for step in OF_PAPERS[paper].steps], what


def test_a_step_ends_with_what_to_remember():
    """One short sentence; the steps of a paper end with what to see."""
    steps = [step for tour in tours.TOURS.values() if not tour.source for step in tour.steps]
    assert len(steps) >= 15
    for step in steps:
        assert re.fullmatch(r"[A-Z][^.?!]+\.", step.moral), step
        assert len(step.moral.split()) <= 15
        assert step.markdown.endswith(f" **{step.moral}**")


@pytest.mark.parametrize("paper", OF_PAPERS)
def test_every_step_of_a_paper_s_tour_is_in_the_index(paper):
    titles = [step.title for step in OF_PAPERS[paper].steps]
    assert set(titles) == {title for of, _, _, title in listed() if of == paper}
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(
    "step", [step for tour in OF_PAPERS.values() for step in tour.steps], ids=lambda step: step.title
)
def test_a_step_of_a_paper_begins_with_its_claim_and_ends_with_what_to_see(step):
    """Each is one sentence of at most 25 words; a sample that differs says so and why."""
    assert step.words.startswith(step.claim)
    assert step.words.endswith(step.see)
    for sentence in (step.claim, step.see):
        assert re.fullmatch(r"[A-Z][^.?!]+\.", sentence), sentence
        assert len(sentence.split()) <= 25, sentence
    assert re.match("See |Compare ", step.see)
    assert not step.differs or step.differs.startswith("**This sample differs:** ")
