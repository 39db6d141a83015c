"""Assessors: who judged what, how much each calls relevant, drift while judging, and documents judged twice."""

from typing import Any

import numpy as np
import pandas as pd
import scipy

from evalcore.collection import pool
from evalcore.collection.judgments import Scale
from evalcore.questions.judges import judge_named
from evalcore.questions.question import Question
from evalcore.questions.table_helpers import documents as documents_of
from evalcore.questions.table_helpers import share_of
from evalcore.questions.table_notes import gaps
from evalcore.statistics import significance
from evalcore.statistics.panel import agreement_of, panel
from evalcore.study.extra_qrels import scale_of, without_level
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.validation import NotKnown

NONE = (
    "the files do not show who judged what. Load a table with the columns topic and assessor, with "
    "study.with_assessors, --assessors FILE, or on the page Judges."
)
NO_GRADE = "the table of assessors has no grades. Add the columns document and grade, with each assessor's own grade."
NOT_TWICE = "no document is judged twice in the table of assessors. Add all judgments of these documents."
NOT_JUDGED = "no document in the table of assessors is judged. Use the names of the judgments in both."
NO_JUDGE = "where no judge shares documents with the assessor, or both give all of them the same grade"


def table_of(study: Study) -> pd.DataFrame:
    """The study's table of assessors. Raises NotKnown without one."""
    if study.assessors is None:
        raise NotKnown(NONE)
    return study.assessors


def _judgments(study, judge=None):
    """What each assessor judged, in this order. -> DataFrame: assessor, topic, document, grade, whether it is relevant,
    the number of systems that retrieve it, and of a judge the grade, NaN without any, and whether that is relevant

    The grades are the assessors' own where the table has any, else those of the study's judgments.
    """
    given = table_of(study)
    own = "grade" in given
    of = panel(study, names=[judge] if judge else None)
    holders, _ = pool.holders(study.track.items, study.track.among(of.items))
    known = documents_of(study, of.items).assign(systems=holders[of.items], other=np.nan, relevant_other=False)
    if judge:
        known = known.assign(other=of.grades[1], relevant_other=of.relevant[1])
    if not own:
        known = known.assign(grade=of.grades[0], relevant=of.relevant[0])
    rows = (
        given[given["topic"].isin(study.topics)].merge(known, how="left" if own else "inner").dropna(subset=["grade"])
    )
    if own:
        rows = _with_relevance(rows, study.judgments.scale)
        rows = rows.assign(systems=rows["systems"].fillna(0), relevant_other=rows["relevant_other"].eq(True))
    if not len(rows):
        raise ValueError(NOT_JUDGED)
    return rows.reset_index(drop=True)


def _with_relevance(rows, scale):
    """The rows that are judgments on this scale; where all grades are below the lowest relevant one, the highest is."""
    grades, level = np.unique(rows["grade"], return_inverse=True)
    highest = grades.max(initial=0)
    own = Scale(tuple(grades), highest if 0 < highest < scale.rel_level else scale.rel_level, negative=scale.negative)
    return rows.assign(relevant=own.relevant[level + 1])[own.judged[level + 1]]


def assessors(study: Study, *, judge: str | None = None) -> tuple[pd.DataFrame, list[str]]:
    """How much each assessor judged and calls relevant, and the agreement with a judge; the most lenient comes first.

    judged : judgments; popular, share_relevant_popular : of documents that at least half of the systems retrieve
    both, share_relevant_other, kappa, kappa_weighted : with the judge, of what both judge; empty without one
    """
    judge = judge_named(study, judge) if judge or set(study.judges) - set(without_level(study)) else None
    grades = ("relevant", "relevant_other") if judge and scale_of(study, judge) else ("grade", "other")
    rows = []
    for name, of in _judgments(study, judge).groupby("assessor"):
        popular = of["relevant"][2 * of["systems"] >= len(study.systems)]
        shared = of.dropna(subset=["other"])
        columns = (*grades, "relevant", "relevant_other")
        compared = agreement_of(*(shared[column].to_numpy(float) for column in columns))
        rows.append(
            {
                "assessor": name,
                "topics": of["topic"].nunique(),
                "judged": len(of),
                "share_relevant": of["relevant"].mean(),
                "mean_grade": of["grade"].mean(),
                "popular": len(popular),
                "share_relevant_popular": float(share_of(popular.sum(), len(popular))),
            }
            | {column: compared[column] for column in ("both", "share_relevant_other", "kappa", "kappa_weighted")}
        )
    table = pd.DataFrame(rows).sort_values("share_relevant", ascending=False, kind="stable", ignore_index=True)
    return table, gaps(table, kappa=NO_JUDGE, share_relevant_popular="where half of the systems share no document")


