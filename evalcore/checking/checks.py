"""All checks that need both runs and judgments: problems of a study that can make its numbers wrong.

Problems of a single file are found where it is read (`evalcore.reading.loading`).
"""

import numpy as np

from evalcore.checking import coverage_checks, qrels_checks, run_checks, topic_checks
from evalcore.checking.check_statistics import CheckStatistics
from evalcore.checking.run_checks import runs_better_by_rank
from evalcore.checking.split_variations import by_file
from evalcore.reading import other_names
from evalcore.reading.files import Finding
from evalcore.study.study import Study

USUAL = (  # checks whose notes say how a study is read, not what is wrong
    "assumed", "who contributed", "order of the pool", "ranks disagree with scores", "ranks not from 1",
    "cache not used",
)  # fmt: skip
AS_THEY_ARE = (  # checks of what runs are like, or what is unknown of them; no score is wrong because of it
    "same ranking twice", "barely judged", "ties", "short lists", "who contributed", "topics without grades",
)  # fmt: skip
FAINT = "run of other documents", "topics exchanged in a run"  # checks whose notes may describe a normal run
TOPICS = "topics of other names"
OF_SEVERAL = "barely judged", "ties", "contributors in doubt"  # checks that name the first of several systems
OF_FEW = 0.05  # share of the systems: up to so many files with the same note are few; one always is


def findings(study: Study) -> list[Finding]:
    """All findings of a study: what reading its files and what its checks found. A list of `Finding`s

    What was done to files comes first, then what is odd. Of a system with a cause that explains the rest, such as other
    names than in the judgments, nothing else is said but notes.
    """
    notes = [finding for finding in study.findings if finding.severity == "note"]
    files = by_file(study)
    stats = CheckStatistics(files)
    causes = [*other_names.findings(stats.track, stats.judged, study.options["names"]), *runs_better_by_rank(stats)]
    stats.explained = {finding.system for finding in causes}
    topics = {finding.system for finding in causes if finding.check == TOPICS}
    rest = *_of_checks(study, stats), *(finding for finding in study.findings if finding not in notes)
    return [
        *notes,
        *causes,
        *(
            finding
            for finding in rest
            if (finding.severity == "note" or finding.system not in stats.explained or finding.check in OF_SEVERAL)
            and not (finding.check == "topics without judgments" and topics and _only_of(files, topics))
        ),
    ]


def _only_of(files, systems):
    """Whether none but these systems has a topic without judgments."""
    track = files.track
    unjudged = ~np.isin(track.topic_of_query, files.judged_topics)
    others = [name not in systems for name in track.systems]
    return not (track.lengths[others][:, unjudged] > 0).any()


def _of_checks(study, stats):
    return [
        *(
            finding
            for check in (*qrels_checks.CHECKS, *topic_checks.CHECKS, *run_checks.CHECKS)
            for finding in check(stats)
        ),
        *coverage_checks.heavy_ties(stats.study, stats.explained),
        *(finding for check in (*qrels_checks.OF_SYSTEMS, *coverage_checks.CHECKS) for finding in check(study)),
        *coverage_checks.unjudged(study, stats.explained),
    ]
