"""A synthetic track whose truth is known, made from a seed and written as ordinary files.

Every topic has a universe of documents, some of them relevant. A system's score for a document is

    quality * findability * sight  +  shared taste + its family's + its group's + its own noise

where findability is 0 for a document that is not relevant (near misses have some, the same for every system), and sight
says whether this system can recognise it: a part of the relevant documents is *veiled*, and only systems with insight
(manual runs, newcomers) see some of those, each its own. So families resemble each other, weak systems disagree with
everybody, single runs find what nobody else finds, and a good system that was not pooled is underrated by the judgments
while `Synthetic.grade` still knows better.

    python -m evalcore.synth --kind newswire --seed 1 --out DIR

Percent of the pool that is relevant, the mean of 50 topics' shares: the target (LMC17, table 1), in brackets what comes
out (mean of seeds 1 to 8 at length 100; no seed is off by more than 2.4), and the documents in a topic's pool:

    at depth            10          20          30         100   pool at 100
    newswire     25 (25.0)   18 (19.2)   15 (16.0)     7 (7.9)         1,356
    web          41 (40.7)   36 (36.6)   33 (34.0)   25 (24.7)           973
"""

import argparse
import gzip
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import scipy

DEPTHS = (10, 20, 30, 100)
SECOND_DEPTH = 20  # how deep the second assessor reads the pool
KEPT, ADDED = 0.65, 0.04  # the shares of relevant documents, and of others, that the second assessor finds relevant


@dataclass(frozen=True)
class Kind:
    """The size and the parameters of one kind of track; `KINDS` holds the calibrated ones."""

    systems: int
    pooled: int
    groups: int
    topics: int
    length: int
    pool_depth: int
    first_topic: int
    collection: Callable  # -> sorted names of all documents
    universe: int  # documents that a topic's systems choose from
    relevant: tuple  # median, log standard deviation, least, most relevant documents of a topic
    findability: tuple  # mean, its standard deviation between topics, and between a topic's documents
    lures: tuple  # near misses per relevant document, and besides; their share of the topic's findability
    taste: tuple  # parts of the variance that all systems, a family, a group share
    quality: tuple  # mean and standard deviation of the systems' quality
    veiled: float  # share of the relevant documents that most systems do not recognise
    grades: tuple  # shares of grades 1, 2, ... among the relevant documents
    junk: float = 0.0  # share of grade -2 among the documents that are not relevant


@dataclass(frozen=True)
class Synthetic:
    """A track and its truth. Axis order is (system, query, rank); item 0 is the empty place after the end of a list.

    Items are numbered by topic, then by document name, so a list in `items` is in the order that trec_eval gives it:
    printed score descending, ties by name descending. `ranks` is the file's rank column, which may differ among ties.
    """

    kind: str
    seed: int
    systems: tuple  # (S,) names: run tags and file names
    groups: tuple  # (S,)
    types: tuple  # (S,) "automatic" or "manual"
    pooled: np.ndarray  # bool (S,)
    decimals: tuple  # (S,) of the printed scores
    queries: tuple  # (Q,)
    topics: tuple  # (T,)
    variations: int  # queries of each topic
    topic_of_query: np.ndarray  # int (Q,)
    texts: tuple  # (Q,)
    items: np.ndarray  # int32 (S, Q, K)
    scores: np.ndarray  # float64 (S, Q, K), NaN in empty places
    ranks: np.ndarray  # int16 (S, Q, K), -1 in empty places
    docs: np.ndarray  # bytes (N,), docs[0] = b""
    topic_of_item: np.ndarray  # int (N,), -1 for item 0
    grade: np.ndarray  # int8 (N,) the truth: of every document that a run retrieved and of every relevant one
    first: np.ndarray  # int (N,) best rank, from 0, that a pooled run gave it; NEVER when none did
    judged: np.ndarray  # bool (N,) what the qrels hold: the pool to `pool_depth`
    second: np.ndarray  # int8 (N,) the grades that a second assessor would give
    pool_depth: int
    oddities: dict  # what is unusual about which system


