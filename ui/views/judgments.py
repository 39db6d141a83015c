"""The faces of judgments: what is known of each topic, and what may be missing."""

from evalcore.sentences import known, number, percent
from ui.escape import plotly
from ui.marks import axis, column, figure, topics_axis
from ui.views.view import View


def known_and_missing(answer, look):
    """The relevant documents of each topic, and how many more there may be, where that can be estimated."""
    health = answer.table
    topics = [plotly(topic) for topic in health["topic"]]
    missing = [count if known(count) else None for count in health["still_missing"]]
    bars = [
        column(topics, counts, look, role, name=name, hover=f"topic %{{x}}: %{{y:,.0f}} {name}")
        for name, counts, role in (
            ("relevant, known", health["relevant"], "known"),
            ("still missing, by estimate", missing, "possible"),
        )
        if any(map(known, counts))
    ]
    return figure(bars, look, 380, topics_axis(look, len(topics)), axis(look, "relevant documents"), barmode="stack")


def tiles_of(health, holes, audit):
    """The numbers of the judgments, from the questions `judgment_health`, `holes` (None = there are none, or nothing
    shows them) and `pool_audit` (None = of a track in blocks of topics)."""
    table = health.table
    topics, missing = max(len(table), 1), table["still_missing"]
    unjudged = 0 if holes is None else len(holes.table.drop_duplicates(["topic", "document"]))
    if holes is None and (audit is None or (audit.table["holes"].isna().all() and len(audit.table))):
        unjudged = None
    return (
        ("Judged", number(table["judged"].sum()), f"{table['judged'].sum() / topics:,.0f} a topic."),
        ("Relevant", number(table["relevant"].sum()), f"{table['relevant'].sum() / topics:.1f} a topic."),
        (
            "Still missing",
            number(missing.sum(min_count=1).round()),
            "By Chao & Lee's estimate, over the topics that allow one.",
        ),
        ("Holes", number(unjudged), "Unjudged documents that contributing systems have within the pool's depth."),
        *([outside_the_pool(audit)] if audit else []),
    )


def outside_the_pool(audit):
    """How much of the judgments the pool does not explain: a number for Data and Judgments."""
    share = audit.finding.facts.get("unexplained")
    note = (
        "Judged documents that no run taken as contributing has down to the depth of its topic's pool, of the topics "
    )
    note += "whose pool's depth is known."
    return ("Judged beyond the pool", percent(share), note)


VIEWS = {
    "judgment_health": View("Every topic", known_and_missing),
    "pool_audit": View("Every system"),
    "holes": View("Holes: pooled, and not judged"),
    "unretrieved": View("Judged, and in no run"),
    "suspects": View("Worth a second look"),
}
