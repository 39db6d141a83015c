"""Inputs that people, programs and attackers make, by code: each with what must be said of it.

A `Case` is given to the reader of its kind. `said` is a piece of the sentence that refuses it, or ACCEPTED: it then
says the same as `RANKED` and `JUDGED`, or as its own `ranked` and `judged`, and scores as pytrec_eval scores these.
"""

import gzip
import io
import itertools
import json
import random
import warnings
import zipfile
from dataclasses import dataclass, field

from evalcore import Upload

ACCEPTED = "accepted"
RANKED = {
    "301": {"d1": 9.5, "d2": 8.25, "d7": 8.25, "d3": 7.0, "d4": 1.5},
    "302": {"d2": 3.0, "d9": 2.0, "d1": 1.0},
    "303": {"d5": 0.5, "d6": 0.25, "d8": -1.0, "d1": -2.5},
}
JUDGED = {"301": {"d1": 0, "d2": 1, "d3": 2, "d5": 1}, "302": {"d1": 1, "d9": 0}, "303": {"d6": 2, "d8": 1, "d4": 0}}


@dataclass(frozen=True)
class Case:
    """One input.

    kind : "track", "scores" (of another program) or "address"; runs, qrels, options : what `open_study` takes
    text : of an address, what it asks for: (kind of word, the word); of scores, the bytes
    """

    name: str
    said: str
    kind: str = "track"
    runs: tuple = ()
    qrels: object = None
    options: dict = field(default_factory=dict)
    text: object = None
    ranked: dict = None
    judged: dict = None


def run_text(ranked=None, sep=" ", end="\n", tail="", head="", tag="sys", last=True, score=repr):
    """The lines of a run. last : whether the last line has an end"""
    lines = [
        sep.join((topic, "Q0", document, str(rank), score(value), tag)) + tail
        for topic, documents in (RANKED if ranked is None else ranked).items()
        for rank, (document, value) in enumerate(documents.items(), 1)
    ]
    return (head + end.join(lines) + end * last).encode("utf-8", "surrogateescape")


def qrels_text(judged=None, sep=" ", end="\n", tail="", head="", last=True):
    lines = [
        sep.join((topic, "0", document, str(grade))) + tail
        for topic, documents in (JUDGED if judged is None else judged).items()
        for document, grade in documents.items()
    ]
    return (head + end.join(lines) + end * last).encode("utf-8", "surrogateescape")


RUN, QRELS = run_text(), qrels_text()
WHITE = {"blank": " ", "blanks": "   ", "tab": "\t", "tab and blank": " \t", "vertical tab": "\v", "form feed": "\f"}
ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}
TAILS = {"": "", "trailing blank": " ", "trailing tab": "\t"}
HEADS = {
    "": "", "blank lines": "\n \n", "comment": "# made by hand\n", "mark": "\ufeff", "both": "\n# a\n\n#b\n",
    "blank and mark": " \ufeff", "two marks": "\ufeff\ufeff", "comment and mark": "# a\n\ufeff",
    "mark and blank": "\ufeff\t\ufeff ",
}  # fmt: skip


def run(name, data, said, **more):
    runs = (data if isinstance(data, Upload) else Upload("a.run", data),)
    return Case(f"run: {name}", said, runs=runs, qrels=Upload("qrels.txt", more.pop("qrels", QRELS)), **more)


def qrels(name, data, said, **more):
    judged = data if isinstance(data, Upload) else Upload("qrels.txt", data)
    return Case(f"qrels: {name}", said, runs=(Upload("a.run", more.pop("run", RUN)),), qrels=judged, **more)


