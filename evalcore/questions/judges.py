"""Judges: how far people and language models agree, what each does to the systems, and what to check next.

The second judgments are those of one judge; the questions about them alone come first.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore.cache import inherit
from evalcore.collection import pool
from evalcore.collection.judgments import NEVER_POOLED, Judgments, Scale
from evalcore.metrics.metrics import metric as metric_named
from evalcore.pooling.checking_orders import ORDERS, separation
from evalcore.questions.orderings import orderings_agree
from evalcore.questions.question import Across, Question
from evalcore.questions.table_helpers import documents as documents_of
from evalcore.questions.table_helpers import mean_of_known, of_systems
from evalcore.questions.table_notes import gaps, only_one_judges
from evalcore.statistics import agreement as agree
from evalcore.statistics import bootstrap, orderings, significance
from evalcore.statistics.panel import DOCUMENTS, agreement_of, panel, scores_of, with_second
from evalcore.study import extra_qrels
from evalcore.study.judge_names import KINDS, REFERENCE
from evalcore.study.study import Study
from evalcore.study.study_data import share_of_topic
from evalcore.vocabulary.registry import by_name, indices_of
from evalcore.vocabulary.sentences import digits, first_of
from evalcore.vocabulary.validation import NotKnown, row_of

NONE = "there are no judges. Load their judgments with study.with_judges, --judge NAME=FILE, or on the Data page."
NO_TOPIC = "the study's judgments and those by {} share no topic. Check that they belong to the same track."
SAME_GRADE = "where both give all documents the same grade, or share none"
UNGRADED = {"kappa_weighted": SAME_GRADE, "alpha": SAME_GRADE, "shift": "where grades are on two scales"}
SAME_SCORE = "where all systems have the same score, or the two share no topic"


def judge_named(study: Study, name: str | None) -> str:
    """The name of a judge; None = the first. NotKnown without any, and for one that waits for its lowest relevant
    grade."""
    if not study.judges:
        raise NotKnown(NONE)
    waits = extra_qrels.without_level(study)
    if name is None:
        name = next((judge for judge in study.judges if judge not in waits), waits[0] if waits else "")
    row_of(study.judges, "judge", name)
    if name in waits:
        raise NotKnown(extra_qrels.choose_level(study, name))
    return name


# ---------------------------------------------------------------------------------------------------------------------
# The second judgments: those of one judge, with a lowest relevant grade of their own

AGREEMENT = (
    "topic both same kappa kappa_weighted alpha relevant relevant_other relevant_both overlap_relevant "
    "shift first_alone second_alone"
)
CONFUSION = "grade grade_other count"


def agreement(
    study: Study, *, rel_level: float | None = None, weights: str = "quadratic"
) -> tuple[pd.DataFrame, list[str]]:
    """How well second judgments agree with the first, by topic, then over `all` documents.

    weights : a disagreement is worth the square of the difference of the grades ("quadratic") or that ("linear")
    alpha : for grades in order; overlap_relevant : at the study's lowest relevant grade where none is named
    rel_level : a grade from which both are read as relevant, and compared as relevant or not; None = grades are
        compared, unless the second qrels has a level of its own
    """
    of, by_grade = _both_judge(study), compares_grades(study, rel_level)
    own, named = study.options["rel_level"] if rel_level is None else rel_level, study.options["other_rel_level"]
    places = of.both(0, 1), of.alone(0, 1), of.alone(1, 0)
    grades = of.grades[:, places[0]]
    relevant = grades >= np.array([[own], [own if named is None else named]])
    read = grades if by_grade else relevant.astype(int)

    def row(name, topics):
        shared, *alone = (np.isin(of.topic[some], topics) for some in places)
        first, second = grades[:, shared]
        compared = agreement_of(*read[:, shared], *relevant[:, shared], classes=np.unique(read), weights=weights)
        compared |= {"alpha": agree.alpha(read[:, shared]), "shift": float((second - first).mean())}
        return {"topic": name, **compared, "first_alone": int(alone[0].sum()), "second_alone": int(alone[1].sum())}

    rows = [row(study.track.topics[topic], topic) for topic in np.unique(of.topic[places[0]])]
    table = pd.DataFrame([*rows, row("all", of.topic)])[AGREEMENT.split()]
    notes, highest = list(only_one_judges(study)), [grades.max() for grades in of.classes]
    if by_grade and highest[0] != highest[1]:
        notes.append(
            f"Grades go up to {highest[0]} in the first qrels and to {highest[1]} in the second, and are compared as "
            "they are. If documents are relevant from another grade on in the second, set that grade (other_rel_level)."
        )
    elif not relevant[1].any():
        notes.append(
            "The second qrels have no relevant document at that grade or above. Set another grade (other_rel_level)."
        )
    constant = dict.fromkeys(("kappa", "kappa_weighted", "alpha"), "if both sets give all documents the same grade")
    return table, [*notes, *gaps(table, **constant, overlap_relevant="if no document is relevant")]


def compares_grades(study: Study, rel_level: float | None) -> bool:
    """Whether `agreement` compares grades, not whether they count as relevant."""
    return rel_level is None and study.options["other_rel_level"] is None


def confusion(study: Study) -> pd.DataFrame:
    """How often each grade of the first judgments coincides with each grade of the second, for documents both judge."""
    grades, counts = _both_judge(study).confusion(0, 1)
    table = pd.DataFrame({"grade": np.repeat(grades, len(grades)), "grade_other": np.tile(grades, len(grades))})
    return table.assign(count=counts.ravel())


def _both_judge(study):
    """The panel of the study's own and its second judgments. ValueError if they have no document in common."""
    of = with_second(study)
    if not len(of.both(0, 1)):
        shared = digits(len(study.on_shared_topics.judged_topics), "topic", "topics")
        raise ValueError(f"the two qrels judge {shared} in common, but share no document.")
    return of


