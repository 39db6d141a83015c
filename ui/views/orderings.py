"""Views of orderings: how far setups agree, and which pairs are significant with few judgments."""

from typing import Any

from evalcore.answers import Answer
from evalcore.estimating.estimators import in_short
from ui.text import in_words
from ui.text.escape import plotly
from ui.views.charts import grid, lines, slopes, square
from ui.views.traces import axis, column, few_rows_axis, figure, level, points, upright
from ui.views.view import View

AGREEMENTS = {
    "tau": "Agreement of orderings (τ-b)",
    "tau_ap": "Agreement, mostly at the top (τ-AP)",
    "rbo": "Shared top ranks (RBO)",
    "distance": "Weighted distance",
    "distance_per_pair": "Weighted distance per pair",
}


def agreement(answer: Answer, look: dict[str, Any], *, by: str = "tau") -> dict[str, Any]:
    """How far every two setups agree. by : one of AGREEMENTS"""
    rows = answer.table
    names = list(dict.fromkeys(rows["a"]))
    values = {(a, b): value for a, b, value in zip(rows["a"], rows["b"], rows[by], strict=True)}
    cells = [[values[a, b] for b in names] for a in names]
    options: dict[str, Any] = {"nearer_is_less": True} if by.startswith("distance") else {"darkest": FAR_APART}
    options |= {"ticks": {"distance": ".1f", "distance_per_pair": ".3f"}.get(by, ".2f")}
    return square(_worded(names), cells, look, title=AGREEMENTS[by], **options)


FAR_APART = 0.5  # agreement at which a cell is darkest, so that setups which mostly agree are bright
MOST_PAIRS = 12  # in a list


def agreement_in_rows(answer: Answer, look: dict[str, Any], *, by: str = "tau") -> dict[str, Any]:
    """How far every two setups agree, as a list for a phone: a bar for each pair, those that agree least on top.

    by : one of AGREEMENTS
    """
    table, names = answer.table, list(dict.fromkeys(answer.table["a"]))
    place, words = {name: i for i, name in enumerate(names)}, dict(zip(names, _worded(names), strict=True))
    pairs = table[table["a"].map(place) < table["b"].map(place)].sort_values(
        by, ascending=not by.startswith("distance"), kind="stable"
    )
    shown, ticks = pairs.head(MOST_PAIRS), {"distance": ".1f", "distance_per_pair": ".3f"}.get(by, ".2f")
    rows = [f"{plotly(words[a], LONGEST)}<br>{plotly(words[b], LONGEST)}"
            for a, b in zip(shown["a"], shown["b"], strict=True)]  # fmt: skip
    bars = column(
        list(shown[by]), list(range(len(shown))), look, "known", lying=True, text=rows,
        hover=f"%{{text}}<br>{AGREEMENTS[by]} %{{x:{ticks}}}", texttemplate=f"%{{x:{ticks}}}", textposition="auto",
    )  # fmt: skip
    of = f", {len(shown)} of {len(pairs)} pairs" if len(shown) < len(pairs) else ""
    along = axis(look, AGREEMENTS[by] + of, rangemode="tozero", nticks=4)
    return figure([bars], look, 100 + 44 * len(shown), along, few_rows_axis(look, rows))


LONGEST = 30  # letters of a setup in a list


def _worded(setups):
    """The names of setups as one would say them, unless two would be the same."""
    words = [in_words.setup_shortly(name) for name in setups]
    return words if len(set(words)) == len(words) else setups


def side_by_side(
    answer: Answer, look: dict[str, Any], *, left: dict[str, int], right: dict[str, float]
) -> dict[str, Any]:
    """Two orderings, with a line for each system. left, right : system -> rank"""
    clearest = answer.table[["better", "worse"]].head(1).to_numpy().ravel()
    return slopes(left, right, look, names=_worded([answer.params["a"], answer.params["b"]]), spoken_of=list(clearest))


def by_judgments(answer: Answer, look: dict[str, Any], *, panel: str) -> dict[str, Any]:
    """A share of pairs by number of judgments, with a line for each estimator."""
    titles = ("judgments", SHARES[panel])
    shown: dict[str, Any] = {
        "x": "judgments",
        "y": panel,
        "series": "estimator",
        "ticks": ".1%",
        "height": 300,
        "words": in_words.estimator,
    }
    return lines(answer.table, look, titles=titles, **shown)


def by_metric(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """The shares of separable and of reversed pairs for every metric and estimator."""
    separable, reversals = (
        answer.table.pivot_table(share, "estimator", "metric", sort=False) for share in ("separable", "reversed")
    )
    names, title = [in_short(estimator) for estimator in separable.index], "separable / reversed pairs (%)"
    above, below = (of.to_numpy().tolist() for of in (separable, reversals))
    return grid(list(separable), names, above, below, look, title=title)


SHARES = {"separable": "share of separable pairs", "reversed": "share of reversed pairs"}
QUADRANTS = {
    "separable in both": ("known", "square"),
    "separable only with few judgments": ("focus", "diamond"),
    "separable only with all judgments": ("good", "triangle-up"),
    "separable in neither": ("quiet", "circle"),
}
LEAST = 1e-12  # smaller p are drawn here: the axes are logarithmic


def p_values(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Every pair's p with few judgments and with all judgments, in four quadrants."""
    data, at = [], answer.params["level"]
    for quadrant, (role, symbol) in QUADRANTS.items():
        rows = answer.table[answer.table["quadrant"] == quadrant]
        x, y = ([max(p, LEAST) for p in rows[column]] for column in ("p_shallow", "p_full"))
        text = [
            f"{plotly(a)}, {plotly(b)}<br>p {first:.3g} with few judgments, {then:.3g} with all"
            for a, b, first, then in zip(rows["a"], rows["b"], rows["p_shallow"], rows["p_full"], strict=True)
        ]
        name = f"{quadrant} ({len(rows):,})"
        dots = points(x, y, look, role, name=name, symbol=symbol, size=6, text=text)
        dots["marker"] |= {"opacity": 0.75}
        data.append(dots)
    log = {"type": "log", "exponentformat": "power", "dtick": 2}
    cut: dict[str, Any] = {"role": "dot", "width": 1.5, "dash": "dash"}
    few, full = f"p, {_few(answer.params['shallow'])}", "p, all judgments"
    cuts = [upright(at, look, **cut), level(at, look, **cut)]
    return figure(data, look, 520, axis(look, few, **log), axis(look, full, **log), shapes=cuts)


def _few(shallow):
    """The few judgments in words, such as "pool depth 10"."""
    by, equals, count = str(shallow).partition("=")
    words = {"depth": f"pool depth {count}", "judgments": f"{count} judgments"}
    return plotly(words[by]) if equals and by in words else "few judgments"


IN_ROWS = View("Every ordered pair of setups", agreement_in_rows)  # of `regimes`, on a phone
SIDE_BY_SIDE = View("Swapped pairs", side_by_side)  # needs the ranks of systems, which are not in the table of swaps
VIEWS = {
    "regimes": View("Every ordered pair of setups", agreement),
    "swaps": View("Swapped pairs"),
    "separability": View("Every number of judgments", by_judgments, panels=SHARES),
    "separability_by_metric": View("Every metric and estimator", by_metric),
    "p_values": View("Every pair's p", p_values),
}
