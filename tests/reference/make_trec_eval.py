"""Writes trec_eval.json: what trec_eval's code (by way of pytrec_eval-terrier) gives for a small messy track.

    python tests/reference/make_trec_eval.py

Three systems, ten topics, grades -2 to 3, tied scores, unjudged documents, a topic that one system lacks, a topic in
the runs and not in the qrels, a topic without a relevant document, document ids whose order as byte strings is not the
alphabet's, lists of 1 to 30 documents. Scores are whole numbers: pytrec_eval compares them as 32-bit floats.
Every topic has a judgment >= 0 (trec_eval reads memory that it never set where all are negative).
"""

import json
import random
from importlib.metadata import version
from pathlib import Path

import pytrec_eval

MEASURES = {
    "map",
    "map_cut.5,10",
    "ndcg",
    "ndcg_cut.5,10",
    "P.1,5,10",
    "recip_rank",
    "Rprec",
    "bpref",
    "infAP",
    "recall.5,10,20",
}
REL_LEVELS = [1, 2]
STEMS = ["FT911-", "LA010189-", "clueweb09-en0000-00-", "a", "A", "é", "doc_", "Z.", "10", "9"]


def track():
    """(runs, qrels): system -> topic -> document -> score, and topic -> document -> grade."""
    draw = random.Random(20100)
    qrels, runs = {}, {"calm": {}, "tied": {}, "short": {}}
    for topic in [str(number) for number in range(401, 411)]:
        documents = [stem + str(number) for stem in STEMS for number in range(6)]
        draw.shuffle(documents)
        grades = [-2, -1, 0, 0, 0, 0, 1, 1, 2, 3] if topic != "405" else [-2, -1, 0]
        qrels[topic] = {doc: draw.choice(grades) for doc in documents[:36]}
        qrels[topic][documents[0]] = 0
        retrieved = draw.sample(documents, 30)
        runs["calm"][topic] = {doc: 100 - place for place, doc in enumerate(retrieved)}
        runs["tied"][topic] = {doc: draw.randint(1, 4) for doc in draw.sample(documents, 25)}
        runs["short"][topic] = {doc: draw.randint(-9, 9) for doc in draw.sample(documents, draw.randint(1, 7))}
    qrels["403"] = {doc: min(grade, 1) for doc, grade in qrels["403"].items()}
    del runs["short"]["407"]
    runs["calm"]["499"] = {"FT911-0": 2, "FT911-1": 1}
    return runs, qrels


def scores(run, qrels, rel_level):
    """topic -> measure -> value, on the topics that both have."""
    return pytrec_eval.RelevanceEvaluator(qrels, MEASURES, relevance_level=rel_level).evaluate(run)


def main():
    runs, qrels = track()
    as_floats = {s: {t: {d: float(x) for d, x in run.items()} for t, run in runs[s].items()} for s in runs}
    document = {
        "source": f"pytrec_eval-terrier {version('pytrec_eval-terrier')}, by make_trec_eval.py",
        "notes": "values: rel_level -> system -> topic -> trec_eval's name of the measure -> value",
        "runs": runs,
        "qrels": qrels,
        "values": {str(level): {s: scores(as_floats[s], qrels, level) for s in runs} for level in REL_LEVELS},
    }
    text = json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True)
    Path(__file__).with_name("trec_eval.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
