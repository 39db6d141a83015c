"""The findings: what the answer to each question says, in the modules of the same names as those of the questions.

A finding is a function of the table, all parameters in full and the study; it picks one of a few whole templates and
fills in named facts. Caveats and setting are added here, for all questions alike.
"""

from dataclasses import replace

from evalcore.findings import (
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
    overlaps,
    pairs,
    pool_depth,
    scores,
    second_qrels,
    wrong_pairs,
)
from evalcore.findings.caveats import caveats_of
from evalcore.findings.setting import setting_of
from evalcore.questions.judgment_cuts import in_force

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
    overlaps,
    consistency,
)
FINDINGS = {question: finding for subject in SUBJECTS for question, finding in subject.FINDINGS.items()}


def conclusion_of(question, table, params, study, **choices):
    """What an answer says. -> `Conclusion`

    table : the question's; params : all of them, in full; choices : of the finding, such as the column that it is about
    """
    params = in_force(params, study)
    conclusion = FINDINGS[question](table, params, study, **choices)
    caveats, facts = caveats_of(question, table, params, study)
    facts = facts | conclusion.facts  # the finding's own, where a caveat has a fact of the same name
    setting = setting_of(params, study)
    return replace(conclusion, caveats=(*conclusion.caveats, *caveats), setting=setting, facts=facts)
