"""What an organiser asks of judgments, written out naively (METHODS 13, 14 and 9.5).

Everywhere: `runs` is system -> query -> run (document -> score, or documents in order), queries named `topic` or
`topic-variation`; `qrels` and `other` are topic -> (document -> grade); `pooled` the contributing systems. Topics are
in order of name.
"""

import math
from fractions import Fraction
from itertools import combinations
from statistics import median

from . import metrics, models, orderings, pool_inference
from .bias import replaced
from .pool import SAME, kendall_tau, sign, turns
from .ranking import is_judged, order

NAN = float("nan")


# ---------------------------------------------------------------- words (METHODS 2)


def topic_of(query):
    return query.split("-")[0]


def queries_of(runs, topic):
    """The queries of a topic: all that any system has, or the topic itself."""
    return sorted({q for run in runs.values() for q in run if topic_of(q) == topic}) or [topic]


def only_judged(qrels, *, negative="split"):
    """The judgments without what was pooled and not judged; every topic stays."""
    return {t: {D: g for D, g in qrels[t].items() if is_judged(g, negative=negative)} for t in sorted(qrels)}


def best_ranks(run, topic):
    """document -> its best rank over the topic's queries, in one system's run."""
    best = {}
    for query in run:
        if topic_of(query) == topic:
            for rank, D in enumerate(order(run[query]), start=1):
                best[D] = min(rank, best.get(D, rank))
    return best


def has_at(runs, system, topic, depth):
    """The documents that a system has at rank <= depth."""
    return {D for D, rank in best_ranks(runs[system], topic).items() if rank <= depth}


def system_means(metric, runs, qrels, whole, **reading):
    """system -> mean score by these judgments; gains, and the topics that are averaged, are those of the whole."""
    settings = orderings.settings_of(whole, **reading)
    queries = orderings.queries_of(runs, whole)
    in_force = {topic: qrels.get(topic, {}) for topic in whole}
    return {s: metrics.mean(metric, runs[s], in_force, topic_of_query=queries, **settings)[0] for s in runs}


def by_weight(weights):
    """The keys by falling weight; those within 1e-12 of the next heavier one by topic, then document as bytes."""
    groups = []
    for key in sorted(weights, key=lambda key: -weights[key]):
        if groups and abs(weights[groups[-1][-1]] - weights[key]) <= SAME:
            groups[-1].append(key)
        else:
            groups.append([key])
    return [key for group in groups for key in sorted(group, key=lambda key: (key[0], key[1].encode()))]


# ---------------------------------------------------------------- health of each topic


def health(runs, qrels, pooled, usual, depths, *, rel_level=1, negative="split"):
    """A dict for each judged topic. f_i counts in how many of the contributing rankings' top ranks a document is.

    usual : the depth of the pool; depths : topic -> its own, 0 where it is not known
    """
    grades = sorted({g for rows in qrels.values() for g in rows.values()})
    rows = []
    for topic, judged in only_judged(qrels, negative=negative).items():
        relevant = [D for D, g in judged.items() if g >= rel_level]
        lists = [order(runs[s].get(q, {})) for s in pooled for q in queries_of(runs, topic)]
        f = models.occurrences(lists, relevant, min(usual, depths.get(topic, 0)))
        told = usual > 1 and depths.get(topic, 0) > 0  # a single document of each ranking tells nothing
        expected = models.chao_lee(f) if told else NAN
        held = {D for run in runs.values() for q in queries_of(runs, topic) for D in run.get(q, {})}
        share = len(relevant) / len(judged) if judged else NAN
        flags = ["none relevant"] if not relevant else ["few relevant"] if len(relevant) < 5 else []
        flags += ["mostly relevant"] if share > 0.5 else []
        rows.append(
            {
                "topic": topic,
                "judged": len(judged),
                "relevant": len(relevant),
                **{f"grade_{g}": list(qrels[topic].values()).count(g) for g in grades},
                "share_relevant": share,
                "coverage": models.coverage(f) if told else NAN,
                "still_missing": NAN if math.isnan(expected) else max(0.0, expected - len(held & set(relevant))),
                "flags": "; ".join(flags),
            }
        )
    return rows


# ---------------------------------------------------------------- the pool


