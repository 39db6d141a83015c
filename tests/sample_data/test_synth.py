"""The synthetic track: it looks like a real one, its files are what they say, and its truth is the truth."""

import gzip
import itertools
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sample_data.make import main, make, write

# LMC17, table 1: percent of the pool that is relevant, at depths 10, 20, 30, 100.
TARGETS = {"newswire": (25, 18, 15, 7), "web": (41, 36, 33, 25)}
SAMPLES = Path(__file__).parents[2] / "sample_data"


@pytest.fixture(scope="module")
def newswire():
    return make("newswire", 1, topics=20, length=110)


@pytest.fixture(scope="module")
def web():
    return make("web", 1, topics=20, length=100)


@pytest.fixture(scope="module")
def small():
    """A track that is cheap to make and has every oddity."""
    return make("web", 3, systems=20, pooled=12, groups=7, topics=3, length=60)


def lines_of(path):
    """The lines of a file, unzipped where it is zipped, split into columns."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [line.split() for line in text.splitlines()]


def lists_of(path):
    """query -> its (document, rank, score) in trec_eval's order."""
    lists = {}
    for query, _, doc, rank, score, _ in lines_of(path):
        lists.setdefault(query, []).append((doc, int(rank), float(score)))
    return {
        query: sorted(rows, key=lambda row: (row[2], row[0].encode()), reverse=True) for query, rows in lists.items()
    }


def table_of(path):
    """The rows of a tab-separated file as dicts."""
    header, *rows = [line.split("\t") for line in path.read_text().splitlines()]
    return [dict(zip(header, row, strict=True)) for row in rows]


def in_pool(sample, depth):
    """Documents, and by the truth relevant ones, in the pool at a depth: two int arrays (T,)."""
    topic, pooled = sample.track.topic_of_item, sample.pool_rank < depth
    T = len(sample.track.topics)
    return np.bincount(topic[pooled], minlength=T), np.bincount(topic[pooled & (sample.grade > 0)], minlength=T)


@pytest.mark.parametrize("kind", TARGETS)
def test_relevant_share_of_the_pool_falls_as_in_real_tracks(kind, request):
    pools = [in_pool(request.getfixturevalue(kind), depth) for depth in (10, 20, 30, 100)]
    assert [100 * np.mean(relevant / size) for size, relevant in pools] == pytest.approx(TARGETS[kind], abs=3)


def test_pools_and_topics_have_the_size_of_real_ones(newswire, web):
    sizes, relevant = in_pool(newswire, 100)
    assert 1000 <= sizes.mean() <= 1700
    assert relevant.min() <= 12
    assert relevant.max() >= 150
    assert 100 <= np.count_nonzero(web.judged) / 20 <= 500
    assert set(web.grade[web.judged].tolist()) == {-2, 0, 1, 2, 3}
    assert set(newswire.grade[newswire.judged].tolist()) == {0, 1, 2}


def average_precision(sample, known):
    """Mean average precision (S,) when `known` items count as relevant."""
    track = sample.track
    total = np.bincount(track.topic_of_item[known], minlength=len(track.topics))
    hit = known[track.items]
    return ((hit * hit.cumsum(axis=2) / np.arange(1, hit.shape[2] + 1)).sum(axis=2) / total).mean(axis=1)


def test_systems_are_good_and_weak(newswire):
    scores = average_precision(newswire, newswire.judged & (newswire.grade > 0))
    assert scores.min() < 0.1
    assert scores.max() > 0.35
    assert 0.1 < np.median(scores) < 0.3


def test_newcomers_are_underrated(web):
    """Good systems that were not pooled rank higher by the truth than by the judgments."""
    pooled_groups = {group for group, pooled in zip(web.track.groups, web.track.pooled, strict=True) if pooled}
    late = [s for s, group in enumerate(web.track.groups) if group not in pooled_groups]
    judged, true = (
        np.argsort(np.argsort(-average_precision(web, known)))
        for known in (web.judged & (web.grade > 0), web.grade > 0)
    )
    assert len(late) == 4
    assert (true[late] < judged[late]).all()