NEVER = np.iinfo(np.int32).max


def make(
    kind="newswire",
    seed=1,
    *,
    systems=None,
    pooled=None,
    groups=None,
    topics=None,
    length=None,
    pool_depth=None,
    variations=1,
    oddities=True,
):
    """A `Synthetic` track of a kind; sizes that are not given are the kind's own.

    `oddities=False` leaves out the tied, ragged and otherwise unusual runs, which are there from 12 systems on.
    """
    if kind not in KINDS:
        raise ValueError(f"no kind {kind!r}. Known: {', '.join(KINDS)}.")
    given = {
        "systems": systems,
        "pooled": pooled,
        "groups": groups,
        "topics": topics,
        "length": length,
        "pool_depth": pool_depth,
    }
    like = replace(KINDS[kind], **{name: int(value) for name, value in given.items() if value is not None})
    _check_sizes(like, variations)

    cast = _cast(like, np.random.default_rng([seed, 0]))
    odd = _odd_systems(cast, like, np.random.default_rng([seed, 1])) if oddities and like.systems >= 12 else {}
    plans = _topic_plans(like, np.random.default_rng([seed, 2]))
    shape = (like.systems, like.topics * variations, like.length)
    items, scores = np.zeros(shape, np.int32), np.full(shape, np.nan)
    ranks = np.full(shape, -1, np.int16)
    docs, grades, owners = [np.array([b""])], [np.zeros(1, np.int8)], [np.array([-1])]
    offset = 1
    for t, plan in enumerate(plans):
        rng = np.random.default_rng([seed, 3, t])
        block = slice(t * variations, (t + 1) * variations)
        found, scores[:, block], ranks[:, block], grade = _topic(rng, like, cast, plan, t, variations, odd)
        kept, codes = np.unique(np.append(found[found >= 0], np.flatnonzero(grade > 0)), return_inverse=True)
        items[:, block][found >= 0] = codes[: np.count_nonzero(found >= 0)] + offset
        docs.append(_names(rng, like.collection(), len(kept)))
        grades.append(grade[kept])
        owners.append(np.full(len(kept), t))
        offset += len(kept)

    first = _first_ranks(items[cast["pooled"]], offset)
    names = tuple(str(like.first_topic + t) for t in range(like.topics))
    several = variations > 1
    track = Synthetic(
        kind=kind,
        seed=seed,
        systems=cast["name"],
        groups=cast["group"],
        types=cast["type"],
        pooled=cast["pooled"],
        decimals=tuple(
            0 if odd.get("tied") == name else STYLES[family][2]
            for name, family in zip(cast["name"], cast["family"], strict=True)
        ),
        queries=tuple(f"{t}-{v + 1}" if several else t for t in names for v in range(variations)),
        topics=names,
        variations=variations,
        topic_of_query=np.repeat(np.arange(like.topics), variations),
        texts=_texts(like.topics, variations, np.random.default_rng([seed, 4])),
        items=items,
        scores=scores,
        ranks=ranks,
        docs=np.concatenate(docs),
        topic_of_item=np.concatenate(owners),
        grade=np.concatenate(grades),
        first=first,
        judged=first < like.pool_depth,
        second=_second_opinion(np.concatenate(grades), np.random.default_rng([seed, 5])),
        pool_depth=like.pool_depth,
        oddities=odd,
    )
    for value in vars(track).values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return track


def _second_opinion(grade, rng):
    """The grades that another assessor gives: both find about half of what either finds (Voorhees, IPM 2000)."""
    draw = rng.random(len(grade))
    return np.where(grade > 0, np.where(draw < KEPT, grade, 0), draw < ADDED).astype(grade.dtype)


def pool_profile(track, depths=DEPTHS):
    """Documents, and by the truth relevant ones, in the pool at each depth: two int arrays (T, D)."""
    bins = np.arange(len(track.topics) + 1)
    sizes, relevant = [], []
    for depth in depths:
        inside = track.first < depth
        sizes.append(np.histogram(track.topic_of_item[inside], bins)[0])
        relevant.append(np.histogram(track.topic_of_item[inside & (track.grade > 0)], bins)[0])
    return np.array(sizes).T, np.array(relevant).T


