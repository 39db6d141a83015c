"""Orderings of systems, tests between them and pairs that no judgment can turn, written out naively: METHODS 7, 8.

Everywhere: `means` is system -> mean, `scores` is system -> (topic -> score), and a topic that a system lacks (or whose
score is NaN) does not count for it. A pair is compared on the topics that both have, by topic id.
"""

import math
from itertools import combinations, product

from scipy import stats

from . import estimates, metrics, pool, ranking
from .pool import SAME, kendall_distance, kendall_tau, sign, tau_a

__all__ = ["SAME", "kendall_distance", "kendall_tau", "sign", "tau_a"]

NAN = float("nan")


# ---------------------------------------------------------------- the scores that are compared (METHODS 7)


def topic_scores(name, runs, qrels, *, depth=None, judgments=None, pooled=(), estimator="lower", **reading):
    """system -> (topic -> score). runs : system -> query -> run, queries named `topic` or `topic-variation`.

    depth, judgments : the judgments in force, by the ranks in the runs of `pooled`; where queries are topics
    reading : average, empty, unjudged, negative, rel_level, gains
    """
    average, unjudged = reading.pop("average", "qrels"), reading.pop("unjudged", "irrelevant")
    empty = reading.pop("empty", "unknown")
    settings = settings_of(qrels, **reading)
    table = {key: settings[key] for key in ("rel_level", "gains", "g_max")}
    r_max = 1.0 if metrics.kind(name) == "guide" else metrics.r_max(name, **table)  # a normalised metric reaches 1
    ranks = pool.pool_ranks(runs, pooled)
    in_force = pool.judgments_at_depth(qrels, ranks, depth)
    if judgments is not None:
        in_force = pool.first_judgments(qrels, ranks, judgments, negative=settings["negative"])
    queries = queries_of(runs, qrels)

    answering = {s for s, run in runs.items() if any(run.get(query) for query in run if queries.get(query) in qrels)}

    def score_of(run, topic, estimator):
        judged = in_force[topic]
        value = metrics.value(name, run, judged, unjudged=unjudged, **settings)
        if estimator == "lower" or unjudged == "condensed":
            return value
        lower, upper = metrics.bounds(name, run, judged, empty=empty, **settings)
        return estimates.ESTIMATES[estimator](lower, upper, r_max)

    scores = {}
    for system in runs:
        scores[system] = {}
        expected = estimator if system in answering or not answering else "lower"  # of others nothing is expected
        for topic in qrels:
            asked = [runs[system].get(query) for query in queries if queries[query] == topic]
            if average == "common":
                asked = [run for run in asked if run is not None]
            if asked:
                scores[system][topic] = mean_of([score_of(run or {}, topic, expected) for run in asked])
    return scores


def settings_of(qrels, *, rel_level=1, gains="binary", negative="split"):
    """How grades are read; g_max is that of the whole qrels (at least 1)."""
    g_max = max([1, *(grade for judged in qrels.values() for grade in judged.values())])
    return {"rel_level": rel_level, "gains": gains, "g_max": g_max, "negative": negative}


def queries_of(runs, qrels):
    """query -> topic, of every query that a run has; a topic without any is its own query."""
    queries = {query: query.split("-")[0] for run in runs.values() for query in run}
    return queries | {topic: topic for topic in qrels if topic not in queries.values()}


def means_of(scores):
    """system -> mean over its topics."""
    return {system: mean_of(list(of_topics.values())) for system, of_topics in scores.items()}


# ---------------------------------------------------------------- two orderings (METHODS 7)


def inversions(means, other):
    """The number of pairs ordered oppositely; a tie in either (within 1e-12) is not an inversion."""
    return sum(1 for a, b in combinations(means, 2) if sign(means[a], means[b]) * sign(other[a], other[b]) < 0)


def best_first(means):
    """The systems by falling mean, ties (within 1e-12) by name."""
    systems = sorted(means, key=lambda s: -means[s])
    groups = []
    for s in systems:
        if groups and sign(means[groups[-1][-1]], means[s]) == 0:
            groups[-1].append(s)
        else:
            groups.append([s])
    return [s for group in groups for s in sorted(group)]


def tau_ap(means, other):
    """2/(n-1) * sum over ranks i = 2..n of C(i)/(i-1), less 1 (Yilmaz, Aslam & Robertson 2008, eq. 4).

    `means` is the reference. C(i) = how many of the systems above rank i of the `other` list also stand above its
    system i in the reference. NaN with fewer than two systems.
    """
    truth, estimate = best_first(means), best_first(other)
    n = len(truth)
    if n < 2:
        return NAN
    total = 0.0
    for i in range(2, n + 1):
        here = estimate[i - 1]
        right = sum(1 for above in estimate[: i - 1] if truth.index(above) < truth.index(here))
        total += right / (i - 1)
    return 2 / (n - 1) * total - 1


