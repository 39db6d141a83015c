"""The face of another program's scores."""

from evalcore.questions.other_programs import NOTHING
from evalcore.sentences import number
from ui.views.view import View


def tiles(answer):
    """How many scores differ, and how many of these nothing explains."""
    both = answer.table[answer.table["value"].notna() & answer.table["theirs"].notna()]
    unexplained = (both["explained_by"] == NOTHING).sum()
    return (
        ("Scores that differ", number(len(both)), "From those here, in the last digit printed or before."),
        ("Explained", number(len(both) - unexplained), "The convention named gives the printed score."),
        ("Unexplained", number(unexplained), "No convention that was tried gives the printed score."),
        ("On one side alone", number(len(answer.table) - len(both)), "There, or here, is no such score."),
    )


VIEWS = {"score_differences": View("Every score that differs", tiles=tiles)}
