"""The view of every question: figure, tiles and title, in modules named as in `evalcore.questions`."""

from typing import Any

from evalcore.answers import DRAWN_BY, Answer
from evalcore.vocabulary.registry import rows_of_folder
from ui.views import theme

VIEWS = rows_of_folder(__name__, __path__, "VIEWS")


def figure(answer: Answer) -> dict[str, Any] | None:
    """The first figure of an answer as a plain Plotly figure, or None."""
    view = VIEWS[answer.question]
    if view.figure is None or not len(answer.table):
        return None
    panel = {"panel": next(iter(view.panels))} if view.panels else {}
    return view.figure(answer, theme.look(), **panel)


DRAWN_BY.append(figure)
