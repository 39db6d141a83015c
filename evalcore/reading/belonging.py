"""Do the files belong together? Names of topics and documents that nearly nothing has in common, and what would make
them match.

How names are compared is an option of the study: `names`, a word of `NAMES`.
"""

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.reading.files import InputError, Problem
from evalcore.reading.wording import some

HARDLY = 0.005  # share below which next to nothing matches
ENOUGH = 20  # judgments from which that is no accident
HALF = 0.5
TOP = 10
NUMBER = re.compile(rb"(\d+)\D*$")


def _number_of(name):
    """The last number in a name, as it is written without leading zeros; the name where there is none."""
    found = NUMBER.search(name)
    return _without_zeros(found[1]) if found else name


def _without_zeros(name):
    return name.lstrip(b"0") or name[-1:]


NAMES = {  # how names are compared -> what is made of a topic's
    "exact": None,
    "case": bytes.lower,
    "zeros": _without_zeros,
    "numbers": _number_of,
}
MATCH = {
    "case": "if upper and lower case are taken as one",
    "zeros": "if leading zeros of topics are dropped",
    "numbers": "if only the number in a topic's name counts",
}


def compared_by(rows, names):
    """The rows of a file (`formats.Rows`) with the names of topics, and for "case" of documents, as they compare."""
    if names == "exact":
        return rows
    changed = [NAMES[names](query) for query in rows.queries]
    queries = list(dict.fromkeys(changed))
    place = {name: number for number, name in enumerate(queries)}
    query = np.array([place[name] for name in changed], np.int32)[rows.query]
    return replace(rows, query=query, queries=queries, documents=_documents(rows.documents, names))


def _documents(documents, names):
    if names != "case":
        return documents
    text = pa.string() if documents.type == pa.binary() else pa.large_string()
    return pc.ascii_lower(documents.view(text)).view(documents.type)


def refuse_unless_they_belong(track, judged, listed):
    """Raises InputError where runs and judgments have next to nothing in common.

    track : with the items of both; judged : `rankings.Judged`; listed : bool (N,), the items that are judged
    """
    answered = {track.topics[t] for t in np.unique(track.topic_of_query[(track.lengths > 0).any(axis=0)])}
    asked = set(judged.topics)
    if not answered or not asked:
        return
    if not answered & asked:
        what = f"no topic of the one is in the other (runs: {some(sorted(answered))}; judgments: {some(sorted(asked))})"
        remedy = _remedy(answered, asked)
    else:
        held = np.zeros(track.size, bool)
        held[track.items] = True
        top = track.items[:, :, :TOP]
        count = int(listed.sum())
        if count < ENOUGH or (listed & held).sum() > HARDLY * count or listed[top].sum() > HARDLY * (top > 0).sum():
            return
        what = (
            f"{(listed & held).sum():,} of {count:,} judged documents are in a run (runs: "
            f"{some(track.documents(np.flatnonzero(held & ~listed)[1:4]))}; judgments: "
            f"{some(track.documents(np.flatnonzero(listed)[:3]))})"
        )
        names = track.documents(np.flatnonzero(held)[1:]), track.documents(np.flatnonzero(listed))
        remedy = _remedy(*names, ("case",))
        if _match(*names, bytes):
            what += ", though the documents are the same: they stand under other topics"
    then = f" They match {MATCH[remedy]}." if remedy else " Are they of the same collection and year?"
    raise InputError([Problem("", None, f"Runs and judgments do not belong together: {what}.{then}", remedy=remedy)])


def _remedy(some_names, others, ways=("case", "zeros", "numbers")):
    """How two sets of names have to be compared for half of the smaller one to match; "" where nothing helps."""
    if _match(some_names, others, bytes):
        return ""  # it is something else that does not
    return next((way for way in ways if _match(some_names, others, NAMES[way])), "")


def _match(some_names, others, compared):
    one, other = ({compared(name.encode()) for name in names} for names in (some_names, others))
    return len(one & other) >= HALF * min(len(one), len(other))
