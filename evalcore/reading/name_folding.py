"""Names folded step by step, so that those which differ in letter case, slashes, leading zeros and the like are one.

A step takes an array of names and gives an array of names. Only bytes of ASCII and dashes change; what Unicode can
write in two ways is for `matching.name_spelling`.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from urllib.parse import unquote_to_bytes

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212_ "
UUID = r"^([0-9A-Fa-f]{8})-([0-9A-Fa-f]{4})-([0-9A-Fa-f]{4})-([0-9A-Fa-f]{4})-([0-9A-Fa-f]{12})$"
FILES = "txt|text|html?|xml|json|pdf|docx?|md|tex|gz|zip|trec|sgml?"


@dataclass(frozen=True)
class Step:
    """A step of the folding. words : what differs; signs : bytes without any of which it changes nothing"""

    words: str
    signs: bytes
    fold: Callable[[pa.Array], pa.Array]


def _each(change, names):
    return pa.array([change(name) for name in names.to_pylist()], names.type)


def _unescaped(name):
    return html.unescape(name.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _decoded(name):
    return unquote_to_bytes(name.replace(b"+", b" "))


def _lower(names):
    text = pa.string() if names.type == pa.binary() else pa.large_string()
    return pc.ascii_lower(names.view(text)).view(names.type)


def _replace(pattern, by=""):
    return partial(pc.replace_substring_regex, pattern=pattern, replacement=by)


def _without_dashes(names):
    return _replace(UUID, r"\1\2\3\4\5")(_replace("|".join(DASHES), "-")(names))


STEPS = (
    Step("an HTML entity such as &amp;", b"&", partial(_each, _unescaped)),
    Step("percent-encoding, or + for a blank", b"%+", partial(_each, _decoded)),
    Step("/ or \\", b"\\", _replace(r"\\", "/")),
    Step("http, https or www.", b"/.", _replace(r"^(?i:https?:/+)?(?i:www\.)?")),
    Step("a slash at the end", b"/", _replace("/+$")),
    Step("a dash, underscore or blank", "-".join(DASHES).encode(), _without_dashes),
    Step("letter case", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", _lower),
    Step("leading zeros", b"0", _replace("(^|[^0-9])0+([0-9])", r"\1\2")),
    Step("an ending such as .txt, .0 or _0", b".-", _replace(rf"(?i:\.(?:{FILES}|0)|[-_]0)+$")),
)


def folded(names: pa.Array, without: Iterable[Step] = ()) -> pa.Array:
    """Names (binary or large binary) after all steps but these; a name of which nothing is left stays as it was."""
    new = names
    for step in STEPS:
        if step not in without and any(sign in step.signs for sign in _bytes_in(new)):
            new = step.fold(new)
    return pc.if_else(pc.equal(pc.binary_length(new), 0), names, new)


def folded_name(name: bytes) -> bytes:
    """One name after all steps."""
    return folded(pa.array([name], pa.binary()))[0].as_py()


def _bytes_in(names):
    data = np.frombuffer(names.buffers()[2] or b"", np.uint8)
    return np.flatnonzero(np.bincount(data, minlength=256)).tolist()


def differences(names: pa.Array, others: pa.Array) -> list[str]:
    """What pairs of names that fold to the same differ in, in words, the most frequent first."""
    if not len(names):
        return []
    apart = np.array([_differ(*(folded(of, [step]) for of in (names, others))) for step in STEPS])
    count = apart.sum(axis=1)
    return [STEPS[at].words for at in np.argsort(-count, kind="stable") if count[at]]


def _differ(left, right) -> NDArray[np.bool_]:
    return pc.not_equal(left, right).to_numpy(zero_copy_only=False)