def pool_shares(track, depths=DEPTHS):
    """Share of relevant documents in the pool at each depth, the mean of the topics' shares, (D,); LMC17, table 1."""
    sizes, relevant = pool_profile(track, depths)
    return (relevant / sizes).mean(axis=0)


# --- files


def write(track, folder, gz=True, *, naming="run"):
    """Files runs/*, qrels*, systems.tsv and queries.tsv: the same bytes for the same track.

    With several variations of a query, `naming="run"` writes a file per variation (`SYS.v2`, whose queries are the
    topics) and `"query"` one file per system (whose queries are `401-2`).
    """
    if naming not in ("run", "query"):
        raise ValueError(f"no naming {naming!r}. Known: run, query.")
    folder = Path(folder)
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    names = track.docs.astype("U").astype(object)
    runs = _run_files(track, naming)
    for tag, s, queries, labels in runs:
        _put(folder / "runs" / tag, _run_text(track, names, tag, s, queries, labels), gz)
    _put(folder / "qrels.txt", _qrels_text(track, names, track.judged), False)
    reread = track.first < min(SECOND_DEPTH, track.pool_depth)
    _put(folder / "qrels.second.txt", _qrels_text(track, names, reread, track.second), True)
    _put(folder / "qrels.complete.txt", _qrels_text(track, names, track.topic_of_item >= 0), True)
    _put(
        folder / "systems.tsv",
        _rows(
            ["run", "group", "pooled", "type"],
            ((tag, track.groups[s], int(track.pooled[s]), track.types[s]) for tag, s, _, _ in runs),
        ),
        False,
    )
    _put(folder / "queries.tsv", _queries_text(track, naming), False)


def readme(track, command, *, naming="run"):
    """A few lines of Markdown that say what the folder is, how it was made and what is unusual in it."""
    sizes, _ = pool_profile(track, (track.pool_depth,))
    odd = {
        "tied": "nearly all scores tied",
        "ragged": "lists of different lengths",
        "short": "a few documents a topic",
        "missing": "misses a topic",
        "from zero": "ranks from 0",
    }
    lines = [
        f"# A synthetic {track.kind} track",
        "",
        "Nothing here comes from a real system, collection or assessor. It was made by",
        "",
        f"    {command}",
        "",
        f"{len(track.systems)} systems of {len(set(track.groups))} groups, {len(track.topics)} topics"
        + (f", {track.variations} variations of each query" if track.variations > 1 else "")
        + ".",
        f"`qrels.txt` judges what {track.pooled.sum()} pooled systems have down to rank {track.pool_depth}: "
        f"{track.judged.sum():,} judgments, {sizes.mean():.0f} a topic.",
        "`qrels.complete.txt.gz` is the truth: every document that any run retrieved and every relevant one, "
        "with the same grades.",
        f"`qrels.second.txt.gz` is another assessor's reading of the pool down to rank "
        f"{min(SECOND_DEPTH, track.pool_depth)}.",
    ]
    if track.variations > 1:
        lines.append(
            "Each variation has run files of its own, `SYSTEM.v1` and so on."
            if naming == "run"
            else "A query is named by its topic and its variation, as in `401-2`."
        )
    newcomers = [
        g
        for g in dict.fromkeys(track.groups)
        if not any(p for p, group in zip(track.pooled, track.groups, strict=True) if group == g)
    ]
    if newcomers:
        lines.append(
            f"The groups {' and '.join(newcomers)} were not pooled: good systems that find what nobody else finds, "
            "so `qrels.txt` underrates them."
        )
    if track.oddities:
        lines += [
            "",
            "Unusual, as in real tracks: "
            + "; ".join(f"`{name}` ({odd[what]})" for what, name in track.oddities.items())
            + ".",
        ]
    return "\n".join(lines) + "\n"


