"""View of the complete judgments: what a shallow pool got wrong, by pool depth."""

from typing import Any

from evalcore.answers import Answer
from ui.views.traces import axis, curve, figure
from ui.views.view import View


def wrong(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """How many pairs are swapped at each pool depth, and how many of these differ significantly."""
    rows = answer.table[answer.table["depth"].notna()]  # the row of all judgments has no depth
    drawn = (
        ("inversions", "swapped pairs", "focus", "solid", "circle"),
        ("significant", "significant at this depth", "dot", "dash", "square-open"),
    )
    data = [
        curve(rows["depth"], rows[column], look, role, name=name, hover=f"depth %{{x}}: %{{y}} {name}", dash=dash,
              symbol=symbol if len(rows) <= 20 else None, size=7)
        for column, name, role, dash, symbol in drawn
    ]  # fmt: skip
    return figure(data, look, 300, axis(look, "pool depth"), axis(look, "pairs of systems", rangemode="tozero"))


SHOWN = "Two curves by pool depth: the swapped system pairs, and how many of these differ significantly at that depth."
VIEWS = {"wrong_pairs": View("What each pool depth got wrong", wrong, shows=SHOWN)}
