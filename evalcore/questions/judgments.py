"""Judgments: can they be trusted? Topics, the pool and its holes, and single judgments that look wrong."""

import numpy as np
import pandas as pd

from evalcore import checks, pool, pool_bias
from evalcore.comparing import orderings
from evalcore.names import by_name, indices_of
from evalcore.questions.corrections import WEBBER_PARK
from evalcore.questions.cuts import contributed
from evalcore.questions.notes import gaps
from evalcore.questions.question import Question
from evalcore.questions.tables import documents, of_systems, share_of
from evalcore.reading.naming import counted
from evalcore.sentences import Sentence, joined, known
from evalcore.track import EMPTY


def judgment_health(study):
    """How many documents of each topic are judged and relevant, grade by grade, how much of what is relevant the pool
    has come upon, and what looks odd.

    grade_0, grade_1, ... : how many documents have that grade
    coverage : the share of all occurrences of relevant documents in the contributing runs' top ranks, met or not, that
        those met account for; still_missing : how many relevant documents there may be, by the estimate of [CL92],
        beyond those known that a run of the track retrieved
    """
    judgments, scale, topics = study.judgments, study.judgments.scale, study.judged_topics
    judged, relevant = judgments.count(scale.judged)[topics], judgments.relevant[topics]
    levels = zip(scale.grades, np.eye(len(scale.judged), dtype=bool)[1:], strict=True)
    by_grade = {f"grade_{grade}": judgments.count(level)[topics] for grade, level in levels}
    met = [evidence.coverage for _, evidence in study.at().evidence()] if study.whole.pooled.any() else []
    expected = np.array([one.expected for one in met] or np.full(len(topics), np.nan))
    nobodys = np.zeros(study.track.size, bool)
    nobodys[checks.judged_by_nobodys_run(study)] = True
    retrieved = judgments.only(~nobodys).relevant[topics]
    table = pd.DataFrame(
        {
            "topic": [study.track.topics[topic] for topic in topics],
            "judged": judged,
            "relevant": relevant,
            **by_grade,
            "share_relevant": share_of(relevant, judged),
            "coverage": [one.covered for one in met] or np.nan,
            "still_missing": np.maximum(expected - retrieved, 0),
            "flags": [checks.flags(*of_topic) for of_topic in zip(judged, relevant, strict=True)],
        }
    )
    return table, gaps(
        table,
        share_relevant="where nothing is judged",
        coverage="where no contributing run has a relevant document in its top ranks"
        if study.whole.pooled.any()
        else "for nobody is known to have contributed to the pool",
        still_missing="where no relevant document was met twice, so that nothing can be said of those not met",
    )


def pool_audit(study, *, order=None):
    """Which runs the pool seems to have been formed of, from the files alone, and where it has holes.

    pooled : who contributed, as the study takes it; looks_pooled : who seems to have, by the audited depths
    depth_by_score, depth_by_rank : how deep a run is judged without a gap, by its scores and by its rank column
    holes : documents of a contributing run, down to the study's depth, that are not judged
    unique_judged, unique_relevant : documents that it alone brought into the pool, in the study's order
    order : "score" or "rank"; by default the study's
    """
    own = study.options["order"]
    order = own if order is None else order
    depths = {name: study.audited if name == own else study.audited_in_other_order for name in ("score", "rank")}
    narrowed = study.whole is not study.track
    of_all = pool.audited_depths(study.whole_ordered_by(order), study.whole_judgments) if narrowed else depths[order]
    of_pool = pool.contributing(of_all)
    here = indices_of(study.systems, study.whole.systems, "system")
    looks = None if of_pool is None else of_pool[here]
    deepest = study.depth if order == own or of_pool is None else max(1, int(np.median(of_all[of_pool])))
    unjudged = _holes(study, study.track_ordered_by(order), deepest)
    owner = pool_bias.sole_owners(pool_bias.tops(study, None), np.flatnonzero(study.whole.pooled))
    owned, scale = owner != pool_bias.NOBODY, study.judgments.scale
    brought = {
        name: np.bincount(owner[owned & table[study.judgments.level]], minlength=len(study.whole.systems))[here]
        for name, table in (("judged", scale.judged), ("relevant", scale.relevant))
    }
    table = of_systems(study).assign(
        looks_pooled=False if looks is None else looks,
        depth_by_score=depths["score"],
        depth_by_rank=depths["rank"],
        holes=np.bincount(unjudged[0], minlength=len(study.systems)),
        unique_judged=brought["judged"],
        unique_relevant=brought["relevant"],
    )
    return table, [*_audited(table, looks), *_unheld_notes(study)]


