"""Views of second judgments: agreement of two sets, and their effect on the ranks of systems."""

from typing import Any

from evalcore.answers import Answer
from ui.views.charts import slopes, square
from ui.views.view import View


def confusion(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Counts of documents by first and second grade."""
    grades = list(dict.fromkeys(answer.table["grade"]))
    counts = answer.table["count"].to_numpy().reshape(len(grades), -1).tolist()
    sides = ("second judgments", "first judgments")
    return square([f"grade {grade}" for grade in grades], counts, look, title="documents", ticks=",d", axes=sides)


def ranks_under_both(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Every system's rank under both sets. Complete judgments are not marked: they repeat the first set's grades, so
    they cannot decide between the two."""
    systems = answer.table["system"]
    first, second = (dict(zip(systems, answer.table[rank], strict=True)) for rank in ("rank", "rank_other"))
    return slopes(first, second, look, names=["first judgments", "second judgments"])


SHOWN = "Number of documents with each pair of grades, one from each set."
VIEWS = {
    "agreement": View("Topics"),
    "confusion": View("Pairs of grades", confusion, shows=SHOWN),
    "agreement_effect": View("Ranks under both sets", ranks_under_both),
}
