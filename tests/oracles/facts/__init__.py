"""The facts of every question's finding, from the rows of its table, in plain Python.

FACTS : question -> facts(rows, asked, case), a dict of names and values
ASKED : question -> the parameters with which it is tried, a list of dicts
rows : the table as a list of dicts; asked : all parameters; case : `runs`, `qrels`, `pooled` (names), `depth`,
`systems`, `topics`, `answering` (the systems that rank a document for a judged topic), as plain values
"""

from importlib import import_module
from pkgutil import iter_modules

SUBJECTS = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__) if found.name != "plain"]
FACTS = {name: facts for subject in SUBJECTS for name, facts in subject.FACTS.items()}
ASKED = {name: tried for subject in SUBJECTS for name, tried in subject.ASKED.items()}
