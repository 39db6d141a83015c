"""The page Tracks: which tracks a visitor may compare, what it says of them, and where a click leads."""

import zipfile
from io import BytesIO

import pandas as pd
import plotly.graph_objects as go
import pytest

import evalcore
from evalcore.study import study_file
from evalcore.vocabulary.sentences import score
from tests.study.test_study_file import UNSAID
from tests.ui.test_methods_page import address
from tests.ui.test_pages import (
    ROOT,
    everything,
    finding,
    load,
    numbers_of,
    opened,
    own_files,
    press,
    qrels_text,
    record_of,
    run_text,
    visit,
)
from tests.ui.test_server_studies import folder  # noqa: F401 - a fixture
from ui.components import progress
from ui.forms import many_tracks
from ui.forms.many_tracks import COMPARED
from ui.session import answers
from ui.text.escape import md
from ui.views import theme
from ui.views.over_tracks import dots

TRACKS = "pages/tracks.py"
CALLED = ["sample web", "sample newswire", "sample query variations"]


def archive(*tags):
    """A whole track in a zip archive: runs of these names, and judgments."""
    with zipfile.ZipFile(packed := BytesIO(), "w") as into:
        for place, tag in enumerate(tags):
            into.writestr(f"runs/{tag}.run", run_text(tag, [f"d{1 + (n + place) % 3}" for n in range(3)]))
        into.writestr("qrels.txt", qrels_text())
    return packed.getvalue()


def saved(*tags):
    """A study file."""
    runs = [evalcore.Upload(f"{tag}.run", run_text(tag, ["d1", "d2", "d3"][place:])) for place, tag in enumerate(tags)]
    qrels = evalcore.Upload("qrels.txt", qrels_text())
    study = evalcore.open_study(runs, qrels, cache=False)
    return study_file.written(UNSAID | {"options": study.options}, study.sources, [*runs, qrels])


def test_the_samples_are_compared_where_there_is_nothing_else():
    app = opened(TRACKS)
    folders = [ROOT / "sample_data" / name for name in ("web", "newswire")]
    tracks = [evalcore.open_study(one / "runs", one / "qrels.txt", systems=one / "systems.tsv") for one in folders]
    certain = [evalcore.ask(study, "pool", depths=[5]).table["pairs_decided"].iloc[0] for study in tracks]
    shown = finding(app)
    assert shown.facts["n"] == 3
    assert shown.facts["agree"] == 2
    assert [shown.facts["smallest"], shown.facts["largest"]] == certain
    assert (shown.facts["least"], shown.facts["most"]) == ("sample web", "sample newswire")
    assert md("sample web, sample newswire and sample query variations are invented.") in everything(app)
    assert numbers_of(app, "Tracks") == ["3"]
    visit(app, "pages/report.py")
    assert md("pages visited: Tracks.") in everything(app)


@pytest.mark.parametrize("question", COMPARED)
def test_every_comparison_is_drawn_and_can_be_linked_to(question):
    app = opened(TRACKS, across=question)
    assert finding(app).headline.startswith(("Cannot tell", "No track"))
    for key in COMPARED[question].keys.keys() - {"phi"}:
        assert app.get_by_key(f"across_{key}").value == COMPARED[question].keys[key]
    assert address(app).get("across", next(iter(COMPARED))) == question


def test_what_is_compared_with_itself_does_not_differ():
    app = opened(TRACKS, across="models", across_model="MD1")
    assert finding(app).headline == "Cannot tell: on no track is there a difference."


def test_a_metric_without_the_number_is_replaced():
    assert "This page cannot use AP" in everything(opened(TRACKS, metric="AP"))
    assert "cannot use" not in everything(opened(TRACKS, metric="AP", across="leave_out"))


def test_the_studies_of_the_server_come_before_the_samples(folder):  # noqa: F811
    (folder / "one.poolscope").write_bytes(saved("a", "b"))
    (folder / "two.poolscope").write_bytes(saved("a", "b", "c"))
    (folder / "damaged.poolscope").write_bytes(b"PK\x03\x04 no archive")
    app = opened(TRACKS, across="regimes")
    assert app.multiselect(key="tracks").value == ["damaged", "one", "two"]
    assert "invented" not in everything(app).replace("Sample data are invented", "")  # which is of the open sample
    assert "on both tracks" in finding(app).headline
    assert "damaged is left out\\: " in everything(app)
    app.multiselect(key="tracks").set_value(["one", "web"]).run()
    assert numbers_of(app, "Tracks") == ["2"]
    assert md("sample web is invented.") in everything(app)


