"""The data: systems, topics, and what the checks report."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from evalcore.checking import checks as checks
from evalcore.checking import finding_kinds
from evalcore.collection import pool
from evalcore.collection import ties as tie_orders
from evalcore.questions.question import SMALL, Question
from evalcore.questions.table_helpers import every_ranking, of_systems, share_of
from evalcore.questions.table_notes import gaps
from evalcore.study import study_pool
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name, indices_of


def systems(study: Study) -> tuple[pd.DataFrame, list[str]]:
    """Each system's number of topics and documents, how much of it is judged, and to which depth it seems pooled."""
    track = study.track
    ranked = (track.lengths > 0) & np.isin(track.topic_of_query, study.judged_topics)
    table = of_systems(study).assign(
        probability=_probability(study),
        topics=[len(np.unique(track.topic_of_query[has])) for has in track.lengths > 0],
        documents=track.lengths.sum(axis=1),
        deepest=track.lengths.max(axis=1, initial=0),
        judged_at_10=study.means(study.at().estimate("Judged@10")).value,
        judged_at_100=study.means(study.at().estimate("Judged@100")).value,
        pool_depth=study_pool.depth_of_system(study),
        first_unjudged=_median_ranks(study.at().first_unjudged(), ranked),
        tied=tie_orders.tied_share(study.track),
    )
    unbroken = "for systems without rankings, or with at least half of their rankings fully judged"
    unknown = "because the files do not show which systems contributed to the pool"
    return table, gaps(table, probability=unknown, first_unjudged=unbroken, tied="for systems without documents")


def _probability(study):
    """That each system looked at contributed: certain where that is named, NaN where it is not known. float (S,)"""
    if study.pooling.how == "assumed":
        return np.nan
    inferred = study.pooling.probability
    of_each = study.whole.pooled.astype(float)
    if inferred is not None:
        of_each[: len(inferred)] = inferred  # without systems that were fused here
    return of_each[indices_of(study.systems, study.whole.systems, "system")]


def _median_ranks(first, counted):
    """The median rank from 1 over the rankings counted; one without any unjudged document lies past every rank."""
    rank = pd.DataFrame(np.where(first == pool.NEVER, np.inf, first + 1.0)).where(counted)
    return rank.median(axis=1).replace(np.inf, np.nan)


def topics(study: Study) -> tuple[pd.DataFrame, list[str]]:
    """The number of judged, relevant and pooled documents of each topic."""
    judgments, track = study.judgments, study.track
    looked_at = np.unique(track.topic_of_query)
    judged = judgments.count(judgments.scale.judged)[looked_at]
    relevant = judgments.relevant[looked_at]
    pooled = study_pool.pool_sizes(study)
    counts = {"judged": judged, "relevant": relevant, "share_relevant": share_of(relevant, judged)}
    known = study.pooling.how != "assumed"
    table = pd.DataFrame({"topic": study.topics, **counts, "pool": pooled[looked_at] if known else np.nan})
    return table, gaps(table, pool="because the files do not show which systems contributed to the pool")


def findings(study: Study, *, progress: Callable[[int, int], None] | None = None) -> pd.DataFrame:
    """Problems found in the files, by severity and by the share of scores they may change; and assumptions."""
    table = pd.DataFrame(
        [vars(row) for row in checks.findings(study, progress)],
        columns=["severity", "check", "system", "topic", "count", "message"],
    )
    table["effect"] = finding_kinds.effects(table, study)
    notes = sum(row.severity == "note" for row in study.findings)
    few = np.where(table.index < notes, max(1, checks.OF_FEW * len(study.systems)), 1)
    return table.iloc[np.lexsort(_gravest_first(table, few))].reset_index(drop=True)


def _gravest_first(table, few):
    """What comes first: by the last of these keys, then by the one before. How grave a finding is, the gravest 0; how
    many scores all findings of its check may change, and which check that is; how many it may itself.

    few : int, of how many notes of one check each befell one file alone
    """
    of_kind = table.groupby(["severity", "check"], sort=False)
    note, as_they_are = table["severity"] == "note", table["check"].isin(checks.AS_THEY_ARE)
    usual = note & table["check"].isin(checks.USUAL)
    alone = note & ~usual & ~table["check"].isin(checks.FAINT) & (of_kind["count"].transform("size") <= few)
    gravity = table["severity"].map({"error": 0, "warning": 1, "note": 2}) + 0.5 * (usual | (as_they_are & ~note))
    gravity = gravity.mask(note & ~usual & ~alone, 2.25)  # what befell one file tells more than what many runs are like
    return -table["effect"], of_kind.ngroup(), -of_kind["effect"].transform("sum"), gravity


def judged(study: Study, *, k: int = 100) -> pd.DataFrame:
    """The judged share of the top k for every system and topic; the most judged systems and topics first."""
    share = study.at().estimate(f"Judged@{k}").value
    by_system, by_query = (np.argsort(-share.mean(axis=axis), kind="stable") for axis in (1, 0))
    table = every_ranking(study).assign(k=k, judged=share.ravel())
    rows = np.arange(share.size).reshape(share.shape)[np.ix_(by_system, by_query)]
    return table.iloc[rows.ravel()].reset_index(drop=True)


def first_unjudged(
    study: Study, *, depth: int | None = None, judgments: int | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """How often each rank has a ranking's first unjudged document, for contributing systems and for others.

    [RM10, fig. 1]. A blank rank: rankings without any unjudged document."""
    track = study.track
    first = study.at(depth=depth, judgments=judgments).first_unjudged()
    counted = (track.lengths > 0) & np.isin(track.topic_of_query, study.judged_topics)
    tables = []
    for pooled in (True, False):
        ranks, counts = np.unique(first[(track.pooled == pooled)[:, None] & counted], return_counts=True)
        rank = np.where(ranks == pool.NEVER, np.nan, ranks + 1.0)
        tables.append(pd.DataFrame({"pooled": pooled, "rank": rank, "share": counts / counts.sum()}))
    table = pd.concat(tables, ignore_index=True)
    return table, gaps(table, rank="for the rankings without any unjudged document")


QUESTIONS = by_name(
    Question(
        "systems", systems, section="2.7", needs_judgments=False, of_pool=True,
        columns="system group pooled probability topics documents deepest judged_at_10 judged_at_100 pool_depth "
        "first_unjudged tied",
    ),
    Question(
        "topics", topics, section="13.2", needs_judgments=False,
        columns="topic judged relevant share_relevant pool",
    ),
    Question(
        "findings", findings, section="13.1", needs_judgments=False, long_from=SMALL,
        columns="severity check system topic count message effect",
    ),
    Question("judged", judged, section="3.10", needs_judgments=False, columns="system group pooled topic k judged"),
    Question("first_unjudged", first_unjudged, section="4.4", of_pool=True, columns="pooled rank share"),
)  # fmt: skip