def layouts():
    """The same lines, however their white space, ends and beginnings are written."""
    for (white, sep), (ends, end), (tails, tail) in itertools.product(WHITE.items(), ENDS.items(), TAILS.items()):
        yield run(f"{white}, {ends}, {tails}", run_text(sep=sep, end=end, tail=tail), ACCEPTED)
        yield qrels(f"{white}, {ends}, {tails}", qrels_text(sep=sep, end=end, tail=tail), ACCEPTED)
    for (heads, head), (ends, end), last in itertools.product(HEADS.items(), ENDS.items(), (True, False)):
        ended = f"{heads}, {ends}, {'ended' if last else 'not ended'}"
        yield run(ended, run_text(head=head.replace("\n", end), end=end, last=last), ACCEPTED)
        yield qrels(ended, qrels_text(head=head.replace("\n", end), end=end, last=last), ACCEPTED)
    marked = ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("utf-16-le", b""), ("utf-8-sig", b"")
    for coding, mark in marked:
        yield run(f"in {coding} {mark!r}", mark + RUN.decode().encode(coding), ACCEPTED)
        yield qrels(f"in {coding} {mark!r}", mark + QRELS.decode().encode(coding), ACCEPTED)
    lines = RUN.splitlines(keepends=True)
    for seed in range(5):
        mixed = random.Random(seed).sample(lines, len(lines))
        yield run(f"lines in any order, {seed}", b"".join(mixed), ACCEPTED)
    yield run(
        "ends mixed", b"".join(line[:-1] + end for line, end in zip(lines, itertools.cycle((b"\n", b"\r\n")))), ACCEPTED
    )
    yield run("more columns than six", RUN.replace(b" sys\n", b" sys and more words\n"), ACCEPTED)
    yield run("tags with blanks between tabs", run_text(sep="\t", tag="my own system"), ACCEPTED)
    tabs, grades = run_text(sep="\t"), qrels_text(sep="\t")
    for white in ("blank", "blanks", "vertical tab", "form feed"):
        apart = b"Q%s0" % WHITE[white].encode()
        for place in (1, len(lines)):
            odd = b"Q0".join([*tabs.split(b"Q0", place)[:place], b""])[:-2] + apart + tabs.split(b"Q0", place)[place]
            yield run(f"{white} in a column between tabs, line {place}", odd, ACCEPTED)
        odd = grades.replace(b"302\t0", b"302\t" + apart)
        yield qrels(f"{white} in a column between tabs", odd, ACCEPTED)
    for number, spelled in enumerate(
        (
            lambda x: f"{x:e}",
            lambda x: f"{x:E}",
            lambda x: f"{x:+f}",
            lambda x: f"{x:.20f}",
            lambda x: f"{x:025.3f}",
            lambda x: repr(x).replace("0.", "."),
        )
    ):
        yield run(f"scores spelled, {number}", run_text(score=spelled), ACCEPTED)


NAMES = {
    "markup": "<b>x</b>",
    "script": "<script>alert(1)</script>",
    "markdown": "**x**_y_`z`",
    "link": "[a](http://x.y)",
    "mail": "a@b.co",
    "formula": "=HYPERLINK(1)",
    "minus": "-1+1",
    "at": "@x",
    "dollars": "$x^2$",
    "latex": r"\input{x}",
    "colour": ":red[x]",
    "icon": ":material/home:",
    "emoji code": ":smile:",
    "arrow": "->",
    "emoji": "👩‍💻😀",
    "right to left": "שלום",
    "override": "\u202eabc",
    "isolate": "\u2066x\u2069",
    "zero width": "a\u200bb",
    "mark within": "a\ufeffb",
    "escape": "\x1b[31mred",
    "bell": "a\x07b",
    "delete": "a\x7f",
    "next line": "a\u0085b",
    "quotes": "\"'`",
    "backslash": "a\\b",
    "path": "../../etc/passwd",
    "slash": "/",
    "percent": "%s%n%00",
    "braces": "{0}{x}",
    "NA": "NA",
    "nan": "nan",
    "None": "None",
    "true": "TRUE",
    "number": "1e5",
    "zeros": "007",
    "hash": "a#b",
    "comma": "a,b",
    "semicolon": "a;b",
    "bar": "a|b",
    "combining": "e\u0301" * 20,
    "astral": "\U0001d54f",
    "not assigned": "\U000e0fff",
    "long": "x" * 5000,
    "7 kB": "y" * 7000,
    "html entity": "&amp;x",
    "null word": "null",
    "byte order": "\ufffe",
    "private": "\ue000",
    "tag letters": "\U000e0041",
    "surrogate escape": "a\udcffb",
    "question": "?a=b&c",
    "dash": "--",
    "dot": ".",
    "dots": "..",
    "tilde": "~",
}


