"""Every page on the sample, on nothing, on one run, on empty judgments, on broken files and on hostile names."""

import gzip
import html
import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evalcore
from evalcore.findings.caveats import CAVEATS
from evalcore.reading.files import Problem
from evalcore.statistics.anova import MODELS
from evalcore.study.attached import AttachedFile
from evalcore.vocabulary import sentences
from evalcore.vocabulary.sentences import listed
from tests.findings.plain import check_plain
from tests.live_picture import tiles
from ui.components import choices
from ui.data import sources
from ui.layout import menu
from ui.session import answers
from ui.session.visit import Visit
from ui.text import interval_labels
from ui.text.escape import md
from ui.views import theme

ROOT = Path(__file__).parents[2]
PAGES = [path for path, page in menu.PAGES.items() if page.asks_study]
HOSTILE = [
    "**bold**",
    "<img/src=x/onerror=alert(1)>",
    "=cmd()",
    "![x](http://evil/x.png)",
    "😀",
    "NA",
    "1e5",
    "$x$:red[y]",
]


def run_text(tag, documents=("d1", "d2", "d3"), topics=("1", "2")):
    lines = [f"{t} Q0 {d} {k} {9 - k} {tag}" for t in topics for k, d in enumerate(documents, 1)]
    return "\n".join(lines).encode()


def qrels_text(documents=("d1", "d3"), topics=("1", "2")):
    return "\n".join(f"{t} 0 {d} {i % 2}" for t in topics for i, d in enumerate(documents, 1)).encode()


def load(app, role, *files):
    """Drop files into an uploader of the page."""
    uploader = next(u for u in app.file_uploader if u.key.startswith(f"upload-{role}"))
    uploader.set_value([(name, data, "text/plain") for name, data in files]).run()
    return app


def load_track(app, *runs, qrels=qrels_text()):  # noqa: B008 - bytes
    load(app, "runs", *runs)
    return load(app, "qrels", ("qrels.txt", qrels))


def everything(app):
    """All that the page says as text."""
    elements = [*app.markdown, *app.caption, *app.text, *app.info, *app.error, *app.title, *app.subheader]
    return "\n".join([*(str(element.value) for element in elements), *(fold.label for fold in app.expander)])


def findings(app):
    """What the page has found: key -> conclusion."""
    return app.session_state["_note"]["findings"]


def finding(app):
    """The first of it, the page's own answer."""
    return next(iter(findings(app).values()))


def numbers_of(app, *labels):
    """The numbers of the page with these labels."""
    return [metric.value for metric in app.metric if metric.label in labels]


def went_well(app):
    assert not app.exception, [e.message for e in app.exception]
    assert "nan" not in re.sub("finance|unanimous", "", everything(app).lower())
    return app


def visit(app, page, **address):
    app.query_params.update(address)
    return went_well(app.switch_page(page).run())


def opened(page="pages/data.py", **address):
    """A new visit that begins on a page, as a link with this address opens it."""
    return visit(AppTest.from_file(str(ROOT / "app.py"), default_timeout=300), page, **address)


def record_of(app):
    """The record of a visit."""
    return app.session_state["_visit"] if "_visit" in app.session_state else Visit()


def own_files(app):
    """The loaded files of a visitor's own track, by their keys."""
    return getattr(record_of(app).studies.get("files"), "files", {})


def set_own_files(app, files):
    """Give a visitor's own track these files."""
    record = record_of(app)
    app.session_state["_visit"] = replace(
        record, studies={**record.studies, "files": replace(record.studies["files"], files=files)}
    )


def assume(app, **options):
    """Open the studies of a visit with other options."""
    record = record_of(app)
    app.session_state["_visit"] = replace(record, options={**(record.options or {}), **options})


def press(app, label):
    return went_well(next(button for button in app.button if button.label == label).click().run())


@pytest.mark.parametrize("page", PAGES)
def test_the_sample(app, page):
    visit(app, page)
    assert app.title[0].value == menu.PAGES[page].question
    assert "How to read this" in everything(app)
    assert not app.error


def shown_first(app):
    """What stands where the page's own answer is, and in the details that repeat it exactly: two lists of texts."""

    def walk(block, inside):
        if "-the-finding" in getattr(getattr(block, "proto", None), "id", ""):
            inside = "answer"
        elif getattr(block, "label", "") == "Details":
            inside = "details"
        if not hasattr(block, "children"):
            yield inside, block
        for child in getattr(block, "children", {}).values():
            yield from walk(child, inside)

    texts = [(inside, block.value) for inside, block in walk(app.main, "") if block.type == "markdown"]
    return [[text for inside, text in texts if inside == name] for name in ("answer", "details")]


PLAINLY = [f"pages/{name}.py" for name in [
    "scores", "compare", "confidence", "orderings", "estimators", "new_systems", "judgments", "judges", "fusion",
]]  # fmt: skip


@pytest.mark.parametrize(
    ("page", "sample"),
    [*((page, "web") for page in PLAINLY), *((page, "newswire") for page in PLAINLY if "judges" not in page),
     ("pages/consistency.py", "variations"), ("pages/fusion.py", "variations")],
)  # fmt: skip
def test_a_page_says_its_answer_plainly_and_exactly_in_its_details(page, sample):
    app = opened(page, study=sample)
    found = finding(app)
    first, details = shown_first(app)
    assert found.plain == " ".join(found.on_screen).strip() != str(found)
    assert first == [md(words) for words in found.on_screen if words]
    assert details == [md(str(found))]
    check_plain(found, "estimator_error" if "estimators" in page else page)


@pytest.mark.parametrize("depth", ["5", "all"])
def test_below_the_slider_the_details_say_exactly_what_it_found_at_its_stop(depth):
    app = opened("pages/pool_depth.py", study="web", depth=depth)
    found = finding(app)
    assert found.plain.startswith("At depth 5, " if depth == "5" else "With all judgments, ")
    assert found.headline.startswith("Judging to depth 5 " if depth == "5" else "All judgments make ")
    assert shown_first(app) == [[], [md(str(found))]]
    check_plain(found, "depth_sweep")


def test_a_headline_that_is_plain_is_said_as_it_is():
    app = opened("pages/data.py", study="web")
    assert shown_first(app) == [[md(words) for words in (finding(app).headline, finding(app).detail)], []]


def places_of_pictures(app):
    """The key of each container of pictures -> the way to it, a position in each container."""

    def walk(block, way):
        yield getattr(getattr(block, "proto", None), "id", "").partition("-panels-")[2], way
        for position, child in getattr(block, "children", {}).items():
            yield from walk(child, (*way, position))

    return {key: way for key, way in walk(app.main, ()) if key}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_control_leaves_every_picture_in_its_place(app, page):
    """Else the browser draws it anew, without its zoom: what appears now and then has a place of its own."""
    visit(app, page)
    before = places_of_pictures(app)
    controls = {"depth": ["all", 1, 3], "metric": ["P@10", "INST(T=1)", "RBP(p=0.95)"], "estimator": ["rm", "lower"]}
    for control, values in controls.items():
        if control not in app.session_state:
            continue
        for value in values:
            app.session_state[control] = value
            went_well(app.run())
            now = places_of_pictures(app)
            both = before.keys() & now.keys()
            assert {key: now[key] for key in both} == {key: before[key] for key in both}


@pytest.mark.parametrize("page", PAGES)
def test_the_other_sample(app, page):
    app.selectbox(key="study").set_value("newswire").run()
    assert not visit(app, page).error


