"""What draws the pictures in the browser."""

import json
import math
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from plotly.offline import get_plotlyjs, get_plotlyjs_version

from ui.components import plotly_component
from ui.views import theme

ROOT = Path(__file__).parents[2]


def test_the_library_is_that_of_the_installed_package_which_checks_figures():
    assert plotly_component.library_is_there()
    assert (ROOT / "static" / plotly_component.LIBRARY).read_text("utf-8") == get_plotlyjs()
    assert get_plotlyjs_version() in plotly_component.LIBRARY
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["server"]["enableStaticServing"]


def test_the_library_is_there_when_the_server_starts(tmp_path):
    said = (
        "import sys, pathlib; from ui.components import plotly_component as component; "
        "component.ROOT = pathlib.Path(sys.argv.pop()); import app"
    )
    subprocess.run([sys.executable, "-c", said, tmp_path], cwd=ROOT, check=True, capture_output=True)
    assert [one.name for one in (tmp_path / "static").iterdir()] == [plotly_component.LIBRARY]


def test_where_it_cannot_be_laid_out_streamlit_draws(monkeypatch):
    drawn = []
    monkeypatch.setattr(plotly_component, "library_is_there", lambda: False)
    monkeypatch.setattr(plotly_component.st, "plotly_chart", lambda figure, **asked: drawn.append(figure))
    plotly_component.show({"data": []}, alt="", config={}, key="k", picked=print)
    assert drawn == [{"data": []}]


@pytest.mark.parametrize("script", ["plotly_component.js", "browser.js"])
def test_scripts_know_where_the_library_is(script):
    joined = plotly_component.with_library(script)
    assert f"app/static/{plotly_component.LIBRARY}" in joined
    assert joined.count("function library()") == 1
    assert "PLOTLY" not in joined


def test_a_colour_of_either_scheme_belongs_to_one_role():
    both = json.loads(plotly_component.in_both_schemes())
    assert all(both[colour] == list(pair) for pair in theme.COLOURS.values() for colour in pair)


def test_a_figure_is_sent_as_json_without_nan(monkeypatch):
    sent = {}
    monkeypatch.setattr(plotly_component, "component", lambda: lambda **asked: sent.update(asked))
    figure = {"data": [{"type": "bar", "x": [1.0, math.nan], "y": [1, 2]}], "layout": {"height": 300}}
    plotly_component.show(figure, alt="<b>x</b>", config={}, key="k")
    told = json.loads(sent.pop("data").decode())
    assert told == {
        "figure": {"data": [{"type": "bar", "x": [1.0, None], "y": [1, 2]}], "layout": {"height": 300}},
        "alt": "<b>x</b>",
        "config": {},
        "picks": False,
    }
    assert sent == {"key": "k", "height": 300 + plotly_component.TOOLS}
    plotly_component.show(figure, alt="", config={}, key="k", picked=print)
    assert json.loads(sent["data"])["picks"]
    assert callable(sent["on_picked_change"])
