"""Analysis of variance of scores over systems, topics and shards, and which systems differ significantly.

Scores are float (R, T, S): R systems, T topics, S shards of the documents, every cell filled. The design is balanced,
so each effect is a difference of marginal means and all sums of squares follow [FS19].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from evalcore.statistics import tukey
from evalcore.statistics.bootstrap import bootstrapped_means
from evalcore.vocabulary.registry import Row, by_name, worded

ROUNDING = 1e-14  # of the largest score, what sums of squares cannot tell from 0
SYSTEM, TOPIC, SHARD = 0, 1, 2  # axes
EFFECTS = {
    "topic": (TOPIC,),
    "system": (SYSTEM,),
    "topic x system": (TOPIC, SYSTEM),
    "shard": (SHARD,),
    "system x shard": (SYSTEM, SHARD),
    "topic x shard": (TOPIC, SHARD),
}


@dataclass(frozen=True)
class Model:
    """One row of the table of models: the effects that it removes from the error; all others remain in it."""

    name: str
    effects: tuple[str, ...]
    label: str
    summary: str
    source: str = "[FS19, sec. 3]"
    oracle: str = "statsmodels' linear models on small cases; NIST's certified values"
    sharded: bool = True

    @property
    def worded(self) -> str:
        """What it is in words, then its name."""
        return worded(self.label, self.name)


PLAIN = ("topic", "system")
INTERACTING = (*PLAIN, "topic x system")
MODELS = by_name(
    Model(
        "MD1", PLAIN, "No shards",
        "a score depends on its topic and its system; the collection is not split into shards", sharded=False,
    ),
    Model(
        "MD2", PLAIN, "Shards as repetitions",
        "like MD1, but on every shard of the documents, as if each shard repeated the experiment",
    ),
    Model("MD3", INTERACTING, "Topics may suit systems", "like MD2, but some topics may suit some systems better"),
    Model("MD4", (*INTERACTING, "shard"), "Shards may be easier", "like MD3, but some shards may be easier"),
    Model(
        "MD5", (*INTERACTING, "shard", "system x shard"), "Shards may suit systems",
        "like MD4, but some shards may suit some systems better",
    ),
    Model(
        "MD6", tuple(EFFECTS), "Full model",
        "systems may do better on some topics or shards, and topics may be easier on some shards",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Anova:
    """The analysis of scores (R, T, S) under a model."""

    scores: NDArray[np.float64]
    model: Model

    @cached_property
    def effects(self) -> dict[str, NDArray[np.float64]]:
        """What each effect of the model adds to a cell, and what is left over as "error". Name -> float, broadcasting
        against the scores."""
        by_effect, left = {}, self.scores - self.scores.mean()
        for name in self.model.effects:
            axes = tuple(axis for axis in range(3) if axis not in EFFECTS[name])
            by_effect[name] = left.mean(
                axis=axes, keepdims=True
            )  # what simpler effects explain is gone from it already
            left = left - by_effect[name]
        return by_effect | {"error": left}

    def ss(self, effect: str) -> float:
        """The sum of squares of an effect or of the "error"."""
        effect_sizes = self.effects[effect]
        return float((effect_sizes**2).sum() * (self.scores.size / effect_sizes.size))

    def df(self, effect: str) -> int:
        """The degrees of freedom of an effect or of the "error"."""
        if effect == "error":
            return self.scores.size - 1 - sum(self.df(name) for name in self.model.effects)
        return int(np.prod([self.scores.shape[axis] - 1 for axis in EFFECTS[effect]]))

    @cached_property
    def error(self) -> float:
        """The mean square of the error; 0 where it is only rounding, NaN without degrees of freedom."""
        if self.df("error") == 0:
            return np.nan
        mean_square = self.ss("error") / self.df("error")
        return mean_square if mean_square > (ROUNDING * np.abs(self.scores).max()) ** 2 else 0.0

    def f(self, effect: str) -> float:
        """F of an effect; NaN where it or the error has no degrees of freedom or no variance."""
        if not (self.df(effect) > 0 and self.error > 0):
            return np.nan
        return self.ss(effect) / self.df(effect) / self.error

    def p(self, effect: str) -> float:
        """The probability of an F at least as large without the effect."""
        return float(scipy.stats.f.sf(self.f(effect), self.df(effect), self.df("error")))

    def omega2(self, effect: str) -> float:
        """The size of an effect, at least 0: large from .14, medium from .06 (Ferro & Sanderson, eq. 6)."""
        excess = self.df(effect) * np.maximum(self.f(effect) - 1, 0.0)
        return float(excess / (excess + self.scores.size))

    # Which systems differ

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """The mean of each system. float (R,)."""
        return self.scores.mean(axis=(TOPIC, SHARD))

    @property
    def standard_error(self) -> float:
        """Of a system's mean, from the error of the model."""
        return np.sqrt(self.error / (self.scores.size / len(self.scores)))

    def studentized(self, difference: NDArray[np.float64]) -> NDArray[np.float64]:
        """Differences of means in standard errors: q of Tukey's test (eq. 1); without any error 0 or infinite."""
        distance = np.abs(difference)
        without_error = np.where(distance > ROUNDING * np.abs(self.scores).max(), np.inf, 0.0)
        return np.divide(distance, self.standard_error, out=without_error, where=self.standard_error > 0)

    def threshold(self, level: float) -> float:
        """The q above which two systems differ."""
        return tukey.threshold(level, len(self.scores), self.df("error"))

    def top_group(self, level: float) -> NDArray[np.bool_]:
        """The systems that do not differ from the best, itself included. bool (R,)."""
        return self.studentized(self.means.max() - self.means) <= self.threshold(level)

    @cached_property
    def on_other_topics(self) -> Anova:
        """The analysis whose error is the interaction of topics and systems, for conclusions on other topics too: that
        of each system's mean over the shards of a topic. -> `Anova`"""
        return Anova(self.scores.mean(axis=SHARD, keepdims=True), MODELS["MD1"])

    def half_widths(self, interval: str, level: float) -> NDArray[np.float64]:
        """Half the width of each system's interval of one of the kinds in `INTERVALS`. float (R,).

        "bootstrap" is not symmetric: float (2, R), below and above the mean.
        """
        return INTERVALS[interval].function(self, level)

    def reaches(self, interval: str, level: float) -> NDArray[np.float64]:
        """How far each system's interval reaches below and above its mean. float (2, R)."""
        return np.broadcast_to(self.half_widths(interval, level), (2, len(self.means)))


