"""What the steps of the tours say of the samples, worked out in plain Python from the files: `oracles/tours.py`."""

import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.oracles import tours as plain
from ui.tours import TOURS

ROOT = Path(__file__).parent.parent
WEB, WORDED = ROOT / "sample_data" / "web", ROOT / "sample_data" / "variations"
DEPTH = 20  # of the pool of the web sample, as its README says


class Track:
    """The web sample as plain dicts."""

    def __init__(self):
        self.table = plain.read_systems(WEB / "systems.tsv")
        runs = {plain.lines_of(path)[0][5]: plain.read_run(path) for path in sorted((WEB / "runs").iterdir())}
        self.runs = {name: runs[name] for name in self.table}
        self.qrels = plain.read_qrels(WEB / "qrels.txt")
        self.topics = sorted({topic for topic, _ in self.qrels})
        self.pooled = [name for name, row in self.table.items() if row["pooled"] == "1"]
        self.ranks = plain.pool_ranks(self.runs, self.pooled)

    def scored(self, depth=None, p=0.8, qrels=None):
        judged = self.qrels if qrels is None else qrels
        judged = judged if depth is None else plain.at_depth(judged, self.ranks, depth)
        return plain.scores(self.runs, self.topics, judged, p)

    def left_out(self, by):
        groups = {name: row["group"] if by == "group" else name for name, row in self.table.items()}
        of_topics = dict.fromkeys(self.topics, DEPTH)
        return plain.left_out(self.runs, self.topics, self.qrels, self.pooled, of_topics, groups, 0.8)


@pytest.fixture(scope="module")
def track():
    return Track()


def opened(tour, step, study="web"):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    for name, value in {"tour": tour, "step": str(step), "study": study}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, [one.message for one in app.exception]
    return app


def said(app):
    return "\n".join(str(one.value) for one in app.markdown).replace("\\", "")


def tiles(app):
    return {one.label: one.value for one in app.metric}


def number(text):
    """The nearest number to how it is written: .754 and 57% are both numbers."""
    return float(text.replace(",", "").rstrip("%")) / (100 if text.endswith("%") else 1)


def like(text, value, *, unit=0.001):
    """Whether a number that is said is this one, to its last digit, rounded whichever way."""
    return abs(number(text) - value) <= unit


@pytest.mark.parametrize(("tour", "step", "depth", "p"), [("pooling", 2, 1, 0.8), ("pooling", 3, 10, 0.8),
                                                            ("ravana-moffat", 1, 5, 0.95)])  # fmt: skip
def test_what_is_judged_so_deep(track, tour, step, depth, p):
    scored, told = track.scored(depth, p), tiles(opened(tour, step))
    judged = plain.at_depth(track.qrels, track.ranks, depth)
    assert told["Judgments"] == f"{len(judged):,}"
    assert told["Relevant found"] == f"{sum(judged.values()):,}"
    assert like(told["Pairs told apart"], plain.told_apart(scored)[0], unit=0.005)
    low, high = plain.means(scored), plain.means(scored, 1)
    assert like(told["Mean width"], sum(high[name] - low[name] for name in low) / len(low))


def test_which_systems_swap(track):
    early, late = track.scored(5), track.scored()
    swapped = plain.swaps(plain.means(early), plain.means(late))
    words = said(opened("pooling", 4))
    found = re.search(r"order (\d+) of ([\d,]+) pairs of systems oppositely", words)
    assert found.groups() == (str(len(swapped)), f"{len(track.runs) * (len(track.runs) - 1) // 2:,}")
    better, worse = re.search(r"the clearest by the first is (\S+) ahead of (\S+)\.", words).groups()
    assert (better, worse) in {pair[:2] for pair in swapped}
    assert plain.surest(early, swapped) == (better, worse)


@pytest.mark.parametrize(("tour", "step", "by"), [("pooling", 5, "group"), ("soundness", 5, "group"),
                                                    ("webber-park", 1, "system")])  # fmt: skip
def test_what_a_system_that_came_too_late_loses(track, tour, step, by):
    scores = track.left_out(by)
    loss = {name: before - after for name, (before, after) in scores.items()}
    hit = max(loss, key=loss.get)
    words = said(opened(tour, step))
    mean, name, most = re.search(r"loses (\.\d+) on average; (\S+) loses most \((\.\d+)\)", words).groups()
    assert name == hit
    assert like(mean, sum(loss.values()) / len(loss))
    assert like(most, loss[hit])


