"""Views of judgments: known and estimated missing relevant documents."""

from typing import Any

from evalcore.answers import Answer
from evalcore.vocabulary.sentences import known, number, percent
from ui.text.escape import plotly
from ui.views.traces import axis, column, figure, topics_axis
from ui.views.view import View


def known_and_missing(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Known relevant documents of each topic, and the estimated number of missing ones."""
    health = answer.table
    topics = [plotly(topic) for topic in health["topic"]]
    missing = [count if known(count) else None for count in health["still_missing"]]
    bars = [
        column(topics, counts, look, role, name=name, hover=f"topic %{{x}}: %{{y:,.0f}} {name}")
        for name, counts, role in (
            ("known relevant", health["relevant"], "known"),
            ("estimated missing", missing, "possible"),
        )
        if any(map(known, counts))
    ]
    return figure(bars, look, 380, topics_axis(look, len(topics)), axis(look, "relevant documents"), barmode="stack")


def tiles_of(health: Answer, holes: Answer | None, audit: Answer) -> tuple[tuple[str, str, str], ...]:
    """Tiles of the judgments, from the questions `judgment_health`, `holes` (None = none, or unknown) and
    `pool_audit`."""
    table = health.table
    topics = max(len(table), 1)
    unjudged = 0 if holes is None else len(holes.table.drop_duplicates(["topic", "document"]))
    if holes is None and audit.table["holes"].isna().all() and len(audit.table):
        unjudged = None
    return (
        ("Judged documents", number(table["judged"].sum()), f"{table['judged'].sum() / topics:,.0f} per topic."),
        ("Relevant documents", number(table["relevant"].sum()), f"{table['relevant'].sum() / topics:.1f} per topic."),
        (
            "Pooled, but not judged",
            number(unjudged),
            "Unjudged documents that contributing systems rank within the pool depth.",
        ),
        *([outside_the_pool(audit)] if audit else []),
    )


def outside_the_pool(audit: Answer) -> tuple[str, str, str]:
    """Share of the judged documents that the pool does not explain: a tile of Data and Judgments."""
    note = (
        "Share of judged documents that no contributing system ranks within the pool depth. Only topics with a known "
    )
    note += "pool depth count."
    return ("Judgments these runs do not explain", percent(audit.finding.facts.get("unexplained")), note)


VIEWS = {
    "judgment_health": View("Topics", known_and_missing),
    "pool_audit": View("Systems and the pool"),
    "holes": View("Holes: pooled but not judged"),
    "unretrieved": View("Judged but in no run"),
    "suspects": View("Suspicious judgments"),
}