def _audited(table, looks):
    """What the audit found, in words."""
    if looks is None:
        return ["The files do not show who contributed: too few runs are judged to any common depth."]
    runs = counted(len(looks), "run looks", "runs look")
    notes = [
        f"{looks.sum()} of {runs} pooled: the files alone cannot tell a pooled run from one whose documents all happen "
        "to be judged."
    ]
    others = table[table["looks_pooled"] & ~table["pooled"]]["system"].tolist()
    if others:
        notes.append(f"Not pooled, though judged as if they were: {', '.join(others)}.")
    missed = table[~table["looks_pooled"] & table["pooled"]]["system"].tolist()
    if missed:
        notes.append(f"Pooled, though not judged as the others are: {', '.join(missed)}.")
    return notes


def _unheld_notes(study):
    count = len(checks.judged_by_nobodys_run(study))
    return [f"{counted(count, 'judged document is', 'judged documents are')} in no run of the track."] if count else []


def holes(study, *, depth=None):
    """Every document of a contributing run, down to a pool depth, that should have been judged and is not.

    depth : None = the study's pool depth. A row for each run that has the document
    """
    contributed(study)
    system, items, rank = _holes(study, study.track, depth or study.depth)
    order = np.lexsort((system, study.track.name_order[items], rank, study.track.topic_of_item[items]))
    systems = np.array(study.systems, object)[system[order]]
    return documents(study, items[order]).assign(system=systems, rank=rank[order] + 1)


def _holes(study, track, depth):
    """What a pool of that depth should have held and is not judged: the system, the item and the best rank, from 0,
    that it has there. Three int arrays."""
    looked_at = np.isin(track.topic_of_query, study.judged_topics) & track.pooled[:, None]
    top = track.items[:, :, :depth]
    unjudged = ~study.judgments.scale.judged[study.judgments.level[top]] & (top != EMPTY)
    system, query, rank = np.nonzero(unjudged & looked_at[:, :, None])
    items = top[system, query, rank]
    best_first = np.argsort(rank, kind="stable")
    _, first = np.unique((system * track.size + items)[best_first], return_index=True)
    each = best_first[first]
    return system[each], items[each], rank[each]


def unretrieved(study):
    """The judged documents that no run of the track retrieved."""
    items = checks.judged_by_nobodys_run(study)
    items = items[np.argsort(study.track.name_order[items])]
    return documents(study, items).assign(grade=study.judgments.grade[items])


def suspects(study, *, kind="all", top=50, k=10, metric=WEBBER_PARK, other=None):
    """Judgments that look wrong: not relevant though most good systems rank the document at the top; relevant though
    only a poor system holds it; relevant to one of two sets of judgments and not to the other.

    kind : "not relevant", "relevant", "contradiction", or "all" of them, contradictions where there is a second qrels
    top : how many of a kind, None = all; k : how many ranks are the top
    systems, mean_rank : how many systems speak against the judgment, and where they rank the document
    A good system's mean score is at least the median one.
    """
    kinds = checks.SUSPECTS if kind == "all" else {kind: checks.SUSPECTS[kind]}
    if kind == "contradiction":
        _ = study.judged_by_other  # an error without a second qrels
    means = study.mean(study.at().values(metric))
    scored = means[~np.isnan(means)]
    good = means >= (np.median(scored) if len(scored) else 0) - orderings.EQUAL
    tables = []
    for name, find in kinds.items():
        items, systems, mean_rank = (values[:top] for values in find(study, good, k))
        reason = [
            checks.reason(study, item, name, *said, k) for item, *said in zip(items, systems, mean_rank, strict=True)
        ]
        one = documents(study, items).assign(
            grade=study.judgments.grade[items], systems=systems, mean_rank=mean_rank, reason=reason, kind=name
        )
        tables.append(one)
    table = pd.concat([one for one in tables if len(one)] or tables[:1], ignore_index=True)
    return table, gaps(table, mean_rank=f"for documents that no system ranks in its top {k}")


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _missing(health, asked, study):
    """How many relevant documents may be missing, and how many topics have none."""
    if not health["judged"].sum():
        return Sentence("Nothing is judged, so there is nothing to trust or to doubt.")
    estimate = health["still_missing"].sum(min_count=1)
    if not known(estimate):
        missing = "How many relevant documents may still be missing cannot be estimated"
    elif not round(estimate):
        missing = "No relevant document seems to be missing"
    else:
        missing = Sentence("About {missing:digits relevant document} may still be missing", missing=round(estimate))
    without = int((health["relevant"] == 0).sum())
    bare = Sentence("{without:count topic} {without:verb has/have} nothing relevant", without=without)
    return joined(missing, bare if without else None, end=".")


