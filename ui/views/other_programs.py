"""View of another program's scores."""

from evalcore.questions.other_programs import NOTHING
from evalcore.vocabulary.sentences import number
from ui.views.view import View


def tiles(answer):
    """How many scores differ, and how many of these are unexplained."""
    both = answer.table[answer.table["value"].notna() & answer.table["theirs"].notna()]
    unexplained = (both["explained_by"] == NOTHING).sum()
    return (
        ("Scores that differ", number(len(both)), "They differ from Poolscope's scores in the printed digits."),
        ("Explained", number(len(both) - unexplained), "A known convention gives the printed score."),
        ("Unexplained", number(unexplained), "None of the conventions tried gives the printed score."),
        ("Only on one side", number(len(answer.table) - len(both)), "Only one of the two programs has the score."),
    )


VIEWS = {"score_differences": View("Every score that differs", tiles=tiles)}
