"""The share of the scores that a finding concerns, and one message for many findings of the same check."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits

SHOWN = 3  # names


@dataclass(frozen=True)
class Kind:
    """What the findings of one check have in common.

    several : the verb and object of a sentence about several of them, after "25 runs"; "" where the first one's is used
    unit : what the counts count; "" where they are not shown
    of : the total that a count is a part of (`_sizes`); "" where a finding concerns a run, a topic, or both
    """

    several: str = ""
    unit: str = ""
    of: str = ""


KINDS = {
    "missing topics": Kind("returned nothing for some judged topics", "topic", "scores"),
    "documents of other names": Kind("have judged documents under other names"),
    "topics of other names": Kind("have judged topics under other names"),
    "no topic of the qrels": Kind("share no topic with the qrels"),
    "topics without judgments": Kind(of="topics"),
    "judgments without runs": Kind(of="topics"),
    "no relevant document": Kind(of="judged topics"),
    "duplicate documents": Kind("repeat documents", "line", "documents"),
    "head missing": Kind("lack the first ranks of some rankings", "ranking", "scores"),
    "short lists": Kind("have far shorter rankings than the others"),
    "short list in a topic": Kind("have far fewer documents for some topics than for others"),
    "run of other documents": Kind("have top documents that are rarely judged or retrieved by other runs"),
    "run partly of other documents": Kind("have top documents that occur in no other file"),
    "one list for all topics": Kind("return the same top documents for every topic"),
    "made of the judgments": Kind("rank half of all relevant documents, or more, first"),
    "run upside down": Kind("may be read from the wrong end: their rank column contradicts their scores"),
    "better by rank": Kind("have tied scores, but a rank column that orders them better"),
    "run in another order": Kind("may be reversed or wrongly sorted"),
    "earlier documents left in": Kind("rank documents first that no other run has"),
    "some rankings at random": Kind("rank documents at random in some topics"),
    "one list for two topics": Kind("have one list for several topics"),
    "topics exchanged in a run": Kind("have, for some topics, the documents that other runs have for another topic"),
    "names shortened": Kind(of="documents"),
    "query ranks itself": Kind("rank the query itself"),
    "same ranking twice": Kind("have identical rankings to another system"),
    "nearly the same ranking": Kind("have nearly the same top ranks as another system"),
    "ranks disagree with scores": Kind("have ranks that differ from the order of their scores", "ranking"),
    "ranks not from 1": Kind("have ranks that do not start at 1", "ranking"),
    "passages": Kind("are scored by the best passage of each document", "line"),
    "ranks all alike": Kind("give all documents the same rank", "ranking"),
    "one score": Kind("give all documents the same score", "ranking", "scores"),
    "one score in some rankings": Kind("give all documents the same score in some rankings", "ranking", "scores"),
    "ties": Kind(of="systems"),
    "barely judged": Kind(of="systems"),
    "contributors in doubt": Kind(of="systems"),
    "contributors not judged": Kind("are named as contributing, but lack judgments of top documents", "document"),
    "file names exchanged": Kind(of="systems"),
    "judgments of another topic": Kind("have judgments that seem to be another topic's"),
    "topic cut short": Kind("have a far smaller share of their pool judged than other topics"),
    "topic all relevant": Kind("have only relevant documents"),
    "one grade in a topic": Kind("have the same grade for all documents"),
    "topics without grades": Kind(of="judged topics"),
    "topic mostly relevant": Kind("have mostly relevant documents"),
    "topic upside down": Kind("have relevant documents that systems rank below other documents"),
    "topic half judged": Kind("have no relevant document among their first or last judgments"),
    "grades shifted": Kind("have grades that fit the next document better than their own"),
}
# checks of one file that does not name its system
OF_A_RUN = "two runs in one file", "ranks not read", "names with blanks"
OF_NO_SCORE = (  # checks of what changes no score
    "file passed over", "same file twice", "one name twice in an archive", "two systems of one name",
    "no variation in the name", "groups spelt differently", "runs without a row", "rows without a run",
    "who contributed", "order of the pool",
)  # fmt: skip
OF_ALL = (  # checks of all judgments: a warning that names a topic as an example, and notes
    "popular documents not judged", "everything judged", "large grades", "gains lost",
)  # fmt: skip


def effects(table: pd.DataFrame, study: Study) -> NDArray[np.float64]:
    """The share of all scores (a system on a judged topic) that each finding may change. float (rows,)"""
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


def by_kind(table: pd.DataFrame) -> pd.DataFrame:
    """A row per severity and check, in the order of the table: severity, check, and one message for its findings."""
    rows = [
        (severity, check, _together(check, findings))
        for (severity, check), findings in table.groupby(["severity", "check"], sort=False)
    ]
    return pd.DataFrame(rows, columns=["severity", "check", "message"])


def _together(check, findings):
    """One message for all findings of a check."""
    first, kind = findings["message"].iloc[0], KINDS.get(check, Kind())
    whose = findings["system"].where(findings["system"] != "", findings["topic"])
    names = list(dict.fromkeys(name for name in whose if name))
    if len(findings) == 1:
        return first
    if not kind.several or len(names) < 2:
        return first + _more(len(findings) - 1, list(dict.fromkeys(name for name in whose.iloc[1:] if name)))
    unit = "run" if (findings["system"] != "").all() else "topic"
    text = f"{digits(len(names), unit)} ({_few(names)}) {kind.several}"
    if not kind.unit:
        return f"{text}. For example: {first}"
    most = findings.loc[findings["count"].idxmax()]
    return f"{text}. The most affected: {most['system'] or most['topic']} ({digits(int(most['count']), kind.unit)})."


def _more(count, names):
    return f" ({count:,} more like it{f': {_few(names)}' if names else ''}{'' if len(names) > SHOWN else '.'})"


def _few(names):
    return ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
