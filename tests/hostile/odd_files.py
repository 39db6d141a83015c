"""More hostile inputs: archives that are put together oddly, ends of lines and encodings from elsewhere, numbers at the
edge, JSON and tables that are almost right, options that cannot be."""

import gzip
import io
import json
import struct
import tarfile
import zipfile
import zlib

import pyarrow as pa

from evalcore import Upload
from tests.hostile.corpus import ACCEPTED, JUDGED, QRELS, RANKED, RUN, packed, qrels, run, run_text


def gz_with(flags, fields, data=RUN):
    """A gz file whose head has more fields than most."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    head = b"\x1f\x8b\x08" + bytes([flags]) + bytes(5) + b"\x03" + fields
    return head + packer.compress(data) + packer.flush() + struct.pack("<II", zlib.crc32(data), len(data))


def gz_files():
    gz = gzip.compress(RUN, mtime=0)
    damaged = "the gz compression is damaged"
    for name, data, said in (
        ("name", gz_with(8, b"a.run\0"), ACCEPTED),
        ("extra, name and comment", gz_with(28, b"\4\0abcd" + b"n\0c\0"), ACCEPTED),
        ("checksum of the head is wrong", gz_with(2, b"zz"), damaged),
        ("unknown method", gz[:2] + b"\x09" + gz[3:], damaged),
        ("checksum is wrong", gz[:-8] + bytes(4) + gz[-4:], damaged),
        ("length is wrong", gz[:-4] + b"\1\0\0\0", damaged),
        ("text behind it", gz + b"hello", "a.gz: the gz"),
        ("a run behind it", gz + RUN, damaged),
        ("nothing before and behind", gzip.compress(b"") + gz + gzip.compress(b""), ACCEPTED),
        ("cut within a line", gzip.compress(RUN[:37]) + gzip.compress(RUN[37:]), ACCEPTED),
        ("not compressed", gzip.compress(RUN, 0), ACCEPTED),
        ("zlib", zlib.compress(RUN), "a.gz"),
    ):
        yield run(f"gz, {name}", Upload("a.gz", data), said)


class _Stream(io.RawIOBase):
    """What cannot be gone back in, so that sizes stand behind the files."""

    def __init__(self):
        self.data = b""

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


def streamed():
    stream = _Stream()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.run", RUN)
    return stream.data


def large_form():
    """A zip whose sizes have 64 bits."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, archive.open("a.run", "w", force_zip64=True) as member:
        member.write(RUN)
    return buffer.getvalue()


def zip_files():
    plain = packed([("a.run", RUN)])
    listed = plain.index(b"PK\1\2")  # where the archive lists its files
    link = zipfile.ZipInfo("a.run")
    link.external_attr = 0o120777 << 16
    lies = {"size 0": (24, bytes(4)), "an offset": (42, b"\xff\0\0\0"), "4 GB": (24, b"\xfe\xff\xff\xff")}
    for name, data, said in (
        ("two archives", packed([("b.run", RUN.replace(b"sys", b"b"))]) + plain, "belong to none of its files"),
        ("a file that is not listed", plain[:listed] + plain, "belong to none of its files"),
        ("text behind it", plain + b"x" * 100, ACCEPTED),
        ("a link", packed([(link, b"/etc/passwd")]), "1 column"),
        ("sizes behind the files", streamed(), ACCEPTED),
        ("sizes of 64 bits", large_form(), ACCEPTED),
        *(
            (f"lies of {of}", plain[: listed + at] + lie + plain[listed + at + 4 :], "t.zip")
            for of, (at, lie) in lies.items()
        ),
    ):
        yield run(f"zip, {name}", Upload("t.zip", data), said)
    for name in ("a\nb.run", "  ", "con", "~", "%2e%2e/x", "\u202e.run", "x" * 60_000, "-rf", "*", "a\x1b[31m"):
        yield run(f"member called {name[:9]!r}", Upload("t.zip", packed([(name, RUN)])), ACCEPTED)
    yield run("member called a:b", Upload("t.zip", packed([("a:b", RUN)])), "points outside the archive")


