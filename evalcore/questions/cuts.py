"""Cuts of the judgments that questions go through: ascending pool depths, ascending counts."""

from evalcore import contributors, pool
from evalcore.scoring import NOBODY
from evalcore.values import NotKnown

NAME_THEM = (
    "Say who contributed: on the Data page under Systems, or with a table of systems that has a column pooled (in "
    "Python, pooled=)"
)
SAY_HOW_DEEP = "how deep the pool was: on the Data page under What was assumed (in Python, pool_depth=)"
WHO = (
    "the files do not show who contributed to the pool, so what a system brings into it cannot be told. "
    f"{NAME_THEM}; or say {SAY_HOW_DEEP}."
)
NONE_SO_DEEP = (
    "nobody told who contributed to the pool, and no system is judged down to rank {depth} as a contributor would be. "
    f"{NAME_THEM}; or name another depth."
)
HOW_DEEP = (
    "the systems that contributed are judged to no depth in common below rank 1, so how deep the pool was is not "
    f"known. Say {SAY_HOW_DEEP}; or name other contributors."
)
FROM_RELEVANT = (
    "the qrels contain only relevant documents, so how deep the pool was cannot be known from them. "
    f"Say {SAY_HOW_DEEP}."
)


def ascending_depths(study, depths):
    """Ascending pool depths, None (all judgments) last; by default 1 to the study's depth."""
    if depths is None:
        return [*range(1, study.depth + 1)]
    return [*sorted(set(depths) - {None}), *({None} & set(depths))]


def thresholds(depths):
    """Pool depths as a sweep takes them."""
    return [depth or pool.EVERYTHING for depth in depths]


def judged_in_all(study):
    """How many judgments there are."""
    return int(study.whole_judgments.count(study.whole_judgments.scale.judged).sum())


def in_force(asked, study):
    """What was asked, without a count of judgments that takes in all there are."""
    count = asked.get("judgments")
    return asked | {"judgments": None} if isinstance(count, int) and count >= judged_in_all(study) else asked


def ascending_counts(study, judgments):
    """Ascending counts of judgments; by default 1/64, 1/32, ... of them, and all."""
    total = max(1, judged_in_all(study))
    if judgments is None:
        return sorted({max(1, round(total / 2**halvings)) for halvings in range(7)})
    return sorted({count or total for count in judgments})


def contributed(study):
    """`NotKnown` where no run contributed to the pool."""
    if not study.whole.pooled.any():
        raise NotKnown(NOBODY)


def pool_known(study, depth=None):
    """`NotKnown` where it is not known, or seen in the files, who formed the pool; or how deep it was, where no depth
    is asked for."""
    contributed(study)
    if study.pooling.how == "assumed":
        raise NotKnown(NONE_SO_DEEP.format(depth=study.depth) if study.pooling.depth_known else WHO)
    if depth is None and not study.pooling.depth_known:
        raise NotKnown(FROM_RELEVANT if contributors.relevant_only(study.whole_judgments) else HOW_DEEP)


def is_cut(params):
    """Whether fewer judgments than all are in force."""
    return params.get("depth") is not None or params.get("judgments") is not None
