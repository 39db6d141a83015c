"""Metrics, estimators and setups in a few words next to their codes. A code that cannot be read stays as it is."""

import evalcore
from evalcore.estimating.estimators import worded
from evalcore.findings.setting import setup_words
from ui.text import glossary


def metric(name: str) -> str:
    """A metric: "RBP(p=0.8) · a reader of about 5 results"."""
    return _or_as_it_is(glossary.metric_words, name)


def estimator(name: str) -> str:
    """An estimator: "like judged · rm"."""
    return _or_as_it_is(worded, name)


def setup(name: str) -> str:
    """A setup: "RBP(p=0.8) (depth 10)"."""
    return _or_as_it_is(lambda code: setup_words(evalcore.regime(code)), name)


def _or_as_it_is(words, name):
    try:
        return words(name)
    except ValueError:
        return name
