"""The model that synthetic tracks are drawn from: kinds of tracks, who takes part, and what a system retrieves.

Every topic has a universe of documents, some of them relevant. A system's score for a document is

    quality * findability * sight  +  shared taste + its family's + its group's + its own noise

where findability is 0 for a document that is not relevant (near misses have some, the same for every system), and sight
says whether this system can recognise it: a part of the relevant documents is *veiled*, and only systems with insight
(manual runs, new systems) see some of those, each its own. So families resemble each other, weak systems disagree with
all others, and single runs find documents that no other run finds. The judgments underestimate a good system that did
not contribute to the pool; the complete judgments do not.

Percent of the pool that is relevant, the mean of 50 topics' shares: the target (LMC17, table 1), in brackets what comes
out (mean of seeds 1 to 8 at length 100; no seed is off by more than 2.4), and the documents in a topic's pool:

    at depth            10          20          30         100   pool at 100
    newswire     25 (25.0)   18 (19.2)   15 (16.0)     7 (7.9)         1,356
    web          41 (40.7)   36 (36.6)   33 (34.0)   25 (24.7)           973
"""

from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy

from sample_data import names

JUDGES = {  # invented language models -> how they judge
    "lenient-model": "is lenient",
    "neural-model": "favours systems of type neural",
    "erratic-model": "judges the hardest third of the topics at random",
}
BIAS, NEAR_TOP = 0.7, 5  # what share of what neural systems have in their first ranks the second finds relevant
KEPT, ADDED = 0.65, 0.04  # the shares of relevant documents, and of others, that the second assessor finds relevant