def tukey_half(analysis: Anova, level: float) -> NDArray[np.float64]:
    """Intervals that overlap exactly if two systems do not differ significantly by Tukey's HSD (eq. 3)."""
    return np.full(len(analysis.means), analysis.threshold(level) / 2 * analysis.standard_error)


def sem(analysis: Anova, level: float) -> NDArray[np.float64]:
    """The standard error of each system's mean over topics and shards, from its own scores only (eq. 4)."""
    own = analysis.scores.reshape(len(analysis.scores), -1)
    n = own.shape[1]
    return scipy.stats.t.ppf(1 - level / 2, n - 1) * np.sqrt(own.var(axis=1, ddof=1) / n)


def anova(analysis: Anova, level: float) -> NDArray[np.float64]:
    """The error of the model for one system at a time (eq. 5)."""
    width = scipy.stats.t.ppf(1 - level / 2, analysis.df("error")) * analysis.standard_error
    return np.full(len(analysis.means), width)


def bootstrap(analysis: Anova, level: float) -> NDArray[np.float64]:
    """Where the mean falls if the topics are drawn again, with replacement: from the level / 2 quantile to the 1 -
    level / 2 quantile of 10,000 samples."""
    low, high = bootstrapped_means(analysis.scores.mean(axis=SHARD), level)
    return np.stack([analysis.means - low, high - analysis.means])


INTERVALS = by_name(
    Row("tukey", tukey_half, "comparing all systems (Tukey)", "[FS19]"),
    Row("sem", sem, "one score (standard error)", "[FS19]"),
    Row("anova", anova, "one score (ANOVA)", "[FS19]"),
    Row("bootstrap", bootstrap, "other topics (bootstrap)", "[ET93]", "scipy.stats.bootstrap"),
)
