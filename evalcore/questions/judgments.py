"""Judgments: can they be trusted? Topics, the pool and its holes, and single judgments that look wrong."""

import numpy as np
import pandas as pd

from evalcore.checking.suspect_judgments import SUSPECTS, flags, holders, judged_by_nobodys_run, reason
from evalcore.collection import pool_inference
from evalcore.collection.track import EMPTY
from evalcore.pooling import pool_bias
from evalcore.questions.corrections import WEBBER_PARK
from evalcore.questions.question import Question
from evalcore.questions.requirements import pool_known
from evalcore.questions.table_helpers import documents, of_systems, share_of
from evalcore.questions.table_notes import gaps
from evalcore.study import study_pool
from evalcore.study.evaluation import relevant_retrieved
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name, indices_of
from evalcore.vocabulary.sentences import digits, known
from evalcore.vocabulary.validation import EQUAL


def judgment_health(study: Study) -> tuple[pd.DataFrame, list[str]]:
    """Judged and relevant documents of each topic, by grade, with estimates of missing relevant documents and warnings.

    coverage : the estimated share of relevant documents that the pool has found, weighted by occurrences in the
        contributing runs' top ranks
    still_missing : by the estimate of [CL92], beyond those known that a run of the track retrieved
    Both need a known pool depth, with more than one document per ranking.
    """
    judgments, scale, topics = study.judgments, study.judgments.scale, study.judged_topics
    judged, relevant = judgments.count(scale.judged)[topics], judgments.relevant[topics]
    levels = zip(scale.grades, np.eye(len(scale.judged), dtype=bool)[1:], strict=True)
    by_grade = {f"grade_{grade}": judgments.count(level)[topics] for grade, level in levels}
    expected = covered = np.full(len(topics), np.nan)
    untold = why_no_estimate(study)
    if not untold:
        retrieved_by_all = relevant_retrieved(study.at(), 0)
        expected, covered = retrieved_by_all.expected, retrieved_by_all.covered
        # where the end of a topic's pool is unknown, its top ranks show nothing
        pooled = study.pooling.depth_of_topic[topics] > 0
        expected, covered = (np.where(pooled, values, np.nan) for values in (expected, covered))
    retrieved = judgments.only(~study.track.among(judged_by_nobodys_run(study))).relevant[topics]
    nobody_met = "if no contributing run has a relevant document in its top ranks, or the topic's pool depth is unknown"
    table = pd.DataFrame(
        {
            "topic": study.judged_topic_names,
            "judged": judged,
            "relevant": relevant,
            **by_grade,
            "share_relevant": share_of(relevant, judged),
            "coverage": covered,
            "still_missing": np.maximum(expected - retrieved, 0),
            "flags": list(map(flags, judged, relevant)),
        }
    )
    return table, gaps(
        table,
        share_relevant="if nothing is judged",
        coverage=untold or nobody_met,
        still_missing=untold
        or "if no relevant document was found twice, so that missing ones cannot be estimated, or the topic's pool "
        "depth is unknown",
    )


def why_no_estimate(study: Study) -> str:
    """Why missing relevant documents cannot be estimated from this pool; "" if they can."""
    if not study.whole.pooled.any():
        return "because no system is known to have contributed to the pool"
    if study.pooling.how == "assumed":
        return "because the files do not show which systems contributed to the pool"
    if not study.pooling.depth_known:
        return "because the files do not show the pool depth"
    return "because a pool of depth 1 does not allow an estimate" if study.depth == 1 else ""


def pool_audit(study: Study, *, order: str | None = None) -> tuple[pd.DataFrame, list[str]]:
    """Which runs seem to have contributed to the pool, inferred from the files, and how many holes they have.

    order : of the runs; None = the order from which the pool is assumed to be formed
    holes : down to the depth of each topic's pool, in the pool's order of runs; in the other order, down to the depths
        that it shows
    """
    own = study.pooling.order
    order = order or own
    by = {name: study.ordered_by(name) for name in ("score", "rank")}
    shown = _shown(study, order)
    systems_at = indices_of(study.systems, study.whole.systems, "system")
    looks = shown and shown[0][systems_at]
    pooling = shown[1] if shown and order != own else study.pooling
    brought = _brought_alone(study)
    missing = np.bincount(_holes(study, by[order].track, pooling.depth_of_topic)[0], minlength=len(study.systems))
    table = of_systems(study).assign(
        looks_pooled=False if looks is None else looks,
        probability=_probability(shown, study)[systems_at],
        depth_by_score=study_pool.depth_of_system(by["score"]),
        depth_by_rank=study_pool.depth_of_system(by["rank"]),
        holes=missing if pooling.known else np.nan,
        unique_judged=brought[0] if study.pooling.known else np.nan,
        unique_relevant=brought[1] if study.pooling.known else np.nan,
    )
    why = "because the files do not show which documents were pooled"
    unknown = dict.fromkeys(("probability", "holes", "unique_judged", "unique_relevant"), why)
    return table, [*_audited(table, looks, study), *_unheld_notes(study), *gaps(table, **unknown)]


