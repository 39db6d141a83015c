"""Text for messages about files: what a file is instead of text, its lines as printable text, a few of many names."""

import re

from evalcore.reading.files import refusal
from evalcore.vocabulary.safe_text import printable
from evalcore.vocabulary.sentences import digits, first_of

EXAMPLES = 3
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
NUMBER_AT = {"run": {3: 2, 6: 4}, "qrels": {3: 2, 4: 3}}  # how many columns -> the place of one that is a number
MOST_BAD = 100_000  # lines: what has so many is none of what was wanted, and need not be read to its end

UNPACK = "(unpack it, or use zip or gz)"
KINDS = (  # how files that are no text begin
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive inside an archive (unpack it once)"),
    (b"\x1f\x8b", "a gz file inside a gz file"),
    (
        b"version https://git-lfs.github.com/spec/",
        "a Git LFS pointer in place of the file (fetch it with git lfs pull)",
    ),
    (b"\xfd7zXZ", f"an xz archive {UNPACK}"),
    (b"BZh", f"a bzip2 archive {UNPACK}"),
    (b"(\xb5/\xfd", f"a Zstandard archive {UNPACK}"),
    (b"7z\xbc\xaf", f"a 7-Zip archive {UNPACK}"),
    (b"PAR1", "a Parquet file (save it as CSV)"),
    (b"\xd0\xcf\x11\xe0", "an old Office file, or one with a password (save it as .xlsx or CSV)"),
)
HTML = re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype html|!--|html|head|body|pre\b|\?xml)", re.IGNORECASE)
NO_NUMBER = re.compile(rb"[+-]?(nan|inf|infinity)|n/?a|none|null|-+|\?", re.IGNORECASE)  # where a number is missing
WANTED = {
    "run": "a run has lines of 6 columns (topic Q0 document rank score tag)",
    "qrels": "a qrels has lines of 4 columns (topic iteration document grade)",
    "systems": "a table of systems is CSV, TSV or Excel (run, group, pooled, type)",
    "queries": "a table of queries is CSV, TSV or Excel (query, topic)",
    "attributes": "a table of topics is CSV, TSV or Excel (topic, and columns of numbers)",
}
FITS = {  # what lines of so many columns, loaded as the one, may be: the other, and a hint
    ("run", 4): ("qrels", " It looks like a qrels file."),
    ("qrels", 6): ("run", " It looks like a run."),
}


def columns_of(line, role):
    """The words of a line of TREC's kind. Where tabs stand between its columns, names may hold blanks: they are what is
    between tabs, if these are the right number, and what must be a number is one."""
    words, cells = line.split(), [cell.strip() for cell in line.rstrip(b"\r\n").split(b"\t")]
    places = NUMBER_AT[role]
    number = places.get(len(cells))
    if number is None or len(words) <= len(cells) or not all(cells) or not NUMBER.fullmatch(cells[number]):
        return words
    return words if len(words) in places and NUMBER.fullmatch(words[places[len(words)]]) else cells


def score_in(line, columns):
    """The text of the score in a line of a run, whose names may hold blanks where tabs stand between all columns."""
    cells = [cell.strip() for cell in line.split(b"\t")]
    between_tabs = len(cells) == columns and all(cells[:1] + cells[2:])
    return (cells if between_tabs else line.split())[NUMBER_AT["run"][columns]]


def refuse_if_binary(name, head, role):
    """Raises InputError where the beginning of a file shows that it is no text, and no workbook."""
    may_be_utf16 = head[:2] in (b"\xff\xfe", b"\xfe\xff") or (head[:1] != b"\0" and head[1:2] == b"\0")
    if head and not head.isspace() and not may_be_utf16 and head[:2] not in (b"PK", b"\x1f\x8b"):
        refuse_unless_text(name, head, role)


def refuse_unless_text(name, data, role):
    """Raises InputError for bytes that cannot be the text of such a file."""
    kinds = [kind for magic, kind in KINDS if data.startswith(magic)]
    if HTML.match(data[:1024]):
        kinds.append("an HTML or XML document (download the file itself)")
    if data[257:262] == b"ustar":
        kinds.append(f"a tar archive {UNPACK}")
    if b"\0" in data:
        kinds.append("not text (it contains zero bytes)")
    if not data or data.isspace():
        kinds.append("empty")
    if kinds:
        raise refusal(name, f" is {kinds[0]}; {WANTED[role]}.", reason=f"It is {kinds[0]}.")


OTHER_ENDS = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]")  # of lines: NEL, and the two that only Unicode has


def refuse_other_ends(name, number, line):
    """Raises InputError for a line of too many columns in which other characters end lines: most would be lost."""
    if found := OTHER_ENDS.search(line):
        end = f"U+{ord(found[0].decode()):04X}"
        raise refusal(
            name,
            f" has more than 6 columns and contains {end}. If this ends lines, save the file with LF line ends.",
            number,
        )


def too_long(line, most, role):
    """The message on a line with too many bytes."""
    return f": the line has {len(line):,} bytes, but at most {most:,} are allowed; {WANTED[role]}."


def shortened(line, most=80):
    """A line of a file as printable text, cut to `most` characters."""
    text = line[: 4 * most].decode("utf-8", "backslashreplace")
    text = printable(text.replace("\t", " "))
    return text if len(text) <= most and len(line) <= 4 * most else text[:most] + "..."


def also(count, what="line"):
    """The end of a message about the first of `count` bad lines, "" for one."""
    least = "At least " if count == MOST_BAD else ""
    more = digits(count - 1, f"more {what} has", f"more {what}s have")
    return f" {least}{more} the same problem." if count > 1 else ""


def few_of(names):
    """A few of these names."""
    names = [shortened(str(name).encode("utf-8", "backslashreplace"), 60) for name in names[: EXAMPLES + 1]]
    return first_of(names, EXAMPLES)