def audit(
    runs,
    by_rank,
    qrels,
    pooled,
    depth_of_topic,
    depth,
    *,
    groups=None,
    order="score",
    own_order="score",
    how="named",
    **reading,
):
    """A dict for each system. runs, by_rank : the runs in the order of the scores and of the rank column;
    depth_of_topic, depth : of the pool, in the study's own order, and the usual one."""
    negative, rel_level = reading.get("negative", "split"), reading.get("rel_level", 1)
    known = only_judged(qrels, negative=negative)
    ordered = {"score": runs, "rank": by_rank}
    pairs = {name: pool_inference.pairs_of(ordered[name], qrels, negative=negative) for name in ordered}
    found = pool_inference.found(pairs[order], sorted(runs))
    depths = found[1] if found and order != own_order else depth_of_topic
    own_unknown = how == "assumed" or depth <= 1
    unknown = own_unknown and depths is depth_of_topic
    rows = []
    for s in sorted(runs):
        holes = unique_judged = unique_relevant = 0
        for topic in known if s in pooled else ():
            holes += len(has_at(ordered[order], s, topic, depths.get(topic, 0)) - set(known[topic]))
            depth = depth_of_topic.get(topic, 0)
            others = set().union(*(has_at(ordered[own_order], u, topic, depth) for u in pooled if u != s))
            alone = (has_at(ordered[own_order], s, topic, depth) - others) & set(known[topic])
            unique_judged += len(alone)
            unique_relevant += sum(known[topic][D] >= rel_level for D in alone)
        rows.append(
            {
                "system": s,
                "group": (groups or {}).get(s, ""),
                "pooled": s in pooled,
                "looks_pooled": bool(found) and s in found[2],
                "depth_by_score": pool_inference.depth_of_system(pairs["score"], s, depth_of_topic),
                "depth_by_rank": pool_inference.depth_of_system(pairs["rank"], s, depth_of_topic),
                "holes": NAN if unknown else holes,
                "unique_judged": NAN if own_unknown else unique_judged,
                "unique_relevant": NAN if own_unknown else unique_relevant,
            }
        )
    return rows


def holes(runs, qrels, pooled, depth_of_topic, *, negative="split"):
    """[(topic, document, system, rank)] : unjudged, and in the top ranks of a contributing run."""
    found = []
    for topic, judged in only_judged(qrels, negative=negative).items():
        for s in pooled:
            for D, rank in best_ranks(runs[s], topic).items():
                if rank <= depth_of_topic[topic] and D not in judged:
                    found.append((topic, D, s, rank))
    return sorted(found, key=lambda row: (row[0], row[3], row[1].encode(), row[2]))


def unretrieved(runs, qrels, *, negative="split"):
    """[(topic, document, grade)] : judged, and in no run."""
    return [
        (topic, D, judged[D])
        for topic, judged in only_judged(qrels, negative=negative).items()
        for D in sorted(judged, key=str.encode)
        if not any(D in best_ranks(run, topic) for run in runs.values())
    ]


# ---------------------------------------------------------------- documents that look misjudged


def suspects(kind, runs, qrels, other=None, *, top=50, k=10, metric="RBP(p=0.8)@10", rel_level=1, negative="split"):
    """[(topic, document, grade, systems, mean rank)] of one kind, the most suspicious first."""
    means = system_means(metric, runs, qrels, qrels, rel_level=rel_level, negative=negative)
    middle = median(means.values())
    good = [s for s in means if sign(means[s], middle) >= 0]
    theirs = only_judged(other or {}, negative=negative)
    found = []
    for topic, judged in only_judged(qrels, negative=negative).items():
        ranks = {s: best_ranks(runs[s], topic) for s in runs}
        for D, g in judged.items():
            relevant = g >= rel_level
            key = 0
            if kind == "not relevant":
                held = [ranks[s][D] for s in good if ranks[s].get(D, math.inf) <= k]
                suspicious = not relevant and 2 * len(held) > len(good)
            elif kind == "relevant":
                holders = [s for s in runs if D in ranks[s]]
                held = [ranks[s][D] for s in holders]
                suspicious = relevant and len(holders) == 1 and holders[0] not in good
            else:
                held = [ranks[s][D] for s in runs if ranks[s].get(D, math.inf) <= k]
                h = theirs.get(topic, {}).get(D)
                suspicious = h is not None and relevant != (h >= rel_level)
                key = abs(g - h) if suspicious else 0
            if suspicious:
                mean_rank = sum(held) / len(held) if held else NAN
                placed = mean_rank if kind != "contradiction" else 0.0
                found.append((-key, -len(held), placed, topic, D.encode(), (topic, D, g, len(held), mean_rank)))
    return [row[-1] for row in sorted(found, key=lambda row: row[:-1])][:top]


