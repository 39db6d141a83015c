"""The facts of every question's finding, from the rows of its table, in plain Python.

FACTS : question -> facts(rows, asked, case), a dict of names and values: the function of the question's name
ASKED : question -> the parameters with which it is tried, a list of dicts
rows : the table as a list of dicts; asked : all parameters; case : `runs`, `qrels`, `pooled` (names), `depth`,
`systems`, `topics`, `answering` (the systems that rank a document for a judged topic), as plain values

`row | {...}` are the facts of one row: a fact that is named like a column is the cell of this row, and what a fact of
another name says is computed. A parameter that is named is none of these facts: `check` knows it from the question.
"""

from importlib import import_module
from inspect import getmembers, isfunction, signature
from pkgutil import iter_modules


def facts_in(subject):
    """The functions of a module that take what the facts of a question take."""
    own = [pair for pair in getmembers(subject, isfunction) if pair[1].__module__ == subject.__name__]
    return {name: facts for name, facts in own if list(signature(facts).parameters) == ["rows", "asked", "case"]}


SUBJECTS = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__) if found.name != "plain"]
FACTS = {name: facts for subject in SUBJECTS for name, facts in facts_in(subject).items()}
ASKED = {name: tried for subject in SUBJECTS for name, tried in subject.ASKED.items()}
