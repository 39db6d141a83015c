"""Every metric of METHODS 3 and its interval, in dicts and loops.

`value(name, run, qrels, ...)` and `bounds(name, run, qrels, ...)` take one query: a run (document -> score, or
documents in order), the topic's judgments (document -> grade), and the settings of the study. Below them the metrics
work on plain lists: `grades`, the grade at each rank (None = unjudged), and `known`, every judged grade of the topic,
best first.
"""

import math
import re
from itertools import combinations_with_replacement, permutations, product

from .ranking import condensed, grades_in_order, judged_grades, order

INST_RANKS = 1000
INFAP_EPSILON = 0.00001
NAN = float("nan")

BOUNDS = ("P", "RBP", "SDCG", "INST", "RR", "Success", "ERR")
GUIDE = ("AP", "nDCG", "Q", "Rprec")
NEITHER = ("bpref", "infAP", "R", "Judged")
CUT = ("P", "SDCG", "R", "Judged", "Success", "ERR")  # always with @k
WHOLE = ("INST", "Q", "Rprec", "bpref", "infAP")  # never with @k
LEVELLED = ("P", "RR", "Success", "AP", "Rprec", "R", "bpref", "infAP")  # relevance is all they read: they take rel


# ---------------------------------------------------------------- names


def parse(name):
    """A metric's name as (family, parameters, cut-off): "RBP(p=0.8)@10" is ("RBP", {"p": 0.8}, 10)."""
    found = re.fullmatch(r"([A-Za-z]+)(?:\((\w+)=([0-9.]+)\))?(?:@([0-9]+))?", name)
    if not found or found[1] not in BOUNDS + GUIDE + NEITHER:
        raise ValueError(f"no metric {name!r}")
    if found[1] in CUT if found[4] is None else found[1] in WHOLE:
        raise ValueError(f"{name!r}: {found[1]} {'needs a cut-off' if found[4] is None else 'has no cut-off'}")
    parameters = {found[2]: float(found[3])} if found[2] else {}
    if "rel" in parameters and found[1] not in LEVELLED:
        raise ValueError(f"{name!r}: {found[1]} does not read relevance alone")
    return found[1], parameters, int(found[4]) if found[4] else None


def kind(name):
    """What the interval is: "bounds" (exact), "guide" (not a bound), or None (a value and no interval). METHODS 3."""
    family, _, k = parse(name)
    if family == "nDCG" and k is not None and k <= 1000:
        return "bounds"
    return "bounds" if family in BOUNDS else "guide" if family in GUIDE else None


# ---------------------------------------------------------------- grades, relevance, gains (METHODS 2.2)


def level_of(name, rel_level):
    """From which grade on a document is relevant to this metric: its own `rel`, whatever the study's. METHODS 2.2."""
    return parse(name)[1].get("rel", rel_level)


def is_relevant(grade, *, rel_level=1):
    """METHODS 2.2, `relevant`: the grade reaches rel_level. An unjudged document (None) does not."""
    return grade is not None and grade >= rel_level


def gain_of(grade, *, rel_level=1, gains="binary", g_max=None):
    """METHODS 2.2, `gain`: what a judged document of this grade earns.

    binary: 1 if relevant; linear: max(g, 0) / g_max; exponential: (2^max(g, 0) - 1) / 2^g_max; or a dict by grade.
    Chosen here: a g_max of 0 or below counts as 1 (all gains are 0 then); a given table must name every grade >= 0 that
    is met, and a negative grade that it does not name earns 0.
    """
    if isinstance(gains, dict):
        return float(gains[grade] if grade >= 0 else gains.get(grade, 0))
    if gains == "binary":
        return 1.0 if grade >= rel_level else 0.0
    if gains not in ("linear", "exponential"):
        raise ValueError(f"gains={gains!r}: write 'binary', 'linear', 'exponential' or a dict")
    if g_max is None:
        raise ValueError(f"gains={gains!r} needs g_max, the largest grade of the whole qrels file")
    top = max(g_max, 1)
    return max(grade, 0) / top if gains == "linear" else (2 ** max(grade, 0) - 1) / 2**top


