"""The page Judges: on the samples, on judges that a visitor loads, and without any."""

import re

import pytest

import evalcore
from evalcore.study import attached
from evalcore.vocabulary.sentences import score
from tests.small import small_study
from tests.ui.test_pages import (
    ROOT,
    everything,
    finding,
    findings,
    load,
    numbers_of,
    opened,
    qrels_text,
    record_of,
    run_text,
    visit,
)
from ui.data import sources
from ui.layout.menu import PAGES
from ui.views import VIEWS, theme
from ui.views.judges import STATISTICS

JUDGES = [("gpt-4o.txt", qrels_text(("d1", "d2", "d3"))), ("llama.qrels.txt", qrels_text(("d3", "d2", "d1")))]


def own_track(app):
    load(app, "runs", ("a.txt", run_text("A")), ("b.txt", run_text("B", ("d3", "d2", "d1"))))
    return load(app, "qrels", ("qrels.txt", qrels_text(("d1", "d2", "d3"), ("1", "2"))))


def button(app, key):
    return next(one for one in app.button if one.key == key)


def judges_of(app):
    """The judges that can be chosen on the page."""
    return sorted(name.replace("\\", "") for name in app.get_by_key("judge").options)


def test_the_sample_has_three_models_and_a_second_assessor(app):
    visit(app, "pages/judges.py")
    assert judges_of(app) == ["erratic-model", "lenient-model", "neural-model", "second"]
    assert "How to read this" in everything(app)
    assert not app.error


def test_the_box_and_the_tiles_are_about_the_judge_that_is_chosen(app, sample):
    visit(app, "pages/judges.py")
    app.get_by_key("judge").set_value("neural-model").run()
    table = evalcore.ask(sample, "judges").table.set_index("judge")
    chosen, best = table.loc["neural-model"], table.iloc[0]
    box = finding(app)
    assert box.headline == (
        "neural-model orders the systems roughly as people do, so trust it for a rough order: "
        f"τ {score(chosen['tau'])} over 30 topics, {score(chosen['tau_by_chance'])} by chance."
    )
    assert box.detail.endswith(f"Of 4 judges, {best.name} agrees most (τ {score(best['tau'])}).")
    assert numbers_of(app, "Orders systems alike (τ)") == [score(chosen["tau"])]


def test_several_judgment_files_become_judges_and_the_track_stays_open(app):
    own_track(app)
    load(app, "any", *JUDGES)
    assert app.selectbox(key="study").value == "files"
    button(app, "decide-judge").click().run()
    assert app.selectbox(key="study").value == "files"
    assert not app.error
    visit(app, "pages/judges.py")
    assert judges_of(app) == ["gpt-4o", "llama"]


def test_judges_are_added_to_a_sample_given_a_kind_and_removed(app):
    visit(app, "pages/judges.py")
    assert len(judges_of(app)) == 4
    visit(app, "pages/data.py", open="load_judges")
    qrels = (ROOT / "sample_data/web/qrels.txt").read_bytes()
    load(app, "any", ("mine.txt", qrels))
    button(app, "decide-judge").click().run()
    visit(app, "pages/judges.py")
    assert "mine" in judges_of(app)
    assert next(iter(app.get_by_key("judge").options)) == "mine"  # agrees in everything
    button(app, "kind-mine").click().run()
    assert "mine: people" in [one.value for one in app.text]
    button(app, "remove-judge-mine").click().run()
    assert len(judges_of(app)) == 4