def texts():
    for name, data, said in (
        ("DOS end of file", RUN + b"\x1a", "line 13: 1 column"),
        ("next line (U+0085)", RUN.decode().replace("\n", "\u0085").encode(), "and contains U+0085"),
        ("line separator", RUN.decode().replace("\n", "\u2028").encode(), "and contains U+2028"),
        ("paragraph separator", RUN.decode().replace("\n", "\u2029").encode(), "and contains U+2029"),
        ("form feed between pages", RUN.replace(b"302 Q0 d2", b"\f302 Q0 d2"), ACCEPTED),
        ("CR within a line", RUN.replace(b" d7 ", b" d\r7 "), "line 3: 3 columns"),
        ("CR CR LF", RUN.replace(b"\n", b"\r\r\n"), ACCEPTED),
        ("LF CR", RUN.replace(b"\n", b"\n\r"), ACCEPTED),
        ("no-break spaces", RUN.decode().replace(" ", "\u00a0").encode(), ACCEPTED),
        ("ideographic spaces", RUN.decode().replace(" ", "\u3000").encode(), ACCEPTED),
        ("UTF-32", RUN.decode().encode("utf-32"), "zero bytes"),
        ("UTF-32 without a mark", RUN.decode().encode("utf-32-be"), "zero bytes"),
        ("EBCDIC", RUN.decode().encode("cp500"), "line 1: 1 column"),
        ("UTF-16 and then UTF-8", b"\xff\xfe" + RUN.decode().encode("utf-16-le") + RUN, "damaged or cut off"),
        ("half a letter of UTF-16", b"\xff\xfe" + RUN.decode().encode("utf-16-le") + b"\x00\xd8", "damaged or cut off"),
        ("tag missing between tabs", RUN.replace(b" ", b"\t").replace(b"sys", b""), "no system"),
    ):
        yield run(name, data, said)


def numbers():
    finite = ["1e-999", "-0", "4.9e-324", "1.7976931348623157e308", "1e0000000000001", "5.", "-.5e-3"]
    finite += ["0." + "3" * 5000]
    infinite = dict.fromkeys(("1.7976931348623159e308", "1e5000"), "but must be a finite number")
    for score, said in (dict.fromkeys(finite, ACCEPTED) | infinite).items():
        ranked = RANKED | {"301": RANKED["301"] | {"d1": float(score)}}
        yield run(f"first score {score[:22]}", RUN.replace(b" 9.5 ", f" {score} ".encode()), said, ranked=ranked)
    same = {topic: dict.fromkeys(documents, 1.0) for topic, documents in RANKED.items()}
    yield run("all scores the same", run_text(same), ACCEPTED, ranked=same)
    zeros = {"301": {"a": -0.0, "b": 0.0, "c": 0.0}}
    judged = {"judged": {"301": {"b": 1, "a": 0}}, "qrels": b"301 0 b 1\n301 0 a 0\n"}
    yield run("zeros of both signs", run_text(zeros), ACCEPTED, ranked=zeros, **judged)
    forms = {"301": {"e\u0301": 3.0, "\u00e9": 2.0, "E\u0301": 1.0}}
    judged = {"judged": {"301": {"\u00e9": 1}}, "qrels": "301 0 \u00e9 1\n".encode()}
    yield run("one letter in three forms", run_text(forms), ACCEPTED, ranked=forms, **judged)
    topics = {"1": {"d": 1.0}, "01": {"d": 1.0}, "1.0": {"d": 1.0}}
    judged = {"judged": {"1": {"d": 1}, "01": {"d": 0}}, "qrels": b"1 0 d 1\n01 0 d 0\n"}
    yield run("topics 1, 01 and 1.0", run_text(topics), ACCEPTED, ranked=topics, **judged)
    for name, data, judged in (
        ("all 0", b"301 0 d1 0\n", {"301": {"d1": 0}}),
        ("all negative", b"301 0 d1 -1\n301 0 d2 -2\n", {"301": {"d1": -1, "d2": -2}}),
        ("three columns", b"301 d1 1\n301 d2 0\n", {"301": {"d1": 1, "d2": 0}}),
        ("signs", QRELS.replace(b" 1\n", b" +1\n").replace(b" 0\n", b" -0\n"), JUDGED),
        ("zeros before", QRELS.replace(b" 1\n", b" 001\n"), JUDGED),
    ):
        yield qrels(f"grades, {name}", data, ACCEPTED, judged=judged)
    yield qrels("five columns", QRELS.replace(b"\n", b" x\n"), "5 columns where a qrels has 4")


