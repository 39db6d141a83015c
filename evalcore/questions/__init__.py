"""The questions: each takes a study and plain values, and answers with one tidy table.

A question is a function and a row at the end of its module. The keyword-only arguments are the parameters, see
`evalcore.parameters`. A question may also return notes: sentences on what is missing or was assumed.
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

SUBJECTS = (
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
QUESTIONS = {name: row for subject in SUBJECTS for name, row in subject.QUESTIONS.items()}