def _looks(audit, asked, study):
    """Who seems to have been pooled, how deep, and who of them was not."""
    some, systems = audit[audit["looks_pooled"]], len(audit)
    if not len(some):
        return Sentence("The files do not show of any system that it was pooled.")
    who = Sentence("{systems:Everyone} {systems:verb looks/look} pooled", systems=systems)
    if len(some) < systems:
        text = "{looks:number} of {systems:digits system} {looks:verb looks/look} pooled"
        who = Sentence(text, looks=len(some), systems=systems)
    depths = some[f"depth_by_{asked['order'] or study.options['order']}"]
    deepest, least = int(depths.max()), int(depths.min())
    down = Sentence("{deepest:number}", deepest=deepest)
    if least < deepest:
        down = Sentence("{least:number} to {deepest:number}", least=least, deepest=deepest)
    others = list(some.loc[~some["pooled"], "system"])
    text = "{others:listed} " + ("was" if len(others) == 1 else "were") + " not pooled"
    told = joined(who, joined("judged without a gap down to rank", down, by=" "), by=", ")
    beware = "Files cannot tell a pooled system from one whose documents all happen to be judged"
    return joined(joined(told, Sentence(text, others=others) if others else None), beware, by=". ", end=".")


def _left_out(holes, asked, study):
    """How many documents the pool should have held and nobody judged."""
    count = len(holes.drop_duplicates(["topic", "document"]))
    text = "Down to rank {depth:number} the pool has {holes:count hole}"
    if count:
        text += ", {holes:verb a document/documents} that a contributing system ranks there and nobody judged"
    return Sentence(f"{text}.", depth=asked["depth"] or study.depth, holes=count)


def _in_no_run(unretrieved, asked, study):
    """How many judged documents no run holds, and how many of them are relevant."""
    count = len(unretrieved)
    if not count:
        return Sentence("Every judged document is in some run of the track.")
    relevant = int((unretrieved["grade"] >= study.options["rel_level"]).sum())
    text = "{documents:Count judged document} {documents:verb is/are} in no run of the track; {relevant:many} relevant."
    return Sentence(text, documents=count, relevant=relevant)


ENOUGH_SYSTEMS = 10  # fewer cannot be called as witnesses against a judgment
AGAINST = {
    "not relevant": (
        "rejected",
        "{rejected:Count document} that most good systems rank {place} {rejected:verb was/were} judged not relevant",
    ),
    "relevant": ("lone", "{lone:Count document} that a single poor system has {lone:verb was/were} judged relevant"),
    "contradiction": (
        "contradicted",
        "{contradicted:Count document} {contradicted:verb is/are} relevant to one of the two sets of judgments only",
    ),
}


def _suspected(suspects, asked, study):
    """How many judgments look wrong, kind by kind; where few systems could speak against them, how few."""
    kinds, systems, told = list(AGAINST) if asked["kind"] == "all" else [asked["kind"]], len(study.systems), []
    if systems < ENOUGH_SYSTEMS and kinds != ["contradiction"]:
        text = "{systems:Count system} {systems:verb is/are} too few to suspect single judgments"
        kinds, told = [kind for kind in kinds if kind == "contradiction"], [Sentence(text, systems=systems)]
    for kind in kinds:
        count = int((suspects["kind"] == kind).sum())
        if count or kind in ("not relevant", asked["kind"]):
            told.append(_against(kind, count, asked["k"], at_least=count == asked["top"]))
    return joined(*told, by=". ", end=".")


def _against(kind, count, k, *, at_least):
    """How many judgments of one kind look wrong. at_least : whether there may be more"""
    name, text = AGAINST[kind]
    facts = {name: count} | ({"k": k} if "{place}" in text and k > 1 else {})
    text = text.replace("{place}", "in their first {k:small}" if k > 1 else "first")
    return Sentence("At least " + text.replace("Count", "count") if at_least else text, **facts)


QUESTIONS = by_name(
    Question("judgment_health", judgment_health, finding=_missing),
    Question("pool_audit", pool_audit, finding=_looks),
    Question("holes", holes, finding=_left_out),
    Question("unretrieved", unretrieved, finding=_in_no_run),
    Question("suspects", suspects, finding=_suspected),
)
