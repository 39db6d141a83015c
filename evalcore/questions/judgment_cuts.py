"""Subsets of the judgments: ascending pool depths, ascending numbers of judgments."""

from collections.abc import Sequence
from typing import Any

from evalcore.collection import pool
from evalcore.study.study import Study


def ascending_depths(study: Study, depths: Sequence[int | None] | None) -> list[int | None]:
    """Ascending pool depths, None (all judgments) last; by default 1 to the study's depth."""
    if depths is None:
        return [*range(1, study.depth + 1)]
    return [*sorted(set(depths) - {None}), *({None} & set(depths))]  # type: ignore[type-var]


def thresholds(depths: Sequence[int | None]) -> list[int]:
    """Pool depths as numbers, with `pool.EVERYTHING` for None."""
    return [depth or pool.EVERYTHING for depth in depths]


def judged_in_all(study: Study) -> int:
    """The number of judgments."""
    return int(study.whole_judgments.count(study.whole_judgments.scale.judged).sum())


def in_force(params: dict[str, Any], study: Study) -> dict[str, Any]:
    """The parameters, with `judgments` None where it is at least the number of all judgments."""
    count = params.get("judgments")
    return params | {"judgments": None} if isinstance(count, int) and count >= judged_in_all(study) else params


def ascending_counts(study: Study, judgments: Sequence[int | None] | None) -> list[int]:
    """Ascending numbers of judgments; by default 1/64, 1/32, ... of them, and all."""
    total = max(1, judged_in_all(study))
    if judgments is None:
        return sorted({max(1, round(total / 2**halvings)) for halvings in range(7)})
    return sorted({count or total for count in judgments})


def is_cut(params: dict[str, Any]) -> bool:
    """Whether fewer judgments than all are in force."""
    return params.get("depth") is not None or params.get("judgments") is not None
