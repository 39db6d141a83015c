"""A second opinion: how far two sets of judgments agree, and what the second does to the systems."""

import numpy as np
import pandas as pd

from evalcore.comparing import agreement as agree
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.notes import gaps, only_one_judges
from evalcore.questions.orderings import orderings_agree
from evalcore.questions.question import Question
from evalcore.questions.tables import of_systems
from evalcore.reading.naming import counted
from evalcore.sentences import Sentence, everyone, joined


def agreement(study, *, other=None, rel_level=None, weights="linear"):
    """How well second judgments agree with the first, by topic, then over `all` documents.

    weights : a disagreement is worth the difference of the grades ("linear") or its square ("quadratic")
    alpha : for grades in order; overlap_relevant : at the study's lowest relevant grade where none is named
    rel_level : a grade from which both are read as relevant, and compared as relevant or not; None = grades are
        compared, unless the second qrels has a level of its own
    """
    first, second, topic = _judged_by_both(study)
    own, named = study.options["rel_level"] if rel_level is None else rel_level, study.options["other_rel_level"]
    relevant = first >= own, second >= (own if named is None else named)
    by_grade = _by_grade(study, rel_level)
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
                "relevant": int(relevant[0][these].sum()),
                "relevant_other": int(relevant[1][these].sum()),
                "relevant_both": int((relevant[0] & relevant[1])[these].sum()),
                "overlap_relevant": agree.overlap(*(one[these] for one in relevant)),
                "shift": float((second[these] - first[these]).mean()),
                "first_alone": alone[0][name],
                "second_alone": alone[1][name],
            }
        )
    table = pd.DataFrame(rows)
    notes = list(only_one_judges(study))
    if by_grade and highest[0] != highest[1]:
        notes.append(
            f"Grades go up to {highest[0]} in the first qrels and to {highest[1]} in the second, and are compared as "
            "they are. Where the second finds documents relevant from another grade on, say so (other_rel_level)."
        )
    elif not relevant[1].any():
        notes.append("The second qrels finds nothing relevant from that grade on; name another (other_rel_level).")
    constant = dict.fromkeys(("kappa", "kappa_weighted", "alpha"), "where both give all documents the same grade")
    return table, [*notes, *gaps(table, **constant, overlap_relevant="where nothing is relevant")]


def confusion(study, *, other=None):
    """How often each grade of the first judgments coincides with each grade of the second, for documents both judge."""
    first, second, _ = _judged_by_both(study)
    grades = np.unique(np.concatenate([_grades_judged(one) for one in (study, study.judged_by_other)]))
    table = pd.DataFrame({"grade": np.repeat(grades, len(grades)), "grade_other": np.tile(grades, len(grades))})
    return table.assign(count=agree.confusion(first, second, grades).ravel())


def agreement_effect(study, *, other=None, metric="RBP(p=0.8)"):
    """Each system's score and rank with the first and with the second judgments, over the topics that both judge.

    change : the second score minus the first. The notes give the agreement of the two orderings
    """
    both = study.on_shared_topics
    by_other, metric = both.judged_by_other, metric_named(metric)
    values = [one.mean(one.at().values(metric)) for one in (both, by_other)]
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


def _judged_by_one(study):
    """How many documents only one of the two sets judges, on the topics that both judge."""
    first = study.on_shared_topics
    second = first.judged_by_other
    return _judged_alone(first, second)["all"] + _judged_alone(second, first)["all"]


