"""The faces of a collection: what there is and how much of it is judged."""

from evalcore.checking.kinds import by_kind
from evalcore.sentences import number, percent, verb
from ui.escape import plotly
from ui.marks import figure, heat, names_axis
from ui.views.view import View


def grid(answer, look):
    """How much of each system's first k ranks is judged, for each topic, or each query where topics have several."""
    judged = answer.table
    unit = "query" if "query" in judged else "topic"
    systems, topics = list(dict.fromkeys(judged["system"])), list(dict.fromkeys(judged[unit]))
    shares = judged.pivot(index=unit, columns="system", values="judged").loc[topics, systems].round(3).astype(object)
    shares = shares.where(shares.notna(), None).to_numpy().tolist()
    names = [plotly(system) for system in systems]
    field = heat(
        shares, look, hover="%{text}<br>%{z:.0%} judged", title="judged", ticks=".0%", zmin=0, zmax=1,
        x=list(range(len(systems))), y=list(range(len(topics))),
        text=[[f"{name}<br>{unit} {plotly(topic)}" for name in names] for topic in topics],
        xgap=1 if len(systems) <= 60 else 0, ygap=1 if len(topics) <= 60 else 0,
    )  # fmt: skip
    across = names_axis(look, systems, "system", autotickangles=[-40, -90], longest=16)
    down = names_axis(look, topics, unit, autorange="reversed", longest=10)
    most = 500 if look["rows"] else 560  # what an audience sees beside the sentence, on one screen
    return figure([field], look, max(300, min(most, 180 + 14 * len(topics))), across, down)


def tiles_of(systems, topics, judged):
    """The numbers of the Data page, from the answers to three questions."""
    pooled, relevant = int(systems.table["pooled"].sum()), topics.table["relevant"].sum()
    known, share = (topics.table["judged"] > 0).sum(), judged.finding.facts.get("judged")
    of = "topics" if known in (0, len(topics.table)) else "judged topics"
    if "query" in judged.table:
        of = "queries" if of == "topics" else f"queries of {of}"
    return (
        (
            "Systems",
            number(len(systems.table)),
            f"{number(pooled)} {verb(pooled, 'is', 'are')} taken as contributing to the pool.",
        ),
        ("Topics", number(len(topics.table)), None),
        ("Judgments", number(topics.table["judged"].sum()), f"{number(relevant)} of them relevant."),
        (f"First {judged.params['k']} judged", percent(share), f"Mean over systems and {of}."),
    )


ASSUMED = ("assumed", "who contributed", "order of the pool", "negative grades")
SHOWN = 3


def by_check(findings):
    """A row per check with what it found, in words. What was merely assumed has its own place."""
    return by_kind(findings[~findings["check"].isin(ASSUMED) | (findings["severity"] != "note")])


def in_sight(found):
    """How many rows of `by_check` are read at once: down to the last warning, and three at least."""
    return max([SHOWN, *(place for place, severity in enumerate(found["severity"], 1) if severity != "note")])


def assumptions(findings):
    """The sentences that say what was assumed."""
    said = findings[findings["check"].isin(ASSUMED) & (findings["severity"] == "note")]
    return list(said["message"])


VIEWS = {
    "systems": View("What each system brought"),
    "topics": View("Topics"),
    "findings": View("What the checks found"),
    "judged": View("Judged share of the first ranks", grid, costly=True),
    "first_unjudged": View("Where the first unjudged document stands"),
}