def agreement_effect(study: Study, *, metric: str = "RBP(p=0.8)") -> tuple[pd.DataFrame, list[str]]:
    """Each system's score and rank with the first and with the second judgments, over the topics that both judge.

    change : the second score minus the first. The notes give the agreement of the two orderings
    """
    common, metric = study.on_shared_topics, metric_named(metric)
    means = (judged.mean(judged.at().values(metric)) for judged in (common, common.judged_by_other))
    table = _by_both(study, *means, n=common.counted.sum(axis=1))
    return table, [*only_one_judges(study), orderings_agree(common, common.judged_by_other, metric)]


def _by_both(study, first, second, **columns):
    """Each system's mean score and rank by the study's own judgments (S,) and by others (S,), the best first."""
    ranks = {"rank": orderings.ranks(first), "rank_other": orderings.ranks(second)}
    table = of_systems(study).assign(value=first, value_other=second, change=second - first, **ranks, **columns)
    return table.sort_values(["rank", "system"], ignore_index=True)


def judged_by_one(study: Study) -> int:
    """How many documents only one of the two sets judges, on the topics that both judge."""
    of = with_second(study.on_shared_topics)
    return len(of.alone(0, 1)) + len(of.alone(1, 0))


# ---------------------------------------------------------------------------------------------------------------------
# All judges


def _regraded(study, level):
    """The study with other grades of the same documents. level : of `Judgments`, int (N,)"""
    judgments = replace(study.judgments, level=level)
    regraded = replace(study, judgments=judgments, whole_judgments=judgments)
    return inherit(regraded, study, ["places"], lambda places: places.read_by(judgments))