def test_own_tracks_are_compared_and_never_those_of_others(folder):  # noqa: F811
    app = opened(TRACKS, across="regimes")
    load(app, "track", ("mine.zip", archive("a", "b")), ("other.zip", archive("c", "d", "e")))
    assert app.multiselect(key="tracks").options == ["mine.zip", "other.zip", *CALLED]
    assert numbers_of(app, "Tracks") == ["2"]
    own = {key[0] for key in answers.CACHE._entries if key[0]}
    assert own == {app.session_state["_visitor"].name}
    stranger = opened(TRACKS)
    assert stranger.multiselect(key="tracks").options == [*CALLED]
    press(app, "Remove")
    assert app.multiselect(key="tracks").options == ["other.zip", *CALLED]


def test_tracks_asked_before_a_stop_are_shown_and_the_others_on_request():
    app = opened(TRACKS, across="regimes")
    whole = finding(app)
    job, done = app.session_state["_tracks-done"]
    assert done == 2
    app.session_state["_tracks-stopped"] = job, 1
    app.run()
    assert "Stopped after 1 of 3 tracks." in everything(app)
    assert finding(app).headline.startswith("Cannot tell: on the one track")
    press(app, "Continue")
    assert finding(app) == whole


@pytest.mark.parametrize("question", COMPARED)
def test_what_takes_long_shows_the_tracks_so_far(question, monkeypatch):
    answers.CACHE.drop()
    shown = []
    monkeypatch.setattr(progress, "PATIENCE", -1)
    real = many_tracks.OverTracks.of
    monkeypatch.setattr(many_tracks.OverTracks, "of", lambda *given: shown.append(len(given[2])) or real(*given))
    app = opened(TRACKS, across=question)
    assert shown[:4] == [0, 1, 2, 3]
    assert not [button for button in app.button if button.label == "Stop"]


def test_a_click_opens_the_track_on_the_page_of_the_question():
    app = opened(TRACKS, across="leave_out")
    app.session_state["clicked-track"] = "sample newswire"
    app.run()
    assert app.title[0].value == "Is a system outside the pool treated fairly?"
    assert app.selectbox(key="study").value == "newswire"
    visit(app, TRACKS)
    assert app.title[0].value == "Does it hold on other collections?"


@pytest.mark.parametrize(
    ("choices", "shown"),
    [
        ({"across": "pool", "metric": "P@10", "across_depth": "2"}, {"metric": "P@10", "depth": "2"}),
        ({"across": "models", "metric": "AP", "across_model": "MD2"}, {"metric": "AP", "model": "MD2"}),
        ({"across": "regimes", "across_b": "nDCG@10"}, {"regimes": ["RBP(p=0.8)", "nDCG@10"]}),
        ({"across": "fusion_scores", "across_method": "borda"}, {"rule": "borda"}),
    ],
)
def test_a_click_shows_the_same_choices(choices, shown):
    app = opened(TRACKS, **choices)
    app.session_state["clicked-track"] = "sample newswire"
    app.run()
    for key, value in shown.items():
        assert app.query_params[key] == value


def test_a_click_keeps_the_files_of_a_visitor(folder):  # noqa: F811
    app = load(opened("pages/data.py"), "runs", ("a.run", run_text("a")))
    load(app, "qrels", ("qrels.txt", qrels_text()))
    before = [*own_files(app)]
    load(visit(app, TRACKS), "track", ("mine.poolscope", saved("a", "b")))
    app.session_state["clicked-track"] = "mine"
    app.run()
    assert "only compared here" in app.info[0].value
    assert [*own_files(app)] == before


@pytest.mark.parametrize("level", ["1", "2"])
def test_a_track_has_the_same_number_whichever_is_open(level):
    shown = []
    for study in ("web", "newswire"):
        app = opened(TRACKS, across="fusion_scores", study=study, rel_level=level, tracks=["web", "newswire"])
        shown.append(finding(app))
    assert shown[0] == shown[1]


