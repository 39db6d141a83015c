"""Checks of runs that differ from the others: shifted, mixed up, reversed, truncated, or submitted twice."""

import re
from collections.abc import Iterator
from itertools import takewhile

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy
from numpy.typing import NDArray

from evalcore.checking.check_statistics import DEEP, FEWEST, HALF, LOST, TOP, CheckStatistics, below
from evalcore.checking.random_order import runs_random_in_some_topics
from evalcore.collection import ties
from evalcore.collection.track import EMPTY
from evalcore.reading import files
from evalcore.reading.error_text import few_of
from evalcore.reading.loading import Finding
from evalcore.vocabulary.registry import indices_of
from evalcore.vocabulary.sentences import digits, share, verb

STRANGE = 0.35  # of what is usual, below which a share of known documents is strange
FOREIGN = 0.2  # share of first documents that no other file has, from which it is odd where the rest are known
WELL = 0.95  # of what is usual, from which the rest of them are known
FORMS = 20  # of names of documents, but for their digits, at most, where one more is odd
NEAR = 0.8  # share of the first ranks that two near-copies have alike
SHORT = 0.3  # of the usual length
NO_MORE = 1.5  # times as often as for any other topic: the documents of a run that fits its topics no better
COMMON = 0.05  # share of other topics for which a run's documents must be found, for its own to differ from them
NEITHER = 0.2  # share of first documents judged below which an order does not fit
BETTER_BLOCK = 4.0  # standard errors over topics by which ranks further down are better known than the first
MORE = 1.2  # and how many times as many other runs have them
LEAKED = 0.3  # share of its rankings that a run made of the judgments begins with half of all relevant documents
FEW_LISTS = 3  # that a run has for several topics each, from which its topics are mixed up
SHORTENED = re.compile(r"[0-9](\.[0-9]+)?E\+[0-9]{2,}")  # how a spreadsheet shows large numbers
SAME = 0.95  # share of the first ranks of which two runs have the same documents, in any order
CLEARLY_MORE = 1.5  # times as many documents in the order of ranks, from which tied scores hide it
SURELY = 3.0  # standard errors by which one order fits the judgments better than another, over very many rankings
UPSIDE_DOWN = -0.9  # correlation of the rank column with the order of scores