def judges(study: Study, *, metric: str = "RBP(p=0.8)", shuffled: str | None = None) -> tuple[pd.DataFrame, list[str]]:
    """How far each judge agrees with the study's own judgments, on documents and on the ordering of systems.

    share_relevant, share_relevant_other : by the study's own judgments and by the judge, of what both judge
    tau_by_chance : the mean tau if the judge gave the same grades to other documents of each topic, in 20 shuffles
    shuffled : the judge for whom this is tried; None = all of them, "" = nobody
    The best judge of the ordering (tau) comes first. One on another scale has no values until its lowest relevant grade
    is chosen
    """
    if not study.judges:
        raise NotKnown(NONE)
    waits = extra_qrels.without_level(study)
    of, kinds = panel(study, metric), study.options.get("judges") or {}
    if shuffled:
        row_of(study.judges, "judge", shuffled)
    rows = [
        {"judge": name, "kind": kinds.get(name, KINDS[1])}
        | of.on_documents(0, place)
        | of.on_orderings(0, place)
        | {"tau_by_chance": np.nan if name in waits else _by_chance(study, of, place, metric, shuffled)}
        | {"n": len(of.shared(0, place))}
        for place, name in enumerate(of.names[1:], 1)
    ]
    if not any(row["n"] for row in rows):
        raise ValueError(NO_TOPIC.format(first_of(list(study.judges))))
    table = pd.DataFrame(rows)
    of_level = [name for name in table.columns if name not in ("judge", "kind", "both", "n")]
    table.loc[table["judge"].isin(waits), of_level] = np.nan
    table = table.sort_values("tau", ascending=False, kind="stable", ignore_index=True)
    known = table[~table["judge"].isin(waits)]
    chance = f"{SAME_SCORE}, and for judges whose grades are not shuffled"
    missing = gaps(known, **UNGRADED, tau=SAME_SCORE, tau_by_chance=chance)
    return table, [*(extra_qrels.choose_level(study, name) for name in waits), *missing]


SHUFFLES = 20


def _by_chance(study, of, place, metric, shuffled):
    """The mean tau with the study's own ordering if a judge's grades are shuffled within each topic; NaN for a judge
    that is not wanted. Kept with the study."""
    name, shared = of.names[place], of.shared(0, place)
    if shuffled not in (None, name):
        return np.nan

    def tried():
        judged, rng = study.judged_by(name), np.random.default_rng(0)
        theirs = judged.judgments
        items = theirs.pooled_items[theirs.scale.judged[theirs.level[theirs.pooled_items]]]
        topic, taus = theirs.topic_of_item[items], []  # items stand topic by topic
        reference = of.mean(of.scores[0], shared)
        for _ in range(SHUFFLES):
            level = theirs.level.copy()
            level[items] = level[items[np.lexsort((rng.random(len(items)), topic))]]
            means = of.mean(scores_of(_regraded(judged, level), metric), shared)
            taus.append(orderings.kendall_tau(reference, means))
        known = [tau for tau in taus if tau == tau]
        return float(np.mean(known)) if known else np.nan

    return study.memo.chance.get((name, metric), tried)


def judge_pairs(study: Study, *, metric: str = "RBP(p=0.8)") -> tuple[pd.DataFrame, list[str]]:
    """How far every two judges agree, the study's own judgments (reference) among them.

    All pairs come in one order: the reference, then the judges by tau with it. `tau_ap` has a as the reference.
    """
    judge_named(study, None)
    waits = extra_qrels.without_level(study)
    of = panel(study, metric, [name for name in study.judges if name not in waits])
    taus = np.array([np.inf, *(of.on_orderings(0, place)["tau"] for place in range(1, len(of.names)))])
    order = np.argsort(-np.where(np.isnan(taus), -np.inf, taus), kind="stable")
    documents = {}
    for a in order:
        for b in order:
            key = min(a, b), max(a, b)
            documents[key] = documents.get(key) or of.on_documents(*key)
    rows = [
        {"a": of.names[a], "b": of.names[b]}
        | {name: documents[min(a, b), max(a, b)][name] for name in ("both", "kappa_weighted", "alpha")}
        | of.on_orderings(a, b)
        for a in order
        for b in order
    ]
    table = pd.DataFrame(rows)
    notes = [f"Left out: {name}, until its lowest relevant grade is chosen." for name in waits]
    return table, [*notes, *gaps(table, kappa_weighted=SAME_GRADE, alpha=SAME_GRADE, tau=SAME_SCORE)]


def judge_confusion(study: Study, *, judge: str | None = None) -> pd.DataFrame:
    """How often each grade of the study's own judgments coincides with each grade of a judge."""
    return confusion(study.compared_with(judge_named(study, judge)))


