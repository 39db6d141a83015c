"""The order of a run, and which of its documents are judged, written out naively (METHODS 2)."""

from collections import Counter
from itertools import permutations, product


def order(run):
    """The documents of one query, best first: score descending, ties by document id descending as byte strings.

    run : dict document -> score, or a list that is in order already (it comes back as it is). METHODS 2.1
    run". Python compares scores as 64-bit floats; the rank column is not an input.
    """
    if not isinstance(run, dict):
        return list(run)
    return sorted(run, key=lambda doc: (run[doc], doc.encode()), reverse=True)


def is_judged(grade, *, negative="split"):
    """Whether a grade is a judgment; None stands for a document that the judgments do not name.

    METHODS 2.3: "split" reads -1 as pooled but not judged and -2 and below as judged, not relevant;
    "unjudged" and "judged" read every negative grade one way.
    """
    if negative not in ("split", "unjudged", "judged"):
        raise ValueError(f"negative={negative!r}: write 'split', 'unjudged' or 'judged'")
    if grade is None:
        return False
    if grade >= 0 or negative == "judged":
        return True
    return negative == "split" and grade <= -2


def grades_in_order(run, qrels, *, negative="split"):
    """The grade at ranks 1, 2, ..., with None where the document is unjudged. METHODS 2.2."""
    grades = []
    for doc in order(run):
        grade = qrels.get(doc)
        grades.append(grade if is_judged(grade, negative=negative) else None)
    return grades


def judged_grades(qrels, *, negative="split"):
    """Every judged grade of a topic, best first, whoever retrieved the document. METHODS 2.2."""
    return sorted((g for g in qrels.values() if is_judged(g, negative=negative)), reverse=True)


def condensed(run, qrels, *, negative="split"):
    """The run without its unjudged documents, closed up; then a metric applies with its own cut-off. METHODS 3.12."""
    return [doc for doc in order(run) if is_judged(qrels.get(doc), negative=negative)]


def tied_share(run):
    """The share of a run's documents that have the score of another one; 0 for an empty run. METHODS 3.13.

    run : dict document -> score.
    """
    times = Counter(run.values())
    return sum(1 for score in run.values() if times[score] > 1) / len(run) if run else 0.0


def orders_within_ties(run):
    """Every order that the scores allow: all permutations of each group of tied documents. Small cases only.

    run : dict document -> score. METHODS 3.13, "the best and the worst order within ties".
    """
    groups = [[doc for doc in run if run[doc] == score] for score in sorted(set(run.values()), reverse=True)]
    for parts in product(*(permutations(group) for group in groups)):
        yield [doc for part in parts for doc in part]


def worst_and_best_within_ties(run, score):
    """(smallest, largest) value of `score(list of documents)` over every order within ties. METHODS 3.13."""
    values = [score(documents) for documents in orders_within_ties(run)]
    return min(values), max(values)