def rbo(means, other, phi=0.9):
    """The extrapolated RBO of the two orderings, ties by name. METHODS 7.3."""
    return rbo_of_lists(best_first(means), best_first(other), phi)


def rbo_of_lists(one, two, phi):
    """X_n/n * phi^n + (1-phi)/phi * sum over d = 1..n of X_d/d * phi^d, X_d = the overlap of the first d (WMZ10).

    Two lists of the same length n.
    """
    n = len(one)
    total = 0.0
    for d in range(1, n + 1):
        overlap = len(set(one[:d]) & set(two[:d])) / d
        total += (1 - phi) / phi * overlap * phi**d
        if d == n:
            total += overlap * phi**n
    return total


# ---------------------------------------------------------------- paired differences (METHODS 8)


def differences(one, two):
    """The differences on the topics that both have, in the order of the first."""
    both = [t for t in one if t in two and not math.isnan(one[t]) and not math.isnan(two[t])]
    return [one[t] - two[t] for t in both]


def mean_of(values):
    return sum(values) / len(values) if values else NAN


def same_everywhere(values):
    """Whether the differences are the same on every topic, to 1e-12: no variance."""
    return all(abs(v - values[0]) <= SAME for v in values)


def p_one_tailed(one, two):
    """p that `one` is not above `two`: SciPy's paired t-test; no variance: 0 for a mean above, 1 below, else 0.5."""
    values = differences(one, two)
    if len(values) < 2:
        return NAN
    if same_everywhere(values):
        return {1: 0.0, 0: 0.5, -1: 1.0}[sign(mean_of(values), 0)]
    return float(stats.ttest_rel(values, [0.0] * len(values), alternative="greater").pvalue)


def p_two_tailed(one, two):
    """SciPy's paired t-test; no variance: 1 for identical scores, else 0. METHODS 8.1."""
    values = differences(one, two)
    if len(values) < 2:
        return NAN
    if same_everywhere(values):
        return 1.0 if sign(mean_of(values), 0) == 0 else 0.0
    return float(stats.ttest_rel(values, [0.0] * len(values)).pvalue)


def rho(one, two):
    """0.5 - p_ij where the mean of i is above, 0 where equal, p_ji - 0.5 where below (LMC17 sec. 5)."""
    side = sign(mean_of(differences(one, two)), 0)
    if side == 0:
        return 0.0
    return 0.5 - p_one_tailed(one, two) if side > 0 else p_one_tailed(two, one) - 0.5


def weighted_distance(scores, other, *, weighted=False):
    """LMC17 eq. 11: the sum over i < j of lambda * |rho_ij - sigma_ij|; lambda = 1, or |rho_ij| of the first."""
    systems = list(scores)
    total = 0.0
    for i in range(len(systems)):
        for j in range(i + 1, len(systems)):
            here = rho(scores[systems[i]], scores[systems[j]])
            there = rho(other[systems[i]], other[systems[j]])
            total += (abs(here) if weighted else 1.0) * abs(here - there)
    return total


def agreement(reference, scores, *, weighted=False):
    """How an estimator's ordering agrees with that of the reference scores (METHODS 6.8; LMC17 fig. 4)."""
    means, other = means_of(reference), means_of(scores)
    pairs = len(list(combinations(reference, 2)))
    distance = weighted_distance(reference, scores, weighted=weighted)
    return {
        "tau": kendall_tau(means, other),
        "tau_distance": kendall_distance(means, other),
        "distance": distance,
        "distance_per_pair": distance / pairs,
        "inversions": inversions(means, other),
        "pairs": pairs,
    }


# ---------------------------------------------------------------- many tests at once


def bonferroni(p):
    """Each of m times m, at most 1."""
    return [min(1.0, one * len(p)) for one in p]


def holm(p):
    """Holm's step-down: the k-th smallest of m times m - k + 1, never below the one before, at most 1."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    corrected, least = [0.0] * len(p), 0.0
    for k, i in enumerate(order, start=1):
        least = max(least, min(1.0, p[i] * (len(p) - k + 1)))
        corrected[i] = least
    return corrected


def benjamini_hochberg(p):
    """The k-th smallest of m times m / k, never above the one after, at most 1."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    corrected, most = [0.0] * len(p), 1.0
    for k in range(len(p), 0, -1):
        i = order[k - 1]
        most = min(most, p[i] * len(p) / k)
        corrected[i] = most
    return corrected


def randomisation(one, two):
    """The share of all 2^T exchanges of the two systems' labels whose |mean difference| is at least the observed."""
    values = differences(one, two)
    observed = abs(sum(values))
    extreme = 0
    for signs in product((1, -1), repeat=len(values)):
        extreme += abs(sum(s * v for s, v in zip(signs, values, strict=True))) >= observed - SAME
    return extreme / 2 ** len(values)


