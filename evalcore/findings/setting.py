"""The setting of an answer in a line: "RBP(p=0.8) · depth 10 · unjudged as not relevant"."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from evalcore.estimating.estimators import counted, in_short
from evalcore.metrics.metrics import metric as metric_named
from evalcore.metrics.phrases import in_a_phrase
from evalcore.questions.comparison import TO_ONE, correction_against
from evalcore.questions.judgment_cuts import in_force
from evalcore.statistics.setups import Regime
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, level, listed

JUDGED_BY = {
    "judged_by_truth": "complete judgments", "judged_by_other": "second judgments", "judged_by": "judgments by {}",
}  # fmt: skip
WORDS: dict[str, Callable[[Any], str]] = {  # parameter -> its words
    "shards": lambda value: f"{listed(value if isinstance(value, list) else [value], 9)} shards",
    "model": str,
    "test": lambda value: {"t": "paired t-test", "wilcoxon": "Wilcoxon"}.get(value, value),
    "correction": lambda value: {
        "none": "uncorrected",
        "bonferroni": "Bonferroni",
        "holm": "Holm",
        "bh": "Benjamini–Hochberg",
        "dunnett": "Dunnett's test",
        "tukey": "Tukey's test",
    }.get(value, value),
    "level": lambda value: f"α = {level(value)}",
    "phi": lambda value: f"phi = {value:g}",
    "k": lambda value: f"top {value:,}",
}
SEPARATOR = " · "


def setting_of(params: dict[str, Any], study: Study) -> str:
    """The setting of an answer to a question with these parameters, in short."""
    params = as_tested(in_force(params, study))
    parts = [*_metrics(params), *_judgments(params, study), *_unjudged(params)]
    parts += [words(params[name]) for name, words in WORDS.items() if params.get(name) is not None]
    return SEPARATOR.join([*parts, *_systems(study)])


def _metrics(params):
    if params.get("metrics"):
        return [listed(params["metrics"], 4)]
    return [params["metric"]] if params.get("metric") else []


def _judgments(params, study):
    """Which judgments are in force, where the question can take fewer; of several depths the finding names its own."""
    depths = params.get("depths") or []
    depth = params.get("depth", depths[0] if len(depths) == 1 else None)
    if depth is not None:
        return [f"depth {depth}"]
    if isinstance(params.get("judgments"), int):
        return [_first(params["judgments"])]
    marked = (words.format(study.scope[name]) for name, words in JUDGED_BY.items() if name in study.scope)
    everything = next(marked, "all judgments")
    if study.without_judgments:
        return []
    return [everything] if everything != "all judgments" or "depth" in params else []


def _first(judgments):
    return "first judgment" if judgments == 1 else f"first {digits(judgments, 'judgment')}"


def _systems(study):
    """How many of the track's systems are shown, unless all are."""
    shown, whole = len(study.systems), len(study.whole.systems)
    return [f"{shown:,} of {digits(whole, 'system')}"] if shown < whole else []


def _unjudged(params):
    """How unjudged documents are read, where the metric leaves a choice."""
    if "metric" not in params or not {"estimator", "unjudged"} & params.keys():
        return []
    if params.get("unjudged") == "condensed":
        return ["unjudged documents removed"]
    if params.get("unjudged") == "both":
        return ["unjudged as not relevant, or removed"]
    if metric_named(params["metric"]).kind == "point":
        return []
    estimator = params.get("estimator", "lower")
    return ["unjudged as not relevant" if estimator == "lower" else f"unjudged estimated by {in_short(estimator)}"]


def as_tested(params: dict[str, Any]) -> dict[str, Any]:
    """The parameters with the correction that is used against a baseline, and without the test that it replaces."""
    if "baseline" not in params:
        return params
    correction = correction_against(params["baseline"], params["correction"])
    return params | {"correction": correction} | ({"test": None} if correction in TO_ONE else {})


def test_words(params: dict[str, Any]) -> str:
    """The significance test of an answer: "paired t-test, Holm, α = .05"."""
    params = {name: value for name, value in as_tested(params).items() if value is not None}
    return ", ".join(WORDS[name](params[name]) for name in ("test", "correction", "level") if name in params)


# ---- metric and setup in words, for sentences and labels


def measured(params: Mapping[str, Any] | pd.Series) -> str:
    """The metric, with the estimate of unjudged documents or that they were removed: "AP estimated by rm"."""
    name, estimator = params["metric"], params.get("estimator", "lower")
    if params.get("unjudged") == "condensed":
        return f"{name} without unjudged documents"
    if estimator == "lower" or metric_named(name).kind == "point":
        return name
    return f"{name} estimated by {in_short(estimator)}"


def setup_words(setup: Regime, study: Study | None = None) -> str:
    """A setup as one would say it: "RBP(p=0.8) (judged to depth 10)". A cut that takes in all of a study's judgments
    is left out."""
    judgments = in_force({"judgments": setup.judgments}, study)["judgments"] if study else setup.judgments
    cuts = [f"judged to depth {setup.depth}"] if setup.depth is not None else []
    cuts += [_first(judgments)] if judgments else []
    cuts += ["second judgments"] if setup.qrels else []
    return measured(setup.params) + (f" ({', '.join(cuts)})" if cuts else "")


def setup_plainly(setup: Regime, study: Study) -> str:
    """The same in everyday words: "mainly the first 5 results at depth 10"."""
    judgments = in_force({"judgments": setup.judgments}, study)["judgments"]
    parts = [in_a_phrase(setup.metric)]
    parts += [f"at depth {setup.depth}"] if setup.depth is not None else []
    parts += [f"with the {_first(judgments)}"] if judgments else []
    parts += ["with the second judgments"] if setup.qrels else []
    if setup.unjudged == "condensed":
        parts.append("without unread documents")
    elif setup.estimator != "lower" and metric_named(setup.metric).kind != "point":
        parts.append(f"with unread documents counted {counted(setup.estimator)}")
    return " ".join(parts)
