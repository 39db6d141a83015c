"""Subsets of the judgments: ascending pool depths, ascending numbers of judgments."""

from collections.abc import Sequence
from typing import Any

from evalcore.collection import pool, pool_inference
from evalcore.study.evaluation import NOBODY
from evalcore.study.study import Study
from evalcore.vocabulary.validation import NotKnown

NAME_THEM = (
    "Mark the contributing systems on the Data page, or load a systems table with a `pooled` column (Python: pooled=)"
)
SET_DEPTH = "Set the pool depth on the Data page (Python: pool_depth=)"
WHO = (
    "the files do not show which systems contributed to the pool, so what each one contributed is unknown. "
    f"{NAME_THEM}. {SET_DEPTH} if you know only the depth."
)
NONE_SO_DEEP = (
    "the contributing systems are not known, and no system is judged to rank {depth} as a contributing one would be. "
    f"{NAME_THEM}, or set another pool depth."
)
HOW_DEEP = (
    "the contributing systems are not judged to a common depth below rank 1, so the pool depth is unknown. "
    f"{SET_DEPTH}, or mark other contributing systems."
)
FROM_RELEVANT = f"the qrels contain only relevant documents, so the pool depth is unknown. {SET_DEPTH}."


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


def contributed(study: Study) -> None:
    """None, or `NotKnown` if no run contributed to the pool."""
    if not study.whole.pooled.any():
        raise NotKnown(NOBODY)


def pool_known(study: Study, depth: int | None = None) -> None:
    """None, or `NotKnown` if the contributing systems are unknown, or the pool depth, where no depth is given."""
    contributed(study)
    if study.pooling.how == "assumed":
        raise NotKnown(NONE_SO_DEEP.format(depth=study.depth) if study.pooling.depth_known else WHO)
    if depth is None and not study.pooling.depth_known:
        raise NotKnown(FROM_RELEVANT if pool_inference.relevant_only(study.whole_judgments) else HOW_DEEP)


def not_deep(study: Study) -> str:
    """Why there is no shallower pool than the study's; "" if there is."""
    if study.depth > 1:
        return ""
    return "the pool is one document deep" if study.pooling.depth_known else "the pool depth is unknown"


def is_cut(params: dict[str, Any]) -> bool:
    """Whether fewer judgments than all are in force."""
    return params.get("depth") is not None or params.get("judgments") is not None
