"""Judgments: can they be trusted, what does a second set of them change, and what should be judged next?"""

import numpy as np
import pandas as pd

from evalcore import checks, pool, pool_bias
from evalcore import judging_orders as judging
from evalcore.comparing import agreement as agree
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.questions.comparisons import orderings_agree
from evalcore.questions.newcomers import WEBBER_PARK
from evalcore.questions.tidy import (
    checked_count,
    checked_seed,
    contributed,
    gaps,
    listed,
    of_systems,
    only_one_judges,
    share_of,
)
from evalcore.reading.naming import counted
from evalcore.study import checked_threshold, indices_of
from evalcore.track import EMPTY

CHECKPOINTS = 20


def judgment_health(study):
    """How many documents of each topic are judged and relevant, grade by grade, how much of what is relevant the pool
    has come upon, and what looks odd.

    grade_0, grade_1, ... : how many documents have that grade
    coverage : the share of all occurrences of relevant documents in the contributing runs' top ranks, met or not, that
        those met account for; still_missing : how many relevant documents there may be, by Chao & Lee's estimate (JASA
        1992), beyond those known that a run of the track retrieved
    """
    judgments, scale = study.judgments, study.judgments.scale
    topics = study.judged_topics
    judged, relevant = judgments.count(scale.judged)[topics], judgments.relevant[topics]
    by_grade = {}
    for level, grade in enumerate(scale.grades, 1):
        of_level = np.zeros(len(scale.judged), bool)
        of_level[level] = True
        by_grade[f"grade_{grade}"] = judgments.count(of_level)[topics]
    met = [evidence.coverage for _, evidence in study.evidence()] if study.whole.pooled.any() else []
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
    found = pool.contributing(of_all)
    looks = None if found is None else found[indices_of(study.systems, study.whole.systems, "system")]
    deepest = study.depth if order == own or found is None else max(1, int(np.median(of_all[found])))
    unjudged = _holes(study, study.track_ordered_by(order), deepest)
    alone = pool_bias.sole_owners(pool_bias.tops(study, None), np.flatnonzero(study.whole.pooled))
    row = {name: s for s, name in enumerate(study.whole.systems)}
    here = [row[name] for name in study.systems]
    brought = {
        name: np.bincount(alone[np.flatnonzero((alone >= 0) & table[study.judgments.level])], minlength=len(row))[here]
        for name, table in (("judged", study.judgments.scale.judged), ("relevant", study.judgments.scale.relevant))
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
    d = checked_threshold("depth", depth) or study.depth
    system, items, rank = _holes(study, study.track, d)
    order = np.lexsort((system, study.track.name_order[items], rank, study.track.topic_of_item[items]))
    systems = np.array(study.systems, object)[system[order]]
    return _documents(study, items[order]).assign(system=systems, rank=rank[order] + 1)


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
    return _documents(study, items).assign(grade=study.judgments.grade[items])


def _documents(study, items):
    topics = np.array(study.track.topics, object)[study.track.topic_of_item[items]]
    return pd.DataFrame({"topic": topics, "document": study.track.documents(items)})


def suspects(study, *, kind="all", top=50, k=10, metric=WEBBER_PARK, other=None):
    """Judgments that look wrong: not relevant though most good systems rank the document at the top; relevant though
    only a poor system holds it; relevant to one of two sets of judgments and not to the other.

    kind : "not relevant", "relevant", "contradiction", or "all" of them, contradictions where there is a second qrels
    top : how many of a kind, None = all; k : how many ranks are the top
    systems, mean_rank : how many systems speak against the judgment, and where they rank the document
    A good system's mean score is at least the median one.
    """
    kinds = checks.SUSPECTS if kind == "all" else {kind: checks.SUSPECTS.get(kind)}
    if None in kinds.values():
        raise ValueError(f"kind={kind!r} is not known. Known: all, {', '.join(checks.SUSPECTS)}.")
    if kind == "contradiction":
        _ = study.judged_by_other  # an error without a second qrels
    k, top = checked_count("k", k), top if top is None else checked_count("top", top)
    means = study.mean(study.values_under(study.judgments, metric))
    good = means >= np.nanmedian(means) - orderings.EQUAL
    tables = []
    for name, find in kinds.items():
        items, systems, mean_rank = (values[:top] for values in find(study, good, k))
        reason = [
            checks.reason(study, item, name, *said, k) for item, *said in zip(items, systems, mean_rank, strict=True)
        ]
        one = _documents(study, items).assign(
            grade=study.judgments.grade[items], systems=systems, mean_rank=mean_rank, reason=reason, kind=name
        )
        tables.append(one)
    table = pd.concat([one for one in tables if len(one)] or tables[:1], ignore_index=True)
    return table, gaps(table, mean_rank=f"for documents that no system ranks in its top {k}")


# ---------------------------------------------------------------------------------------------------------------------
# Two sets of judgments


def agreement(study, *, other=None, rel_level=None, weights="linear"):
    """How far a second set of judgments agrees with the study's: topic by topic, then `all` documents together.

    both : documents that both judge; first_alone, second_alone : that one of them judges; same : with the same grade
    kappa : Cohen's; kappa_weighted with a disagreement worth the difference of the grades (weights="linear") or its
        square ("quadratic"); alpha : Krippendorff's, ordinal
    overlap_relevant : the share of what either finds relevant that both do; shift : other's grade less the study's
    rel_level : a grade from which both are read as relevant, and compared as relevant or not; None = grades are
        compared, unless the second qrels has a level of its own, and overlap_relevant is at the study's
    """
    first, second, topic = _judged_by_both(study)
    own, named = study.options["rel_level"] if rel_level is None else rel_level, study.options["other_rel_level"]
    if isinstance(own, bool) or not isinstance(own, int):
        raise ValueError(f"rel_level={rel_level!r} cannot be; it is a whole number, such as 1.")
    relevant = first >= own, second >= (own if named is None else named)
    by_grade = rel_level is None and named is None
    read = (first, second) if by_grade else tuple(one.astype(int) for one in relevant)
    highest = [_grades_judged(one).max() for one in (study, study.judged_by_other)]
    classes = np.union1d(*read)
    apart = agree.nominal(classes), agree.weighted(classes, weights)
    by_topic = [(study.track.topics[t], np.flatnonzero(topic == t)) for t in np.unique(topic)]
    alone = [_judged_alone(study, study.judged_by_other), _judged_alone(study.judged_by_other, study)]
    rows = []
    for name, these in [*by_topic, ("all", np.arange(len(topic)))]:
        counts = agree.confusion(*(one[these] for one in read), classes)
        rows.append(
            {
                "topic": name,
                "both": len(these),
                "same": int(np.trace(counts)),
                "kappa": agree.kappa(counts, apart[0]),
                "kappa_weighted": agree.kappa(counts, apart[1]),
                "alpha": agree.alpha(np.stack([one[these] for one in read])),
                "overlap_relevant": agree.overlap(*(one[these] for one in relevant)),
                "shift": float((second[these] - first[these]).mean()),
                "first_alone": alone[0][name],
                "second_alone": alone[1][name],
            }
        )
    table = pd.DataFrame(rows)
    notes = [*only_one_judges(study)]
    if by_grade and highest[0] != highest[1]:
        notes.append(
            f"Grades go up to {highest[0]} in the first qrels and to {highest[1]} in the second, and are compared as "
            "they are. Where the second finds documents relevant from another grade on, say so (other_rel_level)."
        )
    elif not relevant[1].any():
        notes.append("The second qrels finds nothing relevant from that grade on; name another (other_rel_level).")
    constant = "where both give all documents one and the same grade"
    reasons = {"kappa": constant, "kappa_weighted": constant, "alpha": constant}
    return table, [*notes, *gaps(table, **reasons, overlap_relevant="where nothing is relevant")]


def confusion(study, *, other=None):
    """How often each grade of the study's judgments meets each grade of the second set, over what both judge."""
    first, second, _ = _judged_by_both(study)
    grades = np.unique(np.concatenate([_grades_judged(one) for one in (study, study.judged_by_other)]))
    table = pd.DataFrame({"grade": np.repeat(grades, len(grades)), "grade_other": np.tile(grades, len(grades))})
    return table.assign(count=agree.confusion(first, second, grades).ravel())


def agreement_effect(study, *, other=None, metric="RBP(p=0.8)"):
    """Every system's score and rank by the study's judgments and by a second set, over the topics that both judge.

    change : the second score less the first. How far the two orderings agree is said in the notes
    """
    both = study.on_shared_topics
    by_other, metric = both.judged_by_other, metric_named(metric)
    values = [one.mean(one.values_under(one.judgments, metric)) for one in (both, by_other)]
    table = of_systems(study).assign(
        value=values[0],
        value_other=values[1],
        change=values[1] - values[0],
        rank=orderings.ranks(values[0]),
        rank_other=orderings.ranks(values[1]),
        n=both.counted.sum(axis=1),
    )
    notes = [*only_one_judges(study), orderings_agree(both, by_other, metric)]
    return table.sort_values(["rank", "system"], ignore_index=True), notes


def _judged_alone(one, other):
    """topic name, and "all" -> how many of its documents the first study's judgments hold and the second's do not."""
    judged, others = (of.judgments.scale.judged[of.judgments.level] for of in (one, other))
    count = np.bincount(one.track.topic_of_item[judged & ~others], minlength=len(one.track.topics))
    return dict(zip(one.track.topics, count.tolist(), strict=True)) | {"all": int(count.sum())}


def _grades_judged(study):
    """The grades that are judgments, ascending."""
    scale = study.judgments.scale
    return np.array(scale.grades, int)[scale.judged[1:]]


def _judged_by_both(study):
    """The grades that the two sets of judgments give what both judge, and its topics. Three int arrays."""
    other = study.judged_by_other.judgments
    both = np.flatnonzero(study.judgments.scale.judged[study.judgments.level] & other.scale.judged[other.level])
    if not len(both):
        shared = np.intersect1d(study.judged_topics, study.judged_by_other.judged_topics)
        raise ValueError(
            "the two qrels have no topic in common; are they of one track?"
            if not len(shared)
            else f"the two qrels judge {counted(len(shared), 'topic', 'topics')} in common, but no document of it."
        )
    return study.judgments.grade[both], other.grade[both], study.judgments.topic_of_item[both]


# ---------------------------------------------------------------------------------------------------------------------
# What to judge


def _with_weights(name, question):
    metric = metric_named(name)
    if not metric.weighted:
        raise ValueError(
            f"{question} needs a metric with a weight for every rank: P, RBP or SDCG. {metric.name} is none."
        )
    return metric


def judge_next(study, *, metric="RBP(p=0.8)", budget=100):
    """The unjudged documents that matter most to the scores, the first to judge first (Moffat, Webber & Zobel, SIGIR
    2007).

    weight : the weight of the ranks that it has, summed over systems; systems : how many hold it
    width_left : the mean width of the systems' intervals once it and those before it are judged
    budget : how many documents; None = all
    """
    metric = _with_weights(metric, "judge_next")
    budget = budget if budget is None else checked_count("budget", budget)
    track = study.track
    weights = metric.weights(track.shape[2])
    weight = judging.weight_of_items(track, weights, study.share_of_topic)
    open_items = ~study.judgments.scale.judged[study.judgments.level]
    open_items &= np.isin(track.topic_of_item, study.judged_topics) & (weight > 0)
    items = np.flatnonzero(open_items)
    items = items[np.lexsort((track.name_order[items], -np.round(weight[items], judging.EQUAL_DIGITS)))][:budget]
    chosen = np.bincount(items, minlength=track.size) > 0
    estimate = study.means(study.estimate(metric))
    topics = study.counted.sum(axis=1)
    scored = topics > 0
    of_mean = study.share_of_topic * (scored / np.maximum(topics, 1) / max(scored.sum(), 1))[:, None]
    narrowed = metric.highest(study.judgments.scale) * judging.weight_of_items(track, weights, of_mean)[items]
    width = float(np.nanmean(estimate.upper - estimate.lower)) if scored.any() else np.nan
    table = pd.DataFrame({"order": np.arange(1, len(items) + 1)})
    documents = _documents(study, items).assign(
        weight=weight[items],
        systems=pool.holders(track.items, chosen)[0][items],
        width_left=np.maximum(width - np.cumsum(narrowed), 0),
    )
    note = "No unjudged document has weight on a judged topic."
    if len(items):
        left = documents["width_left"].iloc[-1]
        note = f"The intervals of {metric.name} are {width:.3f} wide on average; judging these leaves {left:.3f}."
    return pd.concat([table, documents], axis=1), [note]


def judging_orders(
    study,
    *,
    metric="RBP(p=0.8)",
    orders=("depth", "weight", "move-to-front", "bandit-mean", "bandit-beta"),
    budget=None,
    seed=0,
):
    """Had the judgments been made in another order: how many relevant documents so many of them find, and how close the
    ordering of systems then is to that by all judgments (tau).

    orders : see `evalcore.JUDGING_ORDERS`; all have the same documents to judge, those that a contributing run
        retrieved and the qrels judge. budget : how many of them; None = all
    """
    contributed(study)
    listed(orders, "orders", "depth")
    metric, seed = metric_named(metric), checked_seed(seed)
    unknown = [name for name in orders if name not in judging.JUDGING_ORDERS]
    if unknown:
        raise ValueError(f"no order {unknown[0]!r}. Known: {', '.join(judging.JUDGING_ORDERS)}.")
    whole = study.whole
    weighing = metric if metric.weighted else metric_named("RBP(p=0.8)")
    share = 1 / np.bincount(whole.topic_of_query, minlength=len(whole.topics))[whole.topic_of_query]
    share = np.broadcast_to(share, whole.shape[:2])
    weight = judging.weight_of_items(whole, weighing.weights(whole.shape[2]), share, systems=whole.pooled)
    race = judging.race(whole, study.judgments, study.pool_rank, weight)
    n = len(race.candidates)
    if not n:
        raise ValueError("no contributing run retrieved a judged document, so there is nothing to put in order.")
    notes = []
    if budget is not None and checked_count("budget", budget) > n:
        notes.append(f"There are only {n:,} documents to judge, fewer than {budget:,}.")
    budget = n if budget is None else min(budget, n)
    steps = np.unique(np.ceil(np.linspace(0, budget, CHECKPOINTS + 1)[1:]).astype(int))
    full = study.mean(study.values_under(study.judgments, metric))
    tables = []
    for name in orders:
        order = judging.JUDGING_ORDERS[name].function(race, seed)
        reached = np.full(study.track.size, pool.NEVER)
        reached[race.candidates[order]] = np.arange(n)
        scores = study.mean(study.values_as_judged(metric, reached, steps))
        found = np.cumsum(race.relevant[order])
        tables.append(
            pd.DataFrame(
                {
                    "order": name,
                    "judgments": steps,
                    "relevant": found[steps - 1],
                    "tau": [orderings.kendall_tau(full, column) for column in scores.T],
                }
            )
        )
    table = pd.concat(tables, ignore_index=True)
    if not metric.weighted and "weight" in orders:
        notes.append(f"{metric.name} has no weight for a rank; the order weight goes by {weighing.name}.")
    return table, [*notes, *gaps(table, tau="where fewer than two systems have a score")]
