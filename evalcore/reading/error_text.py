"""Text for messages about files: what a file is instead of a run or judgments, its lines as printable text, a few of
many names."""

import re
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from evalcore.reading import cbor
from evalcore.reading.fields import NUMBER, Q0, number_at
from evalcore.reading.files import refusal
from evalcore.vocabulary.safe_text import printable
from evalcore.vocabulary.sentences import digits, first_of

EXAMPLES = 3
MOST_BAD = 100_000  # lines: what has so many is none of what was wanted, and need not be read to its end

UNPACKED = (b"PK", b"\x1f\x8b", b"\xd0\xcf", b"PAR1", b'\x04"M\x18')  # how files begin that become text
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
    (b"\xd0\xcf\x11\xe0", "an old Office file, or one with a password (save its table as .xlsx or CSV)"),
)
OF_TREC_EVAL = "contains scores, as trec_eval prints them"
FROM_FILES = "Load the runs and the qrels that they were computed from."
MEASURE = (  # of ir_measures
    rb"(AP|RR|P|R|nDCG|Rprec|Bpref|infAP|ERR|NERR\d+|RBP|Judged|Success|Set[APRF]P?|Num(Q|Ret|Rel|RelRet)|"
    rb"IPrec|INST|INSQ|BPM|SDCG|Compat|Accuracy|alpha_nDCG)(\([^)]*\))?(@[\d.]+)?"
)
OTHER_FORMATS = (  # role, None = any; how its lines look; what it is; what to do
    (
        None,
        re.compile(
            rb"(runid|num_(q|ret|rel|rel_ret|nonrel_judged_ret)|(gm_)?map|(gm_)?bpref|infAP|recip_rank|Rprec|R-prec|Rndcg|"
            rb"ndcg(_rel)?|G|binG|utility|11pt_avg|set_\w+|((map|ndcg)_cut|P|recall|relative_P|success|Rprec_mult|"
            rb"iprec_at_recall|rel_P|map_avgjg|P_avgjg)_[\d.]+)\s+\S+\s+\S+"
        ),
        OF_TREC_EVAL,
        FROM_FILES,
    ),
    (
        None,
        re.compile(rb"\S+\s+" + MEASURE + rb"\s+[\d.eE-]+"),
        "contains scores, as ir_measures prints them",
        FROM_FILES,
    ),
    (
        None,
        re.compile(rb"\S+\s+qid:\S+(\s.*)?"),
        "is a list for learning to rank (RankLib, SVMlight: grade qid:topic ... # document)",
        "Write a line of topic, 0, document and grade for each of its lines.",
    ),
    (
        "qrels",
        re.compile(rb"\S+\s+\S+\s+[+-]?\d+\s+\d+\s+(0?\.\d+|1(\.0*)?)([eE]-?\d+)?"),
        "looks like prels of the Million Query track (topic document grade method probability), which are a sample",
        "Its probabilities cannot be read. To use its grades without them, assign the columns (topic=1, document=2, "
        "grade=3).",
    ),
)
FIRST = 20  # lines that show one of these formats
MOST_LINES = 500  # of them, that show a leaderboard
HTML = re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype html|!--|html|head|body|pre\b|\?xml)", re.IGNORECASE)
NO_NUMBER = re.compile(rb"[+-]?(nan|inf|infinity)|n/?a|none|null|-+|\?", re.IGNORECASE)  # where a number is missing
WANTED = {
    "run": "a run has lines of 6 columns (topic Q0 document rank score tag)",
    "qrels": "a qrels has lines of 4 columns (topic iteration document grade)",
    "systems": "a table of systems is CSV, TSV or Excel (run, group, pooled, type)",
    "queries": "a table of queries is CSV, TSV or Excel (query, topic)",
    "attributes": "a table of topics is CSV, TSV or Excel (topic, and columns of numbers)",
    "assessors": "a table of assessors is CSV, TSV or Excel (topic, assessor, document, grade, time)",
}


def columns_of(line: bytes, role: str) -> list[bytes]:
    """The words of a line of TREC's kind. Where tabs stand between its columns, names may hold blanks: they are what is
    between tabs, if these are the right number, and what must be a number is one."""
    words, cells = line.split(), [cell.strip() for cell in line.rstrip(b"\r\n").split(b"\t")]
    number = number_at(role, len(cells))
    if number is None or len(words) <= len(cells) or not all(cells) or not NUMBER.fullmatch(cells[number]):
        return words
    of_words = number_at(role, len(words))
    return words if of_words is not None and NUMBER.fullmatch(words[of_words]) else cells