def _run_files(track, naming):
    """(tag, system, its queries, their labels in the file) of every run file."""
    queries = np.arange(len(track.queries))
    if track.variations == 1 or naming == "query":
        return [(name, s, queries, track.queries) for s, name in enumerate(track.systems)]
    return [
        (f"{name}.v{v + 1}", s, queries[v :: track.variations], track.topics)
        for s, name in enumerate(track.systems)
        for v in range(track.variations)
    ]


def _run_text(track, names, tag, s, queries, labels):
    """The lines of a run file, each list by its rank column."""
    line = f"%s Q0 %s %d %.{track.decimals[s]}f {tag}\n"
    blocks = []
    for q, label in zip(queries, labels, strict=True):
        ranks = track.ranks[s, q]
        order = np.argsort(ranks, kind="stable")[np.count_nonzero(ranks < 0) :]
        rows = zip(
            itertools.repeat(label),
            names[track.items[s, q, order]],
            ranks[order].tolist(),
            track.scores[s, q, order].tolist(),
        )
        blocks.append(line * len(order) % tuple(itertools.chain.from_iterable(rows)))
    return "".join(blocks)


def _qrels_text(track, names, kept, grade=None):
    """Judgments of the kept items by topic, then by document name; the track's own grades, or others (N,)."""
    topics = np.array(track.topics, object)[track.topic_of_item[kept]]
    grades = (track.grade if grade is None else grade)[kept].tolist()
    return "".join(f"{t} 0 {d} {g}\n" for t, d, g in zip(topics, names[kept], grades, strict=True))


def _queries_text(track, naming):
    """The queries table; under `naming="run"` the files of all variations call a query by its topic."""
    rows = []
    for q, t in enumerate(track.topic_of_query):
        topic, v = track.topics[t], q % track.variations + 1
        if track.variations == 1:
            rows.append((topic, topic, track.texts[q]))
        else:
            rows.append((topic if naming == "run" else track.queries[q], topic, v, track.texts[q]))
    return _rows(["query", "topic", "text"] if track.variations == 1 else ["query", "topic", "variation", "text"], rows)


def _rows(header, rows):
    """Tab-separated lines under a header."""
    return "".join("\t".join(map(str, row)) + "\n" for row in itertools.chain([header], rows))


def _put(path, text, gz):
    """Text in a file, or in `path`.gz without the time, so that equal text makes equal bytes."""
    data = text.encode()
    if gz:
        path, data = path.with_name(path.name + ".gz"), gzip.compress(data, 9, mtime=0)
    path.write_bytes(data)


# --- who takes part


def _check_sizes(like, variations):
    """ValueError when the sizes contradict each other."""
    for name in ("systems", "groups", "topics", "length", "pool_depth"):
        if getattr(like, name) < 1:
            raise ValueError(f"{name}={getattr(like, name)}: at least 1.")
    if variations < 1:
        raise ValueError(f"variations={variations}: at least 1.")
    if like.length > like.universe // 4:
        raise ValueError(f"length={like.length}: at most {like.universe // 4} ranks.")
    if like.groups > min(like.systems, len(TEAMS)):
        raise ValueError(
            f"groups={like.groups}: at most {min(like.systems, len(TEAMS))}, one for each system and each known name."
        )
    most = like.systems - 2 * _newcomers(like)
    if not 1 <= like.pooled <= most:
        raise ValueError(f"pooled={like.pooled}: between 1 and {most} of {like.systems} systems.")


def _newcomers(like):
    """How many groups, of two systems each, came after the pool was judged."""
    return 2 if like.groups >= 6 and like.systems - like.pooled >= 4 else 0


def _stratified(rng, n):
    """Normal deviates at n even quantiles in random order: every seed gets its easy and hard, good and weak ones."""
    return scipy.stats.norm.ppf((rng.permutation(n) + 0.5) / n)


