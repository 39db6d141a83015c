"""What messages about files say: what a file is instead of text, its lines as printable text, a few of many names."""

from evalcore.reading.files import refusal
from evalcore.sentences import digits

EXAMPLES = 3

KINDS = (  # how files that are no text begin
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive inside an archive"),
    (b"\x1f\x8b", "a gz file inside a gz file"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"(\xb5/\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"PAR1", "a Parquet file"),
    (b"\xd0\xcf\x11\xe0", "an Office file of the old kind, or one with a password (save it as .xlsx or CSV)"),
)
WANTED = {
    "run": "a run has lines of 6 columns (topic Q0 document rank score tag)",
    "qrels": "a qrels has lines of 4 columns (topic iteration document grade)",
    "systems": "a table of systems is CSV, TSV or Excel (run, group, pooled, type)",
    "queries": "a table of queries is CSV, TSV or Excel (query, topic)",
}
FITS = {  # what lines of so many columns, given as the one, may be: the other, and a question
    ("run", 4): ("qrels", " Is it a qrels file?"),
    ("qrels", 6): ("run", " Is it a run?"),
}


def refuse_unless_text(name, data, role):
    """Raises InputError for bytes that cannot be the text of such a file."""
    kinds = [kind for magic, kind in KINDS if data.startswith(magic)]
    if data[257:262] == b"ustar":
        kinds.append("a tar archive")
    if b"\0" in data:
        kinds.append("not text (it holds zero bytes)")
    if not data or data.isspace():
        kinds.append("empty")
    if kinds:
        raise refusal(name, f" is {kinds[0]}; {WANTED[role]}.")


def shortened(line, most=80):
    """A line of a file as printable text, cut to `most` characters."""
    text = line[: 4 * most].decode("utf-8", "backslashreplace")
    text = "".join(c if c.isprintable() else " " if c == "\t" else ascii(c)[1:-1] for c in text)
    return text if len(text) <= most and len(line) <= 4 * most else text[:most] + "..."


def also(count):
    """The end of a message about the first of `count` bad lines."""
    return f" {digits(count - 1, 'more line is', 'more lines are')} like it." if count > 1 else ""


def some(names):
    """A few of these names."""
    names = [shortened(str(name).encode("utf-8", "backslashreplace"), 60) for name in names[: EXAMPLES + 1]]
    return ", ".join(names[:EXAMPLES]) + (", ..." if len(names) > EXAMPLES else "")
