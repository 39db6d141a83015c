"""Views of a collection: its systems and topics, and how much is judged."""

from typing import Any

import pandas as pd

from evalcore.answers import Answer
from evalcore.checking.finding_kinds import by_kind
from evalcore.vocabulary.sentences import number, percent
from ui.text.escape import plotly
from ui.views.traces import figure, heat, names_axis
from ui.views.view import View


def grid(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Judged share of each system's top k, by topic, or by query where topics have several."""
    judged = answer.table
    unit = "query" if "query" in judged else "topic"
    systems, topics = list(dict.fromkeys(judged["system"])), list(dict.fromkeys(judged[unit]))
    shares = judged.pivot(index=unit, columns="system", values="judged").loc[topics, systems].round(3).astype(object)
    shares = shares.where(shares.notna(), None).to_numpy().tolist()
    names = [plotly(system) for system in systems]
    field = heat(
        shares, look, hover="%{text}<br>%{z:.0%} judged", title="share judged", ticks=".0%", zmin=0, zmax=1,
        x=list(range(len(systems))), y=list(range(len(topics))),
        text=[[f"{name}<br>{unit} {plotly(topic)}" for name in names] for topic in topics],
        xgap=1 if len(systems) <= 60 else 0, ygap=1 if len(topics) <= 60 else 0,
    )  # fmt: skip
    across = names_axis(look, systems, "system", autotickangles=[-40, -90], longest=16)
    down = names_axis(look, topics, unit, autorange="reversed", longest=10)
    most = 500 if look["presented"] else 560  # so that sentence and picture fit on one screen when presenting
    return figure([field], look, max(300, min(most, 180 + 14 * len(topics))), across, down)


def tiles_of(
    systems: Answer, topics: Answer, judged: Answer, *, assumed: bool = False
) -> tuple[tuple[str, str, str | None], ...]:
    """Tiles of the Data page, from the answers to three questions."""
    pooled, relevant = int(systems.table["pooled"].sum()), topics.table["relevant"].sum()
    known, share = (topics.table["judged"] > 0).sum(), judged.finding.facts.get("judged")
    of = "topics" if known in (0, len(topics.table)) else "judged topics"
    if "query" in judged.table:
        of = "queries" if of == "topics" else f"queries of {of}"
    return (
        (
            "Systems",
            number(len(systems.table)),
            "The files do not show which systems contributed to the pool, so all are assumed to have contributed."
            if assumed
            else f"Contributing to the pool: {number(pooled)}.",
        ),
        ("Topics", number(len(topics.table)), None),
        ("Judgments", number(topics.table["judged"].sum()), f"Relevant: {number(relevant)}."),
        (
            f"Top {judged.params['k']} judged",
            percent(share),
            f"Share of ranks with a judged document (Judged@{judged.params['k']}), averaged over systems and {of}.",
        ),
    )


ASSUMED = ("assumed", "who contributed", "order of the pool", "negative grades")
SHOWN = 3


def by_check(findings: pd.DataFrame) -> pd.DataFrame:
    """A row per check with its message. Mere assumptions are listed elsewhere."""
    return by_kind(findings[~findings["check"].isin(ASSUMED) | (findings["severity"] != "note")])


def in_sight(findings: pd.DataFrame) -> int:
    """How many rows of `by_check` to show at first: down to the last warning, at least three."""
    return max([SHOWN, *(place for place, severity in enumerate(findings["severity"], 1) if severity != "note")])


def assumptions(findings: pd.DataFrame) -> list[str]:
    """Sentences that state what was assumed."""
    return list(findings["message"][findings["check"].isin(ASSUMED) & (findings["severity"] == "note")])


VIEWS = {
    "systems": View("Systems"),
    "topics": View("Topics"),
    "findings": View("Checks"),
    "judged": View("Judged share of the top ranks", grid, costly=True),
}
