"""All checks that need both runs and judgments: problems of a study that can make its numbers wrong.

Problems of a single file are found where it is read (`evalcore.reading.loading`).
"""

from evalcore.checking import coverage_checks, qrels_checks, run_checks, topic_checks
from evalcore.checking.check_statistics import CheckStatistics
from evalcore.checking.split_variations import by_file
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
OF_FEW = 0.05  # share of the systems: up to so many files with the same note are few; one always is


def findings(study: Study) -> list[Finding]:
    """The findings of all checks of a study. A list of `Finding`s"""
    files = by_file(study)
    stats = CheckStatistics(files)
    return [
        *(
            finding
            for check in (*qrels_checks.CHECKS, *topic_checks.CHECKS, *run_checks.CHECKS)
            for finding in check(stats)
        ),
        *(finding for check in coverage_checks.OF_FILES for finding in check(files)),
        *(finding for check in (*qrels_checks.OF_SYSTEMS, *coverage_checks.CHECKS) for finding in check(study)),
    ]
