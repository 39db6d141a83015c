"""Checks of the judgments as a whole: as if grades, lines or a table had been lost or turned over."""

import numpy as np

from evalcore import contributors
from evalcore.checking.seen import FEW, FEWEST, HALF, LOST, TOP
from evalcore.reading.loading import Finding
from evalcore.reading.wording import some
from evalcore.sentences import digits, verb
from evalcore.track import EMPTY

FIRST, MANY = 5, 0.25  # what so large a share of systems ranks so high is judged on every sound track
LEVEL, SAMPLED = 0.15, 0.85  # by what part shares that are alike may differ, and what share is judged at most
MISSING = 0.02  # share of it that may not be
MOST_GRADES = 10  # the highest grade that a scale of judgments has
LONG = 50  # documents of usual lists that are not judged to their end
SURE = -3.0  # standard errors of all topics together, below which grades are taken for upside down


def only_positives(seen):
    """Whether any document is judged not relevant at all."""
    judged = int(seen.judged.sum())
    if _all_positive(seen):
        if message := _too_high(seen):
            yield Finding("error", "grades too high", "", "", judged, message)
            return
        popular, missing = _popular(seen)
        many = (
            f" Of {popular:,} documents that many runs rank first {len(missing):,} are not judged." if popular else ""
        )
        message = (
            f"All {judged:,} judgments are positive, no document is judged not relevant.{many} A rejected document "
            "cannot be told from one that nobody judged, and what systems score is mostly not known. Was nothing but "
            "relevant documents ever named, as for MS MARCO? If not, ask for the whole file."
        )
        sparse = np.median(seen.per_topic(seen.relevant)) < FEWEST
        yield Finding("note" if sparse else "warning", "positives only", "", "", judged, message)


def _all_positive(seen):
    return seen.relevant.sum() == seen.judged.sum() >= FEW


def _too_high(seen):
    """That all grades may be too high, and no documents lost: what many systems rank first is judged. "" elsewhere."""
    grades = np.unique(seen.study.judgments.grade[seen.judged])
    popular, missing = _popular(seen)
    if len(grades) == 1 or len(seen.track.systems) < FEWEST or len(missing) > MISSING * popular:
        return ""
    lowest = int(grades[0])
    return (
        f"No document is judged not relevant: the grades go from {lowest} to {grades[-1]}, though nearly all documents "
        f"that many runs rank first are judged. Are all grades {lowest} too high? Take {lowest} off each, or count "
        f"as relevant from grade {lowest + 1}; until then every judged document is relevant."
    )


def all_inverted(seen):
    """Whether relevant documents stand below the others in most topics, and by more than chance in all together."""
    chance, error = seen.above(np.ones_like(seen.quality))  # which systems are good is not known then
    known = ~np.isnan(chance)
    below, together = known & (chance < HALF), ((chance - HALF) / error)[known].sum()
    if known.sum() >= FEWEST and below.sum() > HALF * known.sum() and together < SURE * np.sqrt(known.sum()):
        message = (
            f"In {below.sum()} of {known.sum()} topics the systems rank the relevant documents below the others: are "
            "the grades upside down? Look at what 0 and the highest grade mean in the qrels."
        )
        yield Finding("error", "grades upside down", "", "", int(below.sum()), message)


def popular_not_judged(seen):
    """Documents that many runs have at the very top, and nobody judged; of judgments that are all positive it is told
    with these, and of a sample that it is one."""
    count, missing = _popular(seen)
    if judged := _sampled(seen, count, len(missing)):
        message = (
            f"The same share of documents is judged at every rank, about {judged:.0%}, and no more of those that many "
            "runs rank first. The judgments seem to be a random sample, and most metrics score too low. Use infAP, or "
            "ask for the whole file."
        )
        yield Finding("warning", "judgments are a sample", "", "", len(missing), message)
        return
    if not _all_positive(seen) and len(seen.track.systems) >= FEWEST and len(missing) > MISSING * count:
        first = missing[0]
        document, topic = seen.track.documents([first])[0], seen.track.topics[seen.track.topic_of_item[first]]
        most = len(missing) > HALF * count
        cause = "they judged in an earlier round" if most else "lines of the qrels lost, at random or by grade"
        message = (
            f"{len(missing):,} of {count:,} documents that a quarter of the runs rank in their first {FIRST} "
            f"{verb(len(missing), 'is', 'are')} not judged (such as {document} of topic {topic}): were {cause}? "
            "Or did none of these runs help to form the pool? Scores may be too low. Compare the file with its source."
        )
        yield Finding("warning", "popular documents not judged", "", topic, len(missing), message)


