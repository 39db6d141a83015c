"""Confidence from analysis of variance over shards, written out naively (METHODS 10; [FS19]).

`y` is a dict (topic, system, shard) -> score with a value in every cell; `parts` are the shards, sets of documents.
"""

import math
from functools import cache
from itertools import combinations, permutations, product
from statistics import median

from scipy import stats

from . import metrics
from .pool import kendall_tau
from .ranking import is_judged, order

NAN = float("nan")
FACTORS = ("topic", "system", "shard")
EFFECTS = {
    "MD1": ("topic", "system"),
    "MD2": ("topic", "system"),
    "MD3": ("topic", "system", "topic x system"),
    "MD4": ("topic", "system", "topic x system", "shard"),
    "MD5": ("topic", "system", "topic x system", "shard", "system x shard"),
    "MD6": ("topic", "system", "topic x system", "shard", "system x shard", "topic x shard"),
}


# ---------------------------------------------------------------- shards


def documents_of(runs, qrels):
    """All documents that the runs or the qrels name."""
    named = {document for judged in qrels.values() for document in judged}
    return named | {document for run in runs.values() for scored in run.values() for document in scored}


def run_of_part(scored, part):
    """The documents of one ranking that are in the part, in the run's order."""
    return [document for document in order(scored) if document in part]


def qrels_of_part(judged, part):
    return {document: grade for document, grade in judged.items() if document in part}


def holds_what_counts(metric, judged, *, negative="split", rel_level=1, **table):
    """Whether a document is there that the metric counts: by its gain, by its grade, else by its relevance."""
    (family, _, _), rel_level = metrics.parse(metric), metrics.level_of(metric, rel_level)
    known = [grade for grade in judged.values() if is_judged(grade, negative=negative)]
    if family in ("RBP", "SDCG", "INST"):
        return any(metrics.gain_of(grade, rel_level=rel_level, **table) > 0 for grade in known)
    if family in ("nDCG", "Q"):
        return any(metrics.earns(grade, rel_level=rel_level, **table) > 0 for grade in known)
    return bool(known) if family == "Judged" else any(metrics.is_relevant(one, rel_level=rel_level) for one in known)


def scores(metric, runs, qrels, parts, *, queries=None, **settings):
    """(topic, system, shard) -> score; NaN where that part of the topic holds nothing that the metric counts.

    queries : topic -> its queries (default: itself); a topic's score is the mean over them, a missing run scores 0.
    """
    y = {}
    for topic in qrels:
        for shard, part in enumerate(parts):
            judged = qrels_of_part(qrels[topic], part)
            defined = holds_what_counts(metric, judged, **settings)
            for system, run in runs.items():
                asked = queries[topic] if queries else [topic]
                each = [
                    metrics.value(metric, run_of_part(run.get(query, {}), part), judged, **settings) for query in asked
                ]
                y[topic, system, shard] = sum(each) / len(each) if defined else NAN
    return y


# ---------------------------------------------------------------- undefined cells


def levels(y, factor):
    return sorted({cell[FACTORS.index(factor)] for cell in y})


def undefined_cells(y):
    """[(topic, shard)] without a value."""
    system = levels(y, "system")[0]
    return [(t, k) for t in levels(y, "topic") for k in levels(y, "shard") if math.isnan(y[t, system, k])]


def filled(y, x=0.0):
    """y with its undefined cells at x, or at their topic's mean or median over all systems and defined shards.

    One value for every system; 0 where a topic has no defined shard.
    """
    of_topic = {}
    for topic in levels(y, "topic"):
        known = [value for (t, _, _), value in y.items() if t == topic and not math.isnan(value)]
        if x == "mean":
            of_topic[topic] = sum(known) / len(known) if known else 0.0
        elif x == "median":
            of_topic[topic] = median(known) if known else 0.0
        else:
            of_topic[topic] = x
    return {cell: of_topic[cell[0]] if math.isnan(value) else value for cell, value in y.items()}


# ---------------------------------------------------------------- analysis of variance


def mean(y, **fixed):
    """The mean over all cells with these levels: mean(y, system="a", shard=2); of all cells without any."""
    places = {FACTORS.index(factor): level for factor, level in fixed.items()}
    held = [value for cell, value in y.items() if all(cell[place] == level for place, level in places.items())]
    return math.fsum(held) / len(held)


