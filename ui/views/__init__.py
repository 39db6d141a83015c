"""The views: every question's figure, labels and title, in the chapters of `evalcore.questions`."""

from ui import theme
from ui.views import (
    collection,
    confidence,
    consistency,
    corrections,
    estimates,
    fusion,
    judging,
    judgments,
    learning,
    newcomers,
    orderings,
    pairs,
    pool_depth,
    scores,
    second_opinion,
)

CHAPTERS = (
    collection,
    scores,
    pool_depth,
    estimates,
    learning,
    orderings,
    pairs,
    confidence,
    newcomers,
    corrections,
    judgments,
    second_opinion,
    judging,
    fusion,
    consistency,
)
VIEWS = {question: view for chapter in CHAPTERS for question, view in chapter.VIEWS.items()}


def figure(answer, look=None):
    """The figure of an answer as a plain Plotly figure, the first where there are several; None where there is none."""
    view = VIEWS[answer.question]
    if view.figure is None or not len(answer.table):
        return None
    panel = {"panel": next(iter(view.panels))} if view.panels else {}
    return view.figure(answer, look or theme.look(), **panel)
