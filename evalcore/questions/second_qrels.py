"""Second judgments: how far two qrels agree, and how the second changes the ordering of systems."""

import numpy as np
import pandas as pd

from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.orderings import orderings_agree
from evalcore.questions.question import Question
from evalcore.questions.table_helpers import of_systems
from evalcore.questions.table_notes import gaps, only_one_judges
from evalcore.statistics import agreement as agree
from evalcore.statistics import orderings
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.sentences import digits


def agreement(
    study: Study, *, rel_level: float | None = None, weights: str = "quadratic"
) -> tuple[pd.DataFrame, list[str]]:
    """How well second judgments agree with the first, by topic, then over `all` documents.

    weights : a disagreement is worth the square of the difference of the grades ("quadratic") or that ("linear")
    alpha : for grades in order; overlap_relevant : at the study's lowest relevant grade where none is named
    rel_level : a grade from which both are read as relevant, and compared as relevant or not; None = grades are
        compared, unless the second qrels has a level of its own
    """
    first, second, topic = _judged_by_both(study)
    own, named = study.options["rel_level"] if rel_level is None else rel_level, study.options["other_rel_level"]
    relevant = first >= own, second >= (own if named is None else named)
    by_grade = compares_grades(study, rel_level)
    read = (first, second) if by_grade else tuple(one.astype(int) for one in relevant)
    highest = [_grades_judged(one).max() for one in (study, study.judged_by_other)]
    classes = np.union1d(*read)
    disagreement = agree.nominal(classes), agree.weighted(classes, weights)
    by_topic = [(study.track.topics[t], np.flatnonzero(topic == t)) for t in np.unique(topic)]
    alone = [_judged_alone(study, study.judged_by_other), _judged_alone(study.judged_by_other, study)]
    rows = []
    for name, these in [*by_topic, ("all", np.arange(len(topic)))]:
        counts = agree.confusion(*(one[these] for one in read), classes)  # type: ignore[call-arg]
        rows.append(
            {
                "topic": name,
                "both": len(these),
                "same": int(np.trace(counts)),
                "kappa": agree.kappa(counts, disagreement[0]),
                "kappa_weighted": agree.kappa(counts, disagreement[1]),
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
            "they are. If documents are relevant from another grade on in the second, set that grade (other_rel_level)."
        )
    elif not relevant[1].any():
        notes.append(
            "The second qrels have no relevant document at that grade or above. Set another grade (other_rel_level)."
        )
    constant = dict.fromkeys(("kappa", "kappa_weighted", "alpha"), "if both sets give all documents the same grade")
    return table, [*notes, *gaps(table, **constant, overlap_relevant="if no document is relevant")]


def confusion(study: Study) -> pd.DataFrame:
    """How often each grade of the first judgments coincides with each grade of the second, for documents both judge."""
    first, second, _ = _judged_by_both(study)
    grades = np.unique(np.concatenate([_grades_judged(one) for one in (study, study.judged_by_other)]))
    table = pd.DataFrame({"grade": np.repeat(grades, len(grades)), "grade_other": np.tile(grades, len(grades))})
    return table.assign(count=agree.confusion(first, second, grades).ravel())


def agreement_effect(study: Study, *, metric: str = "RBP(p=0.8)") -> tuple[pd.DataFrame, list[str]]:
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


def _judged_alone(study, other):
    """topic name, and "all" -> how many of its documents the first study's judgments hold and the second's do not."""
    judged, others = (of.judgments.scale.judged[of.judgments.level] for of in (study, other))
    count = np.bincount(study.track.topic_of_item[judged & ~others], minlength=len(study.track.topics))
    return dict(zip(study.track.topics, count.tolist(), strict=True)) | {"all": int(count.sum())}


def judged_by_one(study: Study) -> int:
    """How many documents only one of the two sets judges, on the topics that both judge."""
    first = study.on_shared_topics
    second = first.judged_by_other
    return _judged_alone(first, second)["all"] + _judged_alone(second, first)["all"]


def compares_grades(study: Study, rel_level: float | None) -> bool:
    """Whether grades are compared, not whether they count as relevant."""
    return rel_level is None and study.options["other_rel_level"] is None


def _grades_judged(study):
    """The grades that are judgments, ascending."""
    scale = study.judgments.scale
    return np.array(scale.grades)[scale.judged[1:]]


def _judged_by_both(study):
    """The grades that the two sets of judgments give what both judge, and its topics. Three int arrays."""
    other = study.judged_by_other.judgments
    both = np.flatnonzero(study.judgments.scale.judged[study.judgments.level] & other.scale.judged[other.level])
    if not len(both):
        shared = np.intersect1d(study.judged_topics, study.judged_by_other.judged_topics)
        raise ValueError(
            "the two qrels share no topic. Check that they belong to the same track."
            if not len(shared)
            else f"the two qrels judge {digits(len(shared), 'topic', 'topics')} in common, but share no document."
        )
    return study.judgments.grade[both], other.grade[both], study.judgments.topic_of_item[both]


QUESTIONS = by_name(
    Question(
        "agreement", agreement, section="13.5", files=("other",),
        columns="topic both same kappa kappa_weighted alpha relevant relevant_other relevant_both overlap_relevant "
        "shift first_alone second_alone",
    ),
    Question("confusion", confusion, section="13.5", files=("other",), columns="grade grade_other count"),
    Question(
        "agreement_effect", agreement_effect, section="13.5", files=("other",),
        columns="system group pooled value value_other change rank rank_other n",
    ),
)  # fmt: skip
