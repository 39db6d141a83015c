"""White space between and around columns: whether it is regular, and made so."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

BLOCK = 512 << 10  # bytes that are looked at at a time; fits the processor's cache
BLANKS = bytes.maketrans(b"\t\x0b\x0c", b"   ")
# such as U+00A0; a byte A0 behind ASCII is one in Latin-1
UNICODE_BLANKS = re.compile(
    rb"\xc2\xa0|(?<![\x80-\xff])\xa0|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f|\xe3\x80\x80"
)
AT_ENDS = re.compile(rb"(?:(?<=\s)|\A)(?:%s)+|(?:%s)+(?=\s|\Z)" % (UNICODE_BLANKS.pattern, UNICODE_BLANKS.pattern))
LINE_WITH_THEM = re.compile(rb"(?m)^[^\n]*(?:%s)[^\n]*$" % UNICODE_BLANKS.pattern)
MARKS = re.compile(rb"(?:[ \t\v\f]*\xef\xbb\xbf){1,100}")  # more would take memory for each


def after_marks(data: bytes, start: int) -> int:
    """Where the first word begins, behind any byte order marks that somebody's program put before it."""
    marks = MARKS.match(data, start)
    return marks.end() if marks else start


def may_have_unicode_blanks(data: bytes) -> bool:
    """Whether non-breaking blanks, or others that only Unicode has, may be in a text that is not ASCII."""
    if any(begin in data for begin in (b"\xc2\xa0", b"\xe1\x9a\x80", b"\xe2\x80", b"\xe2\x81\x9f", b"\xe3\x80\x80")):
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return b"\xa0" in data
    return False


def as_text(name: bytes) -> str:
    """A name as text: UTF-8 where it is that, else Windows-1252."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("cp1252", "replace")


def code_points(text: str) -> str:
    """The characters of a text that are not ASCII, as U+00A0, each once."""
    return ", ".join(dict.fromkeys(f"U+{ord(letter):04X}" for letter in text if not letter.isascii()))


def newlines(text: bytes) -> int:
    """How many newlines some bytes hold; `bytes.count` takes five times as long."""
    blocks = (np.frombuffer(text[start : start + BLOCK], np.uint8) for start in range(0, len(text), BLOCK))
    return sum(int(np.count_nonzero(block == ord("\n"))) for block in blocks)


def is_regular(body: bytes, columns: int) -> bool:
    """Whether there is one blank between columns and one newline between lines, as far as counting them can tell.

    Where a reader then finds the same number of columns on every line, there is no other blank or control character.
    """
    text = np.frombuffer(body, np.uint8)
    gaps = newlines = 0
    for start in range(0, len(text), BLOCK):
        block = text[start : start + BLOCK + 1]  # one byte of the next block, for a pair across the border
        gap = block <= ord(" ")
        if np.any(gap[1:] & gap[:-1]):
            return False
        gaps += np.count_nonzero(gap[:BLOCK])
        newlines += np.count_nonzero(block[:BLOCK] == ord("\n"))
    rest = 0 if body.endswith(b"\n") else columns - 1
    return text[0] > ord(" ") and gaps == columns * newlines + rest


def evened(body: bytes) -> bytes:
    """The same lines with one blank where there is other white space, and none at their ends."""
    body = body.translate(BLANKS)
    while b"  " in body:
        body = body.replace(b"  ", b" ")
    return body.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ").rstrip(b"\n ") + b"\n"


def stripped(names: pa.Array) -> pa.Array:
    """Arrow names without white space around them."""
    text = pa.string() if names.type == pa.binary() else pa.large_string()
    return pc.ascii_trim_whitespace(names.view(text)).view(names.type)