@pytest.mark.parametrize("page", PAGES)
def test_nothing_loaded(app, page):
    app.selectbox(key="study").set_value("files").run()
    visit(app, page)
    assert "Still missing\\: runs and judgments" in app.info[0].value
    press(app, "Open the sample")
    assert app.selectbox(key="study").value == "web"
    assert "How to read this" in everything(app)


REFUSES = {"estimators", "orderings", "confidence", "compare", "new_systems", "fusion"}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_one_run(app, page):
    load_track(app, ("a.txt", run_text("A")))
    assert app.selectbox(key="study").value == "files"
    visit(app, page)
    assert not app.error
    assert ("How to read this" in everything(app)) is (Path(page).stem not in REFUSES)
    assert numbers_of(visit(app, "pages/data.py"), "Systems") == ["1"]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    "qrels", [b"", qrels_text(topics=("77",)), b"1 0 d1 -1\n"], ids=["empty file", "other topics", "nothing judged"]
)
def test_empty_judgments(app, page, qrels):
    load_track(app, ("a.txt", run_text("A")), ("b.txt", run_text("B", ("d3", "d2"))), qrels=qrels)
    visit(app, page)


@pytest.mark.parametrize(("sample", "open_at_once"), [("variations", False), ("web", True)])
def test_what_few_systems_speak_against_is_folded(app, sample, open_at_once):
    app.selectbox(key="study").set_value(sample).run()
    visit(app, "pages/judgments.py")
    assert ("systems" in finding(app).facts) is not open_at_once
    assert any("reason" in table.value for table in app.dataframe) is open_at_once


@pytest.mark.parametrize("page", ["pages/data.py", "pages/scores.py"])
def test_a_link_to_files_that_are_gone_says_so(page):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["study"] = "files"
    app.run()
    visit(app, page)
    assert app.info[0].value.startswith("This link is to uploaded files")
    load(visit(app, "pages/data.py"), "runs", ("a.txt", run_text("A")))
    assert app.info[0].value.startswith("Nothing is open yet")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_hostile_names(app, page):
    topics = ("**t**", "NA", "=1")
    documents = "<b>d</b>", "![d](http://evil/d)", "d3"
    load(app, "runs", *((f"{i}.txt", run_text(name, documents, topics)) for i, name in enumerate(HOSTILE)))
    load(app, "qrels", ("**qrels**.txt", qrels_text(("<b>d</b>", "d3"), topics)))
    visit(app, page)
    for element in app.markdown:
        assert "![" not in element.value.replace("\\!\\[", "")
        assert "**bold**" not in element.value
        assert "<img" not in element.value.replace("\\<img", "")


def test_a_broken_file_loses_nothing(app):
    load_track(app, ("a.txt", run_text("A")), ("broken.txt", b"1 Q0 d1\n"), ("picture.txt", b"\x89PNG\r\n\x1a\n\x00"))
    went_well(app)
    assert any("broken.txt" in text.value and "Line 1" in text.value for text in app.text)
    assert numbers_of(app, "Systems") == ["1"]


def test_a_broken_file_in_an_archive_loses_nothing(app):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in {"a.txt": run_text("A"), "b.txt": run_text("B"), "broken.txt": b"1 Q0 d1\n"}.items():
            archive.writestr(name, data)
    load_track(app, ("runs.zip", packed.getvalue()))
    went_well(app)
    assert any("runs.zip/broken.txt" in text.value for text in app.text)
    assert "2 systems" in everything(app)


def test_loaded_files_stay_and_can_be_removed(app):
    load(app, "runs", ("a.txt", run_text("A")))
    visit(app, "pages/scores.py")
    visit(app, "pages/data.py")
    assert any("Loaded files" in fold.label for fold in app.expander)
    press(app, "Remove all")
    assert not any("Loaded files" in fold.label for fold in app.expander)


@pytest.mark.parametrize("page", ["pages/pool_depth.py", "pages/scores.py"])
@pytest.mark.parametrize("measure", ["P@10", "AP", "RR", "bpref", "nDCG@10"])
def test_measures_of_every_kind(app, page, measure):
    visit(app, page)
    went_well(app.selectbox(key="metric").set_value(measure).run())
    assert not app.error


def test_a_choice_is_remembered_and_stands_in_the_address(app):
    visit(app, "pages/scores.py")
    app.selectbox(key="metric").set_value("P@10").run()
    assert app.query_params["metric"] in ("P@10", ["P@10"])
    visit(app, "pages/data.py")
    visit(app, "pages/pool_depth.py")
    assert app.selectbox(key="metric").value == "P@10"


def test_an_address_sets_the_choices(app):
    visit(app, "pages/scores.py", metric="AP", depth="5")
    assert app.selectbox(key="metric").value == "AP"
    assert app.get_by_key("depth").value == 5


@pytest.mark.parametrize("page", ["pages/pool_depth.py", "pages/scores.py"])
def test_a_measure_that_is_not_known(app, page):
    app.query_params["metric"] = "RPB(p=0.8)"
    app.switch_page(page).run()
    assert not app.exception
    assert "No metric" in app.error[0].value.replace("\\", "")
    assert "Known" in app.error[0].value


@pytest.mark.parametrize("depth", ["0", "99999", "-1", "x", "all"])
def test_a_depth_that_is_not_there(app, depth):
    app.query_params["depth"] = depth
    assert not visit(app, "pages/pool_depth.py").error


@pytest.mark.parametrize("metric", ["AP", "RBP(p=0.8)"])
@pytest.mark.parametrize("depth", [37, 91])
def test_a_depth_between_those_that_are_shown(app, metric, depth):
    app.query_params["depth"], app.query_params["metric"] = str(depth), metric
    app.selectbox(key="study").set_value("newswire").run()  # its pool is a hundred deep
    visit(app, "pages/pool_depth.py")
    said = app.query_params["depth"]
    shown = int(said[0] if isinstance(said, list) else said)
    assert shown == depth if metric != "AP" else abs(shown - depth) <= 15


def go(app, page):
    """Visit a page by a link of the menu, which has no choices."""
    app.query_params.clear()
    return visit(app, f"pages/{page}.py")


def setting(app, key):
    """The setting of the finding with this key."""
    return findings(app)[key].setting


FINDING_WITH_ESTIMATOR = {"scores": "leaderboard", "pool_depth": "live", "orderings": "pairs"}


@pytest.mark.parametrize("page", FINDING_WITH_ESTIMATOR)
def test_an_estimator_that_is_chosen_on_one_page_is_taken_over_by_the_others(app, page):
    assert go(app, page).get_by_key("estimator").value == "lower"
    app.get_by_key("estimator").set_value("interpolated").run()
    for other in ("data", "orderings", "new_systems", "pool_depth", "scores", "data", page, "judgments"):
        go(app, other)
        if other in FINDING_WITH_ESTIMATOR:
            assert app.get_by_key("estimator").value == "interpolated"
            assert app.query_params["estimator"] in ("interpolated", ["interpolated"])
            assert "unjudged estimated by interpolated" in setting(app, FINDING_WITH_ESTIMATOR[other])
    go(app, page).get_by_key("estimator").set_value("lower").run()
    go(app, "data")
    assert all(go(app, other).get_by_key("estimator").value == "lower" for other in FINDING_WITH_ESTIMATOR)


