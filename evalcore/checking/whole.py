"""Checks of the judgments as a whole: as if grades, lines or a table had been lost or turned over."""

import numpy as np

from evalcore import contributors
from evalcore.checking.seen import FEW, FEWEST, HALF, LOST, TOP
from evalcore.reading.loading import Finding

FIRST, MANY = 5, 0.25  # what so large a share of systems ranks so high is judged on every sound track
MISSING = 0.02  # share of it that may not be


def only_positives(seen):
    """Whether any document is judged not relevant at all."""
    judged = int(seen.judged.sum())
    if judged >= FEW and seen.relevant.sum() == judged:
        if message := _too_high(seen):
            yield Finding("error", "grades too high", "", "", judged, message)
            return
        message = (
            f"All {judged:,} judgments are positive, no document is judged not relevant: was the rest left out? "
            "Without it a rejected document cannot be told from one that nobody judged. Ask for the whole file."
        )
        yield Finding("warning", "positives only", "", "", judged, message)


def _too_high(seen):
    """That all grades may be too high, and no documents lost: what many systems rank first is judged. "" elsewhere."""
    grades = np.unique(seen.study.judgments.grade[seen.judged])
    popular, missing = _popular(seen)
    if len(grades) == 1 or len(seen.track.systems) < FEWEST or len(missing) > MISSING * popular:
        return ""
    lowest = int(grades[0])
    return (
        f"No document is judged not relevant: the grades go from {lowest} to {grades[-1]}, though nearly all documents "
        f"that many systems rank first are judged. Are all grades {lowest} too high? Take {lowest} off each, or count "
        f"as relevant from grade {lowest + 1}; until then every judged document is relevant."
    )


def all_inverted(seen):
    """Whether relevant documents stand below the others in most topics."""
    chance, error = seen.above(np.ones_like(seen.quality))  # which systems are good is not known then
    known = ~np.isnan(chance)
    below = known & (chance < HALF - 2 * error)
    if known.sum() >= FEWEST and below.sum() > HALF * known.sum():
        message = (
            f"In {below.sum()} of {known.sum()} topics the systems rank the relevant documents below the others: are "
            "the grades upside down? Look at what 0 and the highest grade mean in the qrels."
        )
        yield Finding("error", "grades upside down", "", "", int(below.sum()), message)


def popular_not_judged(seen):
    """Documents that many systems have at the very top, and nobody judged."""
    count, missing = _popular(seen)
    if len(seen.track.systems) >= FEWEST and len(missing) > MISSING * count:
        first = missing[0]
        document, topic = seen.track.documents([first])[0], seen.track.topics[seen.track.topic_of_item[first]]
        most = len(missing) > HALF * count
        cause = "they judged in an earlier round" if most else "lines of the qrels lost, at random or by grade"
        message = (
            f"{len(missing):,} of {count:,} documents that a quarter of the systems rank in their first {FIRST} are "
            f"not judged (such as {document} of topic {topic}): were {cause}? Or did none of these systems help to "
            "form the pool? Scores may be too low. Compare the file with its source."
        )
        yield Finding("warning", "popular documents not judged", "", topic, len(missing), message)


def _popular(seen):
    """How many documents many systems have at the very top, and those of them that nobody judged, the most popular
    first."""
    holders = seen.holders(FIRST)
    popular = (holders >= max(2, MANY * len(seen.track.systems))) & np.isin(seen.track.topic_of_item, seen.topics)
    missing = np.flatnonzero(popular & ~seen.judged)
    return np.count_nonzero(popular), missing[np.argsort(-holders[missing], kind="stable")]


def told_against_found(seen):
    """Whether the systems that somebody named as contributors are those that are judged like contributors."""
    study = seen.study
    if study.pooling.how != "told":
        return
    shown = contributors.found(contributors.leads_of(study.whole, study.whole_judgments), study.whole.systems)
    if shown is None:
        return
    names, told, found = np.array(study.whole.systems), study.whole.pooled, shown[0]
    wrong, others = int((told & ~found).sum()), int((found & ~told).sum())
    if not told.any() and others >= FEWEST:
        message = (
            f"No system is said to have contributed, and {others} are judged like contributors, {shown[1].depth} deep "
            f"(such as {names[found][0]}): is the column of the table of systems turned over? Mend it, or leave it out."
        )
        yield Finding("warning", "contributors in doubt", "", "", others, message)
    if wrong and wrong >= LOST * told.sum() and wrong + others >= FEWEST:
        example = names[told & ~found][0]
        message = (
            f"{wrong} of {told.sum()} systems that are said to have contributed are not judged like contributors (such "
            f"as {example}), and {others} others are: are the rows of the table of systems, or the judgments, out of "
            f"place? The files show a pool of {found.sum()} systems, {shown[1].depth} deep."
        )
        yield Finding("warning", "contributors in doubt", "", "", wrong, message)


def top_not_judged(seen):
    """Whether the first ranks are judged less than those right below."""
    there = seen.top[:, :, : 2 * TOP] != 0
    judged = seen.judged[seen.top[:, :, : 2 * TOP]] & there
    first, below = (
        judged[:, :, ranks].sum() / max(1, there[:, :, ranks].sum()) for ranks in (slice(3), slice(6, None))
    )
    if below > LOST and first < HALF * below:
        message = (
            f"Of the first 3 ranks {first:.0%} are judged, of ranks 7 to 20 {below:.0%}: as if the top had been judged "
            "in an earlier round, whose judgments are not in this file. Add them, or all scores are too low."
        )
        yield Finding("error", "top not judged", "", "", 1, message)


CHECKS = all_inverted, top_not_judged, told_against_found, popular_not_judged, only_positives
