"""Metrics, setups, topics and so on in a few words next to their codes. A code that cannot be read stays as it is."""

import re
from textwrap import shorten

import evalcore
from evalcore.estimating.estimators import worded
from evalcore.findings.setting import setup_words
from evalcore.metrics.phrases import in_a_phrase
from evalcore.study.study import Study
from ui.text import glossary
from ui.text.escape import plotly, text

FIRST = re.compile(r"the first ([\d.,]+) results")
LONGEST = 60  # letters of what a topic asks


def metric(name: str) -> str:
    """A metric: "RBP(p=0.8) · a reader of about 5 results"."""
    return _or_as_it_is(glossary.metric_words, name)


def estimator(name: str) -> str:
    """An estimator: "like the judged ones · rm"."""
    return _or_as_it_is(worded, name)


def axis(name: str, *, of: str = "score", narrow: bool = True) -> str:
    """The title of an axis of a metric: "score, mainly the first 5 results (RBP(p=0.8))". of : what of it is drawn
    narrow : whether the code has a line of its own"""
    phrase = in_a_phrase(name)
    said = of if phrase == name else f"{of}, {phrase}"
    return f"{said}{'<br>' if narrow else ' '}({plotly(name)})"


def guess(name: str) -> str:
    """What an estimator does, without its name: "like the judged ones"; the name where there are no such words."""
    return estimator(name).partition(" · ")[0]


def setup_shortly(name: str) -> str:
    """A setup in a few everyday words, for a label: "mainly first 5, depth 10"."""
    return _or_as_it_is(lambda code: _parts(evalcore.regime(code)), name)


def _parts(regime):
    parts = [FIRST.sub(r"first \1", in_a_phrase(regime.metric))]
    parts += [f"depth {regime.depth}"] if regime.depth is not None else []
    parts += [f"{regime.judgments:,} judgments"] if regime.judgments is not None else []
    parts += ["second judgments"] if regime.qrels else []
    if regime.unjudged == "condensed":
        parts.append("without unread documents")
    elif regime.estimator != "lower":
        parts.append(f"unread {guess(regime.estimator)}")
    return ", ".join(parts)


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