def test_single_runs_find_relevant_documents_that_nobody_else_finds(newswire):
    finders = Counter()
    for t in range(len(newswire.track.topics)):
        lists = newswire.track.items[newswire.track.pooled, t, :100]
        item, times = np.unique(lists[lists > 0], return_counts=True)
        alone = item[(times == 1) & (newswire.grade[item] > 0)]
        finders.update(np.nonzero(np.isin(lists, alone))[0].tolist())
    assert len(finders) > 20
    assert max(finders.values()) > 5 * np.median(list(finders.values()))


def test_families_resemble_each_other(newswire):
    """Two runs of one family share more of their first 100 documents than two of different families, on average."""
    track, top = newswire.track, newswire.track.items[:, :, :100]
    family = [re.sub(r"^\w+-(\w+).*", r"\1", name) for name in track.systems]
    same, other = [], []
    for a, b in itertools.combinations(np.flatnonzero(track.pooled)[:24].tolist(), 2):
        shared = np.mean([len(np.intersect1d(top[a, q], top[b, q])) for q in range(0, 20, 5)])
        if track.groups[a] != track.groups[b]:
            (same if family[a] == family[b] else other).append(shared)
    assert np.mean(same) > np.mean(other)


def test_no_document_twice_and_empty_places_at_the_end(small, newswire):
    for track in (small.track, newswire.track):
        ordered = np.sort(track.items, axis=2)
        assert not ((ordered[:, :, 1:] == ordered[:, :, :-1]) & (ordered[:, :, 1:] > 0)).any()
        empty = track.items == 0
        assert (empty[:, :, 1:] >= empty[:, :, :-1]).all()
        assert (np.isnan(track.scores) == empty).all()
        where = np.broadcast_to(track.topic_of_query[None, :, None], track.items.shape)
        assert (track.topic_of_item[track.items] == where)[~empty].all()


def test_items_are_numbered_by_document_name(small):
    for t in range(3):
        names = small.track.documents(np.flatnonzero(small.track.topic_of_item == t))
        assert names == sorted(set(names))


def test_lists_are_in_the_order_of_trec_eval(small):
    items = small.track.items
    key = np.where(items > 0, small.track.scores, -np.inf)
    falls = key[:, :, 1:] < key[:, :, :-1]
    tied = (key[:, :, 1:] == key[:, :, :-1]) & (items[:, :, 1:] < items[:, :, :-1])
    assert (falls | tied | (items[:, :, 1:] == 0)).all()


def test_qrels_hold_the_pool_and_nothing_else(small):
    pool = small.track.items[small.track.pooled, :, : small.kind.pool_depth]
    expected = np.isin(np.arange(small.track.size), pool)
    expected[0] = False
    assert (small.judged == expected).all()


def test_oddities(newswire, tmp_path):
    track = newswire.track
    odd = {what: s for s, what in newswire.oddities.items()}
    assert set(odd) == {"tied", "ragged", "missing", "from zero", "short"}
    assert len(set(odd.values())) == 5
    usual = [s for s in range(50) if s not in odd.values()]
    assert (track.lengths[usual] == 110).all()
    assert len(set(track.lengths[odd["ragged"]].tolist())) > 10
    assert track.lengths[odd["short"]].max() < 20
    assert np.count_nonzero(track.lengths[odd["missing"]] == 0) == 1
    write(newswire, tmp_path, gz=False)
    first = [min(int(row[3]) for row in lines_of(tmp_path / "runs" / name)) for name in track.systems]
    assert first == [0 if s == odd["from zero"] else 1 for s in range(50)]

    def tied(s):
        shares = []
        for list_ in track.scores[s]:
            _, times = np.unique(list_[~np.isnan(list_)], return_counts=True)
            shares.append(times[times > 1].sum() / max(times.sum(), 1))
        return np.mean(shares)

    assert tied(odd["tied"]) > 0.95
    assert max(tied(s) for s in usual) < 0.1
    assert (newswire.written.items != track.items)[odd["tied"]].any()


def test_the_same_seed_makes_the_same_bytes(tmp_path):
    sizes = {"systems": 14, "pooled": 8, "groups": 6, "topics": 2, "length": 40}
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        write(make("newswire", seed, **sizes), tmp_path / name)
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file())
    assert len(files) == 14 + 5
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    assert (tmp_path / "a" / "qrels.txt").read_bytes() != (tmp_path / "c" / "qrels.txt").read_bytes()


