"""The findings: what the answer to each question says: the function of the question's name, in the module of its name.

A finding is a function of the table, all parameters in full and the study; it picks one of a few whole templates and
fills in named facts. Caveats and setting are added here, for all questions alike.
"""

from dataclasses import replace
from importlib import import_module
from typing import Any

import pandas as pd

from evalcore.findings.caveats import caveats_of
from evalcore.findings.conclusion import Conclusion
from evalcore.findings.setting import setting_of
from evalcore.questions import QUESTIONS
from evalcore.questions.judgment_cuts import in_force
from evalcore.study.study import Study

FINDINGS = {
    name: getattr(import_module(row.function.__module__.replace(".questions.", ".findings.")), name)
    for name, row in QUESTIONS.items()
}


def conclusion_of(
    question: str, table: pd.DataFrame, params: dict[str, Any], study: Study, **choices: Any
) -> Conclusion:
    """What an answer says. -> `Conclusion`

    table : the question's; params : all of them, in full; choices : of the finding, such as the column that it is about
    """
    params = in_force(params, study)
    conclusion = FINDINGS[question](table, params, study, **choices)
    caveats, facts = caveats_of(question, table, params, study)
    facts = facts | conclusion.facts  # the finding's own, where a caveat has a fact of the same name
    setting = setting_of(params, study)
    return replace(conclusion, caveats=(*conclusion.caveats, *caveats), setting=setting, facts=facts)
