"""The face of the truth: what a shallow pool got wrong, by its depth."""

from ui.marks import axis, curve, figure
from ui.views.view import View


def wrong(answer, look):
    """How many pairs stand the other way round at each pool depth, and how many of these significantly."""
    rows = answer.table[answer.table["depth"].notna()]  # "all judgments" is no depth
    drawn = (
        ("inversions", "ordered the other way round", "focus", "solid", "circle"),
        ("significant", "significant at this depth", "dot", "dash", "square-open"),
    )
    data = [
        curve(rows["depth"], rows[column], look, role, name=name, hover=f"depth %{{x}}: %{{y}} {name}", dash=dash,
              symbol=symbol if len(rows) <= 20 else None, size=7)
        for column, name, role, dash, symbol in drawn
    ]  # fmt: skip
    return figure(data, look, 300, axis(look, "pool depth"), axis(look, "pairs of systems", rangemode="tozero"))


SHOWN = "Two curves by pool depth: pairs that the truth orders the other way round, and how many of them significantly."
VIEWS = {"wrong_pairs": View("What each pool depth got wrong", wrong, shows=SHOWN)}
