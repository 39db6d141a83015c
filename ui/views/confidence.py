"""The faces of confidence: what an analysis of variance tells apart, and how sure it is."""

from evalcore import MODELS
from evalcore.sentences import figure as figure_of
from evalcore.sentences import number as count_of
from evalcore.sentences import short
from ui import kinds
from ui.escape import plotly
from ui.marks import axis, curve, dot_size, figure, joined, number, points, rows_axis, rows_height, spans
from ui.pictures import bars, pair_squares
from ui.views.view import View


def means(answer, look):
    """Every system's mean and interval, the best on top, the top group in focus."""
    model = answer.params["model"]
    cut = f"{answer.params['shards']} shards" if MODELS[model].sharded else "not cut"
    return _intervals(answer.table, look, title=f"{plotly(answer.params['metric'])}, {model}, {cut}")


def ranks(answer, look):
    """Every system's rank and where it falls on other topics; those that may be first in focus."""
    table = answer.table.assign(value=answer.table["rank"], in_top_group=answer.table["lower"] == 1)
    return _intervals(table, look, title="rank", groups=("may rank first", "others"))


def _intervals(table, look, *, title, groups=("in the top group", "others")):
    """A dot and an interval for each system, in two groups: in the top group, and others."""
    systems, data = list(table["system"]), []
    table = table.assign(place=range(1, len(table) + 1))
    for name, inside, role, symbol in ((groups[0], True, "focus", "diamond"), (groups[1], False, "known", "circle")):
        rows = table[table["in_top_group"] == inside]
        text = [
            f"<b>{plotly(row.system)}</b><br>{number(row.value)}<br>{number(row.lower)} to {number(row.upper)}"
            for row in rows.itertuples()
        ]
        drawn = {"symbol": symbol, "size": dot_size(len(systems)), "text": text}
        data.append(joined(rows["lower"], rows["upper"], rows["place"], look, role, opacity=0.55))
        data.append(points(rows["value"], rows["place"], look, role, name=name, **drawn))
    data += [curve([None], [None], look, "quiet", name=plotly(kinds.label(kind))) for kind in table["kind"].unique()]
    return figure(data, look, rows_height(len(systems)), axis(look, title), rows_axis(look, systems))


BY_MODEL = {
    "share_significant": "share of pairs told apart",
    "width_tukey": "Tukey half-width",
    "omega2_system": "omega² of the systems",
}
BY_PARTITION = {"tau": "tau with the whole", "width": "Tukey half-width", "significant": "significant pairs"}
TICKS = {"share_significant": ".0%", "width_tukey": ".3f", "omega2_system": ".2f"}
TICKS |= {"tau": ".2f", "width": ".4f", "significant": ",.0f"}


def by_model(answer, look, *, panel, focus=None):
    """A column of every model as bars, one model in focus."""
    names, values = list(answer.table["model"]), answer.table[panel]
    return bars(names, values, look, title=BY_MODEL[panel], ticks=TICKS[panel], focus=focus)


def numbers_of(row):
    """The numbers of one model: a row of the question `models`."""
    over = " Mean over random cuts of the documents." if MODELS[row["model"]].sharded else ""
    return (
        ("Pairs told apart", count_of(round(row["significant"])), f"By Tukey's HSD.{over}"),
        ("Top group", short(row["top_group"]), f"Systems not told apart from the best, itself included.{over}"),
        ("Tukey half-width", figure_of(row["width_tukey"]), f"Half the width of a system's interval.{over}"),
        ("omega²", figure_of(row["omega2_system"]), f"Size of the system effect: large from .14.{over}"),
    )


def variance(answer, look):
    """How much of the variance lies in each effect of the last model."""
    table = answer.table
    parts = table[(table["model"] == table["model"].iloc[-1]) & (table["effect"] != "total")]
    return bars(list(parts["effect"]), list(parts["share"]), look, title="share of the variance", ticks=".1%")


def told_apart(answer, look, *, order=None):
    """Which pairs of systems differ. order : the systems, best first"""
    pairs = answer.table
    return pair_squares(
        pairs,
        order or list(dict.fromkeys([*pairs["a"], *pairs["b"]])),
        look,
        state=lambda pair: 0 if pair.significant else 1,
        states=(("significant", "known"), ("not significant", "grid")),
        said=lambda pair: f"{pair.difference:.4f}<br>p {pair.p:.3g}",
    )


def by_partition(answer, look, *, panel):
    """A mean and its interval over partitions, by number of shards."""
    middle, low, high = (list(answer.table[name]) for name in (panel, f"{panel}_low", f"{panel}_high"))
    shards, ticks = [str(count) for count in answer.table["shards"]], TICKS[panel]
    line = curve(
        shards, middle, look, "known", name="mean, t interval", showlegend=True, symbol="circle",
        error_y=spans(middle, low, high, look, "known"), hover=f"%{{x}} shards: %{{y:{ticks}}}",
    )  # fmt: skip
    across, up = axis(look, "shards", type="category"), axis(look, BY_PARTITION[panel], tickformat=ticks)
    return figure([line], look, 300, across, up)


SHOWN = "Every system's rank and between which ranks it falls when topics are drawn anew."
VIEWS = {
    "system_intervals": View("Every system", means),
    "models": View("Every model", by_model, panels=BY_MODEL),
    "anova": View("Analysis of variance", variance),
    "tukey_pairs": View("Every pair", told_apart, costly=True),
    "shard_stability": View("Every number of shards", by_partition, panels=BY_PARTITION),
    "rank_intervals": View("Every system's rank", ranks, shows=SHOWN),
}
