"""The views: every question's figure, labels and title, in chapters named as those of `evalcore.questions`."""

from importlib import import_module

from evalcore.questions import CHAPTERS

VIEWS = {}
for chapter in CHAPTERS:
    VIEWS |= import_module(chapter.__name__.replace("evalcore.questions", __name__)).VIEWS
