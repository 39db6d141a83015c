"""Do the files belong together? Names of topics and documents that nearly nothing has in common, and what would make
them match.

How names are compared is an option of the study: `names`, a word of `NAMES`, or what is dropped where a name has it:
"prefix=clueweb12-", "suffix=.txt".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.collection.track import Track
from evalcore.reading.error_text import few_of, shortened
from evalcore.reading.files import Finding, InputError, Problem, refusal
from evalcore.reading.formats import Rows
from evalcore.reading.rankings import Judged
from evalcore.vocabulary.sentences import digits

HARDLY = 0.005  # share below which next to nothing matches
FEWEST = 3  # names whose beginnings show how they are made
ENOUGH = 10  # judgments from which that is no accident, whatever the names
HALF = 0.5
SOME = 0.1  # share of the documents of few runs that may be all that were judged
NEARLY_ALL = 0.9  # names of one side that have a prefix or an ending, where it is how the two sides differ
TOP = 10
NUMBER = re.compile(rb"(\d+)\D*$")


def _number_of(name):
    """The last number in a name, as it is written without leading zeros; the name where there is none."""
    match = NUMBER.search(name)
    return _without_zeros(match[1]) if match else name


def _without_zeros(name):
    return name.lstrip(b"0") or name[-1:]


NAMES = {  # how names are compared -> what is made of a topic's
    "exact": None,
    "case": bytes.lower,
    "zeros": _without_zeros,
    "numbers": _number_of,
}
MATCH = {
    "case": "if case is ignored",
    "zeros": "if leading zeros of topics are ignored",
    "numbers": "if only the number in a topic's name is used",
}
AFFIXES = ("prefix=", "suffix=")  # what follows is dropped from the beginning, or from the end, of a name
MERGING = ("case", "zeros")  # ways by which two spellings of a topic in one file become one
LOOKED_AT, TRIED = 2000, 3  # names in which an affix is looked for; the most frequent ones


def is_way(names: str | None) -> bool:
    """Whether the option `names` may be this. A command line gives bytes that are no UTF-8 as what no text holds."""
    if not isinstance(names, str) or names != names.encode("utf-8", "ignore").decode():
        return False
    return names in NAMES or (names.startswith(AFFIXES) and names not in AFFIXES)


def way(names: str) -> str:
    """The option `names`; ValueError for what it cannot be."""
    if not is_way(names):
        raise ValueError(f"names={names!r} is not known. Known: {', '.join(NAMES)}, prefix=TEXT, suffix=TEXT.")
    return names


def in_words(names: str) -> str:
    """What a way to compare names does, as the end of a sentence."""
    kind, _, affix = names.partition("=")
    return MATCH.get(names) or f"without “{affix}” at the {'beginning' if kind == 'prefix' else 'end'}"


def _as_they_are(documents):
    return documents


def _affix(names):
    """What is dropped: where it stands, and bytes. None for the other ways."""
    kind, _, affix = names.partition("=")
    return (kind, affix.encode()) if affix else None


def _compared(names):
    """What is made of a topic's name: a function of bytes."""
    if names in NAMES:
        return NAMES[names] or bytes
    kind, affix = _affix(names)
    drop = bytes.removeprefix if kind == "prefix" else bytes.removesuffix
    return lambda name: drop(name, affix) or name


def topics_compared(file: str, topics: Sequence[bytes], names: str) -> list[bytes]:
    """What the names of a file's topics (bytes) are once they are compared: a list of bytes, one each.

    InputError where different topics would become one.
    """
    changed = list(map(_compared(names), topics))
    if names not in MERGING and (merged := _merged(topics, changed)):
        message = (
            f": with the option names={names}, {len(merged)} topics would become one ({few_of(merged)}), so their "
            "rankings would be mixed. Choose another way to compare names, or rename the topics."
        )
        raise refusal(file, message)
    return changed


