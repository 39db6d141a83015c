"""Estimates from rank and document models, written out naively (METHODS 6; [LMC16]; [LMC17]).

Everything is per topic. `lists` is the rankings of the contributing runs (documents in order, one for each run and
query of the topic, an empty one where a run has none), `known` is document -> gain for the judgments in force, `depth`
is d', `K` the longest contributing list of the track. A curve is a list of gains, the one at rank k in place k - 1.
"""

import math

from scipy.optimize import least_squares, minimize

from . import estimates
from .metrics import gain_of, gain_table, is_relevant, weight
from .metrics import r_max as highest
from .ranking import is_judged, order

W_OF_LOSS = "RBP(p=0.95)"  # whatever metric is then scored (LMC17 sec. 6)
SAME = 1e-12
NAN = float("nan")


# ---------------------------------------------------------------- how deep a topic was judged (METHODS 6.2)


def judged_depth(usual, own, *, asked=None, to_come=None):
    """d' of a topic: the pool depth asked for; for a count of judgments the best pool rank still to come, less one,
    from 1 to the usual depth; the usual depth for all judgments. No more than the depth of the topic's own pool where
    that is another than the usual.

    usual : the pool depth of most topics; own : that of this topic, 0 where it has none, which limits nothing;
    to_come : for a count, the pool ranks, from 1, of what the first judgments of the track leave out
    """
    depth = usual if asked is None else asked
    if to_come is not None:
        depth = max(1, min([usual, *(rank - 1 for rank in to_come)]))
    return depth if own in (0, usual) else min(depth, own)


# ---------------------------------------------------------------- rank models (LMC16)


def observed(lists, known, depth):
    """g_k for k = 1..d': the mean over all contributing runs of the gain at rank k; a shorter run adds 0."""
    return [
        sum(known.get(documents[k - 1], 0.0) for documents in lists if k <= len(documents)) / len(lists)
        for k in range(1, depth + 1)
    ]


def squared_error(curve, gains):
    """What the rank models minimise: the sum of squares over ranks 1..d'."""
    return sum((model - gain) ** 2 for model, gain in zip(curve, gains, strict=False))


def clipped(curve, r_max):
    return [min(max(gain, 0.0), r_max) for gain in curve]


def linear(gains, K):
    """a*k + c at ranks 1..K, not clipped; a positive free slope gives a = 0 and c = the mean."""
    n = len(gains)
    mean_k, mean_g = (n + 1) / 2, sum(gains) / n
    spread = sum((k - mean_k) ** 2 for k in range(1, n + 1))
    slope = sum((k - mean_k) * (g - mean_g) for k, g in enumerate(gains, start=1)) / spread if spread else 0.0
    a = min(slope, 0.0)
    c = mean_g - a * mean_k
    return [a * k + c for k in range(1, K + 1)]


def zipf_curve(b, c, K):
    """b / (k^c * H), H = the sum over i = 1..K of i^-c."""
    H = sum(i**-c for i in range(1, K + 1))
    return [b / (k**c * H) for k in range(1, K + 1)]


def zipf(gains, K):
    """The best of many least-squares fits of b, c >= 0, at ranks 1..K, not clipped."""
    starts = [(max(sum(gains), 0.01), c) for c in (0.0, 0.1, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)]
    return best_fit(lambda x, ranks: zipf_curve(*x, K)[:ranks], starts, gains, K)


def weibull_curve(a, b, c, K):
    """c * (exp(-(x/a)^b) - exp(-((x+1)/a)^b)) with x = k - 1, from 0."""

    def survivors(x):
        exponent = b * math.log(x / a) if x else -math.inf
        if b == 0:
            exponent = 0.0
        return math.exp(-math.exp(exponent)) if exponent < 700 else 0.0

    return [c * (survivors(k - 1) - survivors(k)) for k in range(1, K + 1)]


def weibull(gains, K):
    """The best of many least-squares fits of a, b, c >= 0, at ranks 1..K, not clipped."""
    total, n = max(sum(gains), 0.01), len(gains)
    starts = [(a, b, 2 * total) for a in (0.5, 2.0, n, 5.0 * n) for b in (0.4, 1.0, 2.5, 20.0)]
    return best_fit(lambda x, ranks: weibull_curve(max(x[0], 1e-9), x[1], x[2], ranks), starts, gains, K)


def best_fit(curve, starts, gains, K):
    """The curve(parameters, ranks) of least squared error over several starting points, all parameters >= 0."""
    n = len(gains)
    found = []
    for start in starts:
        fit = least_squares(
            lambda x: [model - gain for model, gain in zip(curve(x, n), gains, strict=True)],
            start,
            bounds=(0, math.inf),
            xtol=1e-12,
            ftol=1e-12,
            gtol=1e-12,
            max_nfev=100,
        )
        found.append((fit.cost, list(fit.x)))
    return curve(min(found)[1], K)


