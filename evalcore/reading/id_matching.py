"""Do the files belong together? Names of topics and documents that nearly nothing has in common, and what would make
them match.

How names are compared is an option of the study: `names`, a word of `NAMES`, or what is dropped where a name has it:
"prefix=clueweb12-", "suffix=.txt".
"""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.reading.error_text import few_of
from evalcore.reading.files import InputError, Problem

HARDLY = 0.005  # share below which next to nothing matches
ENOUGH = 20  # judgments from which that is no accident
HALF = 0.5
SOME = 0.1  # share of the documents of few runs that may be all that were judged
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
LOOKED_AT = 2000  # names in which an affix is looked for


def is_way(names):
    """Whether the option `names` may be this. A command line gives bytes that are no UTF-8 as what no text holds."""
    if not isinstance(names, str) or names != names.encode("utf-8", "ignore").decode():
        return False
    return names in NAMES or (names.startswith(AFFIXES) and names not in AFFIXES)


def way(names):
    """The option `names`; ValueError for what it cannot be."""
    if not is_way(names):
        raise ValueError(f"names={names!r} is not known. Known: {', '.join(NAMES)}, prefix=TEXT, suffix=TEXT.")
    return names


def in_words(names):
    """What "prefix=..." and "suffix=..." do, as people read it."""
    kind, _, affix = names.partition("=")
    return f"without “{affix}” at the {'beginning' if kind == 'prefix' else 'end'}"


def _affix(names):
    """What is dropped: where it stands, and bytes. None for the other ways."""
    kind, _, affix = names.partition("=")
    return (kind, affix.encode()) if affix else None


def _compared(names):
    """What is made of a topic's name, and in `_match` of any: a function of bytes."""
    if names in NAMES:
        return NAMES[names] or bytes
    kind, affix = _affix(names)
    drop = bytes.removeprefix if kind == "prefix" else bytes.removesuffix
    return lambda name: drop(name, affix) or name


def compared_by(rows, names):
    """The rows of a file (`formats.Rows`) with the names of topics, and for "case" of documents, as they compare."""
    if names == "exact":
        return rows
    changed = list(map(_compared(names), rows.queries))
    queries = list(dict.fromkeys(changed))
    place = {name: number for number, name in enumerate(queries)}
    query = np.array([place[name] for name in changed], np.int32)[rows.query]
    return replace(rows, query=query, queries=queries, documents=_documents(rows.documents, names))


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


def refuse_unless_they_belong(track, judged, listed):
    """Raises InputError where runs and judgments have next to nothing in common.

    track : with the items of both; judged : `rankings.Judged`; listed : bool (N,), the items that are judged
    """
    if not _refuse_unless_topics_meet(track, judged):
        return
    retrieved = track.retrieved
    top = track.items[:, :, :TOP]
    count = int(listed.sum())
    if count < ENOUGH or (listed & retrieved).sum() > HARDLY * count or listed[top].sum() > HARDLY * (top > 0).sum():
        return
    what = (
        f"{(listed & retrieved).sum():,} of {count:,} judged documents are in a run (runs: "
        f"{few_of(track.documents(np.flatnonzero(retrieved & ~listed)[1:4]))}; judgments: "
        f"{few_of(track.documents(np.flatnonzero(listed)[:3]))})"
    )
    names = track.documents(np.flatnonzero(retrieved)[1:]), track.documents(np.flatnonzero(listed))
    if _match(*names, bytes):
        what += ", although the documents are the same under other topics"
    _refuse(what, _remedy(*names, ("case",), SOME) or _dropped(*names, SOME))


def _refuse_unless_topics_meet(track, judged):
    """Raises InputError where runs and judgments have no topic in common. -> whether both have any"""
    answered = {track.topics[t] for t in np.unique(track.topic_of_query[(track.lengths > 0).any(axis=0)])}
    judged_topics = set(judged.topics)
    if not answered or not judged_topics:
        return False
    if not answered & judged_topics:
        what = f"they share no topic (runs: {few_of(sorted(answered))}; judgments: {few_of(sorted(judged_topics))})"
        _refuse(what, _remedy(answered, judged_topics) or _dropped(sorted(answered), sorted(judged_topics)))
    return True


def _refuse(what, remedy):
    then = "Check that both are of the same collection and year."
    if remedy:
        then = f"They match {MATCH.get(remedy) or in_words(remedy)}: set the option names to {remedy}."
    raise InputError([Problem("", None, f"Runs and judgments do not belong together: {what}. {then}", remedy=remedy)])


def _remedy(some_names, others, ways=("case", "zeros", "numbers"), share=HALF):
    """How two sets of names have to be compared for a share of the smaller one to match; "" where nothing helps."""
    if _match(some_names, others, bytes, share):
        return ""  # it is something else that does not
    return next((way for way in ways if _match(some_names, others, _compared(way), share)), "")


def _dropped(some_names, others, share=HALF):
    """What one of two sets of names has at its beginning or end and the other has not, as the option `names`; "" where
    without it they do not match either."""
    if _match(some_names, others, bytes, share):
        return ""
    counts = Counter()
    for longer, shorter in ((some_names, set(others)), (others, set(some_names))):
        for name in longer[:: max(1, len(longer) // LOOKED_AT)]:
            counts.update(f"prefix={name[:n]}" for n in range(1, len(name)) if name[n:] in shorter)
            counts.update(f"suffix={name[n:]}" for n in range(1, len(name)) if name[:n] in shorter)
    return next((way for way, _ in counts.most_common(1) if _match(some_names, others, _compared(way), share)), "")


def _match(some_names, others, compared, share=HALF):
    one, other = ({compared(name.encode()) for name in names} for names in (some_names, others))
    return len(one & other) >= share * min(len(one), len(other))