def means(y):
    """Every marginal mean that an effect needs: {("topic", "system"): {(i, j): mean}, ...}; () is the grand mean."""
    table = {(): {(): mean(y)}}
    for factor in FACTORS:
        table[factor,] = {(level,): mean(y, **{factor: level}) for level in levels(y, factor)}
    for one, other in combinations(FACTORS, 2):
        table[one, other] = {(a, b): mean(y, **{one: a, other: b}) for a in levels(y, one) for b in levels(y, other)}
    return table


def contribution(effect, cell, table):
    """What one effect adds to the fitted value of a cell: a main effect, or the interaction of two."""
    where = dict(zip(FACTORS, cell, strict=True))
    factors = tuple(effect.split(" x "))
    grand = table[()][()]
    main = [table[factor,][where[factor],] for factor in factors]
    if len(factors) == 1:
        return main[0] - grand
    return table[factors][where[factors[0]], where[factors[1]]] - main[0] - main[1] + grand


def sums_of_squares(y, model):
    """effect -> sum of squares, with "error" and "total"."""
    table = means(y)
    ss = {effect: math.fsum(contribution(effect, cell, table) ** 2 for cell in y) for effect in EFFECTS[model]}
    residuals = [
        value - table[()][()] - sum(contribution(effect, cell, table) for effect in EFFECTS[model])
        for cell, value in y.items()
    ]
    ss["error"] = math.fsum(residual**2 for residual in residuals)
    ss["total"] = math.fsum((value - table[()][()]) ** 2 for value in y.values())
    return ss


def degrees_of_freedom(y, model):
    """effect -> df, with "error" as the table of METHODS 10.2 prints it, and "total"."""
    T, R, S = (len(levels(y, factor)) for factor in FACTORS)
    n = {"topic": T, "system": R, "shard": S}
    df = {effect: math.prod(n[factor] - 1 for factor in effect.split(" x ")) for effect in EFFECTS[model]}
    df["error"] = {
        "MD1": (T - 1) * (R - 1),
        "MD2": T * R * S - T - R + 1,
        "MD3": T * R * (S - 1),
        "MD4": T * R * (S - 1) - (S - 1),
        "MD5": T * R * (S - 1) - (S - 1) - (R - 1) * (S - 1),
        "MD6": (T - 1) * (R - 1) * (S - 1),
    }[model]
    df["total"] = T * R * S - 1
    return df


def anova(y, model):
    """effect -> {ss, df, ms, f, p, omega2}; of "error" and "total" only ss, df and ms."""
    ss, df = sums_of_squares(y, model), degrees_of_freedom(y, model)
    table = {effect: {"ss": ss[effect], "df": df[effect], "ms": ss[effect] / df[effect]} for effect in ss if df[effect]}
    for effect in EFFECTS[model]:
        if effect in table:
            f = table[effect]["ms"] / table["error"]["ms"]
            table[effect] |= {
                "f": f,
                "p": float(stats.f.sf(f, df[effect], df["error"])),
                "omega2": omega2(f, df[effect], len(y)),
            }
    return table


def on_other_topics(y):
    """The same table with one value for each topic and system, its mean over shards: what is left beside topics and
    systems, and so the error of MD1, is how much topics disagree on systems, topic x system."""
    of_pair = {}
    for (topic, system, _), value in y.items():
        of_pair.setdefault((topic, system, "all"), []).append(value)
    return {cell: math.fsum(values) / len(values) for cell, values in of_pair.items()}


def f_on_other_topics(y):
    """MS of systems over MS of topic x system, both from the sums of squares of all cells."""
    ss, df = sums_of_squares(y, "MD3"), degrees_of_freedom(y, "MD3")
    return ss["system"] / df["system"] / (ss["topic x system"] / df["topic x system"])


def omega2(f, df, N):
    """FS19 eq. 6; negative = 0."""
    return max(df * (f - 1) / (df * (f - 1) + N), 0.0)


# ---------------------------------------------------------------- Tukey, intervals, the top group