def test_a_study_of_the_server_has_its_judges_and_options_whether_it_is_open_or_not(folder):  # noqa: F811
    runs = [evalcore.Upload(f"{tag}.run", run_text(tag, ["d1", "d2", "d3"][place:])) for place, tag in enumerate("abc")]
    qrels, judge = (
        evalcore.Upload(name, qrels_text(of)) for name, of in (("qrels.txt", ("d1", "d3")), ("m", ("d3", "d1")))
    )
    study = evalcore.open_study(runs, qrels, rel_level=1, cache=False).with_judges({"m": judge})
    manifest = UNSAID | {"options": study.options}
    (folder / "judged.poolscope").write_bytes(study_file.written(manifest, study.sources, [*runs, qrels, judge]))
    by_itself = evalcore.ask(study, "judges", metric="RBP(p=0.8)", shuffled="").table["tau"].max()
    for is_open in ("web", "judged"):
        app = opened(TRACKS, across="judges", study=is_open, tracks=["judged"])
        assert numbers_of(app, "Largest") == [score(by_itself)]


def test_tracks_of_the_same_name_are_two_and_the_same_data_one(folder):  # noqa: F811
    (folder / "mine.poolscope").write_bytes(saved("a", "b"))
    app = opened(TRACKS, across="regimes")
    load(app, "track", ("mine.poolscope", saved("c", "d", "e")), ("again.poolscope", saved("a", "b")))
    assert app.multiselect(key="tracks").options == ["mine", "mine (2)", "again", *CALLED]
    app.multiselect(key="tracks").set_value(["mine", *record_of(app).tracks]).run()
    assert numbers_of(app, "Tracks") == ["2"]
    assert md("again is left out: It has the same data as mine.") in everything(app)


def test_the_address_does_not_have_the_names_of_own_files(folder):  # noqa: F811
    app = load(opened(TRACKS, across="regimes"), "track", ("secret.poolscope", saved("a", "b")))
    app.multiselect(key="tracks").set_value([*record_of(app).tracks]).run()
    assert numbers_of(app, "Tracks") == ["1"]
    assert "secret" not in str(dict(app.query_params))
    assert "tracks" in app.query_params


def test_a_click_on_a_track_that_cannot_be_opened_says_so(folder):  # noqa: F811
    app = load(opened(TRACKS, across="regimes"), "track", ("mine.zip", archive("a", "b")))
    app.session_state["clicked-track"] = "mine.zip"
    app.run()
    assert "only compared here" in app.info[0].value


def test_a_click_on_a_saved_study_opens_it(folder):  # noqa: F811
    app = load(opened(TRACKS, across="fusion_scores"), "track", ("mine.poolscope", saved("a", "b")))
    app.session_state["clicked-track"] = "mine"
    app.run()
    assert app.title[0].value == "Is a fused run better than its best input?"
    assert app.selectbox(key="study").value == "files"
    assert len(own_files(app)) == 3
    visit(app, TRACKS)
    assert app.multiselect(key="tracks").options == ["Your files", "mine", *CALLED]


def rows(values, other, low=float("nan"), high=float("nan")):
    names = [f"track {n}" for n in range(len(values))]
    sizes = {"systems": 10, "topics": 50}
    return pd.DataFrame({"track": names, **sizes, "value": values, "low": low, "high": high, "other": other})


def test_a_dot_for_each_track_with_its_interval_and_what_it_is_compared_with():
    shown = rows([0.9, 0.6, 0.2], 0.5, [0.8, 0.5, 0.1], [0.95, 0.7, 0.3])
    figure = dots(shown, theme.look(), COMPARED["pool"], ("", ""))
    go.Figure(figure)
    (own,) = figure["data"]
    assert (list(own["x"]), list(own["y"])) == ([0.9, 0.6, 0.2], [0, 1, 2])
    assert own["customdata"] == ["track 0", "track 1", "track 2"]
    assert own["error_x"]["array"] == pytest.approx([0.05, 0.1, 0.1])
    assert own["error_x"]["arrayminus"] == pytest.approx([0.1, 0.1, 0.1])
    assert figure["layout"]["shapes"][0]["x0"] == 0.5


def test_two_values_of_a_track_are_two_dots():
    shown = rows([0.9, 0.6], [0.5, 0.7])
    figure = dots(shown, theme.look(), COMPARED["models"], ("Full model", "No shards"))
    go.Figure(figure)
    assert [trace["name"] for trace in figure["data"] if trace.get("showlegend", True)] == ["No shards", "Full model"]
    assert list(figure["data"][1]["x"]) == [0.5, 0.7]
