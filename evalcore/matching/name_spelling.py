"""Names that runs and judgments write in different characters: in another encoding or Unicode form, or with characters
that nobody sees. Names are compared byte by byte, so they do not match.
"""

import contextlib
import re
import unicodedata
from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.collection.track import EMPTY, Track
from evalcore.reading.error_text import few_of, shortened
from evalcore.reading.files import Finding, InputError, Problem
from evalcore.reading.rankings import Judged
from evalcore.reading.white_space import as_text, code_points
from evalcore.vocabulary.sentences import digits, verb

ESCAPED = re.compile(rb"\\x([89a-f][0-9a-f])")  # how the name of a topic shows a byte that is not UTF-8
INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
MISREAD = re.compile("[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122]")  # UTF-8 read as Windows-1252 and written again
REMEDY = "Save all files in UTF-8 and in the same Unicode form (NFC), without invisible characters."


def findings(track: Track, judged: Judged, listed: NDArray[np.bool_]) -> list[Finding]:
    """Warnings on names of topics and documents of the runs that judgments write in other characters.

    track : with the items of both; judged : `rankings.Judged`; listed : bool (N,), the items that are judged
    Raises InputError where more documents, or topics, are written so than match.
    """
    warnings = [_of_topics(track, judged), _of_documents(track, listed)]
    return [finding for finding in warnings if finding is not None]


def _of_topics(track, judged):
    answered = {track.topics[t] for t in np.unique(track.topic_of_query[(track.lengths > 0).any(axis=0)])}
    ours, theirs = (
        [(0, ESCAPED.sub(_unescaped, name.encode())) for name in sorted(names)]
        for names in (answered - set(judged.topics), judged.topics)
    )
    pairs = _pairs(ours, theirs)
    return _finding("topic", pairs, len(answered & set(judged.topics)), [])


def _unescaped(match):
    return bytes([int(match[1], 16)])


def _of_documents(track, listed):
    if not _has_other_letters(track.doc_of_item):
        return None
    text = pa.string() if track.doc_of_item.type == pa.binary() else pa.large_string()
    names = track.doc_of_item.view(text)
    plain, unjudged = pc.string_is_ascii(names).to_numpy(zero_copy_only=False), track.retrieved & ~listed
    unjudged[EMPTY] = False
    ours, theirs = (np.flatnonzero(of & ~plain) for of in (unjudged, listed))
    # of the others only those that are written as these are read
    ours, theirs = (
        np.append(odd, np.flatnonzero(of & plain & _are_in(track, names, other_side)))
        for odd, of, other_side in ((ours, unjudged, theirs), (theirs, listed, ours))
    )
    pairs = _pairs(_items(track, ours), _items(track, theirs))
    items = ours[[place for place, _, _ in pairs]] if pairs else []
    systems = [track.systems[s] for s in np.flatnonzero(np.isin(track.items, items).any(axis=(1, 2)))] if pairs else []
    return _finding("document", pairs, int((listed & track.retrieved).sum()), systems)


def _are_in(track, names, items):
    """Which names are those of some items as they are read. bool (N,)"""
    folded = pa.array([_folded(name).decode() for _, name in _items(track, items)], names.type)
    return pc.is_in(names, folded).to_numpy(zero_copy_only=False)


def _has_other_letters(names):
    """Whether there is a byte that is not ASCII."""
    text = np.frombuffer(names.buffers()[2] or b"", np.uint8)
    return bool(len(text) and text.max() > 127)


def _items(track, items):
    """The (topic, name) of items."""
    names = track.doc_of_item.take(pa.array(items)).to_pylist()
    return list(zip(track.topic_of_item[items].tolist(), names, strict=True))


def _pairs(ours, theirs):
    """Names of ours that have no equal in their topic, but one in other characters. -> [(place, ours, theirs)]"""
    plain = {pair for pair in theirs if pair[1].isascii()}
    odd = {(topic, _folded(name)): name for topic, name in theirs if not name.isascii()}
    pairs = []
    for place, (topic, name) in enumerate(ours):
        if name.isascii():
            other = odd.get((topic, name))
        else:
            folded = _folded(name)
            other = odd.get((topic, folded)) or (folded if (topic, folded) in plain else None)
        if other is not None and other != name:
            pairs.append((place, name, other))
    return pairs


def _folded(name):
    """A name in one encoding and form, without what nobody sees."""
    text = as_text(name)
    if MISREAD.search(text):
        with contextlib.suppress(UnicodeError):
            text = text.encode("cp1252").decode("utf-8")
    return BLANKS.sub(" ", INVISIBLE.sub("", unicodedata.normalize("NFC", text))).strip().encode()


def _finding(kind, pairs, matching, systems):
    """A warning on pairs of names; InputError where they are more than match."""
    if not pairs:
        return None
    _, ours, theirs = pairs[0]
    where = f" of {few_of(systems)}" if systems else " of the runs"
    message = (
        f"{digits(len(pairs), kind)}{where} {verb(len(pairs), 'has', 'have')} the name of a judged {kind} in other "
        f"characters, so they do not match: {shortened(ours, 60)}{_different(ours, theirs)} in the runs, "
        f"{shortened(theirs, 60)}{_different(theirs, ours)} in the judgments. {REMEDY}"
    )
    if len(pairs) > matching:
        raise InputError([Problem("", None, message)])
    system = systems[0] if len(systems) == 1 else ""
    return Finding("warning", "names in other characters", system, "", len(pairs), message)


def _different(name, other):
    """The characters that one name has and another lacks, between brackets."""
    if not _is_utf8(name):
        return " (not UTF-8)"
    lacks = Counter(as_text(name)) - Counter(as_text(other) if _is_utf8(other) else "")
    points = code_points("".join(lacks))
    return f" ({points})" if points else ""


def _is_utf8(name):
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
