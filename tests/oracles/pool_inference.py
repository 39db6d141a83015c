"""Who formed the pool, in plain Python: METHODS 2.7.

A topic's rankings are pairs (judged to, length): how many leading documents are judged, and how many there are.
"""

import math

from .ranking import is_judged, order

FEWEST, SHARED, SURE, ABOVE = 3, 0.25, 10.0, 1.5


def pairs_of(runs, qrels, *, negative="split", topic_of=lambda query: query.split("-")[0]):
    """topic -> system -> its pairs, of the judged topics that some run has; runs and qrels as everywhere."""
    pairs = {}
    for system, run in runs.items():
        for query, ranking in run.items():
            topic, ranked = topic_of(query), order(ranking)
            if qrels.get(topic) and ranked:
                judged = {D for D, grade in qrels[topic].items() if is_judged(grade, negative=negative)}
                pairs.setdefault(topic, {}).setdefault(system, []).append((leads(ranked, judged), len(ranked)))
    return pairs


def pooling(runs, qrels, contributors=None, **reading):
    """Usual depth, topic -> depth, contributors (told, or found, or everybody), doubtful, how it is known."""
    pairs, systems = pairs_of(runs, qrels, **reading), sorted(runs)
    if contributors is not None:
        return *told(pairs, contributors), contributors, [], "named"
    shown = found(pairs, systems)
    return (*shown, "inferred") if shown else (*told(pairs, systems), systems, [], "assumed")


def depth_of_system(pairs, system, depth_of_topic):
    """What nine in ten of a system's rankings are judged to, of topics whose depth is known."""
    return common_depth([
        pair for topic, of in pairs.items() if depth_of_topic.get(topic) for pair in of.get(system, [])
    ])  # fmt: skip


def leads(ranking, judged):
    """How many documents at the top of a ranking are judged before the first that is not."""
    for n, document in enumerate(ranking):
        if document not in judged:
            return n
    return len(ranking)


