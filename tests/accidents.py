"""Accidents that befall tracks: each damages a clean one as people, scripts and mail programs do, and says which check
must name it and whom it must name.

An accident is a function (track, rng) -> (damaged track, culprit) and a row of `ACCIDENTS`; the culprit is a text, or
one of several, that must stand in the finding, "" where there is none to name.
"""

import gzip
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property

import evalcore

TREC = ("topic", "Q0", "document", "rank", "score", "tag")


@dataclass(frozen=True)
class Files:
    """A track as files: names of runs and their lines (lists of fields), the lines of the qrels, the tables as bytes.

    raw : name -> bytes, what a file holds in the end where that is not its lines
    """

    runs: dict
    qrels: list
    systems: bytes | None = None
    queries: bytes | None = None
    raw: dict = None
    options: dict = None

    @cached_property
    def uploads(self):
        """What `open_study` takes."""
        raw = self.raw or {}
        runs = [evalcore.Upload(name, raw.get(name, _bytes(lines))) for name, lines in self.runs.items()]
        tables = {role: getattr(self, role) for role in ("systems", "queries")}
        tables = {role: evalcore.Upload(f"{role}.tsv", data) for role, data in tables.items() if data is not None}
        return {"runs": runs, "qrels": evalcore.Upload("qrels.txt", raw.get("qrels.txt", _bytes(self.qrels))), **tables}

    def open(self, *, cache=False, **options):
        return evalcore.open_study(**self.uploads, cache=cache, **(self.options or {}), **options)

    @property
    def topics(self):
        return list(dict.fromkeys(line[0] for line in self.qrels))

    def with_run(self, name, lines):
        return replace(self, runs=self.runs | {name: lines})

    def with_raw(self, name, data):
        return replace(self, raw=(self.raw or {}) | {name: data})


def _bytes(lines, separator=b" "):
    return b"".join(separator.join(line) + b"\n" for line in lines)


def read(runs, qrels, systems=None, queries=None, **options):
    """The files of a folder of runs (some may be .gz), of a qrels and of tables."""
    content = {}
    for path in sorted(runs.iterdir()):
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        content[path.name.removesuffix(".gz")] = [line.split() for line in data.splitlines()]
    judged = [line.split() for line in qrels.read_bytes().splitlines()]
    tables = {name: path.read_bytes() for name, path in (("systems", systems), ("queries", queries)) if path}
    return Files(content, judged, **tables, options=options)


# ---------------------------------------------------------------------------------------------------------------------
# What is chosen to be hurt


def some_run(track, rng, *, pooled=None):
    """The name of a run that is not odd already: the longest lists, in the middle of the alphabet."""
    most = max(len(lines) for lines in track.runs.values())
    full = [name for name, lines in track.runs.items() if len(lines) >= 0.9 * most]
    return full[rng.integers(len(full))]


def some_topic(track, rng):
    """A topic with at least ten relevant documents and as many that are not, not the first and not the last."""
    relevant, judged = defaultdict(int), defaultdict(int)
    for topic, _, _, grade in track.qrels:
        relevant[topic] += int(grade) > 0
        judged[topic] += 1
    fair = [topic for topic in track.topics[1:-1] if relevant[topic] >= 10 and judged[topic] >= 3 * relevant[topic]]
    fair = fair or track.topics[1:-1]
    return fair[rng.integers(len(fair))]


def tag_of(track, name):
    return track.runs[name][0][5].decode()


def called(track, name):
    """What a run may be called: its tag, its file, or the system of which it holds a query variation."""
    tag, system = tag_of(track, name), re.sub(r"\.v\d+$", "", name)
    return tag, name, system


def by_topic(lines):
    topics = defaultdict(list)
    for line in lines:
        topics[line[0]].append(line)
    return topics


# ---------------------------------------------------------------------------------------------------------------------
# The qrels