def _merged(names, changed):
    """The first names that become the same, as texts; () where all remain different."""
    same = {}
    for name, new in dict.fromkeys(zip(names, changed, strict=True)):
        same.setdefault(new, []).append(name.decode("utf-8", "backslashreplace"))
    return next((several for several in same.values() if len(several) > 1), ())


def compared_by(file: str, rows: Rows, names: str) -> tuple[Rows, list[Finding]]:
    """The rows of a file (`formats.Rows`) with the names of topics, and for "case" of documents, as they compare.

    -> (Rows, findings on what became one, or was left as it is); InputError as in `topics_compared`
    """
    if names == "exact":
        return rows, []
    changed = topics_compared(file, rows.queries, names)
    queries = list(dict.fromkeys(changed))
    place = {name: number for number, name in enumerate(queries)}
    query = np.array([place[name] for name in changed], np.int32)[rows.query]
    documents = _documents(rows.documents, names)
    findings = [*_merged_findings(file, rows, changed, documents), *_left_findings(file, rows.documents, names)]
    return replace(rows, query=query, queries=queries, documents=documents), findings


def _merged_findings(file, rows, changed, documents):
    """A warning on topics and documents of a file that became one."""
    if merged := _merged(rows.queries, changed):
        count = len(changed) - len(set(changed))
        message = f"{file}: {digits(count, 'topic')} became the same as another ({few_of(merged)})."
        yield Finding("warning", "names merged", "", "", count, message)
    if documents is rows.documents:
        return
    before = rows.documents.unique()
    if count := len(before) - len(documents.unique()):
        kept = documents.dictionary_encode()
        first = pd.Series(rows.documents.dictionary_encode().indices.to_numpy()).groupby(kept.indices.to_numpy())
        several = first.unique()[first.nunique() > 1].iloc[0]
        merged = [before[int(one)].as_py().decode("utf-8", "backslashreplace") for one in several]
        message = f"{file}: {digits(count, 'document')} became the same as another ({few_of(merged)})."
        yield Finding("warning", "names merged", "", "", count, message)


def _left_findings(file, documents, names):
    """What the documents of a file are called that lack a prefix or an ending which others have."""
    if not (affix := _affix(names)):
        return
    kind, text = affix
    documents = documents.unique()
    has = (pc.starts_with if kind == "prefix" else pc.ends_with)(documents, text).to_numpy(zero_copy_only=False)
    if has.any() and not has.all():
        left = shortened(documents[int(np.flatnonzero(~has)[0])].as_py(), 60)
        message = (
            f"{file}: “{text.decode()}” was dropped from {has.sum():,} of {digits(len(has), 'document')}; the others "
            f"(such as {left}) keep their names."
        )
        yield Finding("note" if has.mean() > HALF else "warning", "names left", "", "", int((~has).sum()), message)


def _documents(documents, names):
    if affix := _affix(names):
        kind, text = affix
        escaped = re.escape(text.decode())
        pattern = f"^{escaped}(?s:(.+))$" if kind == "prefix" else f"^(?s:(.+)){escaped}$"
        return pc.replace_substring_regex(documents, pattern, r"\1")
    if names != "case":
        return documents
    text = pa.string() if documents.type == pa.binary() else pa.large_string()
    return pc.ascii_lower(documents.view(text)).view(documents.type)


# Which names match


