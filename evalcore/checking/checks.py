"""All checks that need both runs and judgments: problems of a study that can make its numbers wrong.

Problems of a single file are found where it is read (`evalcore.reading.loading`).
"""

from collections.abc import Callable
from itertools import count

import numpy as np

from evalcore.checking import coverage_checks, qrels_checks, run_checks, topic_checks
from evalcore.checking.check_statistics import CheckStatistics
from evalcore.checking.split_variations import by_file
from evalcore.matching import other_names
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
ODD_ORDER = (  # checks of runs that are alike in their signs
    "run of other documents", "run partly of other documents", "topics exchanged in a run", "run upside down",
    "earlier documents left in", "run in another order", "some rankings at random",
)  # fmt: skip
OF_SEVERAL = "barely judged", "ties", "contributors in doubt"  # checks that name the first of several systems
EXPLAINED_BY_TOPICS = (  # checks of what is so if several topics have the judgments of others
    qrels_checks.all_inverted, qrels_checks.all_at_random, qrels_checks.top_not_judged, qrels_checks.popular_not_judged,
    topic_checks.topics_cut, topic_checks.topics_shifted, topic_checks.topics_in_another_order,
)  # fmt: skip
EXPLAINED_BY_RUNS = (  # and if many runs have other names, topics or documents
    qrels_checks.all_at_random, qrels_checks.top_not_judged, qrels_checks.popular_not_judged,
    topic_checks.topics_of_others, topic_checks.topics_cut,
)  # fmt: skip
SEVERAL, PART, PART_OF_RUNS = 3, 0.1, 0.2  # topics or systems; the share of topics, and that of systems
STEPS = len(run_checks.CHECKS) + len(qrels_checks.CHECKS) + len(topic_checks.CHECKS)
OF_FEW = 0.05  # share of the systems: up to so many files with the same note are few; one always is


def findings(study: Study, progress: Callable[[int, int], None] | None = None) -> list[Finding]:
    """All findings of a study: what reading its files and what its checks found. A list of `Finding`s

    What was done to files comes first, then what is odd. What follows from other names of a system, or from its tied
    scores, is not said of it; of several signs of a wrong order or wrong documents only the first is.

    progress : called with (done, total) before each check that may take long; what it raises ends the checks
    """
    done = count()

    def each(checks):
        for check in checks:
            if progress:
                progress(next(done), STEPS)
            yield check

    notes = [finding for finding in study.findings if finding.severity == "note"]
    files = by_file(study)
    stats = CheckStatistics(files)
    causes = [*other_names.findings(stats.track, stats.judged, study.options["names"])]
    topics = {finding.system for finding in causes if finding.check == TOPICS}
    causes += run_checks.runs_better_by_rank(stats)
    stats.explained = {finding.system for finding in causes}
    odd = [*_with_first_sign(finding for check in each(run_checks.CHECKS) for finding in check(stats))]
    strange = {finding.system for finding in odd if finding.severity != "note" and finding.check in ODD_ORDER}
    by_runs = len(strange | stats.explained) >= max(SEVERAL, PART_OF_RUNS * len(stats.track.systems))
    of_study = (finding for finding in study.findings if finding not in notes)
    rest = *odd, *_of_checks(study, stats, by_runs, each), *of_study
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


def _with_first_sign(findings_of_runs):
    """The findings but for further warnings of a system on its order or its documents."""
    explained = set()
    for finding in findings_of_runs:
        if finding.severity == "note" or finding.check not in ODD_ORDER:
            yield finding
        elif finding.system not in explained:
            explained.add(finding.system)
            yield finding


def _only_of(files, systems):
    """Whether none but these systems has a topic without judgments."""
    track = files.track
    unjudged = ~np.isin(track.topic_of_query, files.judged_topics)
    rest = [name not in systems for name in track.systems]
    return not (track.lengths[rest][:, unjudged] > 0).any()


def _of_checks(study, stats, by_runs, each):
    """The findings on judgments, topics and systems.

    by_runs : whether wrong runs explain what is odd of judgments; each : gives checks one by one, and reports it
    """
    renumbered = len(topic_checks.with_judgments_of_others(stats)) >= max(SEVERAL, PART * len(stats.topics))
    silent = {*(EXPLAINED_BY_TOPICS if renumbered else ()), *(EXPLAINED_BY_RUNS if by_runs else ())}
    checks = each((*qrels_checks.CHECKS, *topic_checks.CHECKS))
    by_check = {check: [*check(stats)] for check in checks if check not in silent}
    if by_check.get(qrels_checks.all_inverted):
        silent |= {topic_checks.topics_shifted, topic_checks.topics_in_another_order}
    elif any(finding.severity == "error" for finding in by_check.get(topic_checks.topics_shifted, ())):
        silent |= {qrels_checks.all_at_random, topic_checks.topics_in_another_order}
    return [
        *(finding for check, findings in by_check.items() if check not in silent for finding in findings),
        *coverage_checks.heavy_ties(stats.study, stats.explained),
        *(finding for check in (*qrels_checks.OF_SYSTEMS, *coverage_checks.CHECKS) for finding in check(study)),
        *coverage_checks.unjudged(study, study.systems if renumbered else stats.explained),
    ]
