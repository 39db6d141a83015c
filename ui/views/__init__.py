"""The views: every question's figure, labels and title, in chapters named as those of `evalcore.questions`."""

from importlib import import_module

from evalcore.questions import CHAPTERS
from ui import theme

VIEWS = {}
for chapter in CHAPTERS:
    VIEWS |= import_module(chapter.__name__.replace("evalcore.questions", __name__)).VIEWS


def figure(answer):
    """The figure of an answer as a plain Plotly figure, the first where there are several; None where there is none."""
    view = VIEWS[answer.question]
    if view.figure is None or not len(answer.table):
        return None
    panel = {"panel": next(iter(view.panels))} if view.panels else {}
    return view.figure(answer, theme.look(), **panel)