RANKS = (1, 2, 4, 6, 11, 21, 51, 101, 201, 501)  # where each group of best ranks begins
HOLDERS = (1, 2, 3, 5, 9, 17, 33, 65, 129)  # the same of numbers of systems


def judge_agreement_by_rank(study: Study, *, judge: str | None = None) -> tuple[pd.DataFrame, list[str]]:
    """How far a judge agrees by the best rank of the document, and by the number of systems that retrieve it.

    by : rank or systems; first, last : the group; documents that no system retrieves have neither
    """
    name = judge_named(study, judge)
    of = panel(study, names=[name])
    shared, track = of.both(0, 1), study.track
    number = np.full(track.size, -1)
    number[of.items[shared]] = np.arange(len(shared))
    ranked = number[track.items]
    _, _, rank = places = np.nonzero(ranked >= 0)
    item = ranked[places]
    best = np.full(len(shared), np.iinfo(np.int32).max)
    np.minimum.at(best, item, rank + 1)
    holders = pool.holders(track.items, np.isin(np.arange(track.size), of.items[shared]))[0][of.items[shared]]
    rows = []
    for by, value, starts in (("rank", best, RANKS), ("systems", holders, HOLDERS)):
        retrieved = holders > 0
        group = np.searchsorted(starts, value, side="right") - 1
        for at in np.unique(group[retrieved]):
            within = retrieved & (group == at)
            last = starts[at + 1] - 1 if at + 1 < len(starts) else int(value[within].max())
            rows.append({"by": by, "first": starts[at], "last": last} | of.on_documents(0, 1, shared[within]))
    if not rows:
        raise ValueError(f"no system retrieves a document that both {REFERENCE} and {name} judge.")
    table = pd.DataFrame(rows)
    return table, gaps(table, **UNGRADED)


def judge_topics(
    study: Study, *, judge: str | None = None, metric: str = "RBP(p=0.8)"
) -> tuple[pd.DataFrame, list[str]]:
    """How far a judge agrees topic by topic, on documents and on the ordering of systems; where least comes first.

    change : the mean over systems of the score by the judge minus that by the study's own judgments
    """
    name = judge_named(study, judge)
    of = panel(study, metric, [name])
    shared = of.both(0, 1)
    rows = []
    for topic in of.shared(0, 1):
        first, second = of.scores[:, :, topic]
        rows.append(
            {"topic": study.track.topics[topic]}
            | of.on_documents(0, 1, shared[of.topic[shared] == topic])
            | {"tau": orderings.kendall_tau(first, second), "change": float(np.nanmean(second - first))}
        )
    if not rows:
        raise ValueError(NO_TOPIC.format(name))
    table = pd.DataFrame(rows).sort_values(["kappa_weighted", "topic"], ignore_index=True)
    return table, gaps(table, **UNGRADED, tau="where all systems have the same score")


def judge_systems(
    study: Study, *, judge: str | None = None, metric: str = "RBP(p=0.8)", level: float = 0.05
) -> pd.DataFrame:
    """Each system's score by the study's own judgments and by a judge, and the pairs that the judge swaps.

    swapped : systems that the judge puts on the other side; swapped_significant : those that differ significantly by
        the study's own judgments (paired t-test, Holm)
    """
    name = judge_named(study, judge)
    of = panel(study, metric, [name])
    shared = of.shared(0, 1)
    if not len(shared):
        raise ValueError(NO_TOPIC.format(name))
    first, second = (mean_of_known(scores[:, shared].T) for scores in of.scores)
    significant = np.zeros((len(first), len(first)), bool)
    p = significance.t_test(significance.differences(of.scores[0][:, shared]))
    significant[significance.pairs(len(first))] = significance.corrected(p, "holm") < level
    swapped = np.sign(_apart(first)) * np.sign(_apart(second)) < 0
    return _by_both(
        study, first, second,
        swapped=swapped.sum(axis=1), swapped_significant=(swapped & (significant | significant.T)).sum(axis=1),
        n=(~np.isnan(of.scores[0][:, shared])).sum(axis=1),
    )  # fmt: skip


def _apart(means):
    """By how much each is above each, 0 where equal or unknown. float (S, S)."""
    apart = np.nan_to_num(means[:, None] - means)
    return np.where(np.abs(apart) > 1e-12, apart, 0)


