"""The parameters of the questions: the valid values and the meaning of each.

`answers.ask` reads every value with this table; the command line, the pickers and the reference show its meanings.
A parameter means the same everywhere; a question that gives it another range has a row `question.name`.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evalcore.checking import suspect_judgments
from evalcore.estimating.estimators import canonical
from evalcore.fusion.fused_runs import OVER
from evalcore.fusion.methods import NORMALISATIONS, rule
from evalcore.metrics.metrics import metric
from evalcore.pooling.checking_orders import ORDERS
from evalcore.pooling.judging_orders import JUDGING_ORDERS
from evalcore.statistics.agreement import LEVELS, WEIGHTS
from evalcore.statistics.anova import INTERVALS, MODELS
from evalcore.statistics.power import DESIGNS
from evalcore.statistics.setups import regime
from evalcore.statistics.significance import CORRECTIONS, TESTS
from evalcore.study.attached import ROLES
from evalcore.study.evaluation import UNJUDGED
from evalcore.vocabulary import validation
from evalcore.vocabulary.registry import LONGEST_NUMBER


@dataclass(frozen=True)
class Kind:
    """The type of a parameter's values.

    read : (name, value) -> the complete value; raises ValueError with a message for an invalid one
    word : the value of one word of the command line; many : whether it takes several words
    alone : if it takes several, the value of a single word that is not a list of one; None = it is
    """

    read: Callable[[str, Any], Any]
    word: Callable[[str], Any] = str
    many: bool = False
    alone: Callable[[str], Any] | None = None
    flag: bool = False


@dataclass(frozen=True)
class Parameter:
    """One row. meaning : one line, for people; nothing : the meaning of None, "" where None is not valid"""

    name: str
    kind: Kind
    meaning: str
    nothing: str = ""

    def read(self, value: Any) -> Any:
        """The complete value, as plain values."""
        value = value.tolist() if hasattr(value, "tolist") else value
        value = list(value) if isinstance(value, tuple) else value
        return None if value is None and self.nothing else self.kind.read(self.name.split(".")[-1], value)


# ---------------------------------------------------------------------------------------------------------------------
# Words of the command line


def _count(word):
    """A whole number, or None for `all`."""
    if word != "all" and not word.isdecimal():
        raise ValueError(f"{word!r} is neither a whole number nor all; separate several values with spaces")
    if len(word) > LONGEST_NUMBER and word != "all":
        raise ValueError(f"the number has {len(word):,} digits; use at most {LONGEST_NUMBER}")
    return None if word == "all" else int(word)


def _number(word):
    """The word as a number if it is one, else as it is."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(word)
    return word


# ---------------------------------------------------------------------------------------------------------------------
# Kinds


def _as_it_is(name, value):
    return value


def _named(read):
    """A reader of names that completes them: `P@10` for `p_10`."""
    return lambda name, value: read(value).name


def _list_of(kind, such_as, *, as_written=False):
    """The kind of a list; as_written : its names stay as written, because rows are found by them."""

    def read(name, values):
        values = [_plain(value) for value in validation.listed(name, values, such_as)]
        parsed = [value if value is None else kind.read(name.removesuffix("s"), value) for value in values]
        return values if as_written else parsed

    return Kind(read, kind.word, many=True)


def _plain(value):
    return value.item() if hasattr(value, "item") else value


def _row_of(table, noun):
    known = dict.fromkeys(table)

    def read(name, value):
        validation.row_of(known, noun, value)
        return value

    return Kind(read)


def _one_of(*known):
    return Kind(lambda name, value: validation.one_of(name, value, known))


def _weight(name, value):
    if value not in (1, "rho") or isinstance(value, bool):
        raise ValueError(f'{name}={value!r} is not valid; write 1 or "rho".')
    return value


def _shallow(name, value):
    if not isinstance(value, str):
        return validation.threshold(name, value)
    setup = None if value == "all" else regime(value)
    if setup and ((setup.depth is None and setup.judgments is None) or setup.qrels):
        raise ValueError(f"{name}={value!r} is not a subset of the judgments; write depth=10 or judgments=1000.")
    return value


def _consistency_or_metric(name, value):
    return value if value == "consistency" else metric(value).name