# ---------------------------------------------------------------- two sets of judgments


def pairs_of(qrels, other, *, negative="split"):
    """topic -> [(our grade, their grade)] of the documents that both judge; topics with none are left out."""
    ours, theirs = only_judged(qrels, negative=negative), only_judged(other, negative=negative)
    both = {t: [(ours[t][D], theirs[t][D]) for D in ours[t] if D in theirs[t]] for t in ours if t in theirs}
    return {topic: pairs for topic, pairs in both.items() if pairs}


def kappa(pairs, distance):
    """Cohen's: 1 - the mean distance of the pairs / that of every first rating with every second; NaN for 0/0."""
    observed = sum(distance(a, b) for a, b in pairs) / len(pairs)
    by_chance = sum(distance(a, b) for a, _ in pairs for _, b in pairs) / len(pairs) ** 2
    return 1 - observed / by_chance if by_chance else NAN


DISTANCES = {
    None: lambda a, b: float(a != b),
    "linear": lambda a, b: abs(a - b),
    "quadratic": lambda a, b: (a - b) ** 2,
}


def alpha(pairs):
    """Krippendorff's, ordinal, of two raters: 1 - (n - 1) sum o_ck d_ck / sum n_c n_k d_ck, n the number of ratings.

    d_ck = (the ratings from c to k, those at either end counting half)^2. NaN for 0/0.
    """
    ratings = [value for pair in pairs for value in pair]
    n = len(ratings)
    count = {value: ratings.count(value) for value in set(ratings)}

    def distance(c, k):
        low, high = min(c, k), max(c, k)
        between = sum(count[value] for value in count if low <= value <= high)
        return (between - (count[c] + count[k]) / 2) ** 2

    observed = sum(2 * distance(a, b) for a, b in pairs)  # each unit of two ratings gives (a, b) and (b, a)
    by_chance = sum(count[c] * count[k] * distance(c, k) for c in count for k in count)
    return 1 - (n - 1) * observed / by_chance if by_chance else NAN


def agreement_of(pairs, *, rel_level=None, study_rel_level=1, weights="linear"):
    """The figures of one topic, or of all, as a dict."""
    level = study_rel_level if rel_level is None else rel_level
    here, there = [a >= level for a, _ in pairs], [b >= level for _, b in pairs]
    rated = pairs if rel_level is None else [(int(a), int(b)) for a, b in zip(here, there, strict=True)]
    either = sum(a or b for a, b in zip(here, there, strict=True))
    return {
        "both": len(pairs),
        "same": sum(a == b for a, b in rated),
        "kappa": kappa(rated, DISTANCES[None]),
        "kappa_weighted": kappa(rated, DISTANCES[weights]),
        "alpha": alpha(rated),
        "relevant": sum(here),
        "relevant_other": sum(there),
        "relevant_both": sum(a and b for a, b in zip(here, there, strict=True)),
        "overlap_relevant": sum(a and b for a, b in zip(here, there, strict=True)) / either if either else NAN,
        "shift": sum(b - a for a, b in pairs) / len(pairs),
    }


def agreement(qrels, other, *, negative="split", **how):
    """A dict for each topic that both judge, and one for "all" pairs together."""
    by_topic = pairs_of(qrels, other, negative=negative)
    everything = [pair for pairs in by_topic.values() for pair in pairs]
    return [{"topic": t, **agreement_of(pairs, **how)} for t, pairs in [*by_topic.items(), ("all", everything)]]


def confusion(qrels, other, *, negative="split"):
    """(our grade, their grade) -> how many documents, for every two grades given in either on our topics."""
    ours = only_judged(qrels, negative=negative)
    files = ours, {t: judged for t, judged in only_judged(other, negative=negative).items() if t in ours}
    grades = sorted({g for judged in files for rows in judged.values() for g in rows.values()})
    count = {(a, b): 0 for a in grades for b in grades}
    for pairs in pairs_of(qrels, other, negative=negative).values():
        for pair in pairs:
            count[pair] += 1
    return count