def test_a_page_that_does_not_offer_the_estimator_shows_its_default_and_keeps_the_choice(app):
    go(app, "scores")
    app.get_by_key("estimator").set_value("linear").run()
    assert go(app, "pool_depth").get_by_key("estimator").value == "lower"  # it offers formulas only
    assert "estimator" not in app.query_params
    app.selectbox(key="metric").set_value("AP").run()  # for which there are no models
    assert not go(app, "scores").error
    assert app.get_by_key("estimator").value == "lower"
    app.selectbox(key="metric").set_value("RBP(p=0.95)").run()
    assert app.get_by_key("estimator").value == "linear"
    app.selectbox(key="metric").set_value("bpref").run()  # which no estimator changes
    assert app.get_by_key("estimator").value == "lower"
    assert go(app, "pool_depth").get_by_key("estimator").value == "lower"
    app.selectbox(key="metric").set_value("AP").run()
    app.get_by_key("estimator").set_value("upper").run()
    assert app.get_by_key("estimator").value == "upper"
    assert go(app, "scores").get_by_key("estimator").value == "upper"


def test_a_link_without_an_estimator_shows_the_default_of_the_page(app):
    go(app, "scores")
    app.get_by_key("estimator").set_value("rm").run()
    for page in FINDING_WITH_ESTIMATOR:
        assert opened(f"pages/{page}.py", study="web").get_by_key("estimator").value == "lower"


def test_estimators_begins_with_the_depth_and_the_estimator_of_other_pages(app):
    go(app, "estimators")
    first = {key: app.get_by_key(key).value for key in ("shallow", "guess")}
    assert first["shallow"] != 10
    go(app, "scores")
    app.get_by_key("depth").set_value(10).run()
    app.get_by_key("estimator").set_value("rm").run()
    go(app, "estimators")
    assert (app.get_by_key("shallow").value, app.selectbox(key="guess").value) == (10, "rm")
    assert "depth 10" in setting(app, "system_estimates")
    assert "estimated by rm" in setting(app, "system_estimates")
    linked = opened("pages/estimators.py", **app.query_params)
    assert (linked.get_by_key("shallow").value, linked.selectbox(key="guess").value) == (10, "rm")
    app.get_by_key("shallow").set_value(first["shallow"]).run()  # the page's own choice
    assert go(app, "scores").get_by_key("depth").value == 10
    assert go(app, "estimators").get_by_key("shallow").value == first["shallow"]
    go(app, "scores")
    app.get_by_key("depth").set_value("all").run()
    assert go(app, "estimators").get_by_key("shallow").value == first["shallow"]
    go(app, "scores")
    app.get_by_key("depth").set_value(10).run()  # chosen last
    assert go(app, "estimators").get_by_key("shallow").value == 10


def test_a_depth_that_estimators_does_not_offer_is_kept_for_other_pages(app):
    go(app, "scores")
    deepest = app.get_by_key("depth").options[-1]
    app.get_by_key("depth").set_value(int(deepest.split()[-1])).run()
    first = go(app, "estimators").get_by_key("shallow").value
    assert f"depth {first}" in setting(app, "system_estimates")
    assert not app.warning
    assert str(go(app, "scores").get_by_key("depth").value) in deepest


def test_choices_survive_a_walk_through_the_pages(app):
    visit(app, "pages/scores.py")
    app.selectbox(key="metric").set_value("AP").run()
    for page in ("pool_depth", "data", "scores", "pool_depth", "scores", "data", "pool_depth"):
        visit(app, f"pages/{page}.py")
        if page != "data":
            assert app.selectbox(key="metric").value == "AP"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_system_that_answers_no_judged_topic_in_a_common_average(app, page):
    load_track(app, ("a.txt", run_text("A")), ("b.txt", run_text("B", topics=("7",))))
    app.selectbox(key="assume-average").set_value("common")
    press(app, "Apply options")
    visit(app, page)
    if page == "pages/scores.py":
        went_well(app.selectbox(key="system").set_value("B").run())
        assert "no judged topic" in everything(app)


def test_files_of_one_name(app):
    load_track(app, ("input.run", run_text("A")), ("qrels.txt", b"no run\n"))
    assert numbers_of(app, "Systems") == ["1"]
    load(app, "runs", ("input.run", run_text("B", ("d3", "d2"))))
    went_well(app)
    assert "2 systems" in everything(app)


def test_another_file_of_judgments_takes_the_place_of_the_first(app):
    load(app, "runs", ("a.txt", run_text("A")))
    load(app, "qrels", ("picture.png", b"\x89PNG\r\n\x1a\n\x00"))
    load(app, "qrels", ("qrels.txt", qrels_text()))
    went_well(app)
    assert numbers_of(app, "Systems") == ["1"]
    assert not any("picture" in text.value for text in app.text)


def test_large_text_and_other_assumptions(app):
    app.toggle(key="large").set_value(True).run()
    went_well(app)
    app.selectbox(key="assume-gains").set_value("linear")
    press(app, "Apply options")
    assert "gains are linear" in everything(app).replace("\\", "")


def said(app):
    return " ".join(element.value for element in app.markdown).replace("\\", "")


def test_a_second_opinion(app):
    visit(app, "pages/judges.py", open="second")
    facts = findings(app)["agreement"].facts
    assert (facts["relevant"], facts["relevant_both"], facts["both"]) == (1540, 957, 7225)
    assert 0.845 < facts["same"] < 0.855
    app.button(key="remove-second").click().run()
    assert "that both judge" not in said(app)
    same = (ROOT / "sample_data" / "web" / "qrels.txt").read_bytes()
    load(app, "other", ("same.txt", same))
    facts = findings(app)["agreement"].facts
    assert (facts["same"], facts["both"], facts["kappa"]) == (1, 7225, 1)
    assert not app.exception
    load(app, "other", ("broken.txt", b"one two\n"))
    assert "2 columns" in everything(app)
    assert not app.exception
    assert "judge_next" in findings(visit(app, "pages/judgments.py"))  # as before


def test_a_second_qrels_of_another_track_is_said(app):
    visit(app, "pages/judges.py", open="second")
    load(app, "other", ("other.txt", b"999 0 d1 1\n"))
    assert "share no topic" in " ".join(error.value for error in app.error)
    assert not app.exception


def test_what_to_judge_next_goes_by_a_measure_with_weights(app):
    visit(app, "pages/judgments.py")
    assert "needs a fixed weight for every rank" not in everything(app)
    went_well(app.selectbox(key="metric").set_value("AP").run())
    assert "weight for every rank, which AP lacks, so it uses RBP(p=0.8)." in everything(app).replace("\\", "")
    assert finding(app).facts["metric"] == "AP"
    assert findings(visit(app, "pages/judges.py", open="second"))["agreement_effect"].facts["metric"] == "AP"


def test_guesses_of_a_cut_ndcg_are_formulas(app):
    visit(app, "pages/estimators.py")
    assert "Only formulas" not in everything(app)
    went_well(app.selectbox(key="metric").set_value("nDCG@10").run())
    assert "Only formulas are compared" in everything(app)
    assert finding(app).facts["metric"] == "nDCG@10"
    assert {words.split(" · ")[1] for words in app.selectbox(key="guess").options} == set(choices.FORMULAS)


@pytest.mark.parametrize("typed", ["AP", "nonsense"])
def test_a_measure_that_does_not_fit_is_said(app, typed):
    visit(app, "pages/estimators.py", metric=typed)
    said_so = "nonsense" if typed == "nonsense" else "This page cannot use AP, so it uses RBP"
    assert said_so in (everything(app) + " ".join(error.value for error in app.error)).replace("\\", "")


def test_orderings_by_a_second_opinion(app):
    visit(app, "pages/orderings.py", regimes=["AP", "qrels=other | AP"])
    assert findings(app)["swaps"].facts["b"] == "AP (second judgments)"


