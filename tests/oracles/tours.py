"""What the steps of a tour say of a track, worked out from its files by the definitions alone: dicts of dicts, and no
function of the program. Runs in TREC's format, binary gains, RBP over whole lists, pools by rank."""

import gzip
import random
from itertools import combinations
from math import fsum, sqrt
from pathlib import Path

from scipy import stats

TINY = 1e-12


def lines_of(path):
    """The words of every line of a file, packed or not."""
    opened = gzip.open if Path(path).suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [line.split() for line in lines if line.strip()]


def read_run(path):
    """topic -> its documents by falling score, then by falling name."""
    ranked = {}
    for topic, _, document, _, score, _ in lines_of(path):
        ranked.setdefault(topic, []).append((float(score), document.encode()))
    return {topic: [name.decode() for _, name in sorted(some, reverse=True)] for topic, some in ranked.items()}


def read_qrels(path):
    """(topic, document) -> whether it is relevant, of those that are judged: a grade of -1 is none."""
    return {(topic, document): int(grade) > 0 for topic, _, document, grade in lines_of(path) if int(grade) != -1}


def read_systems(path):
    """system -> its row of the table of systems."""
    head, *rows = lines_of(path)
    return {row[0]: dict(zip(head, row, strict=True)) for row in rows}


def pool_ranks(runs, contributing):
    """(topic, document) -> the best rank that a contributing run gives it."""
    best = {}
    for system in contributing:
        for topic, ranking in runs[system].items():
            for rank, document in enumerate(ranking, 1):
                best[topic, document] = min(rank, best.get((topic, document), rank))
    return best


def at_depth(qrels, ranks, depth):
    """The judgments of documents that stand so high in the pool."""
    return {one: grade for one, grade in qrels.items() if ranks.get(one, depth + 1) <= depth}


def ends(ranking, topic, judged, p):
    """What an RBP score is for certain, and what it can be at most."""
    low, open_ = 0.0, 1.0
    for k, document in enumerate(ranking):
        if (topic, document) in judged:
            weight = (1 - p) * p**k
            low, open_ = low + weight * judged[topic, document], open_ - weight
    return low, low + open_


def scores(runs, topics, judged, p):
    """system -> topic -> the ends of its score."""
    return {name: {topic: ends(run.get(topic, ()), topic, judged, p) for topic in topics} for name, run in runs.items()}


def means(scored, end=0):
    return {name: sum(one[end] for one in of.values()) / len(of) for name, of in scored.items()}


def told_apart(scored):
    """The share of pairs whose intervals do not touch, and how many systems may still reach the leader."""
    low, high = means(scored), means(scored, 1)
    apart = sum(low[a] > high[b] + TINY or low[b] > high[a] + TINY for a, b in combinations(scored, 2))
    lead = max(low.values())
    reach = sum(top >= lead - TINY for top in high.values()) - 1
    return apart / (len(scored) * (len(scored) - 1) / 2), reach


def swaps(first, then):
    """The pairs that two tables of means order oppositely: the one ahead by the first, the other, and both leads."""
    found = []
    for a, b in combinations(first, 2):
        a, b = (a, b) if first[a] > first[b] else (b, a)
        if first[a] - first[b] > TINY and then[a] - then[b] < -TINY:
            found.append((a, b, first[a] - first[b], then[b] - then[a]))
    return found


def significant(scored, pairs, level=0.05):
    """How many of these pairs a paired t-test tells apart."""
    low = {name: [one[0] for one in of.values()] for name, of in scored.items()}
    return sum(stats.ttest_rel(low[a], low[b]).pvalue < level for a, b, *_ in pairs)


def surest(scored, pairs):
    """The pair, the one ahead first, whose difference a paired t-test finds least likely to be chance."""
    low = {name: [one[0] for one in of.values()] for name, of in scored.items()}
    return min(pairs, key=lambda pair: stats.ttest_rel(low[pair[0]], low[pair[1]]).pvalue)[:2]


def without(qrels, runs, contributing, depths, gone):
    """The judgments less those of documents that only the systems that go brought into the pool. depths : of topics"""
    stay = pool_ranks(runs, [name for name in contributing if name not in gone])
    went = pool_ranks({name: runs[name] for name in gone}, gone)

    def own(one):
        return went.get(one, depths[one[0]] + 1) <= depths[one[0]] < stay.get(one, depths[one[0]] + 1)

    return {one: grade for one, grade in qrels.items() if not own(one)}


