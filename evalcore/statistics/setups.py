"""Setups, such as `depth=10 | RBP(p=0.95) | condensed | rm`. Parts that a name leaves out have their defaults.

A setup is a metric, a set of judgments, a treatment of unjudged documents and an estimator. [LMC17, sec. 5] compares
the orderings of systems by different setups.
"""

from dataclasses import dataclass
from typing import Any

from evalcore.estimating.estimators import ESTIMATORS, canonical
from evalcore.metrics.metrics import METRICS
from evalcore.metrics.metrics import metric as metric_named
from evalcore.study.study import Study
from evalcore.vocabulary.registry import LONGEST_NUMBER

READINGS = ("irrelevant", "condensed")
COUNTS = ("depth", "judgments")
WITH_KEY = (*COUNTS, "qrels")
OTHER = "other"  # the second qrels


@dataclass(frozen=True)
class Regime:
    """A setup, as parsed from its name, such as "depth=10 | RBP(p=0.95)"; its own name can be parsed again."""

    depth: int | None = None
    judgments: int | None = None
    qrels: str | None = None
    metric: str = "RBP(p=0.8)"
    unjudged: str = "irrelevant"
    estimator: str = "lower"

    @property
    def name(self) -> str:
        """The parts that differ from the default, or the metric if none does."""
        parts = {name: value for name, value in vars(self).items() if value != getattr(Regime, name)}
        parts = [f"{name}={value}" if name in WITH_KEY else value for name, value in parts.items()]
        return " | ".join(parts) or self.metric

    @property
    def params(self) -> dict[str, Any]:
        """The parameters of questions that this setup means, for the study that `judged` returns."""
        return {name: value for name, value in vars(self).items() if name != "qrels"}

    def judged(self, study: Study) -> Study:
        """The study with the judgments of this setup."""
        return study.judged_by_other if self.qrels else study


def regime(text: str) -> Regime:
    """The setup with this name. ValueError for a part that is unknown or occurs twice."""
    values = {}
    for part in filter(None, (part.strip() for part in str(text).split("|"))):
        name, value = _meaning(part, text)
        if any(_WHAT[name] == _WHAT[other] for other in values):
            raise ValueError(f"setup {text!r} has two parts for the {_WHAT[name]}. Keep one of them.")
        values[name] = value
    return Regime(**values)


_WHAT = {
    "depth": "judgments",
    "judgments": "judgments",
    "qrels": "qrels",
    "metric": "metric",
    "unjudged": "treatment of unjudged documents",
    "estimator": "estimator",
}


def _meaning(part, text):
    key, equals, value = (piece.strip() for piece in part.partition("="))
    if equals and key in COUNTS:
        if not (value.isdecimal() and len(value) <= LONGEST_NUMBER and int(value) > 0):
            raise ValueError(f"setup {text!r}: {part!r} is not valid; {key} must be a whole number from 1.")
        return key, int(value)
    if equals and key == "qrels":
        if value != OTHER:
            raise ValueError(f"setup {text!r}: {part!r} is not valid; write qrels={OTHER} for the second qrels.")
        return key, value
    if part in READINGS:
        return "unjudged", part
    kind = part.split("(")[0].split("@")[0].strip().lower()
    if kind in (name.lower() for name in METRICS) or "@" in part:
        return "metric", metric_named(part).name
    if kind in (name.lower() for name in ESTIMATORS):
        return "estimator", canonical(part)
    try:
        return "metric", metric_named(part).name  # trec_eval's names
    except ValueError:
        raise ValueError(
            f"setup {text!r}: {part!r} is neither a count (depth=10, judgments=1000), nor a metric (RBP(p=0.95)), nor "
            f"a treatment of unjudged documents ({' or '.join(READINGS)}), nor an estimator ({', '.join(ESTIMATORS)})."
        ) from None