def _by_grade(study, rel_level):
    """Whether grades are compared, not whether they count as relevant."""
    return rel_level is None and study.options["other_rel_level"] is None


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
            "the two qrels share no topic. Check that they belong to the same track."
            if not len(shared)
            else f"the two qrels judge {counted(len(shared), 'topic', 'topics')} in common, but share no document."
        )
    return study.judgments.grade[both], other.grade[both], study.judgments.topic_of_item[both]


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def _agreed(table, asked, study):
    """How much of what one finds relevant the other does, how far the two agree on all documents together, and how many
    only one of them judges."""
    row = table.iloc[-1]
    found = (
        "Of the documents that both judge, these judgments find {relevant:number} relevant; the second find "
        "{relevant_both:number} of them relevant, and {others:digits other} (overlap {overlap:score}). "
    )
    facts, others = row[["relevant", "relevant_both"]], row["relevant_other"] - row["relevant_both"]
    found = Sentence(found, others=others, overlap=row["overlap_relevant"], **facts)
    if not row["relevant"]:
        none = (
            "Of the documents that both judge, these judgments find not one relevant, and the second {others:number}. "
        )
        found = Sentence(none, others=row["relevant_other"])
    by_grade = _by_grade(study, asked["rel_level"])
    what = "give the same grade to" if by_grade else "agree on the relevance of"
    ours, theirs = study.judgments.scale.g_max, study.other.scale.g_max
    scales = ", though the one grades up to {highest} and the other up to {highest_other}"
    text = (
        f"The two {what} {{same:share}} of {{both:digits document}} that both judge (kappa {{kappa:score}})"
        f"{scales if by_grade and ours != theirs else ''}; the "
        "second grade less the first is {shift:score} on average. Documents judged by one alone: {first_alone:number} "
        "by these judgments and {second_alone:number} by the second."
    )
    facts = dict(row[["both", "kappa", "shift", "first_alone", "second_alone"]])
    facts |= {"highest": ours, "highest_other": theirs} if by_grade and ours != theirs else {}
    return found + Sentence(text, same=row["same"] / row["both"], **facts)


def _grades_that_differ(table, asked, study):
    """How many documents have two grades, and which two most often."""
    apart = table[table["grade"] != table["grade_other"]]
    text = "The two grades differ for {differ:number} of {both:digits document} that both judge"
    told = Sentence(text, differ=int(apart["count"].sum()), both=int(table["count"].sum()))
    most = apart[apart["count"] == apart["count"].max()]
    often = "most often grade {grade} here and {grade_other} in the second ({count:digits document})"
    return joined(told, Sentence(often, **most.iloc[0]) if len(most) == 1 else None, by=", ", end=".")


def _moved(table, asked, study):
    """How many systems change places, who most, and how many documents one of the two alone judges."""
    table = table.dropna(subset=["rank", "rank_other"])
    climbed = table["rank"] - table["rank_other"]
    moving = int((climbed != 0).sum())
    of_both = _on_fewer_topics(study)
    there = " there" if of_both else ""
    alone = Sentence(f"Judged{there} by one of the two alone: {{alone:digits document}}", alone=_judged_by_one(study))
    by = Sentence("By {metric} with all judgments, ", metric=asked["metric"]) + of_both
    if moving and (alike := [whose for column, whose in WHOSE.items() if table[column].nunique() == 1]):
        text = f"{alike[0]} give {everyone(len(table))} one score, and so no order"
        return joined(by + text, alone, by=". ", end=".")
    text = f"the second ones move {'{moving:number}' if moving else 'none'} of {{systems:digits system}}"
    facts = {"moving": moving} if moving else {}
    told = [by + Sentence(f"{text} to another place", systems=len(table), **facts)]
    for who, moves, places in (("climbers", "gains/gain", climbed), ("fallers", "loses/lose", -climbed)):
        if (most := places.max()) > 0:
            text = f"{{{who}:listed}} {{{who}:verb {moves}}} most ({{{who}_places:count place}})"
            told.append(Sentence(text, **{who: list(table["system"][places == most]), f"{who}_places": int(most)}))
    return joined(joined(*told), alone, by=". ", end=".")


def _on_fewer_topics(study):
    """That some topics are left out, where one of the two does not judge them; else nothing."""
    ours, theirs = study.judged_topics, study.judged_by_other.judged_topics
    if np.array_equal(ours, theirs):
        return Sentence("")
    return Sentence("on {shared:digits topic} that both judge, ", shared=len(np.intersect1d(ours, theirs)))


WHOSE = {"rank_other": "the second judgments", "rank": "these judgments"}


QUESTIONS = by_name(
    Question("agreement", agreement, section="13.5", finding=_agreed, spans="scores"),
    Question("confusion", confusion, section="13.5", finding=_grades_that_differ, spans="scores"),
    Question("agreement_effect", agreement_effect, section="13.5", finding=_moved, spans="scores"),
)
