"""The questions: each takes a study and plain values, and answers with one tidy table and a sentence true of it.

A question is a function, its finding, and a row at the foot of its chapter. The keyword-only arguments are the
parameters, see `evalcore.parameters`. A question may return notes beside its table: sentences on what is missing or was
assumed.
"""

from evalcore.questions import (
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
QUESTIONS = {name: row for chapter in CHAPTERS for name, row in chapter.QUESTIONS.items()}