@pytest.mark.parametrize("gz", [True, False])
def test_files_say_what_the_arrays_say(small, tmp_path, gz):
    write(small, tmp_path, gz)
    track = small.track
    paths = sorted((tmp_path / "runs").iterdir())
    assert [p.name for p in paths] == sorted(name + ".gz" * gz for name in track.systems)
    for s, name in enumerate(track.systems):
        path = tmp_path / "runs" / (name + ".gz" * gz)
        assert {(len(row), row[1], row[5]) for row in lines_of(path)} == {(6, "Q0", name)}
        lists = lists_of(path)
        for q, query in enumerate(track.queries):
            n = track.lengths[s, q]
            rows = lists.get(query, [])
            assert [row[0] for row in rows] == track.documents(track.items[s, q, :n])
            assert [row[2] for row in rows] == track.scores[s, q, :n].tolist()
            by_rank = sorted(rows, key=lambda row: row[1])
            assert [row[0] for row in by_rank] == small.written.documents(small.written.items[s, q, :n])
            assert len({row[1] for row in rows}) == n
    of = {"manual": "manual", "dense": "neural", "rerank": "neural", "fusion": "fusion"}
    types = [of.get(name.split("-")[1], "lexical") for name in track.systems]
    assert table_of(tmp_path / "systems.tsv") == [
        {"run": n, "group": g, "pooled": str(int(p)), "type": k}
        for n, g, p, k in zip(track.systems, track.groups, track.pooled, types, strict=True)
    ]
    assert [(row["query"], row["topic"]) for row in table_of(tmp_path / "queries.tsv")] == [
        (t, t) for t in track.topics
    ]


def test_judgments_are_the_truth(small, tmp_path):
    write(small, tmp_path)
    truth = {(t, d): g for t, _, d, g in lines_of(tmp_path / "qrels.complete.txt.gz")}
    judged = {(t, d): g for t, _, d, g in lines_of(tmp_path / "qrels.txt")}
    retrieved = {(row[0], row[2]) for path in (tmp_path / "runs").iterdir() for row in lines_of(path)}
    assert len(judged) == np.count_nonzero(small.judged)
    assert judged.items() <= truth.items()
    assert retrieved <= truth.keys()
    assert all(int(truth[pair]) > 0 for pair in truth.keys() - retrieved)


def test_document_names_look_real(newswire, web):
    patterns = {
        "newswire": rb"FBIS[34]-\d+|FR94\d{4}-[012]-\d{5}|FT9[1-4][1-4]-\d+|LA\d{6}-\d{4}",
        "web": rb"clueweb12-\d{4}(tw|wb)-\d\d-\d{5}",
    }
    for sample in (newswire, web):
        names = sample.track.doc_of_item[1::97].to_pylist()
        assert all(re.fullmatch(patterns[sample.kind.name], name) for name in names)


def test_variations_in_run_names(tmp_path):
    sample = make("newswire", 5, systems=3, pooled=3, groups=2, topics=4, length=30, pool_depth=10, variations=3)
    track = sample.track
    assert track.queries[:4] == ("401-1", "401-2", "401-3", "402-1")
    assert track.items.shape == (3, 12, 30)
    assert not sample.oddities
    write(sample, tmp_path)
    assert {p.name for p in (tmp_path / "runs").iterdir()} == {f"{s}.v{v}.gz" for s in track.systems for v in (1, 2, 3)}
    for s, v in itertools.product(range(3), range(3)):
        lists = lists_of(tmp_path / "runs" / f"{track.systems[s]}.v{v + 1}.gz")
        assert list(lists) == list(track.topics)
        assert [row[0] for row in lists["402"]] == track.documents(track.items[s, 3 + v])
    rows = table_of(tmp_path / "queries.tsv")
    assert list(rows[0]) == ["query", "topic", "variation", "words", "text"]
    assert all(int(row["words"]) == len(row["text"].split()) for row in rows)
    assert len(rows) == 12
    assert [(row["query"], row["variation"]) for row in rows[:4]] == [
        ("401", "1"), ("401", "2"), ("401", "3"), ("402", "1"),
    ]  # fmt: skip
    assert len({row["text"] for row in rows}) == 12