def judge_gains(
    study: Study,
    *,
    judge: str | None = None,
    metric: str = "RBP(p=0.8)",
    by: str | None = None,
    level: float = 0.05,
    resamples: int = 10_000,
    seed: int = 0,
) -> tuple[pd.DataFrame, list[str]]:
    """Which systems a judge favours: what the judge adds to the scores of a group, minus what it adds to the others,
    compared with what the same errors add at random.

    change, rest : the mean score by the judge minus that by the study's own judgments, in the group and in the rest
    difference, expected : change minus rest, by the judge and by judges whose errors are as frequent, but random
    lower, upper : a bootstrap interval of the difference, over how far it is from the expected one on each topic
    p_corrected : bootstrap test that both are the same, Holm over groups; METHODS 13.6
    """
    name = judge_named(study, judge)
    of = panel(study, metric, [name])
    shared = of.shared(0, 1)
    by, group = _groups(study, by)
    names = sorted(set(group) - {""}) if by != "system" else list(group)
    member = np.array([[label == name for label in group] for name in names])
    names = [name for name, members in zip(names, member, strict=True) if not members.all()]
    member = member[~member.all(axis=1)] if len(member) else member
    if not names:
        raise ValueError(f"there are fewer than two {by}s to compare. Load a systems table with a column {by}.")
    added = of.scores[1][:, shared] - of.scores[0][:, shared]
    at_random = _with_random_errors(study, name, metric, seed)[:, shared] - of.scores[0][:, shared]

    def split(added):
        return (np.array([mean_of_known(added[members]) for members in each]) for each in (member, ~member))

    inside, outside = split(added)
    counted = ~np.isnan(inside + outside).any(axis=0)
    if counted.sum() < 2:
        raise ValueError("fewer than two topics count for every group. Choose other systems.")
    inside, outside = inside[:, counted], outside[:, counted]
    random_inside, random_outside = split(at_random)
    by_chance = (random_inside - random_outside)[:, counted]
    difference, expected = (inside - outside).mean(axis=1), by_chance.mean(axis=1)
    apart = inside - outside - by_chance
    lower, upper = bootstrap.bootstrapped_means(apart, level, seed=seed, resamples=resamples)
    p = significance.bootstrap_test(apart, seed=seed, resamples=resamples)
    table = pd.DataFrame(
        {
            "by": by,
            "group": names,
            "systems": member.sum(axis=1),
            "change": inside.mean(axis=1),
            "rest": outside.mean(axis=1),
            "difference": difference,
            "expected": expected,
            "lower": lower + expected,
            "upper": upper + expected,
            "p": p,
            "p_corrected": significance.corrected(p, "holm"),
            "n": int(counted.sum()),
        }
    )
    left_out = int((~counted).sum())
    notes = [f"{digits(left_out, 'topic')} left out, because not every group has a score."] if left_out else []
    favoured = table["difference"] - table["expected"]
    return table.loc[favoured.sort_values(ascending=False, kind="stable").index].reset_index(drop=True), notes


DRAWN = 20  # judges whose errors are random


def _with_random_errors(study, name, metric, seed):
    """The mean scores by judges who err as often as one does, but at random. float (S, T)

    Each grade of a document that people judge, too, is drawn from the judge's grades of all documents to which people
    give the same one.
    """
    ours, judged = study.judgments, study.judged_by(name)
    theirs, rng = judged.judgments, np.random.default_rng(seed)
    shared = theirs.pooled_items[theirs.scale.judged[theirs.level[theirs.pooled_items]]]
    shared = shared[ours.scale.judged[ours.level[shared]]]
    by_grade = [shared[ours.level[shared] == level] for level in np.unique(ours.level[shared])]
    total = 0.0
    for _ in range(DRAWN):
        level = theirs.level.copy()
        for items in by_grade:
            level[items] = rng.choice(theirs.level[items], len(items))
        total += scores_of(_regraded(judged, level), metric)
    return total / DRAWN


