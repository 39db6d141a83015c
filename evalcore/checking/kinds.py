"""How much of the scores a finding concerns, and what is said where a check finds a thing in several runs or topics."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.sentences import digits

SHOWN = 3  # names


@dataclass(frozen=True)
class Kind:
    """What several findings of one check have in common.

    several : what is said of them after "25 runs"; "" where each says its own
    unit : what their counts count; "" where these say nothing
    of : what the count of a finding is a part of (`_sizes`); "" where it concerns a run, a topic, or both
    """

    several: str = ""
    unit: str = ""
    of: str = ""


KINDS = {
    "missing topics": Kind("have no documents for some judged topics", "topic", "scores"),
    "no topic of the qrels": Kind("have no topic of the qrels"),
    "topics without judgments": Kind(of="topics"),
    "judgments without runs": Kind(of="topics"),
    "no relevant document": Kind(of="judged topics"),
    "duplicate documents": Kind("repeat documents", "line", "documents"),
    "head missing": Kind("lack the first documents of rankings", "ranking", "scores"),
    "short lists": Kind("have far shorter lists than the others"),
    "short list in a topic": Kind("have far fewer documents for some topics than otherwise"),
    "run of other documents": Kind("have first documents that are hardly judged, nor found by other runs"),
    "run partly of other documents": Kind("have first documents that no other file names"),
    "one list for all topics": Kind("have the same first documents for all topics"),
    "made of the judgments": Kind("have the relevant documents first"),
    "run upside down": Kind("have ranks that count against their scores"),
    "run in another order": Kind("rank first what the others rank last"),
    "topics exchanged in a run": Kind("have for some topics what others have for another topic"),
    "same ranking twice": Kind("have the rankings of another system"),
    "nearly the same ranking": Kind("have nearly the first ranks of another system"),
    "ranks disagree with scores": Kind("have ranks that disagree with their scores", "ranking"),
    "ranks not from 1": Kind("have ranks that do not start at 1", "ranking"),
    "ranks all alike": Kind("have one rank for all documents", "ranking"),
    "one score": Kind("have one score for all documents", "ranking", "scores"),
    "one score in some rankings": Kind("have one score for all documents in some rankings", "ranking", "scores"),
    "ties": Kind(of="systems"),
    "barely judged": Kind(of="systems"),
    "contributors in doubt": Kind(of="systems"),
    "contributors not judged": Kind("are named as contributing and not judged so", "document"),
    "file names exchanged": Kind(of="systems"),
    "judgments of another topic": Kind("have judgments that seem to be another topic's"),
    "topic cut short": Kind("have far fewer judgments than the others"),
    "topic all relevant": Kind("have only relevant documents"),
    "one grade in a topic": Kind("have one grade for all documents"),
    "topic mostly relevant": Kind("have mostly relevant documents"),
    "topic upside down": Kind("have relevant documents that systems rank below the others"),
    "topic half judged": Kind("have no relevant document at the end of their names"),
    "grades shifted": Kind("have grades that fit the next document better"),
}
OF_A_RUN = "two runs in one file", "ranks not read"  # checks of one file that does not name its system
OF_NO_SCORE = (  # checks of what changes no score
    "file passed over", "same file twice", "one name twice in an archive", "two systems of one name",
    "no variation in the name", "groups spelt differently", "runs without a row", "rows without a run",
    "who contributed", "order of the pool",
)  # fmt: skip
OF_ALL = (  # checks of all judgments: a warning that names a topic as an example, and notes
    "popular documents not judged", "everything judged", "large grades",
)  # fmt: skip


def effects(table, study):
    """The share of all scores, of a system on a judged topic, that each finding may change. float (rows,)"""
    sizes = _sizes(study)
    return np.array([_effect(row, sizes) for row in table.itertuples()], float)


def _sizes(study):
    systems, topics = max(1, len(study.systems)), max(1, len(study.judged_topics))
    return {
        "systems": systems,
        "judged topics": topics,
        "topics": max(1, len(study.topics)),
        "scores": systems * topics,
        "documents": max(1, int(study.track.lengths.sum())),
    }


def _effect(row, sizes):
    kind = KINDS.get(row.check, Kind())
    if row.check in OF_NO_SCORE:
        return 0.0
    if kind.of:
        return min(1.0, row.count / sizes[kind.of])
    if row.check in OF_A_RUN:
        return 1 / sizes["systems"]
    if row.check in OF_ALL:
        return 1.0
    if not (row.system or row.topic):
        return float(row.severity != "note")  # what a note says of a whole file, or of an option, changes nothing
    return (1 / sizes["systems"] if row.system else 1) * (1 / sizes["judged topics"] if row.topic else 1)


def by_kind(table):
    """A row for each check of each severity, in the order of the table: severity, check, and all its findings in a
    message."""
    rows = [
        (severity, check, _together(check, those))
        for (severity, check), those in table.groupby(["severity", "check"], sort=False)
    ]
    return pd.DataFrame(rows, columns=["severity", "check", "message"])


def _together(check, those):
    """What is said of all findings of one check."""
    first, kind = those["message"].iloc[0], KINDS.get(check, Kind())
    whose = those["system"].where(those["system"] != "", those["topic"])
    names = list(dict.fromkeys(name for name in whose if name))
    if len(those) == 1:
        return first
    if not kind.several or len(names) < 2:
        return first + _more(len(those) - 1, list(dict.fromkeys(name for name in whose.iloc[1:] if name)))
    what = "run" if (those["system"] != "").all() else "topic"
    said = f"{digits(len(names), what)} ({_few(names)}) {kind.several}"
    if not kind.unit:
        return f"{said}. {first}"
    most = those.loc[those["count"].idxmax()]
    return f"{said}; {most['system'] or most['topic']} has the most, {digits(int(most['count']), kind.unit)}."


def _more(count, names):
    return f" ({count:,} more like it{f': {_few(names)}' if names else ''}{'' if len(names) > SHOWN else '.'})"


def _few(names):
    return ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