def per_system(y):
    """T S: how many values a system's mean is over."""
    return len(levels(y, "topic")) * len(levels(y, "shard"))


def error_of_mean(y, model):
    """sqrt(MS_err / (T S))."""
    return math.sqrt(sums_of_squares(y, model)["error"] / degrees_of_freedom(y, model)["error"] / per_system(y))


@cache
def quantile_of_range(level, R, df):
    """Q(R, df) at this level."""
    return float(stats.studentized_range.ppf(1 - level, R, df))


def critical_q(y, model, level=0.05):
    return quantile_of_range(level, len(levels(y, "system")), degrees_of_freedom(y, model)["error"])


def tukey(y, model, level=0.05):
    """(a, b) -> {difference of means, q, significant}, for every pair of systems in order of name (FS19 eq. 1)."""
    error, critical = error_of_mean(y, model), critical_q(y, model, level)
    pairs = {}
    for a, b in combinations(levels(y, "system"), 2):
        difference = mean(y, system=a) - mean(y, system=b)
        q = abs(difference) / error
        pairs[a, b] = {"difference": difference, "q": q, "significant": q > critical}
    return pairs


def tukey_p(y, model, q):
    return float(stats.studentized_range.sf(q, len(levels(y, "system")), degrees_of_freedom(y, model)["error"]))


def half_width(y, model, kind, system, level=0.05):
    """ "tukey" (eq. 3), "sem" (eq. 4: of this system's own values), "anova" (eq. 5)."""
    if kind == "tukey":
        return critical_q(y, model, level) / 2 * error_of_mean(y, model)
    if kind == "anova":
        return stats.t.ppf(1 - level / 2, degrees_of_freedom(y, model)["error"]) * error_of_mean(y, model)
    n = per_system(y)
    own = [value for (_, s, _), value in y.items() if s == system]
    middle = math.fsum(own) / n
    variance = math.fsum((value - middle) ** 2 for value in own) / (n - 1)
    return stats.t.ppf(1 - level / 2, n - 1) * math.sqrt(variance / n)


def top_group(y, model, level=0.05):
    """The systems that are not significantly different from the best, itself included."""
    best = max(levels(y, "system"), key=lambda system: mean(y, system=system))
    pairs = tukey(y, model, level)
    return {best} | {
        other
        for other in levels(y, "system")
        if other != best and not pairs[min(best, other), max(best, other)]["significant"]
    }


def system_means(y):
    return {system: mean(y, system=system) for system in levels(y, "system")}


def tau(y, z):
    """Kendall's tau-b of the systems' means in two tables."""
    return kendall_tau(system_means(y), system_means(z))


# ---------------------------------------------------------------- resamples


def mean_and_interval(values, level=0.05):
    """(mean, low, high): mean -+ t(n-1) sd / sqrt(n)."""
    n = len(values)
    middle = math.fsum(values) / n
    if n == 1:
        return middle, NAN, NAN
    sd = math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (n - 1))
    half = stats.t.ppf(1 - level / 2, n - 1) * sd / math.sqrt(n)
    return middle, middle - half, middle + half


def common(significant):
    """Pairs significant in every resample / mean significant. significant : a set of pairs for each resample."""
    average = sum(len(pairs) for pairs in significant) / len(significant)
    return len(set.intersection(*significant)) / average if average else NAN


# ---------------------------------------------------------------- randomised Tukey


def permutations_of_rows(rows):
    """Every way to permute the systems' values within each block: full enumeration, small cases only."""
    return product(*(list(permutations(row)) for row in rows))


def randomised_tukey(rows):
    """(a, b) -> share of all permutations within blocks whose range of system means reaches |mean_a - mean_b|.

    rows : the values of the systems in each block (a list of lists). Carterette, TOIS 2012.
    """
    R, n = len(rows[0]), len(rows)

    def averages(table):
        return [math.fsum(row[j] for row in table) / n for j in range(R)]

    ranges = [max(averages(table)) - min(averages(table)) for table in permutations_of_rows(rows)]
    at_hand = averages(rows)
    return {
        (a, b): sum(1 for r in ranges if r >= abs(at_hand[a] - at_hand[b]) - 1e-12) / len(ranges)
        for a, b in combinations(range(R), 2)
    }