def runs_of_one_list(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs that rank the same documents first for all topics."""
    for s in range(len(stats.top)):
        if alike := _first_of_all(stats, s):
            message = (
                f"it returns the same top {alike} documents for every topic. Create the file again, or leave it out."
            )
            yield stats.run("one list for all topics", s, message)


def _first_of_all(stats, s):
    """How many of a run's first documents are the same for all topics; 0 unless all are, and enough of them."""
    lists = np.flatnonzero(stats.top[s].any(axis=1))
    first = stats.track.document_of_item[stats.top[s, lists, :TOP]]
    if len(np.unique(stats.track.topic_of_query[lists])) < 2 or np.any(first != first[0]):
        return 0
    alike = int(np.count_nonzero(first[0]))
    return alike if alike >= FEWEST else 0


def runs_of_other_documents(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs whose first documents hardly any other run retrieves for the same topics."""
    if len(stats.known) < FEWEST or np.median(stats.known) < 2 * STRANGE:
        return
    usual = np.median(stats.known)
    rivals = "another run" if stats.enough == 1 else f"at least {stats.enough} other runs"
    for s in below(stats.known, 2 * STRANGE * usual):
        if s in stats.left_in or not stats.top[s].any() or _first_of_all(stats, s):
            continue
        cause = _shifted(stats, s) or _turned_over(stats, s, usual) or _mixed(stats, s) or _why_unknown(stats, s)
        if cause or stats.known[s] < STRANGE * usual:
            fact = f"only {stats.known[s]:.0%} of its top {TOP} documents are judged or in the top {DEEP} of {rivals}."
            message = f"{fact} {cause or 'Its scores are mostly unknown: compare intervals, not means.'}"
            yield stats.run("run of other documents", s, message, "warning" if cause else "note")


def runs_partly_of_other_documents(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs with many first documents that no other run has for any topic, although the rest are as known as usual."""
    if len(stats.known) < FEWEST or np.median(stats.known) < 2 * STRANGE:
        return
    track, unmet = stats.track, stats.met_nowhere_else
    for s in np.argsort(-unmet, kind="stable"):
        if unmet[s] < LOST:
            return
        usual = np.median(stats.known) * (1 - unmet[s])
        if unmet[s] > NEAR or s in stats.left_in or stats.known[s] < 2 * STRANGE * usual:
            continue
        items = stats.top[s, :, :TOP]
        alone = ~stats.documents_elsewhere(s)[track.document_of_item]
        doubt = unmet[s] < FOREIGN or stats.known[s] < WELL * usual
        of_another_form = _of_another_form(stats, np.unique(items[(items > 0) & alone[items]]))
        if doubt and not of_another_form:
            continue
        strange, other = (track.documents(items[(items > 0) & mask][:1])[0] for mask in (alone[items], ~alone[items]))
        fact = (
            f"{unmet[s]:.0%} of its top {TOP} documents (such as {strange}) are neither judged nor in another run, for "
            f"any topic; the rest (such as {other}) are as well known as other runs' documents."
        )
        if of_another_form:
            message = (
                f"{fact} These names seem to come from another version of the collection: rename them as in the qrels."
            )
            yield stats.run("run partly of other documents", s, message)
        else:
            message = f"{fact} It may search another version of the collection, or other queries: check both."
            yield stats.run("run partly of other documents", s, message, "note")


def _of_another_form(stats, items):
    """Whether the names of these items are formed as hardly any judged document's is: with other letters and signs
    around their digits, or other signs around those, where judged documents have few such forms."""
    names = stats.track.doc_of_item
    for pattern in ("[0-9]+", "[0-9A-Za-z]+"):
        own, judged = (
            pc.replace_substring_regex(names.take(pa.array(of)), pattern=pattern, replacement="0")
            for of in (items, np.flatnonzero(stats.judged))
        )
        forms = judged.unique()
        if len(forms) <= FORMS and pc.mean(pc.is_in(own, value_set=forms)).as_py() <= LOST:
            return True
    return False


def _others(stats, s):
    """The items that other runs retrieve. int, ascending."""
    items = np.unique(np.delete(stats.top, s, axis=0))
    return items[items > 0]


def _shifted(stats, s):
    """A message that a run's topics look shifted or renamed, with an example; None for most runs."""
    track, lists, pairs = stats.track, np.flatnonzero(stats.top[s].any(axis=1)), []
    of_run = stats.of_run(s)
    for query in lists:
        if (theirs := _topic_of(stats, s, query, of_run)) is not None:
            pairs.append((track.topic_of_query[query], theirs))
    if len({theirs for _, theirs in pairs}) <= HALF * len(lists):
        return None
    names = [tuple(sorted((track.topics[topic] for topic in pair), key=len)) for pair in pairs]
    own, other = (track.topics[topic] for topic in pairs[0])
    fact = (
        f"For {digits(len(pairs), 'topic')} it has the documents that other runs have for another topic (for {own}, "
        f"those for {other})."
    )
    if all(longer.startswith(name) or longer.endswith(name) for name, longer in names):
        return f"{fact} Its topics seem to have other names, so they count as unjudged: rename them as in the qrels."
    return f"{fact} Its topics seem to be shifted, so it is scored with the wrong judgments: renumber its topics."


def _turned_over(stats, s, usual):
    """A message that a run looks reversed: its last documents are as known as others' first, and no fewer are relevant
    than of its own first; None for most runs."""
    first, last = _ends(stats.track.items[s], stats.track.lengths[s])
    known = float(((stats.holders_of_item[last] > stats.enough) | stats.judged[last]).mean())
    if known < max(2 * STRANGE * usual, 2 * stats.known[s]) or _better(stats.relevant, first, last):
        return None
    return (
        f"Its last {TOP} documents are better known ({known:.0%} are judged or found by other runs), so it may be "
        f"written in reverse order: check {_what_orders(stats, s)}."
    )


def _ends(rankings, lengths):
    """The items at the first, and at the last, ten ranks of some rankings. Two int (n,)."""
    ends = [(row[: min(TOP, n)], row[max(0, n - TOP) : n]) for row, n in zip(rankings, lengths, strict=True)]
    return [np.concatenate(parts) for parts in zip(*ends, strict=True)]


def _better(of, items, other_items):
    """Whether of these items a larger share has a property (bool (N,)) than of the others."""
    return of[items].mean() > of[other_items].mean()


def _what_orders(stats, s):
    """What to check where a ranking seems to be in another order: the sign of its scores if reversing it helps."""
    track = stats.track
    long = (track.lengths[s] >= 2 * TOP) & np.isin(track.topic_of_query, stats.topics)
    if not long.any():
        return "how it was sorted"
    first, last = (of.reshape(-1, TOP) for of in _ends(track.items[s][long], track.lengths[s][long]))
    if not clearly_better(stats, last, first):
        return "how it was sorted"
    return "the sign of its scores" if stats.study.options["order"] == "score" else "its rank column"


def _mixed(stats, s):
    """A message that a run's documents fit other topics as well as their own; None for most runs."""
    items = stats.top[s, :, :TOP]
    items = items[items > 0]
    share, topics = np.mean(stats.holders_of_item[items] > stats.enough), len(np.unique(stats.track.topic_of_query))
    elsewhere = stats.topics_of(stats.track.document_of_item[items], stats.of_run(s)).sum() - share * len(items)
    elsewhere /= max(1, topics - 1) * len(items)
    if elsewhere < COMMON or share > NO_MORE * elsewhere:
        return None
    fit = "no better" if round(share, 2) <= round(elsewhere, 2) else "hardly better"
    return (
        f"Its top documents fit its topics {fit} than any others: other runs retrieve {share:.0%} of them for the same "
        f"topic, and {elsewhere:.0%} for each other topic on average. Its lines or topics may be mixed up: create the "
        "file again."
    )


def _why_unknown(stats, s):
    """A message on why no other run has a run's documents; None where some do."""
    track, own = stats.track, stats.top[s, :, :TOP]
    lists, rivals = np.flatnonzero(own.any(axis=1)), _others(stats, s)
    if np.all(track.lengths[s][lists] <= 1):
        return "It has one document per topic: check whether the document and Q0 columns are swapped."
    items = own[own > 0]
    if ((stats.holders_of_item[items] > 1) | stats.judged[items]).mean() >= LOST:
        return None
    documents = track.document_of_item
    if np.isin(documents[items], documents[rivals[stats.holders_of_item[rivals] >= stats.enough]]).mean() > HALF:
        return "Other runs retrieve most of its documents, but for other topics. Its lines may be mixed up: check them."
    mine, theirs = set(track.documents(np.unique(items))), set(track.documents(rivals))
    if len(mine & theirs) > LOST * len(mine):
        return None
    judged = "hardly any of them counts as judged" if stats.judged[items].any() else "none of them counts as judged"
    if len(_folded(mine) & _folded(theirs)) > HALF * len(mine):
        return f"Its document names match only if case is ignored, so {judged}. Choose to ignore the case of names."
    example, usual = (track.documents(some[some > 0][:1])[0] for some in (own.ravel(), rivals))
    if not {_shape(name) for name in mine} & {_shape(name) for name in theirs}:
        return f"Its document names look like {example}, those of other runs like {usual}, so {judged}. Rename them."
    return (
        f"Hardly any of its documents (such as {example}) occur in another run, for any topic. Check whether it "
        "searched a different collection."
    )


def _folded(names):
    return {name.lower() for name in names}


def _shape(name):
    """The pattern of a name: "a" for a series of letters and "0" for a series of digits."""
    return re.sub(r"[A-Za-z]+", "a", re.sub(r"\d+", "0", name))


def _topic_of(stats, s, query, of_run):
    """The topic for which other runs have most of a ranking's first documents, with far fewer for its own; or None."""
    items, own = stats.top[s, query, :TOP], stats.track.topic_of_query[query]
    items = items[items > 0]
    counts = stats.topics_of(stats.track.document_of_item[items], of_run)
    best = int(counts.argmax())
    return best if counts[best] >= max(HALF * len(items), 2 * counts[own], 1) else None


def topics_in_each_others_place(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs that are normal except for a few topics, for which they have what others have for another topic."""
    track, (known, present), sound = stats.track, stats.known_by_query, 2 * STRANGE * np.median(stats.known)
    if len(track.systems) < FEWEST:
        return
    for s in np.flatnonzero(stats.known >= sound):
        strange = np.flatnonzero((present[s] >= TOP) & (known[s] <= STRANGE * TOP))
        of_run = stats.of_run(s) if len(strange) else None
        met = {query: _topic_of(stats, s, query, of_run) for query in strange}
        turns = stats.conversation  # systems may well find the same for turns of one
        met = {q: t for q, t in met.items() if t is None or turns[track.topic_of_query[q]] != turns[t]}
        rings = _rings({(track.topic_of_query[query], topic) for query, topic in met.items()})
        pairs = [
            (track.topics[track.topic_of_query[query]], track.topics[topic])
            for query, topic in met.items()
            if topic is not None and (known[s, query] <= LOST * TOP or (track.topic_of_query[query], topic) in rings)
        ]
        if pairs:
            (topic, other), count = pairs[0], len({own for own, _ in pairs}) - 1
            more = f", and likewise for {digits(count, 'more topic')}" if count else ""
            message = (
                f"for topic {topic} it has the documents that other runs have for topic {other}{more}. If these topics "
                "are swapped, its scores for them are wrong: renumber them."
            )
            yield stats.run("topics exchanged in a run", s, message, "warning" if rings else "note")


def _rings(exchanged):
    """Those of these pairs (a topic, the one whose documents it has) that form a ring: two or more swapped topics."""
    left = exchanged
    while True:
        owns, theirs = {own for own, _ in left}, {topic for _, topic in left}
        within = {(own, topic) for own, topic in left if topic in owns and own in theirs}
        if within == left:
            return left
        left = within


def runs_upside_down(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs whose rank column contradicts their scores."""
    study, track = stats.study, stats.track
    if study.by_rank is None:
        return
    by_rank = _by_rank(stats)
    met = []
    for s in range(len(track.systems)):
        scores = track.scores[s]
        varied = np.nanmax(scores, axis=1, initial=-np.inf) > np.nanmin(scores, axis=1, initial=np.inf)
        turned, of = _turned(by_rank[s], track.lengths[s], varied)
        if len(turned) > LOST * of:
            met.append((*_which_fits(stats, s, turned), s, len(turned), of))
    for severity, _, advice, s, turned, of in sorted(met, key=lambda row: row[1]):
        message = f"its rank column contradicts its scores in {turned} of {digits(of, 'ranking')}. {advice}"
        yield stats.run("run upside down", s, message, severity)


def _turned(by_rank, lengths, varied):
    """The rankings of a system whose ranks reverse its scores, and how many can show it.

    These have three documents or more and scores that differ (bool, `varied`).
    """
    tell = np.flatnonzero((lengths >= 3) & varied)
    falling = tell[by_rank[tell, 0] > by_rank[tell, lengths[tell] - 1]]  # few do, and the others need no closer look
    turned = [q for q in falling if np.corrcoef(by_rank[q, : lengths[q]], np.arange(lengths[q]))[0, 1] < UPSIDE_DOWN]
    return turned, len(tell)


def _which_fits(stats, s, turned):
    """Whether these rankings fit the judgments better by score or by rank: a severity, a sort key and words."""
    ends = _ends(stats.track.items[s, turned], stats.track.lengths[s, turned])
    in_force, other = (float(stats.judged[end].mean()) for end in ends)
    order, reverse = ("score", "rank") if stats.study.options["order"] == "score" else ("rank", "score")
    fact = (
        f"There, {in_force:.0%} of its top {TOP} by {order} are judged, and {other:.0%} of its top {TOP} by {reverse}"
    )
    if max(in_force, other) < NEITHER:
        return "note", 1, f"{fact}: neither order fits. Check its topics, and whether low scores are best."
    if other > in_force and not _better(stats.relevant, *ends):
        turn = "Change the sign of its scores" if order == "score" else "Reverse its rank numbers"
        return "warning", in_force - other, f"{fact}: it seems to be read from its worst end. {turn}."
    but = ", but more of the former are relevant" if other > in_force else ""
    return "note", in_force - other, f"{fact}{but}: the order in use fits better."


def runs_better_by_rank(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs whose scores order them much worse than their rank column does, as tied ones do."""
    study, track = stats.study, stats.track
    if study.by_rank is None or study.options["order"] != "score":
        return
    tied = ties.tied_share(track)
    file_of = dict(zip(study.system_table["system"], study.system_table["file"], strict=True))
    for s, (by_score, by_rank) in tops_by_rank(stats).items():
        if tied[s] < HALF or not clearly_better(stats, by_rank, by_score):
            continue  # where scores differ, the rank column may be that of an earlier ranking
        relevant, judged = ([of[top].mean() for top in (by_score, by_rank)] for of in (stats.relevant, stats.judged))
        kind, of = ("relevant", relevant) if relevant[1] >= CLEARLY_MORE * relevant[0] else ("judged", judged)
        if of[1] < CLEARLY_MORE * of[0]:
            continue
        name = track.systems[s]
        message = (
            f"{share(tied[s])} of its documents have tied scores, so names decide their order: {share(of[0])} of its "
            f"top {TOP} are {kind}, by its rank column {share(of[1])}. Read it in the order of that column "
            f"({file_of.get(name, name)}:order=rank, as an option of columns)."
        )
        yield stats.run("better by rank", s, message)


def tops_by_rank(stats: CheckStatistics) -> dict[int, tuple[NDArray[np.integer], NDArray[np.integer]]]:
    """The first documents of each run in the order of scores, and in that of its rank column, where these differ.

    System -> items, two int (n, k), of rankings for judged topics with as many documents at least.
    """
    track, by_rank = stats.track, _by_rank(stats)
    met = {}
    for s, (items, lengths) in enumerate(zip(track.items, track.lengths, strict=True)):
        long = np.flatnonzero((lengths >= TOP) & np.isin(track.topic_of_query, stats.topics))
        ranked = np.take_along_axis(items[long], by_rank[s, long, :TOP], axis=1)
        if len(long) >= FEWEST and np.any(ranked != items[long, :TOP]):
            met[s] = items[long, :TOP], ranked
    return met


def _by_rank(stats):
    """`Study.by_rank` of the systems and queries looked at."""
    study, track = stats.study, stats.track
    rows = indices_of(track.systems, study.whole.systems, "system")
    return study.by_rank[rows][:, np.isin(study.whole.queries, track.queries)]


def clearly_better(stats: CheckStatistics, first: NDArray[np.integer], other: NDArray[np.integer]) -> bool:
    """Whether more of some first documents than of others are judged, or are relevant, beyond chance over rankings, and
    not fewer are the other. Items, int (n, k) both."""
    sure, surely = [], scipy.stats.t.isf(scipy.stats.norm.sf(SURELY), max(1, len(first) - 1))
    for of in (stats.judged, stats.relevant):
        more = of[first].sum(axis=1) - of[other].sum(axis=1).astype(float)
        error = more.std(ddof=1) / np.sqrt(len(more)) if len(more) > 1 else np.inf
        sure.append(more.mean() / error if error > 0 else np.sign(more.mean()) * np.inf if more.any() else 0.0)
    return max(sure) >= surely and min(sure) > -surely


def runs_with_earlier_documents(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs that rank first what no other run has, as if it had been judged before and all others had left it out."""
    for s, items in stats.left_in.items():
        document, topic = stats.track.documents(items[:1])[0], stats.track.topics[stats.track.topic_of_item[items[0]]]
        message = (
            f"{digits(len(items), 'document')} in its top {TOP} (such as {document}, topic {topic}) are neither judged "
            "nor in any other run, but the documents below are as usual. If an earlier round judged them, and other "
            "runs leave them out, leave them out here, too; else its score is mostly unknown: compare its interval."
        )
        yield stats.run("earlier documents left in", s, message)


def runs_in_another_order(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs of which some ranks further down hold documents that other runs rank high, more than their first ranks do:
    reversed, sorted by something else, or with a block of documents in the wrong place."""
    track = stats.track
    if len(track.systems) < FEWEST:
        return
    met = []
    for s, (items, lengths) in enumerate(zip(track.items, track.lengths, strict=True)):
        long = (lengths >= 3 * TOP) & np.isin(track.topic_of_query, stats.topics)
        if np.count_nonzero(long) >= FEWEST and s not in stats.left_in:
            met.append((s, *_better_block(stats, items[long])))
    for s, block, sure, first, best in sorted(met, key=lambda row: -row[2]):
        if sure < BETTER_BLOCK or best < MORE * first:
            return
        ranks = track.items[s, :, :TOP], track.items[s, :, TOP * block : TOP * (block + 1)]
        if _better(stats.relevant, *(items[items != EMPTY] for items in ranks)):
            continue
        ends = TOP * block, min(TOP * (block + 1), int(track.lengths[s].max()))
        message = (
            "it may be reversed, wrongly sorted, or joined in the wrong order. Documents at its ranks "
            f"{ends[0] + 1} to {ends[1]} are in the top {DEEP} of {best:.0f} other runs on average, those at ranks 1 "
            f"to {TOP} of {first:.0f}. Check {_what_orders(stats, s)}."
        )
        yield stats.run("run in another order", s, message)


def _better_block(stats, items):
    """The block of ten ranks that other runs know better than the first, most surely: which it is, by how many standard
    errors over rankings, and how many other runs hold a document of the first block and of this one on average.

    items : int (n, K), the rankings of one run
    """
    blocks = items.shape[1] // TOP
    items = items[:, : blocks * TOP]
    holders = stats.holders_of_item[items]
    holders[:, :DEEP] -= 1  # this run itself
    filled = (items != EMPTY).reshape(-1, blocks, TOP).sum(axis=2)
    holders = np.where(items != EMPTY, holders, 0).reshape(-1, blocks, TOP).sum(axis=2) / np.maximum(filled, 1)
    n = np.count_nonzero(filled, axis=0)
    more = np.where(filled > 0, holders - holders[:, :1], 0.0)
    mean = more.sum(axis=0) / np.maximum(n, 1)
    spread = np.where(filled > 0, (more - mean) ** 2, 0.0).sum(axis=0) / np.maximum(n - 1, 1)
    error = np.sqrt(spread / np.maximum(n, 1))
    sure = np.divide(mean, error, out=np.zeros(blocks), where=(n >= FEWEST) & (error > 0))
    block = int(sure.argmax())
    known = filled[:, block] > 0
    return block, sure[block], holders[known, 0].mean(), holders[known, block].mean()


def lists_of_another_topic(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs that have one list for two topics, which hardly any other run has."""
    track, met = stats.track, {}
    document, conversation = track.document_of_item, stats.conversation[track.topic_of_query]
    for s, ranked in enumerate(stats.top[:, :, :TOP]):
        if _first_of_all(stats, s):
            continue
        full = np.flatnonzero((ranked != EMPTY).all(axis=1))
        _, list_of, count = np.unique(document[ranked[full]], axis=0, return_inverse=True, return_counts=True)
        list_of = list_of.ravel()
        for repeated in np.flatnonzero(count > 1):
            queries = full[list_of == repeated]
            if len(np.unique(conversation[queries])) > 1:
                met.setdefault(tuple(track.topic_of_query[queries].tolist()), []).append(s)
    by_run = {}
    for topics, systems in met.items():
        if len(systems) <= max(1, LOST * len(track.systems)):
            for s in systems:
                by_run.setdefault(s, []).append(topics)
    for s, alike in by_run.items():
        concerned = sum(map(len, alike))
        if len(alike) < FEW_LISTS or concerned <= HALF * HALF * np.count_nonzero(track.lengths[s]):
            continue  # a system that knows few words has the same for a few topics, or for a group of them
        topic, other, *_ = (track.topics[place] for place in alike[0])
        message = (
            f"it has the same top {TOP} for topics {topic} and {other}, and {concerned} topics in all share such "
            "lists. Other runs do not, so it is scored with lists of the wrong topics: create the file again, or "
            "leave it out."
        )
        yield stats.run("one list for two topics", s, message)


def runs_short(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs with far shorter rankings than the others."""
    lengths = np.array([np.median(row[row > 0]) if row.any() else np.inf for row in stats.track.lengths])
    usual = np.median(lengths) if len(lengths) else 0
    for s in below(lengths, SHORT * usual) if np.isfinite(usual) else ():
        message = (
            f"it has {lengths[s]:g} documents per topic; other runs have {usual:g}. Ranks past its end score 0. If it "
            "was truncated, get the complete run."
        )
        yield stats.run("short lists", s, message)


def lists_short(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs whose rankings are far too short for a few topics only, where other runs' are not; fewest topics first."""
    lengths, met = stats.track.lengths, []
    usual = np.array([np.median(of[of > 0]) if of.any() else 0 for of in lengths.T])
    for s, own in enumerate(lengths):
        returned = own[own > 0]
        if len(returned) < FEWEST or len(lengths) < FEWEST or np.median(returned) < returned.max():
            continue
        short = np.flatnonzero((own > 0) & (own < SHORT * np.minimum(np.median(returned), usual)))
        if 0 < len(short) <= HALF * HALF * len(returned):
            query = short[0]
            more = f" {digits(len(short) - 1, 'more topic')} may lack documents, too." if len(short) > 1 else ""
            message = (
                f"it has only {digits(int(own[query]), 'document')} for topic {stats.track.queries[query]}, but "
                f"usually {np.median(returned):,.0f}.{more} Check its file for missing lines."
            )
            met.append((len(short), stats.run("short list in a topic", s, message, "note")))
    yield from (finding for _, finding in sorted(met, key=lambda row: row[0]))


def runs_of_the_judgments(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs that rank half of all relevant documents first, or all relevant documents that they retrieve."""
    track, level = stats.track, stats.relevant
    relevant = np.bincount(track.topic_of_item[1:], level[1:], len(track.topics))[track.topic_of_query].astype(int)
    reach = np.where(relevant < TOP, relevant, np.minimum(relevant // 2, DEEP // 2))
    for s in range(len(track.systems)):
        long = np.flatnonzero((relevant >= FEWEST) & (track.lengths[s] >= reach))
        leading = level[stats.top[s, long]].cumprod(axis=1).sum(axis=1)
        first = np.count_nonzero(leading >= reach[long])
        if first >= max(FEWEST, LEAKED * len(long)):
            message = (
                f"in {first} of {len(long)} rankings it begins with half of all relevant documents or more, without "
                "any other. No system retrieves so well, so it seems to be made from the judgments: check its origin."
            )
            yield stats.run("made of the judgments", s, message)
            continue
        own = level[track.items[s]]
        count = own.sum(axis=1)
        mixed = np.flatnonzero((count >= FEWEST) & (track.lengths[s] >= count + FEWEST))
        ordered = sum(own[query, : count[query]].all() for query in mixed)
        if len(mixed) >= FEWEST and ordered >= (1 - LOST) * len(mixed):
            message = (
                f"its relevant documents come before all others in {ordered} of {len(mixed)} rankings. No system ranks "
                "so well, so it seems to be ordered by the judgments: remove it."
            )
            yield stats.run("made of the judgments", s, message)


def runs_with_the_query(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs that rank the query itself: a document with its name, which is not judged relevant.

    Where names are numbers, only the first rank of several rankings shows that it is no other document's number.
    """
    track = stats.track
    names = pa.array([name.encode() for name in track.topics], track.doc_of_item.type)
    alike = np.flatnonzero(pc.is_in(track.doc_of_item, value_set=names).to_numpy(zero_copy_only=False))
    alike = alike[alike != EMPTY]
    own = np.zeros(track.size, bool)
    topics = names.take(pa.array(track.topic_of_item[alike]))
    own[alike] = pc.equal(track.doc_of_item.take(pa.array(alike)), topics).to_numpy(zero_copy_only=False)
    if not own.any() or (own & stats.relevant).sum() > LOST * own.sum():
        return
    numbers = all(name.isdigit() for name in track.topics)
    for s, items in enumerate(stats.top):
        first = own[items[:, : 1 if numbers else TOP]].any(axis=1)
        count, of = int(first.sum()), int(items.any(axis=1).sum())
        if count > max(HALF * of, FEWEST - 1 if numbers else 1):
            message = (
                f"it ranks the query itself in {count} of {of} rankings (such as {track.queries[first.argmax()]}): a "
                "document with the query's name takes a rank from the others. To leave it out, as BEIR does, set the "
                "option itself to drop."
            )
            yield stats.run("query ranks itself", s, message)


def names_of_a_spreadsheet(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Documents whose names a spreadsheet took for large numbers, and shortened."""
    track = stats.track
    maybe = np.flatnonzero(pc.match_substring(track.doc_of_item, "E+").to_numpy(zero_copy_only=False))
    names = dict(zip(maybe.tolist(), track.documents(maybe), strict=True))
    shortened = [item for item, name in names.items() if SHORTENED.fullmatch(name)]
    if shortened:
        holders = [s for s, items in enumerate(track.items) if np.isin(items, shortened).any()]
        files = [track.systems[s] for s in holders]
        if stats.judged[shortened].any():
            files.append("the qrels")
        message = (
            f"{few_of(files)}: {digits(len(shortened), 'document')} (such as {names[shortened[0]]}) "
            f"{verb(len(shortened), 'has', 'have')} a name that a spreadsheet shortened, so different documents may "
            "have become one, and count as unjudged. Export the file with names as text."
        )
        system = track.systems[holders[0]] if holders else ""
        yield Finding("warning", "names shortened", system, "", len(shortened), message)


def runs_alike(stats: CheckStatistics) -> Iterator[files.Finding]:
    """Runs whose rankings, or top ranks, are identical or nearly so; those with the least similar names first."""
    names, copies, met = stats.track.systems, set(), []
    first = stats.top[:, :, :TOP]
    in_any_order = np.sort(first, axis=2).reshape(len(names), -1)
    first = first.reshape(len(names), -1)
    of = np.maximum((first != 0).sum(axis=1), 1)
    for a, name in enumerate(names):
        alike, same = (
            ((ranked[a] == ranked[a + 1 :]) & (ranked[a] != 0)).sum(axis=1) / np.maximum(of[a], of[a + 1 :])
            for ranked in (first, in_any_order)
        )
        for b in np.flatnonzero((alike >= NEAR) | (same >= SAME)) + a + 1:
            if b in copies:
                continue
            akin = _akin(name, names[b])
            if np.array_equal(stats.track.items[a], stats.track.items[b]):
                copies.add(b)
                message = (
                    f"its rankings are identical to those of {name}: fusion counts them twice, and neither run has a "
                    "document of its own. Remove one of the two."
                )
                met.append((akin, stats.run("same ranking twice", b, message)))
            else:
                part, order = share(float(alike[b - a - 1])), ""
                if alike[b - a - 1] < NEAR:
                    part, order = share(float(same[b - a - 1])), ", in another order"
                message = (
                    f"{part} of its top {TOP} is the same as in {name}{order}, so neither run has many documents of "
                    "its own. If one of the two is a copy, remove it."
                )
                met.append((akin, stats.run("nearly the same ranking", b, message, "note")))
    yield from (finding for _, finding in sorted(met, key=lambda name: name[0]))


def _akin(name, other):
    """The length of the common prefix of two names, as a share of the shorter: runs of one group may well be alike."""
    alike = takewhile(lambda letters: letters[0] == letters[1], zip(name.lower(), other.lower(), strict=False))
    return sum(1 for _ in alike) / max(1, min(len(name), len(other)))


CHECKS = (  # what explains most comes first
    runs_of_one_list,
    runs_of_the_judgments,
    runs_of_other_documents,
    runs_partly_of_other_documents,
    topics_in_each_others_place,
    lists_of_another_topic,
    runs_upside_down,
    runs_with_earlier_documents,
    runs_in_another_order,
    runs_random_in_some_topics,
    names_of_a_spreadsheet,
    runs_with_the_query,
    runs_alike,
    lists_short,
    runs_short,
)