def common_depth(pairs):
    """What nine in ten of the rankings are judged to; a list that ends is judged as deep as the longest goes."""
    if not pairs:
        return 0
    longest = max(length for _, length in pairs)
    depths = sorted(judged if judged < length else longest for judged, length in pairs)
    return depths[len(depths) // 10]


def log_likelihood(met, tried):
    if met in (0, tried):
        return 0.0
    rate = met / tried
    return met * math.log(rate) + (tried - met) * math.log(1 - rate)


def wall(pairs):
    """The rank that splits the rates best, the lower one above, and what this gains; 0, 0.0 where none does."""
    longest = max((length for _, length in pairs), default=0)

    def counted(ranks):
        tried = sum(1 for judged, length in pairs for k in ranks if k <= judged and k < length)
        met = sum(1 for judged, length in pairs if judged < length and judged in ranks)
        return met, tried

    whole = counted(range(longest + 1))
    best = 0, 0.0
    for at in range(1, longest + 2):
        above, below = counted(range(at)), counted(range(at, longest + 1))
        rates = [met / tried if tried else 0.0 for met, tried in (above, below)]
        gain = log_likelihood(*above) + log_likelihood(*below) - log_likelihood(*whole)
        if rates[1] > rates[0] and gain > best[1] + 1e-12:
            best = at, gain
    return best


def close(deeper, depth):
    return depth <= deeper <= ABOVE * depth


def most_common(depths):
    """The shallowest of those that occur most often, and how often."""
    best = max((depths.count(depth) for depth in depths), default=0)
    return min((depth for depth in depths if depths.count(depth) == best), default=0), best


def finished(depth_of_topic, otherwise):
    depth = max(1, most_common([d for d in depth_of_topic.values() if d])[0])
    kept, left = dict(depth_of_topic), {topic for topic, d in depth_of_topic.items() if d}
    while left:
        common = most_common([depth_of_topic[topic] for topic in left])[0]
        near = {topic for topic in left if close(depth_of_topic[topic], common)}
        kept |= dict.fromkeys(near, common if common == depth or len(near) >= FEWEST else otherwise)
        left -= near
    return depth, kept


def told(pairs, contributors):
    """pairs[topic][system] -> a list of (judged to, length). -> usual depth, topic -> depth"""
    theirs = {topic: [pair for s in contributors for pair in of.get(s, [])] for topic, of in pairs.items()}
    own = {topic: common_depth(of_topic) for topic, of_topic in theirs.items()}
    usual = max(1, most_common([d for d in own.values() if d])[0])
    walls = {topic: wall(of_topic) for topic, of_topic in theirs.items()}
    shown = {topic for topic, (at, gain) in walls.items() if gain >= SURE and close(at, own[topic])}
    at_most = {}
    for topic in pairs:
        at_most[topic] = usual if own[topic] >= usual else own[topic] if own[topic] * ABOVE >= usual else 0
    depth, depths = finished({topic: own[topic] if topic in shown else at_most[topic] for topic in pairs}, 0)
    return depth, {topic: depths[topic] or at_most[topic] for topic in pairs}


def found(pairs, systems):
    """-> usual depth, topic -> depth, contributors, doubtful; or None."""
    walls = {topic: wall([pair for of_system in of.values() for pair in of_system]) for topic, of in pairs.items()}
    some = {topic for topic, (at, _) in walls.items() if at > 1}
    sure = {topic for topic in some if walls[topic][1] >= SURE}
    depth, shared = most_common([walls[topic][0] for topic in some])
    surest, surely = most_common([walls[topic][0] for topic in sure])
    enough = shared >= FEWEST and shared >= SHARED * len(pairs)
    mostly_sure = sum(walls[topic][0] == depth for topic in sure) >= shared / 2
    near = {topic for topic in sure if close(walls[topic][0], surest)}
    few = max(0.1 * len(pairs), 0.5 * len(sure)) if surest >= 10 else SHARED * len(pairs)
    if len(systems) < FEWEST:
        return None
    if surely >= FEWEST and len(near) >= few and not (mostly_sure and shared >= SHARED * len(pairs)):
        depth, alike = surest, near
    elif enough:
        alike = {topic for topic in (sure if surely >= FEWEST else some) if close(walls[topic][0], depth)}
    else:
        return None
    shallow = depth
    deeper, shared = most_common([walls[topic][0] for topic in sure if walls[topic][0] > ABOVE * depth])
    if shared >= max(FEWEST, SHARED * len(pairs)):
        depth, alike = deeper, {topic for topic in sure if close(walls[topic][0], deeper)}
    for _ in range(10):
        missed = {}
        for system in systems:
            all_pairs = [pair for topic in alike for pair in pairs[topic].get(system, [])]
            short = [pair for pair in all_pairs if pair[0] < depth and pair[0] < pair[1]]
            missed[system] = len(short) / len(all_pairs) if all_pairs else 1.0
        contributors = [system for system in systems if missed[system] < 0.1]
        own = {
            topic: common_depth([pair for system in contributors for pair in of.get(system, [])])
            for topic, of in pairs.items()
        }
        before, alike = alike, {topic for topic in pairs if own[topic] >= depth}
        if alike == before:
            break
    kept = {
        topic: d if topic in alike or (close(walls[topic][0], d) and walls[topic][1] >= SURE) else 0
        for topic, d in own.items()
    }
    for usual in (shallow, depth):
        kept |= {topic: usual for topic, d in own.items() if close(d, usual)}
    if not any(kept.values()):
        return None
    usual, depths = finished(kept, 0)
    contributors = [system for system in contributors if not ranks_judged_alone(pairs, system, depths)]
    if not contributors:
        return None
    doubtful = [system for system in systems if missed[system] < 0.3 and system not in contributors]
    return usual, depths, contributors, doubtful


def ranks_judged_alone(pairs, system, depths):
    """Whether nine in ten of a system's rankings that go on below the pool, three at least, are judged to their end."""
    long = [
        pair for topic, d in depths.items() if d for pair in pairs[topic].get(system, []) if pair[1] > ABOVE * d
    ]  # fmt: skip
    ended = [pair for pair in long if pair[0] == pair[1]]
    return len(long) >= FEWEST and len(ended) >= 0.9 * len(long)