def scores_by_both(metric, runs, qrels, other, **reading):
    """(system -> topic -> score) by ours and by theirs, on the topics that both judge."""
    topics = list(pairs_of(qrels, other, negative=reading.get("negative", "split")))
    found = []
    for whole in (qrels, other):
        settings = orderings.settings_of(whole, **reading)
        scores = {}
        for s in runs:
            scores[s] = {}
            for t in topics:
                asked = [metrics.value(metric, runs[s].get(q, {}), whole[t], **settings) for q in queries_of(runs, t)]
                scores[s][t] = sum(asked) / len(asked)
        found.append(scores)
    return found


# ---------------------------------------------------------------- what to judge next


def weights_held(metric, runs, systems, topic):
    """document -> the sum over these systems, and the mean over the topic's queries, of W(rank)."""
    queries = queries_of(runs, topic)
    held = {}
    for s in systems:
        for query in queries:
            for rank, D in enumerate(order(runs[s].get(query, {})), start=1):
                held[D] = held.get(D, 0.0) + metrics.weight(metric, rank) / len(queries)
    return held


def next_to_judge(metric, runs, qrels, *, negative="split"):
    """[(topic, document, weight, systems)], the heaviest first."""
    weights = {}
    for topic, judged in only_judged(qrels, negative=negative).items():
        for D, weight in weights_held(metric, runs, runs, topic).items():
            if D not in judged:
                weights[topic, D] = weight
    return [(t, D, weights[t, D], sum(D in best_ranks(run, t) for run in runs.values())) for t, D in by_weight(weights)]


def mean_width(metric, runs, qrels, *, empty="unknown", **reading):
    """The mean over systems of upper - lower of their mean; without those that rank nothing for a judged topic."""
    settings = orderings.settings_of(qrels, **reading)
    queries = orderings.queries_of(runs, qrels)
    widths = []
    for s in runs:
        if not any(ranked for query, ranked in runs[s].items() if queries[query] in qrels):
            continue
        _, lower, upper, _ = metrics.mean(metric, runs[s], qrels, topic_of_query=queries, empty=empty, **settings)
        widths.append(upper - lower)
    return sum(widths) / len(widths) if widths else math.nan


def judged_as(qrels, pairs, grade=0):
    """The judgments, with these (topic, document) judged too."""
    more = {topic: dict(judged) for topic, judged in qrels.items()}
    for topic, D in pairs:
        more[topic][D] = grade
    return more


# ---------------------------------------------------------------- orders of judging


def candidates(runs, qrels, pooled, *, negative="split"):
    """topic -> the judged documents that a contributing run retrieved."""
    return {
        topic: {D for D in judged if any(D in best_ranks(runs[s], topic) for s in pooled)}
        for topic, judged in only_judged(qrels, negative=negative).items()
    }


def judging_order(which, metric, runs, qrels, pooled, *, rel_level=1, negative="split"):
    """[(topic, document)] of all candidates: "depth", "weight", "move-to-front" or "bandit-mean". One query a topic for
    the last two."""
    found = candidates(runs, qrels, pooled, negative=negative)
    if which == "depth":
        ranks = {}
        for t in found:
            for s in pooled:
                for D, rank in best_ranks(runs[s], t).items():
                    ranks[t, D] = min(rank, ranks.get((t, D), rank))
        when = turns(only_judged(qrels, negative=negative), ranks)
        return sorted(((t, D) for t in found for D in found[t]), key=when.get)
    if which == "weight":
        return by_weight(
            {(t, D): w for t in found for D, w in weights_held(metric, runs, pooled, t).items() if D in found[t]}
        )
    choose = {"move-to-front": move_to_front, "bandit-mean": bandit_mean}[which]
    by_topic = {}
    for t in found:
        lists = [[D for D in order(runs[s].get(t, {})) if D in found[t]] for s in sorted(pooled)]
        by_topic[t] = choose(lists, {D for D in found[t] if qrels[t][D] >= rel_level})
    longest = max(map(len, by_topic.values()), default=0)
    return [(t, by_topic[t][n]) for n in range(longest) for t in by_topic if n < len(by_topic[t])]


def move_to_front(lists, relevant):
    """Cormack, Palmer & Clarke 1998, local: the documents of one topic in the order in which they are judged."""
    priority = [0] * len(lists)
    judged, current = [], None
    while True:
        left = [i for i in range(len(lists)) if any(D not in judged for D in lists[i])]
        if not left:
            return judged
        if current not in left:
            top = max(priority[i] for i in left)
            current = next(i for i in left if priority[i] == top)
        D = next(D for D in lists[current] if D not in judged)
        judged.append(D)
        if D not in relevant:
            priority[current] -= 1
            current = None