def test_a_newcomer_whose_truth_is_known_and_one_whose_is_not(app):
    visit(app, "pages/new_systems.py")
    assert {"true", "nearest"} < set(findings(app)["newcomer"].facts)
    app.selectbox(key="system").set_value("indigo-dense").run()
    assert "true" not in findings(app)["newcomer"].facts
    assert not app.exception
    assert not app.error


def test_new_systems_take_away_whole_groups_at_the_depth_that_was_chosen(app):
    visit(app, "pages/scores.py")
    app.get_by_key("depth").set_value(5).run()
    visit(app, "pages/new_systems.py")
    assert "depth 5" in finding(app).setting
    assert "These numbers use pool depth 5" in everything(app)
    went_well(app.get_by_key("by").set_value("group").run())
    assert findings(app)["newcomer"].facts["group"] == "vesper"
    went_well(app.button(key="all-judgments").click().run())
    assert "a group" in finding(app).headline
    assert "These numbers use" not in everything(app)
    visit(app, "pages/scores.py")
    assert app.get_by_key("depth").value == "all"


def test_a_crowd_and_a_fused_run(app):
    visit(app, "pages/fusion.py")
    assert finding(app).facts["inputs"] == "the best 5"
    app.get_by_key("crowd").set_value("all 38 systems").run()
    assert finding(app).facts["inputs"] == "all 38 systems"
    app.get_by_key("rule").set_value("combmnz").run()
    assert "merging all 38 systems by CombMNZ scores" in said(app)
    went_well(app)


@pytest.mark.parametrize(("crowd", "named"), [("all 4 systems", None), ("the variations of drift-prf", "drift-prf")])
def test_a_column_of_names_that_names_nothing_is_left_to_the_csv(app, crowd, named):
    """Whose variations are fused, where systems are."""
    app.query_params.update({"study": "variations", "crowd": crowd})
    app.session_state["fold-fusion_scores"] = True
    visit(app, "pages/fusion.py")
    gains = next(table.value for table in app.dataframe if "p_against_borda" in table.value)
    assert list(gains.get("system", [])) == ([named] if named else [])
    assert len(gains) == 1


def test_the_best_input_is_named_where_it_is_a_fused_run(app):
    visit(app, "pages/fusion.py")
    went_well(app.button(key="keep").click().run())
    went_well(app.get_by_key("crowd").set_value("all 38 systems and fused runs").run())
    assert "the best input, " in said(app)


def test_variations_fused_and_their_consistency(app):
    app.selectbox(key="study").set_value("variations").run()
    visit(app, "pages/fusion.py")
    app.get_by_key("crowd").set_value("the variations of all 4 systems").run()
    assert finding(app).facts["inputs"] == "the variations of all 4 systems"
    visit(app, "pages/consistency.py")
    assert "consistency_of_systems" in findings(app)
    assert not app.error


def test_consistency_without_variations_says_what_to_do(app):
    visit(app, "pages/consistency.py")
    assert "has one query" in everything(app)
    app.button[0].click().run()
    assert "consistency_of_systems" in findings(went_well(app))


def test_uploaded_variations_are_told_by_an_assumption():
    app = opened(variations="run")
    load_track(app, ("A.v1", run_text("A", ("d1", "d2"))), ("A.v2", run_text("A", ("d2", "d3"))))
    visit(app, "pages/consistency.py")
    assert finding(app).facts["most"] == ["A"]


def test_no_pools_are_drawn_down_to_a_depth_that_is_not_known(app):
    tags, first = "ABC", {"A": "d1", "B": "d2", "C": "d3"}
    runs = [(f"{tag}.run", run_text(tag, (first[tag], "x", "y"))) for tag in tags]
    load_track(app, *runs, qrels=qrels_text(tuple(first.values())))
    load(app, "systems", ("systems.tsv", b"run\tpooled\n" + "".join(f"{tag}\tyes\n" for tag in tags).encode()))
    visit(app, "pages/new_systems.py", open=["bias_by_width", "experiment"])
    assert "not judged to a common depth below rank 1" in everything(app)
    assert "scores one more system" not in said(app)


def test_a_table_that_is_none_is_told_before_the_rest_is_there(app):
    load(app, "runs", ("A.run", run_text("A")))
    load(app, "systems", ("qrels.txt", qrels_text()))
    assert "Still missing\\: judgments" in app.info[0].value
    assert 'qrels.txt, line 1: no column "run" or "system" among 1 0 d1 1' in everything(app)
    load(app, "qrels", ("qrels.txt", qrels_text()))
    assert numbers_of(app, "Systems", "Topics", "Judgments") == ["1", "2", "4"]


@pytest.mark.parametrize(
    ("measure", "there", "missing"),
    [
        ("RBP(p=0.8)", "can shorten only the amber", "no exact bounds"),
        ("AP", "This metric has no bounds.", "Blue is the known part"),
        ("bpref", "This metric has no interval. A tick", "counted as not relevant"),
    ],
)
def test_how_to_read_fits_the_kind_of_interval(app, measure, there, missing):
    visit(app, "pages/pool_depth.py")
    app.selectbox(key="metric").set_value(measure).run()
    assert there in everything(app)
    assert missing not in everything(app)
    visit(app, "pages/scores.py")
    assert missing not in everything(app)
    assert ("`rank_worst` limit the rank after further judging" in everything(app)) == (measure == "RBP(p=0.8)")


TICK = interval_labels.TICK


@pytest.mark.parametrize(
    ("choices", "seen"),
    [
        ({}, False),  # all judgments are in force, and nothing is drawn
        ({"depth": "3"}, True),
        ({"depth": "3", "truth": "true"}, False),  # strokes stand where the complete judgments put the scores
        ({"estimator": "upper"}, False),
    ],
    ids=str,
)
def test_a_tick_is_promised_where_it_is_drawn(app, choices, seen):
    app.query_params.update({"metric": "AP"} | choices)
    visit(app, "pages/scores.py")
    assert (TICK in everything(app)) == seen
    assert (interval_labels.KINDS["guide"].seen in everything(app)) == ("estimator" not in choices)


def test_a_ranking_says_that_the_guess_is_not_made_there(app):
    said = "Estimates apply to systems and topics"
    visit(app, "pages/scores.py")
    assert said not in everything(app)
    app.get_by_key("estimator").set_value("interpolated").run()
    assert said in everything(app)


def test_numbers_that_no_guess_moves_say_so(app):
    visit(app, "pages/pool_depth.py", metric="AP")
    said = "ignore the estimate: unjudged documents count as not relevant"
    assert said not in everything(app)
    app.get_by_key("estimator").set_value("interpolated").run()
    assert said in everything(app)
    app.selectbox(key="metric").set_value("RBP(p=0.8)").run()
    assert said not in everything(app)


def test_a_way_of_measuring_by_a_second_qrels_that_is_not_there_is_refused_in_the_words_of_the_pages(app):
    load_track(app, ("A.run", run_text("A")), ("B.run", run_text("B")))
    visit(app, "pages/orderings.py", regimes=["AP", "qrels=other | P@1"])
    said = [one.value.replace("\\", "") for one in app.error]
    assert "Qrels=other needs second judgments, and none are loaded. Load them on the Judges page." in said


def test_confidence_says_of_each_model_what_it_leaves_in_the_error(app):
    of_topics = [name for name, model in MODELS.items() if "topic x system" in model.effects]
    visit(app, "pages/confidence.py")
    assert f"{of_topics[0]}–{of_topics[-1]} do not count this variation as error" in everything(app)
    assert "MD2 counts this variation" in everything(app)
    assert of_topics == ["MD3", "MD4", "MD5", "MD6"]