def _probability(shown, study):
    """That each system of the whole track contributed, by the files; 0 of those fused here. float (S,)"""
    probability = np.full(len(study.whole.systems), np.nan)
    if shown and shown[1].probability is not None:
        probability[:] = 0
        probability[: len(shown[1].probability)] = shown[1].probability  # fused systems come last
    return probability


def _brought_alone(study):
    """How many judged documents, and relevant ones, each system looked at alone brought into the pool. Two int (S,)."""
    owner = pool_bias.sole_owners(pool_bias.tops(study, None), np.flatnonzero(study.whole.pooled))
    owned, level, scale = owner != pool_bias.NOBODY, study.judgments.level, study.judgments.scale
    systems_at = indices_of(study.systems, study.whole.systems, "system")
    return [
        np.bincount(owner[owned & counts[level]], minlength=len(study.whole.systems))[systems_at]
        for counts in (scale.judged, scale.relevant)
    ]


def _shown(study, order):
    """Who looks pooled by the order of scores or of ranks, bool (S,) of the whole track, and the pooling that shows it;
    None where nothing does. Runs that were fused here were not there to be pooled."""
    if pool_inference.relevant_only(study.whole_judgments):
        return None
    whole = study.whole_by(order)
    fused = [recipe["name"] for recipe in study.scope.get("with_fused", ())]
    made_here = np.isin(whole.systems, fused)
    if study.pooling.probability is not None and order == study.pooling.order and study.options["pool_depth"] is None:
        return whole.pooled & ~made_here, study.pooling
    own = whole.only(np.flatnonzero(~made_here), np.arange(whole.shape[1]))
    shown = pool_inference.from_files(pool_inference.leads_of(own, study.whole_judgments), own.systems)
    if shown is None:
        return None
    looks = np.zeros(len(whole.systems), bool)
    looks[~made_here] = shown[0]
    return looks, shown[1]


def _audited(table, looks, study):
    """What the audit found, in words; what is wrong with who contributed only where somebody said who did."""
    if looks is None:
        return [
            f"The files do not show which systems contributed: {pool_inference.why_not_shown(study.whole_judgments)}."
        ]
    notes = ["Runs whose documents all happen to be judged look like contributing ones (`looks_pooled`)."]
    if study.pooling.how != "named":
        return notes
    for words, pooled in (
        ("Systems marked as not pooled, but judged like pooled ones", False),
        ("Systems marked as pooled, but not judged like the others", True),
    ):
        odd = table["system"][(table["pooled"] == pooled) & (table["looks_pooled"] != pooled)]
        notes += [f"{words}: {', '.join(odd)}."] if len(odd) else []
    return notes


def _unheld_notes(study):
    count = len(judged_by_nobodys_run(study))
    return [f"{digits(count, 'judged document is', 'judged documents are')} in no run of the track."] if count else []


def holes(study: Study, *, depth: int | None = None) -> pd.DataFrame:
    """Every unjudged document of a contributing run down to the pool depth, which should have been judged.

    depth : None = the study's pool depth. A row for each run that has the document
    """
    pool_known(study, depth)
    depths = np.full(len(study.track.topics), depth) if depth else study.pooling.depth_of_topic
    system, items, rank = _holes(study, study.ordered_by(study.pooling.order).track, depths)
    order = np.lexsort((system, study.track.name_order[items], rank, study.track.topic_of_item[items]))
    systems = np.array(study.systems, object)[system[order]]
    return documents(study, items[order]).assign(system=systems, rank=rank[order] + 1)