def test_a_judge_on_another_scale_waits_for_its_lowest_relevant_grade(app):
    """On the page, and kept in a study file."""
    own_track(app)
    visit(app, "pages/judges.py")
    load(app, "judge", ("one-to-four.txt", b"1 0 d1 4\n1 0 d2 1\n1 0 d3 2\n2 0 d1 3\n2 0 d2 1\n2 0 d3 1\n"))
    assert finding(app).headline.startswith("Choose the lowest relevant grade of one-to-four: it grades from 1 to 4")
    assert not app.metric
    assert not [one for one in app.markdown if one.value.startswith("## Who gains")]
    app.number_input(key="judge-level-one-to-four").set_value(2).run()
    assert not app.error
    assert finding(app).headline == "one-to-four calls 50% of the documents relevant, people 67%."
    assert app.metric
    app.selectbox(key="judge-gains-one-to-four").set_value("in proportion to the grade").run()
    own = record_of(app).studies["files"]
    assert own.judge_levels == {"one-to-four": 2}
    assert own.judge_gains == {"one-to-four": "linear"}
    button(app, "remove-judge-one-to-four").click().run()
    own = record_of(app).studies["files"]
    assert not any((own.judge_levels, own.judge_gains, own.judges))


def test_without_judges_the_page_says_what_it_would_show_and_opens_a_sample(app):
    own_track(app)
    visit(app, "pages/judges.py")
    assert "one file each" in everything(app) + "".join(one.value for one in app.info)
    next(one for one in app.button if one.label == "Open a sample with judges").click().run()
    assert len(judges_of(app)) == 4


def test_a_judge_that_cannot_be_read_says_why_and_can_be_removed(app):
    own_track(app)
    visit(app, "pages/judges.py")
    load(app, "judge", ("broken.txt", b"1 0 d1 high low\n"), JUDGES[0])
    assert any("broken.txt" in one.value for one in app.text)
    button(app, "remove-judge-broken").click().run()
    assert judges_of(app) == ["gpt-4o"]


@pytest.fixture(scope="module")
def sample():
    source = sources.sample("web")
    study = evalcore.open_study(source.runs, source.qrels[0], **attached.of_track(source.beside), cache=False)
    return attached.attach_each(study, source.of("judge"))


@pytest.mark.parametrize("statistics", STATISTICS)
def test_both_heatmaps_have_one_order_and_the_tables_numbers(sample, statistics):
    answer = evalcore.ask(sample, "judge_pairs", metric="nDCG@10")
    view = VIEWS["judge_pairs"]
    drawn = [view.figure(answer, theme.look(), panel=panel, statistics=statistics) for panel in view.panels]
    names = [figure["layout"]["xaxis"]["ticktext"] for figure in drawn]
    assert names[0] == names[1] == drawn[0]["layout"]["yaxis"]["ticktext"]
    assert names[0][0] == "people"
    for figure, (column, _) in zip(drawn, STATISTICS[statistics], strict=True):
        assert [one for row in figure["data"][0]["z"] for one in row] == list(answer.table[column])


def test_a_figure_shows_every_judge_and_what_people_call_relevant(sample):
    answer = evalcore.ask(sample, "judges", metric="nDCG@10")
    drawn = VIEWS["judges"].figure(answer, theme.look(), focus="neural-model")
    dots = drawn["data"][-1]
    assert list(dots["x"]) == list(answer.table["share_relevant_other"])
    assert list(dots["y"]) == list(answer.table["tau"])
    assert drawn["layout"]["shapes"][0]["x0"] == pytest.approx(answer.table["share_relevant"].iloc[0])


def test_the_sample_shows_what_its_models_were_made_for(sample):
    table = evalcore.ask(sample, "judges", metric="nDCG@10").table.set_index("judge")
    lenient = table.loc["lenient-model"]
    assert lenient["share_relevant_other"] > 1.5 * lenient["share_relevant"]
    assert lenient["tau"] == table["tau"].max()
    gains = evalcore.ask(sample, "judge_gains", judge="neural-model", metric="nDCG@10").table.iloc[0]
    assert (gains["by"], gains["group"], gains["p_corrected"] < 0.05) == ("type", "neural", True)
    erratic = evalcore.ask(sample, "judge_topics", judge="erratic-model").table
    assert (erratic["kappa_weighted"] < 0.4).sum() == 10  # a third of the topics
    sentence = str(evalcore.ask(sample, "judges", metric="nDCG@10").finding)
    assert re.match(r"lenient-model orders the systems \w+ as people do, .*is lenient", sentence)