def gain_table(*, rel_level=1, gains="binary", g_max=None):
    """Every gain that a document can turn out to have, smallest first; its last entry is r_max. METHODS 2.2.

    Chosen here: the binary table is always {0, 1}, also where no document of the file reaches rel_level.
    """
    if gains == "binary":
        return [0.0, 1.0]
    if isinstance(gains, dict):
        return sorted({float(gain) for gain in gains.values()})
    return sorted({gain_of(grade, gains=gains, g_max=g_max) for grade in range(max(g_max or 0, 1) + 1)})


def outcomes(name, **table):
    """What one unknown place can turn out to hold for this metric: P and RR read `relevant`, the others `gain`."""
    family, _, _ = parse(name)
    if family == "ERR":
        top = max(table.get("g_max") or 0, 1)
        return [satisfied(grade, g_max=top) for grade in range(top + 1)]
    return [0.0, 1.0] if family in ("P", "RR", "Success") else gain_table(**table)


def r_max(name, **table):
    """The largest gain that this metric can meet at a rank: 1 for those that read `relevant`. METHODS 2.2."""
    return max(outcomes(name, **table))


# ---------------------------------------------------------------- weighted-precision metrics (METHODS 3.1)


def weight(name, k):
    """W(k), k from 1: the table of METHODS 3.1 (RM10 sec. 3, LMC17 eqs 1-2; RBP@d renormalised as in WP09)."""
    family, parameters, d = parse(name)
    if d is not None and k > d:
        return 0.0
    if family == "P":
        return 1 / d
    if family == "SDCG":
        return (1 / math.log2(k + 1)) / sum(1 / math.log2(i + 1) for i in range(1, d + 1))
    p = parameters["p"]
    return (1 - p) * p ** (k - 1) / (1 - p**d if d is not None else 1)


def tail(name, depth):
    """The weight of all ranks beyond `depth` of a metric without a cut-off: p^depth for RBP(p), else 0. METHODS 3.1."""
    family, parameters, d = parse(name)
    return parameters["p"] ** depth if family == "RBP" and d is None else 0.0


def scored_depth(name, ranking):
    """How deep a ranking is scored: the metric's own cut-off, else the length of the list. METHODS 3.1, `depth`."""
    _, _, d = parse(name)
    return len(ranking) if d is None else d


def weighted(name, gains_by_rank):
    """M = sum over k of W(k) r_k (METHODS 3.1)."""
    return sum(weight(name, k) * gain for k, gain in enumerate(gains_by_rank, start=1))


def inst(gains_by_rank, *, T, after=0.0):
    """INST(T) over exactly 1000 ranks; ranks past the list hold the gain `after`. METHODS 3.2, last paragraph.

    C(k) = ((k + T + T_k - 1) / (k + T + T_k))^2, T_k = T - sum of r_j for j <= k; W(k) is proportional to the product
    of C(j) over j < k. Lists longer than 1000 are cut.
    """
    if T < 0.5:
        raise ValueError(f"INST(T={T}): T is at least 0.5")
    gains_by_rank = (list(gains_by_rank) + [after] * INST_RANKS)[:INST_RANKS]
    reaches, met, earned, weights = 1.0, 0.0, 0.0, 0.0
    for k, gain in enumerate(gains_by_rank, start=1):
        earned += reaches * gain
        weights += reaches
        met += gain
        T_k = T - met
        reaches *= ((k + T + T_k - 1) / (k + T + T_k)) ** 2
    return earned / weights


# ---------------------------------------------------------------- normalised metrics (METHODS 3)


def count_relevant(grades, rel_level):
    return sum(1 for grade in grades if is_relevant(grade, rel_level=rel_level))