def test_the_server_is_told_of_files_as_the_command_line_is(monkeypatch):
    named = ["--runs", "r", "--qrels", "q", "--systems-table", "s.tsv", "--queries-table", "t.tsv", "--other", "o"]
    named += [
        "--truth",
        "c",
        "--block",
        "50",
        "--scheduler",
        "tcp://h:1",
        "--judge",
        "gpt=j:2",
        "--judge",
        "x/llama.txt",
    ]
    monkeypatch.setattr("sys.argv", ["app.py", *named])
    sources.server_folder.cache_clear()
    try:
        found = sources.server_folder()
    finally:
        sources.server_folder.cache_clear()
    files = {"systems": "s.tsv", "queries": "t.tsv", "other": "o", "truth": "c"}
    beside = [(role, path, {}) for role, path in files.items()]
    beside += [("judge", "j", {"judges": {"gpt": "model"}, "judge_levels": {"gpt": 2}})]
    beside += [("judge", "x/llama.txt", {"judges": {"llama": "model"}})]
    assert found == {"runs": "r", "qrels": "q", "block": 50, "scheduler": "tcp://h:1", "beside": beside}


def test_the_track_of_the_server_is_called_as_its_folder(monkeypatch, tmp_path):
    (tmp_path / "robust.zip").touch()
    for runs, name in (("trec-8/runs", "trec-8"), ("dl.21", "dl.21"), ("robust.zip", "robust")):
        monkeypatch.setattr("sys.argv", ["app.py", "--runs", str(tmp_path / runs)])
        sources.server_folder.cache_clear()
        assert sources.server_track() == name
    sources.server_folder.cache_clear()


def test_nothing_of_data_waits_for_its_checks_which_say_first_what_they_found(app, monkeypatch):
    asked, ask = [], answers.ask
    monkeypatch.setattr(answers, "ask", lambda of, which, **said: asked.append(which) or ask(of, which, **said))
    watched = answers.ask_and_watch
    monkeypatch.setattr(
        answers, "ask_and_watch", lambda of, which, *how: asked.append(which) or watched(of, which, *how)
    )
    visit(app, "pages/data.py")
    assert {"systems", "topics", "judged", "pool_audit"} < set(asked)
    assert asked[-1] == "findings"
    said = [one.value for one in app.main.markdown]
    first = next(value for value in said if value.startswith("Ready"))
    assert said.index(first) < said.index("## Checks")
    assert not any(one.startswith("The first 10 ranks") for one in said)


@pytest.fixture
def in_blocks(monkeypatch, tmp_path):
    """The app with the sample as the server's folder, in blocks of topics."""
    for at in (ROOT / "sample_data" / "web" / "runs").iterdir():
        data = at.read_bytes()
        (tmp_path / at.name.removesuffix(".gz")).write_bytes(gzip.decompress(data) if at.suffix == ".gz" else data)
    web = ROOT / "sample_data" / "web"
    monkeypatch.setattr("sys.argv", ["app.py", "--runs", str(tmp_path), "--qrels", str(web / "qrels.txt"),
                                     "--systems-table", str(web / "systems.tsv"), "--block", "10"])  # fmt: skip
    sources.server_folder.cache_clear()
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=200).run()
    yield app.selectbox(key="study").set_value("folder").run()
    sources.server_folder.cache_clear()


def test_a_folder_in_blocks_of_topics_has_all_pages(in_blocks):
    app = in_blocks
    for page in PAGES:
        visit(app, page)
        assert [error.value for error in app.error] == []
    visit(app, "pages/scores.py")
    shown = finding(app)
    app.selectbox(key="study").set_value("web").run()
    assert shown.facts["systems"] == 38
    assert finding(app) == shown


def test_a_table_that_the_server_does_not_find_is_told():
    web = ROOT / "sample_data" / "web"
    source = sources.on_disk(
        "Folder", web / "runs", web / "qrels.txt", [AttachedFile("systems", "nowhere/systems.tsv")]
    )
    found = sources.opened(source, {})
    assert "there is no file or folder nowhere/systems.tsv" in found.problems[0].message
    assert len(found.study.systems) > 1


def test_files_are_left_out_only_a_few_times(monkeypatch):
    """Else a folder of files that are refused one after the other would take as long for each."""
    tries = []

    def refuses(runs, qrels, *, without, **options):
        tries.append(without)
        raise evalcore.InputError([Problem(f"{len(tries)}.run", None, "is refused")])

    monkeypatch.setattr(evalcore, "open_study", refuses)
    found = sources.opened(sources.Source("key", "x", ("a",), ("q",), private=True), {})
    assert found.study is None
    assert len(found.problems) == len(tries) == sources.ROUNDS


def test_a_pool_of_one_document_has_no_shallower_one(app):
    load_track(app, ("A", run_text("A")), ("B", run_text("B", ("d3", "d1"))))
    visit(app, "pages/estimators.py")
    assert "no shallower pool can be simulated" in app.info[0].value
    assert "puts" not in said(app)


def test_the_experiment_is_kept_and_stopped(app):
    """What is asked at length leaves the page whole when it is drawn again."""
    visit(app, "pages/new_systems.py")
    app.session_state["_stopped-adjustment_experiment"] = True
    went_well(app.run())


def test_the_address_names_the_design_of_the_experiment(app):
    design = {"best": "5", "pools": "all", "pool_to": "10", "widths": "2", "commons": "15"}
    visit(app, "pages/new_systems.py", open="experiment", **design)
    facts = findings(app)["adjustment_experiment"].facts
    assert (facts["width"], facts["common"], facts["depth"]) == (2, 15, 10)


def test_one_measure_is_everywhere_until_another_is_chosen(app):
    some = ("new_systems", "fusion", "judgments", "scores", "pool_depth")
    for page in some:
        visit(app, f"pages/{page}.py")
        assert app.selectbox(key="metric").value == "RBP(p=0.8)"
    app.selectbox(key="metric").set_value("AP").run()
    for page in some:
        visit(app, f"pages/{page}.py")
        assert app.selectbox(key="metric").value == "AP"


def test_run_names_that_look_like_variations_are_offered_as_such(app):
    load_track(app, ("A.v1", run_text("A.v1", ("d1", "d2"))), ("A.v2", run_text("A.v2", ("d2", "d3"))))
    visit(app, "pages/consistency.py")
    next(button for button in app.button if "third query variation" in button.label).click().run()
    assert finding(went_well(app)).facts["most"] == ["A"]


@pytest.mark.slow
def test_a_fused_run_that_is_kept_is_a_system_on_every_page(app):
    visit(app, "pages/fusion.py")
    app.button(key="keep").click().run()
    assert "was added to the systems" in app.toast[0].value
    kept = app.button(key="keep")
    assert (kept.label, kept.disabled) == ("Added to systems", True)
    went_well(app)
    for page in PAGES:
        visit(app, page)
        assert not app.error, page
    visit(app, "pages/data.py")
    assert numbers_of(app, "Systems", "Topics") == ["38", "30"]  # those of the files
    visit(app, "pages/scores.py")
    assert "fused-rbc(phi=0.9)" in app.selectbox(key="system").options
    visit(app, "pages/fusion.py")
    assert {"all 38 systems", "all 38 systems and fused runs"} <= set(app.get_by_key("crowd").options)
    press(app, "Remove fused runs")
    assert not any("51" in crowd for crowd in app.get_by_key("crowd").options)