MODELS = {"linear": linear, "zipf": zipf, "weibull": weibull}


# ---------------------------------------------------------------- two stages (LMC17 secs 3-4)


def rank_of(documents, document):
    """p_{D,i}, from 1, or None where run i did not retrieve D."""
    return documents.index(document) + 1 if document in documents else None


def errors_to_weigh(lists, known, metric=W_OF_LOSS):
    """For each run the judged documents that it retrieved, with W(p_{D,i}) and the gain that they have: [[(D, W, r)]].

    W is 0 where a run did not retrieve a document, which leaves it out.
    """
    return [
        [(D, weight(metric, k), known[D]) for k, D in enumerate(documents, start=1) if D in known]
        for documents in lists
    ]


def loss(which, G, terms):
    """La (eq. 7), Lb, or eq. 8 as printed, of background gains G : document -> gain. terms : see `errors_to_weigh`."""
    if which == "a":
        return sum(sum(W * (G[D] - r) for D, W, r in run) ** 2 for run in terms)
    if which == "b":
        return sum(math.sqrt(sum((W * (G[D] - r)) ** 2 for D, W, r in run)) for run in terms)
    total = {}
    for run in terms:
        for D, W, r in run:
            total[D] = (total.get(D, (0.0, r))[0] + W, r)
    return sum(W**2 * (G[D] - r) ** 2 for D, (W, r) in total.items())


def retrieved(lists):
    """Every document that a contributing run retrieved, in order of meeting."""
    return list(dict.fromkeys(D for documents in lists for D in documents))


def model_gains(curve, lists):
    """document -> [model(p_{D,i}) for each contributing run i]; a run that did not retrieve it: the gain at rank K."""
    return {D: [curve[(rank_of(documents, D) or len(curve)) - 1] for documents in lists] for D in retrieved(lists)}


def mixed(rows, weights):
    """document -> the weighted sum of its values."""
    return {D: sum(w * x for w, x in zip(weights, values, strict=True)) for D, values in rows.items()}


def simplex_minimum(loss_of, n):
    """The weights, >= 0 and of sum 1, of the least loss that SLSQP finds from the middle and from near each corner."""
    if n == 1:
        return [1.0]
    middle = [1 / n] * n
    corners = [[1.0 if i == j else 0.0 for i in range(n)] for j in range(n)]
    between = [[0.8 * x + 0.2 / n for x in corner] for corner in corners]
    scale = loss_of(middle) or 1.0
    found = [(loss_of(start), start) for start in [middle, *corners]]
    for start in [middle, *between]:
        fit = minimize(
            lambda w: loss_of(w) / scale,
            start,
            method="SLSQP",
            bounds=[(0, 1)] * n,
            constraints={"type": "eq", "fun": lambda w: sum(w) - 1},
            options={"ftol": 1e-14, "maxiter": 200},
        )
        weights = [max(float(w), 0.0) for w in fit.x]
        if sum(weights) > 0:
            weights = [w / sum(weights) for w in weights]
            found.append((loss_of(weights), weights))
    return min(found)[1]


def fitted(which, rows, terms):
    """document -> gain, mixed by the weights that minimise the loss; and the weights. rows : document -> values."""
    judged = {D: rows[D] for run in terms for D, _, _ in run}
    n = len(next(iter(rows.values())))
    weights = simplex_minimum(lambda w: loss(which, mixed(judged, w), terms), n)
    return mixed(rows, weights), weights


def stage_one(which, curve, lists, terms):
    """document -> G[D] of one rank model."""
    return fitted(which, model_gains(curve, lists), terms)[0]


def stage_two(which, stages, terms):
    """(G2 : document -> gain, weights over the models) that minimise the same loss. stages : [G of each model]."""
    return fitted(which, {D: [G[D] for G in stages] for D in stages[0]}, terms)


def two_stage(which, curves, lists, terms):
    """(G2, weights over the models), both stages. curves : the clipped curve of each rank model."""
    return stage_two(which, [stage_one(which, curve, lists, terms) for curve in curves], terms)


# ---------------------------------------------------------------- when to adjust (LMC17 eq. 10)


def occurrences(lists, relevant, depth):
    """i -> f_i: how many relevant documents appear in exactly i of the runs' top d' (i >= 1)."""
    f = {}
    for D in relevant:
        i = sum(1 for documents in lists if D in documents[:depth])
        if i:
            f[i] = f.get(i, 0) + 1
    return f