def bootstrap(one, two):
    """The share of all T^T draws of T topics whose |t| is at least the observed, were the mean difference 0.

    Sakai, SIGIR 2006. Chosen here: a draw without variance has an endless |t|, or 0 where its mean is 0.
    """
    values = differences(one, two)
    T, observed = len(values), size_of_t(values)
    centred = [value - mean_of(values) for value in values]
    return sum(size_of_t(drawn) >= observed - SAME for drawn in product(centred, repeat=T)) / T**T


def size_of_t(values):
    n, mean = len(values), mean_of(values)
    if same_everywhere(values):
        return 0.0 if abs(mean) <= SAME else math.inf
    return abs(mean) / math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)


# ---------------------------------------------------------------- separability (METHODS 7.6)


def separable(scores, level):
    """{(a, b)}: the pairs whose paired two-tailed t-test over topics gives p < level. a before b in `scores`."""
    return {(a, b) for a, b in combinations(scores, 2) if p_two_tailed(scores[a], scores[b]) < level}


def separability(shallow, full, level):
    """(separable, reversed, opposite) as fractions of all pairs.

    Separable with the shallow judgments; of these, not separable with the full ones; separable in both, in opposite
    directions.
    """
    pairs = list(combinations(shallow, 2))
    here, there = separable(shallow, level), separable(full, level)
    opposite = 0
    for a, b in here & there:
        before, after = mean_of(differences(shallow[a], shallow[b])), mean_of(differences(full[a], full[b]))
        opposite += sign(before, 0) * sign(after, 0) < 0
    return tuple(count / len(pairs) for count in (len(here), len(here - there), opposite))


def quadrant(p_shallow, p_full, level):
    """(separable with the shallow judgments, separable with the full ones)."""
    return p_shallow < level, p_full < level


# ---------------------------------------------------------------- certain pairs (METHODS 8.5, last point)


def difference_range(name, one, two, qrels, queries, *, topics=None, average="qrels", empty="unknown", **reading):
    """(smallest, largest) mean difference over EVERY completion of the judgments. Small cases only.

    one, two : query -> run; queries : query -> topic, of every query of the study; topics : None = all. Each unjudged
    (topic, document) that either holds within the metric's reach gets gain 0 or the largest gain, the same for both
    systems and for every query of the topic. Empty ranks and the tail gain nothing for one system and the largest gain
    for the other.
    """
    settings = settings_of(qrels, **reading)
    ends = []
    for topic in topics or qrels:
        lists = []
        for runs in (one, two):
            asked = [runs.get(query) for query in queries if queries[query] == topic]
            if average == "common":
                asked = [run for run in asked if run is not None]
            lists.append([ranking.order(run or {}) for run in asked])
        if all(lists):
            ends.append(extremes(name, *lists, qrels[topic], empty=empty, **settings))
    return mean_of([low for low, _ in ends]), mean_of([high for _, high in ends])


def extremes(name, one, two, judged, *, empty, negative, **table):
    """(smallest, largest) difference of one topic over every completion. one, two : lists of documents in order."""
    reach = metrics.parse(name)[2]
    one, two = [documents[:reach] for documents in one], [documents[:reach] for documents in two]
    met = sorted({document for documents in one + two for document in documents})
    unknown = [document for document in met if not ranking.is_judged(judged.get(document), negative=negative)]
    known = {d: metrics.gains_in_order(name, [judged[d]], **table)[0] for d in met if d not in unknown}
    highest = metrics.r_max(name, **table)
    open_end = highest if empty == "unknown" else 0.0

    def score(lists, gain, end):
        return mean_of([metrics.score_gains(name, [gain[d] for d in documents], after=end) for documents in lists])

    low, high = math.inf, -math.inf
    for filling in product((0.0, highest), repeat=len(unknown)):
        gain = known | dict(zip(unknown, filling, strict=True))
        low = min(low, score(one, gain, 0.0) - score(two, gain, open_end))
        high = max(high, score(one, gain, open_end) - score(two, gain, 0.0))
    return low, high


def completions(runs, qrels, *, negative="split"):
    """Every completion as qrels: each unjudged (topic, document) of any run has grade 0 or the largest grade."""
    g_max = settings_of(qrels)["g_max"]
    queries = queries_of(runs, qrels)
    met = sorted({(queries[q], d) for run in runs.values() for q in run for d in run[q] if queries[q] in qrels})
    open_places = [(t, d) for t, d in met if not ranking.is_judged(qrels[t].get(d), negative=negative)]
    for filling in product((0, g_max), repeat=len(open_places)):
        complete = {topic: dict(judged) for topic, judged in qrels.items()}
        for (topic, document), grade in zip(open_places, filling, strict=True):
            complete[topic][document] = grade
        yield complete