def cut_in_a_line(track, rng):
    """The file ends in the middle of a line, two thirds down."""
    data = _bytes(track.qrels)
    end = data.rindex(b"\n", 0, 2 * len(data) // 3) + 8
    last = data[:end].splitlines()[-1].split()[0].decode()
    return track.with_raw("qrels.txt", data[:end]), "qrels.txt" if last else ""


def cut_in_a_topic(track, rng):
    """Of one topic, only the first fifth of the lines is there."""
    topic = some_topic(track, rng)
    lines = by_topic(track.qrels)
    lines[topic] = lines[topic][: len(lines[topic]) // 5]
    return replace(track, qrels=[line for some in lines.values() for line in some]), topic.decode()


def topic_missing(track, rng):
    topic = some_topic(track, rng)
    return replace(track, qrels=[line for line in track.qrels if line[0] != topic]), topic.decode()


def topics_swapped(track, rng):
    """The judgments of two topics stand under each other's number."""
    one = some_topic(track, rng)
    other = track.topics[(track.topics.index(one) + 1) % len(track.topics)]
    swapped = {one: other, other: one}
    return replace(track, qrels=[[swapped.get(line[0], line[0]), *line[1:]] for line in track.qrels]), one.decode()


def _renumbered(track, names):
    """The judgments of each topic under another name: names(the topics in their order) -> the new ones"""
    topics = sorted(track.topics, key=lambda name: (len(name), name))
    new = dict(zip(topics, names(topics), strict=True))
    qrels = [[new[line[0]], *line[1:]] for line in track.qrels]
    return replace(track, qrels=qrels), ("another topic's", " instead", "under other topics")


def topics_permuted(track, rng):
    """The judgments were joined with another list of topics, line by line."""
    return _renumbered(track, lambda topics: [topics[at] for at in rng.permutation(len(topics))])


def second_half_one_too_high(track, rng):
    """A line was lost in the middle of the list of topics: each of the second half has the next one's name."""
    half = len(track.topics) // 2
    return _renumbered(track, lambda topics: [*topics[:half], *topics[half + 1 :], b"99999999"])


def grades_shuffled(track, rng):
    """The grades of every topic are in random order."""
    qrels = []
    for lines in by_topic(track.qrels).values():
        order = rng.permutation(len(lines))
        qrels += [[*line[:3], lines[at][3]] for line, at in zip(lines, order, strict=True)]
    return replace(track, qrels=qrels), "as chance would"


def one_is_best(track, rng):
    """Grades are given as in school: 1 is the best, and nothing is 0."""
    best = max(int(line[3]) for line in track.qrels)
    return _graded(track, None, lambda line: b"%d" % (best + 1 - int(line[3]))), "seems to be the best grade"


def _graded(track, topic, grade):
    """The qrels with the grades of a topic, or of all where it is None, made anew: grade(line) -> bytes"""
    lines = [[*line[:3], grade(line)] if topic in (None, line[0]) else line for line in track.qrels]
    return replace(track, qrels=lines)


def topic_all_relevant(track, rng):
    topic = some_topic(track, rng)
    return _graded(track, topic, lambda line: b"1"), topic.decode()


def topic_none_relevant(track, rng):
    topic = some_topic(track, rng)
    return _graded(track, topic, lambda line: b"0"), topic.decode()


def topic_inverted(track, rng):
    topic = some_topic(track, rng)
    return _graded(track, topic, lambda line: b"0" if int(line[3]) > 0 else b"1"), topic.decode()


def topic_shuffled(track, rng):
    """The grades of a topic have slipped: each stands beside another document."""
    topic = some_topic(track, rng)
    grades = [line[3] for line in track.qrels if line[0] == topic]
    shuffled = iter([grades[i] for i in rng.permutation(len(grades))])
    return _graded(track, topic, lambda line: next(shuffled)), topic.decode()


def topic_half_judged(track, rng):
    """The assessor stopped halfway: what follows, in the order of names, was filled up with 0."""
    topic = some_topic(track, rng)
    names = sorted(line[2] for line in track.qrels if line[0] == topic)
    late = set(names[len(names) // 2 :])
    lines = [[*line[:3], b"0"] if line[0] == topic and line[2] in late else line for line in track.qrels]
    return replace(track, qrels=lines), topic.decode()


def first_half_not_judged(track, rng):
    """The assessor began in the middle: what comes before, in the order of names, was filled up with 0."""
    topic = some_topic(track, rng)
    names = sorted(line[2] for line in track.qrels if line[0] == topic)
    early = set(names[: len(names) // 2])
    lines = [[*line[:3], b"0"] if line[0] == topic and line[2] in early else line for line in track.qrels]
    return replace(track, qrels=lines), topic.decode()


def topic_slid(track, rng):
    """The column of grades of a topic has moved down by one row."""
    topic = some_topic(track, rng)
    lines = sorted((line for line in track.qrels if line[0] == topic), key=lambda line: line[2])
    slid = {line[2]: above[3] for line, above in zip(lines, [lines[-1], *lines], strict=False)}
    return _graded(track, topic, lambda line: slid[line[2]]), topic.decode()


def all_slid(track, rng):
    """The column of grades of the whole file has moved down by one row."""
    lines = sorted(track.qrels, key=lambda line: (line[0], line[2]))
    slid = [[*line[:3], above[3]] for line, above in zip(lines, [lines[-1], *lines], strict=False)]
    return replace(track, qrels=slid), "moved down"


def one_grade_where_most_are_relevant(track, rng):
    """Hardly any document of any topic is not relevant, and of one topic every grade is 1."""
    topic = some_topic(track, rng)
    lines = [
        [*line[:3], b"1"] if line[0] == topic else [*line[:3], line[3] if int(line[3]) > 1 else rng.choice(GENEROUS)]
        for line in track.qrels
    ]
    return replace(track, qrels=lines), topic.decode()


GENEROUS = [b"0", *[b"1"] * 10, *[b"2"] * 9]


def a_sample(track, rng):
    """Of the pool, half was drawn at random and judged."""
    return replace(track, qrels=[line for line in track.qrels if rng.random() < 0.5]), "random sample"


def second_assessor_behind(track, rng):
    """The judgments of a second assessor stand at the end of the file."""
    second = [[*line[:3], b"1" if rng.random() < 0.1 else line[3]] for line in track.qrels]
    return replace(track, qrels=[*track.qrels, *second]), "first and second judgments"


def documents_of_a_team_lost(track, rng):
    """What only one of the teams named as contributing ranked high is no longer in the qrels."""
    study = track.open()
    names = [name for name, pooled in zip(study.systems, study.track.pooled, strict=True) if pooled]
    team = set(rng.permutation(names)[:2].tolist())
    rows = [f"{name}\t{'Lost' if name in team else name}\t{int(name in names)}\n" for name in study.systems]
    table = ("run\tgroup\tpooled\n" + "".join(rows)).encode()
    seen = defaultdict(set)
    for name, lines in track.runs.items():
        whose = "Lost" if team & {tag_of(track, name), name} else name
        for topic, ranked in by_topic(lines).items():
            for line in sorted(ranked, key=lambda line: -float(line[4]))[: study.depth]:
                seen[topic, line[2]].add(whose)
    qrels = [line for line in track.qrels if seen[line[0], line[2]] != {"Lost"}]
    return replace(track, qrels=qrels, systems=table), "Lost"


def page_for_a_run(track, rng):
    """A web page was saved in place of a run."""
    name = some_run(track, rng)
    page = b"<!-- saved from url=(0019)https://trec.nist.gov/ -->\n<html><body>Sign in to see this.</body></html>\n"
    return track.with_raw(name, page), f"{name} was skipped. It is an HTML"


def lenient_assessor(track, rng):
    """Of one topic, nine in ten of what is not relevant are called so."""
    topic = some_topic(track, rng)
    return _graded(
        track, topic, lambda line: line[3] if int(line[3]) > 0 or rng.random() > 0.9 else b"1"
    ), topic.decode()


def topic_renumbered_in_the_runs(track, rng):
    """A topic has another number in all runs than in the qrels."""
    topic = some_topic(track, rng)
    other = {topic: b"7" + topic}
    runs = {name: [[other.get(line[0], line[0]), *line[1:]] for line in lines] for name, lines in track.runs.items()}
    return replace(track, runs=runs), topic.decode()


def qrels_inverted(track, rng):
    return _graded(track, None, lambda line: b"0" if int(line[3]) > 0 else b"1"), ""


def another_scale(track, rng):
    """One topic's assessor wrote 0 to 100 where the others wrote grades."""
    topic = some_topic(track, rng)
    return _graded(track, topic, lambda line: str(int(line[3]) * 50).encode()), topic.decode()


def every_second_on_another_scale(track, rng):
    """The assessor of every second topic wrote 0, 2, 4 where the other wrote 0, 1, 2."""
    doubled = set(track.topics[::2])
    lines = [
        [*line[:3], str(int(line[3]) * 2).encode()] if line[0] in doubled and int(line[3]) > 0 else line
        for line in track.qrels
    ]
    return replace(track, qrels=lines), tuple(topic.decode() for topic in doubled)


def every_second_in_percent(track, rng):
    percent = set(track.topics[1::2])
    lines = [[*line[:3], str(int(line[3]) * 50).encode()] if line[0] in percent else line for line in track.qrels]
    return replace(track, qrels=lines), tuple(topic.decode() for topic in percent)


def one_too_high(track, rng):
    """The lowest grade is written 1, the next 2, and so on."""
    return _graded(track, None, lambda line: str(max(int(line[3]), 0) + 1).encode()), "too high"


def half_of_topics_binary(track, rng):
    """Half of the topics were judged without grades."""
    binary = [track.topics[at] for at in rng.permutation(len(track.topics))[: len(track.topics) // 2]]
    lines = [[*line[:3], b"1"] if line[0] in binary and int(line[3]) > 1 else line for line in track.qrels]
    return replace(track, qrels=lines), tuple(topic.decode() for topic in binary)


def another_year(track, rng):
    """The judgments of other topics: the numbers are a hundred thousand higher."""
    return replace(track, qrels=[[b"9" + line[0], *line[1:]] for line in track.qrels]), "judgments"


def another_corpus(track, rng):
    """The topics are the same, and not one document is."""
    return replace(track, qrels=[[line[0], line[1], b"zz-" + line[2][::-1], line[3]] for line in track.qrels]), ""


def another_round(track, rng):
    """What most runs have at the top was judged in an earlier round, whose judgments are not here."""
    seen = set()
    for lines in track.runs.values():
        for topic, ranked in by_topic(lines).items():
            ranked.sort(key=lambda line: -float(line[4]))
            seen.update((topic, line[2]) for line in ranked[:5])
    return replace(track, qrels=[line for line in track.qrels if (line[0], line[2]) not in seen]), ""


def qrels_lower_case(track, rng):
    return replace(track, qrels=[[*line[:2], _other_case(line[2]), line[3]] for line in track.qrels]), "case"


def _other_case(name):
    return name.lower() if name.lower() != name else name.upper()


def documents_with_a_prefix(track, rng):
    return replace(track, qrels=[[*line[:2], b"web12-" + line[2], line[3]] for line in track.qrels]), "web12-"


def documents_with_an_ending(track, rng):
    return replace(track, qrels=[[*line[:2], line[2] + b".txt", line[3]] for line in track.qrels]), ".txt"


def topics_with_zeros(track, rng):
    return replace(track, qrels=[[b"00" + line[0], *line[1:]] for line in track.qrels]), "zero"


def positives_only(track, rng):
    return replace(track, qrels=[line for line in track.qrels if int(line[3]) > 0]), ""


def two_grades(track, rng):
    """A document is judged twice, not alike."""
    line = track.qrels[len(track.qrels) // 3]
    other = b"0" if int(line[3]) > 0 else b"1"
    return replace(track, qrels=[*track.qrels, [*line[:3], other]]), line[2].decode()


def negative_grades(track, rng):
    count = iter(range(len(track.qrels)))
    return _graded(track, None, lambda line: b"-1" if line[3] == b"0" and next(count) % 50 == 0 else line[3]), "−1"


def every_tenth_line_lost(track, rng):
    return replace(track, qrels=[line for n, line in enumerate(track.qrels) if n % 10]), "not judged"


def qrels_with_header(track, rng):
    return replace(track, qrels=[[b"topic", b"iter", b"docno", b"rel"], *track.qrels]), "qrels.txt"


def qrels_columns_swapped(track, rng):
    """Grade and document stand in each other's place."""
    return replace(track, qrels=[[line[0], line[1], line[3], line[2]] for line in track.qrels]), "qrels.txt"


def iteration_and_grade_exchanged(track, rng):
    return replace(track, qrels=[[line[0], line[3], line[2], b"0"] for line in track.qrels]), "qrels.txt"


def qrels_for_a_run(track, rng):
    """A run is given as the judgments, and the judgments as a run."""
    name = some_run(track, rng)
    exchanged = replace(track, runs=track.runs | {name: track.qrels}, qrels=track.runs[name])
    return exchanged, f"qrels.txt is a run and {name} contains judgments"


def document_before_iteration(track, rng):
    return replace(track, qrels=[[line[0], line[2], line[1], line[3]] for line in track.qrels]), "third"


def another_round_behind(track, rng):
    """The judgments of another round's topics stand at the end of the file."""
    more = [[b"9" + line[0], line[1], b"zz-" + line[2][::-1], line[3]] for line in track.qrels]
    return replace(track, qrels=[*track.qrels, *more]), "9" + track.topics[0].decode()


def two_topics_under_one(track, rng):
    """A topic has another's judgments too."""
    topic = some_topic(track, rng)
    other = track.topics[(track.topics.index(topic) + 1) % len(track.topics)]
    own = {line[2] for line in track.qrels if line[0] == topic}
    more = [[topic, *line[1:]] for line in track.qrels if line[0] == other and line[2] not in own]
    return replace(track, qrels=[*track.qrels, *more]), topic.decode()


def all_in_percent(track, rng):
    return _graded(track, None, lambda line: str(max(int(line[3]), 0) * 33).encode()), "percent"


def letters_for_grades(track, rng):
    return _graded(track, None, lambda line: b"R" if int(line[3]) > 0 else b"N"), "qrels.txt"


def slip_in_a_grade(track, rng):
    """Somebody typed 11 for 1, once."""
    relevant = [number for number, line in enumerate(track.qrels) if int(line[3]) > 0]
    at = relevant[rng.integers(len(relevant))]
    lines = [[*line[:3], b"11"] if number == at else line for number, line in enumerate(track.qrels)]
    return replace(track, qrels=lines), track.qrels[at][0].decode()


def _in_rounds(track, depth):
    """What an earlier round judged, the pool of the track to this depth, and the track without it in the runs."""
    earlier = {(line[0], line[2]) for line in track.qrels}
    earlier &= {
        (topic, line[2])
        for lines in track.runs.values()
        for topic, ranked in by_topic(lines).items()
        for line in sorted(ranked, key=lambda line: -float(line[4]))[:depth]
    }
    runs = {
        name: _by_rank([line for line in lines if (line[0], line[2]) not in earlier])
        for name, lines in track.runs.items()
    }
    return earlier, replace(track, runs=runs)


def rounds_in_one_file(track, rng):
    """The judgments of five rounds are in one file; the runs are of the fifth, without what was judged before."""
    earlier, later = _in_rounds(track, 3)
    lines = [
        [line[0], b"%d" % rng.integers(1, 5) if (line[0], line[2]) in earlier else b"5", *line[2:]]
        for line in track.qrels
    ]
    return replace(later, qrels=lines), "only the judgments of the runs' own round"


def earlier_documents_left_in(track, rng):
    """Documents that were judged in an earlier round are left out of all runs but one. Not named where further down,
    as in web, most of a run's documents are in no other."""
    earlier, later = _in_rounds(track, 3)
    name = some_run(track, rng)
    lines = [line for line in track.qrels if (line[0], line[2]) not in earlier]
    later = replace(later, qrels=lines).with_run(name, track.runs[name])
    return later, tuple(f"{one}: " for one in called(track, name))


def twice_in_one_file(track, rng):
    return replace(track, qrels=[*track.qrels, *track.qrels]), "qrels.txt"


def unjudged_as_zero(track, rng):
    """What nobody judged is written as not relevant."""
    judged, topics = {(line[0], line[2]) for line in track.qrels}, set(track.topics)
    retrieved = dict.fromkeys((line[0], line[2]) for lines in track.runs.values() for line in lines)
    more = [[topic, b"0", document, b"0"] for topic, document in retrieved if topic in topics]
    more = [line for line in more if (line[0], line[2]) not in judged]
    return replace(track, qrels=[*track.qrels, *more]), "written as grade 0"


# ---------------------------------------------------------------------------------------------------------------------
# One run


def _run(change):
    """An accident of one run: change(lines, rng) -> lines."""

    def accident(track, rng):
        name = some_run(track, rng)
        return track.with_run(name, change(track.runs[name], rng)), called(track, name)

    accident.__doc__ = change.__doc__
    return accident


def _scores_by_rank(score):
    """The rank column says the order, and scores are those of a function of the rank."""

    def change(lines, rng):
        changed = []
        for ranked in by_topic(lines).values():
            ranked = sorted(ranked, key=lambda line: -float(line[4]))
            changed += [[*line[:3], b"%d" % k, score(k), line[5]] for k, line in enumerate(ranked, 1)]
        return changed

    return change


def half_in_capitals(lines, rng):
    """The names of every second document are in another case."""
    other = set(sorted({line[2] for line in lines})[::2])
    return [[*line[:2], line[2].swapcase() if line[2] in other else line[2], *line[3:]] for line in lines]


def _of_column(column, value):
    at = TREC.index(column)
    return lambda lines, rng: [[*line[:at], value(line), *line[at + 1 :]] for line in lines]


def _columns(*names):
    order = [TREC.index(name) for name in names]
    return _run(lambda lines, rng: [[line[i] for i in order] for line in lines])


def run_lower_case(lines, rng):
    return [[*line[:2], _other_case(line[2]), *line[3:]] for line in lines]


def scores_upside_down(lines, rng):
    """The best document has the lowest score; the ranks are right."""
    return [[*line[:4], str(-float(line[4])).encode(), line[5]] for line in lines]


def ranks_upside_down(lines, rng):
    """The rank column counts from the last document to the first."""
    turned = []
    for ranked in by_topic(lines).values():
        ranks = [line[3] for line in ranked]
        turned += [[*line[:3], rank, *line[4:]] for line, rank in zip(ranked, reversed(ranks), strict=True)]
    return turned


def half_upside_down(lines, rng):
    """Of every second topic the scores have lost their sign."""
    turned = set(list(by_topic(lines))[::2])
    return [[*line[:4], str(-float(line[4])).encode(), line[5]] if line[0] in turned else line for line in lines]


def names_cut(lines, rng):
    """Names of documents are cut where a column of fixed width ended."""
    width = min(len(line[2]) for line in lines) - 2
    return [[*line[:2], line[2][:width], *line[3:]] for line in lines]


def half_of_topics(lines, rng):
    """The run ends after half of the topics."""
    topics = list(by_topic(lines))
    return [line for line in lines if line[0] in topics[: len(topics) // 2]]


def ten_a_topic(lines, rng):
    return [line for ranked in by_topic(lines).values() for line in ranked[:10]]


def head_cut(lines, rng):
    """Of every topic the first five lines are lost, as of a file that was merged wrongly."""
    return [line for ranked in by_topic(_by_rank(lines)).values() for line in ranked[5:]]


def head_of_the_file_cut(lines, rng):
    """The first lines of the file are lost, to the middle of a topic."""
    lines = _by_rank(lines)
    first = len(next(iter(by_topic(lines).values())))
    return lines[2 * first // 3 :]


def _by_rank(lines):
    """The topics as they come, each by its scores and numbered anew."""
    ranked = []
    for of_topic in by_topic(lines).values():
        of_topic = sorted(of_topic, key=lambda line: -float(line[4]))
        ranked += [[*line[:3], str(rank).encode(), *line[4:]] for rank, line in enumerate(of_topic, 1)]
    return ranked


def scores_rounded(lines, rng):
    """Scores are written as whole numbers from 0 to 10."""
    scores = [float(line[4]) for line in lines]
    low, high = min(scores), max(scores)
    scaled = [round(10 * (score - low) / ((high - low) or 1)) for score in scores]
    return [[*line[:4], str(score).encode(), line[5]] for line, score in zip(lines, scaled, strict=True)]


def shifted_topics(lines, rng):
    """Every topic's documents stand under the next topic's number."""
    topics = list(by_topic(lines))
    following = dict(zip(topics, [*topics[1:], topics[0]], strict=True))
    return [[following[line[0]], *line[1:]] for line in lines]


def documents_twice(lines, rng):
    """Each document has a copy right below it."""
    return [copy for line in lines for copy in (line, [*line[:3], line[3], line[4], line[5]])]


def random_documents(lines, rng):
    """The documents of all topics are thrown together."""
    documents = [line[2] for line in lines]
    order = rng.permutation(len(documents))
    return [[*line[:2], documents[i], *line[3:]] for line, i in zip(lines, order, strict=True)]


def turned_and_renumbered(lines, rng):
    """The list is written from its end, with ranks and scores to fit."""
    turned = []
    for ranked in by_topic(lines).values():
        ranked = sorted(ranked, key=lambda line: -float(line[4]))
        documents = [line[2] for line in reversed(ranked)]
        turned += [[*line[:2], document, *line[3:]] for line, document in zip(ranked, documents, strict=True)]
    return turned


def one_list_for_all(lines, rng):
    """Every topic has the documents of the first."""
    first = next(iter(by_topic(lines).values()))
    return [[topic, *line[1:]] for topic in by_topic(lines) for line in first]


def with_a_prefix(lines, rng):
    return [[*line[:2], b"doc:" + line[2], *line[3:]] for line in lines]


def two_topics_of_a_run(lines, rng):
    """Two topics of the run stand under each other's number."""
    one, other = list(by_topic(lines))[2:4]
    exchanged = {one: other, other: one}
    return [[exchanged.get(line[0], line[0]), *line[1:]] for line in lines]


def one_topic_cut(lines, rng):
    """Of one topic, only the first three lines are there."""
    topics = by_topic(_by_rank(lines))
    cut = list(topics)[rng.integers(len(topics))]
    return [line for topic, ranked in topics.items() for line in (ranked[:3] if topic == cut else ranked)]


def third_of_topics_constant(lines, rng):
    constant = set(list(by_topic(lines))[::3])
    return [[*line[:4], b"1", line[5]] if line[0] in constant else line for line in lines]


def one_topic_alone(lines, rng):
    topic = list(by_topic(lines))[2]
    return [line for line in lines if line[0] == topic]


def topics_with_a_letter(lines, rng):
    return [[b"Q" + line[0], *line[1:]] for line in lines]


def topics_numbered_anew(lines, rng):
    """The topics are numbered from 0."""
    number = {topic: str(n).encode() for n, topic in enumerate(by_topic(lines))}
    return [[number[line[0]], *line[1:]] for line in lines]


def with_an_ending(lines, rng):
    return [[*line[:2], line[2] + b".txt", *line[3:]] for line in lines]


def in_another_case_with_an_ending(lines, rng):
    return [[*line[:2], _other_case(line[2]) + b".html", *line[3:]] for line in lines]


def made_of_judgments(track, rng):
    """The relevant documents of every topic, by grade, as a run."""
    lines = []
    for topic, judged in by_topic(track.qrels).items():
        judged = sorted(judged, key=lambda line: -int(line[3]))[:100]
        lines += [
            [topic, b"Q0", line[2], str(rank).encode(), str(-rank).encode(), b"perfect"]
            for rank, line in enumerate(judged, 1)
        ]
    return track.with_run("perfect.v1", lines), "perfect"


def ordered_by_the_judgments(track, rng):
    """A run with what is relevant of its own documents first."""
    name = some_run(track, rng)
    grade = {(line[0], line[2]): int(line[3]) for line in track.qrels}
    lines = []
    for topic, ranked in by_topic(track.runs[name]).items():
        ranked = sorted(ranked, key=lambda line: (-max(0, grade.get((topic, line[2]), 0)), -float(line[4])))
        lines += [[*line[:3], b"%d" % n, b"%d" % -n, line[5]] for n, line in enumerate(ranked, 1)]
    return track.with_run(name, lines), called(track, name)


def _numbered(ranked):
    """These lines of one topic with ranks and scores in their order."""
    return [[*line[:3], b"%d" % n, b"%d" % -n, line[5]] for n, line in enumerate(ranked, 1)]


def _of_each_topic(change):
    """Lines of a run with another order in each topic: change(lines in their order) -> lines."""
    return lambda lines, rng: [
        line
        for ranked in by_topic(lines).values()
        for line in _numbered(change(sorted(ranked, key=lambda line: -float(line[4]))))
    ]


def _as_text(ranked):
    """In the order of scores from 25 down to 5 as text: 9.9 before 25.0."""
    scores = [5 + 20 * 0.96**n for n in range(len(ranked))]
    return [ranked[at] for at in sorted(range(len(ranked)), key=lambda at: f"{scores[at]:.4f}", reverse=True)]


def every_second_topic_again(lines, rng):
    """Every second topic has the list of the one before it."""
    lists = list(by_topic(lines).items())
    for (_, before), (topic, _) in zip(lists[::2], lists[1::2], strict=False):
        lists[lists.index((topic, dict(lists)[topic]))] = topic, [[topic, *line[1:]] for line in before]
    return [line for _, ranked in lists for line in ranked]


def third_at_random(track, rng):
    """A third of a run's topics were shuffled. Lists of fifty documents, as of web, show that of good runs only."""
    name, lines = some_run(track, rng), []
    for n, ranked in enumerate(by_topic(track.runs[name]).values()):
        lines += _numbered([ranked[at] for at in rng.permutation(len(ranked))]) if n % 3 == 0 else ranked
    return track.with_run(name, lines), called(track, name)


def a_name_shortened(lines, rng):
    """A spreadsheet took a few names for numbers."""
    at = set(rng.permutation(len(lines))[:3].tolist())
    return [[*line[:2], b"1.29E+09", *line[3:]] if n in at else line for n, line in enumerate(lines)]


def leaked(share, every):
    """A run that ranks so large a share of the relevant documents first, in one of so many topics each."""

    def accident(track, rng):
        name = some_run(track, rng)
        relevant = {}
        for line in track.qrels:
            if int(line[3]) > 0:
                relevant.setdefault(line[0], []).append(line[2])
        lines = []
        for n, (topic, ranked) in enumerate(by_topic(track.runs[name]).items()):
            ranked = sorted(ranked, key=lambda line: -float(line[4]))
            known = relevant.get(topic, []) if n % every == 0 else []
            first = [known[at] for at in rng.permutation(len(known))[: round(share * len(known))]]
            ids = list(dict.fromkeys([*first, *(line[2] for line in ranked)]))
            lines += _numbered([[topic, b"Q0", doc, b"", b"", ranked[0][5]] for doc in ids])
        return track.with_run(name, lines), called(track, name)

    return accident


def shuffled_copy(track, rng):
    """A run is handed in once more with its top ten in another order."""
    name = some_run(track, rng)
    copy = []
    for ranked in by_topic(track.runs[name]).values():
        ranked = sorted(ranked, key=lambda line: -float(line[4]))
        order = [*rng.permutation(min(10, len(ranked))), *range(10, len(ranked))]
        copy += _numbered([[*ranked[at][:5], b"shuffled"] for at in order])
    return track.with_run("shuffled", copy), "shuffled"


def third_of_another_version(lines, rng):
    """A third of the documents are named as another version of the collection names them."""
    renamed = {line[2]: b"v2-%d" % n if rng.random() < 1 / 3 else line[2] for n, line in enumerate(lines)}
    return [[*line[:2], renamed[line[2]], *line[3:]] for line in lines]


def sixth_of_another_version(lines, rng):
    """The names of a sixth of the documents say which version of the collection they are of."""
    newer = set(sorted({line[2] for line in lines})[rng.integers(6) :: 6])
    return [[*line[:2], line[2] + b".v2" if line[2] in newer else line[2], *line[3:]] for line in lines]


def of_another_track(track, rng):
    """A run of other topics and documents lies in the folder."""
    lines = [
        [f"q{topic}".encode(), b"Q0", f"other-{topic}-{rank}".encode(), str(rank).encode(), b"%d" % -rank, b"stranger"]
        for topic in range(30)
        for rank in range(1, 50)
    ]
    return track.with_run("stranger.v1", lines), "stranger"


def saved_twice(track, rng):
    name = some_run(track, rng)
    return track.with_run(f"{name} (1)", track.runs[name]), f"{name} (1)"


def of_one_tag(track, rng):
    """Two runs have one tag."""
    name, other = rng.permutation(list(track.runs))[:2].tolist()
    tag = track.runs[other][0][5]
    return track.with_run(name, [[*line[:5], tag] for line in track.runs[name]]), (name, other)


def same_twice(track, rng):
    """A run is handed in once more under another name and tag."""
    name = some_run(track, rng)
    copy = [[*line[:5], b"resubmitted"] for line in track.runs[name]]
    return track.with_run("resubmitted", copy), "resubmitted"


def near_copy(track, rng):
    """A run that differs from another by one exchange a topic."""
    name = some_run(track, rng)
    copy = []
    for ranked in by_topic(track.runs[name]).values():
        ranked = sorted(ranked, key=lambda line: -float(line[4]))
        documents = [line[2] for line in ranked]
        at = int(rng.integers(max(1, len(documents) - 1)))
        documents[at : at + 2] = documents[at : at + 2][::-1]
        copy += [[*line[:2], doc, *line[3:5], b"tweaked"] for line, doc in zip(ranked, documents, strict=True)]
    return track.with_run("tweaked", copy), "tweaked"


def two_in_one(track, rng):
    """Another run's lines stand at the end of a file."""
    name = some_run(track, rng)
    other = next(one for one in track.runs if one != name)
    return track.with_run(name, [*track.runs[name], *track.runs[other]]), name


def two_in_one_of_one_tag(track, rng):
    name = some_run(track, rng)
    other = next(one for one in track.runs if one != name)
    tag = track.runs[name][0][5]
    lines = [*_by_rank(track.runs[name]), *_by_rank([[*line[:5], tag] for line in track.runs[other]])]
    most = min(len(ranked) for run in (name, other) for ranked in by_topic(track.runs[run]).values())
    return track.with_run(name, [line for line in lines if int(line[3]) <= most]), name  # as many of each


def names_of_files_exchanged(track, rng):
    """Two runs have each other's file name."""
    tagged = Counter(tag_of(track, one) for one in track.runs)
    alone = [one for one in track.runs if tagged[tag_of(track, one)] == 1]
    name, other = rng.permutation(alone if len(alone) > 1 else list(track.runs))[:2].tolist()
    tags = {one: tag_of(track, one) for one in (name, other)}
    runs = {one: lines for one, lines in track.runs.items() if one not in tags}
    return replace(track, runs=runs | {tags[other]: track.runs[name], tags[name]: track.runs[other]}), tags[name]


def tags_exchanged(track, rng):
    """Two runs, of files that NIST calls input.TAG, have each other's tag."""
    tagged = Counter(tag_of(track, one) for one in track.runs)
    runs = {
        f"input.{tag_of(track, one)}": lines for one, lines in track.runs.items() if tagged[tag_of(track, one)] == 1
    }
    if len(runs) < 2:
        runs = {
            f"input.run{n}": [[*line[:5], b"run%d" % n] for line in lines]
            for n, lines in enumerate(track.runs.values())
        }
    track = replace(track, runs=runs)
    name, other = rng.permutation(list(runs))[:2].tolist()
    tags = {name: runs[other][0][5], other: runs[name][0][5]}
    for one, tag in tags.items():
        track = track.with_run(one, [[*line[:5], tag] for line in runs[one]])
    return track, (name, other)


def topics_with_a_prefix_in_some(track, rng):
    """Three runs call topics by the name of the track and a number."""
    names = rng.permutation(list(track.runs))[:3].tolist()
    changed = {name: [[b"TREC-" + line[0], *line[1:]] for line in track.runs[name]] for name in names}
    return replace(track, runs=track.runs | changed), tuple(text for name in names for text in called(track, name))


def several_without_topics(track, rng):
    """Four runs lack the last three topics, as if they had been made before those were added."""
    names = [name for name in track.runs if len(by_topic(track.runs[name])) == len(track.topics)][:4]
    last = track.topics[-3:]
    short = {name: [line for line in track.runs[name] if line[0] not in last] for name in names}
    return replace(track, runs=track.runs | short), tuple(text for name in names for text in called(track, name))


def one_topic_more(track, rng):
    """A run answers a topic that nobody else has."""
    name = some_run(track, rng)
    lines = track.runs[name]
    first = [[b"99999", *line[1:]] for line in lines if line[0] == lines[0][0]]
    return track.with_run(name, [*lines, *first]), called(track, name)


def gz_cut(track, rng):
    name = some_run(track, rng)
    data = gzip.compress(_bytes(track.runs[name]))
    runs = {f"{other}.gz" if other == name else other: lines for other, lines in track.runs.items()}
    return replace(track, runs=runs).with_raw(f"{name}.gz", data[: len(data) // 2]), f"{name}.gz"


def _raw(change):
    """An accident of one run's bytes: change(lines) -> bytes; the file is named."""

    def accident(track, rng):
        name = some_run(track, rng)
        return track.with_raw(name, change(track.runs[name])), name

    return accident


def header_line(lines):
    return b"topic Q0 docno rank score tag\n" + _bytes(lines)


def byte_order_mark(lines):
    return b"\xef\xbb\xbf" + _bytes(lines)


def log_line(lines):
    """What a program said of its progress stands in the middle of the file."""
    data = _bytes(lines)
    middle = data.index(b"\n", len(data) // 2) + 1
    return data[:middle] + b"INFO 12:00:01 search: 100 queries done in 12.3 s\n" + data[middle:]


def csv(lines):
    return _bytes(lines, b",")


def windows(lines):
    return _bytes(lines).replace(b"\n", b"\r\n")


def cut_run(lines):
    data = _bytes(lines)
    return data[: data.rindex(b"\n", 0, len(data) // 2) + 10]


def nan_scores(lines):
    return _bytes([[*line[:4], b"nan", line[5]] for line in lines])


def nan_in_the_first_topic(lines):
    """Between tabs."""
    return _bytes([[*line[:4], b"NaN", line[5]] if line[0] == lines[0][0] else line for line in lines], b"\t")


def five_columns_of_names(lines):
    """The score is missing, and documents are numbers: which column is what cannot be guessed."""
    return _bytes(
        [[line[0], b"%d" % n, b"%d" % (n * 7919 % 10007), line[3], line[5]] for n, line in enumerate(lines)], b"\t"
    )


def decimal_commas(lines):
    return _bytes([[*line[:4], f"{float(line[4]):.4f}".replace(".", ",").encode(), line[5]] for line in lines])


def without_a_tag(lines):
    return _bytes([line[:5] for line in lines])


def zero_bytes(lines):
    """A block in the middle of the file was never written."""
    data = _bytes(lines)
    return data[: len(data) // 2] + b"\0" * 512 + data[len(data) // 2 + 512 :]


def empty(lines):
    return b""


def utf16(lines):
    return _bytes(lines).decode("latin-1").encode("utf-16")


# ---------------------------------------------------------------------------------------------------------------------
# The table of systems


def _table(change):
    def accident(track, rng):
        rows, culprit = change(list(track.open().systems), rng)
        text = "run\tgroup\n" + "".join(f"{tag}\t{group}\n" for tag, group in rows)
        return replace(track, systems=text.encode()), culprit

    return accident


def other_case(tags, rng):
    return [(tag.upper() if tag.upper() != tag else tag.lower(), "team") for tag in tags], "case"


def runs_left_out(tags, rng):
    return [(tag, "team") for tag in tags[:-3]], tags[-1]


def run_not_there(tags, rng):
    return [*((tag, "team") for tag in tags), ("run-of-last-year", "team")], "run-of-last-year"


def groups_in_two_spellings(tags, rng):
    return [(tag, "UDel" if number % 2 else "udel ") for number, tag in enumerate(tags)], "UDel"


def contributors_inverted(track, rng):
    """The table says of every system the opposite of what is so."""
    study = track.open()
    rows = [f"{name}\t{int(not pooled)}\n" for name, pooled in zip(study.systems, study.track.pooled, strict=True)]
    return replace(track, systems=("run\tpooled\n" + "".join(rows)).encode()), "that are named as contributing"


REFUSED = "refused"  # the study is not opened, and the message names the culprit
ACCIDENTS = {
    "qrels cut in a line": (cut_in_a_line, REFUSED),
    "qrels cut in a topic": (cut_in_a_topic, "topic cut short"),
    "a topic is missing in the qrels": (topic_missing, "topics without judgments"),
    "two topics swapped": (topics_swapped, "judgments of another topic"),
    "a topic all relevant": (topic_all_relevant, "topic all relevant"),
    "a topic none relevant": (topic_none_relevant, "no relevant document"),
    "a topic upside down": (topic_inverted, ("topic upside down", "topic shuffled")),
    "a topic shuffled": (topic_shuffled, "topic shuffled"),
    "all upside down": (qrels_inverted, "grades upside down"),
    "another assessor's scale": (another_scale, "topic on another scale"),
    "every second topic on another scale": (every_second_on_another_scale, "topic on another scale"),
    "every second topic in per cent": (every_second_in_percent, "topic on another scale"),
    "half of the topics without grades": (half_of_topics_binary, "topics without grades"),
    "all grades one too high": (one_too_high, "grades too high"),
    "another year's qrels": (another_year, REFUSED),
    "another corpus's qrels": (another_corpus, REFUSED),
    "another round's qrels": (another_round, ("top not judged", "popular documents not judged")),
    "qrels in lower case": (qrels_lower_case, REFUSED),
    "documents of the qrels with a prefix": (documents_with_a_prefix, REFUSED),
    "documents of the qrels with an ending": (documents_with_an_ending, REFUSED),
    "topics with leading zeros": (topics_with_zeros, REFUSED),
    "positives only": (positives_only, "positives only"),
    "a document with two grades": (two_grades, REFUSED),
    "negative grades": (negative_grades, "negative grades"),
    "every tenth line lost": (every_tenth_line_lost, "popular documents not judged"),
    "qrels with a header": (qrels_with_header, "header"),
    "qrels columns exchanged": (qrels_columns_swapped, REFUSED),
    "iteration and grade exchanged": (iteration_and_grade_exchanged, "columns exchanged"),
    "judgments for a run": (qrels_for_a_run, REFUSED),
    "a run in lower case": (_run(run_lower_case), "documents of other names"),
    "rank and score exchanged": (
        _columns("topic", "Q0", "document", "score", "rank", "tag"),
        ("ranks not read", "run upside down", "run in another order", "run of other documents"),
    ),
    "document and Q0 exchanged": (
        _columns("topic", "document", "Q0", "rank", "score", "tag"),
        "run of other documents",
    ),
    "topic and document exchanged": (
        _columns("document", "Q0", "topic", "rank", "score", "tag"),
        ("run of other documents", REFUSED),
    ),
    "tag before score": (_columns("topic", "Q0", "document", "rank", "tag", "score"), REFUSED),
    "scores ascending": (_run(scores_upside_down), ("run upside down", "run of other documents")),
    "ranks upside down": (_run(ranks_upside_down), "run upside down"),
    "scores constant": (_run(_of_column("score", lambda line: b"1")), ("one score", "better by rank")),
    "scores nan": (_raw(nan_scores), REFUSED),
    "half of the topics": (_run(half_of_topics), "missing topics"),
    "ten documents a topic": (_run(ten_a_topic), "short lists"),
    "a run without its first ranks": (_run(head_cut), "head missing"),
    "a run cut at its head": (_run(head_of_the_file_cut), "head missing"),
    "scores rounded": (_run(scores_rounded), "ties"),
    "two runs in one file": (two_in_one, "two runs in one file"),
    "two runs in one file under one tag": (two_in_one_of_one_tag, "two runs in one file"),
    "names of files exchanged": (names_of_files_exchanged, "file names exchanged"),
    "several runs without the same topics": (several_without_topics, "missing topics"),
    "topics shifted by one": (_run(shifted_topics), "run of other documents"),
    "documents at random": (_run(random_documents), "run of other documents"),
    "documents twice": (_run(documents_twice), "duplicate documents"),
    "turned over and numbered anew": (_run(turned_and_renumbered), ("run in another order", "run of other documents")),
    "the top fifty upside down": (
        _run(_of_each_topic(lambda ranked: [*ranked[:50][::-1], *ranked[50:]])),
        ("run in another order", "run of other documents"),
    ),
    "the first ranks below the tail": (
        _run(_of_each_topic(lambda ranked: [*ranked[10:], *ranked[:10]])),
        ("run in another order", "run of other documents"),
    ),
    "scores sorted as text": (_run(_of_each_topic(_as_text)), ("run in another order", "run of other documents")),
    "every second topic with the list before": (_run(every_second_topic_again), "one list for two topics"),
    "four fifths of the relevant documents leaked": (leaked(0.8, 1), "made of the judgments"),
    "all relevant documents leaked in half of the topics": (leaked(1.0, 2), "made of the judgments"),
    "names that a spreadsheet shortened": (_run(a_name_shortened), "names shortened"),
    "a copy with a shuffled top ten": (shuffled_copy, "nearly the same ranking"),
    "one list for all topics": (_run(one_list_for_all), "one list for all topics"),
    "documents with a prefix": (_run(with_a_prefix), "documents of other names"),
    "two topics of a run exchanged": (_run(two_topics_of_a_run), "topics exchanged in a run"),
    "the same run twice": (same_twice, "same ranking twice"),
    "a near-copy": (near_copy, "nearly the same ranking"),
    "a topic of its own": (one_topic_more, "topics without judgments"),
    "gz cut": (gz_cut, REFUSED),
    "a run cut in a line": (_raw(cut_run), REFUSED),
    "a run as CSV": (_raw(csv), ("read as a table", REFUSED)),
    "a topic judged halfway": (topic_half_judged, "topic half judged"),
    "a topic judged from its middle": (first_half_not_judged, "topic half judged"),
    "the grades of a topic slid by a row": (topic_slid, "grades shifted"),
    "topics of the judgments permuted": (topics_permuted, ("judgments of another topic", REFUSED)),
    "half of the topics one too high": (second_half_one_too_high, "judgments of another topic"),
    "all grades shuffled": (grades_shuffled, "grades at random"),
    "grades on which 1 is best": (one_is_best, "lowest grade is best"),
    "three scores a topic": (_run(_scores_by_rank(lambda rank: b"%d" % (rank % 3))), "better by rank"),
    "a run with half of its documents in capitals": (_run(half_in_capitals), "documents of other names"),
    "all grades slid by a row": (all_slid, "grades shifted"),
    "one grade in a topic where most is relevant": (one_grade_where_most_are_relevant, "one grade in a topic"),
    "the documents of a team lost": (documents_of_a_team_lost, "contributors not judged"),
    "a random sample of the judgments": (a_sample, "judgments are a sample"),
    "a second assessor's judgments behind": (second_assessor_behind, REFUSED),
    "a web page for a run": (page_for_a_run, "file passed over"),
    "a run ordered by the judgments": (ordered_by_the_judgments, "made of the judgments"),
    "a third of a run's documents of another version": (
        _run(third_of_another_version),
        ("run partly of other documents", "run of other documents"),
    ),
    "a sixth of a run's documents of another version": (
        _run(sixth_of_another_version),
        "documents of other names",
    ),
    "NaN in the first topic": (_raw(nan_in_the_first_topic), REFUSED),
    "five columns": (_raw(five_columns_of_names), REFUSED),
    "a lenient assessor": (lenient_assessor, "topic mostly relevant"),
    "a topic of another number in the runs": (topic_renumbered_in_the_runs, "judgments of another topic"),
    "half of a run upside down": (_run(half_upside_down), "run upside down"),
    "names of documents cut in a run": (_run(names_cut), "documents of other names"),
    "tags exchanged": (tags_exchanged, "file names exchanged"),
    "topics with a prefix in some runs": (
        topics_with_a_prefix_in_some,
        "topics of other names",
    ),
    "a rank column of ones": (_run(_of_column("rank", lambda line: b"1")), "ranks all alike"),
    "a byte order mark": (_raw(byte_order_mark), "encoding"),
    "a log line in a run": (_raw(log_line), ("topics without judgments", REFUSED)),
    "a run with a header": (_raw(header_line), "header"),
    "Windows line ends": (_raw(windows), "line ends"),
    "a run in UTF-16": (_raw(utf16), "encoding"),
    "qrels with document and iteration exchanged": (document_before_iteration, REFUSED),
    "another round's qrels behind": (another_round_behind, ("judgments of another topic", "judgments without runs")),
    "two topics under one number": (two_topics_under_one, "judgments of another topic"),
    "all grades in per cent": (all_in_percent, "large grades"),
    "letters for grades": (letters_for_grades, REFUSED),
    "a slip in a grade": (slip_in_a_grade, "topic on another scale"),
    "five rounds in one file": (rounds_in_one_file, "judgments of several rounds"),
    "the qrels twice in one file": (twice_in_one_file, "repeated judgments"),
    "unjudged documents as 0": (unjudged_as_zero, "everything judged"),
    "a topic cut in a run": (_run(one_topic_cut), "short list in a topic"),
    "scores constant in a third of topics": (_run(third_of_topics_constant), "one score in some rankings"),
    "a run of one topic": (_run(one_topic_alone), "missing topics"),
    "topics of a run with a letter": (_run(topics_with_a_letter), "topics of other names"),
    "topics of a run numbered anew": (_run(topics_numbered_anew), ("run of other documents", "no topic of the qrels")),
    "documents of a run with an ending": (_run(with_an_ending), "documents of other names"),
    "documents of a run in another case, with an ending": (
        _run(in_another_case_with_an_ending),
        "documents of other names",
    ),
    "a run made of the judgments": (made_of_judgments, "made of the judgments"),
    "a run of another track": (of_another_track, ("run of other documents", "no topic of the qrels")),
    "a file saved twice": (saved_twice, ("same file twice", "same ranking twice")),
    "two runs of one tag": (of_one_tag, "one tag in several files"),
    "scores with decimal commas": (_raw(decimal_commas), REFUSED),
    "a run without a tag": (_raw(without_a_tag), "columns"),
    "zero bytes in a run": (_raw(zero_bytes), REFUSED),
    "an empty run": (_raw(empty), "file passed over"),
    "groups in two spellings": (_table(groups_in_two_spellings), "groups spelt differently"),
    "contributors inverted": (contributors_inverted, "contributors in doubt"),
    "systems table in other case": (_table(other_case), "runs without a row"),
    "systems table without some runs": (_table(runs_left_out), "runs without a row"),
    "systems table with a run that is not there": (_table(run_not_there), "rows without a run"),
}