def visited(*pages):
    """What the report says after visits to these pages of a track without query variations."""
    n = len(pages)
    rest = "Not applicable to this track: Consistency."
    return f"{n} of {len(PAGES) - 1} pages visited: {listed(pages, n)}. {rest}"


def test_the_report_is_what_the_pages_said(app):
    found = finding(app)
    visit(app, "pages/scores.py")
    app.selectbox(key="metric").set_value("P@10").run()
    shown = said(app)
    visit(app, "pages/pool_depth.py")
    visit(app, "pages/report.py")
    assert visited("Data", "Pool depth", "Scores") in said(app)
    report = next(one.proto.body for one in app.get("html") if "Made with Poolscope" in one.proto.body)
    data, depths, scores = (html.unescape(one) for one in re.findall("<strong>(.*)</strong>", report))
    assert data == found.headline
    assert scores in shown
    assert "leaderboard(metric='P@10', estimator='lower', " in html.unescape(report)
    assert "to depth 10" in depths
    assert "Can these judgments be trusted" not in report
    assert "<td>Consistency</td><td>Every topic has one query, " in report
    assert "32 of 38 systems (from the systems table)" in report
    (noted,) = app.session_state["_notes"].values()
    assert str(noted["Data"]["tables"]["topics"][1].finding) in html.unescape(report)
    assert all(source.sha256 in report for source in noted["Data"]["tables"]["topics"][1].sources)


def test_the_report_holds_what_was_said_from_a_grade_on_that_was_just_chosen(app):
    visit(app, "pages/judges.py", open="second")
    app.selectbox(key="other_rel_level").set_value("2").run()
    visit(app, "pages/report.py")
    assert visited("Judges") in said(app)
    report = next(one.proto.body for one in app.get("html") if "Made with Poolscope" in one.proto.body)
    assert "The two sets agree on the relevance of" in report
    assert "<td>Lowest relevant grade of the second judgments</td><td>2</td>" in report


def test_every_study_has_a_report_of_its_own(app):
    visit(app, "pages/scores.py")
    visit(app, "pages/data.py")
    app.selectbox(key="study").set_value("newswire").run()
    visit(app, "pages/report.py")
    assert visited("Data") in said(app)
    app.selectbox(key="study").set_value("web").run()
    assert visited("Data", "Scores") in said(app)
    app.selectbox(key="study").set_value("variations").run()
    assert "The report is empty." in said(app)
    assert "Not applicable" not in said(app)


@pytest.mark.parametrize(("of_qrels", "remedy"), [(b"%03d 0 d%d %d\n", "zeros"), (b"%d 0 web-d%d %d\n", "prefix=web-")])
def test_files_that_do_not_belong_together_can_be_made_to(app, of_qrels, remedy):
    visit(app, "pages/data.py")
    run = b"".join(b"%d Q0 d%d %d %d one\n" % (t, n, n, 9 - n) for t in (1, 2) for n in range(1, 11))
    qrels = b"".join(of_qrels % (t, n, n % 2) for t in (1, 2) for n in range(1, 11))
    load_track(app, ("one.run", run), qrels=qrels)
    assert "do not belong together" in everything(app)
    app.button(key=f"names-{remedy}").click().run()
    assert not app.exception
    assert numbers_of(app, "Systems", "Topics", "Judgments") == ["1", "2", "20"]
    assert app.query_params["names"] == remedy
    assert app.selectbox(key="assume-names").value == remedy


def test_one_of_two_grades_is_chosen_with_a_button(app):
    visit(app, "pages/data.py")
    run = b"".join(b"1 Q0 d%d %d %d one\n" % (n, n, 9 - n) for n in (1, 2, 3))
    qrels = b"1 0 d1 0\n1 0 d2 1\n1 0 d3 0\n1 0 d1 2\n"
    load_track(app, ("one.run", run), qrels=qrels)
    assert "a document has two grades: topic 1" in everything(app)
    assert [app.button(key=f"duplicates-{one}").label for one in ("first", "last", "highest")] == [
        f"Repeated documents: keep the best rank, and the {one} of two grades" for one in ("first", "last", "highest")
    ]
    app.button(key="duplicates-highest").click().run()
    assert not app.exception
    assert numbers_of(app, "Systems", "Topics", "Judgments") == ["1", "1", "3"]
    assert app.query_params["duplicates"] == "highest"
    assert "1 document has two grades; the highest was used, as you set." in everything(app).replace("\\", "")


def test_a_subtopic_of_the_judgments_is_chosen_with_a_button(app):
    visit(app, "pages/data.py")
    load(app, "runs", ("one.run", b"".join(b"1 Q0 d%d %d %d one\n" % (n, n, 9 - n) for n in (1, 2, 3))))
    lines = [(subtopic, n, (subtopic + n) % 3) for n in (1, 2, 3) for subtopic in (1, 2, 3)[: 4 - n]]
    load(app, "qrels", ("qrels.txt", b"".join(b"1 %d d%d %d\n" % line for line in lines)))
    assert "documents are judged for subtopics" in everything(app)
    labels = [app.button(key=f"aspect-{one}").label for one in ("union", "1", "2", "3")]
    assert labels == [
        f"Judgments for subtopics: {one}"
        for one in ("highest grade over all subtopics", *(f"only subtopic {n}" for n in (1, 2, 3)))
    ]
    app.button(key="aspect-2").click().run()
    assert not app.exception
    assert numbers_of(app, "Systems", "Topics", "Judgments") == ["1", "1", "2"]
    assert app.query_params["aspect"] == "2"
    assert app.selectbox(key="assume-aspect").value == "2"


def test_a_metric_that_nobody_knows_is_refused_in_words_on_judgments(app):
    visit(app, "pages/judgments.py", metric="nothing@3")
    assert app.selectbox(key="metric").value == "nothing@3"
    assert app.error[0].value.startswith("No metric")


def test_judgments_by_subtopic_are_loaded_beside_others(app):
    visit(app, "pages/scores.py", open="diversity")
    assert "Subtopics covered" not in everything(app)
    lines = (ROOT / "sample_data/web/qrels.txt").read_text().splitlines()
    rows = enumerate(map(str.split, lines))
    by_subtopic = "\n".join(f"{topic} {n % 3 + 1} {document} {grade}" for n, (topic, _, document, grade) in rows)
    load(app, "subtopics", ("diversity.txt", by_subtopic.encode()))
    assert "Subtopics covered (38 rows)" in everything(app)
    assert "α-nDCG@20" in findings(went_well(app))["diversity"].headline
    app.session_state["ranks"] = 10
    app.run()
    assert "α-nDCG@10" in findings(went_well(app))["diversity"].headline


def test_fractions_of_grades_can_be_the_lowest_relevant_one(app):
    visit(app, "pages/data.py")
    run = b"".join(b"1 Q0 d%d %d %d one\n" % (n, n, 9 - n) for n in (1, 2, 3))
    load_track(app, ("one.run", run), qrels=b"1 0 d1 0.25\n1 0 d2 0.5\n1 0 d3 0\n")
    assert "2 grades are fractions, such as 0.25" in everything(app).replace("\\", "")
    level = app.selectbox(key="assume-rel_level")
    assert level.options == ["0.25", "0.5", "1", "2", "3", "4"]
    level.set_value(0.5)
    press(app, "Apply options")
    assert app.query_params["rel_level"] == "0.5"
    assert "Grades of 0.5 or more count as relevant" in everything(app).replace("\\", "")
    visit(app, "pages/scores.py")
    assert not app.exception


