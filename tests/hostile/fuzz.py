"""A fuzzer over the readers: files are changed at random and given to `open_study`.

Whatever comes of it is an `InputError` that says what is wrong and where, in time and within the memory that is
allowed, or a study that scores as pytrec_eval scores what the slow reader reads. For an hour:

    python -m tests.hostile.fuzz 3600
"""

import gzip
import json
import resource
import sys
import tempfile
import time
import warnings
from pathlib import Path

import pytrec_eval
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import evalcore
from evalcore.reading.files import InputError, Upload
from evalcore.vocabulary.safe_text import printable
from tests.cached import opened_in_every_way
from tests.hostile.corpus import JUDGED, NAMES, QRELS, RANKED, RUN, WHITE, packed, qrels_text, run_text
from tests.oracles import reading

MEMORY = 256 << 20  # bytes that a load may take
GROWTH = 1 << 30  # bytes that the process may have grown by in the end
LONGEST = 10  # CPU seconds of one example
ROUND = 100  # examples
TABLE = b"topic,document,score,rank\n301,d1,2.5,1\n301,d2,1.5,2\n302,d2,3,1\n"
JUDGED_TABLE = b"topic;document;grade\n301;d1;1\n301;d2;0\n302;d2;2\n"
BASES = {
    "run": [RUN, *(run_text(sep=sep) for sep in WHITE.values()), json.dumps(RANKED).encode(), TABLE],
    "qrels": [QRELS, *(qrels_text(sep=sep) for sep in WHITE.values()), json.dumps(JUDGED).encode(), JUDGED_TABLE],
}
PIECES = [
    *(b" \t\n\r\v\f\0#,;|\"'\\{}[]=" [i : i + 1] for i in range(21)), b"\r\n", b"\xff", b"\x80", b"\xef\xbb\xbf",
    b"\xff\xfe", b"nan", b"inf", b"1e999", b"-0", b"0x1", b"9" * 30, b"9" * 5000, b"1,5", b"PK\x03\x04",
    b"\x1f\x8b\x08", b"301 Q0 d1 1 9.5 sys\n", b"301 0 d1 1\n", b"topic", b"score", b"x" * 70_000,
    b"\xe2\x80\xae", b"\x1b[2J",
    *(name.encode("utf-8", "surrogateescape") for name in NAMES.values() if len(name) < 100),
]  # fmt: skip
PLACE = st.floats(0, 1, exclude_max=True)
CHANGE = st.one_of(
    st.tuples(st.just("insert"), PLACE, st.sampled_from(PIECES)),
    st.tuples(st.just("replace"), PLACE, st.binary(min_size=1, max_size=3)),
    st.tuples(st.just("delete"), PLACE, st.integers(1, 30)),
    st.tuples(st.just("cut"), PLACE, st.none()),
    st.tuples(st.just("again"), PLACE, st.integers(1, 60)),
    st.tuples(
        st.just("swap"), PLACE, st.sampled_from([(b" ", b"\t"), (b" ", b","), (b"\n", b"\r"), (b"d", b"\xc3\xa9")])
    ),
)


def changed(data, changes):
    for kind, place, how in changes:
        at = int(place * len(data))
        if kind == "insert":
            data = data[:at] + how + data[at:]
        elif kind == "replace":
            data = data[:at] + how + data[at + len(how) :]
        elif kind == "delete":
            data = data[:at] + data[at + how :]
        elif kind == "cut":
            data = data[:at]
        elif kind == "again":
            data = data[:at] + data[at : at + how] * 2 + data[at + how :]
        else:
            data = data[:at] + data[at:].replace(*how)
    return data


@st.composite
def files(draw, role):
    """A file of this role, changed before it is packed, and after."""
    data = changed(draw(st.sampled_from(BASES[role])), draw(st.lists(CHANGE, max_size=4)))
    how = draw(st.sampled_from(["plain"] * 6 + ["gz", "zip", "utf-16"]))
    if how == "plain":
        return Upload(f"{role}.txt", data)
    if how == "utf-16":
        return Upload(f"{role}.txt", b"\xff\xfe" + data.decode("utf-8", "replace").encode("utf-16-le"))
    whole = gzip.compress(data, mtime=0) if how == "gz" else packed([("a", data)])
    return Upload(f"{role}.{how}", changed(whole, draw(st.lists(CHANGE, max_size=2))))


