"""Colours by role, for light and for dark, and the size of a picture's text."""

LIGHT = {
    "known": "#0072B2",
    "possible": "#E69F00",
    "focus": "#D55E00",
    "good": "#009E73",
    "dot": "#1B2733",
    "quiet": "#6B7783",
    "grid": "#E4E8EC",
    "ground": "#FFFFFF",
}
DARK = {
    "known": "#56B4E9",
    "possible": "#E69F00",
    "focus": "#F0803C",
    "good": "#2CC295",
    "dot": "#F4F7FA",
    "quiet": "#95A2AF",
    "grid": "#2A343F",
    "ground": "#12171D",
}


def look(*, dark=False, large=False):
    """What a chart needs to know of the page: its colours by role, and its text size in pixels."""
    return {**(DARK if dark else LIGHT), "text": 17 if large else 13}