def average_precision(grades, known, *, k=None, rel_level=1):
    """AP, and AP@k (trec_eval's map_cut): precisions at the relevant ranks (<= k) over R; 0 when R = 0."""
    relevant_so_far, total = 0, 0.0
    for rank, grade in enumerate(grades[:k], start=1):
        if is_relevant(grade, rel_level=rel_level):
            relevant_so_far += 1
            total += relevant_so_far / rank
    R = count_relevant(known, rel_level)
    return total / R if R else 0.0


def discount(k, *, log=2):
    """1/log2(k+1), or for log=10 FS19's 1/max(1, log10(k)). METHODS 3.5. Any other base is refused."""
    if log not in (2, 10):
        raise ValueError(f"nDCG(log={log}): 2 or 10")
    return 1 / math.log2(k + 1) if log == 2 else 1 / max(1.0, math.log10(k))


def ndcg(grades, known, *, earns, k=None, log=2):
    """nDCG and nDCG@k: DCG over the DCG of all judged grades of the topic, best first (to k); 0 when that is 0.

    earns : grade -> gain; rel_level plays no part (a grade of 1 earns 1 although rel_level be 2, as in trec_eval).
    """

    def dcg(row):
        return sum(discount(rank, log=log) * earns(g) for rank, g in enumerate(row[:k], start=1) if g is not None)

    ideal = dcg(sorted(known, key=earns, reverse=True))
    return dcg(grades) / ideal if ideal > 0 else 0.0


def q_measure(grades, known, *, earns, rel_level=1):
    """Sakai's Q with b = 1: (1/R) sum_k rel_k (C(k) + cg(k)) / (k + cg*(k)). METHODS 3.6.

    Chosen here: rel_k, C and R go by rel_level; cg and cg* cumulate every positive gain, also below rel_level.
    """
    ideal = sorted((earns(g) for g in known), reverse=True)
    relevant_so_far, cg, cg_ideal, total = 0, 0.0, 0.0, 0.0
    for rank, grade in enumerate(grades, start=1):
        cg += earns(grade) if grade is not None else 0.0
        cg_ideal += ideal[rank - 1] if rank <= len(ideal) else 0.0
        if is_relevant(grade, rel_level=rel_level):
            relevant_so_far += 1
            total += (relevant_so_far + cg) / (rank + cg_ideal)
    R = count_relevant(known, rel_level)
    return total / R if R else 0.0


def reciprocal_rank(grades, *, k=None, rel_level=1):
    """RR and RR@k: 1 over the first relevant rank (<= k), else 0. METHODS 3.3."""
    for rank, grade in enumerate(grades[:k], start=1):
        if is_relevant(grade, rel_level=rel_level):
            return 1 / rank
    return 0.0


def satisfied(grade, *, g_max):
    """The chance that a document satisfies ERR's reader: gdeval.pl, whose $MAX_JUDGMENT is 4. METHODS 3.3."""
    return (2 ** max(grade, 0) - 1) / 2 ** max(4, g_max or 0)


def expected_reciprocal_rank(chances):
    """ERR from the chance at each rank: gdeval.pl's loop. METHODS 3.3."""
    score, still_reading = 0.0, 1.0
    for rank, chance in enumerate(chances, start=1):
        score += chance * still_reading / rank
        still_reading *= 1 - chance
    return score


def r_precision(grades, known, *, rel_level=1):
    """Rprec: precision at rank R; 0 when R = 0. METHODS 3.7."""
    R = count_relevant(known, rel_level)
    return count_relevant(grades[:R], rel_level) / R if R else 0.0


def recall(grades, known, *, k, rel_level=1):
    """R@k: relevant documents in the first k ranks over R; 0 when R = 0. METHODS 3.7, trec_eval's recall."""
    R = count_relevant(known, rel_level)
    return count_relevant(grades[:k], rel_level) / R if R else 0.0


def judged_at(grades, *, k):
    """Judged@k: judged documents in the first k ranks over k; empty ranks are not judged. METHODS 3.10."""
    return sum(1 for grade in grades[:k] if grade is not None) / k