@pytest.mark.parametrize(
    ("path", "runs", "reason"),
    [
        ("new_systems", 2, "The files do not show which systems contributed"),
        ("estimators", 2, "The pool depth is unknown"),
        ("orderings", 1, "A comparison needs at least two systems"),
        ("compare", 1, "A comparison needs at least two systems"),
        ("confidence", 1, "A comparison needs at least two systems"),
        ("fusion", 1, "There is nothing to fuse"),
    ],
)
def test_a_page_that_has_no_answer_has_no_controls_but_the_remedy(app, path, runs, reason):
    texts = {"one": run_text("one"), "two": run_text("two", documents=("d3", "d1", "d4"))}
    load_track(app, *list(texts.items())[:runs])
    visit(app, f"pages/{path}.py")
    assert [info.value[: len(reason)] for info in app.info] == [reason]
    controls = [*app.main.selectbox, *app.main.multiselect, *app.main.button_group, *app.main.toggle, *app.main.slider]
    assert controls == []
    assert not app.error


def test_what_nobody_can_know_is_explained_calmly_and_can_be_told(app):
    load_track(app, ("one", run_text("one")), ("two", run_text("two", documents=("d3", "d1", "d4"))))
    visit(app, "pages/new_systems.py")
    assert not app.error
    explained = [info.value for info in app.info]
    assert len(explained) == 1
    assert explained[0].startswith("The files do not show which systems contributed to the pool")
    visit(app, "pages/judgments.py")
    assert "cannot be estimated" in everything(app)
    app.switch_page("pages/data.py").run()
    next(box for box in app.selectbox if box.key == "assume-pool_depth").set_value(5)
    press(app, "Apply options")
    visit(app, "pages/new_systems.py")
    assert "no system is judged to rank 5" in everything(app)
    app.switch_page("pages/data.py").run()
    assert "Apply changes" in [button.label for button in app.button]


def test_the_pool_depth_page_says_who_is_taken_to_have_formed_the_pool(app):
    assert "Assumes that" not in everything(visit(app, "pages/pool_depth.py"))  # the sample's table says who did
    load_track(app.switch_page("pages/data.py").run(), ("a.txt", run_text("A")), ("b.txt", run_text("B", ("d3", "d2"))))
    caveat = CAVEATS["assumed"].replace(";", "\\;").replace(".", "\\.")
    assert caveat in [caption.value for caption in visit(app, "pages/pool_depth.py").caption]


@pytest.mark.parametrize(("page", "depth"), [("pages/scores.py", "1"), ("pages/pool_depth.py", "1")])
def test_of_all_judgments_no_change_is_said_to_be_left(app, page, depth):
    """A change of .000 would seem to say that no judging changes anything."""
    app.query_params["metric"] = "AP"
    for judged, is_told in ((depth, True), ("all", False)):
        app.query_params["depth"] = judged
        shown = visit(app.switch_page("pages/data.py").run(), page)
        labels = [*(tile.label for tile in shown.metric), *(tiles(shown) if "pool_depth" in page else ())]
        assert ("Change to come" in labels) is is_told


# What a link asks for in vain


@pytest.mark.parametrize(
    ("page", "asked", "words"),
    [
        ("scores", {"systems": "nobody"}, "“nobody” (systems), which is not available here, so the page shows all."),
        ("scores", {"system": "nobody"}, "“nobody” (system), which is not available here"),
        ("scores", {"depth": "9999"}, "“9999” (depth), which is not available here, so the page shows all."),
        ("start", {"study": "nothing"}, "This server has no study “nothing”. It was renamed or removed"),
        ("scores", {"systems": "chosen", "chosen": "nobody"}, "“nobody” (chosen), which is not available here"),
        ("pool_depth", {"depth": "9999"}, "“9999” (depth), which is not available here, so the page shows depth 20."),
        ("judgments", {"part": "none"}, "“none” (part), which is not available here, so the page shows Quality."),
        ("confidence", {"model": "MD9"}, "“MD9” (model), which is not available here, so the page shows MD6."),
        ("scores", {"colour": "red"}, "This page does not use these choices of the link: colour."),
        ("scores", {"open": "nothing"}, "This page does not have these sections of the link: nothing."),
    ],
)
def test_what_a_link_asks_for_in_vain_is_said(page, asked, words):
    app = opened(f"pages/{page}.py", **asked)
    for _ in range(2):  # it stays while the page shows the default
        (warning,) = app.warning
        assert words in warning.value
        app.run()


def test_a_right_link_is_not_remarked_on():
    app = opened("pages/scores.py", study="web", depth="5", open=["system", "ties"], system="alder-bm25")
    assert not app.warning
    app.get_by_key("depth").select("all").run()
    assert not app.warning


def test_what_was_not_found_is_forgotten_with_another_choice():
    app = opened("pages/scores.py", depth="9999")
    assert app.warning
    app.get_by_key("depth").select(5).run()
    assert not app.warning


# ---- tiles, sentences and pictures of a page answer one question alike


def of_note(app, kind, key):
    return app.session_state["_note"][kind][key]


@pytest.mark.parametrize("model", ["MD6", "MD3", "MD1"])
@pytest.mark.parametrize("sample", ["web", "newswire", "variations"])
def test_confidence_counts_alike(app, sample, model):
    """The tiles count the systems in focus of their panel, and the box has the share of pairs of the next section."""
    visit(app, "pages/confidence.py", study=sample, model=model)
    box, models = (of_note(app, "findings", key).facts for key in ("tukey_pairs", "models"))
    table = of_note(app, "tables", "models")[1].table.set_index("model")
    tiles, alike = {tile.label: int(tile.value) for tile in app.metric}, "Not clearly worse than the best, other {}"
    for name in {"MD1", model}:
        panel = of_note(app, "pictures", f"intervals-{name}")[2](look=theme.look())
        focus = next(trace for trace in panel["data"] if trace["mode"] == "markers")
        assert tiles[alike.format("topics" if name == "MD1" else "documents")] == len(focus["x"]) - 1  # the best
    assert box["whole"] == models["whole"] == table["share_significant"]["MD1"]
    assert box["others"] == tiles[alike.format("topics" if model == "MD1" else "documents")]
    assert models["part"] == table["share_significant"]["MD6"]
    assert box.get("part") == (None if model == "MD1" else table["share_significant"][model])


def test_topics_are_named_by_what_they_ask(app):
    visit(app, "pages/compare.py", study="web")
    rows = (ROOT / "sample_data" / "web" / "queries.tsv").read_text().splitlines()[1:]
    named = {f"{topic} · {asks}" for _, topic, asks in (row.split("\t") for row in rows)}
    assert set(app.selectbox(key="topic").options) <= named
    (best, worst) = [block.value for block in app.markdown if "is furthest ahead on" in block.value]
    for block in (best, worst):
        topics = [line.removeprefix("- ").rsplit(" (+", 1)[0] for line in block.splitlines() if " (+" in line]
        assert len(topics) == 3
        assert set(topics) <= named


