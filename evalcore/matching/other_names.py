"""Do the files belong together? Topics and documents that runs and judgments call by other names: in another case, with
a prefix, cut, or as passages.

Names are compared byte by byte, so such a document counts as unjudged. One rule finds all kinds: of the documents that
are ranked and not judged, how many have the name of a judged one of the same topic once both are compared in some way?
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.collection.track import EMPTY, Track
from evalcore.reading import name_folding
from evalcore.reading.error_text import few_of, shortened
from evalcore.reading.files import Finding, InputError, Problem
from evalcore.reading.id_matching import AFFIXES, compared, documents_compared, in_words
from evalcore.reading.rankings import Judged
from evalcore.vocabulary.sentences import digits

HARDLY = 0.005  # share below which next to nothing matches
FEWEST = 3  # names that show how they are made
ENOUGH = 10  # judgments from which that is no accident, whatever the names
HALF = 0.5
SOME = 0.1  # share of the documents of few runs that may be all that were judged
NEARLY_ALL = 0.9  # names of one side that have a prefix or an ending, or one length, where all are made so
TOP, FIRST = 10, 20  # ranks
SAMPLE = 8  # topics that show whether any run names documents otherwise
SHARE = 0.03  # of a run's unjudged documents, from which it names them otherwise
MOST = 0.8  # of what any way explains, from which an earlier one is taken
LOOKED_AT, TRIED = 1000, 3  # names in which an affix is looked for; the most frequent ones
LONGEST = 500  # bytes after which names are cut, at most

OTHER_TOPICS = (
    "The topics of one side may have other numbers, or the judgments are of another round: compare both with the list "
    "of topics."
)
BEST = "with the option passages=best."
# of ways that are no option, what they mean
PASSAGES = (
    "The ranked documents are passages of the judged ones ({ranked} of {judged}): score each document as its best "
    f"passage, {BEST}"
)
OF_PASSAGES = (
    "The judged documents are passages of the ranked ones ({judged} of {ranked}): rank passages, or get judgments of "
    "documents."
)
FOLDED = (
    "They match {how}, once letter case, dashes, slashes and leading zeros are ignored ({ranked} for {judged}): write "
    "both alike."
)
CUT = "The names of the {whose} documents are cut after {width} characters ({short} for {long}): write them in full."
ENDING = partial(
    pc.replace_substring_regex, pattern=r"[^0-9A-Za-z]+(?:[A-Za-z]{1,12}[^0-9A-Za-z]*)?[0-9]+$", replacement=""
)


def _as_they_are(names):
    return names


@dataclass(frozen=True)
class Way:
    """A way to compare the names of documents.

    names : the option that does so; "" where none does
    ours, theirs : what is made of an array of the runs' names, and of the judged ones
    says : what it means, of a way that is no option
    """

    names: str
    ours: Callable[[pa.Array], pa.Array] = _as_they_are
    theirs: Callable[[pa.Array], pa.Array] = _as_they_are
    says: str = ""


def _option(names):
    change = partial(documents_compared, names=names)
    return Way(names, change, change)


class Unlike:
    """Ranked documents, and judged ones of the same topics.

    track : with the items of both; ours, theirs : int, items
    """

    def __init__(self, track: Track, ours: NDArray[np.integer], theirs: NDArray[np.integer]) -> None:
        self.track, self.ours, self.theirs = track, ours, theirs
        self.names = [track.doc_of_item.take(pa.array(items)).cast(pa.large_binary()) for items in (ours, theirs)]

    def ways(self) -> Iterator[Way]:
        """The ways to compare that may make names match; what changes least comes first."""
        yield _option("case")
        yield from filter(
            self._have_several_endings, (Way("", ours=ENDING, says=PASSAGES), Way("", theirs=ENDING, says=OF_PASSAGES))
        )
        affixes = self._affixes(self.names)
        yield from map(_option, affixes)
        yield _option("fold")
        yield from self._cut()
        for names in self._affixes([name_folding.folded(of) for of in self.names]) if not affixes else ():
            change = partial(_folded_without, names=names)
            yield Way("", change, change, FOLDED.replace("{how}", in_words(names)))

    def partners(self, way: Way) -> NDArray[np.int64]:
        """For each ranked document, the judged one of its topic that it is in this way; `EMPTY` for none."""
        ours, theirs = self._keys(way, np.arange(len(self.track.topics)))
        order = np.argsort(theirs, kind="stable")
        place = np.minimum(np.searchsorted(theirs[order], ours), len(theirs) - 1)
        return np.where(theirs[order][place] == ours, self.theirs[order][place], EMPTY)

    def _keys(self, way, topics):
        """Numbers of the ranked and of the judged documents, equal where their names are. topics : of each topic"""
        names = way.ours(self.names[0]), way.theirs(self.names[1])
        code = pa.concat_arrays(names).dictionary_encode().indices.to_numpy().astype(np.int64)
        topic = topics[self.track.topic_of_item[np.concatenate([self.ours, self.theirs])]]
        return np.split(topic * (len(code) + 1) + code, [len(self.ours)])

    def _affixes(self, names_by_side):
        """The most frequent beginnings and ends that names of one side have in addition, as options.

        names_by_side : those of the runs, and of the judgments
        """
        sides = [defaultdict(set), defaultdict(set)]
        for side, items, names in zip(sides, (self.ours, self.theirs), names_by_side, strict=True):
            for topic, name in zip(self.track.topic_of_item[items].tolist(), names.to_pylist(), strict=True):
                side[topic].add(name.decode("utf-8", "backslashreplace"))
        counts = Counter()
        for longer, shorter in (sides, sides[::-1]):
            pairs = [(name, shorter[topic]) for topic in longer if topic in shorter for name in sorted(longer[topic])]
            for name, shorter_names in pairs[:: max(1, len(pairs) // LOOKED_AT)]:
                counts.update(_affixes_of(name, shorter_names, _is_seam))
        ways = [names for names, _ in counts.most_common(2 * TRIED)]
        return [names for names in ways if names.strip("0") != "prefix="][:TRIED]  # zeros are folded

    def _have_several_endings(self, way):
        """Whether the names that match without their endings have several: one alone is a suffix."""
        met = self.partners(way) != EMPTY
        names = self.names[0].filter(pa.array(met))
        if way.theirs is ENDING:
            items = np.unique(self.partners(way)[met])
            names = self.track.doc_of_item.take(pa.array(items)).cast(pa.large_binary())
        names = names.slice(0, LOOKED_AT)
        pairs = zip(names.to_pylist(), ENDING(names).to_pylist(), strict=True)
        return len({name[len(short) :] for name, short in pairs} - {b""}) > 1

    def _cut(self):
        """As of a column of fixed width: most of one side's names that are as long begin longer ones of the other.

        Judged names are cut only if nearly all are, within a word or a number: what follows is else an ending.
        """
        lengths = [pc.binary_length(names).to_numpy() for names in self.names]
        for side, whose in enumerate(("ranked", "judged")):
            widths, counts = np.unique(lengths[side], return_counts=True)
            for at in np.argsort(-counts, kind="stable")[: 2 * TRIED if side == 0 else 1]:
                width, count = int(widths[at]), counts[at]
                few = count < (FEWEST if side == 0 else NEARLY_ALL * len(lengths[1]))
                if few or width > LONGEST or width >= lengths[1 - side].max():
                    continue
                whole, cut = partial(_of_width, width=width), partial(_cut_at, width=width, in_word=side == 1)
                says = CUT.replace("{whose}", whose).replace("{width}", str(width))
                pair = ("{ranked}", "{judged}")[:: 1 if side == 0 else -1]
                says = says.replace("{short}", pair[0]).replace("{long}", pair[1])
                way = Way("", whole, cut, says) if side == 0 else Way("", cut, whole, says)
                if np.count_nonzero(self.partners(way)) >= HALF * (count if side == 0 else len(self.ours)):
                    yield way


def _folded_without(documents, names):
    return documents_compared(name_folding.folded(documents), names)


def _of_width(names, width):
    """Names of this length; the others as what no name is."""
    return pc.if_else(pc.equal(pc.binary_length(names), width), names, pa.scalar(b"\n", names.type))


def _cut_at(names, width, in_word):
    """Longer names cut after so many bytes, if need be only where the next continues a word or a number."""
    longer = pc.greater(pc.binary_length(names), width)
    if in_word:
        longer = pc.match_substring_regex(names, f"^(?s:.{{{width - 1}}})(?:[0-9]{{2}}|[A-Za-z]{{2}})")
    return pc.if_else(longer, pc.binary_slice(names, start=0, stop=width), pa.scalar(b"\r", names.type))


def _example(track, ours, theirs):
    """A ranked and a judged document, as text."""
    return [shortened(name, 60) for name in track.doc_of_item.take(pa.array([int(ours), int(theirs)])).to_pylist()]


def _reason(track, way, ours, theirs):
    """When names match, as the end of a sentence, or for ways that are no option, what is wrong. ours, theirs : items
    that match"""
    ranked, judged = _example(track, ours[0], theirs[0])
    if way.says:
        return way.says.replace("{ranked}", ranked).replace("{judged}", judged)
    if way.names != "fold":
        return in_words(way.names)
    sides = [track.doc_of_item.take(pa.array(items[:LOOKED_AT])).cast(pa.large_binary()) for items in (ours, theirs)]
    return f"but for {' and '.join(name_folding.differences(*sides)[:2])}"


# Documents of some runs, or some documents of all


def findings(track: Track, listed: NDArray[np.bool_], names: str) -> Iterator[Finding]:
    """Warnings on runs of which many unjudged documents are judged ones by another name, and on topics likewise.

    track : with the items of both; listed : bool (N,), the items that are judged; names : how they were compared
    """
    yield from _topics_of_other_names(track, listed, names)
    queries = np.flatnonzero(np.isin(track.topic_of_query, np.unique(track.topic_of_item[listed])))
    if any(_explained(track, listed, queries[:: max(1, -(-len(queries) // SAMPLE))])):
        for system, way, ours, theirs, unjudged in _explained(track, listed, queries):
            yield _of_other_names(track, listed, system, way, ours, theirs, unjudged, names)


def _explained(track, listed, queries):
    """The systems of which many first documents are judged ones in some way.

    -> (system, Way, the ranked items, the judged items, how many of its first documents are not judged)
    """
    unjudged = [np.unique(first[first > 0]) for first in track.items[:, queries, :FIRST]]
    unjudged = [items[~listed[items]] for items in unjudged]
    ours = np.unique(np.concatenate([np.zeros(0, int), *unjudged]))
    theirs = np.flatnonzero(listed & np.isin(track.topic_of_item, track.topic_of_query[queries]))
    if not len(ours) or not len(theirs):
        return
    unlike = Unlike(track, ours, theirs)
    ways = list(unlike.ways())
    partners = [unlike.partners(way) for way in ways]
    for system, items in enumerate(unjudged):
        own = [of[np.searchsorted(ours, items)] for of in partners]
        counts, least = [np.count_nonzero(of) for of in own], max(FEWEST, SHARE * len(items))
        if max(counts) < least:
            continue
        at = next(at for at, count in enumerate(counts) if count >= MOST * max(counts))
        met = own[at] != EMPTY
        if ways[at].names:
            met &= ~np.isin(own[at], track.items[system][queries])  # both names in a run are two documents
        if np.count_nonzero(met) >= least:
            yield system, ways[at], items[met], own[at][met], len(items)


def _of_other_names(track, listed, system, way, ours, theirs, unjudged, names):
    name, reason = track.systems[system], _reason(track, way, ours, theirs)
    share = f"{name}: {len(ours):,} of {digits(unjudged, 'unjudged document')} in its top {FIRST} "
    if way.says:
        message = f"{share}belong to judged ones. {reason}"
    else:
        ranked, other = _example(track, ours[0], theirs[0])
        offered = names == "exact" and not _makes_one(track, system, listed, way)
        message = (
            f"{share}have the name of a judged one {reason} ({ranked} in the run, {other} in the judgments), so they "
            f"count as unjudged. Rename them as in the qrels{f', or set the option names to {way.names}' * offered}."
        )
    return Finding("warning", "documents of other names", name, "", len(ours), message)


def _makes_one(track, system, listed, way):
    """Whether two documents that a run has for a topic, or two judged ones, would become one."""
    for items in (np.unique(track.items[system])[1:], np.flatnonzero(listed)):
        names = way.ours(track.doc_of_item.take(pa.array(items)).cast(pa.large_binary()))
        keys = pd.DataFrame({"topic": track.topic_of_item[items], "name": names.dictionary_encode().indices.to_numpy()})
        if keys.duplicated().any():
            return True
    return False


# All documents, or all topics


class Sides(Unlike):
    """The documents of runs and of judgments for their topics, which may be called otherwise on each side."""

    def __init__(self, track: Track, listed: NDArray[np.bool_], system: int | np.integer | None = None) -> None:
        """track : with the items of both; listed : bool (N,), those that are judged; system : of one run only"""
        ranked = track.items if system is None else track.items[system : system + 1]
        retrieved = np.flatnonzero(track.retrieved) if system is None else np.unique(ranked)
        super().__init__(track, retrieved[retrieved > 0], np.flatnonzero(listed))
        top = np.unique(ranked[:, :, :TOP])
        self.top = np.searchsorted(self.ours, top[top > 0])

    @property
    def documents(self) -> tuple[list[str], list[str]]:
        """The names of the ranked documents, and of the judged ones."""
        return self.track.documents(self.ours), self.track.documents(self.theirs)

    def match(self, way: Way, of_topic: Callable[[bytes], Any] = bytes) -> Match:
        """How many judged documents are ranked, and of the first ranks are judged, under such names. -> Match

        of_topic : what is made of a topic's name
        """
        topics = pd.factorize(np.array([of_topic(name.encode()) for name in self.track.topics], dtype=object))[0]
        keys_by_side = self._keys(way, topics)
        topics_of_items = [self.track.topic_of_item[items] for items in (self.ours, self.theirs)]
        retrieved, listed = keys_by_side
        top = retrieved[self.top][np.isin(topics[topics_of_items[0]][self.top], topics[topics_of_items[1]])]
        unlike = all(
            len(np.unique(keys)) == len(keys) and len(np.unique(topics[own])) == len(own)
            for keys, own in zip(keys_by_side, map(np.unique, topics_of_items), strict=True)
        )
        ranked, judged = np.isin(listed, retrieved), np.isin(top, listed)
        return Match(int(ranked.sum()), len(listed), int(judged.sum()), len(top), unlike)


@dataclass
class Match:
    """How many of the judged documents are ranked, how many of the first ranked ones are judged, and of how many.

    one_to_one : whether different topics and documents keep different names
    """

    ranked: int
    listed: int
    judged: int
    top: int
    one_to_one: bool

    @property
    def share(self) -> float:
        """The larger of both shares: one run finds few of the judged documents, and few documents may be judged."""
        return max(self.ranked / max(1, self.listed), self.judged / max(1, self.top))

    def __str__(self) -> str:
        if self.ranked * self.top >= self.judged * self.listed:
            return f"{self.ranked:,} of {self.listed:,} judged documents are then in a run"
        return f"{self.judged:,} of {self.top:,} documents in the top {TOP} are then judged"


def refuse_unless_they_belong(track: Track, judged: Judged, listed: NDArray[np.bool_], names: str = "exact") -> None:
    """Raises InputError where runs and judgments have next to nothing in common.

    track : with the items of both; judged : `rankings.Judged`; listed : bool (N,), the items that are judged
    names : how they were compared
    """
    if not _refuse_unless_topics_meet(track, judged, listed, names):
        return
    answered = np.zeros(len(track.topics), bool)
    answered[track.topic_of_query[(track.lengths > 0).any(axis=0)]] = True
    listed = listed & answered[track.topic_of_item]  # of other topics no run could retrieve a document
    retrieved, top = track.retrieved, track.items[:, :, :TOP]
    count, in_runs = int(listed.sum()), int((listed & retrieved).sum())
    if in_runs > HARDLY * count or listed[top].sum() > HARDLY * (top > 0).sum():
        if names.startswith(AFFIXES):
            _refuse_part_of_the_passages(Sides(track, listed), names)
        return
    if not count or not retrieved[1:].any():
        return
    sides = Sides(track, listed)
    ranked, of_judgments = sides.documents
    remedy, why = _way_of_most(sides) if names == "exact" else (None, "")
    if not (remedy or why or count >= ENOUGH or _begin_otherwise(ranked, of_judgments)):
        return
    unlike = sides.ours[~listed[sides.ours]]
    fact = (
        f"{in_runs:,} of {count:,} judged documents are in a run (runs: {few_of(track.documents(unlike[:3]))}; "
        f"judgments: {few_of(of_judgments[:3])})"
    )
    if _share_of(ranked, of_judgments, bytes) >= HALF:
        fact += ", although the documents are the same under other topics"
        why = why or OTHER_TOPICS
    _refuse(fact, remedy, why)


def _refuse_unless_topics_meet(track, judged, listed, names):
    """Raises InputError where runs and judgments have no topic in common. -> whether both have any"""
    answered = {track.topics[t] for t in np.unique(track.topic_of_query[(track.lengths > 0).any(axis=0)])}
    judged_topics = set(judged.topics)
    if not answered or not judged_topics:
        return False
    if not answered & judged_topics:
        fact = f"they share no topic (runs: {few_of(sorted(answered))}; judgments: {few_of(sorted(judged_topics))})"
        remedy = topic_remedy(track, listed, answered, judged_topics) if names == "exact" else None
        ranked, of_judgments = Sides(track, listed).documents
        same = not remedy and _share_of(ranked, of_judgments, bytes) >= HALF
        _refuse(f"{fact}, although the documents are the same" if same else fact, remedy, OTHER_TOPICS if same else "")
    return True


def _refuse_part_of_the_passages(sides, names):
    """Raises InputError where one of several endings was dropped, and documents are judged by what precedes them."""
    match = sides.match(Way(""))
    if match.share < HALF and (why := _way_of_most(sides, only=(PASSAGES, OF_PASSAGES), least=2 * match.share)[1]):
        _refuse(f"with the option names={names}, only {match}", None, why)


def _way_of_most(sides, only=(), least=0.0):
    """The first way by which most documents match. -> (option, when they match in words, Match), None where it is no
    option; and why, "" where it is one

    Names that are alike but for case are so by intention: a tenth, as of few runs, is then enough.
    only : ways that say this; least : of the share
    """
    merging = ""
    for way in sides.ways():
        if (only and way.says not in only) or not _is_of_nearly_all(way.names, sides.names):
            continue
        match = sides.match(way)
        if match.share < max(SOME if way.names == "case" else HALF, least):
            continue
        partners = sides.partners(way)
        met = (partners != EMPTY) & (partners != sides.ours)
        if not met.any():
            continue
        reason = _reason(sides.track, way, sides.ours[met], partners[met])
        if way.says:
            return None, reason
        if match.one_to_one:
            return (way.names, reason, match), ""
        merging = merging or f"They match {reason}, but some names would then be one: write them alike in all files."
    return None, merging


def _refuse(fact, remedy, why=""):
    then = why or "Check that both are of the same collection and year."
    if remedy:
        way, reason, match = remedy
        then = f"They match {reason} ({match}): set the option names to {way}."
    message = f"Runs and judgments do not belong together: {fact}. {then}"
    options = (("passages", "best"),) if why.endswith(BEST) else ()
    raise InputError([Problem("", None, message, remedy=remedy[0] if remedy else "", options=options)])


def _topics_of_other_names(track, listed, names):
    """Warnings on runs whose topics without judgments are judged ones by another name."""
    judged_topics = {track.topics[topic] for topic in np.unique(track.topic_of_item[listed]).tolist()}
    for system, lengths in enumerate(track.lengths if names == "exact" else ()):
        answered = {track.topics[topic] for topic in track.topic_of_query[lengths > 0].tolist()}
        own, theirs = answered - judged_topics, judged_topics - answered
        if own and theirs and (remedy := topic_remedy(track, listed, own, theirs, system)):
            way, reason, match = remedy
            name, count = track.systems[system], len(own)
            yours = f"shares no topic with the qrels. Its {digits(count, 'topic')} match"
            if answered & judged_topics:
                yours = f"has {digits(count, 'topic')} without judgments, which match those of the qrels"
            message = f"{name} {yours} {reason} ({match}): rename them, or set the option names to {way}."
            yield Finding("warning", "topics of other names", name, "", count, message)


def _is_of_nearly_all(option, sides):
    """Whether nearly all names of a side have the prefix or ending that the option drops; True for other options."""
    kind, _, affix = option.partition("=")
    has = pc.starts_with if kind == "prefix" else pc.ends_with
    return not affix or any(pc.mean(has(names, affix.encode())).as_py() >= NEARLY_ALL for names in sides)


def topic_remedy(
    track: Track, listed: NDArray[np.bool_], answered: Iterable[str], judged_topics: Iterable[str],
    system: int | np.integer | None = None,
) -> tuple[str, str, Match] | None:  # fmt: skip
    """How the names of topics have to be compared for most to match, and their documents.

    answered : the topics of all runs, or of one; the other arguments as of `Sides`
    -> (option, when they match in words, Match) or None
    """
    ways = ("case", "zeros", *_affixes_of_topics(sorted(answered), sorted(judged_topics)), "fold", "numbers")
    ways = [way for way in ways if _share_of(answered, judged_topics, compared(way)) >= HALF]
    if not ways:
        return None
    sides = Sides(track, listed, system)
    for way in ways:
        match = sides.match(_option(way), compared(way))
        if match.one_to_one and match.share >= (SOME if way == "case" else HALF):
            return way, in_words(way), match
    return None


def _share_of(some_names, other_names, compared):
    """How many of the smaller set of names are in the other, as they compare."""
    left, right = ({compared(name.encode()) for name in names} for names in (some_names, other_names))
    return len(left & right) / max(1, min(len(left), len(right)))


def _affixes_of_topics(some_names, other_names):
    """What nearly all names of one side have at their beginning or end, and those of the other lack, as options."""
    affixes = []
    for longer, shorter in ((some_names, set(other_names)), (other_names, set(some_names))):
        within = len(longer) >= FEWEST  # a few may also have one end of a number in common
        counts = Counter(way for name in longer for way in _affixes_of(name, shorter, *[_is_seam] * (not within)))
        affixes += [(count, way) for way, count in counts.most_common(TRIED) if count >= NEARLY_ALL * len(longer)]
    return [way for _, way in sorted(affixes, key=lambda pair: -pair[0])]


def _affixes_of(name, other_names, may_be_cut=lambda before, after: True):
    """What may be dropped from the name for it to be one of the others, as options."""
    for n in range(1, len(name)):
        before, after = name[:n], name[n:]
        if after in other_names and may_be_cut(before, after):
            yield f"prefix={before}"
        if before in other_names and may_be_cut(before, after):
            yield f"suffix={after}"


def _is_seam(before, after):
    """Whether a name may be cut here: not within a number or a word, but after all leading zeros."""
    if not before.strip("0"):
        return after[0] != "0"
    return not ((before[-1].isdigit() and after[0].isdigit()) or (before[-1].isalpha() and after[0].isalpha()))


def _begin_otherwise(some_names, other_names):
    """Whether all names of a side begin alike, up to their first digit, and otherwise than all of the other."""
    left, right = (
        {(re.match(r"\D*(?=\d)", name) or [None])[0] for name in names} for names in (some_names, other_names)
    )
    several = min(len(set(some_names)), len(set(other_names))) >= FEWEST
    return several and len(left) == len(right) == 1 and left != right and None not in left | right