def _fused_by(name, value):
    rule(value)
    return value  # as written, because phi and normalisation may complete it


METRIC = Kind(_named(metric))
ESTIMATOR = Kind(lambda name, value: canonical(value))
RULE = Kind(_fused_by)
BY_SHARDS = "shard_stability", "models_by_shards", "intervals_compared"  # questions with several numbers of shards
COUNT = Kind(validation.count, _count)
THRESHOLD = Kind(validation.threshold, _count)
LEVEL = Kind(validation.level, _number)
PERSISTENCE = Kind(validation.persistence, _number)
INNER = Kind(validation.persistence_within, _number)
SEED = Kind(validation.seed, _number)
NAME = Kind(lambda name, value: str(value))
TEXT = Kind(_as_it_is)
MODEL = _row_of(MODELS, "model")
SYSTEMS = Kind(
    _as_it_is, many=True, alone=lambda word: word if word in ("all", "pooled", "unpooled") else None
)  # the study knows the names

COMPARISONS = (
    "comparison", "comparison_topics", "comparison_documents", "comparison_overlap", "comparison_metrics",
    "judge_to_decide",
)  # fmt: skip
SAME_CUT = "a pool depth; give either this or a number of judgments"
PARAMETERS = {
    row.name: row
    for row in (
        # what is measured, on what
        Parameter("metric", METRIC, "the metric, such as RBP(p=0.95)"),
        Parameter("metrics", _list_of(METRIC, "AP"), "the metrics"),
        Parameter("depth", THRESHOLD, SAME_CUT, "all judgments"),
        Parameter("depths", _list_of(THRESHOLD, 10), "pool depths", "1 to the study's depth"),
        Parameter("judgments", THRESHOLD, "the number of judgments to use, in the order of judging", "all"),
        Parameter("estimator", ESTIMATOR, "the estimator, such as interpolated(C=0.42)"),
        Parameter("final_estimator", ESTIMATOR, "the estimator of the reference", "the same as estimator"),
        Parameter("estimators", _list_of(ESTIMATOR, "lower", as_written=True), "the estimators"),
        Parameter(
            "unjudged", _one_of(*UNJUDGED),
            "how unjudged documents count: irrelevant, or condensed (removed from rankings)",
        ),
        Parameter(
            "systems", SYSTEMS,
            "all; pooled or unpooled (those that contributed to the pool, or did not); or names",
        ),
        Parameter("system", NAME, "a system"),
        Parameter("topic", NAME, "a topic", "the first, or all"),
        Parameter("query", NAME, "a query of the topic", "the first"),
        *(Parameter(role, TEXT, *row.as_parameter) for role, row in ROLES.items() if row.as_parameter),
        Parameter("k", COUNT, "the number of top ranks to use", "all"),
        Parameter("level", LEVEL, "the significance level alpha: the accepted risk of a false finding"),
        Parameter(
            "limits", Kind(_as_it_is, flag=True),
            "whether to find the ranks that are still possible and who could still be first",
        ),
        Parameter("seed", SEED, "the seed of random samples; the same seed gives the same samples"),
        Parameter("repeats", COUNT, "the number of random samples"),
        Parameter("resamples", COUNT, "the number of resamples of the test or interval"),
        Parameter("by", _one_of("run", "group"), "leave systems or their groups out of the pool: run or group"),
        # estimates
        Parameter(
            "reference_depth", THRESHOLD,
            "the number of top ranks that the reference scores use", "all ranks of the metric",
        ),
        Parameter(
            "theta", Kind(validation.not_negative, _number),
            "a model adjusts only topics whose gamma is above this threshold; 0 adjusts all",
        ),
        Parameter(
            "thetas", _list_of(Kind(validation.not_negative, _number), 0.018),
            "thresholds of gamma, above which a model adjusts a topic",
            "round steps from 0 to the highest gamma",
        ),
        Parameter("rate", Kind(validation.share, _number), "the share of the deeper pool to sample"),
        # comparisons
        Parameter("regimes", _list_of(Kind(_named(regime)), "depth=10 | RBP(p=0.95)", as_written=True), "the setups"),
        Parameter("a", TEXT, "the setup that is the reference"),
        Parameter("b", TEXT, "the setup to compare with it"),
        Parameter(
            "weight", Kind(_weight, _number),
            "the weight of a system pair: 1, or rho, how certain the reference is of its order",
        ),
        Parameter("shallow", Kind(_shallow), "what counts as few judgments: depth=10 or judgments=1000"),
        Parameter("test", _row_of(TESTS, "test"), "the significance test that compares two systems over topics"),
        Parameter("correction", _row_of(CORRECTIONS, "correction"), "the correction for testing many pairs at once"),
        # confidence
        Parameter("model", MODEL, "the model of the analysis of variance, MD1 to MD6"),
        Parameter("models", _list_of(MODEL, "MD6"), "the models of the analysis of variance"),
        Parameter(
            "shards", COUNT,
            "the number of random parts (shards) into which the documents are split; MD1 uses none",
        ),
        Parameter("interval", _row_of(INTERVALS, "interval"), "the kind of interval"),
        Parameter("kinds", _list_of(_row_of(INTERVALS, "interval"), "tukey"), "kinds of interval"),
        Parameter(
            "undefined", Kind(_as_it_is, _number),
            "the score on a shard with nothing to score: a number, or the mean or median of its topic",
        ),
        # new systems
        Parameter("widths", _list_of(COUNT, 10), "numbers of systems that form the pool"),
        Parameter(
            "common", Kind(_as_it_is, str, True, lambda word: int(word) if word.isdecimal() else None),
            "the topics on which the system is fully judged, or how many to draw at random",
        ),
        Parameter("system_samples", COUNT, "how many random choices of systems to draw"),
        Parameter("topic_samples", COUNT, "how many random choices of topics to draw"),
        Parameter("new", TEXT, "which systems may be new: all, or a type of the systems table"),
        Parameter("best", COUNT, "how many of these systems may be new, the best on the metric first", "all of them"),
        Parameter("pools", _one_of("contributing", "all"), "which systems form pools: contributing, or all others"),
        # judgments
        Parameter("order", _one_of("score", "rank"), "what orders a run's documents: score or rank", "as in the study"),
        Parameter("kind", _one_of("all", *suspect_judgments.SUSPECTS), "the kind of suspicious judgments"),
        Parameter("top", COUNT, "how many judgments to list of each kind", "all"),
        Parameter(
            "rel_level", Kind(validation.whole, _number),
            "the lowest relevant grade in both sets of judgments", "compare grades",
        ),
        Parameter("budget", COUNT, "the number of documents to judge", "all"),
        Parameter("orders", _list_of(_row_of(JUDGING_ORDERS, "order"), "depth"), "orders of judging"),
        # fusion and consistency
        Parameter("method", RULE, "the fusion method, such as rbc(phi=0.9)"),
        Parameter("methods", _list_of(RULE, "rbc", as_written=True), "the fusion methods"),
        Parameter("phi", INNER, "the persistence: the larger it is, the more lower ranks count"),
        Parameter("phis", _list_of(PERSISTENCE, 0.9), "values of the persistence phi, for fusion methods that have it"),
        Parameter(
            "normalisation", _row_of(NORMALISATIONS, "normalisation"),
            "how scores of different systems are made comparable", "min-max",
        ),
        Parameter("over", _one_of(*OVER), "what is fused: systems, the query variations of each system, or both"),
        Parameter(
            "weights", Kind(_as_it_is, _number, True, lambda word: word if isinstance(word, str) else None),
            "the weights of the inputs: a number for each system, or a column of the queries table", "equal weights",
        ),
        Parameter(
            "variations", Kind(_as_it_is, flag=True),
            "compare or fuse the query variations of a topic instead of systems",
        ),
        Parameter("counts", _list_of(COUNT, 5), "numbers of query variations", "1 to as many as any topic has"),
        Parameter("of", Kind(_consistency_or_metric), "what to analyse: consistency, or a metric"),
        Parameter(
            "alpha", _one_of(*(level for level in LEVELS if level != "nominal")),
            "how Krippendorff's alpha reads values: ordinal (as ranks) or interval",
        ),
        # parameters with another range in one question
        Parameter("trend.judgments", _list_of(THRESHOLD, 1000), "numbers of judgments", "1/64, 1/32, ... and all"),
        Parameter("constants.judgments", _list_of(THRESHOLD, 1000), "numbers of judgments", "1/64 to 1/2 of all"),
        Parameter("separability_by_metric.judgments", COUNT, "the number of judgments"),
        Parameter("separability.judgments", _list_of(THRESHOLD, 1000), "numbers of judgments", "1/64, 1/32, ..., all"),
        *(Parameter(f"{name}.shards", _list_of(COUNT, 5), "numbers of shards") for name in BY_SHARDS),
        Parameter("intervals_by_model.system", NAME, "a system", "the best one"),
        Parameter(
            "estimator_error.by", _one_of("all", "group"),
            "all, or group: estimate each group's systems from a pool without that group",
        ),
        Parameter(
            "bias_by_width.unjudged", _one_of(*UNJUDGED, "both"),
            "how unjudged documents count: irrelevant, condensed (removed from rankings), or both",
        ),
        Parameter(
            "adjustment_experiment.common", _list_of(COUNT, 20),
            "numbers of topics on which the new system is fully judged",
        ),
        Parameter(
            "tukey_pairs.method", _row_of(("tukey", "randomised"), "method"),
            "Tukey's test of all pairs (tukey), or its version with randomly exchanged scores (randomised)",
        ),
        Parameter("rank_intervals.method", _row_of(("bootstrap",), "method"), "the method of resampling topics"),
        Parameter("adjust_from_topics.method", _row_of(("t", "bootstrap"), "method"), "the kind of interval"),
        *(
            Parameter(f"{question}.{name}", NAME, f"the {place} system", default)
            for question in COMPARISONS
            for name, place, default in (("a", "first", "the best"), ("b", "second", "the next best"))
        ),
        Parameter("differences", _list_of(Kind(validation.not_negative, _number), 0.05), "differences to find"),
        Parameter("topics_needed.design", _one_of(*DESIGNS), "what is compared: two systems (t, width) or all (anova)"),
        Parameter("topics_or_depth.budget", COUNT, "the number of judgments", "as many as there are"),
        Parameter("power", Kind(validation.share, _number), "how often the test is to find a difference, such as 0.8"),
        Parameter("baseline", NAME, "the system that all others are compared with", "the best"),
        Parameter(
            "against_baseline.correction", _row_of((*CORRECTIONS, "dunnett", "tukey"), "correction"),
            "the correction for many comparisons with one: as for pairs, dunnett, or tukey for one chosen by its score",
            "holm; tukey without a baseline",
        ),
        Parameter("comparison_documents.topic", NAME, "a topic", "that with the largest difference"),
        Parameter("comparison_documents.k", COUNT, "the number of top ranks of either ranking to show", "all"),
        Parameter("judge_to_decide.top", COUNT, "how many documents to list", "all"),
        Parameter("judge", NAME, "a judge", "the first"),
        Parameter("shuffled", NAME, "the judge whose grades are shuffled, for tau by chance", "every judge"),
        Parameter("diversity.k", COUNT, "the number of top ranks to use"),
        Parameter("diversity.alpha", PERSISTENCE, "how much less a subtopic counts for each earlier document about it"),
        Parameter("assessors.judge", NAME, "the judge whom all are compared with", "the first, if any"),
        Parameter("judge_gains.by", _one_of("type", "group", "system"), "what systems are grouped by",
                  "types if the systems table has them, else groups, else systems"),
        Parameter("judge_checks.order", _row_of(ORDERS, "order"), "check document by document, or topic by topic"),
        Parameter("topics", _list_of(COUNT, 10), "numbers of topics that people judge", "3, 5, 8, 10, 15, ..."),
        Parameter("draws", COUNT, "how often the topics that people judge are drawn at random"),
        Parameter("agreement.weights", _one_of(*WEIGHTS), "how the weight of a disagreement grows with its size"),
        *(
            Parameter(f"{question}.phi", PERSISTENCE, "the persistence, unless the method names it", "its own")
            for question in ("fuse", "fusion_by_count", "fusion_topics")
        ),
    )
}  # fmt: skip


def parameter(question: str, name: str) -> Parameter:
    """The row of a question's parameter."""
    return PARAMETERS.get(f"{question}.{name}") or PARAMETERS[name]
