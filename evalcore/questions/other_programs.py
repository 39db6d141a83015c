"""Scores of other programs: which differ from those here, and which convention explains it."""

import re
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from evalcore.interop.score_files import ALL
from evalcore.questions.question import Question
from evalcore.study.conventions import MEAN, Tries, explained
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.sentences import digits, first_of

NOTHING = "unexplained"
NO_SYSTEM, NO_TOPIC = "no system here has that name", "no judged topic here has that name"
MISSING = {
    "unanswered": "the run has no ranking for the topic (no -c)",
    "irrelevant": "the topic has no relevant document",
    "": "the topic is missing in the output",
}
OPTION = re.compile(r" \((?:no )?-\w[^)]*\)")  # of trec_eval, as a table names it and a sentence does not
BY_SCORES = 3  # so many scores at the least tell whose they are


def score_differences(study: Study) -> tuple[pd.DataFrame, list[str]]:
    """Scores of another program that differ from Poolscope's, with the convention that explains each difference.

    theirs : the output of trec_eval -q or of ir_measures, or JSON lines; a topic `all` is the mean
    A convention explains a score where the score computed under it is the printed one, and what agrees without it
    still does; what none explains is `unexplained`. Scores that only one side has are blank on the other.
    """
    if study.theirs is None:
        raise ValueError("there are no scores of another program. Name their file, such as theirs='eval.txt'.")
    rows = study.theirs[study.theirs["metric"] != ""].reset_index(drop=True)
    rows, notes = _placed(study, rows)
    placed = (rows["system"] >= 0) & (rows["place"] != NOWHERE)
    exchanged, here = (np.flatnonzero(placed & mask) for mask in (rows["whose"] != "", rows["whose"] == ""))
    ours, words = np.full(len(rows), np.nan), np.full(len(rows), None, object)
    if len(here):
        ours[here], words[here] = explained(study, rows.iloc[here].reset_index(drop=True))
    if len(exchanged):
        tries = Tries(study, rows)
        ours[exchanged] = tries.scores((), exchanged)
        words[exchanged] = np.where(tries.agree((), exchanged), "", rows["whose"].to_numpy()[exchanged])
    words[rows["system"] < 0] = NO_SYSTEM
    words[(rows["system"] >= 0) & (rows["place"] == NOWHERE)] = NO_TOPIC
    names = np.array([*study.systems, ""], object)
    table = pd.DataFrame(
        {
            "system": np.where(rows["system"] < 0, rows["output"], names[rows["system"]]),
            "topic": rows["topic"],
            "metric": rows["label"],
            "value": ours,
            "theirs": rows["value"],
            "difference": rows["value"] - ours,
            "explained_by": np.where(np.equal(words, None), NOTHING, words),  # type: ignore[call-overload]
        }
    )
    table = pd.concat([table[table["explained_by"] != ""], _not_printed(study, rows)], ignore_index=True)
    unexplained_first = np.lexsort((-table["difference"].abs().fillna(0), table["explained_by"] != NOTHING))
    return table.iloc[unexplained_first].reset_index(drop=True), [*notes, *_left_out(study.theirs)]


NOWHERE = -2  # the place of a topic that is not judged here


def _placed(study, rows):
    """The rows with output (what names their run), system, place (see `conventions.Tries`) and whose scores they are,
    where not that system's; and notes."""
    rows = rows.assign(output=np.where(rows["run"] != "", rows["run"], rows["file"]))
    topics = {study.track.topics[topic]: place for place, topic in enumerate(study.judged_topics)}
    judged = np.isin(study.track.topic_of_query, study.judged_topics)
    queries = {name: len(topics) + q for q, name in enumerate(study.track.queries) if judged[q]}
    places = {ALL: MEAN} | queries | topics
    rows["place"] = [places.get(topic, NOWHERE) for topic in rows["topic"]]
    rows["system"], rows["whose"], notes = -1, "", {}
    for output, rows_of_output in rows.groupby("output", sort=False):
        system, whose, note = _system_of(study, output, rows_of_output)
        rows.loc[rows_of_output.index, ["system", "whose"]] = system, whose
        notes.setdefault(note, []).append((output, study.systems[system]))
    notes.pop("", None)
    return rows, [_told_of(note, outputs) for note, outputs in notes.items()]