def bandit_mean(lists, relevant):
    """The run with the largest mean of Beta(1 + relevant, 1 + not relevant) gives its best document not yet judged."""
    good, bad = [1] * len(lists), [1] * len(lists)
    judged = []
    while True:
        left = [i for i in range(len(lists)) if any(D not in judged for D in lists[i])]
        if not left:
            return judged
        best = max(Fraction(good[i], good[i] + bad[i]) for i in left)
        i = next(i for i in left if Fraction(good[i], good[i] + bad[i]) == best)
        D = next(D for D in lists[i] if D not in judged)
        judged.append(D)
        if D in relevant:
            good[i] += 1
        else:
            bad[i] += 1


def after(sequence, n, metric, runs, qrels, *, rel_level=1, **reading):
    """(relevant documents, tau to the means by all judgments) after the first n of the sequence."""
    taken = {}
    for topic, D in sequence[:n]:
        taken.setdefault(topic, {})[D] = qrels[topic][D]
    reading = {"rel_level": rel_level, **reading}
    now, full = (system_means(metric, runs, some, qrels, **reading) for some in (taken, qrels))
    return sum(g >= rel_level for rows in taken.values() for g in rows.values()), kendall_tau(now, full)


# ---------------------------------------------------------------- the experiment on score adjustment (METHODS 9.5)


def brought(runs, qrels, systems, depth):
    """The judgments of the documents that these systems have at rank <= depth."""
    return {
        t: {D: g for D, g in qrels[t].items() if any(D in has_at(runs, s, t, depth) for s in systems)} for t in qrels
    }


def topic_values(metric, run, qrels, whole, unjudged):
    settings = orderings.settings_of(whole)
    return [metrics.value(metric, run.get(t, {}), qrels[t], unjudged=unjudged, **settings) for t in sorted(whole)]


def mean(values):
    return math.fsum(values) / len(values)


def experiment_once(metric, runs, qrels, pool, new, depth, common, unjudged="irrelevant"):
    """Algorithm 3, one sample of systems, every choice of `common` topics: the mean absolute errors as a dict."""
    return errors_of(*sample_of(metric, runs, qrels, pool, new, depth, unjudged), common)


def sample_of(metric, runs, qrels, pool, new, depth, unjudged):
    """The new system's scores by topic if it contributes and if not, and the biases of the others in its place."""
    Q, truth = brought(runs, qrels, pool, depth), brought(runs, qrels, [*pool, new], depth)
    t = topic_values(metric, runs[new], truth, qrels, unjudged)
    u = topic_values(metric, runs[new], Q, qrels, unjudged)
    biases = []
    for s in pool:
        left = replaced(runs, Q, s, new, pool, depth)
        biases.append(
            mean(topic_values(metric, runs[s], Q, qrels, unjudged))
            - mean(topic_values(metric, runs[s], left, qrels, unjudged))
        )
    return t, u, biases


def errors_of(t, u, biases, common):
    from_topics, mixed = [], []
    for chosen in combinations(range(len(t)), common):
        from_topics.append(abs(mean(u) + mean([t[c] - u[c] for c in chosen]) - mean(t)))
        mixed.append(abs(mean([t[c] if c in chosen else u[c] for c in range(len(t))]) - mean(t)))
    return {
        "unadjusted": abs(mean(t) - mean(u)),
        "mixed": mean(mixed),
        "from_systems": abs(mean(u) + mean(biases) - mean(t)),
        "from_topics": mean(from_topics),
    }


def experiment(
    metric, runs, qrels, candidates_for_new, candidates_for_pool, width, common, depth, unjudged="irrelevant"
):
    """Algorithm 3 over every sample: the expected row of the table for each number of common topics."""
    samples = [
        sample_of(metric, runs, qrels, pool, new, depth, unjudged)
        for new in candidates_for_new
        for pool in combinations([s for s in candidates_for_pool if s != new], width)
    ]
    every = {n: [errors_of(*sample, n) for sample in samples] for n in common}
    return {n: {name: mean([one[name] for one in of_n]) for name in of_n[0]} for n, of_n in every.items()}


def best_of(metric, runs, qrels, systems, n):
    """The n of these systems with the highest mean score by all judgments, ties (within 1e-12) by name."""
    scores = {s: round(mean(topic_values(metric, runs[s], qrels, qrels, "irrelevant")), 12) for s in systems}
    return sorted(systems, key=lambda s: (-scores[s], s))[:n]