class Sides:
    """The documents of runs and of judgments for their topics, which may be called otherwise on each side."""

    def __init__(self, track: Track, listed: NDArray[np.bool_], system: int | np.integer | None = None) -> None:
        """track : with the items of both; listed : bool (N,), those that are judged; system : of one run only"""
        ranked = track.items if system is None else track.items[system : system + 1]
        retrieved = np.flatnonzero(track.retrieved) if system is None else np.unique(ranked)
        top = np.unique(ranked[:, :, :TOP])
        self.track = track
        self.items = retrieved[retrieved > 0], top[top > 0], np.flatnonzero(listed)
        self.names = [track.doc_of_item.take(pa.array(items)).cast(pa.large_binary()) for items in self.items]

    @property
    def documents(self) -> tuple[list[str], list[str]]:
        """The names of the ranked documents, and of the judged ones."""
        return self.track.documents(self.items[0]), self.track.documents(self.items[2])

    def match(
        self, of_topic: Callable[[bytes], Any] = bytes, of_runs: Callable[[pa.Array], pa.Array] = _as_they_are,
        of_judgments: Callable[[pa.Array], pa.Array] = _as_they_are,
    ) -> Match:  # fmt: skip
        """How many judged documents are ranked, and of the first ranks are judged, under such names. -> Match

        of_topic : what is made of a topic's name; of_runs, of_judgments : of an array of documents
        """
        names = [change(of) for change, of in zip((of_runs, of_runs, of_judgments), self.names, strict=True)]
        document = pa.concat_arrays(names).dictionary_encode().indices.to_numpy().astype(np.int64)
        topics = pd.factorize(np.array([of_topic(name.encode()) for name in self.track.topics], dtype=object))[0]
        of_items = [self.track.topic_of_item[items] for items in self.items]
        keys = topics[np.concatenate(of_items)] * (len(document) + 1) + document
        retrieved, top, listed = np.split(keys, np.cumsum([len(items) for items in self.items])[:-1])
        top = top[np.isin(top // (len(document) + 1), listed // (len(document) + 1))]
        unlike = all(
            len(np.unique(keys)) == len(keys) and len(np.unique(topics[own])) == len(own)
            for keys, own in ((retrieved, np.unique(of_items[0])), (listed, np.unique(of_items[2])))
        )
        found, judged = np.isin(listed, retrieved), np.isin(top, listed)
        return Match(int(found.sum()), len(listed), int(judged.sum()), len(top), unlike)


@dataclass
class Match:
    """How many of the judged documents are ranked, how many of the first ranked ones are judged, and of how many.

    one_to_one : whether different topics and documents keep different names
    """

    found: int
    listed: int
    judged: int
    top: int
    one_to_one: bool

    @property
    def share(self) -> float:
        """The larger of both shares: one run finds few of the judged documents, and few documents may be judged."""
        return max(self.found / max(1, self.listed), self.judged / max(1, self.top))

    def __str__(self) -> str:
        if self.found * self.top >= self.judged * self.listed:
            return f"{self.found:,} of {self.listed:,} judged documents are then in a run"
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
    count, found = int(listed.sum()), int((listed & retrieved).sum())
    if found > HARDLY * count or listed[top].sum() > HARDLY * (top > 0).sum():
        if names.startswith(AFFIXES):
            _refuse_part_of_the_passages(Sides(track, listed), names)
        return
    if not count or not retrieved[1:].any():
        return
    sides = Sides(track, listed)
    ranked, of_judgments = sides.documents
    remedy = best_remedy(sides, ("case", *affixes(ranked, of_judgments))) if names == "exact" else None
    why = "" if remedy else why_unlike(sides)
    if not (remedy or why or count >= ENOUGH or _begin_otherwise(ranked, of_judgments)):
        return
    unlike = sides.items[0][~listed[sides.items[0]]]
    what = (
        f"{found:,} of {count:,} judged documents are in a run (runs: {few_of(track.documents(unlike[:3]))}; "
        f"judgments: {few_of(of_judgments[:3])})"
    )
    if _share_of(ranked, of_judgments, bytes) >= HALF:
        what += ", although the documents are the same under other topics"
    _refuse(what, remedy, why)


def _refuse_unless_topics_meet(track, judged, listed, names):
    """Raises InputError where runs and judgments have no topic in common. -> whether both have any"""
    answered = {track.topics[t] for t in np.unique(track.topic_of_query[(track.lengths > 0).any(axis=0)])}
    judged_topics = set(judged.topics)
    if not answered or not judged_topics:
        return False
    if not answered & judged_topics:
        what = f"they share no topic (runs: {few_of(sorted(answered))}; judgments: {few_of(sorted(judged_topics))})"
        _refuse(what, topic_remedy(track, listed, answered, judged_topics) if names == "exact" else None)
    return True


def _refuse_part_of_the_passages(sides, names):
    """Raises InputError where one of several endings was dropped, and documents are judged by what precedes them."""
    match = sides.match()
    if match.share < HALF and (why := why_unlike(sides, PASSAGES, 2 * match.share)):
        _refuse(f"with the option names={names}, only {match}", None, why)


def _refuse(what, remedy, why=""):
    then = why or "Check that both are of the same collection and year."
    if remedy:
        way, match = remedy
        then = f"They match {in_words(way)} ({match}): set the option names to {way}."
    message = f"Runs and judgments do not belong together: {what}. {then}"
    raise InputError([Problem("", None, message, remedy=remedy[0] if remedy else "")])


def topic_remedy(
    track: Track, listed: NDArray[np.bool_], answered: Iterable[str], judged_topics: Iterable[str],
    system: int | np.integer | None = None,
) -> tuple[str, Match] | None:  # fmt: skip
    """How the names of topics have to be compared for most to match, and their documents. -> (way, Match) or None

    answered : the topics of all runs, or of one; the other arguments as of `Sides`
    """
    ways = ("case", "zeros", "numbers", *affixes(sorted(answered), sorted(judged_topics)))
    ways = [way for way in ways if _share_of(answered, judged_topics, _compared(way)) >= HALF]
    return best_remedy(Sides(track, listed, system), ways) if ways else None


def best_remedy(sides: Sides, ways: Sequence[str], least: float = 0.0) -> tuple[str, Match] | None:
    """The first way by which different names remain different and most documents match. -> (way, Match) or None

    Names that are alike but for case are so by intention: a tenth, as of few runs, is then enough. least : of the share
    """
    for way in ways:
        documents = partial(_documents, names=way)
        match = sides.match(_compared(way), documents, documents)
        if match.one_to_one and match.share >= max(SOME if way == "case" else HALF, least):
            return way, match
    return None


def _share_of(some_names, others, compared):
    """How many of the smaller set of names are in the other, as they compare."""
    one, other = ({compared(name.encode()) for name in names} for names in (some_names, others))
    return len(one & other) / max(1, min(len(one), len(other)))


def affixes(some_names: Sequence[str], others: Sequence[str]) -> list[str]:
    """What nearly all names of one side have at their beginning or end, and those of the other lack.

    As the option `names`; the most frequent first.
    """
    found = []
    for longer, shorter in ((some_names, set(others)), (others, set(some_names))):
        counts, names = Counter(), longer[:: max(1, len(longer) // LOOKED_AT)]
        for name in names:
            seams = [n for n in range(1, len(name)) if _is_seam(name[:n], name[n:])]
            counts.update(f"prefix={name[:n]}" for n in seams if name[n:] in shorter)
            counts.update(f"suffix={name[n:]}" for n in seams if name[:n] in shorter)
        found += [(count, way) for way, count in counts.most_common(TRIED) if _having(way, names) >= NEARLY_ALL]
    return [way for _, way in sorted(found, key=lambda one: -one[0])]


def _is_seam(before, after):
    """Whether a name may be cut here: not within a number or a word, but after all leading zeros."""
    if not before.strip("0"):
        return after[0] != "0"
    return not ((before[-1].isdigit() and after[0].isdigit()) or (before[-1].isalpha() and after[0].isalpha()))


def _having(way, names):
    """The share of names that have what is dropped, and no further zero after zeros."""
    kind, _, affix = way.partition("=")
    rest = [name.removeprefix(affix) if kind == "prefix" else name.removesuffix(affix) for name in names]
    zeros = kind == "prefix" and not affix.strip("0")
    return np.mean([old != new and not (zeros and new.startswith("0")) for old, new in zip(names, rest, strict=True)])


def _begin_otherwise(some_names, others):
    """Whether all names of a side begin alike, up to their first digit, and otherwise than all of the other."""
    one, other = ({(re.match(r"\D*(?=\d)", name) or [None])[0] for name in names} for names in (some_names, others))
    several = min(len(set(some_names)), len(set(others))) >= FEWEST
    return several and len(one) == len(other) == 1 and one != other and None not in one | other


# Why names do not match, where no option helps: what is made of the runs' documents and of the judged ones for most to
# match, and the reason

ENDING = partial(pc.replace_substring_regex, pattern=r"[^0-9A-Za-z]+[A-Za-z]{0,2}[0-9]+$", replacement="")
NO_ZEROS = partial(pc.replace_substring_regex, pattern=r"(^|[^0-9])0+([0-9])", replacement=r"\1\2")
PASSAGES = (
    (ENDING, _as_they_are, "The ranked documents are passages of the judged ones ({ranked} of {judged}): keep the "
     "best passage of each document, under the document's name."),
    (_as_they_are, ENDING, "The judged documents are passages of the ranked ones ({judged} of {ranked}): rank "
     "passages, or get judgments of documents."),
)  # fmt: skip
ZEROS = NO_ZEROS, NO_ZEROS, "They match without leading zeros ({ranked} for {judged}): write both alike."


def why_unlike(
    sides: Sides, reasons: Sequence[tuple[Callable[..., Any], Callable[..., Any], str]] | None = None,
    least: float = 0.0,
) -> str:  # fmt: skip
    """Why documents do not match, as a sentence with what to do; "" where nothing makes most of them match.

    least : as of `best_remedy`
    """
    for of_runs, of_judgments, why in reasons or (*PASSAGES, ZEROS, *_cut(sides), *_in_case_and_affix(sides)):
        pair = _first_pair(sides, of_runs, of_judgments)
        if pair and sides.match(bytes, of_runs, of_judgments).share >= max(HALF, least):
            return why.format(ranked=pair[0], judged=pair[1])
    return ""


def _first_pair(sides, of_runs, of_judgments):
    """A ranked and a judged document whose different names become the same; None if there is none."""
    ranked, judged = sides.names[0], sides.names[2]
    at = pc.index_in(of_runs(ranked), of_judgments(judged))
    for place in np.flatnonzero(at.is_valid())[:LOOKED_AT].tolist():
        pair = ranked[place].as_py(), judged[at[place].as_py()].as_py()
        if pair[0] != pair[1]:
            return [shortened(name, 60) for name in pair]
    return None


def _cut(sides):
    """As of a column of fixed width: nearly all names of one side have its greatest length, and others are longer."""
    lengths = [pc.binary_length(sides.names[side]).to_numpy() for side in (0, 2)]
    widths = [length.max(initial=0) for length in lengths]
    shorter, whose = (0, "ranked") if widths[0] < widths[1] else (1, "judged")
    if min(widths) < max(widths) and np.mean(lengths[shorter] == widths[shorter]) >= NEARLY_ALL:
        width = int(widths[shorter])
        cut = partial(pc.binary_slice, start=0, stop=width)
        pair = "({ranked} for {judged})" if whose == "ranked" else "({judged} for {ranked})"
        names = f"The names of the {whose} documents"
        yield cut, cut, f"{names} are cut after {width} characters {pair}: write them in full."


def _in_case_and_affix(sides):
    """Names of one side are in another case, and have something more at their beginning or end."""
    for way in affixes(*([name.lower() for name in names] for names in sides.documents)):
        alike = partial(_in_one_case, names=way)
        how = in_words(way).replace("{", "{{").replace("}", "}}")
        yield alike, alike, f"They match if case is ignored, and {how} ({{ranked}} for {{judged}}): write both alike."


def _in_one_case(documents, names):
    return _documents(_documents(documents, "case"), names)
