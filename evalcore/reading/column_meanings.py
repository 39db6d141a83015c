"""Which column of a table is the topic, the document, the rank, the score, the grade and the system: guessed from the
names in its first row and from what stands below them.
"""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

NAMES = {  # meaning -> what people call such a column, the surest first; letters and digits alone, in lower case
    "topic": (
        "topic", "topicid", "topicno", "topicnumber", "topicnum", "queryid", "qid", "queryno", "querynumber",
        "querynum", "qno", "needid", "questionid", "searchid", "query", "q", "need", "question",
    ),
    "document": (
        "document", "documentid", "docno", "docid", "documentno", "docnumber", "documentnumber", "doc", "did",
        "corpusid", "passageid", "pid", "passage", "paragraphid", "itemid", "item", "resultid", "result", "url", "uri",
        "link", "answerid", "productid", "entityid", "hit", "id",
    ),
    "rank": ("rank", "ranking", "position", "pos", "place"),
    "score": ("score", "scores", "similarity", "sim", "rsv", "retrievalscore", "relevancescore", "probability", "prob",
              "logit", "cosine", "distance", "weight", "value"),
    "grade": (
        "grade", "relevance", "rel", "relevancy", "relevancegrade", "relevancelabel", "relevancejudgment",
        "relevancejudgement", "relevant", "isrelevant", "label", "judgment", "judgement", "judged", "rating", "qrel",
        "annotation", "gain", "score", "relevancescore", "value",
    ),
    "system": (
        "system", "systemid", "systemname", "run", "runid", "runname", "runtag", "tag", "model", "modelname", "method",
        "engine", "retriever", "ranker", "algorithm", "submission", "approach",
    ),
}  # fmt: skip
PASSED = {"q0", "iteration", "iter", "unused", "dummy", "0"}  # what TREC's own columns hold, and nobody reads
MEANINGS = {"run": ("topic", "document", "rank", "score", "system"), "qrels": ("topic", "document", "grade")}
NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
WHOLE = re.compile(r"[+-]?\d+([.,]0*)?")
TRUTH = {"true": "1", "yes": "1", "false": "0", "no": "0"}
MINUS_INFINITE = ("-inf", "-infinity")  # the score of a document that fills up a ranking
MOST_GRADES = 12  # more different numbers are no grades
MOST_FRACTIONS = 101  # more different fractions are scores of a run
MOST_SYSTEMS = 500  # more different names are no systems
OFTEN = 0.9  # the share of rows that differ from the row before, in a column of documents
SAMPLE = 5_000  # rows whose numbers are looked at; names are counted in all of them


@dataclass(frozen=True)
class Guess:
    """Which column of a sheet is what.

    columns : meaning -> the column's place, from 0; a meaning that no column has is not there
    header : whether the first row names the columns
    certain : whether the names say so, or the values leave no other reading
    chosen : whether the user says which column is the document
    """

    columns: dict
    header: bool
    certain: bool
    chosen: bool = False

    def fits(self, role):
        """Whether there is all that a run, or that judgments need."""
        return {"topic", "document"} <= self.columns.keys() and bool(
            self.columns.keys() & ({"grade"} if role == "qrels" else {"rank", "score"})
        )


def guess(sheet, role, chosen=None):
    """What the columns of a sheet are, of a run or of a qrels. -> Guess

    The last is set by the user: meaning -> the column's position, or None for no column; then nothing is uncertain
    """
    chosen, words = chosen or {}, [plain(cell) for cell in sheet.first]
    known = sum(is_called(word) and word not in PASSED for word in words)
    numbers = any(NUMBER.fullmatch(cell) for cell in sheet.first)
    header = (known >= 2 and not numbers) or _names_columns(sheet)
    below = sheet.without_first() if header and len(sheet.lines) > 1 else sheet
    values = [_Values.of(column) for column in below.columns]
    place_of = {meaning: place for meaning, place in chosen.items() if place is not None}
    for meaning in MEANINGS[role] if header else ():
        # what another role calls by a name is not taken for this one's, such as a relevance for a score
        places = [(NAMES[meaning].index(word), place) for place, word in enumerate(words) if word in NAMES[meaning]]
        free = [place for _, place in sorted(places) if place not in place_of.values()]
        if meaning not in chosen and free and (below is sheet or values[free[0]].may_be(meaning, words[free[0]])):
            place_of[meaning] = free[0]
    twice = header and any(
        words.count(words[place]) > 1 for meaning, place in place_of.items() if meaning not in chosen
    )
    named = Guess(place_of, header, not twice)
    if named.fits(role):
        return named
    others = {place: one for place, one in enumerate(values) if place not in place_of.values()}
    if header:  # a column that is called something else is that
        others = {place: one for place, one in others.items() if not is_called(words[place])}
    by_value, only = _by_values(others, role, place_of.keys() | chosen.keys())
    guessed = Guess(place_of | by_value, header, bool(chosen) or (only and not place_of))
    return guessed if guessed.fits(role) else replace(guessed, certain=False)


def is_called(word):
    return word in PASSED or any(word in names for names in NAMES.values())


def plain(cell):
    return re.sub(r"[^a-z0-9]", "", cell.lower())


def _names_columns(sheet):
    """Whether no cell of the first row is a number, where one is in most rows below."""
    if len(sheet.lines) < 2 or any(NUMBER.fullmatch(cell) for cell in sheet.first) or not all(sheet.first):
        return False
    return any(_Values.of(column[1:]).numbers for column in sheet.columns)


