"""What a question needs to know of a track; `NotKnown` says how to provide it."""

from evalcore.collection import pool_inference
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


def judged(study: Study) -> None:
    """None, or `NotKnown` if the track was opened without judgments."""
    if study.without_judgments:
        raise NotKnown("This needs judgments, and the track was opened without any. Load judgments.")


def several_systems(study: Study) -> None:
    """None, or `NotKnown` if the track has only one system."""
    if len(study.whole.systems) < 2:
        raise NotKnown("a comparison needs at least two systems. Load another run.")


def several_rankings(study: Study) -> None:
    """None, or `NotKnown` if the track has one system with one query per topic."""
    if len(study.whole.systems) < 2 and not study.has_variations:
        raise NotKnown("there is nothing to fuse: the track has one system with one query per topic. Load another run.")


def several_topics(study: Study) -> None:
    """None, or `NotKnown` if fewer than two topics are judged."""
    if len(study.judged_topics) < 2:
        raise NotKnown("an analysis of variance needs at least two judged topics. Load judgments of more topics.")


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


def deep(study: Study) -> None:
    """None, or `NotKnown` if there is no pool shallower than the study's."""
    if reason := not_deep(study):
        remedy = "Load deeper judgments" if study.pooling.depth_known else SET_DEPTH
        raise NotKnown(f"{reason}, so no shallower pool can be simulated. {remedy}.")
