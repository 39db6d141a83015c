"""View of another program's scores."""

from evalcore.answers import Answer
from evalcore.questions.other_programs import NOTHING
from evalcore.vocabulary.sentences import number
from ui.views.view import View


def tiles(answer: Answer) -> tuple[tuple[str, str, str], ...]:
    """How many scores differ, and how many of these are unexplained."""
    rows = answer.table[answer.table["value"].notna() & answer.table["theirs"].notna()]
    unexplained = (rows["explained_by"] == NOTHING).sum()
    return (
        ("Scores that differ", number(len(rows)), "Scores that differ from Poolscope's in the printed digits."),
        ("Explained", number(len(rows) - unexplained), "Scores that a known convention reproduces."),
        ("Unexplained", number(unexplained), "Scores that none of the conventions tried reproduces."),
        ("Only on one side", number(len(answer.table) - len(rows)), "Scores that only one of the two programs has."),
    )


VIEWS = {"score_differences": View("Every score that differs", tiles=tiles)}