def json_files():
    both = {"301": {"d1": 1.0, "d2": 2.0}}
    for name, text, ranked in (
        ("a topic twice", '{"301": {"d1": 1.0}, "301": {"d2": 2.0}}', both),
        ("whole and broken numbers", '{"301": {"d1": 1, "d2": 2e0}}', both),
        ("zero in two forms", '{"301": {"d1": -0, "d2": 0.0}}', {"301": {"d1": 0.0, "d2": 0.0}}),
        ("too small", '{"301": {"d1": 1e-400, "d2": 2}}', {"301": {"d1": 0.0, "d2": 2.0}}),
        ("300 digits", '{"301": {"d1": ' + "1" * 300 + ', "d2": 2}}', {"301": {"d1": 1e299, "d2": 2.0}}),
        ("mark", "\ufeff" + json.dumps(both), both),
    ):
        yield run(f"JSON, {name}", text.encode(), ACCEPTED, ranked=ranked)
    yield run("JSON in UTF-16", json.dumps(RANKED).encode("utf-16"), ACCEPTED)
    for name, text, said in (
        ("zero behind it", json.dumps(RANKED) + "\0", "zero bytes"),
        ("text behind it", json.dumps(RANKED) + "x", "this is not JSON"),
        ("lines of other things", '{"301": {"d1": 1.0}}\n{"302": [[["d2"]]]}\n', "a.run"),
        ("lists of lists", '{"301": [[["d1", 1.0]]]}', "a.run"),
        ("numbers as text", '{"301": {"d1": "1,0"}}', 'is "1,0", but must be a finite number'),
        ("deep lists", '{"301": {"d1": ' + "[" * 100_000, "is JSON, but not of the form"),
        ("zero in a topic", '{"3\\u000001": {"d1": 1}}', "do not belong together"),
        ("empty name of a topic", '{"": {"d1": 1}}', "do not belong together"),
        ("digits of Arabic", '{"301": {"d1": ١}}', "this is not JSON"),
    ):
        yield run(f"JSON, {name}", text.encode(), said)
    yield qrels("JSON, a document twice", b'{"301": {"d1": 1, "d1": 5}}', 'document "d1" has grade 1 and 5')


def heads_of_tar():
    """Archives of nothing but heads: folders, and heads of heads, as they would go on for gigabytes."""
    folder = tarfile.TarInfo("d")
    folder.type = tarfile.DIRTYPE
    of_next = tarfile.TarInfo("d")
    of_next.pax_headers = {"comment": "x"}
    for name, heads, said in (
        ("folders", folder.tobuf() * 20_001, "t.tar contains more files than allowed"),
        (
            "heads of heads",
            of_next.tobuf(tarfile.PAX_FORMAT)[:1024] * 20_001,
            "t.tar is a damaged or cut-off tar archive",
        ),
    ):
        yield run(f"tar of {name}", Upload("t.tar", heads + bytes(1024)), said)


CELL = b'<row r="%d"><c r="%b%d"><v>1</v></c></row>'
TYPES = """<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Override PartName="/xl/workbook.xml"
ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>"""
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
LINKS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
LINK = '<Relationship Id="r{0}" Type="{1}/worksheet" Target="worksheets/{0}.xml"/>'
BOOK = '<workbook xmlns="{}" xmlns:r="{}"><sheets>{}</sheets></workbook>'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def workbook(rows, sheets=1):
    """A workbook whose sheets all have these rows, as XML in bytes."""
    each = [f'<sheet name="s{n}" sheetId="{n + 1}" r:id="r{n}"/>' for n in range(sheets)]
    sheet = b'<worksheet xmlns="%b"><sheetData>%b</sheetData></worksheet>' % (MAIN.encode(), rows)
    link = f'<Relationship Id="r" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("_rels/.rels", LINKS.format(link))
        archive.writestr("xl/workbook.xml", BOOK.format(MAIN, OFFICE, "".join(each)))
        links = "".join(LINK.format(n, OFFICE) for n in range(sheets))
        archive.writestr("xl/_rels/workbook.xml.rels", LINKS.format(links))
        for n in range(sheets):
            archive.writestr(f"xl/worksheets/{n}.xml", sheet)
    return buffer.getvalue()


def workbooks():
    """Workbooks of a few kilobytes with far more to look at than cells."""
    far = CELL % (1, b"A", 1) + CELL % (1_048_576, b"C", 1_048_576)
    for name, data, said in (
        ("a cell far down in each sheet", workbook(far, sheets=8), "more than 20 million places"),
        ("tags without cells", workbook(b"<row/>" * 10_000_000), "more than 10 million tags of XML"),
        ("cells that do not end", workbook(b'<row><c t="n"' * 100_000), "t.xlsx is a workbook that cannot be read ("),
    ):
        yield run(f"workbook, {name}", Upload("t.xlsx", data), said)


