"""The picture of many tracks: a dot for each, with its interval, and what it is compared with."""

from typing import Any

import pandas as pd

from evalcore.many_tracks.comparison import Compared
from evalcore.questions.question import Across
from evalcore.vocabulary.sentences import WAYS, level
from ui.text.escape import labels, plotly
from ui.views.traces import (
    WIDTH_OF_NAME,
    axis,
    few_rows_axis,
    figure,
    joined,
    outlined,
    points,
    rows_height,
    rows_legend,
    spans,
    upright,
)


def tiles(shown: Compared, across: Across) -> list[tuple[str, str, str | None]]:
    """How many tracks have the number, its ends, and by chance."""
    write, rows, facts = WAYS[across.written], shown.rows, shown.finding.facts
    if not len(rows):
        return []
    ends = [("Largest", write(rows["value"].iloc[0]), None), ("Smallest", write(rows["value"].iloc[-1]), None)]
    chance = [("p by chance", level(float(f"{facts['p']:.2g}")), CHANCE)] if "p" in facts else []
    return [("Tracks", str(len(rows)), None), *ends, *chance]


CHANCE = "The probability that so many tracks agree, either way, if neither is more likely (sign test)."


def dots(rows: pd.DataFrame, look: dict[str, Any], across: Across, names: tuple[str, str]) -> dict[str, Any]:
    """A row for each track, the largest number first; a click gives its name.

    rows : see `comparison.Compared`; names : of the two numbers of each track, "" where it has one
    """
    places, values, write = list(range(len(rows))), list(rows["value"]), WAYS[across.written]
    text = [
        f"<b>{plotly(row.track)}</b><br>{row.systems:,} systems, {row.topics:,} topics<br>{write(row.value)}, "
        f"compared with {write(row.other)}"
        for row in rows.itertuples()
    ]
    own = points(
        values, places, look, "focus", name=plotly(names[0]), text=text, customdata=list(rows["track"]), size=12,
        line=outlined(look), error_x=spans(values, rows["low"], rows["high"], look, "focus"),
    )  # fmt: skip
    data, more, ends = [own], {}, [*values, *rows["other"], *rows["low"].dropna(), *rows["high"].dropna()]
    if any(names):
        beside = points(
            rows["other"], places, look, "quiet", name=plotly(names[1]), text=text, symbol="circle-open", size=12
        )
        data = [joined(rows["other"], values, places, look, "grid"), beside, own]
    else:
        at = rows["other"].iloc[0]
        name = {"x": at, "y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False, "text": write(at)}
        more = {"shapes": [upright(at, look, role="quiet", dash="dash")], "annotations": [name]}
    room = 0.06 * (max(ends) - min(ends)) or 0.1
    ticks: dict[str, Any] = {"tickformat": ".0%"} if across.written == "share" else {}
    ticks |= {"dtick": 0.25} if ticks and max(ends) - min(ends) > 0.6 else {}  # as many as a phone has room for
    along = axis(look, across.label, range=[min(ends) - room, max(ends) + room], **ticks)
    down = few_rows_axis(look, labels(list(rows["track"]), WIDTH_OF_NAME))
    return figure(data, look, rows_height(len(rows), look), along, down, **more, **rows_legend(look))