# ---------------------------------------------------------------- as trec_eval (METHODS 3.8)


def bpref(ranking, qrels, *, rel_level=1):
    """bpref as trec_eval 9 and 10 have it (m_bpref.c): each relevant document retrieved gives
    1 - min(judged nonrelevant above it, R) / min(N, R), and 1 when none is above; over R.

    Judged nonrelevant = a grade from 0 to rel_level - 1 (N of them in the judgments); every negative grade is pooled,
    not judged, and passes for unjudged, whatever `negative` says.
    """
    R = sum(1 for g in qrels.values() if g >= rel_level)
    N = sum(1 for g in qrels.values() if 0 <= g < rel_level)
    above, total = 0, 0.0
    for doc in ranking:
        grade = qrels.get(doc, -1)
        if grade >= rel_level:
            total += 1 - min(above, R) / min(N, R) if above else 1.0
        elif grade >= 0:
            above += 1
    return total / R if R else 0.0


def inf_ap(ranking, qrels, *, rel_level=1):
    """infAP as trec_eval 9 and 10 have it (m_infap.c): Yilmaz & Aslam's expected precision at each relevant rank k,

    1/k + (k-1)/k * pooled above/(k-1) * (relevant above + e) / (relevant above + nonrelevant above + 2e), e = 0.00001;
    over R. Pooled = every document that the judgments name; a negative grade is pooled, not judged, whatever
    `negative` says.
    """
    R = sum(1 for g in qrels.values() if g >= rel_level)
    e = INFAP_EPSILON
    pooled, relevant, nonrelevant, total = 0, 0, 0, 0.0
    for k, doc in enumerate(ranking, start=1):
        if doc not in qrels:
            continue
        if qrels[doc] >= rel_level:
            share = (relevant + e) / (relevant + nonrelevant + 2 * e)
            total += 1.0 if k == 1 else 1 / k + (k - 1) / k * (pooled / (k - 1)) * share
            relevant += 1
        elif qrels[doc] >= 0:
            nonrelevant += 1
        pooled += 1
    return total / R if R else 0.0


# ---------------------------------------------------------------- one query: value and interval


def earns(grade, *, rel_level=1, gains="binary", g_max=None):
    """The gain that nDCG and Q take: max(grade, 0), unless gains is exponential or given. METHODS 2.2."""
    if gains in ("binary", "linear"):
        return float(max(grade, 0))
    return gain_of(grade, rel_level=rel_level, gains=gains, g_max=g_max)


def score_grades(name, grades, known, *, rel_level=1, gains="binary", g_max=None):
    """A metric of kind "bounds" or "guide", R@k or Judged@k, from the grade at each rank."""
    family, parameters, k = parse(name)
    table = {"rel_level": rel_level, "gains": gains, "g_max": g_max}
    if family in ("P", "RBP", "SDCG", "INST"):
        return score_gains(name, gains_in_order(name, grades, **table))
    if family == "RR":
        return reciprocal_rank(grades, k=k, rel_level=rel_level)
    if family in ("Success", "ERR"):
        return score_gains(name, gains_in_order(name, grades, **table))
    if family == "AP":
        return average_precision(grades, known, k=k, rel_level=rel_level)
    if family == "nDCG":
        return ndcg(grades, known, earns=lambda g: earns(g, **table), k=k, log=parameters.get("log", 2))
    if family == "Q":
        return q_measure(grades, known, earns=lambda g: earns(g, **table), rel_level=rel_level)
    if family == "Rprec":
        return r_precision(grades, known, rel_level=rel_level)
    if family == "R":
        return recall(grades, known, k=k, rel_level=rel_level)
    if family == "Judged":
        return judged_at(grades, k=k)
    raise ValueError(f"no definition of {family}")


