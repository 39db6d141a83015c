"""The sample that opens first shows what its README says: each number again, in plain Python from its files."""

import gzip
import re
from pathlib import Path
from statistics import fmean

import pytest
import scipy.stats

import evalcore
from evalcore.findings.fusion import gain
from tests.findings.test_findings import same
from tests.oracles import fusion, metrics, pool
from tests.oracles.ranking import order
from ui.data import sources, study_choice

FOLDER = Path(__file__).parents[2] / "sample_data" / study_choice.FIRST
README = (FOLDER / "README.md").read_text()


def test_the_sample_that_opens_first_is_the_first_to_choose_from():
    assert next(iter(sources.SAMPLES)) == study_choice.FIRST


@pytest.fixture(scope="module")
def sample():
    """runs : system -> topic -> document -> score; the pool's judgments and all, topic -> document -> grade; pooled"""
    runs = {}
    for path in sorted((FOLDER / "runs").iterdir()):
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            topic, _, document, _, score, tag = line.split()
            runs.setdefault(tag, {}).setdefault(topic, {})[document] = float(score)
    table = [line.split("\t") for line in (FOLDER / "systems.tsv").read_text().splitlines()]
    pooled = [row[0] for row in table[1:] if row[table[0].index("pooled")] == "1"]
    truth = gzip.decompress((FOLDER / "qrels.complete.txt.gz").read_bytes()).decode()
    return runs, qrels_of((FOLDER / "qrels.txt").read_text()), qrels_of(truth), pooled


def qrels_of(text):
    qrels = {}
    for line in text.splitlines():
        topic, _, document, grade = line.split()
        qrels.setdefault(topic, {})[document] = int(grade)
    return qrels


def scores(runs, qrels):
    """system -> nDCG@10 on each topic; the largest grade is that of the truth and of the pool alike."""
    return {
        system: [metrics.value("nDCG@10", order(run.get(topic, {}))[:10], of) for topic, of in qrels.items()]
        for system, run in runs.items()
    }


@pytest.fixture(scope="module")
def by_pool(sample):
    runs, qrels, _, _ = sample
    return scores(runs, qrels)


@pytest.fixture(scope="module")
def by_truth(sample):
    runs, qrels, truth, _ = sample
    return scores(runs, {topic: truth[topic] for topic in qrels})


def said(pattern):
    """The groups of a pattern in the README."""
    found = re.search(pattern, README)
    assert found, pattern
    return found.groups()


def as_said(value):
    return f"{value:.3f}".removeprefix("0")


def p_as_said(p):
    return f"= {as_said(p)}" if p >= 0.0005 else "< .001"


def place(system, means):
    return 1 + sum(mean > means[system] + 1e-12 for mean in means.values())


def means(of_topics):
    return {system: fmean(some) for system, some in of_topics.items()}


def test_scores_are_plausible(by_pool):
    inside, systems, best = said(r"on nDCG@10, (\d+) of (\d+) systems score \.350–\.700, and the best (\S+)\.\n")
    now = means(by_pool).values()
    assert int(inside) == sum(0.35 <= mean <= 0.7 for mean in now) >= 0.8 * len(now)
    assert int(systems) == len(now)
    assert best == as_said(max(now))
    assert max(now) <= 0.7


def test_a_system_that_was_not_pooled_loses_visibly(sample, by_pool, by_truth):
    _, _, _, pooled = sample
    name, seen, low, true, high = said(
        r"on nDCG@10, `(\S+)` has (\S+) \(rank (\d+)\) with the pool's judgments and (\S+) \(rank (\d+)\) with the "
        r"complete ones\.\n"
    )
    now, then = means(by_pool), means(by_truth)
    outside = [system for system in now if system not in pooled]
    assert name == max(outside, key=lambda system: then[system] - now[system])
    assert (seen, true) == (as_said(now[name]), as_said(then[name]))
    assert (int(low), int(high)) == (place(name, now), place(name, then))
    assert then[name] - now[name] > 0.1
    assert int(low) - int(high) >= 10


def test_a_fusion_gains_significantly_over_its_best_member(sample, by_pool, by_truth):
    runs, qrels, truth, _ = sample
    crowd, ranks, value, best, of_best, p = said(
        r"the (\d) best on nDCG@10, fused with RBC\(phi=0\.9\) down to rank (\d+), score (\S+); `(\S+)` scores (\S+) "
        r"\(paired t-test, p (. \S+)\)\.\n"
    )
    now = means(by_pool)
    members = sorted(now, key=now.get, reverse=True)[: int(crowd)]
    ranking = {
        topic: fusion.fused([runs[system].get(topic, {}) for system in members], "rbc", phi=0.9)[: int(ranks)]
        for topic in qrels
    }
    run = {"fused": {topic: fusion.as_run(documents) for topic, documents in ranking.items()}}
    fused = scores(run, qrels)["fused"]
    assert best == members[0]
    assert (value, of_best) == (as_said(fmean(fused)), as_said(now[best]))
    found = scipy.stats.ttest_rel(fused, by_pool[best]).pvalue
    assert p == p_as_said(found)
    assert found < 0.05
    truly = scores(run, {topic: truth[topic] for topic in qrels})["fused"]
    best = max(members, key=lambda system: fmean(by_truth[system]))
    assert fmean(truly) > fmean(by_truth[best])  # by the truth it is better, too
    check_what_the_page_says_by_the_truth(members, int(ranks), truly, best, by_truth[best])


def check_what_the_page_says_by_the_truth(members, ranks, truly, best, of_best):
    study = evalcore.open_study(
        FOLDER / "runs", FOLDER / "qrels.txt", systems=FOLDER / "systems.tsv", truth=FOLDER / "qrels.complete.txt.gz"
    )
    asked = {"methods": ["rbc(phi=0.9)"], "metrics": ["nDCG@10"], "systems": members, "k": ranks}
    gained = evalcore.ask(study.judged_by_truth, "fusion_scores", **asked)
    found = gain(gained.table.iloc[0], "the best 5", by_truth=True)
    p = scipy.stats.ttest_rel(truly, of_best).pvalue
    assert p < 0.001
    facts = {"metric": "nDCG@10", "best": best, "n": len(truly), "p": p}
    facts |= {"value": fmean(truly), "apart": fmean(truly) - fmean(of_best)}
    assert found.facts.keys() == facts.keys() | {"method", "inputs"}
    assert all(same(found.facts[name], fact) for name, fact in facts.items())
    assert found.headline.startswith("Yes: ")
    assert "complete judgments" in found.headline


def test_a_significant_difference_proves_wrong(sample, by_truth):
    runs, qrels, _, pooled = sample
    depth, a, b, above, p, below, p_true = said(
        r"at pool depth (\d+), `(\S+)` leads `(\S+)` by (\S+) on nDCG@10 \(paired t-test, p (. \S+)\), but trails it "
        r"by (\S+) with the complete judgments \(p (. \S+)\)\.\n"
    )
    cut = pool.judgments_at_depth(qrels, pool.pool_ranks(runs, pooled), int(depth))
    shallow = scores({system: runs[system] for system in (a, b)}, cut)
    for of, difference, least in ((shallow, above, p), (by_truth, "−" + below, p_true)):
        assert difference.replace("−", "-") == as_said(fmean(of[a]) - fmean(of[b])).replace("-0.", "-.")
        found = scipy.stats.ttest_rel(of[a], of[b]).pvalue
        assert least == p_as_said(found)
        assert found < 0.05
