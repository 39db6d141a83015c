"""How names of topics and documents are compared: exactly, or once they are changed.

It is an option of the study: `names`, a word of `NAMES`, or what is dropped where a name has it: "prefix=clueweb12-",
"suffix=.txt".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.reading import name_folding
from evalcore.reading.error_text import few_of, shortened
from evalcore.reading.files import Finding, refusal
from evalcore.reading.rows import Rows
from evalcore.vocabulary.sentences import digits

HALF = 0.5
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
    "fold": name_folding.folded_name,
}
MATCH = {
    "case": "if case is ignored",
    "zeros": "if leading zeros of topics are ignored",
    "numbers": "if only the number in a topic's name is used",
    "fold": "if case, dashes, slashes, leading zeros and endings such as .txt are ignored",
}
AFFIXES = ("prefix=", "suffix=")  # what follows is dropped from the beginning, or from the end, of a name
MERGING = ("case", "zeros")  # ways by which two spellings of a topic in one file become one


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


def _affix(names):
    """What is dropped: where it stands, and bytes. None for the other ways."""
    kind, _, affix = names.partition("=")
    return (kind, affix.encode()) if affix else None


def compared(names: str) -> Callable[[bytes], bytes]:
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
    changed = list(map(compared(names), topics))
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
    """The rows of a file (`rows.Rows`) with the names of topics, and for "case" of documents, as they compare.

    -> (Rows, findings on what became one, or was left as it is); InputError as in `topics_compared`
    """
    if names == "exact":
        return rows, []
    changed = topics_compared(file, rows.queries, names)
    queries = list(dict.fromkeys(changed))
    place = {name: number for number, name in enumerate(queries)}
    query = np.array([place[name] for name in changed], np.int32)[rows.query]
    documents = documents_compared(rows.documents, names)
    if names == "fold":
        _refuse_merged_documents(file, rows, documents)
    findings = [*_merged_findings(file, rows, changed, documents), *_left_findings(file, rows.documents, names)]
    return replace(rows, query=query, queries=queries, documents=documents), findings


def _refuse_merged_documents(file, rows, documents):
    """Raises InputError where two documents of a topic would become one."""
    old, new = (of.dictionary_encode().indices.to_numpy().astype(np.int64) for of in (rows.documents, documents))
    topic = rows.query.astype(np.int64) * (len(old) + 1)
    _, first = np.unique(topic + old, return_index=True)  # a row of each document of a topic
    _, place, count = np.unique((topic + new)[first], return_inverse=True, return_counts=True)
    if count.max(initial=0) < 2:
        return
    same = first[place == int(count.argmax())]
    names = [rows.documents[int(row)].as_py().decode("utf-8", "backslashreplace") for row in same[:2]]
    where = rows.queries[int(rows.query[same[0]])].decode("utf-8", "backslashreplace")
    message = (
        f": with the option names=fold, the documents {names[0]} and {names[1]} of topic {where} would become one. "
        "Choose another way to compare names, or rename the documents in one of the files."
    )
    raise refusal(file, message)


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
        merged = [before[int(place)].as_py().decode("utf-8", "backslashreplace") for place in several]
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


def documents_compared(documents: pa.Array, names: str) -> pa.Array:
    """What an array of documents' names (binary or large binary) is once they are compared."""
    if affix := _affix(names):
        kind, text = affix
        escaped = re.escape(text.decode())
        pattern = f"^{escaped}(?s:(.+))$" if kind == "prefix" else f"^(?s:(.+)){escaped}$"
        return pc.replace_substring_regex(documents, pattern, r"\1")
    if names == "fold":
        return name_folding.folded(documents)
    if names != "case":
        return documents
    text = pa.string() if documents.type == pa.binary() else pa.large_string()
    return pc.ascii_lower(documents.view(text)).view(documents.type)