def names():
    """Names of documents, topics and systems that other programs would read as something else."""
    for kind, name in NAMES.items():
        ranked = {"301": {name: 2.0, "d2": 1.0}}
        judged = {"301": {name: 1, "d2": 0}}
        shown = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        say = {"ranked": {"301": {shown: 2.0, "d2": 1.0}}, "judged": {"301": {shown: 1, "d2": 0}}}
        yield run(f"document, {kind}", run_text(ranked), ACCEPTED, qrels=qrels_text(judged), **say)
        yield run(f"tag, {kind}", run_text(tag=name), ACCEPTED)
        if not name.startswith("#"):
            ranked, judged = {name: RANKED["301"]}, {name: JUDGED["301"]}
            say = {"ranked": {shown: RANKED["301"]}, "judged": {shown: JUDGED["301"]}}
            yield run(f"topic, {kind}", run_text(ranked), ACCEPTED, qrels=qrels_text(judged), **say)
    for kind in ("markup", "override", "escape", "path", "percent", "long", "emoji", "formula"):
        yield run(f"file name, {kind}", Upload(NAMES[kind], RUN), ACCEPTED)


BAD_SCORES = (
    "nan",
    "inf",
    "x",
    "1,5",
    "0x10",
    "1_000",
    "--1",
    "1e999",
    "١",
    "1e5x",
    "½",
    "True",
    "1.2.3",
    "e5",
    "+",
    ".",
    "9" * 400,
    "１",
    "1e+",
    "∞",
    "NULL",
)
BAD_GRADES = ("x", "1e10", "2147483648", "-2147483649", "9" * 5000, "nan", "+", "0x1", "١", "1_0", "--1", "")


