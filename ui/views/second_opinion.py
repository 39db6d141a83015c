"""The faces of a second opinion: two sets of judgments, and what they make of the systems."""

from ui.pictures import slopes, square
from ui.views.view import View


def confusion(answer, look):
    """How often each grade of the one meets each grade of the other."""
    grades = list(dict.fromkeys(answer.table["grade"]))
    counts = answer.table["count"].to_numpy().reshape(len(grades), -1).tolist()
    sides = ("the second judgments", "these judgments")
    return square([f"grade {grade}" for grade in grades], counts, look, title="documents", ticks=",d", axes=sides)


def places(answer, look):
    """Every system's place by the one and by the other. No truth is marked: a study's truth holds its own judgments,
    grade by grade, and is no judge between these and the others."""
    systems = answer.table["system"]
    by_each = (dict(zip(systems, answer.table[rank], strict=True)) for rank in ("rank", "rank_other"))
    return slopes(*by_each, look, names=["these judgments", "the second ones"])


SHOWN = "How often each grade of one set of judgments meets each of the other."
VIEWS = {
    "agreement": View("Every topic"),
    "confusion": View("Every pair of grades", confusion, shows=SHOWN),
    "agreement_effect": View("Every system by both", places),
}
