"""Checks of the judgments as a whole: lost or reversed grades, lost lines, a wrong systems table."""

import re
from collections.abc import Iterator

import numpy as np
import scipy

from evalcore.checking.check_statistics import FEW, FEWEST, FIRST, HALF, LOST, TOP, CheckStatistics
from evalcore.collection import pool_inference, ties
from evalcore.collection.track import EMPTY
from evalcore.reading import files
from evalcore.reading.error_text import few_of
from evalcore.reading.loading import Finding
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, share, verb

MANY = 0.25  # what so large a share of systems ranks first is judged on every sound track
LEVEL, SAMPLED = 0.15, 0.75  # by what part shares that are alike may differ, and what share is judged at most
MISSING = 0.02  # share of it that may not be
MOST_GRADES = 10  # the highest grade that a scale of judgments has
LONG = 50  # documents of usual lists that are not judged to their end
SEVERAL = 3  # grades
SLIGHTLY = 0.03  # by which relevant documents are first in more than half of the pairs of any clean track
SURE = -3.0  # standard errors of all topics together, below which grades are taken for upside down


def only_positives(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Whether any document is judged not relevant at all."""
    judged = int(stats.judged.sum())
    if _all_positive(stats):
        if message := _best_is_lowest(stats):
            yield Finding("warning", "lowest grade is best", "", "", judged, message)
            return
        if message := _too_high(stats):
            yield Finding("error", "grades too high", "", "", judged, message)
            return
        popular, missing = _popular(stats)
        many = f" Unjudged: {len(missing):,} of {popular:,} documents that many runs rank first." if popular else ""
        message = (
            f"All {judged:,} judged documents are relevant.{many} Documents that were judged not relevant seem to be "
            "left out and look unjudged, so scores are mostly unknown. This is normal if only relevant documents were "
            "ever listed, as in MS MARCO; otherwise get the complete qrels."
        )
        sparse = np.median(stats.per_topic(stats.relevant)) < FEWEST
        yield Finding("note" if sparse else "warning", "positives only", "", "", judged, message)


def _all_positive(stats):
    return stats.relevant.sum() == stats.judged.sum() >= FEW


def _best_is_lowest(stats):
    """The message that the lowest grade is the best, where systems rank low grades above high ones, or where most
    documents have the highest of several, which systems do not rank first; else "".

    By Spearman's correlation of grades and votes over the judged documents of each topic that got a vote: as chance
    has it, its mean over topics is normal, of 1 over the root of all degrees of freedom.
    """
    votes = stats.votes(np.ones_like(stats.quality))
    grade, sure, below, count = stats.study.judgments.grade, 0.0, 0, 0
    for items in stats.items_of_topic:
        voted = stats.judged[items] & (votes[items] > 0)
        ranks = [scipy.stats.rankdata(of[items][voted]) for of in (grade, votes)]
        if all(np.ptp(of) > 0 for of in ranks if len(of)) and len(ranks[0]) >= FEWEST:
            correlation = np.corrcoef(*ranks)[0, 1]
            sure += correlation * np.sqrt(len(ranks[0]) - 1)
            below, count = below + (correlation < 0), count + 1
    grades = np.unique(grade[stats.judged])
    if not np.issubdtype(grades.dtype, np.integer):
        return ""
    lowest, highest, most = int(grades[0]), int(grades[-1]), np.mean(grade[stats.judged] == grades[-1])
    if count >= FEWEST and below > HALF * count and sure < SURE * np.sqrt(count):
        why = f"In {below} of {count} topics, systems rank documents of low grades above those of high grades"
    elif len(grades) >= SEVERAL and most > HALF and sure < 0:  # else systems rank high grades first, as they should
        why = f"Grades go from {lowest} to {highest}, and {share(most)} of all judged documents have the highest"
    else:
        return ""
    return (
        f"{why}: {lowest} seems to be the best grade, as in Cranfield's. All documents count as relevant, and the "
        f"worst gain most. If so, turn the scale round, such as {highest} minus the grade."
    )


def _too_high(stats):
    """The message that all grades are too high, where what many systems rank first is judged; else ""."""
    grades = np.unique(stats.study.judgments.grade[stats.judged])
    popular, missing = _popular(stats)
    if len(grades) == 1 or len(stats.track.systems) < FEWEST or len(missing) > MISSING * popular:
        return ""
    lowest = int(grades[0])
    return (
        f"All judged documents count as relevant: grades go from {lowest} to {grades[-1]}. Yet nearly all documents "
        f"that many runs rank first are judged, and some should not be relevant. All grades may be {lowest} too high. "
        f"Subtract {lowest} from each grade, or set the lowest relevant grade to {lowest + 1}."
    )


def all_inverted(stats: CheckStatistics) -> Iterator[files.Finding]:
    """An error where systems rank relevant documents below the others in most topics, beyond chance over all topics."""
    chance, error = stats.above(np.ones_like(stats.quality))  # which systems are good is not known then
    known = ~np.isnan(chance)
    below, together = known & (chance < HALF), ((chance - HALF) / error)[known].sum()
    if known.sum() >= FEWEST and below.sum() > HALF * known.sum() and together < SURE * np.sqrt(known.sum()):
        message = (
            f"In {below.sum()} of {known.sum()} topics, systems rank relevant documents below those that are not "
            "relevant. The grades may be reversed: check what 0 and the highest grade mean in the qrels."
        )
        yield Finding("error", "grades upside down", "", "", int(below.sum()), message)


def all_at_random(stats: CheckStatistics) -> Iterator[files.Finding]:
    """An error where systems rank relevant documents no higher than others, over all topics, as chance would, although
    so many judgments would show a small difference."""
    chance, error = stats.above(np.ones_like(stats.quality))
    known = ~np.isnan(chance)
    count, missing = _popular(stats)
    if known.sum() < FEWEST or len(stats.track.systems) < FEW or len(missing) > LOST * count:
        return  # of what nobody ranks first, such as a later round judges, order shows nothing
    weight = 1 / error[known] ** 2
    mean, of_mean = (weight * chance[known]).sum() / weight.sum(), 1 / np.sqrt(weight.sum())
    if abs(mean - HALF) < -SURE * of_mean and -SURE * of_mean < SLIGHTLY:
        message = (
            f"In {known.sum()} topics, systems put relevant documents before others in {mean:.0%} of pairs, as chance "
            "would. The grades seem to belong to other documents, so scores are noise: compare the qrels with their "
            "source."
        )
        yield Finding("error", "grades at random", "", "", int(known.sum()), message)


def popular_not_judged(stats: CheckStatistics) -> Iterator[files.Finding]:
    """A warning where many runs rank unjudged documents at the very top, or where the judgments look like a sample."""
    count, missing = _popular(stats)
    if not _all_positive(stats) and (lost := _lost_part(stats, missing)):
        part, of_part, judged = lost
        message = (
            f"None of {digits(of_part, 'document')} called {part}… that many runs rank in their top {FIRST} is judged, "
            f"but {judged:.0%} of the others are. The judgments of this part of the collection seem to be lost, so "
            "scores are too low: compare the qrels with their source."
        )
        yield Finding("warning", "popular documents not judged", "", "", of_part, message)
        return
    if judged := _sampled(stats, count, len(missing)):
        message = (
            f"About {judged:.0%} of documents are judged at ranks 1 and 2, 4 and 5, and 6 to 10, and among those that "
            "many runs rank first. The judgments look like a random sample, which makes most metrics too low. If they "
            "are one, use infAP, which is made for samples; else get the complete qrels."
        )
        yield Finding("warning", "judgments are a sample", "", "", len(missing), message)
        return
    if not _all_positive(stats) and len(stats.track.systems) >= FEWEST and len(missing) > MISSING * count:
        first = missing[0]
        document, topic = stats.track.documents([first])[0], stats.track.topics[stats.track.topic_of_item[first]]
        message = (
            f"{len(missing):,} of {count:,} documents that at least a quarter of the runs rank in their top {FIRST} "
            f"(such as {document}, topic {topic}) {verb(len(missing), 'is', 'are')} not judged, so scores may be too "
            "low. Lines of the qrels may be lost, an earlier round may have judged them, or none of these runs "
            "contributed to the pool: compare the qrels with their source."
        )
        yield Finding("warning", "popular documents not judged", "", topic, len(missing), message)


def _lost_part(stats, missing):
    """The beginning of the names of a part of the collection, letters, of which nothing is judged though many runs rank
    its documents first, how many these are, and the share judged of the others; None where there is no such part.

    missing : the unjudged popular documents
    """
    popular = np.union1d(missing, np.flatnonzero(_is_popular(stats) & stats.judged))
    parts = np.array(
        [re.split("[0-9]", name, maxsplit=1)[0].rstrip("-_. ") for name in stats.track.documents(popular)], object
    )
    unjudged = ~stats.judged[popular]
    for part in dict.fromkeys(parts[unjudged]):
        own = parts == part
        if part and own.sum() >= FEW and unjudged[own].all() and np.count_nonzero(~own) >= FEW:
            judged = 1 - unjudged[~own].mean()
            if judged > HALF:
                return part, int(own.sum()), judged
    return None


def _sampled(stats, popular, missing):
    """The share of documents judged if the judgments look like a random sample, else 0.

    A sample judges the same share of ranks 1 and 2, 4 and 5, 6 to 10, and of what many runs rank first; a pool, all.
    """
    if _all_positive(stats) or len(stats.track.systems) < FEWEST or popular < FEW:
        return 0
    retrieved = stats.top[:, np.isin(stats.track.topic_of_query, stats.topics), :TOP]
    parts = retrieved[..., :2], retrieved[..., 3:FIRST], retrieved[..., FIRST:]
    of_ranks = [stats.judged[ranks[ranks > 0]].mean() if ranks.any() else 0 for ranks in parts]
    shares = np.array([*of_ranks, 1 - missing / popular])
    by_chance = 2 * np.sqrt(shares.mean() * (1 - shares.mean()) / popular)
    alike = np.ptp(shares) <= LEVEL * shares.max() + by_chance
    return float(shares.mean()) if alike and LOST < shares.min() <= shares.max() < SAMPLED else 0


def _popular(stats):
    """How many documents many systems rank at the very top, and the unjudged ones of these, most popular first."""
    popular, holders = _is_popular(stats), stats.first_holders
    missing = np.flatnonzero(popular & ~stats.judged)
    return np.count_nonzero(popular), missing[np.argsort(-holders[missing], kind="stable")]


def _is_popular(stats):
    """Which items many systems rank at the very top. bool (N,)."""
    holders = stats.first_holders
    return (holders >= max(2, MANY * len(stats.track.systems))) & np.isin(stats.track.topic_of_item, stats.topics)


def told_against_found(study: Study) -> Iterator[files.Finding]:
    """A warning where the systems named as contributing are not those that are judged like contributing systems."""
    if study.pooling.how != "named" or pool_inference.relevant_only(study.whole_judgments):
        return
    shown = pool_inference.from_files(pool_inference.leads_of(study.whole, study.whole_judgments), study.whole.systems)
    if shown is None:
        return
    names, listed, inferred = np.array(study.whole.systems), study.whole.pooled, shown[0]
    wrong, unmarked = int((listed & ~inferred).sum()), int((inferred & ~listed).sum())
    if not listed.any() and unmarked >= FEWEST:
        message = (
            f"No system is marked as contributing, but {unmarked} (such as {names[inferred][0]}) are judged like "
            f"contributing systems, to rank {shown[1].depth}. Are 0 and 1 swapped in the `pooled` column of the "
            "systems table? Correct or remove it."
        )
        yield Finding("warning", "contributors in doubt", "", "", unmarked, message)
    if wrong and wrong >= LOST * listed.sum() and wrong + unmarked >= FEWEST:
        example = names[listed & ~inferred][0]
        message = (
            f"{wrong} of {listed.sum()} systems that are named as contributing (such as {example}) "
            f"{verb(wrong, 'is', 'are')} not judged like contributing systems, but {digits(unmarked, 'other system')} "
            f"{verb(unmarked, 'is', 'are')}. The files suggest a pool of {inferred.sum()} systems, judged to rank "
            f"{shown[1].depth}. Check the systems table and the qrels: some rows may be misplaced."
        )
        yield Finding("warning", "contributors in doubt", "", "", wrong, message)


def contributors_not_judged(study: Study) -> Iterator[files.Finding]:
    """Teams named as contributing whose systems rank many unjudged documents above the pool's depth."""
    track = study.whole
    if study.pooling.how != "named":
        return
    leads = pool_inference.leads_of(track, study.whole_judgments)
    group, left = np.array(track.groups, object), track.pooled.copy()
    while len(np.unique(group[left])) > 2:
        worst = max(np.unique(group[left]), key=lambda team: _early_holes(leads, left & (group == team)))
        own = left & (group == worst)
        left &= ~own
        pooling = pool_inference.from_contributors(leads, left)
        short = leads.short_of(pooling.depth) & (leads.lengths > 0)
        if not pooling.depth_known or short[own].sum() <= pool_inference.DOUBTFUL * (leads.lengths[own] > 0).sum():
            return
        above = track.items[own][:, np.isin(track.topic_of_query, leads.judged_topics), : pooling.depth]
        known = study.whole_judgments.scale.judged[study.whole_judgments.level]
        holes = np.unique(above[~known[above] & (above != EMPTY)])
        names = np.array(track.systems)[own]
        team = worst or "A team without a name"
        message = (
            f"{team} is named as contributing, but {digits(len(holes), 'document')} in the top {pooling.depth} of its "
            f"{digits(len(names), 'system')} ({few_of(names)}) {verb(len(holes), 'is', 'are')} unjudged; other teams "
            f"are judged to rank {pooling.depth}. The qrels seem to lack judgments of this team's documents: add "
            "them, or mark the team as not contributing."
        )
        yield Finding("warning", "contributors not judged", str(names[0]), "", len(holes), message)


def _early_holes(leads, systems):
    """The mean reciprocal rank of the first unjudged document in the rankings of these systems, 0 for none."""
    filled = leads.lengths[systems] > 0
    rank = np.where(leads.judged[systems] < leads.lengths[systems], leads.judged[systems] + 1.0, np.inf)[filled]
    return np.mean(1 / rank) if len(rank) else 0.0


def top_not_judged(stats: CheckStatistics) -> Iterator[files.Finding]:
    """An error where ranks 1 to 3 are judged much less than ranks 7 to 20, by runs that have an order."""
    tied = ties.tied_share(stats.track) >= HALF
    top = stats.top[[s for s, name in enumerate(stats.track.systems) if not tied[s] and name not in stats.explained]]
    filled = top[:, :, : 2 * TOP] != 0
    judged = stats.judged[top[:, :, : 2 * TOP]] & filled
    first, below = (
        judged[:, :, ranks].sum() / max(1, filled[:, :, ranks].sum()) for ranks in (slice(3), slice(6, None))
    )
    if below > LOST and first < HALF * below:
        message = (
            f"{first:.0%} of ranks 1 to 3 are judged, but {below:.0%} of ranks 7 to 20, so all scores are too low. The "
            "judgments of an earlier round seem to be missing: add them."
        )
        yield Finding("error", "top not judged", "", "", 1, message)


def grades_large(stats: CheckStatistics) -> Iterator[files.Finding]:
    """A note where grades go higher than assessors usually grade."""
    highest = int(stats.study.judgments.grade[stats.judged].max(initial=0))
    if highest > MOST_GRADES:
        message = (
            f"Grades go up to {highest}: they may be percentages, or one may be a typing error. nDCG, and gains that "
            "are not binary, depend on the highest grade. Check the grades, and set the lowest relevant one (now "
            f"{stats.study.judgments.scale.rel_level})."
        )
        yield Finding("note", "large grades", "", "", highest, message)


def gains_lost(stats: CheckStatistics) -> Iterator[files.Finding]:
    """A warning where exponential gains are so unlike that the smaller ones vanish in a sum."""
    scale = stats.study.judgments.scale
    positive = [grade for grade in scale.grades if grade > 0]
    lost = [grade for grade in positive if scale.g_max - grade > np.finfo(float).nmant]
    if scale.gains == "exponential" and lost:
        message = (
            f"With exponential gains, grade {scale.g_max} gains so much that {digits(len(lost), 'lower grade')} "
            f"({few_of(lost)}) {verb(len(lost), 'counts', 'count')} as nothing in comparison, which changes nDCG and "
            "all metrics with gains. Correct the grades, choose linear gains, or give each grade its gain."
        )
        yield Finding("warning", "gains lost", "", "", len(lost), message)


def all_judged(stats: CheckStatistics) -> Iterator[files.Finding]:
    """A note where every document of every long ranking is judged, which people rarely do."""
    track, known = stats.track, stats.judged | (np.arange(stats.track.size) == EMPTY)
    queries = np.isin(track.topic_of_query, stats.topics)
    lengths, judged = track.lengths[:, queries], int(stats.judged.sum())
    if len(track.systems) < FEWEST or not lengths.any() or np.median(lengths[lengths > 0]) < LONG:
        return
    if all(known[rankings[:, queries]].all() for rankings in (stats.top, track.items)):  # the top mostly tells
        message = (
            f"Every document that any run returns for a judged topic is judged ({judged:,} judgments). If unjudged "
            "documents were written as grade 0, they wrongly count as judged and not relevant: remove those lines."
        )
        yield Finding("note", "everything judged", "", "", judged, message)


OF_SYSTEMS = contributors_not_judged, told_against_found
CHECKS = (
    all_inverted,
    all_at_random,
    top_not_judged,
    popular_not_judged,
    only_positives,
    grades_large,
    gains_lost,
    all_judged,
)