def bad_lines():
    """Lines that are none of a run or of a qrels, at the beginning, within and at the end."""
    lines, judged = RUN.decode().splitlines(), QRELS.decode().splitlines()
    for at, place in enumerate((0, len(lines) // 2, len(lines) - 1)):
        for columns in (1, 2, 4, 5) if at else (5,):
            cut = " ".join(lines[place].split()[:columns])
            data = "\n".join([*lines[:place], cut, *lines[place + 1 :]]) + "\n"
            yield run(f"{columns} columns at {place}", data.encode(), f"line {place + 1}: {columns} column")
        for score in BAD_SCORES:
            line = " ".join([*lines[place].split()[:4], score, "sys"])
            data = "\n".join([*lines[:place], line, *lines[place + 1 :]]) + "\n"
            if at:
                yield run(f"score {score[:9]} at {place}", data.encode(), f"line {place + 1}: the score")
    for place in (1, len(judged) - 1):
        for columns in (1, 2, 3):
            cut = " ".join(judged[place].split()[:columns])
            data = "\n".join([*judged[:place], cut, *judged[place + 1 :]]) + "\n"
            yield qrels(f"{columns} columns at {place}", data.encode(), f"line {place + 1}: {columns} column")
        for grade in BAD_GRADES:
            data = "\n".join([*judged[:place], f"301 0 dx {grade}", *judged[place + 1 :]]) + "\n"
            said = f"line {place + 1}: the grade" if grade else f"line {place + 1}: 3 columns"
            yield qrels(f"grade {grade[:9]} at {place}", data.encode(), said)
    yield qrels("two grades of a document", QRELS + b"301 0 d1 1\n", "a document has two grades: topic 301")
    yield qrels("judged twice alike", QRELS + QRELS, ACCEPTED)
    yield run("last line cut off", RUN + b"303 Q0 d9 5 -3.5", "The file ends here and may be cut off: copy it again.")
    yield run("a run twice", RUN + RUN, ACCEPTED)
    yield run("tag that ends as a row of a table", run_text(tag="a;"), ACCEPTED)
    yield run("a document twice refused", RUN + RUN, "is already on line 1", options={"duplicates": "refuse"})
    yield run("judgments", QRELS, "It looks like a qrels file.")
    yield qrels("a run", RUN, "It looks like a run.")
    yield run("other topics", RUN.replace(b"30", b"90"), "do not belong together")
    yield run("a line of 70 kB", RUN + b"301 Q0 " + b"x" * 70_000 + b" 9 1 sys\n", "the line has 70,015 bytes")
    yield run("a line of 1 MB", b"x" * (1 << 20), "line 1: the line has 1,048,576 bytes")
    yield run("too many topics", b"".join(b"%d Q0 d 1 1 t\n" % n for n in range(200_001)), "has 200,001 topics")
    yield run("junk of many lines", b"a b\n" * 200_000, "At least 99,999 more lines have the same problem.")
    for ranks in ("x", "1.5", "9" * 30):
        odd = RUN.replace(b" 1 9.5", f" {ranks} 9.5".encode())
        yield run(f"rank {ranks[:9]}", odd, ACCEPTED)


PICTURES = {
    "PNG": b"\x89PNG\r\n\x1a\n", "JPEG": b"\xff\xd8\xff\xe0", "GIF": b"GIF89a", "PDF": b"%PDF-1.7\n",
    "xz": b"\xfd7zXZ\0", "bzip2": b"BZh91AY", "Zstandard": b"(\xb5/\xfd", "7-Zip": b"7z\xbc\xaf\x27\x1c",
    "Parquet": b"PAR1", "Office file": b"\xd0\xcf\x11\xe0\xa1\xb1",
}  # fmt: skip


def no_text():
    """What is no text at all, for every role."""
    noise = random.Random(3).randbytes(2000)
    for role in (run, qrels):
        for kind, magic in PICTURES.items():
            yield role(kind, magic + noise, kind)
        yield role("nothing", b"", " is empty")
        yield role("blanks", b" \t\n" * 100, " is empty")
        yield role("zeros", bytes(1000), "zero bytes")
        yield role("a zero within", RUN[:50] + b"\0" + RUN[50:], "zero bytes")
        yield role("tar", b"x" * 257 + b"ustar" + b"\0" * 400, "tar archive")
        yield role("comments alone", b"# a\n# b\n", "contains no line of data; a ")
        yield role("noise", b"\x01\x80" + noise.replace(b"\0", b"\1"), "a.run" if role is run else "qrels.txt")
        yield role(
            "UTF-16 cut off", b"\xff\xfe" + RUN.decode().encode("utf-16-le")[:-1], "UTF-16 that is damaged or cut off"
        )
        yield role("HTML", b"<!DOCTYPE html>\n<html><body>404</body></html>\n", "column")
        yield role("git pointer", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n", "column")
        yield role("conflict", b"<<<<<<< HEAD\n" + (RUN if role is run else QRELS) + b">>>>>>> x\n", "line 1: ")
        yield role("Python", b"import os\nos.system('x')\n", "column")


def packed(members, how=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", how) as archive:
        warnings.simplefilter("ignore")
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def archives():
    """gz and zip, whole, nested, lying and damaged."""
    gz = gzip.compress(RUN, mtime=0)
    lines = RUN.splitlines(keepends=True)
    halves = gzip.compress(b"".join(lines[:5])) + gzip.compress(b"".join(lines[5:]))
    for name, data in {"gz": gz, "gz of two parts": halves, "gz with padding": gz + bytes(64)}.items():
        yield run(name, Upload("a.run", data), ACCEPTED)
        yield qrels(name, Upload("q", gzip.compress(QRELS)), ACCEPTED)
        yield run(f"{name} in a zip", Upload("t.zip", packed([("a.run.gz", data)])), ACCEPTED)
    for how, said in (
        (0, ACCEPTED),
        (8, ACCEPTED),
        (12, "packed by a method that Poolscope cannot read"),
        (14, "packed by a method"),
    ):
        yield run(f"zip, method {how}", Upload("t.zip", packed([("a.run", RUN)], how)), said)
    beside = [
        ("README.txt", b"x"),
        ("__MACOSX/._a.run", b"\0"),
        (".DS_Store", b"\0"),
        ("x.md", b"#"),
        ("runs/a.run", RUN),
    ]
    yield run("zip with what is passed over", Upload("t.zip", packed(beside)), ACCEPTED)
    yield run("nothing but what is passed over", Upload("t.zip", packed(beside[:-1])), "without any run file")
    yield run(
        "zip in a zip", Upload("t.zip", packed([("b.zip", packed([("a.run", RUN)]))])), "zip archive inside an archive"
    )
    yield run("gz in gz", Upload("a.gz", gzip.compress(gz)), "a gz file inside a gz file")
    yield run("zip in gz", Upload("a.gz", gzip.compress(packed([("a.run", RUN)]))), "zip archive inside an archive")
    yield run("gz in gz in zip", Upload("t.zip", packed([("a.gz", gzip.compress(gz))])), "a gz file inside a gz file")
    for name in ("../a.run", "/a.run", "a/../../b.run", "C:/a.run", "..\\a.run", "a\\..\\..\\b"):
        yield run(f"member {name}", Upload("t.zip", packed([(name, RUN)])), "points outside the archive")
    yield run("member without a name", Upload("t.zip", packed([("?", RUN)]).replace(b"?", b"\0")), "archive")
    whole = packed([("a.run", RUN * 40)])
    for part in range(1, 10):
        cut = len(whole) * part // 10
        yield run(f"zip cut at {part}0%", Upload("t.zip", whole[:cut]), "damaged or cut-off zip archive")
        yield run(f"gz cut at {part}0%", Upload("a.gz", gz[: max(3, len(gz) * part // 10)]), "gz")
    start = whole.index(b"a.run") + 30
    for at in range(start, start + 40, 8):
        broken = whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :]
        yield run(f"zip, byte {at} flipped", Upload("t.zip", broken), "the archive is damaged here")
    for at in (12, 20, 40, len(gz) - 6):
        broken = gz[:at] + bytes([gz[at] ^ 255]) + gz[at + 1 :]
        yield run(f"gz, byte {at} flipped", Upload("a.gz", broken), "gz")
    locked = bytearray(whole)
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(signature) + at] |= 1
    yield run("locked", Upload("t.zip", bytes(locked)), "is encrypted")
    bomb = b"301 Q0 d1 1 1 t\n" * (7 << 20)
    small = zlib_of(bomb)
    yield run("bomb, gz", Upload("a.gz", small), "over 100 times their size")
    yield run("bomb, zip", Upload("t.zip", packed([("a.run", bomb)])), "over 100 times their size")
    yield run("bomb, gz in zip", Upload("t.zip", packed([("a.run.gz", small)])), "over 100 times their size")
    office = {
        "word/document.xml": "a Word document",
        "ppt/presentation.xml": "PowerPoint",
        "xl/workbook.bin": "workbook that cannot be read",
    }
    for member, said in office.items():
        data = packed([("[Content_Types].xml", b"<x/>"), (member, b"<x/>")])
        yield run(f"office, {member}", Upload("a.docx", data), said)
        yield qrels(f"office, {member}", Upload("a.docx", data), said)
    odf = packed([("mimetype", b"application/x"), ("content.xml", b"<x/>")])
    yield run("OpenDocument", Upload("a.ods", odf), "an OpenDocument file")
    broken = packed([("[Content_Types].xml", b"<x/>"), ("xl/workbook.xml", b"<x")])
    yield run("broken workbook", Upload("a.xlsx", broken), "workbook that cannot be read")
    entity = b'<!DOCTYPE x [<!ENTITY a "b">]><x/>'
    trap = packed([("[Content_Types].xml", b"<x/>"), ("xl/workbook.xml", entity)])
    yield run("workbook with entities", Upload("a.xlsx", trap), "workbook that cannot be read")


def zlib_of(data):
    return gzip.compress(data, compresslevel=6, mtime=0)


def json_files():
    """JSON of every kind."""
    yield run("JSON", json.dumps(RANKED).encode(), ACCEPTED)
    yield run("JSON, indented", json.dumps(RANKED, indent=3).encode(), ACCEPTED)
    yield run("JSON, lines before", b"\n\n " + json.dumps(RANKED).encode(), ACCEPTED)
    yield qrels("JSON", json.dumps(JUDGED).encode(), ACCEPTED)
    yield qrels(
        "JSON, grades as 1.0",
        json.dumps({t: {d: float(g) for d, g in o.items()} for t, o in JUDGED.items()}).encode(),
        ACCEPTED,
    )
    odd = {"301": {"a\nb": 2.0, "a\tb": 1.5, "a b": 1.0, "\u202e": 0.5}}
    judged = {"301": {"a\nb": 1, "a b": 0, "\u202e": 1}}
    so = {"qrels": json.dumps(judged).encode(), "ranked": odd, "judged": judged}
    yield run("JSON, names with white space", json.dumps(odd).encode(), ACCEPTED, **so)
    for name, text in {
        "cut off": '{"301": {"d1": 1.0',
        "no object": '{"301": 5}',
        "a list": '{"301": [[["d1"]]]}',
        "empty": "{}",
        "empty topic": '{"301": {}}',
        "deep": '{"a":' * 5000,
        "score text": '{"301": {"d1": "x"}}',
        "null": '{"301": {"d1": null}}',
        "true": '{"301": {"d1": true}}',
        "NaN": '{"301": {"d1": NaN}}',
        "Infinity": '{"301": {"d1": -Infinity}}',
        "too large": '{"301": {"d1": 1e999}}',
        "long whole": '{"301": {"d1": ' + "9" * 400 + "}}",
        "5,000 digits": '{"301": {"d1": ' + "9" * 5000 + "}}",
        "comma": '{"301": {"d1": 1,}}',
        "comment": '{"301": /* */ {}}',
        "single quotes": "{\"301\": {'d1': 1}}",
        "object in object": '{"301": {"d1": {"x": 1}, "d2": 2.0}}',
        "two": '{"301": {"d1": 1}} {}',
    }.items():
        for role in (run, qrels) if name != "true" else (run,):
            yield role(f"JSON, {name}", text.encode(), "a.run" if role is run else "qrels.txt")
    for grade in ("2147483648", "-1e10", "null"):
        yield qrels(f"JSON, grade {grade}", b'{"301": {"d1": %s}}' % grade.encode(), "but must be a number")


HEADINGS = {
    "plain": ("topic", "document", "score", "rank"),
    "ids": ("query_id", "doc_id", "score", "rank"),
    "capitals": ("QID", "DocNo", "Score", "Rank"),
    "pyterrier": ("qid", "docno", "score", "rank"),
    "spaces": ("Query ID", "Document ID", "Score", "Rank"),
}


def tables():
    """CSV and its kin, with columns in any order."""
    rows = [(t, d, v, r) for t, o in RANKED.items() for r, (d, v) in enumerate(o.items(), 1)]
    for (called, heading), mark, quoted in itertools.product(HEADINGS.items(), ",;\t|", (False, True)):
        if quoted and mark == "\t":
            continue
        cells = [[f'"{cell}"' if quoted else str(cell) for cell in row] for row in (heading, *rows)]
        yield run(f"table, {called}, {mark!r}, {quoted}", "\n".join(map(mark.join, cells)).encode(), ACCEPTED)
    for order in itertools.permutations(range(4)):
        cells = [[str(row[place]) for place in order] for row in (HEADINGS["plain"], *rows)]
        yield run(f"table, order {order}", "\r\n".join(map(",".join, cells)).encode("utf-8-sig"), ACCEPTED)
    judged = [(t, d, g) for t, o in JUDGED.items() for d, g in o.items()]
    for heading, mark in itertools.product((("topic", "document", "grade"), ("qid", "docid", "relevance")), ",;\t|"):
        cells = [[str(cell) for cell in row] for row in (heading, *judged)]
        yield qrels(f"table, {heading[0]}, {mark!r}", "\n".join(map(mark.join, cells)).encode(), ACCEPTED)
    head = "topic,document,score,rank\n"
    for name, text, said in (
        ("no score", "topic,document\n301,d1\n", ""),
        ("score missing", head + "301,d1,,1\n302,d2,1,1\n", "the score"),
        ("score text", "topic,document,score\n301,d1,x\n302,d2,1\n303,d2,2\n", "the score"),
        ("no topic", head + ",d1,1,1\n302,d2,1,1\n", "no topic"),
        ("no document", head + "301,,1,1\n302,d2,1,1\n", "no document"),
        ("rows of other lengths", head + "301,d1,1\n302,d2,1,1\n", "columns where the first rows have 4"),
        ("quote not closed", head + '301,"d1,1,1\n302,d2,1,1\n', ""),
        ("header alone", head, ""),
        ("formula as score", "topic,document,score\n301,d1,=1+1\n302,d2,1\n", "the score"),
        ("201 columns", ",".join(["topic", *map(str, range(200))]) + "\n" + ",".join(["1"] * 201) + "\n", ""),
    ):
        yield run(f"table, {name}", text.encode(), said or "a.run")
    for mark in b",;\t|":
        mark = bytes([mark])
        ranked, judged = head.encode().replace(b",", mark), b"topic,document,grade\n".replace(b",", mark)
        rows = b"301,d1,1,1\n302,d2,1,1\n".replace(b",", mark)
        zeros = "is not text (it contains zero bytes)"
        yield run(f"table, zero byte in a cell, {mark!r}", ranked + rows.replace(b"d2", b"d\x002"), f"a.run {zeros}")
        yield run(f"table, zero bytes at the end, {mark!r}", ranked + rows + bytes(9), f"a.run {zeros}")
        yield run(f"table, zero byte in the header, {mark!r}", b"\0" + ranked + rows, f"a.run {zeros}")
        lines = b"301,d1,1\n302,d\x002,0\n".replace(b",", mark)
        yield qrels(f"table, zero byte in a cell, {mark!r}", judged + lines, f"qrels.txt {zeros}")
    for kind, magic in PICTURES.items():
        rows = b"".join(b"%d,%d,%d\n" % (n, n, n) for n in range(9))
        yield run(f"table after the beginning of: {kind}", magic + b",b,c\n" + rows, kind)
    for role, text, said in (
        ("systems", b"a,b\n1,2\n", "no column"),
        ("systems", b"run,pooled\nsys,perhaps\n", 'pooled is "perhaps"'),
        ("systems", b"run,group\nsys,a,b,c\n", "columns where the header has 2"),
        ("systems", b"", "is empty"),
        ("systems", bytes(50), "zero bytes"),
        ("systems", b"\x89PNG\r\n", "PNG"),
        ("systems", b"run,group\nsys,=cmd()\n", ACCEPTED),
        ("systems", b"run,pooled\nnobody,yes\n", ACCEPTED),
        ("systems", b"run\tgroup\nsys\t\xe2\x80\xae\n", ACCEPTED),
        ("queries", b"a,b\n1,2\n", "no column"),
        ("queries", b"query,topic\n301,301,9\n", "columns where the header has 2"),
        ("queries", b"query,topic\n301,301\n", ACCEPTED),
        ("queries", b"query,text\n301,<b>\n", ACCEPTED),
        ("queries", b'query,text\n301,"' + b"x" * 200_000 + b'"\n', "field larger than field limit"),
    ):
        options = {role: Upload(f"{role}.csv", text)}
        yield run(f"{role} table, {text[:20]!r}", RUN, said, options=options)


def scores():
    """What other programs print."""
    for name, text in {
        "trec_eval": b"runid all sys\nmap 301 0.5\nmap all 0.5\n",
        "ir_measures": b"301 AP 0.5\n302 AP 0.25\n",
        "JSON lines": b'{"topic": "301", "measure": "AP", "value": 0.5}\n',
        "CRLF": b"map 301 0.5\r\nmap 302 0.5\r\n",
        "comments": b"# x\nmap 301 0.5\n",
        "means": b"map 0.5\nP_10 0.2\n",
        "JSON list": b'[{"topic": "301", "measure": "AP", "value": 1}]',
        "marks": "map 301\u202e 0.5\n".encode(),
    }.items():
        yield Case(f"scores: {name}", ACCEPTED, "scores", text=text)
    for name, text in {
        "nothing": b"",
        "blanks": b" \n",
        "words": b"a b c\n",
        "four": b"map 301 x 0.5\n",
        "nan": b"map 301 nan\n",
        "long": b"map 301 " + b"9" * 100 + b"\n",
        "huge": b"map 301 1e999\n",
        "JSON cut": b'{"topic": "301"',
        "deep": b"[" * 9000,
        "JSON empty": b"[]",
        "JSON null": b'{"measure": "AP", "value": null}',
        "JSON NaN": b'{"measure": "AP", "value": NaN}',
        "noise": random.Random(1).randbytes(999),
        "many": b"a b\n" * 150_000,
        "one word": b"map\n",
        "binary": bytes(100),
        "measures": b"".join(b"m%d 301 0.5\n" % n for n in range(1001)),
        "widths": b"map 301 0.5\nmap 0.5\n",
        "Arabic digits": "map 301 ٠.٥\n".encode(),
        "lone surrogate": b'{"measure": "\\ud800", "value": "x"}',
    }.items():
        yield Case(f"scores: {name}", "theirs", "scores", text=text)


def addresses():
    """What an address, a script or a command line may ask for."""
    metrics = {
        "P@10": ACCEPTED,
        "RBP(p=0.95)@10": ACCEPTED,
        "rbp(p=.5)": ACCEPTED,
        " AP ": ACCEPTED,
        "nDCG@1000": ACCEPTED,
        "": "no metric",
        "P@": "no metric",
        "P@0": "k",
        "P@-1": "",
        "P@x": "",
        "P@1.5": "",
        "P@" + "9" * 5000: "5,000 digits",
        "P@٣": ACCEPTED,
        "RBP(p=2)": "p",
        "RBP(p=nan)": "",
        "RBP(p=inf)": "",
        "RBP(p=-1)": "",
        "RBP(p=)": "not a parameter",
        "RBP(p=0.5,p=0.6)": "twice",
        "RBP(q=1)": "no parameter",
        "RBP(p=" + "9" * 5000 + ")": "5,000 digits",
        "RBP(p=0.8": "no metric",
        "<script>": "no metric",
        "../../x": "no metric",
        "P@10;P@5": "no metric",
        "AP\0": "no metric",
        "\u202eAP": "no metric",
        "x" * 10_000: "no metric",
        "P@1e9": "",
        "INST(T=0)": "",
        "INST(T=1e300)": "",
        "nDCG(log=1)": "",
        "RBP(p=0x1)": "",
        "P@10@10": "no metric",
        "P(k=10)": ACCEPTED,
        "=1+1": "no metric",
        "%00": "no metric",
        "P@+5": "no metric",
        "RBP(p=1e-400)": ACCEPTED,
        "bpref@5": "",
    }
    for text, said in metrics.items():
        yield Case(f"address: metric {text[:20]!r}", said, "address", text=("metric", text))
    depths = {"5": ACCEPTED, "٣": ACCEPTED, "9" * 5000: "5,000 digits"}
    depths |= dict.fromkeys(("x", "1.5", "-1", "", "0x5", "1e3", "\0"), "")
    for text, said in depths.items():
        yield Case(f"address: depth {text[:20]!r}", said, "address", text=("depth", text))


def cases():
    """All of them; no two have one name."""
    makers = (layouts, names, bad_lines, no_text, archives, json_files, tables, scores, addresses)
    return [case for make in makers for case in make()]
