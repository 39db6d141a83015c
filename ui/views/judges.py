"""Views of judges and second judgments: how far they agree, whom they favour, and what to check next."""

from typing import Any

import numpy as np

from evalcore.answers import Answer
from evalcore.vocabulary.sentences import figure as score
from evalcore.vocabulary.sentences import number, percent
from ui.text.escape import labels, md, plotly
from ui.views.charts import lines, slopes, square
from ui.views.traces import (
    WIDTH_OF_NAME,
    axis,
    curve,
    dot_size,
    few_of,
    figure,
    outlined,
    points,
    rings,
    rows_axis,
    rows_height,
    rows_legend,
    spans,
    upright,
)
from ui.views.view import View

PEOPLE, JUDGE = "people", "judge"
FIRST, SECOND = "first judgments", "second judgments"
MOST_NAMED = 12  # dots that still have room for a name each


def tiles(answer: Answer, judge: str | None = None) -> list[tuple[str, str, str]]:
    """The judge that orders the systems most like people, or this one, in numbers."""
    first, judges = answer.table.iloc[0], len(answer.table)
    best = md(first["judge"])
    first = first if judge is None else answer.table[answer.table["judge"] == judge].iloc[0]
    name = md(first["judge"])
    return [
        ("Judges", number(judges), f"The first by τ is {best}."),
        (
            "Orders systems alike (τ)",
            score(first["tau"]),
            f"{name}: how far the two orderings of the systems agree; 1 = the same order.",
        ),
        (
            "Judges documents alike (κ)",
            score(first["kappa_weighted"]),
            f"{name}: agreement on documents beyond chance; 1 = the same grades.",
        ),
        ("Relevant by people", percent(first["share_relevant"]), "Of the documents that both judge."),
        ("Relevant by the judge", percent(first["share_relevant_other"]), f"{name}, of the same documents."),
    ]


def by_leniency(answer: Answer, look: dict[str, Any], *, focus: str | None = None) -> dict[str, Any]:
    """A dot for each judge: what it calls relevant, and how far its ordering of systems agrees with that of people."""
    rows = answer.table.dropna(subset=["tau"])
    if not len(rows):
        return figure([], look, 300, axis(look), axis(look))
    text = [
        f"<b>{plotly(row.judge)}</b><br>relevant {row.share_relevant_other:.0%}, by people {row.share_relevant:.0%}"
        f"<br>τ {row.tau:.3f}, κ {row.kappa_weighted:.3f}"
        for row in rows.itertuples()
    ]
    roles = [look["focus" if name == focus else "known"] for name in rows["judge"]]
    across, up = (rows[name].to_numpy() for name in ("share_relevant_other", "tau"))
    dots = points(
        across, up, look, roles, text=labels(list(rows["judge"]), WIDTH_OF_NAME), customdata=text,
        hover="%{customdata}", size=12, line=outlined(look), textposition=_beside(across, up), cliponaxis=False,
        textfont={"size": look["text"], "color": look["dot"]},
    )  # fmt: skip
    dots["mode"] = "markers+text" if len(rows) <= MOST_NAMED else "markers"
    share = float(rows["share_relevant"].mean())
    legend = curve([None], [None], look, "quiet", name="relevant by people", dash="dash", width=2)
    ends = [
        min(share, rows["share_relevant_other"].min()) - 0.08,
        max(share, rows["share_relevant_other"].max()) + 0.08,
    ]
    across = axis(look, "share of documents called relevant", tickformat=".0%", range=ends)
    low = rows["tau"].min() - 0.06
    up = axis(look, "same order as people (τ-b, 1 = identical)", range=[low, 1 + 0.12 * (1 - low)])
    return figure([legend, dots], look, 380, across, up, shapes=[upright(share, look, role="quiet", dash="dash")])


def _beside(across, up):
    """Where the name of each dot is: above it if it is higher than its nearest neighbour across, else below."""
    apart = np.abs(across[:, None] - across) + np.diag(np.full(len(across), np.inf))
    near = apart.argmin(axis=1)
    return ["top center" if up[dot] >= up[other] else "bottom center" for dot, other in enumerate(near)]


STATISTICS = {  # choice -> the column of documents with its name, and that of orderings
    "kappa-tau": (("kappa_weighted", "weighted κ"), ("tau", "τ-b")),
    "alpha-tau_ap": (("alpha", "Krippendorff's α"), ("tau_ap", "τ-AP")),
    "kappa-rbo": (("kappa_weighted", "weighted κ"), ("rbo", "RBO")),
    "alpha-top5": (("alpha", "Krippendorff's α"), ("top5", "shared top 5")),
}