def _groups(study, by):
    """What systems are grouped by, as asked for or the first of type, group and system that differ; and each's."""
    types = study.system_table.get("type")
    of = indices_of(list(study.systems), list(study.system_table["system"]), "system")
    values = {
        "type": [""] * len(of)
        if types is None
        else [str(kind or "") if kind == kind else "" for kind in types.iloc[of]],
        "group": list(study.track.groups),
        "system": list(study.systems),
    }
    if by is None:
        by = next((name for name, each in values.items() if len(set(each) - {""}) > 1), "system")
    return by, values[by]


# ---------------------------------------------------------------------------------------------------------------------
# What a person should check


def _checking(study, judge, metric):
    """The documents of a judge, how far each separates close systems, and the metric with its weights of ranks."""
    metric, judged = metric_named(metric), study.judged_by(judge)
    weighing = metric if metric.weighted else metric.weighing or metric_named("RBP(p=0.8)")
    items = judged.judgments.pooled_items
    items = items[judged.judgments.scale.judged[judged.judgments.level[items]]]
    scores = judged.mean(judged.at().values(metric))
    weights = weighing.weights(study.track.shape[2])
    return items, separation(study.track, weights, share_of_topic(study), scores, items), metric, weighing


def judge_checks(
    study: Study,
    *,
    judge: str | None = None,
    metric: str = "RBP(p=0.8)",
    order: str = "documents",
    budget: int | None = 100,
) -> tuple[pd.DataFrame, list[str]]:
    """The documents of a judge that a person should judge next: those that separate systems with close scores.

    order : "documents", one by one, or "topics", topic by topic
    weight : how far the document separates systems with close scores
    Documents that the study's own judgments have are left out, unless they have all: then the list is an experiment.
    """
    name = judge_named(study, judge)
    items, weight, metric, weighing = _checking(study, name, metric)
    topic = study.track.topic_of_item[items]
    places = ORDERS[order](weight, topic, study.track.name_order[items])
    ours, theirs = study.judgments, study.judged_by(name).judgments
    judged = ours.scale.judged[ours.level[items]]
    places = places[weight[places] > 0]
    new = places[~judged[places]]
    places = (new if len(new) else places)[:budget]
    chosen = items[places]
    table = pd.DataFrame({"order": np.arange(1, len(chosen) + 1)})
    contents = documents_of(study, chosen).assign(
        grade=np.where(judged[places], ours.grade[chosen], np.nan),
        grade_other=theirs.grade[chosen],
        weight=weight[places],
    )
    notes = [] if len(new) else ["The study's own judgments have all of these documents: this is an experiment."]
    if weighing is not metric and not metric.weighing:
        notes.append(f"{metric.name} has no weight for each rank, so the order uses {weighing.name}.")
    return pd.concat([table, contents], axis=1), notes


STEPS = (25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600)
RANDOM = 5  # random orders, whose mean is shown