def gamma_before_dividing(R, C, f_1, pairs):
    """Eq. 10 from R = sum f_i, C = sum i f_i, f_1 and sum i(i-1) f_i; 0 where it is 0/0."""
    if R == 0 or C <= 1 or f_1 == C:
        return 0.0
    return math.sqrt(max(R / (1 - f_1 / C) * pairs / (C * (C - 1)) - 1, 0.0))


def sums(f):
    """(R, C, f_1, sum i(i-1) f_i)."""
    return sum(f.values()), sum(i * n for i, n in f.items()), f.get(1, 0), sum(i * (i - 1) * n for i, n in f.items())


def gamma(f, n):
    """Eq. 10, divided by the number of contributing systems."""
    return gamma_before_dividing(*sums(f)) / n


def coverage(f):
    """cov = 1 - f_1/C; unknown where nothing relevant was met (METHODS 6.5)."""
    _, C, f_1, _ = sums(f)
    return 1 - f_1 / C if C else NAN


def chao_lee(f):
    """R/cov + C (1-cov)/cov * gamma^2, gamma before dividing; cov = 0: unknown (METHODS 6.5)."""
    R, C, f_1, pairs = sums(f)
    cov = coverage(f)
    return R / cov + C * (1 - cov) / cov * gamma_before_dividing(R, C, f_1, pairs) ** 2 if cov > 0 else NAN


def is_adjusted(gamma_value, theta):
    """gamma rounded to 4 decimals is above theta; theta = 0 adjusts every topic, gamma 0 included."""
    return theta == 0 or round(gamma_value, 4) > theta


# ---------------------------------------------------------------- scores of one list


def base(metric, documents, known, depth=None):
    """B: the sum over judged ranks <= depth of W(k) r_k."""
    return sum(weight(metric, k) * known.get(D, 0.0) for k, D in enumerate(documents[:depth], start=1))


def residual(metric, documents, known, depth=None, *, r_max=1.0, empty="unknown"):
    """D: r_max times the weight at unjudged or empty ranks <= depth and of the tail, which is 1 - the sum to depth.

    With empty="not relevant" only documents count: those unjudged, and those below depth.
    """
    judged = sum(weight(metric, k) for k, D in enumerate(documents[:depth], start=1) if D in known)
    held = sum(weight(metric, k) for k in range(1, len(documents) + 1))
    return r_max * ((1.0 if empty == "unknown" else held) - judged)


def expected(metric, documents, known, gain_at, K):
    """What gain_at(document, rank) adds at the unjudged ranks down to K; empty ranks and the tail hold nothing."""
    return sum(weight(metric, k) * gain_at(D, k) for k, D in enumerate(documents[:K], start=1) if D not in known)


def rank_model_gain(curve):
    """gain_at of an estimator linear, zipf or weibull: the model's gain at that rank."""
    return lambda document, rank: curve[rank - 1]


def two_stage_gain(G2, mix, curves):
    """gain_at of two-stage-*: G2, or for a document that no contributing run retrieved the mix at the list's rank."""
    return lambda document, rank: (
        G2[document] if document in G2 else sum(v * curve[rank - 1] for v, curve in zip(mix, curves, strict=True))
    )


# ---------------------------------------------------------------- a whole topic


def at(runs, qrels, contributing, topic, *, queries=None, depth, negative="split", **table):
    """What the judgments in force (qrels : topic -> document -> grade) say of a topic, as a dict.

    lists, known, K, depth as above; n contributing systems; relevant documents; the gain tables r_max; queries.
    """
    queries = queries or [topic]
    judged = {D: g for D, g in qrels.get(topic, {}).items() if is_judged(g, negative=negative)}
    relevant = [D for D, g in judged.items() if is_relevant(g, rel_level=table.get("rel_level", 1))]
    return {
        "lists": [order(runs[system].get(query, {})) for system in contributing for query in queries],
        "known": {D: gain_of(g, **table) for D, g in judged.items()},
        "relevant": relevant,
        "as_P": {D: float(D in relevant) for D in judged},
        "K": max([1, *(len(run) for system in contributing for run in runs[system].values())]),
        "depth": depth,
        "n": len(contributing),
        "r_max": max(gain_table(**table)),
        "queries": queries,
        "table": table,
    }


def gains_observed(here):
    return observed(here["lists"], here["known"], here["depth"])


def curves_of(here):
    """[the clipped curve of each rank model], down to K."""
    gains = gains_observed(here)
    return [clipped(model(gains, here["K"]), here["r_max"]) for model in MODELS.values()]


def gamma_of(here):
    return gamma(occurrences(here["lists"], here["relevant"], here["depth"]), here["n"])


def gain_at_of(name, here, curves):
    """gain_at of the estimator called `name`. curves : of linear, zipf, weibull in this order."""
    if name in MODELS:
        return rank_model_gain(curves[list(MODELS).index(name)])
    which = name.removeprefix("two-stage-")
    return two_stage_gain(
        *two_stage(which, curves, here["lists"], errors_to_weigh(here["lists"], here["known"])), curves
    )