@pytest.mark.parametrize(("tour", "step", "by"), [("pooling", 6, "group"), ("webber-park", 3, "system")])
def test_the_newcomer_is_the_one_that_loses_most(track, tour, step, by):
    scores = track.left_out(by)
    name, left, pooled = re.search(
        r"(\S+) would score (\.\d+) in place of (\.\d+) had it", said(opened(tour, step))
    ).groups()
    assert name == max(scores, key=lambda one: scores[one][0] - scores[one][1])
    assert like(pooled, scores[name][0])
    assert like(left, scores[name][1])


def test_whom_the_shallow_pool_got_wrong(track):
    early = track.scored(5)
    complete = track.scored(qrels=plain.read_qrels(WEB / "qrels.complete.txt.gz"))
    wrong = plain.swaps(plain.means(early), plain.means(complete))
    a, b, ahead, behind = max(wrong, key=lambda pair: min(pair[2:]))
    words = said(opened("pooling", 7))
    told = re.search(
        r"of 703 pairs of systems (\d+) are .* of these differences (\d+) are .* the clearest is (\S+) over (\S+), "
        r"(\.\d+) ahead, and (\.\d+) behind",
        words,
    ).groups()
    assert told[:4] == (str(len(wrong)), str(plain.significant(early, wrong)), a, b)
    assert like(told[4], ahead)
    assert like(told[5], behind)


def test_how_two_assessors_agree(track):
    second = plain.read_qrels(WEB / "qrels.second.txt.gz")
    both = [one for one in track.qrels if one in second]
    first = {one for one in both if track.qrels[one]}
    other = {one for one in both if second[one]}
    words = said(opened("soundness", 4))
    told = re.search(
        r"these judgments find ([\d,]+) relevant; the second find ([\d,]+) of them relevant, and (\d+) others "
        r"\(overlap (\.\d+)\)",
        words,
    ).groups()
    assert [number(one) for one in told[:3]] == [len(first), len(first & other), len(other - first)]
    assert like(told[3], len(first & other) / len(first | other))


def test_a_place_inside_the_interval_is_inside_and_rises_with_what_is_relevant(track):
    """The dot of Ravana and Moffat's second step: C times what the judged documents gain on average, of the rest."""
    C, p = 0.42, 0.95
    judged = plain.at_depth(track.qrels, track.ranks, 5)
    guessed = {}
    for name, run in track.runs.items():
        of_topics = []
        for topic in track.topics:
            low, high = plain.ends(run.get(topic, ()), topic, judged, p)
            known = 1 - (high - low)
            share = C * low / known if known > plain.TINY else 0.01
            of_topics.append(low + (high - low) * share)
        guessed[name] = np.mean(of_topics)
    best = max(guessed, key=guessed.get)
    words = said(opened("ravana-moffat", 2))
    name, score = re.search(
        r"At pool depth 5, (\S+) is first of 38 systems by .* with (\.\d+), at least", words
    ).groups()
    assert name == best
    assert like(score, guessed[best])


def test_what_fusing_the_wordings_of_a_need_gains():
    """The third step of Bailey et al., by RBC with persistence .9 over the variations of the first system."""
    table = TOURS["bailey-moffat-scholer-thomas"].steps[2]
    qrels = plain.read_qrels(WORDED / "qrels.txt")
    words = said(opened("bailey-moffat-scholer-thomas", 3, "variations"))
    system, score, gain = re.search(
        r"RBC\(\.9\) over the variations of (\S+) scores (\.\d+) by RBP\(p=0\.8\).*?, (\.\d+) (?:above|below) the best",
        words,
    ).groups()
    assert table.page == "pages/fusion.py"
    runs = [plain.read_run(path) for path in sorted((WORDED / "runs").glob(f"{system}.v*"))]
    topics = sorted({topic for topic, _ in qrels})
    fused = {topic: plain.rbc([run[topic] for run in runs if topic in run], 0.9) for topic in topics}
    mean = np.mean([plain.ends(fused[topic], topic, qrels, 0.8)[0] for topic in topics])
    inputs = [np.mean([plain.ends(run.get(topic, ()), topic, qrels, 0.8)[0] for topic in topics]) for run in runs]
    assert like(score, mean)
    assert like(gain, abs(mean - max(inputs)))
