"""Regimes: ways of measuring, such as `depth=10 | RBP(p=0.95) | condensed | rm`. What a name leaves out is the default.

A regime says which judgments are in force, with which metric, how unjudged documents are read, and which estimate is
taken inside the interval. [LMC17, sec. 5] compares the orderings of systems that they give.
"""

from dataclasses import dataclass

from evalcore.estimating.estimators import ESTIMATORS, canonical
from evalcore.metrics import METRICS
from evalcore.metrics import metric as metric_named
from evalcore.names import LONGEST_NUMBER

READINGS = ("irrelevant", "condensed")
COUNTS = ("depth", "judgments")
WITH_KEY = (*COUNTS, "qrels")
OTHER = "other"  # the second qrels


@dataclass(frozen=True)
class Regime:
    """A way of measuring. Make one with `regime("depth=10 | RBP(p=0.95)")`; its name reads back."""

    depth: int | None = None
    judgments: int | None = None
    qrels: str | None = None
    metric: str = "RBP(p=0.8)"
    unjudged: str = "irrelevant"
    estimator: str = "lower"

    @property
    def name(self):
        """What differs from the default; the metric where nothing does."""
        said = {name: value for name, value in vars(self).items() if value != getattr(Regime, name)}
        said = [f"{name}={value}" if name in WITH_KEY else value for name, value in said.items()]
        return " | ".join(said) or self.metric

    @property
    def asked(self):
        """The same as arguments of questions, of the study that `judged` gives."""
        return {name: value for name, value in vars(self).items() if name != "qrels"}

    def judged(self, study):
        """The study by the judgments that the regime speaks of."""
        return study.judged_by_other if self.qrels else study


def regime(text):
    """The regime of this name. ValueError for a part that is not known or is said twice."""
    said = {}
    for part in filter(None, (part.strip() for part in str(text).split("|"))):
        name, value = _meaning(part, text)
        if any(_WHAT[name] == _WHAT[other] for other in said):
            raise ValueError(f"regime {text!r} says twice what {_WHAT[name]}; once is enough.")
        said[name] = value
    return Regime(**said)


_WHAT = {
    "depth": "judgments are in force",
    "judgments": "judgments are in force",
    "qrels": "qrels are read",
    "metric": "is measured",
    "unjudged": "unjudged documents are",
    "estimator": "is estimated",
}


def _meaning(part, text):
    key, equals, value = (piece.strip() for piece in part.partition("="))
    if equals and key in COUNTS:
        if not (value.isdecimal() and len(value) <= LONGEST_NUMBER and int(value) > 0):
            raise ValueError(f"regime {text!r}: {part!r} cannot be; {key} is a whole number from 1.")
        return key, int(value)
    if equals and key == "qrels":
        if value != OTHER:
            raise ValueError(f"regime {text!r}: {part!r} cannot be; qrels={OTHER} is the second qrels.")
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
            f"regime {text!r}: {part!r} is neither a count (depth=10, judgments=1000), nor a metric (RBP(p=0.95)), nor "
            f"a reading ({' or '.join(READINGS)}), nor an estimator ({', '.join(ESTIMATORS)})."
        ) from None
