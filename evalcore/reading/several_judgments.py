"""A qrels with several judgments of a document for a topic, under different words in the second column."""

import numpy as np

from evalcore.reading.error_text import few_of, shortened
from evalcore.reading.files import refusal
from evalcore.reading.formats import Rows

FEWEST, TENTH = 3, 0.1  # lines, and their share of the file, that judge a document again
MOSTLY = 0.9  # of these under another word


def refuse_several_judgments(name: str, rows: Rows) -> bool:
    """Raises InputError where documents are judged for subtopics, or by several assessors. -> whether any repeats

    Where all judgments of a document agree, and other documents have other grades, the second column may be the round
    of judging; such a file is read.

    rows : the lines of the file (`formats.Rows`)
    """
    if rows.lines is None:
        return False
    document = rows.documents.dictionary_encode().indices.to_numpy().astype(np.int64)
    pairs, first, pair = np.unique(rows.query * (document.max() + 1) + document, return_index=True, return_inverse=True)
    again = np.ones(len(pair), bool)
    again[first] = False
    again = np.flatnonzero(again)
    if len(again) < max(FEWEST, TENTH * len(pair)):
        return len(again) > 0
    before = first[pair[again]]
    if np.array_equal(rows.values[again], rows.values[before]) and len(np.unique(rows.values)) > 1:
        return True
    if rows.iteration is None:  # as of a table
        return True
    second, words = rows.iteration.indices.to_numpy(), sorted(rows.iteration.dictionary.to_pylist())
    if np.mean(second[again] != second[before]) < MOSTLY or len(words) > document.max() + 1:  # these are the documents
        return True
    shown = [word.decode("utf-8", "backslashreplace") for word in words]
    if len(pair) == len(pairs) * len(words):
        message = (
            f": {len(words)} sets of judgments are in one file: its second column is {_listed(shown)}, and every "
            "document is judged once under each. Give each set its own file, and open one as the judgments and "
            "another as second judgments."
        )
    else:
        topic = shortened(rows.queries[rows.query[again[0]]], 40)
        example = shortened(rows.documents[int(again[0])].as_py(), 60)
        message = (
            f": documents are judged for subtopics, as for diversity, or in several rounds: {len(again):,} of "
            f"{len(pair):,} lines judge a document again under another second column ({few_of(shown)}; such as topic "
            f"{topic}, document {example}). Give each document one grade for the topic, such as the highest of its "
            'subtopics or that of the last round (duplicates="highest" or "last").'
        )
    raise refusal(name, message, int(rows.lines[again[0]]))


def _listed(words):
    return few_of(words) if len(words) > 2 else " or ".join(words)