def test_a_table_of_assessors_is_added(app):
    visit(app, "pages/judges.py", open="assessors")
    assert "Drift while judging" not in everything(app)
    topics = sorted({line.split()[0] for line in (ROOT / "sample_data/web/qrels.txt").read_text().splitlines()})
    table = "topic,assessor\n" + "".join(f"{topic},{'ab'[n % 2]}ssessor\n" for n, topic in enumerate(topics))
    load(app, "assessors", ("who.csv", table.encode()))
    assert "Assessors (2 rows)" in everything(app)
    assert "Drift while judging (2 rows)" in everything(app)
    assert not app.error


def test_figures_of_assessors_show_every_row_and_their_names_as_text():
    runs = {"A": {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in ("1", "2")}}
    study = small_study(runs, {"1": {"a": 1, "b": 0, "c": 0}, "2": {"a": 1, "b": 1, "c": 0}})
    rows = [f"{topic},{who},{document}" for topic in "12" for who in ("<b>ann", "bob") for document in "abc"]
    table = evalcore.Upload("who.csv", "\n".join(["topic,assessor,document", *rows, "1,cas,a"]).encode())
    study = study.with_assessors(table)
    for question, dots in (("assessors", 3), ("assessor_drift", 6)):
        answer = evalcore.ask(study, question)
        drawn = VIEWS[question].figure(answer, theme.look())
        assert {len(trace["x"]) for trace in drawn["data"]} == {dots} == {len(answer.table)}
        assert not any("<b>ann" in str(trace) or "nan" in str(trace["text"]) for trace in drawn["data"])


SECOND = {"part": "second"}, {"part": "second", "budget": "50", "metric": "AP"}, {"other_rel_level": "2"}


@pytest.mark.parametrize("address", SECOND, ids=str)
def test_an_address_of_second_judgments_on_judgments_leads_to_judges(address):
    """With its other choices, as tabs and the level were on Judgments once."""
    app = opened("pages/judgments.py", **address)
    assert app.title[0].value == PAGES["pages/judges.py"].question
    assert not app.warning
    facts = findings(app)
    assert facts["agreement"].facts["both"] == 7225
    assert ("relevance" in facts["agreement"].headline) is ("other_rel_level" in address)
    assert facts["agreement_effect"].facts["metric"] == address.get("metric", "RBP(p=0.8)")
    assert "contradictions" in app.session_state["_note"]["tables"]
    kept = {name: value for name, value in address.items() if name not in ("part", "budget")}
    assert dict(app.query_params) == kept | {"open": "second"}


def test_who_goes_back_from_judges_is_not_led_there_again(app):
    visit(app, "pages/judges.py")
    visit(app, "pages/judgments.py", part="second")
    assert app.title[0].value == PAGES["pages/judgments.py"].question


@pytest.mark.parametrize("address", [{}, {"part": "next"}, {"part": "trust"}])
def test_other_addresses_of_judgments_stay_and_have_a_link_to_second_judgments(address):
    app = opened("pages/judgments.py", **address)
    assert app.title[0].value == PAGES["pages/judgments.py"].question
    assert not app.warning
    (link,) = [one.proto for one in app.get("page_link") if one.proto.label.startswith("Second judgments")]
    assert (link.page, link.query_string) == ("judges", "open=second")


def test_the_whole_page_reads_second_judgments_from_the_grade_that_was_just_chosen(app):
    visit(app, "pages/judges.py", open="second")

    def relevant():
        table = app.session_state["_note"]["tables"]["judges"][1].table.set_index("judge")
        return table.loc["second", "share_relevant_other"]

    from_one = relevant()
    app.selectbox(key="other_rel_level").set_value("2").run()
    from_two = findings(app)["agreement"].facts
    assert relevant() < from_one
    assert relevant() == pytest.approx((from_two["relevant_both"] + from_two["others"]) / from_two["both"])
    assert app.query_params["other_rel_level"] in ("2", ["2"])
