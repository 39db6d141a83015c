"""Which parts of pages are not available for a track in blocks of topics."""

from evalcore.vocabulary.sentences import opening

PARTS = {  # question -> the part of a page that it answers
    "adjustment_experiment": "the experiment with the corrections",
    "bias_by_width": "the effect of the number of contributing systems",
    "findings": "the checks of runs and judgments",
    "fuse": "the fused ranking of a topic",
    "fusion_by_count": "the gain from more query variations",
    "fusion_scores": "the scores of fused runs",
    "fusion_topics": "the gain from fusion on each topic",
    "judge_next": "the list of documents to judge next",
    "judging_orders": "the comparison of judging orders",
    "pool_audit": "which systems contributed to the pool",
    "score_differences": "the comparison with another program's scores",
    "two_strata": "the estimates from two strata",
}


def left_out(question):
    """State which part of a page is missing, why, and what to do. question : None = unknown"""
    return (
        f"{opening(PARTS.get(question, 'this part'))}: not available. This needs all rankings at once, but this track "
        "is read in blocks of topics. Load fewer runs or topics to see it."
    )
