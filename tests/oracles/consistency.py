"""Rank-biased overlap, consistency and agreement, written out naively (METHODS 12).

Webber, Moffat & Zobel, TOIS 2010; Bailey, Moffat, Scholer & Thomas, SIGIR 2017; Krippendorff 2011.
"""

import math

from tests.oracles import fusion

FAR = 4000  # ranks after which a sum over ranks without end is cut off


def overlap(one, two, d):
    return len(set(one[:d]) & set(two[:d]))


def agreement_sum(agreement, phi):
    """(1 - phi) * the sum over d = 1, 2, ... of phi^(d-1) * agreement(d)."""
    return (1 - phi) * math.fsum(phi ** (d - 1) * agreement(d) for d in range(1, FAR))


def minimum(one, two, phi):
    """RBO if nothing below the ends were in common: the overlap stays what it is."""
    return agreement_sum(lambda d: overlap(one, two, d) / d, phi)


def equation_11(one, two, phi):
    """The minimum as WMZ10 write it, for two lists of the same length k."""
    k = len(one)
    X = [0] + [overlap(one, two, d) for d in range(1, k + 1)]
    total = sum((X[d] - X[k]) * phi**d / d for d in range(1, k + 1))
    return (1 - phi) / phi * (total - X[k] * math.log(1 - phi))


def extended(one, two):
    """Both lists with the continuation that agrees most: each goes on with what it lacks of the other, in order."""
    a = [*one, *(d for d in two if d not in one)]
    b = [*two, *(d for d in one if d not in two)]
    return a, b


def maximum(one, two, phi):
    """RBO if the unseen ranks agreed as much as they can; both lists go on alike once they hold the same."""
    a, b = extended(one, two)
    return agreement_sum(lambda d: overlap(a, b, d) / d if d < len(a) else 1.0, phi)


def extrapolated(one, two, phi):
    """WMZ10 eq. 32; 0 where one list holds nothing, nothing to extrapolate from where both do."""
    short, long = sorted((one, two), key=len)
    s, l = len(short), len(long)  # noqa: E741
    if l == 0:
        return math.nan
    if s == 0:
        return 0.0
    X = [0] + [overlap(short, long, d) for d in range(1, l + 1)]
    total = sum(X[d] / d * phi**d for d in range(1, l + 1))
    total += sum(X[s] * (d - s) / (s * d) * phi**d for d in range(s + 1, l + 1))
    return (1 - phi) / phi * total + ((X[l] - X[s]) / l + X[s] / s) * phi**l


def topic_consistency(lists, phi=0.9):
    """(mean, standard deviation, how many) of the RBO of each distinct ranking of a topic with the RBC of them all."""
    distinct = [list(ranking) for ranking in dict.fromkeys(map(tuple, lists)) if ranking]
    fused = fusion.fused(distinct, "rbc", phi=phi)
    values = [extrapolated(one, fused, phi) for one in distinct]
    n, mean = len(values), sum(values) / len(values)
    sd = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1)) if n > 1 else math.nan
    return mean, sd, n


# ---------------------------------------------------------------- agreement: rows are judges (topics), columns systems


def icc(rows):
    """One-way intraclass correlation of single judges: (MSB - MSW) / (MSB + (k - 1) MSW). Shrout & Fleiss 1979."""
    k, n = len(rows), len(rows[0])
    grand = sum(map(sum, rows)) / (k * n)
    means = [sum(row[s] for row in rows) / k for s in range(n)]
    between = k * sum((mean - grand) ** 2 for mean in means) / (n - 1)
    within = sum((row[s] - means[s]) ** 2 for row in rows for s in range(n)) / (n * (k - 1))
    return (between - within) / (between + (k - 1) * within)


def midranks(row):
    return [sum(x < v for x in row) + (sum(x == v for x in row) + 1) / 2 for v in row]


def kendall_w(rows):
    """12 S / (m^2 (n^3 - n) - m * sum of (t^3 - t) over the ties of each judge). Kendall & Babington Smith 1939."""
    m, n = len(rows), len(rows[0])
    ranked = [midranks(row) for row in rows]
    sums = [sum(row[s] for row in ranked) for s in range(n)]
    squares = sum((x - sum(sums) / n) ** 2 for x in sums)
    ties = sum(row.count(v) ** 3 - row.count(v) for row in rows for v in set(row))
    return 12 * squares / (m * m * (n**3 - n) - m * ties)


def alpha(rows, level):
    """1 - observed / expected disagreement over all pairable values; None = not rated. Krippendorff 2011."""
    units = [[row[u] for row in rows if row[u] is not None] for u in range(len(rows[0]))]
    units = [unit for unit in units if len(unit) > 1]
    pairable = [v for unit in units for v in unit]
    n = len(pairable)

    def apart(c, k):
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return (c - k) ** 2
        low, high = min(c, k), max(c, k)
        between = sum(low <= v <= high for v in pairable)
        return 0.0 if c == k else (between - (pairable.count(c) + pairable.count(k)) / 2) ** 2

    observed = sum(apart(c, k) / (len(unit) - 1) for unit in units for c in unit for k in unit) / n
    expected = sum(apart(c, k) for c in pairable for k in pairable) / (n * (n - 1))
    return 1 - observed / expected if expected else math.nan
