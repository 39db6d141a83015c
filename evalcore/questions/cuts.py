"""Cuts of the judgments that questions go through: ascending pool depths, ascending counts."""

from evalcore import pool
from evalcore.scoring import NOBODY

UNKNOWN_POOL = (
    "the files do not show who contributed to the pool, nor how deep it was: name the contributors (pooled=, or a "
    "systems table with a column pooled)."
)


def ascending_depths(study, depths):
    """Ascending pool depths, None (all judgments) last; by default 1 to the study's depth."""
    if depths is None:
        return [*range(1, study.depth + 1)]
    return [*sorted(set(depths) - {None}), *({None} & set(depths))]


def thresholds(depths):
    """Pool depths as a sweep takes them."""
    return [depth or pool.EVERYTHING for depth in depths]


def ascending_counts(study, judgments):
    """Ascending counts of judgments; by default 1/64, 1/32, ... of them, and all."""
    total = max(1, int(study.whole_judgments.count(study.whole_judgments.scale.judged).sum()))
    if judgments is None:
        return sorted({max(1, round(total / 2**halvings)) for halvings in range(7)})
    return sorted({count or total for count in judgments})


def contributed(study):
    """ValueError where no run is known to have contributed to the pool."""
    if not study.whole.pooled.any():
        raise ValueError(NOBODY)
