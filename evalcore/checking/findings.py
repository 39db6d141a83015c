"""What one should know of a study before believing its numbers: findings that need runs and judgments side by side.

What is wrong with a single file is found where it is read (`evalcore.reading.loading`).
"""

from evalcore.checking import basis, runs, topics, whole
from evalcore.checking.by_file import by_file
from evalcore.checking.seen import Seen

USUAL = (  # checks whose notes say how a study is read, and nothing that is wrong
    "assumed", "who contributed", "order of the pool", "ranks disagree with scores", "ranks not from 1",
    "cache not used",
)  # fmt: skip
AS_THEY_ARE = (  # checks of what runs are like, or what is not known of them, by which no score is wrong
    "same ranking twice", "barely judged", "ties", "who contributed",
)  # fmt: skip
FAINT = "run of other documents", "topics exchanged in a run"  # checks whose notes may say how a sound run is made
OF_FEW = 0.05  # share of the systems: no more files of which one thing is noted are few; one is in any case


def findings(study):
    """Every check of a study, each a list of `Finding`s."""
    files = by_file(study)
    seen = Seen(files)
    return [
        *(finding for check in (*whole.CHECKS, *topics.CHECKS, *runs.CHECKS) for finding in check(seen)),
        *(finding for check in basis.OF_FILES for finding in check(files)),
        *(finding for check in (*whole.OF_SYSTEMS, *basis.CHECKS) for finding in check(study)),
    ]