def gains_in_order(name, grades, *, unjudged=0.0, **table):
    """The gain at each rank as this metric reads it: P by `relevant`, the others by the gain table. METHODS 2.2."""
    if parse(name)[0] == "ERR":
        return [unjudged if grade is None else satisfied(grade, g_max=table["g_max"]) for grade in grades]
    if parse(name)[0] in ("P", "RR", "Success"):
        table = {"rel_level": table["rel_level"]}
    return [unjudged if grade is None else gain_of(grade, **table) for grade in grades]


def score_gains(name, gains_by_rank, *, after=0.0):
    """A metric of kind "bounds" from the gain at each rank; every rank past the list holds `after`. METHODS 3.1."""
    family, parameters, k = parse(name)
    if family in ("Success", "ERR"):
        top = [*gains_by_rank, *[after] * k][:k]
        return expected_reciprocal_rank(top) if family == "ERR" else float(any(gain > 0 for gain in top))
    if family == "INST":
        return inst(gains_by_rank, T=parameters.get("T", 1.0), after=after)
    if family == "RR":
        places = [*gains_by_rank, after][:k]  # past the list, the first rank is the best
        return next((1 / rank for rank, gain in enumerate(places, start=1) if gain > 0), 0.0)
    depth = scored_depth(name, gains_by_rank)
    places = (list(gains_by_rank) + [after] * depth)[:depth]
    return weighted(name, places) + tail(name, depth) * after


def value(name, run, qrels, *, rel_level=1, gains="binary", g_max=None, negative="split", unjudged="irrelevant"):
    """The score of one query: unjudged documents earn nothing, or (unjudged="condensed") are dropped. METHODS 3.

    The same under either `empty`: an empty rank earns nothing.
    """
    family, rel_level = parse(name)[0], level_of(name, rel_level)
    ranking = condensed(run, qrels, negative=negative) if unjudged == "condensed" else order(run)
    if family in ("bpref", "infAP"):
        return (bpref if family == "bpref" else inf_ap)(ranking, qrels, rel_level=rel_level)
    grades = grades_in_order(ranking, qrels, negative=negative)
    known = judged_grades(qrels, negative=negative)
    return score_grades(name, grades, known, rel_level=rel_level, gains=gains, g_max=g_max)


def bounds(name, run, qrels, *, rel_level=1, gains="binary", g_max=None, negative="split", empty="unknown"):
    """(lower, upper) of one query: exact for BOUNDS and nDCG@k; a guide for AP, nDCG, Q, Rprec; else NaN.

    METHODS 2.4. empty="not relevant": ranks past the end of the list hold nothing, the tail included. A topic
    that the run lacks has the interval [0, r_max] while empty ranks are unknown, guides too (METHODS 2.4).
    """
    if empty not in ("unknown", "not relevant"):
        raise ValueError(f"empty={empty!r}: write 'unknown' or 'not relevant'")
    rel_level = level_of(name, rel_level)
    table = {"rel_level": rel_level, "gains": gains, "g_max": g_max}
    grades = grades_in_order(run, qrels, negative=negative)
    known = judged_grades(qrels, negative=negative)
    if kind(name) is None:
        return NAN, NAN
    if kind(name) == "bounds" and parse(name)[0] == "nDCG":
        return ndcg_bounds(name, grades, known, empty=empty, **table)
    lower = score_grades(name, grades, known, **table)
    if kind(name) == "guide":
        if not grades and empty == "unknown":
            return 0.0, 1.0
        return lower, score_grades(name, guide_grades(grades, known, rel_level=rel_level), known, **table)
    if parse(name)[0] in ("INST", "RR", "Success", "ERR"):
        best = r_max(name, **table)
        after = best if empty == "unknown" else 0.0
        return lower, score_gains(name, gains_in_order(name, grades, unjudged=best, **table), after=after)
    return lower, lower + residual(name, grades, empty=empty, **table)


def worths(**table):
    """What a document that nobody judged may turn out to be worth to nDCG, ascending from 0."""
    if isinstance(table["gains"], dict):
        return sorted({0.0, *gain_table(**table)})
    return sorted({earns(grade, **table) for grade in range(max(table["g_max"] or 0, 1) + 1)})