def cell_in(line: bytes, columns: int, place: int) -> bytes:
    """The text of the cell at a place in a line, whose names may hold blanks where tabs stand between all columns."""
    cells = [cell.strip() for cell in line.split(b"\t")]
    between_tabs = len(cells) == columns and all(cells[:1] + cells[2:])
    return (cells if between_tabs else line.split())[place]


def refuse_if_binary(name: str, head: bytes, role: str) -> None:
    """Raises InputError where the beginning of a file shows that it is no text, and nothing that becomes text."""
    may_be_utf16 = head[:2] in (b"\xff\xfe", b"\xfe\xff") or (head[:1] != b"\0" and head[1:2] == b"\0")
    if head and not head.isspace() and not may_be_utf16 and not head.startswith(UNPACKED) and not cbor.is_map(head):
        refuse_unless_text(name, head, role)


def refuse_unless_text(name: str, data: bytes, role: str) -> None:
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


def refuse_scores(name: str, documents: Sequence[bytes]) -> None:
    """Raises InputError where most of the names of documents (bytes), in JSON, are metrics of trec_eval's."""
    _, pattern, contents, remedy = OTHER_FORMATS[0]
    if 2 * sum(pattern.fullmatch(document + b" all 0") is not None for document in documents) > len(documents):
        raise refusal(name, f" {contents}. {remedy}", reason=f"It {contents}. {remedy}")


def is_leaderboard(head: bytes) -> bool:
    """Whether most lines are a run, a metric, a topic and a score, as known metrics or lines for all topics show."""
    rows = [line.replace(b",", b" ").split() for line in head.split(b"\n", MOST_LINES)[:MOST_LINES]]
    scores = [row for row in rows if len(row) == 4 and NUMBER.fullmatch(row[3]) and not Q0.fullmatch(row[1])]
    if 2 * len(scores) <= len(rows) or not any(b"." in row[3] for row in scores):
        return False
    known = sum(re.fullmatch(MEASURE, row[1]) is not None for row in scores)
    return 2 * known > len(rows) or any(row[2] == b"all" and re.search(rb"[A-Za-z]", row[1]) for row in scores)


def other_format(head: bytes, role: str) -> tuple[str, str] | None:
    """What a text contains, as the end of a sentence, and what to do, if most of its first lines are of a known format
    that is neither a run's nor judgments'."""
    if is_leaderboard(head):
        return "contains scores of systems, as a leaderboard has them (run metric topic score)", FROM_FILES
    lines = [line.strip() for line in head.split(b"\n", 2 * FIRST)[: 2 * FIRST] if line.strip()][:FIRST]
    for of_role, pattern, contents, remedy in OTHER_FORMATS:
        if of_role in (None, role) and 2 * sum(pattern.fullmatch(line) is not None for line in lines) > len(lines):
            return contents, remedy
    return None


def refuse_other_formats(name: str, head: bytes, role: str) -> None:
    """Raises InputError where a text is of another known format."""
    if known_format := other_format(head, role):
        raise refusal(name, f" {known_format[0]}. {known_format[1]}", reason=f"It {known_format[0]}. {known_format[1]}")


OTHER_ENDS = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]")  # of lines: NEL, and the two that only Unicode has


def refuse_other_ends(name: str, number: int, line: bytes) -> None:
    """Raises InputError for a line of too many columns in which other characters end lines: most would be lost."""
    if line_end := OTHER_ENDS.search(line):
        end = f"U+{ord(line_end[0].decode()):04X}"
        raise refusal(
            name,
            f" has more than 6 columns and contains {end}. If this ends lines, save the file with LF line ends.",
            number,
        )


def too_long(line: bytes, most: int, role: str) -> str:
    """The message on a line with too many bytes."""
    return f": the line has {len(line):,} bytes, but at most {most:,} are allowed; {WANTED[role]}."


def shortened(line: bytes, most: int = 80) -> str:
    """A line of a file as printable text, cut to `most` characters."""
    text = line[: 4 * most].decode("utf-8", "backslashreplace")
    text = printable(text.replace("\t", " "))
    return text if len(text) <= most and len(line) <= 4 * most else text[:most] + "..."


def also(count: int, what: str = "line") -> str:
    """The end of a message about the first of `count` bad lines, "" for one."""
    least = "At least " if count == MOST_BAD else ""
    more = digits(count - 1, f"more {what} has", f"more {what}s have")
    return f" {least}{more} the same problem." if count > 1 else ""


def few_of(names: Sequence[object] | NDArray[Any]) -> str:
    """A few of these names."""
    few = [shortened(str(name).encode("utf-8", "backslashreplace"), 60) for name in names[: EXAMPLES + 1]]
    return first_of(few, EXAMPLES)
