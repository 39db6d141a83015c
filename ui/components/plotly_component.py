"""A Plotly figure on the page, drawn by plotly_component.js.

`st.plotly_chart` draws every figure two or three times, also off screen, and remounts it at every change; this draws it
once, when it becomes visible, and changes it in place.
"""

import contextlib
import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs, get_plotlyjs_version

from ui.views import theme

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = f"plotly-{get_plotlyjs_version()}.min.js"  # of the installed package, in static/, from where Streamlit serves
HTML = '<div class="plot"></div>'
TOOLS = 12  # pixels below a picture, as in plotly_component.css


def with_library(script: str) -> str:
    """A script in this folder, as text, that may call `library()` and save figures."""
    folder = Path(__file__).parent
    library, saving, own = ((folder / name).read_text("utf-8") for name in ("library.js", "saving.js", script))
    return library.replace("PLOTLY", LIBRARY) + saving + own


def in_both_schemes() -> str:
    """Colour of a picture -> its light and dark versions, as JSON."""
    return json.dumps({colour: versions for versions in theme.COLOURS.values() for colour in versions})


@cache
def component() -> Callable[..., Any]:
    """The component, registered once."""
    js, css = (
        with_library("plotly_component.js").replace("COLOURS", in_both_schemes()),
        Path(__file__).with_suffix(".css").read_text("utf-8"),
    )
    return st.components.v2.component("poolscope.plot", html=HTML, css=css, js=js, isolate_styles=False)


def show(
    figure: dict[str, Any], *, alt: str, config: dict[str, Any], key: str, picked: Callable[..., Any] | None = None
) -> None:
    """Draw a plain Plotly figure, whose layout has a height.

    Where the library cannot be laid out for browsers, Streamlit draws it.
    alt : the figure in words; config : Plotly's own; picked(name) : called with the `customdata` of a point that is
    clicked on
    """
    if not library_is_there():
        st.plotly_chart(figure, key=key, alt=alt, config=config)
        return
    sent = {"figure": figure, "alt": alt, "config": config, "picks": picked is not None}
    asks = {"on_picked_change": lambda: picked(st.session_state[key]["picked"])} if picked else {}
    is_square = "scaleanchor" in figure["layout"].get("yaxis", {})  # lower where the page is narrow
    height = "content" if is_square else figure["layout"]["height"] + TOOLS  # its place is kept until it is drawn
    component()(data=to_json_plotly(sent).encode(), key=key, height=height, **asks)


@cache
def library_is_there() -> bool:
    """Whether Plotly's script is in the folder that Streamlit serves; it is copied there once, completely or not at
    all."""
    place = ROOT / "static" / LIBRARY
    if not place.exists():
        with contextlib.suppress(OSError):  # a folder that only its owner may write to
            place.parent.mkdir(exist_ok=True)
            part = place.with_suffix(f".{os.getpid()}")
            part.write_text(get_plotlyjs(), "utf-8")
            part.replace(place)
    return place.exists()


if __name__ == "__main__":  # for whoever installs it where the app may not write
    library_is_there()