def _cast(like, rng):
    """The systems: name, group, family, type, pooled, quality, insight, each of length S, group by group."""
    late = _newcomers(like)
    teams = rng.choice(TEAMS, like.groups, replace=False)
    regular = like.groups - late
    more = like.systems - 2 * late - regular
    # Each team has one run; the others are drawn from a hat with as many lots for each team.
    hat = np.repeat(np.arange(regular), max(6, -(-2 * more // regular)))
    sizes = 1 + np.bincount(rng.choice(hat, more, replace=False), minlength=regular)
    sizes = np.append(sizes, np.full(late, 2))
    group_level, own_level = _stratified(rng, like.groups), _stratified(rng, like.systems)

    families = [name for name in STYLES if name != "manual"]
    name, group, family = [], [], []
    for g, (team, size) in enumerate(zip(teams, sizes, strict=True)):
        habits = list(rng.permutation(families))
        if g >= regular:
            habits = ["dense", "rerank"]
        elif g % 4 == 1:
            habits[1] = "manual"
        # A team varies its main approach and tries a few others.
        chosen = [habits[(0, 1, 0, 2, 0, 1, 3, 0)[i % 8] % len(habits)] for i in range(size)]
        for i, one in enumerate(chosen):
            again = chosen[:i].count(one)
            name.append(f"{team}-{one}" + (f"-{again + 1}" if again else ""))
            group.append(str(team))
            family.append(str(one))

    which = np.repeat(np.arange(like.groups), sizes)
    newcomer = which >= regular
    place = np.concatenate([np.arange(size) for size in sizes])
    # Each team has its first runs pooled: the largest `place` values stay out.
    out = np.argsort(-(place + rng.random(like.systems)) - 1e6 * newcomer, kind="stable")[: like.systems - like.pooled]
    pooled = np.ones(like.systems, bool)
    pooled[out] = False

    mean, spread = like.quality
    lift = np.array([STYLES[one][3] for one in family])
    level = 0.8 * group_level[which] + 0.3 * own_level + 0.6 * lift
    # The pooled systems of every seed are equally good and equally different.
    quality = mean + spread * (level - level[pooled].mean()) / max(level[pooled].std(), 0.1)
    quality = np.where(newcomer, mean + spread * (2.0 + 0.2 * own_level), quality)
    insight = np.array([STYLES[one][4] for one in family])
    return {
        "name": tuple(name),
        "group": tuple(group),
        "family": tuple(family),
        "pooled": pooled,
        "newcomer": newcomer,
        "type": tuple("manual" if one == "manual" else "automatic" for one in family),
        "which_group": which,
        "which_family": np.array([list(STYLES).index(one) for one in family]),
        "quality": np.maximum(quality, 0.15 * mean),
        "insight": np.where(newcomer, 0.6, insight),
    }


def _odd_systems(cast, like, rng):
    """What is unusual -> the system that it befalls: four pooled ones and, where there is one, an unpooled one."""
    inside = rng.permutation(np.flatnonzero(cast["pooled"] & (np.array(cast["type"]) == "automatic")))
    outside = rng.permutation(np.flatnonzero(~cast["pooled"] & ~cast["newcomer"]))
    whats = ("tied", "ragged", "missing", "from zero")
    odd = {what: cast["name"][s] for what, s in zip(whats, inside, strict=False)}
    if len(outside):
        odd["short"] = cast["name"][outside[0]]
    return odd


def _topic_plans(like, rng):
    """Per topic: how many relevant documents it has and how easily they are found."""
    median, sigma, least, most = like.relevant
    counts = np.clip(np.rint(median * np.exp(sigma * _stratified(rng, like.topics))), least, most).astype(int)
    return list(zip(counts, like.findability[0] + like.findability[1] * _stratified(rng, like.topics), strict=True))


def _texts(topics, variations, rng):
    """A short query for each topic, and other ways to ask the same."""
    pairs = rng.permutation(list(itertools.product(SUBJECTS, ASPECTS)))
    ways = (
        "{s} {a}",
        "{a} of {s}",
        "what is known about {s} and {a}",
        "{s}",
        "{a} in the {s} trade",
        'reports {s} "{a}"',
        "who decides on {a} for {s}",
        "{s} {a} news",
    )
    return tuple(
        ways[v % len(ways)].format(s=pairs[t % len(pairs)][0], a=pairs[t % len(pairs)][1])
        for t in range(topics)
        for v in range(variations)
    )


# --- one topic


def _topic(rng, like, cast, plan, t, variations, odd):
    """Documents (S, V, K; -1 = empty), printed scores, printed ranks, and the truth over the topic's universe."""
    count, ease = plan
    n, systems = like.universe, like.systems
    grade = np.where(rng.random(n) < like.junk, -2, 0).astype(np.int8)
    relevant = rng.choice(n, count, replace=False)
    grade[relevant] = 1 + np.searchsorted(np.cumsum(like.grades), rng.random(count)).clip(max=len(like.grades) - 1)
    findability = np.maximum(ease + like.findability[2] * rng.standard_normal(count) + 0.25 * (grade[relevant] - 1), 0)
    gain = cast["quality"][:, None] * findability * _sight(rng, cast, count, like.veiled)
    # Near misses attract weak and good systems alike, so that the top of the pool is not all relevant.
    near = rng.choice(np.flatnonzero(grade <= 0), int(like.lures[0] * count + like.lures[1]), replace=False)
    lure = np.maximum(like.lures[2] * ease + like.findability[2] * rng.standard_normal(len(near)), 0)

    shared = rng.standard_normal(n, dtype=np.float32)
    families = rng.standard_normal((len(STYLES), n), dtype=np.float32)
    teams = rng.standard_normal((like.groups, n), dtype=np.float32)
    # A weak system is weak for reasons of its own: less of what others share, more noise.
    common = np.sqrt(np.clip(cast["quality"] / like.quality[0], 0.4, 1.0))
    parts = common[:, None] ** 2 * np.array(like.taste)
    weights = np.sqrt(np.column_stack([parts, 1 - parts.sum(axis=1)])).astype(np.float32)
    noise = rng.standard_normal((systems, n), dtype=np.float32)
    for s in range(systems):
        noise[s] *= weights[s, 3]
        noise[s] += weights[s, 0] * shared
        noise[s] += weights[s, 1] * families[cast["which_family"][s]]
        noise[s] += weights[s, 2] * teams[cast["which_group"][s]]
    noise[:, near] += lure.astype(np.float32)

    found = np.full((systems, variations, like.length), -1)
    scores, ranks = np.full(found.shape, np.nan), np.full(found.shape, -1, np.int16)
    for v in range(variations):
        score, strength = noise, gain
        if variations > 1:
            # Another wording moves all systems in one direction, and serves the topic better or worse.
            wording = rng.standard_normal(n, dtype=np.float32)
            score = np.float32(0.85) * noise + np.float32(0.45) * wording
            score += np.float32(0.27) * rng.standard_normal(noise.shape, dtype=np.float32)
            strength = gain * np.clip(1 - 0.25 * rng.exponential(), 0.3, 1)
        score[:, relevant] += strength
        for s, name in enumerate(cast["name"]):
            what = next((what for what, one in odd.items() if one == name), None)
            if what == "missing" and t == like.topics // 2:
                continue
            listed = _list(score[s], like.length, STYLES[cast["family"][s]], what, rng)
            k = len(listed[0])
            found[s, v, :k], scores[s, v, :k], ranks[s, v, :k] = listed
    return found, scores, ranks, grade


def _sight(rng, cast, count, veiled):
    """How clearly each system sees each relevant document: (S, count), 1 = as it is."""
    sees = rng.random((len(cast["name"]), count)) < cast["insight"][:, None]
    plain = np.where(cast["newcomer"], 0.85, 1.0)[:, None]
    return np.where(rng.random(count) < veiled, np.where(sees, 1.15, 0.2), plain)


def _list(score, length, style, what, rng):
    """One ranking: documents in trec_eval's order, their printed scores, their printed ranks."""
    documents = _candidates(score, length)
    values = score[documents].astype(float)
    own = np.argsort(-values, kind="stable")[:length]
    documents, values = documents[own], values[own]
    if what == "ragged":
        own = values >= values[0] - rng.uniform(0.6, 2.2)
        documents, values = documents[own], values[own]
    elif what == "short":
        few = rng.integers(6, 16)
        documents, values = documents[:few], values[:few]
    if what == "tied":
        printed = np.ceil(8 * (values - values[-1]) / max(values[0] - values[-1], 1e-9)).clip(1)
        # The best score is for the first eight alike.
        printed[:8] = printed[:8].min()
    elif style[1] is None:
        printed = np.arange(length, length - len(documents), -1.0)
    else:
        shift, scale, decimals = style[:3]
        printed = np.rint((shift + scale * values) * 10**decimals) / 10**decimals
    order = np.lexsort((-documents, -printed))
    return documents[order], printed[order], order + (what != "from zero")


def _candidates(score, length):
    """Documents among which the best `length` certainly are: some twice as many."""
    few = score[::16]
    # A sixteenth of the documents tells where to cut; where it misled, all are candidates.
    count = min(len(few), length // 8 + 8)
    chosen = np.flatnonzero(score >= np.partition(few, -count)[-count])
    return chosen if len(chosen) >= length else np.arange(len(score))


def _names(rng, collection, count):
    """`count` names in order; the documents of a topic are numbered in this order too, so that ties go by name."""
    return collection[np.sort(rng.choice(len(collection), count, replace=False))]


def _first_ranks(items, n):
    """Best rank, from 0, over all lists of `items` (S, Q, K) for each of n items."""
    first = np.full(n, NEVER)
    # Deep to shallow, so that the best rank is written last.
    for k in range(items.shape[2] - 1, -1, -1):
        first[items[:, :, k]] = k
    first[0] = NEVER
    return first


# --- document names


@lru_cache(maxsize=1)
def newswire_names():
    """Names like those of TREC disks 4 and 5, about half a million, sorted as bytes."""
    days = [f"{m:02}{d:02}" for m in range(1, 13) for d in range(1, 29)]
    names = [f"FBIS{part}-{i}" for part, last in ((3, 61578), (4, 68968)) for i in range(1, last + 1)]
    names += [
        f"FR94{day}-{part}-{i:05}"
        for day in days
        for part, last in ((0, 95), (1, 40), (2, 30))
        for i in range(1, last + 1)
    ]
    names += [
        f"FT{year}{quarter}-{i}"
        for year, quarter in itertools.product((91, 92, 93, 94), (1, 2, 3, 4))
        for i in range(1, 13001)
    ]
    names += [f"LA{day}{year}-{i:04}" for day in days for year in (89, 90) for i in range(1, 196)]
    return np.sort(np.array(names, "S"))


@lru_cache(maxsize=1)
def web_names():
    """Names like those of ClueWeb12, 300,000, sorted as bytes."""
    rng = np.random.default_rng(12)
    parts = zip(
        rng.integers(0, 1915, 300_000).tolist(),
        rng.integers(0, 100, 300_000).tolist(),
        rng.integers(0, 33_000, 300_000).tolist(),
        (rng.random(300_000) < 0.1).tolist(),
        strict=True,
    )
    return np.unique(np.array([f"clueweb12-{a:04}{'tw' if tw else 'wb'}-{b:02}-{c:05}" for a, b, c, tw in parts], "S"))


# --- tables

# family -> shift and scale of its scores, decimals printed, lift in quality, insight; scale None = counts down by one
STYLES = {
    "bm25": (4.0, 4.3, 4, 0.0, 0.0),
    "lm": (-9.0, 0.9, 5, -0.1, 0.0),
    "prf": (11.0, 5.7, 6, 0.3, 0.02),
    "dense": (0.31, 0.09, 7, 0.2, 0.05),
    "rerank": (-3.0, 2.1, 6, 0.8, 0.05),
    "fusion": (0.004, 0.0097, 8, 0.5, 0.02),
    "boolean": (100.0, 180.0, 2, -1.3, 0.0),
    "manual": (0.0, None, 0, 0.9, 0.35),
}

# fmt: off
TEAMS = (
    "harbor", "lumen", "quarry", "meridian", "tinder", "alder", "basalt", "cobalt", "delta", "ember", "fjord",
    "granite", "heron", "indigo", "juniper", "kestrel", "larch", "mistral", "nimbus", "osprey", "pumice",
    "quill", "rowan", "saffron", "thistle", "umber", "vesper", "willow", "yarrow", "zephyr", "amber", "birch",
    "cinder", "drift", "estuary", "fern", "glacier", "hazel", "inlet", "jasper", "kelp", "lagoon", "marble",
    "nettle",
)
SUBJECTS = (
    "harbour dredging", "wheat export", "coal mine closures", "river ferries", "satellite launches",
    "dairy quotas", "bridge corrosion", "textile tariffs", "salmon farming", "rail privatisation",
    "airport noise", "cotton subsidies",
)
ASPECTS = (
    "permits", "safety record", "public funding", "court rulings", "effects on employment",
    "environmental damage", "insurance claims", "foreign investors",
)
# fmt: on

_newswire = Kind(
    systems=50,
    pooled=40,
    groups=14,
    topics=50,
    length=1000,
    pool_depth=100,
    first_topic=401,
    collection=newswire_names,
    universe=60_000,
    relevant=(95, 1.05, 4, 450),
    findability=(2.12, 0.5, 0.56),
    lures=(0.835, 0, 0.85),
    taste=(0.658, 0.1, 0.08),
    quality=(1.0, 0.25),
    veiled=0.15,
    grades=(0.75, 0.25),
)

KINDS = {
    "newswire": _newswire,
    "web": Kind(
        systems=38,
        pooled=32,
        groups=12,
        topics=50,
        length=1000,
        pool_depth=20,
        first_topic=201,
        collection=web_names,
        universe=60_000,
        relevant=(490, 1.05, 10, 1200),
        findability=(1.945, 0.5, 0.56),
        lures=(1.48, 0, 0.85),
        taste=(0.59, 0.1, 0.08),
        quality=(1.0, 0.25),
        veiled=0.2,
        grades=(0.6, 0.28, 0.12),
        junk=0.06,
    ),
    # Systems agree less below the top, so that all runs together hold some 30,000 documents a topic, as in TREC-8.
    "benchmark": replace(
        _newswire,
        systems=129,
        pooled=71,
        groups=41,
        universe=120_000,
        findability=(2.8, 0.5, 0.6),
        lures=(0.8, 500, 0.75),
        taste=(0.4, 0.1, 0.08),
    ),
}


# the numeric options of the command line, all but the seed
SIZES = ("systems", "pooled", "groups", "topics", "length", "pool_depth", "variations")


def main(arguments=None):
    """Write a synthetic track, with a README, into a folder."""
    parser = argparse.ArgumentParser(prog="python -m evalcore.synth", description=main.__doc__)
    parser.add_argument("--kind", choices=KINDS, default="newswire")
    parser.add_argument("--seed", type=int, default=1)
    for name in SIZES:
        default = "1" if name == "variations" else "the kind's"
        parser.add_argument("--" + name.replace("_", "-"), type=int, help=f"default: {default}")
    parser.add_argument("--naming", choices=("run", "query"), default="run", help="where a variation is named")
    parser.add_argument("--plain", action="store_true", help="no tied, ragged or otherwise unusual runs")
    parser.add_argument("--no-gz", action="store_true", help="runs as plain text")
    parser.add_argument("--out", required=True, help="folder to write into")
    asked = parser.parse_args(arguments)
    sizes = {name: getattr(asked, name) for name in SIZES if getattr(asked, name) is not None}
    try:
        track = make(asked.kind, asked.seed, **sizes, oddities=not asked.plain)
    except ValueError as error:
        parser.error(str(error))
    write(track, asked.out, not asked.no_gz, naming=asked.naming)
    command = f"{parser.prog} --kind {asked.kind} --seed {asked.seed}"
    command += "".join(f" --{name.replace('_', '-')} {value}" for name, value in sizes.items())
    command += " --naming query" * (asked.naming == "query") + " --plain" * asked.plain + " --no-gz" * asked.no_gz
    Path(asked.out, "README.md").write_text(readme(track, f"{command} --out {asked.out}", naming=asked.naming))


if __name__ == "__main__":
    main()
