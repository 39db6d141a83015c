"""Views of assessors: what each calls relevant, and how that changes while judging."""

from typing import Any

from evalcore.answers import Answer
from evalcore.vocabulary.sentences import figure as number
from evalcore.vocabulary.sentences import percent
from ui.text.escape import plotly
from ui.views.traces import axis, dot_size, few_of, figure, outlined, points, rows_axis, rows_height, rows_legend
from ui.views.view import View


def _dots(rows, names, look, title, series, hover):
    """A row for each of these, with a dot for each series: (column, name, role, symbol)."""
    everything = rows.reset_index(drop=True)
    at = few_of(len(everything), look["rows"])
    some, places = everything.iloc[at], list(range(1, len(at) + 1))
    text = [hover(row) for row in some.itertuples()]
    data = [
        points(some[column], places, look, role, name=name, symbol=symbol, size=dot_size(len(at)), text=text,
               line=outlined(look))
        for column, name, role, symbol in series
    ]  # fmt: skip
    down = rows_axis(look, [names[place] for place in at], of=len(everything), at=at)
    along = axis(look, title, tickformat=".0%", rangemode="tozero")
    return figure(data, look, rows_height(len(at), look), along, down, **rows_legend(look))


def shares(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """What each assessor calls relevant, and of the same documents the judge."""
    series = [("share_relevant", "by the assessor", "focus", "diamond")]
    if answer.table["share_relevant_other"].notna().any():
        series += [("share_relevant_other", "by the judge", "known", "circle")]

    def hover(row):
        return f"<b>{plotly(row.assessor)}</b><br>{row.topics:,} topics, {row.judged:,} judgments"

    return _dots(answer.table, list(answer.table["assessor"]), look, "share called relevant", series, hover)


BY = {"topics": "over topics", "documents": "within topics"}


def drift(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """What each assessor calls relevant in the first half and in the second."""
    rows = answer.table.sort_values(["assessor", "by"])
    names = [f"{assessor} ({BY[by]})" for assessor, by in zip(rows["assessor"], rows["by"], strict=True)]
    series = [("share_first", "first half", "known", "circle"), ("share_second", "second half", "focus", "diamond")]

    def hover(row):
        halves = f"first half {percent(row.share_first)}, second {percent(row.share_second)}"
        return f"<b>{plotly(row.assessor)}</b><br>{halves}<br>p corrected {number(row.p_corrected)}"

    return _dots(rows, names, look, "share called relevant", series, hover)


VIEWS = {
    "assessors": View("Assessors", shares, shows="What each assessor calls relevant, and the judge of the same."),
    "assessors_twice": View("Documents judged twice"),
    "assessor_drift": View("Drift while judging", drift, shows="What each assessor calls relevant, in either half."),
}