def left_out(runs, topics, qrels, contributing, depths, groups, p):
    """contributing system -> its score with what it, with its group, alone brought, and without."""
    before, after = means(scores(runs, topics, qrels, p)), {}
    for group in dict.fromkeys(groups[name] for name in contributing):
        gone = [name for name in contributing if groups[name] == group]
        left = without(qrels, runs, contributing, depths, gone)
        after |= means(scores({name: runs[name] for name in gone}, topics, left, p))
    return {name: (before[name], after[name]) for name in contributing}


def rbc(lists, phi):
    """One ranking of several: a document's weight is the more the higher each stands."""
    weight = {}
    for ranking in lists:
        for k, document in enumerate(ranking):
            weight[document] = weight.get(document, 0.0) + (1 - phi) * phi**k
    return sorted(weight, key=lambda document: (round(weight[document], 13), document.encode()), reverse=True)


def average_precision(ranking, relevant):
    """The mean over the relevant documents of the precision at each one's rank; 0 for one that is not retrieved."""
    ranks = [k for k, document in enumerate(ranking, 1) if document in relevant]
    return fsum(n / k for n, k in enumerate(ranks, 1)) / len(relevant) if relevant else 0.0


def relevant_by_topic(qrels):
    """topic -> its relevant documents."""
    relevant = {topic: set() for topic, _ in qrels}
    for (topic, document), grade in qrels.items():
        if grade:
            relevant[topic].add(document)
    return relevant


def ap_by_shard(runs, qrels, shards, seed=0):
    """(topic, system, shard) -> AP on the part of the collection; 0 where nothing there is relevant. The parts are
    drawn here, and are no part of the program's."""
    relevant = relevant_by_topic(qrels)
    documents = {document for run in runs.values() for ranking in run.values() for document in ranking}
    documents |= {document for _, document in qrels}
    drawn = random.Random(seed).sample(sorted(documents), len(documents))
    part = {document: place % shards for place, document in enumerate(drawn)}
    return {
        (topic, system, shard): average_precision(
            [document for document in run.get(topic, ()) if part[document] == shard],
            {document for document in relevant[topic] if part[document] == shard},
        )
        for topic in relevant
        for system, run in runs.items()
        for shard in range(shards)
    }


def mean_over(y, *factors):
    """The means of cells that share these places of their names: (levels) -> mean."""
    cells = {}
    for cell, value in y.items():
        cells.setdefault(tuple(cell[factor] for factor in factors), []).append(value)
    return {levels: fsum(values) / len(values) for levels, values in cells.items()}


def share_significant(y, level=0.05):
    """The share of pairs of systems that differ by Tukey's HSD. One shard: topics and systems (MD1); more: with all
    interactions of two out of the error (MD6)."""
    grand, t, s, k = (mean_over(y, *factors) for factors in ((), (0,), (1,), (2,)))
    ts, tk, sk = (mean_over(y, *factors) for factors in ((0, 1), (0, 2), (1, 2)))
    T, R, S = len(t), len(s), len(k)
    if S == 1:
        error = fsum((x - t[a,] - s[b,] + grand[()]) ** 2 for (a, b, _), x in y.items()) / ((T - 1) * (R - 1))
    else:
        error = fsum(
            (x - ts[a, b] - tk[a, c] - sk[b, c] + t[a,] + s[b,] + k[c,] - grand[()]) ** 2 for (a, b, c), x in y.items()
        ) / ((T - 1) * (R - 1) * (S - 1))
    least = stats.studentized_range.ppf(1 - level, R, (T - 1) * (R - 1) * max(S - 1, 1)) * sqrt(error / (T * S))
    return sum(abs(s[a] - s[b]) > least for a, b in combinations(s, 2)) / (R * (R - 1) / 2)


def certainty(x, y):
    """How surely a pair of systems is ordered, from -.5 to .5. x, y : topic -> score"""
    p = stats.ttest_rel(list(x.values()), [y[topic] for topic in x]).pvalue
    lead = fsum(x.values()) - fsum(y.values())
    return 0.0 if abs(lead) < TINY else (1 - p) / 2 * (1 if lead > 0 else -1)


def distance_per_pair(one, other):
    """The weighted distance of two tables of scores, system -> topic -> score, over the number of pairs."""
    pairs = list(combinations(one, 2))
    return fsum(abs(certainty(one[a], one[b]) - certainty(other[a], other[b])) for a, b in pairs) / len(pairs)
