"""The questions: each takes a study and plain values and answers with one tidy table.

A question is one function and one row of `QUESTIONS`. Its keyword-only arguments are its parameters; the same argument
has the same name and meaning everywhere:

metric : a name, see `evalcore.METRICS`
depth, judgments : the judgments in force: a pool depth, or a count in the order of judging; None = all; never both
estimator : a name, see `evalcore.ESTIMATORS`
unjudged : "irrelevant", or "condensed" to take unjudged documents out of the rankings
systems : "all", "pooled", "unpooled" or a list of names
level : the significance level
seed : of whatever is drawn at random; the same seed draws the same
k : a depth in a ranking
other : a second qrels, a path; None = the one that the study has

A question may return notes beside its table: sentences on what is missing or was assumed.
"""

from collections.abc import Callable
from dataclasses import dataclass

from evalcore import names
from evalcore.questions import (
    collection,
    comparisons,
    confidence,
    consistency,
    estimates,
    fusion,
    judgments,
    newcomers,
    scores,
)


@dataclass(frozen=True)
class Question:
    """One row of the table of questions. function(study, *, ...) gives a table, or a table and notes."""

    name: str
    function: Callable

    @property
    def summary(self):
        """The first sentence of the docstring."""
        return " ".join(self.function.__doc__.split("\n\n")[0].split())

    @property
    def parameters(self):
        said = names.parameters(self.function)
        return {name: default for name, default in said.items() if name != "progress"}

    @property
    def takes_long(self):
        """Whether the function reports its progress, as `recipe.ask` says."""
        return "progress" in names.parameters(self.function)


QUESTIONS = {
    row.name: row
    for row in (
        Question("systems", collection.systems),
        Question("topics", collection.topics),
        Question("findings", collection.findings),
        Question("judged", collection.judged),
        Question("first_unjudged", collection.first_unjudged),
        Question("scores", scores.scores),
        Question("leaderboard", scores.leaderboard),
        Question("depth_sweep", scores.depth_sweep),
        Question("trend", scores.trend),
        Question("pool", scores.pool_depths),
        Question("ranking", scores.ranking),
        Question("ties", scores.ties),
        Question("estimator_error", estimates.estimator_error),
        Question("estimates", estimates.estimates),
        Question("system_estimates", estimates.system_estimates),
        Question("constants", estimates.constants),
        Question("rank_models", estimates.rank_models),
        Question("coverage", estimates.coverage),
        Question("two_strata", estimates.two_strata),
        Question("regimes", comparisons.regimes),
        Question("swaps", comparisons.swaps),
        Question("pairs", comparisons.pairs),
        Question("separability", comparisons.separability),
        Question("p_values", comparisons.p_values),
        Question("anova", confidence.anova),
        Question("models", confidence.models),
        Question("system_intervals", confidence.system_intervals),
        Question("tukey_pairs", confidence.tukey_pairs),
        Question("shard_stability", confidence.shard_stability),
        Question("rank_intervals", confidence.rank_intervals),
        Question("leave_out", newcomers.leave_out),
        Question("bias_by_width", newcomers.bias_by_width),
        Question("adjust_from_systems", newcomers.adjust_from_systems),
        Question("adjust_from_topics", newcomers.adjust_from_topics),
        Question("newcomer", newcomers.newcomer),
        Question("adjustment_experiment", newcomers.adjustment_experiment),
        Question("judgment_health", judgments.judgment_health),
        Question("pool_audit", judgments.pool_audit),
        Question("holes", judgments.holes),
        Question("unretrieved", judgments.unretrieved),
        Question("suspects", judgments.suspects),
        Question("agreement", judgments.agreement),
        Question("confusion", judgments.confusion),
        Question("agreement_effect", judgments.agreement_effect),
        Question("judge_next", judgments.judge_next),
        Question("judging_orders", judgments.judging_orders),
        Question("fuse", fusion.fuse),
        Question("fusion_scores", fusion.fusion_scores),
        Question("fusion_by_count", fusion.fusion_by_count),
        Question("fusion_topics", fusion.fusion_topics),
        Question("rbo", consistency.rbo),
        Question("consistency", consistency.consistency),
        Question("consistency_of_systems", consistency.consistency_of_systems),
        Question("consistency_of_topics", consistency.consistency_of_topics),
        Question("consistency_pairs", consistency.consistency_pairs),
        Question("consistency_correlations", consistency.consistency_correlations),
        Question("topic_agreement", consistency.topic_agreement),
        Question("oracle_variation", consistency.oracle_variation),
    )
}