def _sampled(seen, popular, missing):
    """The share of documents judged, where the judgments look like a random sample: the same at the first two ranks, at
    the fourth and fifth, and of what many runs rank so high, which a pool has all. Else 0."""
    if _all_positive(seen) or len(seen.track.systems) < FEWEST or popular < FEW:
        return 0
    there = seen.top[:, np.isin(seen.track.topic_of_query, seen.topics), :FIRST]
    first, last = (
        seen.judged[ranks[ranks > 0]].mean() if ranks.any() else 0 for ranks in (there[..., :2], there[..., 3:])
    )
    shares = np.array([first, last, 1 - missing / popular])
    by_chance = 2 * np.sqrt(shares.mean() * (1 - shares.mean()) / popular)
    alike = np.ptp(shares) <= LEVEL * shares.max() + by_chance
    return float(shares.mean()) if alike and 0 < shares.max() < SAMPLED else 0


def _popular(seen):
    """How many documents many systems have at the very top, and those of them that nobody judged, the most popular
    first."""
    holders = seen.holders(FIRST)
    popular = (holders >= max(2, MANY * len(seen.track.systems))) & np.isin(seen.track.topic_of_item, seen.topics)
    missing = np.flatnonzero(popular & ~seen.judged)
    return np.count_nonzero(popular), missing[np.argsort(-holders[missing], kind="stable")]


def told_against_found(study):
    """Whether the systems that somebody named as contributors are those that are judged like contributors."""
    if study.pooling.how != "told" or contributors.relevant_only(study.whole_judgments):
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


def contributors_not_judged(study):
    """Teams that are named as contributing, whose systems rank much above the pool's depth that is not judged."""
    track = study.whole
    if study.pooling.how != "told":
        return
    leads = contributors.leads_of(track, study.whole_judgments)
    group, left = np.array(track.groups, object), track.pooled.copy()
    while len(np.unique(group[left])) > 2:
        worst = max(np.unique(group[left]), key=lambda one: _early_holes(leads, left & (group == one)))
        own = left & (group == worst)
        left &= ~own
        pooling = contributors.told(leads, left)
        short = leads.short_of(pooling.depth) & (leads.lengths > 0)
        if not pooling.depth_known or short[own].sum() <= contributors.DOUBTFUL * (leads.lengths[own] > 0).sum():
            return
        above = track.items[own][:, np.isin(track.topic_of_query, leads.judged_topics), : pooling.depth]
        known = study.whole_judgments.scale.judged[study.whole_judgments.level]
        holes = np.unique(above[~known[above] & (above != EMPTY)])
        names = np.array(track.systems)[own]
        message = (
            f"{worst} is named as contributing, but {digits(len(holes), 'document')} in the first {pooling.depth} of "
            f"its {digits(len(names), 'system')} ({some(names)}) {verb(len(holes), 'is', 'are')} not judged. Other "
            f"teams are judged down to rank {pooling.depth}. Its own documents seem to be lost from the qrels: add "
            "them, or take it as not contributing."
        )
        yield Finding("warning", "contributors not judged", str(names[0]), "", len(holes), message)


def _early_holes(leads, systems):
    """How early the rankings of some systems meet an unjudged document: the mean of 1 over its rank; 0 for never."""
    there = leads.lengths[systems] > 0
    rank = np.where(leads.judged[systems] < leads.lengths[systems], leads.judged[systems] + 1.0, np.inf)[there]
    return np.mean(1 / rank) if len(rank) else 0.0


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


def grades_large(seen):
    """Whether grades go higher than anybody grades documents by hand."""
    highest = int(seen.study.judgments.grade[seen.judged].max(initial=0))
    if highest > MOST_GRADES:
        message = (
            f"Grades go up to {highest}: are they per cent, or is one a slip? From which one on is a document "
            f"relevant? Now it is from {seen.study.judgments.scale.rel_level}; nDCG, and gains that are not binary, "
            "follow the highest."
        )
        yield Finding("note", "large grades", "", "", highest, message)


def all_judged(seen):
    """Whether every document of every long ranking is judged, as people hardly can."""
    track, known = seen.track, seen.judged | (np.arange(seen.track.size) == EMPTY)
    queries = np.isin(track.topic_of_query, seen.topics)
    lengths, judged = track.lengths[:, queries], int(seen.judged.sum())
    if len(track.systems) < FEWEST or not lengths.any() or np.median(lengths[lengths > 0]) < LONG:
        return
    if all(known[rankings[:, queries]].all() for rankings in (seen.top, track.items)):  # the top mostly tells
        message = (
            f"Every document that any run has for a judged topic is judged, {judged:,} in all: did people, or a "
            "program, judge so many? If documents that nobody judged were written as 0, leave them out: what they "
            "would earn counts as known to be nothing."
        )
        yield Finding("note", "everything judged", "", "", judged, message)


OF_SYSTEMS = contributors_not_judged, told_against_found
CHECKS = all_inverted, top_not_judged, popular_not_judged, only_positives, grades_large, all_judged