def test_variations_in_query_names(tmp_path):
    sample = make("newswire", 5, systems=3, pooled=3, groups=2, topics=2, length=30, pool_depth=10, variations=2)
    write(sample, tmp_path, naming="query")
    assert {p.name for p in (tmp_path / "runs").iterdir()} == {f"{s}.gz" for s in sample.track.systems}
    assert list(lists_of(tmp_path / "runs" / f"{sample.track.systems[0]}.gz")) == ["401-1", "401-2", "402-1", "402-2"]
    assert [(row["query"], row["topic"]) for row in table_of(tmp_path / "queries.tsv")] == [
        ("401-1", "401"), ("401-2", "401"), ("402-1", "402"), ("402-2", "402"),
    ]  # fmt: skip


def test_variations_of_a_query_find_overlapping_documents():
    sample = make("web", 2, systems=4, pooled=4, groups=4, topics=3, length=50, variations=2)
    pairs = sample.track.items.reshape(4, 3, 2, 50)
    shared = np.mean([len(np.intersect1d(*pairs[s, t])) / 50 for s in range(4) for t in range(3)])
    assert 0.1 < shared < 0.9


def test_impossible_sizes_are_refused():
    for wrong, words in (
        ({"kind": "letters"}, "no kind 'letters'. Known: newswire, web, web-lecture, benchmark."),
        ({"groups": 60}, "groups=60: at most 44"),
        ({"pooled": 51}, "pooled=51: between 1 and 50 of 50 systems."),
        ({"topics": 0}, "topics=0: at least 1."),
        ({"variations": 0}, "variations=0: at least 1."),
    ):
        with pytest.raises(ValueError, match=re.escape(words)):
            make(**wrong)


def test_command_line(tmp_path):
    options = "--kind web --seed 4 --systems 3 --pooled 2 --groups 2 --topics 2 --length 20 --no-gz"
    main([*options.split(), "--out", str(tmp_path / "a")])
    assert len(list((tmp_path / "a" / "runs").iterdir())) == 3
    assert f"python -m sample_data.make {options}" in (tmp_path / "a" / "README.md").read_text()
    door = [sys.executable, "-m", "evalcore.synth", *options.split(), "--out", str(tmp_path / "b")]
    subprocess.run(door, check=True, cwd=SAMPLES.parent)
    assert (tmp_path / "a" / "qrels.txt").read_bytes() == (tmp_path / "b" / "qrels.txt").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["newswire", "web", "variations"])
def test_sample_is_what_its_readme_says(sample, tmp_path):
    """The command in the README makes the sample; 1% of the lines may differ, since processors round differently."""
    folder = SAMPLES / sample
    command = re.search(r"python -m sample_data\.make (.*) --out ", (folder / "README.md").read_text())[1]
    main([*command.split(), "--out", str(tmp_path)])
    files = sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*") if p.is_file())
    assert files == sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    for file in files:
        if file.name == "README.md":
            continue  # it names the folder
        if (folder / file).read_bytes() == (tmp_path / file).read_bytes():
            continue
        ours, theirs = ({tuple(line) for line in lines_of(place / file)} for place in (folder, tmp_path))
        assert len(ours ^ theirs) <= 0.01 * len(ours | theirs), file


def test_samples_are_small():
    files = [path for path in SAMPLES.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(path.stat().st_size for path in files) < 4_000_000


def test_judges_differ_from_people_as_their_lines_say():
    sample = make("web-lecture", 1, topics=12, length=50)
    people = sample.grade > 0
    lenient, neural, erratic = (sample.judges[name] > 0 for name in ("lenient-model", "neural-model", "erratic-model"))
    assert (lenient & ~people).sum() > 5 * (neural & ~people).sum() / 2
    assert np.mean(lenient[people]) > 0.95
    families = np.isin(sample.systems.families, ["dense", "rerank"])
    top = np.zeros(len(people), bool)
    top[np.unique(sample.written.items[families][:, :, :5])] = True
    assert np.mean(neural[top & ~people]) > 0.6 > 0.1 > np.mean(neural[~top & ~people])
    topic = sample.track.topic_of_item
    relevant = [people[topic == t].sum() for t in range(12)]
    kept = [erratic[(topic == t) & people].mean() for t in np.argsort(relevant)]
    assert max(kept[:4]) < 0.5 < min(kept[4:])  # a third of the topics, those with the fewest relevant documents
    assert not make("newswire", 1, topics=2, length=50).judges
