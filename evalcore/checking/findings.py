"""What one should know of a study before believing its numbers: findings that need runs and judgments side by side.

What is wrong with a single file is found where it is read (`evalcore.reading.loading`).
"""

from evalcore.checking import basis, runs, topics, whole
from evalcore.checking.seen import Seen

USUAL = (  # checks whose notes say how a study is read, and nothing that is wrong
    "assumed", "who contributed", "order of the pool", "ranks disagree with scores", "ranks not from 1",
)  # fmt: skip
AS_THEY_ARE = "same ranking twice", "barely judged", "ties"  # checks of what runs are like, by which no score is wrong


def findings(study):
    """Every check of a study, each a list of `Finding`s."""
    seen = Seen(study)
    unlike = (*whole.CHECKS, *topics.CHECKS, *runs.CHECKS)
    return [
        *(finding for check in unlike for finding in check(seen)),
        *(finding for check in basis.CHECKS for finding in check(study)),
    ]