def absent(grades, known):
    """The judged grades of the topic whose documents are not in the ranking."""
    left = list(known)
    for grade in grades:
        if grade is not None:
            left.remove(grade)
    return left


def ndcg_bounds(name, grades, known, *, empty="unknown", **table):
    """(lower, upper) of nDCG@k over all that unjudged documents may be worth. METHODS 3.3.

    Lower: those of the ranking are worth nothing, k others all there is. Upper: the best of all choices of worth for
    new documents, as many as there is room for: the highest stand first, at unjudged ranks, then with documents that
    are known and not in the ranking at its empty ranks; all new ones are in the ideal ranking too.
    """
    _, parameters, k = parse(name)
    discounts = [discount(rank, log=parameters.get("log", 2)) for rank in range(1, k + 1)]
    judged = [earns(grade, **table) for grade in known]

    def ideal(new):
        return sum(d * worth for d, worth in zip(discounts, sorted([*judged, *new], reverse=True), strict=False))

    places = [0.0 if grade is None else earns(grade, **table) for grade in grades[:k]]
    dcg = sum(d * worth for d, worth in zip(discounts, places, strict=False))
    possible = worths(**table)
    unjudged = [d for d, grade in zip(discounts, grades, strict=False) if grade is None]
    empties = discounts[len(grades) :] if empty == "unknown" else []
    spare = [earns(grade, **table) for grade in absent(grades, known)]
    best = 0.0
    for new in combinations_with_replacement(possible[::-1], len(unjudged) + len(empties)):  # highest first
        at_unjudged, rest = new[: len(unjudged)], new[len(unjudged) :]
        at_empty = sorted([*rest, *spare], reverse=True)
        total = dcg + sum(d * w for d, w in zip(unjudged, at_unjudged, strict=True))
        total += sum(d * w for d, w in zip(empties, at_empty, strict=False))
        best = max(best, total / ideal(new) if total else 0.0)
    return dcg / (possible[-1] * sum(discounts)), best


def ndcg_completions(name, run, qrels, *, rel_level=1, gains="binary", g_max=None, negative="split", empty="unknown"):
    """nDCG@k of every completion of the judgments: each unjudged document of the ranking, and each of k that it does
    not hold, takes any worth; each empty rank (while those are unknown) holds nothing, a document that was judged and
    is not in the ranking, or one of those k. METHODS 3.3. Small cases only."""
    _, parameters, k = parse(name)
    table = {"rel_level": rel_level, "gains": gains, "g_max": g_max}
    grades = grades_in_order(run, qrels, negative=negative)
    known = judged_grades(qrels, negative=negative)
    judged, possible = [earns(grade, **table) for grade in known], worths(**table)
    spare = [earns(grade, **table) for grade in absent(grades, known)]
    discounts = [discount(rank, log=parameters.get("log", 2)) for rank in range(1, k + 1)]
    empties = max(0, k - len(grades)) if empty == "unknown" else 0

    def cumulated(worth):
        return sum(d * one for d, one in zip(discounts, worth, strict=False))

    for filling in product(possible, repeat=grades.count(None)):
        rest = iter(filling)
        listed = [next(rest) if grade is None else earns(grade, **table) for grade in grades]
        for hidden in combinations_with_replacement(possible, k):
            ideal = cumulated(sorted([*judged, *filling, *hidden], reverse=True))
            for past in set(permutations([*spare, *hidden, *[0.0] * empties], empties)):
                yield cumulated([*listed, *past]) / ideal if ideal else 0.0


def residual(name, grades, *, empty="unknown", **table):
    """D = r_max * (sum of W(k) over unjudged or empty ranks k <= depth + tail(depth)). METHODS 3.1; P, RBP, SDCG."""
    depth = scored_depth(name, grades)
    unknown = sum(weight(name, k) for k, grade in enumerate(grades[:depth], start=1) if grade is None)
    if empty == "unknown":
        unknown += sum(weight(name, k) for k in range(len(grades) + 1, depth + 1)) + tail(name, depth)
    return r_max(name, **table) * unknown


