"""Colours by role, for light and for dark, and the size of a picture's text."""

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
}


def look(*, dark=False, large=False, rows=None):
    """What a chart needs to know of the page: its colours by role, its text size and the least height of a row that
    bears a name, both in pixels, and how many systems it shows at most (rows; None = all)."""
    colours = {role: in_dark if dark else in_light for role, (in_light, in_dark) in COLOURS.items()}
    return {**colours, "text": 17 if large else 13, "row": 24 if large else 13, "rows": rows}
