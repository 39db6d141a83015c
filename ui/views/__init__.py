"""The view of every question: figure, tiles and title, in modules named as in `evalcore.questions`."""

from importlib import import_module

from evalcore.questions import CHAPTERS
from ui.views import theme

VIEWS = {}
for chapter in CHAPTERS:
    VIEWS |= import_module(chapter.__name__.replace("evalcore.questions", __name__)).VIEWS


def figure(answer):
    """The first figure of an answer as a plain Plotly figure, or None."""
    view = VIEWS[answer.question]
    if view.figure is None or not len(answer.table):
        return None
    panel = {"panel": next(iter(view.panels))} if view.panels else {}
    return view.figure(answer, theme.look(), **panel)
