"""A qrels with several judgments of a document for a topic, under different words in the second column."""

from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore.reading.error_text import few_of, shortened
from evalcore.reading.files import Finding, InputError, Problem
from evalcore.reading.rankings import repeats
from evalcore.reading.rows import Rows

UNION = "union"  # the option aspect: the highest grade of a document over all subtopics
MOST_OFFERED = 10  # subtopics that a problem offers to choose
FEWEST, TENTH = 3, 0.1  # lines, and their share of the file, that judge a document again
MOSTLY = 0.9  # of these under another word


def of_aspect(name: str, rows: Rows, aspect: str | None) -> tuple[Rows, list[Finding]]:
    """The judgments for one subtopic (a word of the second column), or all of them. -> (Rows, findings)

    aspect : the subtopic, or `UNION` or None for all; a file of one word has no subtopics and is left as it is
    Raises InputError for a subtopic that the file does not have.
    """
    if aspect is None or rows.iteration is None or len(rows.iteration.dictionary) < 2:
        return rows, []
    words = rows.iteration.dictionary.to_pylist()
    if aspect == UNION:
        message = f"{name}: a document has its highest grade over {len(words)} subtopics, as you set."
        return replace(rows, iteration=None), [Finding("note", "subtopics", "", "", len(words), message)]
    if aspect.encode() not in words:
        shown = few_of(sorted(word.decode("utf-8", "backslashreplace") for word in words))
        raise _offering(name, f": it has no subtopic {aspect}. Its second column is {shown}; choose one.", None, words)
    kept = np.flatnonzero(rows.iteration.indices.to_numpy() == words.index(aspect.encode()))
    lines = f"{len(kept):,} of {len(rows.query):,} judgments"
    message = f"{name}: only the judgments for subtopic {aspect} are used, as you set ({lines})."
    of_subtopic = replace(rows.part(kept), iteration=None, for_subtopics=False, stratum=None)
    return of_subtopic, [Finding("note", "subtopics", "", "", len(kept), message)]


def by_subtopic(rows: Rows) -> pd.DataFrame | None:
    """Every judgment of a file: topic, subtopic, document (texts) and grade. None where the file has one subtopic."""
    if rows.iteration is None or len(rows.iteration.dictionary) < 2:
        return None

    def texts(names):
        return [name.decode("utf-8", "backslashreplace") for name in names]

    return pd.DataFrame(
        {
            "topic": np.array(texts(rows.queries), object)[rows.query],
            "subtopic": texts(rows.iteration.to_pylist()),
            "document": texts(rows.documents.to_pylist()),
            "grade": rows.values,
        }
    )


def _offering(name, message, line, words):
    """An InputError that offers to use the highest grade, or one of these subtopics."""
    offered = [UNION, *sorted(word.decode("utf-8", "backslashreplace") for word in words)[:MOST_OFFERED]]
    problem = Problem.at(name, line, message)
    return InputError([replace(problem, options=tuple(("aspect", subtopic) for subtopic in offered))])


def refuse_several_judgments(name: str, rows: Rows) -> bool:
    """Raises InputError where documents are judged for subtopics, or by several assessors. -> whether any repeats

    Where all judgments of a document agree, and other documents have other grades, the second column may be the round
    of judging; such a file is read.

    rows : the lines of the file (`rows.Rows`)
    """
    if rows.lines is None:
        return False
    (again, before), lines = repeats(rows), len(rows.query)
    if not len(again) or (len(again) < max(FEWEST, TENTH * lines) and not rows.for_subtopics):
        return len(again) > 0
    if np.array_equal(rows.values[again], rows.values[before]) and len(np.unique(rows.values)) > 1:
        return True
    if rows.iteration is None:  # as of a table
        return True
    second, words = rows.iteration.indices.to_numpy(), sorted(rows.iteration.dictionary.to_pylist())
    of_documents = len(words) > len(rows.documents.unique())
    if not rows.for_subtopics and (of_documents or np.mean(second[again] != second[before]) < MOSTLY):
        return True
    shown = [word.decode("utf-8", "backslashreplace") for word in words]
    if lines == (lines - len(again)) * len(words) and not rows.for_subtopics:
        message = (
            f": {len(words)} sets of judgments are in one file: its second column is {_listed(shown)}, and every "
            f'document is judged once under each. Choose one (aspect="{shown[0]}"), or give each set its own file, and '
            "open one as the judgments and another as second judgments."
        )
    else:
        topic = shortened(rows.queries[rows.query[again[0]]], 40)
        example = shortened(rows.documents[int(again[0])].as_py(), 60)
        parts, column = "subtopics, as for diversity, or in several rounds", "second column"
        if rows.for_subtopics:
            parts, column = "subtopics", "subtopic"
        message = (
            f": documents are judged for {parts}: {len(again):,} of {lines:,} lines judge a document again under "
            f"another {column} ({few_of(shown)}; such as topic {topic}, document {example}). Choose the highest grade "
            "of all subtopics or one of them (option aspect)"
        )
        message += "." if rows.for_subtopics else ', or the grade of the last round (duplicates="last").'
    raise _offering(name, message, int(rows.lines[again[0]]), words)


def _listed(words):
    return few_of(words) if len(words) > 2 else " or ".join(words)