def interval(metric, documents, here, depth=None, *, empty="unknown"):
    """[B, T], to the given depth. P reads `relevant`, the others the gains."""
    known = here["as_P"] if metric.startswith("P@") else here["known"]
    B = base(metric, documents, known, depth)
    return B, B + residual(metric, documents, known, depth, r_max=highest(metric, **here["table"]), empty=empty)


def estimate(name, metric, documents, here, *, depth=None, gain_at=None, theta=0.0, empty="unknown"):
    """X of one list. depth : the reference's, which formulas are scored to; gain_at : that of a model, scored to K."""
    if gain_at is None:
        ends = interval(metric, documents, here, depth, empty=empty)
        return estimates.ESTIMATES[name](*ends, highest(metric, **here["table"]))
    documents = documents[: here["K"]]
    B, _ = interval(metric, documents, here, empty=empty)
    if not is_adjusted(gamma_of(here), theta):
        return B
    return B + expected(metric, documents, here["known"], gain_at, here["K"])


def pool_ranks(runs, contributing, topic_of=lambda query: query):
    """(topic, doc) -> the smallest rank at which a contributing run retrieved it, over all queries of the topic."""
    ranks = {}
    for system in contributing:
        for query, run in runs[system].items():
            for rank, D in enumerate(order(run), start=1):
                ranks[topic_of(query), D] = min(rank, ranks.get((topic_of(query), D), rank))
    return ranks


# ---------------------------------------------------------------- errors (LMC17 eq. 3)


def error(X, M, D):
    """0 if M <= X <= M + D, M - X if below, X - (M + D) if above."""
    if X < M:
        return M - X
    return X - (M + D) if X > M + D else 0.0


def root_mean_square(errors):
    return math.sqrt(sum(e * e for e in errors) / len(errors))


def rmse(errors):
    """The mean over topics of each topic's root mean square over systems. errors : (system, topic) -> error."""
    topics = sorted({topic for _, topic in errors})
    by_topic = [[e for (_, topic), e in errors.items() if topic == one] for one in topics]
    return sum(root_mean_square(row) for row in by_topic) / len(by_topic)


def rmse_plain(errors):
    """The root mean square over all (system, topic)."""
    return root_mean_square(list(errors.values()))


def most_farther(a, b, references):
    """A limit of rmse(a) - rmse(b) wherever the truth lies in the reference intervals: of each topic the least of
    the difference of mean squares over the sum of the roots, the worst root of a less the best of b, the root mean
    square of how far a and b are apart.

    a, b : (system, topic) -> estimate; references : (system, topic) -> (M, M + D)
    """
    limits = []
    for one in {topic for _, topic in references}:
        cells = [(a[cell], b[cell], *references[cell]) for cell in references if cell[1] == one]
        apart = sum(max((x - M) ** 2 - (y - M) ** 2, (x - T) ** 2 - (y - T) ** 2) for x, y, M, T in cells) / len(cells)
        (low_a, high_a), (low_b, high_b) = (ends_of_rms([(cell[i], *cell[2:]) for cell in cells]) for i in (0, 1))
        both = low_a + low_b if apart > 0 else high_a + high_b
        by_squares = [apart / both] if both > 0 else []
        limits.append(min(*by_squares, high_a - low_b, root_mean_square([x - y for x, y, _, _ in cells])))
    return sum(limits) / len(limits)


def ends_of_rms(cells):
    """The least and the greatest root mean square error of estimates whose truth lies between M and T."""
    least = root_mean_square([error(x, M, T - M) for x, M, T in cells])
    return least, root_mean_square([max(abs(x - M), abs(x - T)) for x, M, T in cells])


def accuracy(errors):
    """Acc%: the percentage of errors that are 0, to 1e-12."""
    return 100 * sum(1 for e in errors.values() if abs(e) <= SAME) / len(errors)


# ---------------------------------------------------------------- two strata (LMC17 eq. 5)


def inf_rbp(metric, documents, known, stratum):
    """The stratum-1 part of the base + rho * the stratum-2 part. stratum : document -> 1 or 2, for judged ones.

    rho = the weight at ranks whose documents are not in stratum 1 over that at ranks whose documents are in stratum 2;
    0 when there is none.
    """
    first = second = outside = inside = 0.0
    for k, D in enumerate(documents, start=1):
        W = weight(metric, k)
        if stratum.get(D) == 1:
            first += W * known.get(D, 0.0)
        else:
            outside += W
        if stratum.get(D) == 2:
            inside += W
            second += W * known.get(D, 0.0)
    return first + (outside / inside if inside else 0.0) * second