def guide_grades(grades, known, *, rel_level=1):
    """The ranking that the guide upper scores: relevant documents that the run lacks, highest grades first, put into
    the earliest ranks that hold an unjudged document. METHODS 3.11 (RM10 sec. 3).

    "Within the metric's cut-off" needs no line: the metric looks no further. Chosen here: "relevant" goes by rel_level
    for nDCG and Q too, and "anywhere in the run" has no cut-off.
    """
    missing = [grade for grade in known if is_relevant(grade, rel_level=rel_level)]
    for grade in grades:
        if is_relevant(grade, rel_level=rel_level):
            missing.remove(grade)
    filled = list(grades)
    for place, grade in enumerate(filled):
        if grade is None and missing:
            filled[place] = missing.pop(0)
    return filled


def completions(name, run, qrels, *, rel_level=1, gains="binary", g_max=None, negative="split", empty="unknown"):
    """The score of every completion of the judgments, for metrics of kind "bounds": each unjudged place, each empty
    place (while those are unknown) and the tail as a whole takes any gain of the table. METHODS 3.1. Small cases only.

    The interval is exact when every score is in it and, where the table holds a gain of 0, both ends are among them.
    """
    if kind(name) != "bounds":
        raise ValueError(f"{name}: completions are for metrics of kind 'bounds'")
    if parse(name)[0] == "nDCG":
        settings = {"rel_level": rel_level, "gains": gains, "g_max": g_max, "negative": negative, "empty": empty}
        yield from ndcg_completions(name, run, qrels, **settings)
        return
    table = {"rel_level": level_of(name, rel_level), "gains": gains, "g_max": g_max}
    _, _, d = parse(name)
    places = gains_in_order(name, grades_in_order(run, qrels, negative=negative)[:d], unjudged=None, **table)
    if empty == "unknown" and d is not None:
        places += [None] * (d - len(places))
    possible = outcomes(name, **table)
    tails = possible if empty == "unknown" and d is None else [0.0]
    for after in tails:
        for filling in product(possible, repeat=places.count(None)):
            rest = iter(filling)
            yield score_gains(name, [next(rest) if gain is None else gain for gain in places], after=after)


# ---------------------------------------------------------------- one system: the mean over topics


def mean(name, runs, qrels, *, average="qrels", topic_of_query=None, empty="unknown", **settings):
    """(value, lower, upper, N) of one system. METHODS 2.5, "Which topics are averaged".

    runs : query -> run; qrels : topic -> (document -> grade); topic_of_query : query -> topic for every query of the
    study (default: each query is its topic). average="qrels": every topic of the qrels, a query (or a whole topic)
    without a run counting as an empty run; "common": the topics of the qrels for which this system has a run, over
    the queries that it has. A topic's score is the mean over its queries. N = 0 gives NaN.
    """
    if average not in ("qrels", "common"):
        raise ValueError(f"average={average!r}: write 'qrels' or 'common'")
    topic_of_query = topic_of_query or {query: query for query in [*qrels, *runs]}
    topics = []
    for topic in qrels:
        asked = [runs.get(query) for query in topic_of_query if topic_of_query[query] == topic]
        if average == "common":
            asked = [run for run in asked if run is not None]
            if not asked:
                continue
        rows = [score_and_bounds(name, run or [], qrels[topic], empty=empty, **settings) for run in asked or [[]]]
        topics.append(column_means(rows))
    return (*column_means(topics), len(topics)) if topics else (NAN, NAN, NAN, 0)


def score_and_bounds(name, run, qrels, *, empty="unknown", **settings):
    """(value, lower, upper) of one query."""
    return (value(name, run, qrels, **settings), *bounds(name, run, qrels, empty=empty, **settings))


def column_means(rows):
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]
