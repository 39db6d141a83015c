"""The facts of every question's finding, from the rows of its table, in plain Python.

FACTS : question -> facts(rows, asked, case), a dict of names and values
ASKED : question -> the parameters with which it is tried, a list of dicts
rows : the table as a list of dicts; asked : all parameters; case : `runs`, `qrels`, `pooled` (names), `depth`,
`systems`, `topics`, as plain values
"""

from . import (
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
    other_programs,
    pairs,
    pool_depth,
    scores,
    second_opinion,
    truth,
)

CHAPTERS = (
    collection,
    scores,
    pool_depth,
    truth,
    estimates,
    learning,
    orderings,
    other_programs,
    pairs,
    confidence,
    newcomers,
    corrections,
    judgments,
    second_opinion,
    other_programs,
    judging,
    fusion,
    consistency,
)
FACTS = {name: facts for chapter in CHAPTERS for name, facts in chapter.FACTS.items()}
ASKED = {name: tried for chapter in CHAPTERS for name, tried in chapter.ASKED.items()}