def judged_by_reading(data):
    """The judgments that the slow reader finds in plain lines; None where there is anything odd."""
    rows, few, bad = reading.qrels(data)
    return None if few or bad or not rows else {(topic, document): grade for _, topic, document, grade in rows}


def of_windows(study, *files):
    """Whether a table may have been read as Excel on Windows writes its letters, as the slow reader does not."""
    if not any(finding.check == "read as a table" for finding in study.findings):
        return False
    return any("\ufffd" in file.data.decode("utf-8", "replace") for file in files)


def assert_scored(study, run, judged):
    """Against pytrec_eval on what the slow reader reads, of plain lines, and else on what the study holds."""
    track, names = study.track, study.track.doc_of_item.to_pylist()
    rows, few, bad = reading.run(run.data)
    known = judged_by_reading(judged.data)
    plain = not (few or bad or known is None or of_windows(study, run, judged)) and len(track.systems) == 1
    ranked, relevant = {}, {}
    for query, topic in enumerate(track.topics):
        if plain:
            mine = [row for row in rows if row[1].decode("utf-8", "backslashreplace") == topic]
            documents = reading.ranking([(row[2], row[4], 0) for row in mine])[0]
        else:
            documents = [names[item] for item in track.items[0, query] if item]
        ranked[str(query)] = {name.hex(): float(-place) for place, name in enumerate(documents)}
    if plain:
        number = {topic: str(query) for query, topic in enumerate(track.topics)}
        for (topic, document), grade in known.items():
            relevant.setdefault(number[topic.decode("utf-8", "backslashreplace")], {})[document.hex()] = grade
    else:
        for item, level in enumerate(study.judgments.level.tolist()):
            if level:
                grade = int(study.judgments.scale.grades[level - 1])
                relevant.setdefault(str(track.topic_of_item[item]), {})[names[item].hex()] = grade
    for grades in relevant.values():  # trec_eval makes an array of as many places as the highest grade
        grades.update({document: min(grade, 9) for document, grade in grades.items()})
    theirs = pytrec_eval.RelevanceEvaluator(relevant, {"map"}).evaluate({q: d for q, d in ranked.items() if d})
    table = evalcore.ask(study, "scores", metric="AP", systems=[track.systems[0]]).table
    ours = {track.topics.index(topic): value for topic, value in zip(table["topic"], table["value"], strict=True)}
    for query, values in theirs.items():
        assert abs(ours[int(query)] - values["map"]) < 1e-6, (query, ours, theirs)


def check(run, judged):
    began = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with tempfile.TemporaryDirectory() as cache:
                study = opened_in_every_way(lambda cache: evalcore.open_study([run], judged, cache=cache), Path(cache))
    except InputError as error:
        study, problems = None, error.problems
    assert time.process_time() - began < LONGEST
    if study is None:
        assert problems
        for problem in problems:
            assert problem.message.isprintable()
            assert problem.message.startswith(printable(problem.file))
            assert problem.message[-1] in ".?)", problem.message
            assert len(problem.message) < 2000
        return
    assert all(finding.message.isprintable() for finding in study.findings)
    assert_scored(study, run, judged)


def fuzz(seconds, first=0):
    """Rounds of examples until the time is over. -> how many rounds"""
    end, number = time.monotonic() + seconds, first
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    while number == first or time.monotonic() < end:

        @seed(number)
        @settings(max_examples=ROUND, database=None, deadline=None, suppress_health_check=list(HealthCheck),
                  phases=[Phase.generate, Phase.shrink])  # fmt: skip
        @given(run=files("run"), judged=files("qrels"))
        def examples(run, judged):
            if time.monotonic() < end + 60:
                check(run, judged)

        examples()
        number += 1
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
        assert grown < GROWTH, f"{grown:,} bytes more after round {number}"
    return number - first


if __name__ == "__main__":
    import os

    os.environ["POOLSCOPE_MEMORY_BYTES"] = str(MEMORY)
    asked = float(sys.argv[1]) if len(sys.argv) > 1 else 3600
    start = time.time_ns() % 10**9 if len(sys.argv) < 3 else int(sys.argv[2])
    print(f"From seed {start} on: {fuzz(asked, start):,} rounds of {ROUND} examples, no failure.")