@dataclass(frozen=True)
class Kind:
    """The size and the parameters of one kind of track; `KINDS` has the calibrated ones."""

    name: str
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
    veiled: float  # share of the relevant documents that most systems do not recognise
    grades: tuple  # shares of grades 1, 2, ... among the relevant documents
    junk: float = 0.0  # share of grade -2 among the documents that are not relevant
    lift: float = 0.25  # how much easier than grade 1 each further grade is found
    spread: float = 0.25  # standard deviation of the quality of the pooled systems, around 1
    variations: int = 1  # queries of each topic
    teaches: bool = False  # whether its README says what it shows, see `lessons`

    def __post_init__(self):
        for name in ("systems", "groups", "topics", "length", "pool_depth", "variations"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: at least 1.")
        if self.length > self.universe // 4:
            raise ValueError(f"length={self.length}: at most {self.universe // 4} ranks.")
        most = min(self.systems, len(names.TEAMS))
        if self.groups > most:
            raise ValueError(f"groups={self.groups}: at most {most}, one for each system and each known name.")
        most = self.systems - 2 * self.late_groups
        if not 1 <= self.pooled <= most:
            raise ValueError(f"pooled={self.pooled}: between 1 and {most} of {self.systems} systems.")

    @property
    def late_groups(self):
        """How many groups, of two systems each, came after the pool was judged."""
        return 2 if self.groups >= 6 and self.systems - self.pooled >= 4 else 0


# fmt: off
_newswire = Kind(
    "newswire", systems=50, pooled=40, groups=14, topics=50, length=1000, pool_depth=100,
    first_topic=401, collection=names.newswire, universe=60_000,
    relevant=(95, 1.05, 4, 450), grades=(0.75, 0.25), veiled=0.15,
    findability=(2.12, 0.5, 0.56), lures=(0.835, 0, 0.85), taste=(0.658, 0.1, 0.08),
)
_web = Kind(
    "web", systems=38, pooled=32, groups=12, topics=50, length=1000, pool_depth=20,
    first_topic=201, collection=names.web, universe=60_000,
    relevant=(490, 1.05, 10, 1200), grades=(0.6, 0.28, 0.12), junk=0.06, veiled=0.2,
    findability=(1.945, 0.5, 0.56), lures=(1.48, 0, 0.85), taste=(0.59, 0.1, 0.08),
)
# A web track that shows in a lecture what pools do: systems closer together, fewer relevant documents and these found
# the more easily the better they are, so that scores look like those of real tracks; errors of their own, which fusion
# evens out; and more that only some systems recognise, so that the pool underrates whom it did not meet.
_lecture = replace(
    _web, name="web-lecture", teaches=True, spread=0.085, lift=0.7,
    relevant=(110, 0.6, 30, 400), grades=(0.65, 0.3, 0.05), veiled=0.27,
    findability=(2.15, 0.35, 0.5), lures=(1.3, 0, 0.78), taste=(0.48, 0.1, 0.08),
)
# Systems agree less below the top, so that all runs together hold some 30,000 documents a topic, as in TREC-8.
_benchmark = replace(
    _newswire, name="benchmark", systems=129, pooled=71, groups=41, universe=120_000,
    findability=(2.8, 0.5, 0.6), lures=(0.8, 500, 0.75), taste=(0.4, 0.1, 0.08),
)
# fmt: on
KINDS = {kind.name: kind for kind in (_newswire, _web, _lecture, _benchmark)}

# How a family prints its scores (scale None = counts down by one), its lift in quality, and its insight.
Style = namedtuple("Style", "shift scale decimals lift insight")
STYLES = {
    "bm25": Style(4.0, 4.3, 4, 0.0, 0.0),
    "lm": Style(-9.0, 0.9, 5, -0.1, 0.0),
    "prf": Style(11.0, 5.7, 6, 0.3, 0.02),
    "dense": Style(0.31, 0.09, 7, 0.2, 0.05),
    "rerank": Style(-3.0, 2.1, 6, 0.8, 0.05),
    "fusion": Style(0.004, 0.0097, 8, 0.5, 0.02),
    "boolean": Style(100.0, 180.0, 2, -1.3, 0.0),
    "manual": Style(0.0, None, 0, 0.9, 0.35),
}


TYPES = {"dense": "neural", "rerank": "neural", "fusion": "fusion", "manual": "manual"}  # others are lexical


# --- who takes part


@dataclass(frozen=True)
class Systems:
    """Who takes part: S systems, group by group."""

    names: tuple
    groups: tuple
    families: np.ndarray  # of STYLES (S,)
    group_of_system: np.ndarray  # int (S,)
    pooled: np.ndarray  # bool (S,)
    newcomer: np.ndarray  # bool (S,), of a group that came after the pool was judged
    quality: np.ndarray  # float (S,)
    insight: np.ndarray  # float (S,)


def systems(kind, rng):
    """The systems of a track."""
    late = kind.late_groups
    regular, more = kind.groups - late, kind.systems - kind.groups - late
    teams = rng.choice(names.TEAMS, kind.groups, replace=False)
    # Each team has one run; the others are drawn from a hat with as many lots for each team.
    hat = np.repeat(np.arange(regular), max(6, -(-2 * more // regular)))
    sizes = [*(1 + np.bincount(rng.choice(hat, more, replace=False), minlength=regular)), *[2] * late]
    group_level, own_level = _stratified(rng, kind.groups), _stratified(rng, kind.systems)

    rows = []
    for g, team in enumerate(teams.tolist()):
        habits = rng.permutation([family for family in STYLES if family != "manual"]).tolist()
        if g >= regular:
            habits = ["dense", "rerank"]
        elif g % 4 == 1:
            habits[1] = "manual"
        # A team varies its main approach and tries a few others.
        chosen = [habits[(0, 1, 0, 2, 0, 1, 3, 0)[i % 8] % len(habits)] for i in range(sizes[g])]
        for i, family in enumerate(chosen):
            again = chosen[:i].count(family)
            rows.append((f"{team}-{family}" + f"-{again + 1}" * (again > 0), team, family, g, i))
    system, team, family, group, nth = zip(*rows, strict=True)
    family, group, nth = np.array(family), np.array(group), np.array(nth)
    lift, insight = np.transpose([STYLES[one][-2:] for one in family])
    newcomer = group >= regular

    # Each team has its first runs pooled, and new systems none.
    last_first = np.argsort(-(nth + rng.random(kind.systems)) - 1e6 * newcomer, kind="stable")
    pooled = np.ones(kind.systems, bool)
    pooled[last_first[: kind.systems - kind.pooled]] = False

    level = 0.8 * group_level[group] + 0.3 * own_level + 0.6 * lift
    # The pooled systems of every seed are equally good and equally different.
    quality = 1 + kind.spread * (level - level[pooled].mean()) / max(level[pooled].std(), 0.1)
    quality = np.maximum(np.where(newcomer, 1 + kind.spread * (2.0 + 0.2 * own_level), quality), 0.15)
    return Systems(system, team, family, group, pooled, newcomer, quality, np.where(newcomer, 0.6, insight))


def oddities(systems, rng):
    """The system (index) -> what is unusual about it: four pooled ones and, where there is one, an unpooled one."""
    inside = rng.permutation(np.flatnonzero(systems.pooled & (systems.families != "manual"))).tolist()
    outside = rng.permutation(np.flatnonzero(~systems.pooled & ~systems.newcomer)).tolist()
    odd = zip(inside, ("tied", "ragged", "missing", "from zero"), strict=False)
    return dict(odd) | dict.fromkeys(outside[:1], "short")


def _stratified(rng, n):
    """Normal deviates at n even quantiles in random order: every seed gets its easy and hard, good and weak ones."""
    return scipy.stats.norm.ppf((rng.permutation(n) + 0.5) / n)


# --- topics


def topics(kind, rng):
    """How many relevant documents each topic has, and how easily they are found: T pairs."""
    median, sigma, least, most = kind.relevant
    mean, spread, _ = kind.findability
    counts = np.clip(np.rint(median * np.exp(sigma * _stratified(rng, kind.topics))), least, most).astype(int)
    return zip(counts, mean + spread * _stratified(rng, kind.topics), strict=True)


def second_opinion(grade, rng):
    """The grades that another assessor gives: both find about half of what either finds (Voorhees, IPM 2000)."""
    draw = rng.random(len(grade))
    return np.where(grade > 0, np.where(draw < KEPT, grade, 0), draw < ADDED).astype(grade.dtype)


def judges(rng, grade, topic, favoured):
    """The grades that three invented language models give: name, see `JUDGES` -> int8 (N,).

    topic : (N,), -1 for the empty place; favoured : bool (N,), what the second finds relevant whatever it is
    """

    def alike(kept, added):
        """Grades as they are, but for so many that are missed or added."""
        draw = rng.random(len(grade))
        return np.where(grade > 0, np.where(draw < kept, grade, 0), draw < added).astype(grade.dtype)

    lenient, biased, erratic = alike(0.97, 0.25), alike(0.92, 0.03), alike(0.92, 0.03)
    biased[favoured & (biased <= 0) & (rng.random(len(grade)) < BIAS)] = 2
    relevant = np.bincount(topic[1:], grade[1:] > 0)
    hard = np.isin(topic, np.argsort(relevant, kind="stable")[: len(relevant) // 3])
    erratic[hard] = rng.permutation(erratic[hard])
    return dict(zip(JUDGES, (lenient, biased, erratic), strict=True))


def favoured(systems, items, count):
    """Which of so many items a neural system ranks at the top. bool (N,). items : int (S, Q, K)"""
    neural = [TYPES.get(family) == "neural" for family in systems.families]
    found = np.bincount(items[neural][:, :, :NEAR_TOP].ravel(), minlength=count) > 0
    found[0] = False
    return found


def retrieved(rng, kind, systems, odd, count, ease):
    """What every system retrieves for the queries of a topic, and the grades of all documents.

    odd : {system: what is unusual about it here}
    -> documents of the universe, int (S, V, K), in the order of the file, -1 after the end; the scores as they are
       printed, NaN there; the grade of each document of the universe, int8
    """
    grade = np.where(rng.random(kind.universe) < kind.junk, -2, 0).astype(np.int8)
    relevant = rng.choice(kind.universe, count, replace=False)
    grade[relevant] = 1 + np.searchsorted(np.cumsum(kind.grades), rng.random(count)).clip(max=len(kind.grades) - 1)
    spread = kind.findability[2]
    findability = np.maximum(ease + spread * rng.standard_normal(count) + kind.lift * (grade[relevant] - 1), 0)
    gain = systems.quality[:, None] * findability * _sight(rng, systems, count, kind.veiled)
    # Near misses attract weak and good systems alike, so that the top of the pool is not all relevant.
    per_relevant, besides, attraction = kind.lures
    near = rng.choice(np.flatnonzero(grade <= 0), int(per_relevant * count + besides), replace=False)
    lure = np.maximum(attraction * ease + spread * rng.standard_normal(len(near)), 0)
    taste = _taste(rng, kind, systems)
    taste[:, near] += lure.astype(np.float32)

    documents = np.full((kind.systems, kind.variations, kind.length), -1)
    printed = np.full(documents.shape, np.nan)
    for v in range(kind.variations):
        score, strength = _reworded(rng, taste, gain) if kind.variations > 1 else (taste, gain)
        score[:, relevant] += strength
        for s, family in enumerate(systems.families):
            if odd.get(s) != "missing":
                ranking = _ranking(rng, score[s], kind.length, STYLES[family], odd.get(s))
                documents[s, v, : len(ranking[0])], printed[s, v, : len(ranking[0])] = ranking
    return documents, printed, grade


def _sight(rng, systems, count, veiled):
    """How clearly each system sees each relevant document: (S, count), 1 = as it is."""
    sees = rng.random((len(systems.names), count)) < systems.insight[:, None]
    plain = np.where(systems.newcomer, 0.85, 1.0)[:, None]
    return np.where(rng.random(count) < veiled, np.where(sees, 1.15, 0.2), plain)


def _taste(rng, kind, systems):
    """What a document has for each system besides being relevant: float32 (S, universe), of variance 1."""
    shared, families, groups, own = (
        rng.standard_normal((rows, kind.universe), dtype=np.float32)
        for rows in (1, len(STYLES), kind.groups, kind.systems)
    )
    # A weak system is weak for reasons of its own: less of what others share, more noise.
    common = np.sqrt(np.clip(systems.quality, 0.4, 1.0))
    parts = common[:, None] ** 2 * np.array(kind.taste)
    weights = np.sqrt(np.column_stack([parts, 1 - parts.sum(axis=1)])).astype(np.float32)
    own *= weights[:, 3:]
    own += weights[:, :1] * shared
    own += weights[:, 1:2] * families[[list(STYLES).index(family) for family in systems.families]]
    own += weights[:, 2:3] * groups[systems.group_of_system]
    return own


def _reworded(rng, taste, gain):
    """Taste and gain under another wording, which moves all systems in one direction and serves the topic less well."""
    wording = rng.standard_normal(taste.shape[1], dtype=np.float32)
    moved = np.float32(0.85) * taste + np.float32(0.45) * wording
    moved += np.float32(0.27) * rng.standard_normal(taste.shape, dtype=np.float32)
    return moved, gain * np.clip(1 - 0.25 * rng.exponential(), 0.3, 1)


def _ranking(rng, score, length, style, oddity):
    """One ranking, the best first: documents, and their scores as they are printed."""
    documents = np.flatnonzero(score >= np.partition(score, -length)[-length])
    documents = documents[np.argsort(-score[documents], kind="stable")][:length]
    values = score[documents].astype(float)
    if oddity == "ragged":
        end = np.count_nonzero(values >= values[0] - rng.uniform(0.6, 2.2))
    else:
        end = rng.integers(6, 16) if oddity == "short" else length
    documents, values = documents[:end], values[:end]
    if oddity == "tied":
        printed = np.ceil(8 * (values - values[-1]) / max(values[0] - values[-1], 1e-9)).clip(1)
        printed[:8] = printed[:8].min()  # the best score is for the first eight alike
        return documents, printed
    if style.scale is None:
        return documents, np.arange(length, length - len(documents), -1.0)
    return documents, np.rint((style.shift + style.scale * values) * 10**style.decimals) / 10**style.decimals
