"""Colours by role, for light and for dark, and the size of a picture's text."""

from collections.abc import Sequence
from typing import Any

COLOURS = {  # in the light, in the dark
    "known": ("#0072B2", "#56B4E9"),
    "possible": ("#E69F00", "#E69F00"),
    "beyond": ("#F6D78F", "#7D5A0B"),
    "focus": ("#D55E00", "#F0803C"),
    "good": ("#009E73", "#2CC295"),
    "dot": ("#1B2733", "#F4F7FA"),
    "quiet": ("#6B7783", "#95A2AF"),
    "grid": ("#E4E8EC", "#2A343F"),
    "ground": ("#FFFFFF", "#12171D"),
    "pin": ("#7B3294", "#C78BDB"),
}


def look(
    *, dark: bool = False, large: bool = False, rows: int | None = None, presented: bool | None = None,
    pinned: Sequence[str] = (), hidden: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """Style of a chart: colours by role, text size and minimum height of a labelled row in pixels.

    rows : the maximum number of systems, None = all; presented : whether the picture shares a screen with its sentence,
    by default if rows are few; pinned : systems that are always shown, named and outlined; hidden : that are not shown
    """
    colours = {role: in_dark if dark else in_light for role, (in_light, in_dark) in COLOURS.items()}
    return {**colours, "text": 17 if large else 13, "row": 24 if large else 13, "rows": rows} | {
        "presented": rows is not None if presented is None else presented, "pinned": tuple(pinned),
        "hidden": sorted(hidden),
    }  # fmt: skip
