"""The questions: each takes a study and plain values, and answers with one tidy table and a sentence true of it.

A question is a function, its finding, and a row at the foot of its chapter. The keyword-only arguments are the
parameters, see `evalcore.parameters`. A question may return notes beside its table: sentences on what is missing or was
assumed.
"""

from evalcore.questions import (
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

CHAPTERS = (
    data_overview,
    scores,
    pool_depth,
    wrong_pairs,
    estimates,
    fitted_models,
    orderings,
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
QUESTIONS = {name: row for chapter in CHAPTERS for name, row in chapter.QUESTIONS.items()}