MANY = 200_001  # topics, one more than a file may have
TOO_MANY = "topics or more, but at most 200,000 are allowed"


def many_topics():
    """Files of a great many topics without a document, each of which is a few bytes."""
    maps = b"\xba" + struct.pack(">I", MANY) + b"\x60\xa0" * MANY
    packed_maps = pa.BufferOutputStream()
    with pa.CompressedOutputStream(packed_maps, "lz4") as stream:
        stream.write(maps)
    objects = b"{%s}" % b",".join(b'"%d":{}' % topic for topic in range(MANY))
    records = b'{"query": "1", "document": "d", "score": 1}\n'
    for name, data, said in (
        ("CBOR in lz4", packed_maps.getvalue().to_pybytes(), f"a.run has 200,001 {TOO_MANY}"),
        ("JSON objects", objects, f"a.run has 200,001 {TOO_MANY}"),
        ("JSON lists", objects.replace(b"{}", b"[]"), f"a.run has 200,001 {TOO_MANY}"),
        ("a JSON list", b"[%s]" % b",".join([b"{}"] * MANY), "a.run is JSON, but not of the form"),
        ("JSON lines", b"{}\n" * MANY, "a.run, line 2: this is not JSON"),
        ("JSON lines after a record", records + b"{}\n" * MANY, "a.run, line 2: this record lacks"),
    ):
        yield run(f"topics without documents, {name}", data, said)


def tables():
    rows = {"301": {"d1": 1.0}, "302": {"d2": 2.0}}
    quoted = {"301": {'d"1': 1.0}, "302": {"d2": 2.0}}
    for name, text, ranked in (
        ("doubled quotes", 'topic,document,score\n301,"d""1",1\n302,d2,2\n', quoted),
        ("comma at the end", "topic,document,score,\n301,d1,1,\n302,d2,2,\n", rows),
        ("decimal comma", "topic;document;score\n301;d1;1,0\n302;d2;2,0\n", rows),
        ("mark of Excel", "sep=;\ntopic;document;score\n301;d1;1\n302;d2;2\n", rows),
        ("blank lines", "topic,document,score\n\n301,d1,1\n\n\n302,d2,2\n", rows),
        ("numbers for topics", "topic,document,score\n301.0,d1,1\n302.0,d2,2\n", rows),
    ):
        yield run(f"table, {name}", text.encode(), ACCEPTED, ranked=ranked)
    unsure = "a.run, line 1: it is not clear which column is the rank"
    for name, score in {
        "thousands": "1.000,5", "shares": "50%", "dates": "2020-01-01", "N/A": "#N/A", "NaN": "NaN", "inf": "inf",
        "hexadecimal": "0x1",
    }.items():  # fmt: skip
        yield run(f"table, {name}", f"topic;document;score\n301;d1;{score}\n302;d2;1\n".encode(), unsure)
    for name, text, said in (
        ("two topics", "topic,topic,document,score\n301,302,d1,1\n301,302,d2,2\n", "the topic, the document or the"),
        ("header twice", "topic,document,score\n301,d1,1\ntopic,document,score\n302,d2,1\n", unsure),
        ("Markdown", "| topic | document | score |\n|---|---|---|\n| 301 | d1 | 1 |\n", unsure),
        ("two marks", "topic,document,score\n301;d1;1\n302,d2,1\n", "1 column where the first rows have 3"),
        ("blank document", "topic,document,score\n301, ,1\n302,d2,1\n", "line 2 has no document"),
        ("yes and no", "topic,document,score\n301,d1,TRUE\n302,d2,FALSE\n", "contains judgments"),
    ):
        yield run(f"table, {name}", text.encode(), said)


def options():
    for name, value, said in (
        ("gains", {0: 0, 1: "x", 2: 1}, "write a number for each grade"),
        ("gains", {0: 0, 1: float("nan"), 2: 1}, "nan"),
        ("gains", {}, "grade 0"),
        ("rel_level", "x", "rel_level"),
        ("pool_depth", 0, "a whole number from 1"),
        ("names", "regex=(", "is not known"),
        ("pooled", ["nobody"], "no system 'nobody'"),
        ("columns", 5, "columns=5"),
        ("variations", "", "variations=''"),
        ("cache", "\0", "is not a folder; give a path"),
    ):
        yield f"{name}={value!r}", {name: value}, said


def cases():
    """All that are files; no two have one name."""
    hostile = heads_of_tar, workbooks, many_topics
    return [case for make in (gz_files, zip_files, texts, numbers, json_files, *hostile, tables) for case in make()]