UNKNOWN = "No system here is called {output}"
TAKEN = "{output} is compared with {system}"
BY_FILE = f"{TAKEN}, by its file name"
BY_SCORE = f"{TAKEN}, because the scores match"
ALONE = f"{TAKEN}, because it names no run"


def _told_of(note, outputs):
    """A note on some outputs, in words: on the first, and how many more are like it."""
    output, system = outputs[0]
    more = f"; {len(outputs) - 1:,} more like it" if len(outputs) > 1 else ""
    return f"{note.format(output=output, system=system)}{more}."


def _system_of(study, output, rows):
    """Which system (index, -1 for none) an output is of; whose scores it holds, in words, where they are another's; and
    a note where no name says it."""
    named, scored = _named(study, output), rows[rows["place"] != NOWHERE]
    fitting = _by_scores(study, scored) if len(scored) >= BY_SCORES else []
    if named is not None:
        own = study.systems[named]
        exchanged = ""
        if len(fitting) == 1 and named not in fitting:
            exchanged = f"the scores of {study.systems[fitting[0]]}: a run's tag and its file's name are exchanged"
        return named, exchanged, "" if own == output else BY_FILE
    if len(fitting) == 1:
        return fitting[0], "", BY_SCORE
    if len(study.systems) == 1 and not rows["run"].iloc[0]:
        return 0, "", ALONE
    return -1, "", UNKNOWN


def _named(study, output):
    """The system of that name, tag, or file name; None for none, or several."""
    stem = PurePosixPath(output).name.split(".")[0]
    table = study.system_table
    files = dict(zip(table["system"], table["file"], strict=True)) if "file" in table else {}
    for name in (output, stem):
        if name in study.systems:
            return study.systems.index(name)
    notes = [
        s for s, system in enumerate(study.systems)
        if {output, stem} & {part for file in files.get(system, "").split(", ") for part in _names_of(file)}
    ]  # fmt: skip
    return notes[0] if len(notes) == 1 else None


def _names_of(file):
    name = PurePosixPath(file).name
    return {file, name, name.split(".")[0]} - {""}


def _by_scores(study, rows):
    """The systems (indices) whose scores here are all of these; their means too."""
    fits = np.ones(len(study.systems), bool)
    for metric, group in rows.groupby("metric", sort=False):
        values = study.at().values(metric)
        of_means = study.mean(values)[:, None]
        every = np.concatenate([study.by_topic(values), values, of_means], axis=1)  # a place of -1 is the mean
        off = np.abs(every[:, group["place"]] - group["value"].to_numpy())
        fits &= (off <= 10.0 ** -group["digits"].to_numpy() / 2 + 1e-9).all(axis=1)
    return list(np.flatnonzero(fits))


def _not_printed(study, rows):
    """A row for each score here that an output lacks, though it has its measure on other topics."""
    answered = study.by_topic((study.track.lengths > 0).astype(float)) > 0
    relevant = study.judgments.relevant[study.judged_topics] > 0
    lacking = []
    for (system, label), group in rows[rows["system"] >= 0].groupby(["system", "label"], sort=False):
        listed = set(group["place"]) - {MEAN, NOWHERE}
        if not listed or max(listed) >= len(study.judged_topics):
            continue
        values = study.by_topic(study.at().values(group["metric"].iloc[0]))[system]
        for place in sorted(set(range(len(study.judged_topics))) - listed):
            why = "unanswered" if not answered[system, place] else "irrelevant" if not relevant[place] else ""
            topic = study.track.topics[study.judged_topics[place]]
            lacking.append((study.systems[system], topic, label, values[place], np.nan, np.nan, MISSING[why]))
    return QUESTIONS["score_differences"].table(lacking)


def _left_out(theirs):
    labels = list(theirs["label"][theirs["metric"] == ""].unique())
    if labels:
        metrics = digits(len(labels), "metric is", "metrics are")
        yield f"{metrics} not available here and left out ({first_of(labels)})."


QUESTIONS = by_name(
    Question(
        "score_differences", score_differences, section="3.14", files=("theirs",),
        columns="system topic metric value theirs difference explained_by",
    ),
)  # fmt: skip
