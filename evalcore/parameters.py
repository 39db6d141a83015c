"""The parameters of the questions: each one once, with what it may be and what it means.

`asking.ask` reads every value here; the command line, the pickers and the reference take words and meanings from here.
The same argument means the same everywhere; where a question gives it a range of its own, its row is `question.name`.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from evalcore import values
from evalcore.checking import suspects
from evalcore.comparing.agreement import LEVELS, WEIGHTS
from evalcore.comparing.anova import INTERVALS, MODELS
from evalcore.comparing.regimes import regime
from evalcore.comparing.significance import CORRECTIONS, TESTS
from evalcore.estimating.estimators import canonical
from evalcore.fused_runs import OVER
from evalcore.fusion import NORMALISATIONS, rule
from evalcore.judging_orders import JUDGING_ORDERS
from evalcore.metrics import metric
from evalcore.names import LONGEST_NUMBER
from evalcore.scoring import UNJUDGED


@dataclass(frozen=True)
class Kind:
    """What a value may be.

    read : (name, value) -> the value in full; raises ValueError, in words, for what cannot be
    word : what one word of the command line means; many : whether it takes several
    alone : of those that take several, what one word alone means where that is no list of one; None = it is
    """

    read: Callable
    word: Callable = str
    many: bool = False
    alone: Callable | None = None
    flag: bool = False


@dataclass(frozen=True)
class Parameter:
    """One row: the meaning is a line for people; None means what `nothing` says, where that says anything."""

    name: str
    kind: Kind
    meaning: str
    nothing: str = ""

    def read(self, value):
        """The value in full, as plain values."""
        value = value.tolist() if hasattr(value, "tolist") else value
        value = list(value) if isinstance(value, tuple) else value
        return None if value is None and self.nothing else self.kind.read(self.name.split(".")[-1], value)


# ---------------------------------------------------------------------------------------------------------------------
# Words of the command line


def _count(word):
    """A whole number, or None for `all`."""
    if word != "all" and not word.isdecimal():
        raise ValueError(f"{word!r} is neither a whole number nor all; put blanks between several")
    if len(word) > LONGEST_NUMBER and word != "all":
        raise ValueError(f"a number of {len(word):,} digits; {LONGEST_NUMBER} are the most")
    return None if word == "all" else int(word)


def _number(word):
    """A number where it is one."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(word)
    return word


# ---------------------------------------------------------------------------------------------------------------------
# Kinds


def _as_it_is(name, value):
    return value


def _named(read):
    """A name that is written in full: `P@10` for `p_10`."""
    return lambda name, value: read(value).name


def _list_of(kind, such_as, *, kept=False):
    """A list; kept : its names stay as they were given, for rows are found by them."""

    def read(name, some):
        some = [_plain(one) for one in values.listed(name, some, such_as)]
        made = [one if one is None else kind.read(name.removesuffix("s"), one) for one in some]
        return some if kept else made

    return Kind(read, kind.word, many=True)


def _plain(value):
    return value.item() if hasattr(value, "item") else value


def _row_of(table, what):
    known = dict.fromkeys(table)

    def read(name, value):
        values.row_of(known, what, value)
        return value

    return Kind(read)


def _one_of(*known):
    return Kind(lambda name, value: values.one_of(name, value, known))


def _weight(name, value):
    if value not in (1, "rho") or isinstance(value, bool):
        raise ValueError(f'{name}={value!r} cannot be; it is 1 or "rho".')
    return value


def _shallow(name, value):
    if not isinstance(value, str):
        return values.threshold(name, value)
    said = None if value == "all" else regime(value)
    if said and ((said.depth is None and said.judgments is None) or said.qrels):
        raise ValueError(f"{name}={value!r} is no cut; write depth=10 or judgments=1000.")
    return value


def _consistency_or_metric(name, value):
    return value if value == "consistency" else metric(value).name


def _fused_by(name, value):
    rule(value)
    return value  # as it was given, for phi and normalisation may complete it