def assessors_twice(study: Study) -> tuple[pd.DataFrame, list[str]]:
    """How far every two assessors agree on the documents that both judged; those with most of them come first.

    Needs a table with the assessors' own grades. A pair of one assessor with the same one: judged again, the earlier
    judgment first.
    """
    if "grade" not in table_of(study):
        raise NotKnown(NO_GRADE)
    judged = _judgments(study)
    judged = judged.assign(place=np.arange(len(judged)))
    pairs = judged.merge(judged, on=["topic", "document"])
    first, second = (list(zip(pairs[f"assessor{side}"], pairs[f"place{side}"], strict=True)) for side in ("_x", "_y"))
    pairs = pairs[[a < b for a, b in zip(first, second, strict=True)]]
    if not len(pairs):
        raise ValueError(NOT_TWICE)
    rows: list[dict[str, Any]] = []
    for (a, b), of in pairs.groupby(["assessor_x", "assessor_y"]):
        row = agreement_of(*(of[name].to_numpy() for name in ("grade_x", "grade_y", "relevant_x", "relevant_y")))
        rows.append({"a": a, "b": b} | {column: row[column] for column in TWICE.split()})
    table = pd.DataFrame(rows).sort_values("both", ascending=False, kind="stable", ignore_index=True)
    return table, gaps(table, kappa="where both give all documents the same grade")


def assessor_drift(study: Study, *, level: float = 0.05) -> tuple[pd.DataFrame, list[str]]:
    """Whether each assessor becomes stricter or more lenient: what is relevant in the first half and in the second.

    by : topics, the halves of the assessor's topics (means over topics; Mann-Whitney test); or documents, the halves of
        the documents of each topic (Mantel-Haenszel test), if the table names documents. A middle one is left out
    p_corrected : Holm, over all rows
    """
    judged = _judgments(study)
    kinds = {"topics": _over_topics} | ({"documents": _over_documents} if "document" in table_of(study) else {})
    rows = [
        {"by": by, "assessor": name, "topics": of["topic"].nunique(), "judged": len(of)} | halves(of)
        for by, halves in kinds.items()
        for name, of in judged.groupby("assessor")
    ]
    table = pd.DataFrame(rows)
    table.insert(6, "difference", table["share_second"] - table["share_first"])
    table["p_corrected"] = significance.corrected(table["p"].to_numpy(), "holm")
    return table, gaps(table, p="where there are no two halves, or all documents are relevant or none")


def _over_topics(of):
    shares = of.groupby("topic", sort=False)["relevant"].mean().to_numpy()
    half = len(shares) // 2
    first, second = shares[:half], shares[len(shares) - half :]
    varies = half and np.ptp([*first, *second]) > 0
    return {
        "share_first": float(share_of(first.sum(), half)),
        "share_second": float(share_of(second.sum(), half)),
        "p": float(scipy.stats.mannwhitneyu(first, second).pvalue) if varies else np.nan,
    }


def _over_documents(of):
    in_topic = of.groupby("topic", sort=False)["relevant"]
    place, half = in_topic.cumcount(), in_topic.transform("size") // 2
    size = in_topic.size() // 2
    early, late = (
        (of["relevant"] & part).groupby(of["topic"], sort=False).sum()
        for part in (place < half, place >= in_topic.transform("size") - half)
    )
    return {
        "share_first": float(share_of(early.sum(), size.sum())),
        "share_second": float(share_of(late.sum(), size.sum())),
        "p": significance.stratified_test(early.to_numpy(), late.to_numpy(), size.to_numpy()),
    }


TWICE = "both same kappa kappa_weighted share_relevant share_relevant_other"
QUESTIONS = by_name(
    Question(
        "assessors", assessors, section="13.8", files=("assessors", "other"),
        columns="assessor topics judged share_relevant mean_grade popular share_relevant_popular both "
        "share_relevant_other kappa kappa_weighted",
    ),
    Question("assessors_twice", assessors_twice, section="13.8", files=("assessors",), columns=f"a b {TWICE}"),
    Question(
        "assessor_drift", assessor_drift, section="13.8", files=("assessors",),
        columns="by assessor topics judged share_first share_second difference p p_corrected",
    ),
)  # fmt: skip
