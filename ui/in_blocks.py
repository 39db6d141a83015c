"""What the pages leave out of a track in blocks of topics, in their own words."""

from evalcore.sentences import opening

PARTS = {  # question -> the part of a page that it answers
    "adjustment_experiment": "the experiment with the corrections",
    "bias_by_width": "the effect of the number of pooled systems",
    "findings": "the checks of runs and judgments",
    "fuse": "the fused list of a topic",
    "fusion_by_count": "the gain from more query variations",
    "fusion_scores": "the scores of fused runs",
    "fusion_topics": "the gain from fusing in each topic",
    "judge_next": "the list of documents to judge next",
    "judging_orders": "the comparison of judging orders",
    "pool_audit": "who formed the pool, system by system",
    "score_differences": "the comparison with another program's scores",
    "two_strata": "the estimates from two strata",
}


def left_out(question):
    """Which part of a page is left out, why, and what to do. question : None = it is not known which"""
    return (
        f"{opening(PARTS.get(question, 'this part'))}: not available. This track is read in blocks "
        "of topics, and only all rankings together answer this. Load fewer runs or topics to see it."
    )