def statistics_in_words() -> dict[str, str]:
    """choice -> the two statistics that the heatmaps show"""
    return {
        name: "agreement on documents ({}) and on order ({})".format(*(label for _, label in pair))
        for name, pair in STATISTICS.items()
    }


def heatmaps(
    answer: Answer, look: dict[str, Any], *, panel: str = "documents", statistics: str = "kappa-tau"
) -> dict[str, Any]:
    """Judges by judges, the reference first; both panels in the same order."""
    column, label = STATISTICS[statistics][panel == "orderings"]
    names = list(dict.fromkeys(answer.table["a"]))
    values = answer.table[column].to_numpy().reshape(len(names), len(names)).tolist()
    return square(
        [PEOPLE if name == "reference" else name for name in names], values, look, title=f"{OF_PANEL[panel]} ({label})"
    )


OF_PANEL = {"documents": "agreement on documents", "orderings": "same order"}


def confusion(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Counts of documents by people's grade and the judge's, or by first and second grade."""
    grades = list(dict.fromkeys(answer.table["grade"]))
    counts = answer.table["count"].to_numpy().reshape(len(grades), -1).tolist()
    names = [f"grade {grade}" for grade in grades]
    axes = (JUDGE, PEOPLE) if answer.question == "judge_confusion" else (SECOND, FIRST)
    return square(names, counts, look, title="documents", ticks=",d", axes=axes)


def ranks_under_both(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Every system's rank under both sets. Complete judgments are not marked: they repeat the first set's grades, so
    they cannot decide between the two."""
    systems = answer.table["system"]
    first, second = (dict(zip(systems, answer.table[rank], strict=True)) for rank in ("rank", "rank_other"))
    return slopes(first, second, look, names=[FIRST, SECOND])


BY = {"rank": "Best rank of the document", "systems": "Systems that retrieve the document"}


def by_rank(answer: Answer, look: dict[str, Any], *, panel: str = "rank") -> dict[str, Any]:
    """What people and the judge call relevant, and κ, by groups of documents."""
    rows = answer.table[answer.table["by"] == panel]
    groups = [f"{a}" if a == b else f"{a}–{b}" for a, b in zip(rows["first"], rows["last"], strict=True)]
    data = [
        curve(groups, rows[column], look, role, name=name, dash=dash, symbol=symbol,
              hover=f"{BY[panel].lower()} %{{x}}<br>{name}: %{{y:{ticks}}}")
        for column, name, role, dash, symbol, ticks in (
            ("share_relevant", "relevant by people", "dot", "solid", "circle", ".0%"),
            ("share_relevant_other", "relevant by the judge", "focus", "solid", "diamond", ".0%"),
            ("kappa_weighted", "κ", "known", "dash", "square-open", ".3f"),
        )
    ]  # fmt: skip
    across = axis(look, BY[panel].lower(), type="category", showgrid=False)
    return figure(data, look, 340, across, axis(look, "share, or κ", rangemode="tozero"))


def topics(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """A dot for each topic: what people and the judge call relevant in it."""
    rows = answer.table
    text = [
        f"<b>{plotly(row.topic)}</b><br>relevant by people {row.share_relevant:.0%}, by the judge "
        f"{row.share_relevant_other:.0%}<br>κ {row.kappa_weighted:.3f}, τ {row.tau:.3f}"
        for row in rows.itertuples()
    ]
    poor = (rows["kappa_weighted"] < 0.4).to_numpy()
    data = [_diagonal(look, [0, 1])]
    for mask, name, role, symbol in ((~poor, "κ of .4 or more, or unknown", "known", "circle"),
                                     (poor, "κ below .4", "focus", "diamond")):  # fmt: skip
        at = [place for place, inside in enumerate(mask) if inside]
        chosen = rows.iloc[at]
        data.append(
            points(chosen["share_relevant"], chosen["share_relevant_other"], look, role, name=name, symbol=symbol,
                   text=[text[place] for place in at], size=9, line=outlined(look))
        )  # fmt: skip
    across, up = (
        axis(look, f"relevant by {who}", tickformat=".0%", range=[-0.03, 1.03]) for who in (PEOPLE, "the judge")
    )
    return figure(data, look, 400, across, up)


def _diagonal(look, ends):
    return curve(ends, ends, look, "quiet", name="the same by both", dash="dash", width=2, hoverinfo="skip")


def systems(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """A dot for each system: its score by people and by the judge; in focus if a significant pair swaps."""
    rows = answer.table.dropna(subset=["value", "value_other"])
    metric = plotly(answer.params["metric"])
    states = (
        (rows["swapped_significant"] > 0, "swapped with a significantly different system", "focus", "diamond"),
        ((rows["swapped_significant"] == 0) & (rows["swapped"] > 0), "swapped with another", "possible", "square"),
        (rows["swapped"] == 0, "in no swapped pair", "known", "circle"),
    )
    values = [*rows["value"], *rows["value_other"]]
    data = [_diagonal(look, [min(values, default=0), max(values, default=1)])]
    for mask, name, role, symbol in states:
        some = rows[mask]
        text = [
            f"<b>{plotly(row.system)}</b><br>{metric} by people {row.value:.4f} (rank {row.rank:g})<br>by the judge "
            f"{row.value_other:.4f} (rank {row.rank_other:g})<br>swapped with {row.swapped:,} systems"
            for row in some.itertuples()
        ]
        data.append(
            points(
                some["value"], some["value_other"], look, role, name=name, symbol=symbol, text=text, line=outlined(look)
            )
        )
    data += rings(look, rows["system"], rows["value"], rows["value_other"])
    return figure(data, look, 420, axis(look, f"{metric} by people"), axis(look, f"{metric} by the judge"))


def gains(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """An interval for each group: what the judge adds to it more than to the others, and what random errors would."""
    everything = answer.table.reset_index(drop=True)
    at = few_of(len(everything), look["rows"])
    rows = everything.iloc[at]
    places, names = list(range(1, len(rows) + 1)), list(rows["group"])
    significant = (rows["p_corrected"] < answer.params["level"]).to_numpy()
    text = [
        f"<b>{plotly(str(row.group))}</b> ({row.systems:,} systems)<br>difference {row.difference:+.4f}<br>"
        f"expected of random errors {row.expected:+.4f}<br>{row.lower:+.4f} to {row.upper:+.4f}<br>"
        f"p corrected {row.p_corrected:.3g}"
        for row in rows.itertuples()
    ]
    data = [
        points(
            rows["expected"], places, look, "quiet", name="expected of random errors", symbol="line-ns-open", size=14,
            hoverinfo="skip", line={"color": look["quiet"], "width": 3},
        )
    ]  # fmt: skip
    for mask, name, role, symbol in ((~significant, "not significant", "known", "circle"),
                                     (significant, "significant (Holm)", "focus", "diamond")):  # fmt: skip
        kept = [place for place, inside in enumerate(mask) if inside]
        some = rows.iloc[kept]
        data.append(
            points(some["difference"], [places[place] for place in kept], look, role, name=name, symbol=symbol,
                   size=dot_size(len(rows)), text=[text[place] for place in kept], line=outlined(look),
                   error_x=spans(list(some["difference"]), list(some["lower"]), list(some["upper"]), look, role))
        )  # fmt: skip
    along = axis(look, "gain with the judge, compared with all others", zeroline=True, zerolinecolor=look["quiet"])
    down = rows_axis(look, names, of=len(everything), at=at)
    return figure(data, look, rows_height(len(rows), look), along, down, **rows_legend(look))


ORDERS = {"documents": "document by document", "topics": "topic by topic", "random": "random order (mean of 5)"}


def checking(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """tau with the ordering by people, by the number of checked documents, a line for each order."""
    rows = answer.table[answer.table["judgments"] > 0]
    drawn = lines(
        rows, look, x="judgments", y="tau", series="order", titles=("documents checked", "τ with people's ordering"),
        yaxis=axis(look, "τ with people's ordering", tickformat=".2f"), words=ORDERS.__getitem__,
    )  # fmt: skip
    start = answer.table["tau"].iloc[0]
    shape = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": start, "y1": start, "yref": "y"}
    drawn["layout"]["shapes"] = [{**shape, "line": {"color": look["quiet"], "width": 2, "dash": "dash"}}]
    return drawn


VIEWS = {
    "agreement": View("Topics"),
    "confusion": View(
        "Pairs of grades", confusion, shows="Number of documents with each pair of grades, one from each set."
    ),
    "agreement_effect": View("Ranks under both sets", ranks_under_both),
    "judges": View(
        "Judges", by_leniency, tiles, shows="Each judge by the share of documents that it calls relevant, and by τ."
    ),
    "judge_pairs": View(
        "Judges by judges", heatmaps, panels={"documents": "Documents", "orderings": "Order of the systems"},
        shows="Agreement of every two judges, in the same order on both sides.",
    ),
    "judge_confusion": View(
        "Grades by people and by the judge", confusion, shows="Number of documents with each pair of grades."
    ),
    "judge_agreement_by_rank": View(
        "Agreement by rank", by_rank, panels=BY, shows="What people and the judge call relevant, by groups."
    ),
    "judge_topics": View("Topics", topics, shows="What people and the judge call relevant in each topic."),
    "judge_systems": View("Systems by people and by the judge", systems),
    "judge_gains": View("Who gains", gains),
    "judge_checks": View("Documents to judge next"),
    "judge_checks_curve": View("Orders of checking", checking),
}  # fmt: skip
