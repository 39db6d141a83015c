"""The caveats: assumptions that could change an answer. A page shows each of them once."""

import math
import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

from evalcore.pooling import uncertain_contributors
from evalcore.questions import QUESTIONS
from evalcore.study import study_pool
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import known, written

CAVEATS = {
    "assumed": "Assumes that every system contributed to the pool; the files do not show which did.",
    "inferred": "Assumes that {formed} of {systems} systems contributed to the pool, as the judgments suggest.",
    "in doubt": "Assumes that {formed} of {systems} systems contributed to the pool, as the judgments suggest; "
    "{doubtful} more may have.",
    "complete": "Uses the complete judgments.",
    "second": "Uses the second set of judgments.",
    "judge": "Uses the judgments by {judge}.",
}
IN_DOUBT = "Depending on which systems contributed to the pool, "
STAND_INS = {"judged_by_truth": "complete", "judged_by_other": "second", "judged_by": "judge"}


def caveats_of(
    question: str, table: pd.DataFrame, params: dict[str, Any], study: Study
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The caveats of an answer, and the facts in them. (tuple of str, dict)"""
    templates = [(CAVEATS[name], {name: study.scope[mark]}) for mark, name in STAND_INS.items() if mark in study.scope]
    if rests_on_the_pool(question, params, study):
        templates += filter(None, (_range(question, table, params, study), contributors(study)))
    facts = {name: value for _, named in templates for name, value in named.items()}
    return tuple(written(text, named) for text, named in templates), facts


def in_one(caveats: Iterable[str]) -> list[str]:
    """The caveats of a page, each once; what depends on who contributed is one sentence."""
    each = list(dict.fromkeys(filter(None, caveats)))
    ranges = [caveat.removeprefix(IN_DOUBT).removesuffix(".") for caveat in each if caveat.startswith(IN_DOUBT)]
    further = [caveat for caveat in each if not caveat.startswith(IN_DOUBT)]
    return [f"{IN_DOUBT}{'; '.join(ranges)}.", *further] if ranges else further


def rests_on_the_pool(question: str, params: dict[str, Any], study: Study) -> bool:
    """Whether the answer depends on who formed the pool: always, as the question says, or at a pool depth."""
    row = QUESTIONS[question]
    if row.of_pool_if:
        return row.of_pool_if(params, study)
    if row.of_pool:
        return True
    if any(params.get(name) is not None for name in ("depth", "judgments")):
        return True
    return "depths" in params and list(params["depths"] or ()) != [None]


def of_known_depth(study: Study) -> str:
    """Which judgments a share of those outside the pool is of, if the pool depth of some topics is unknown."""
    unknown = (study.pooling.depth_of_topic[study.judged_topics] == 0).any()
    return " on topics with a known pool depth" if unknown else ""


def contributors(study: Study) -> tuple[str, dict[str, Any]] | None:
    """What is assumed of who contributed, a template and its facts; None where it is known."""
    pooling = study.pooling
    facts = dict(zip(("formed", "systems"), study_pool.contributing(study), strict=True))
    if pooling.how == "named":
        return None
    if pooling.how == "assumed":
        return CAVEATS["assumed"], {}
    if pooling.doubtful:
        return CAVEATS["in doubt"], facts | {"doubtful": len(pooling.doubtful)}
    return CAVEATS["inferred"], facts


def contributors_assumed(study: Study) -> str:
    """The same as a sentence; "" where it is known."""
    text, facts = contributors(study) or ("", {})
    return written(text, facts)


def _range(question, table, params, study):
    """The least and the most that the figure may be, whoever of those in doubt contributed: a template and its facts;
    None where both are written alike."""
    row = QUESTIONS[question]
    if not row.figure or study.pooling.how != "inferred":
        return None
    figures = [row.figure(table)]
    for possible in uncertain_contributors.possible_studies(study):
        figures += _figures(row, possible, params)
    figures = [figure for figure in figures if known(figure)]
    if not figures:
        return None
    names = re.findall(r"{(\w+)", row.figure_range)
    least, most = (dict.fromkeys(names, end(figures)) for end in (min, max))
    if written(row.figure_range, least) == written(row.figure_range, most):
        return None
    ends = min(figures), max(figures)
    if row.figure_margin:  # of a count
        ends = math.floor(ends[0] * (1 - row.figure_margin)), math.ceil(ends[1] * (1 + row.figure_margin))
    return IN_DOUBT + row.figure_range, dict(zip(names, ends, strict=True))


def _figures(row, study, params):
    """The figure of a study, none where the question is refused. A list."""
    try:
        answer = (row.figured or row.function)(study, **params)
    except ValueError:
        return []
    return [row.figure(answer[0] if isinstance(answer, tuple) else answer)]