@dataclass(frozen=True)
class _Values:
    """What stands in a column, in short: how many rows and names; of a sample of rows whether they are numbers, whole,
    from where on, and whether they count up as ranks do."""

    rows: int
    names: int
    first: str
    numbers: bool
    whole: bool
    low: float
    counts_up: bool
    digits: bool  # whether every name has one: topics mostly have, systems often not
    in_blocks: bool  # whether equal names stand together, as topics mostly do, and scores of several topics do not
    changes: float  # the share of rows with another name than the row before: few of topics, nearly all of documents

    @classmethod
    def of(cls, column):
        rows = len(column)
        texts = column[:SAMPLE].to_pylist()
        texts += column.take(pa.array(range(SAMPLE, rows, max(1, rows // SAMPLE)))).to_pylist() if rows > SAMPLE else []
        texts = [text for text in texts if text and text.lower() not in MINUS_INFINITE]
        numbers = [text for text in texts if NUMBER.fullmatch(text)]
        whole = 2 * len(texts) > 0 and sum(map(bool, map(WHOLE.fullmatch, texts))) >= 0.9 * len(texts)
        values = np.array([float(text.replace(",", ".")) for text in numbers[:SAMPLE]])
        changes = sum(one != other for one, other in pairwise(texts[:SAMPLE]))
        return cls(
            rows, pc.count_distinct(column).as_py(), texts[0] if texts else "",
            bool(texts) and len(numbers) >= 0.9 * len(texts), whole, values.min() if len(values) else 0.0,
            whole and _counts_up(values), bool(texts) and all(map(re.compile(r".*\d").match, texts)),
            len(texts) > 1 and 1 + changes == len({*texts[:SAMPLE]}), changes / max(1, len(texts[:SAMPLE]) - 1),
        )  # fmt: skip

    def may_be(self, meaning, heading=""):
        """Whether the values do not contradict this meaning. heading : as `plain`; one of grades alone may be above
        fractions"""
        if meaning == "score":
            return self.numbers
        if meaning == "rank":
            return self.whole
        truth = self.names <= len(TRUTH) + 1 and self.first.lower() in TRUTH
        if meaning != "grade" or truth or (self.whole and self.names <= MOST_GRADES + 1):
            return True
        only_of_grades = heading in NAMES["grade"] and heading not in NAMES["score"]
        return only_of_grades and self.numbers and self.names <= MOST_FRACTIONS + 1


def _counts_up(values):
    """Whether numbers rise by one from row to row, but for a new start at 0 or 1."""
    steps = np.diff(values)
    if not len(steps) or np.mean(steps == 1) < 0.4:  # or grades that are mostly 0 would be ranks
        return False
    return len(values) > 1 and values.min() in (0, 1) and len(np.unique(values)) > 1 and bool(
        np.mean((steps == 1) | (values[1:] == values.min())) > 0.9
    )  # fmt: skip


# What the values of a meaning are like, beside those of the other columns without one


def _varies(column):
    return column.names > 1 or column.rows == 1


def _is_name(column):
    return _varies(column) and (column.whole or not column.numbers)


def _is_rank(column, others):
    return _varies(column) and column.counts_up


def _is_decimal(column, others):
    return _varies(column) and column.numbers and not column.whole


def _is_whole_score(column, others):
    """Neither a grade, nor, from 0 or 1 on, a rank in another order; and the file goes from topic to topic."""
    by_topic = any(other.in_blocks and other.names < column.names for other in others)
    return by_topic and column.whole and not column.in_blocks and column.names > MOST_GRADES and column.low > 1


def _is_grade(column, others):
    return _varies(column) and column.may_be("grade")


def _is_grade_from_0(column, others):
    return _is_grade(column, others) and column.low <= 0


def _in_no_order(test):
    return lambda column, others: test(column, others) and not column.in_blocks


def _has_most_names(column, others):
    return _is_name(column) and all(column.names > 2 * other.names for other in others if _is_name(other))


def _changes_often(column, others):
    names = [other for other in others if _is_name(other)]
    return _is_name(column) and column.changes > OFTEN and all(column.names >= other.names for other in names)


def _is_numbered(column, others):
    """A topic mostly has a number in its name, a system often not."""
    return _is_name(column) and column.digits


def _is_system(column, others):
    in_order = column.in_blocks or column.names == 1
    return not column.numbers and in_order and column.names <= MOST_SYSTEMS and plain(column.first) not in PASSED


def _any_name(column, others):
    return _is_name(column)


NAMED = [("document", _has_most_names), ("document", _changes_often), ("document", _any_name),
         ("topic", _is_numbered), ("topic", _any_name)]  # fmt: skip
BY_VALUES = {  # meanings in the order in which columns are taken, each with its surest sign first
    "run": [("rank", _is_rank), ("score", _is_decimal), ("score", _is_whole_score), *NAMED, ("system", _is_system)],
    "qrels": [("grade", _in_no_order(_is_grade_from_0)), ("grade", _is_grade_from_0),
              ("grade", _in_no_order(_is_grade)), ("grade", _is_grade), *NAMED],
}  # fmt: skip


def _by_values(columns, role, named):
    """Meanings for columns without a name. -> (meaning -> place, whether there is no other reading)

    columns : place -> `_Values`; named : the meanings whose column is known
    """
    places, free, certain = {}, dict(columns), True
    for meaning, fits in BY_VALUES[role]:
        if meaning in places or meaning in named:
            continue
        fitting = [place for place, column in free.items() if fits(column, [free[p] for p in free if p != place])]
        if fitting:
            certain = certain and len(fitting) == 1
            places[meaning] = max(fitting, key=lambda place: free[place].names)
            del free[places[meaning]]
    return places, certain and not any(map(_varies, free.values()))
