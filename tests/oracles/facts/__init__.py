"""The facts of every question's finding, from the rows of its table, in plain Python.

FACTS : question -> facts(rows, asked, case), a dict of names and values
ASKED : question -> the parameters with which it is tried, a list of dicts
rows : the table as a list of dicts; asked : all parameters; case : `runs`, `qrels`, `pooled` (names), `depth`,
`systems`, `topics`, `answering` (the systems that rank a document for a judged topic), as plain values
"""

from . import (
    confidence,
    consistency,
    corrections,
    data_overview,
    estimates,
    fitted_models,
    fusion,
    judge_next,
    judgments,
    new_systems,
    orderings,
    other_programs,
    pairs,
    pool_depth,
    scores,
    second_qrels,
    wrong_pairs,
)

SUBJECTS = (
    data_overview,
    scores,
    pool_depth,
    wrong_pairs,
    estimates,
    fitted_models,
    orderings,
    other_programs,
    pairs,
    confidence,
    new_systems,
    corrections,
    judgments,
    second_qrels,
    other_programs,
    judge_next,
    fusion,
    consistency,
)
FACTS = {name: facts for subject in SUBJECTS for name, facts in subject.FACTS.items()}
ASKED = {name: tried for subject in SUBJECTS for name, tried in subject.ASKED.items()}
