"""Views of assessors: what each calls relevant, and how that changes while judging."""

from typing import Any

from evalcore.answers import Answer
from evalcore.vocabulary.sentences import figure as number
from evalcore.vocabulary.sentences import percent
from ui.text.escape import plotly
from ui.views.charts import dots
from ui.views.view import View

SHARE = "share called relevant"  # the title of the axis


def shares(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """What each assessor calls relevant, and of the same documents the judge."""
    series = [("share_relevant", "by the assessor", "focus", "diamond")]
    if answer.table["share_relevant_other"].notna().any():
        series += [("share_relevant_other", "by the judge", "known", "circle")]

    def hover(row):
        return f"<b>{plotly(row.assessor)}</b><br>{row.topics:,} topics, {row.judged:,} judgments"

    return dots(answer.table, list(answer.table["assessor"]), look, SHARE, series, hover, tickformat=".0%")


BY = {"topics": "over topics", "documents": "within topics"}


def drift(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """What each assessor calls relevant in the first half and in the second."""
    rows = answer.table.sort_values(["assessor", "by"])
    names = [f"{assessor} ({BY[by]})" for assessor, by in zip(rows["assessor"], rows["by"], strict=True)]
    series = [("share_first", "first half", "known", "circle"), ("share_second", "second half", "focus", "diamond")]

    def hover(row):
        halves = f"first half {percent(row.share_first)}, second {percent(row.share_second)}"
        return f"<b>{plotly(row.assessor)}</b><br>{halves}<br>p corrected {number(row.p_corrected)}"

    return dots(rows, names, look, SHARE, series, hover, tickformat=".0%")


VIEWS = {
    "assessors": View("Assessors", shares, shows="What each assessor calls relevant, and the judge of the same."),
    "assessors_twice": View("Documents judged twice"),
    "assessor_drift": View("Drift while judging", drift, shows="What each assessor calls relevant, in either half."),
}