def test_on_compare_the_topic_follows_the_pair(app):
    web = ROOT / "sample_data" / "web"
    study = evalcore.open_study(web / "runs", web / "qrels.txt", systems=web / "systems.tsv")

    def widest():
        pair = {side: app.selectbox(key=key).value for side, key in (("a", "system"), ("b", "rival"))}
        rows = evalcore.ask(study, "comparison_topics", **pair).table
        return rows.loc[rows["difference"].abs().idxmax(), "topic"]

    visit(app, "pages/compare.py", study="web", topic="205")
    assert app.selectbox(key="topic").value == "205"  # as the link says
    rivals = list(app.selectbox(key="rival").options)
    app.selectbox(key="rival").set_value(rivals[5]).run()
    assert app.selectbox(key="topic").value == widest() != "205"
    app.selectbox(key="topic").set_value("205").run()
    assert app.selectbox(key="topic").value == "205"
    app.selectbox(key="system").set_value(rivals[9]).run()
    assert app.selectbox(key="topic").value == widest() != "205"


def test_a_model_of_the_whole_collection_is_compared_once(app):
    """The picture of every kind of interval has the model MD1 beside the chosen one, which may be MD1."""
    visit(app, "pages/confidence.py", study="variations", model="MD1", open=["intervals_compared"])
    table = app.session_state["_note"]["tables"]["intervals_compared"][1].table
    assert set(table["model"]) == {"MD1"}
    assert not table.duplicated(["model", "shards", "kind", "system"]).any()


def test_partitions_are_compared_with_as_many_shards_as_models(app):
    visit(app, "pages/confidence.py", study="variations", open=["partitions", "models_by_shards"])
    tables = app.session_state["_note"]["tables"]
    partitions, models = (tables[key][1].table["shards"] for key in ("shard_stability", "models_by_shards"))
    assert list(partitions) == sorted(set(models) - {1}) == [2, 3, 4, 5, 10, 20, 25, 50]


shown_as = "{:,}".format  # a number as tiles write it


def looked_at(app, page, sample):
    """A page on a sample: its tiles, its facts by key, its tables by key, and the traces of a picture by key."""
    app.query_params.clear()
    visit(app, f"pages/{page}.py", study=sample)
    note = app.session_state["_note"]
    facts = {key: conclusion.facts for key, conclusion in note["findings"].items()}
    tables = {key: answer.table for key, (_, answer) in note["tables"].items()}
    pictures = {key: picture[2] for key, picture in note["pictures"].items()}
    return {metric.label: metric.value for metric in app.metric}, facts, tables, pictures


def cells_of(picture):
    """The numbers in the cells of a square grid, without its diagonal."""
    rows = picture(look=theme.look())["data"][0]["z"]
    return [cell for n, row in enumerate(rows) for m, cell in enumerate(row) if n != m]


@pytest.mark.slow
@pytest.mark.parametrize("sample", sources.SAMPLES)
def test_tiles_sentences_and_pictures_of_every_page_count_alike(app, sample):
    """Whatever two of them count is the same number on each page; Confidence is above."""
    tiles, facts, tables, _ = looked_at(app, "data", sample)
    assert tiles["Systems"] == shown_as(len(tables["systems"])) == shown_as(facts["findings"]["systems"])
    assert tiles["Topics"] == shown_as(len(tables["topics"])) == shown_as(facts["findings"]["topics"])
    assert tiles["Judgments"] == shown_as(tables["topics"]["judged"].sum())
    judged = tiles["Judgments"], shown_as(tables["topics"]["relevant"].sum())

    tiles, facts, tables, pictures = looked_at(app, "scores", sample)
    board, drawn = tables["leaderboard"], pictures["leaderboard"](look=theme.look())["data"]
    rows = max(len(trace["x"]) for trace in drawn if trace["type"] != "bar")
    assert int(tiles["Systems"]) == len(board) == rows == facts["leaderboard"]["systems"]
    assert facts["leaderboard"]["leaders"] == list(board["system"][board["rank"] == 1])
    others = board[board["rank"] > 1]
    assert facts["leaderboard"]["others"] == (others["could_lead"] == "yes").sum()

    tiles, facts, tables, pictures = looked_at(app, "orderings", sample)
    pairs = facts["pairs"]
    counts = {name: int(value.replace(",", "")) for name, value in tiles.items()}
    assert sum(counts.values()) == pairs["pairs"] == facts["swaps"]["pairs"]
    assert counts["Certain and significant"] == pairs["both"]
    assert counts["Certain and significant"] + counts["Certain only"] == pairs["certain"]
    assert counts["Certain and significant"] + counts["Significant only"] == pairs["significant"]
    assert facts["swaps"]["swaps"] == len(tables["swaps"])
    cells = cells_of(pictures["agreement"])
    assert (min(cells), max(cells)) == (facts["agreement"]["least_tau"], facts["agreement"]["most_tau"])

    tiles, facts, tables, _ = looked_at(app, "estimators", sample)
    at = tables["estimator_error"][tables["estimator_error"]["depth"] == facts["estimator_error"]["depth"]]
    least = at.loc[at["rmse"].idxmin(), "estimator"].partition("(")[0]
    assert least in finding(app).headline + finding(app).detail
    assert str(app.get_by_key("shallow").value) == str(facts["estimator_error"]["depth"])

    tiles, facts, tables, _ = looked_at(app, "new_systems", sample)
    left_out = tables["leave_out"].set_index("system")
    loss = left_out["value"] - left_out["value_without"]
    assert facts["leave_out"]["largest"] == pytest.approx(loss.max())
    assert loss.idxmax() in facts["leave_out"]["most"]
    assert facts["newcomer"]["system"] == loss.idxmax()
    alone = tiles["Relevant documents that only one system contributed"]
    assert alone == shown_as(left_out["unique_relevant"].sum())

    tiles, facts, tables, _ = looked_at(app, "judgments", sample)
    health = tables["judgment_health"]
    assert (tiles["Judged documents"], tiles["Relevant documents"]) == judged
    assert facts["judgment_health"]["missing"] == round(health["still_missing"].sum())
    if sample != "variations":  # whose few systems cannot question a judgment
        assert facts["judgment_health"]["total"] == len(tables["suspects"])
    assert shown_as(facts["pool_audit"]["alone"]) == alone

    tiles, facts, tables, pictures = looked_at(app, "fusion", sample)
    gain, topics = facts["fusion_scores"], tables["fusion_topics"]["difference"]
    assert tiles["Fused run"] == sentences.score(gain["value"])
    assert gain["apart"] == pytest.approx(abs(tables["fusion_scores"]["gain_over_best"].iloc[0]))
    won, lost = (len(one["x"]) for one in pictures["fusion_topics"](look=theme.look())["data"])
    assert facts["fusion_topics"]["won"] + (topics.abs() < 1e-9).sum() == won
    assert facts["fusion_topics"]["lost"] == lost

    if sample == "variations":
        _, facts, tables, _ = looked_at(app, "consistency", sample)
        systems, pairs = tables["consistency_of_systems"], tables["consistency_pairs"]
        assert facts["consistency_of_systems"]["highest"] == systems["consistency"].max()
        assert facts["consistency_of_systems"]["lowest"] == systems["consistency"].min()
        assert facts["consistency_pairs"]["pairs"] == len(pairs)
        assert facts["consistency_pairs"]["apart"] == (pairs["p"] < 0.05).sum()


def test_that_all_runs_contributed_is_said_at_once(app):
    load_track(app, ("a.txt", run_text("A")), ("b.txt", run_text("B", ("d3", "d2"))))
    assert CAVEATS["assumed"].split(";")[0] in everything(visit(app, "pages/pool_depth.py")).replace("\\", "")
    app.switch_page("pages/data.py").run()
    press(app, "All contributed")
    assert "The edited table is in use" in everything(app)
    assert CAVEATS["assumed"].split(";")[0] not in everything(visit(app, "pages/pool_depth.py")).replace("\\", "")