def _holes(study, track, depth_of_topic):
    """What pools of these depths should have held and is not judged: the systems, the items and their best ranks there,
    from 0. Three int arrays."""
    looked_at = np.isin(track.topic_of_query, study.judged_topics) & track.pooled[:, None]
    top = track.items[:, :, : depth_of_topic.max(initial=0)]
    inside = np.arange(top.shape[2]) < depth_of_topic[track.topic_of_query][:, None]
    unjudged = ~study.judgments.scale.judged[study.judgments.level[top]] & (top != EMPTY) & inside
    system, query, rank = np.nonzero(unjudged & looked_at[:, :, None])
    holes = pd.DataFrame({"system": system, "item": top[system, query, rank], "rank": rank})
    best = holes.groupby(["system", "item"], as_index=False)["rank"].min()
    return [best[name].to_numpy() for name in best]


def unretrieved(study: Study) -> pd.DataFrame:
    """Judged documents that no run of the track retrieved."""
    items = judged_by_nobodys_run(study)
    items = items[np.argsort(study.track.name_order[items])]
    return documents(study, items).assign(grade=study.judgments.grade[items])


def suspects(
    study: Study, *, kind: str = "all", top: int | None = 50, k: int = 10, metric: str = WEBBER_PARK
) -> tuple[pd.DataFrame, list[str]]:
    """Judgments that look wrong, in three kinds.

    Not relevant, although most good systems rank the document at the top; relevant, although only a poor system
    retrieved it; relevant in only one of the two sets of judgments
    kind : one of these, or "all" of them, contradictions where there is a second qrels
    k : the depth of the top. A good system has at least the median score.
    """
    kinds = SUSPECTS if kind == "all" else {kind: SUSPECTS[kind]}
    if kind == "contradiction":
        _ = study.judged_by_other  # an error without a second qrels
    good, tables = _good(study, metric), []
    for name, find in kinds.items():
        items, systems, mean_rank = (values[:top] for values in find(study, good, k))
        part = documents(study, items).assign(grade=study.judgments.grade[items], systems=systems, mean_rank=mean_rank)
        against = zip(items, systems, mean_rank, strict=True)
        reasons = [reason(study, item, name, count, rank, k) for item, count, rank in against]
        tables.append(part.assign(reason=reasons, kind=name))
    table = pd.concat([part for part in tables if len(part)] or tables[:1], ignore_index=True)
    return table, gaps(table, mean_rank=f"for documents that no system ranks in its top {k}")


def popular_among_good(study: Study, metric: str, k: int) -> int:
    """How many judged documents more than half of the good systems rank in their top k."""
    judged = study.judgments.scale.judged[study.judgments.level]
    good = _good(study, metric)
    return int((2 * holders(study, np.flatnonzero(good), judged, k)[0] > good.sum()).sum())


def _good(study, metric):
    """Which systems' mean scores are at least the median one. bool (S,)."""
    means = study.mean(study.at().values(metric))
    return means >= pd.Series(means).median() - EQUAL


def _still_missing(health):
    """How many relevant documents may be missing; NaN where no topic allows an estimate."""
    missing = health["still_missing"].sum(min_count=1)
    return round(missing) if known(missing) else np.nan


def count_of_holes(holes: pd.DataFrame) -> int:
    return len(holes.drop_duplicates(["topic", "document"]))


QUESTIONS = by_name(
    Question(
        "judgment_health", judgment_health, section="6.5", of_pool=True, figure=_still_missing,
        figure_range="the number of missing relevant documents may be {missing_from}–{missing_to}.", figure_margin=0.05,
        columns="topic judged relevant share_relevant coverage still_missing flags",
    ),
    Question(
        "pool_audit", pool_audit, section="13.3", needs_judgments=False, of_pool=True,
        figure=lambda audit: audit["unique_relevant"].sum(min_count=1),
        figured=lambda study, **_: pd.DataFrame({"unique_relevant": _brought_alone(study)[1]}),
        figure_range="{single_from}–{single_to} relevant documents were contributed by one system only.",
        columns="system group pooled looks_pooled probability depth_by_score depth_by_rank holes unique_judged "
        "unique_relevant",
    ),
    Question(
        "holes", holes, section="13.3", of_pool=True, columns="topic document system rank",
    ),
    Question("unretrieved", unretrieved, section="13.3", columns="topic document grade"),
    Question(
        "suspects", suspects, section="13.4", files=("other",),
        columns="topic document grade systems mean_rank reason kind",
    ),
)  # fmt: skip