def judge_checks_curve(
    study: Study, *, judge: str | None = None, metric: str = "RBP(p=0.8)", seed: int = 0
) -> tuple[pd.DataFrame, list[str]]:
    """How well the ordering of systems agrees with that by the study's own judgments, as more documents are checked.

    A checked document has the study's own grade, any other that both judge has the judge's; by each order of
    `judge_checks`, and as a mean over five random orders.
    """
    name = judge_named(study, judge)
    items, weight, metric, _ = _checking(study, name, metric)
    extra_qrels.refuse_level(study, metric, [name])
    ours, theirs = study.whole_judgments, study.judges[name]
    shared = np.isin(items, np.flatnonzero(ours.scale.judged[ours.level]))
    items, weight = items[shared], weight[shared]
    if not len(items):
        raise ValueError(NO_TOPIC.format(name))
    if extra_qrels.scale_of(study, name) not in ("", "relevant or not"):
        ours, theirs = (_relevant_or_not(side) for side in (ours, theirs))
    mixed = _mixed(ours, theirs, items)
    topic, names = study.track.topic_of_item[items], study.track.name_order[items]
    orders = {order: [put(weight, topic, names)] for order, put in ORDERS.items()}
    seeds = np.random.default_rng(seed).spawn(RANDOM)
    orders["random"] = [generator.permutation(len(items)) for generator in seeds]

    def means(checked):
        judged = extra_qrels.judged_by(study, mixed(checked), "judged_by_other")
        return judged.mean(judged.at().values(metric))

    reference, start = means(items), means(items[:0])
    steps = [step for step in STEPS if step < len(items)] or [len(items) // 2] * (len(items) > 1)
    steps = [*steps, len(items)]
    rows = []
    for order, tried in orders.items():
        rows.append({"order": order, "judgments": 0, "tau": orderings.kendall_tau(reference, start)})
        for step in steps:
            taus = [orderings.kendall_tau(reference, means(items[places[:step]])) for places in tried]
            rows.append({"order": order, "judgments": step, "tau": float(np.mean(taus))})
    table = pd.DataFrame(rows)
    return table, gaps(table, tau="where all systems have the same score")


def _relevant_or_not(judgments):
    """The same with the grades 1 for relevant and 0 for all others."""
    scale = judgments.scale
    level = np.where(scale.judged, 1 + scale.relevant, NEVER_POOLED).astype(np.int8)[judgments.level]
    return replace(judgments, level=level, stratum=(level > 0).astype(np.int8), scale=Scale((0, 1)))


def _mixed(ours, theirs, items):
    """A function of items that are checked: the judgments with our grade for these, and theirs for the others."""
    scale = ours.scale
    for grade in np.setdiff1d(theirs.scale.grades, scale.grades):
        scale = scale.knowing(grade.item())
    levels = [1 + np.searchsorted(scale.grades, side.grade[items]) for side in (ours, theirs)]
    kind = np.min_scalar_type(len(scale.grades) + 1)

    def judgments(checked):
        level = np.full(len(ours.level), NEVER_POOLED, kind)
        level[items] = np.where(np.isin(items, checked), *levels)
        return Judgments(level, (level > 0).astype(np.int8), scale, ours.topic_of_item, ours.topics)

    return judgments


FILES = ("other",)
QUESTIONS = by_name(
    Question("agreement", agreement, section="13.5", files=FILES, columns=AGREEMENT),
    Question("confusion", confusion, section="13.5", files=FILES, columns=CONFUSION),
    Question(
        "agreement_effect", agreement_effect, section="13.5", files=FILES,
        columns="system group pooled value value_other change rank rank_other n",
    ),
    Question(
        "judges", judges, section="13.6", files=FILES,
        columns=f"judge kind {DOCUMENTS} tau tau_ap rbo top5 tau_by_chance n",
        across=Across(
            "Agreement of the best judge with people (τ)", lambda rows: rows["tau"].max(),
            ("a judge orders the systems nearly as people do", "no judge orders the systems nearly as people do"), 0.9,
            params=lambda metric: {"metric": metric, "shuffled": ""},
            interval=lambda rows: (rows["tau"].min(), rows["tau"].max()), interval_is="worst to best judge",
        ),
    ),
    Question(
        "judge_pairs", judge_pairs, section="13.6", files=FILES,
        columns="a b both kappa_weighted alpha tau tau_ap rbo top5",
    ),
    Question("judge_confusion", judge_confusion, section="13.6", files=FILES, columns=CONFUSION),
    Question(
        "judge_agreement_by_rank", judge_agreement_by_rank, section="13.6", files=FILES,
        columns=f"by first last {DOCUMENTS}",
    ),
    Question("judge_topics", judge_topics, section="13.6", files=FILES, columns=f"topic {DOCUMENTS} tau change"),
    Question(
        "judge_systems", judge_systems, section="13.6", files=FILES,
        columns="system group pooled value value_other change rank rank_other swapped swapped_significant n",
    ),
    Question(
        "judge_gains", judge_gains, section="13.6", files=FILES,
        columns="by group systems change rest difference expected lower upper p p_corrected n",
    ),
    Question(
        "judge_checks", judge_checks, section="13.6", files=FILES,
        columns="order topic document grade grade_other weight",
    ),
    Question("judge_checks_curve", judge_checks_curve, section="13.6", files=FILES, columns="order judgments tau"),
)  # fmt: skip