METRIC = Kind(_named(metric))
ESTIMATOR = Kind(lambda name, value: canonical(value))
RULE = Kind(_fused_by)
COUNT = Kind(values.count, _count)
THRESHOLD = Kind(values.threshold, _count)
LEVEL = Kind(values.level, _number)
PERSISTENCE = Kind(values.persistence, _number)
INNER = Kind(values.persistence_within, _number)
SEED = Kind(values.seed, _number)
NAME = Kind(lambda name, value: str(value))
TEXT = Kind(_as_it_is)
MODEL = _row_of(MODELS, "model")
SYSTEMS = Kind(
    _as_it_is, many=True, alone=lambda word: word if word in ("all", "pooled", "unpooled") else None
)  # the study knows the names

SAME_CUT = "a pool depth; never with a count of judgments"
PARAMETERS = {
    row.name: row
    for row in (
        # what is measured, on what
        Parameter("metric", METRIC, "the measure, such as RBP(p=0.95)"),
        Parameter("metrics", _list_of(METRIC, "AP"), "the measures"),
        Parameter("depth", THRESHOLD, SAME_CUT, "all judgments"),
        Parameter("depths", _list_of(THRESHOLD, 10), "pool depths", "1 to the study's depth"),
        Parameter("judgments", THRESHOLD, "how many judgments are in force, in the order of judging", "all"),
        Parameter("estimator", ESTIMATOR, "what unjudged documents are guessed to gain, such as interpolated(C=0.42)"),
        Parameter("final_estimator", ESTIMATOR, "the guess of what the truth leaves unjudged", "the same as above it"),
        Parameter("estimators", _list_of(ESTIMATOR, "lower", kept=True), "the guesses"),
        Parameter("unjudged", _one_of(*UNJUDGED), "irrelevant; or condensed: unjudged documents are taken out"),
        Parameter("systems", SYSTEMS, "all, pooled, unpooled, or names"),
        Parameter("system", NAME, "a system"),
        Parameter("topic", NAME, "a topic", "the first, or every one"),
        Parameter("query", NAME, "a query of the topic", "its first"),
        Parameter("other", TEXT, "a second qrels", "the one that the study has"),
        Parameter("theirs", TEXT, "the scores that another program printed, a file", "those that the study has"),
        Parameter("k", COUNT, "how many ranks are looked at", "all"),
        Parameter("level", LEVEL, "the level of significance"),
        Parameter("seed", SEED, "of whatever is drawn at random; the same seed draws the same"),
        Parameter("repeats", COUNT, "how often it is drawn"),
        Parameter("resamples", COUNT, "how many samples are drawn"),
        Parameter("by", _one_of("run", "group"), "whether systems or their groups are left out of the pool"),
        # estimates
        Parameter("reference_depth", THRESHOLD, "down to which rank the reference looks", "all ranks of the metric"),
        Parameter("theta", Kind(values.not_negative, _number), "the threshold of the gamma test; 0 adjusts all topics"),
        Parameter("rate", Kind(values.share, _number), "the share of the deeper pool that is drawn"),
        # comparisons
        Parameter("regimes", _list_of(Kind(_named(regime)), "depth=10 | RBP(p=0.95)", kept=True), "ways of measuring"),
        Parameter("a", TEXT, "a regime, the reference"),
        Parameter("b", TEXT, "another regime"),
        Parameter("weight", Kind(_weight, _number), "what each pair weighs: 1, or rho, its certainty in the reference"),
        Parameter("shallow", Kind(_shallow), "the few judgments: depth=10 or judgments=1000"),
        Parameter("test", _row_of(TESTS, "test"), "the test of a pair of systems over topics"),
        Parameter("correction", _row_of(CORRECTIONS, "correction"), "for asking about many pairs"),
        # confidence
        Parameter("model", MODEL, "the model of the analysis of variance"),
        Parameter("models", _list_of(MODEL, "MD6"), "the models of the analysis of variance"),
        Parameter("shards", COUNT, "how many even parts of the documents; MD1 takes the whole"),
        Parameter("interval", _row_of(INTERVALS, "interval"), "the kind of interval"),
        Parameter(
            "undefined", Kind(_as_it_is, _number),
            "what a cell with nothing to count holds for every system: a number, mean or median of its topic",
        ),
        # newcomers
        Parameter("widths", _list_of(COUNT, 10), "numbers of systems that form a pool"),
        Parameter(
            "common", Kind(_as_it_is, str, True, lambda word: int(word) if word.isdecimal() else None),
            "the topics on which it is fully judged, or how many to draw",
        ),
        Parameter("system_samples", COUNT, "how many choices of systems"),
        Parameter("topic_samples", COUNT, "how many choices of topics"),
        Parameter("new", TEXT, "who may be the newcomer: all, or a type of the systems table"),
        # judgments
        Parameter("order", _one_of("score", "rank"), "the order of a run", "the study's"),
        Parameter("kind", _one_of("all", *suspects.SUSPECTS), "which kind of suspect"),
        Parameter("top", COUNT, "how many of a kind", "all"),
        Parameter("rel_level", Kind(values.whole, _number), "from which grade both find a document relevant", "grades"),
        Parameter("budget", COUNT, "how many documents", "all"),
        Parameter("orders", _list_of(_row_of(JUDGING_ORDERS, "order"), "depth"), "orders of judging"),
        # fusion and consistency
        Parameter("method", RULE, "how lists are fused, such as rbc(phi=0.9)"),
        Parameter("methods", _list_of(RULE, "rbc", kept=True), "ways of fusing"),
        Parameter("phi", INNER, "the persistence of rank-biased overlap"),
        Parameter("phis", _list_of(PERSISTENCE, 0.9), "persistences, for methods that have one"),
        Parameter("normalisation", _row_of(NORMALISATIONS, "normalisation"), "of scores, where it matters", "min-max"),
        Parameter("over", _one_of(*OVER), "what is fused: systems, the variations of each, or both"),
        Parameter(
            "weights", Kind(_as_it_is, _number, True, lambda word: word if isinstance(word, str) else None),
            "a number for each system, or a column of the queries table", "all weigh the same",
        ),
        Parameter("variations", Kind(_as_it_is, flag=True), "whether the queries of a topic are meant"),
        Parameter("counts", _list_of(COUNT, 5), "numbers of variations", "1 to as many as any topic has"),
        Parameter("of", Kind(_consistency_or_metric), "consistency, or a measure"),
        Parameter("alpha", _one_of(*(level for level in LEVELS if level != "nominal")), "the level of measurement"),
        # where a question has a range of its own
        Parameter("trend.judgments", _list_of(THRESHOLD, 1000), "counts of judgments", "1/64, 1/32, ... and all"),
        Parameter("constants.judgments", _list_of(THRESHOLD, 1000), "counts of judgments", "1/64 to 1/2 of them"),
        Parameter("separability.judgments", _list_of(THRESHOLD, 1000), "counts of judgments", "1/64, 1/32, ..., all"),
        Parameter("shard_stability.shards", _list_of(COUNT, 5), "numbers of shards"),
        Parameter("estimator_error.by", _one_of("all", "group"), "whether each group is estimated without its pool"),
        Parameter("adjustment_experiment.common", _list_of(COUNT, 20), "numbers of topics on which it is fully judged"),
        Parameter("tukey_pairs.method", _row_of(("tukey", "randomised"), "method"), "the range, or random exchanges"),
        Parameter("rank_intervals.method", _row_of(("bootstrap",), "method"), "how other topics are drawn"),
        Parameter("adjust_from_topics.method", _row_of(("t", "bootstrap"), "method"), "of the interval"),
        Parameter("agreement.weights", _one_of(*WEIGHTS), "how much worse a larger disagreement is"),
        *(
            Parameter(f"{question}.phi", PERSISTENCE, "a persistence, where the method does not say it", "its own")
            for question in ("fuse", "fusion_by_count", "fusion_topics")
        ),
    )
}  # fmt: skip


def parameter(question, name):
    """The row of a question's parameter."""
    return PARAMETERS.get(f"{question}.{name}") or PARAMETERS[name]
