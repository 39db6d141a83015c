"""Metrics, setups, topics and so on in a few words next to their codes. A code that cannot be read stays as it is."""

from textwrap import shorten

import evalcore
from evalcore.estimating.estimators import worded
from evalcore.findings.setting import setup_words
from evalcore.study.study import Study
from ui.text import glossary
from ui.text.escape import text

LONGEST = 60  # letters of what a topic asks


def metric(name: str) -> str:
    """A metric: "RBP(p=0.8) · a reader of about 5 results"."""
    return _or_as_it_is(glossary.metric_words, name)


def estimator(name: str) -> str:
    """An estimator: "like the judged ones · rm"."""
    return _or_as_it_is(worded, name)


def guess(name: str) -> str:
    """What an estimator does, without its name: "like the judged ones"; the name where there are no such words."""
    return estimator(name).partition(" · ")[0]


def setup(name: str) -> str:
    """A setup: "RBP(p=0.8) (judged to depth 10)"."""
    return _or_as_it_is(lambda code: setup_words(evalcore.regime(code)), name)


def topic(name: str, study: Study) -> str:
    """A topic: "401 · salmon farming effects on employment"."""
    return (
        f"{name} · {text(shorten(study.topic_texts[name], LONGEST, placeholder=' …'))}"
        if name in study.topic_texts
        else name
    )


def _or_as_it_is(words, name):
    try:
        return words(name)
    except ValueError:
        return name
