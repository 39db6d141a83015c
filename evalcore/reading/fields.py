"""What columns can be: a table of their meanings, with their names and the shapes of their cells, and a table of the
orders that they have in lines without headings. A further format of such lines is a row of the latter.
"""

import re
from dataclasses import dataclass

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
INTEGER, STRATUM, ZERO, Q0 = (re.compile(shape) for shape in (rb"[+-]?\d+", rb"[1-9]\d?", rb"0", rb"[Qq]?0"))
MINUS_INFINITE = re.compile(rb"-inf(inity)?", re.IGNORECASE)  # the score of a document that fills up a ranking


@dataclass(frozen=True)
class Field:
    """What a column can be.

    names : what people call it, the surest first; letters and digits alone, in lower case, with blanks between names
    cells : what its cells look like, where that shows it
    """

    names: str = ""
    cells: re.Pattern[bytes] | None = None


FIELDS = {
    "topic": Field(
        "topicid topicno topicnumber topicnum topic queryid qid queryno querynumber querynum qno needid questionid "
        "searchid narrativeid requestid query q need question"
    ),
    "document": Field(
        "document documentid docno docid documentno docnumber documentnumber doc did corpusid passageid pid passage "
        "paragraphid itemid item resultid result url uri link answerid productid entityid hit id"
    ),
    "rank": Field("rank ranking position pos place", INTEGER),
    "score": Field(
        "score scores similarity sim rsv retrievalscore relevancescore probability prob logit cosine distance weight "
        "value",
        NUMBER,
    ),
    "grade": Field(
        "grade relevance rel relevancy relevancegrade relevancelabel relevancejudgment relevancejudgement relevant "
        "isrelevant label judgment judgement judged rating qrel annotation gain score relevancescore value"
    ),
    "system": Field(
        "system systemid systemname run runid runname runtag tag model modelname method engine retriever ranker "
        "algorithm submission approach"
    ),
    "subtopic": Field("subtopic subtopicid aspect aspectid intent facet"),
    "assessor": Field(
        "assessor assessorid assessorname assessedby judge judgeid judgename judgedby annotator annotatorid "
        "annotatedby rater raterid worker workerid user userid"
    ),
    "order": Field("order sequence seq time timestamp datetime judgedat createdat submittedat date"),
    "passed": Field("q0 iteration iter unused dummy 0"),  # what TREC's own columns hold, and nobody reads
    "Q0": Field(cells=Q0),
    "index": Field(cells=INTEGER),  # the number of a line, as pandas writes it
    "value": Field(cells=NUMBER),  # a rank or a score
    # of JSON: the list of the documents of a query, TREC RAG's and OpenSearch's last; objects around records
    "list": Field("candidates results hits ranking documents docs references ratings"),
    "around": Field("hits source judgmentratings requests turns"),
}
NAMES = {meaning: tuple(field.names.split()) for meaning, field in FIELDS.items()}
MEANINGS = {"run": ("topic", "document", "rank", "score", "system"), "qrels": ("topic", "document", "grade")}
VALUES = {"run": "score", "qrels": "grade"}
CALLED = frozenset(
    name for meaning in (*MEANINGS["run"], *MEANINGS["qrels"], "passed") for name in NAMES[meaning]
)  # names that columns of runs and of judgments have

HEADERS = {  # of lines with blanks between columns: what the first word of a heading is, and, by role, the last
    "topic": {"query-id", "query_id", "queryid", "qid", "query", "topic", "topic-id", "topic_id", "topicid"},
    "run": {"tag", "run", "run_id", "runid", "run_name", "system", "rank", "score"},
    "qrels": {"score", "grade", "relevance", "rel", "relevant", "relevancy", "label", "judgment", "judgement"},
}

RUN = ("topic", "Q0", "document", "rank", "score", "tag")
RANKED_OR_SCORED = ("topic", "document", "value")  # MS MARCO's third column is a rank, Tevatron's a score
QRELS, GRADED = ("topic", "iteration", "document", "grade"), ("topic", "document", "grade")
STRATA = ("topic", "iteration", "document", "stratum", "grade")  # of sample_eval
LAYOUTS = {  # what lines without a header may be, by role; the first of its width that fits
    "run": (
        RUN,
        ("topic", "Q0", "document", "rank", "score"),
        ("topic", "document", "rank", "score", "tag"),
        ("topic", "document", "rank", "score"),
        RANKED_OR_SCORED,
        ("index", *RUN),  # as pandas writes them
    ),
    "qrels": (QRELS, GRADED, ("topic", "document"), STRATA),
}
USUAL: dict[str, dict[int, tuple[str, ...]]] = {  # those that all programs write, by their number of columns
    "run": {6: RUN, 3: RANKED_OR_SCORED},
    "qrels": {4: QRELS, 3: GRADED},
}
IN_TABLES = {"tag": "system", "value": "rank"}  # what columns of layouts are called in tables

WORDS = {  # grade -> what assessors and language models call it
    "0": "false, no, irrelevant, not relevant, non relevant, nonrelevant",
    "1": "true, yes, relevant, related, partially relevant, marginally relevant",
    "2": "highly relevant",
    "3": "perfectly relevant",
}
TRUTH = {  # the same by word, also with hyphens or underscores
    word.replace(" ", joined): grade for grade, words in WORDS.items() for word in words.split(", ") for joined in " -_"
} | {f"l{grade}": str(grade) for grade in range(10)}  # NTCIR's


def plain(cell: str) -> str:
    """A name of a column as in `Field.names`."""
    return re.sub(r"[^a-z0-9]", "", cell.lower())


def number_at(role: str, width: int) -> int | None:
    """Where lines of a usual number of columns have a number; None for other lines."""
    layout = USUAL[role].get(width, ())
    return next((at for at, meaning in enumerate(layout) if meaning in ("score", "value", "grade")), None)


def as_number(word: bytes) -> bytes:
    """A grade as a number where it is a word for one."""
    return TRUTH.get(word.decode("utf-8", "replace").lower(), "").encode() or word
