"""The columns of the questions' tables: the kind and the meaning of each.

A column means the same in every table; a question that gives it another meaning has a row `question.name`.
"""

from dataclasses import dataclass

# What a column contains, and how many digits people need.
NAME, TEXT, FLAG, COUNT = "name", "text", "flag", "count"
SCORE, SHARE, P, MEAN, NUMBER = "score", "share", "p", "mean of counts", "number"


@dataclass(frozen=True)
class Column:
    """One row. kind : one of the words above"""

    name: str
    kind: str
    meaning: str


def _rows(kind, /, **meanings):
    return {name: Column(name, kind, meaning) for name, meaning in meanings.items()}


COLUMNS = {
    **_rows(
        NAME,
        system="the system: its run tag, or its file's name",
        group="the team of the system",
        topic="the topic",
        query="the query, where a topic has several",
        metric="the metric",
        estimator="the estimate of unjudged documents' gains",
        document="the document",
        a="the first of the pair, or the reference",
        b="the second of the pair",
        model="the model of the analysis of variance",
        effect="what the variance is due to",
        method="the fusion method",
        left_out="the system or group that is left out of the pool",
        better="the system that is ahead in a",
        worse="the system that is behind in a",
        order="the order of judging",
        reading="how the score is computed",
        best="the best input",
        measure="the agreement coefficient",
    ),
    "with": Column("with", NAME, "what consistency is correlated with"),
    **_rows(
        TEXT,
        kind="of the interval: bounds are exact, a guide is not a bound, a point has no interval",
        state="the judgment of the document",
        verdict="certain, likely or open",
        could_lead="whether it could still be first: leads; yes, by judging; past the end, only "
        "through unfilled ranks; no, certainly behind, or without a judged topic",
        settled="the system that no further judging can put behind: a, b or tie; else open",
        unjudged="the treatment of unjudged documents: irrelevant, or condensed (removed from rankings)",
        quadrant="when the pair is significant: with few judgments, with all, with both or with neither",
        severity="error, warning or note",
        check="which check found it",
        message="the finding",
        flags="what is unusual about the topic",
        inputs="the inputs that contain it, with its rank in each",
        reason="why the judgment looks wrong",
        explained_by="the convention that gives the printed score, or why one side has no score",
    ),
    **_rows(
        FLAG,
        pooled="whether it contributed to the pool",
        certain="whether no further judging can reverse the order in a",
        adjusted="whether the topic passes the gamma test, so that a model is used",
        certainly_farther="whether the estimator with the least error is closer for every possible reference score",
        in_top_group="whether it does not differ significantly from the best",
        significant="whether the pair differs significantly",
        in_top_group_other_topics="whether it does not differ significantly from the best on other topics either",
        significant_other_topics="whether the pair differs significantly on other topics as well",
        looks_pooled="whether it seems to have contributed, from the depth to which it is judged",
        helps_over_unadjusted="whether the correction is probably better than none",
        helps_over_common="whether the correction is probably better than the mean over the common topics",
    ),
    **_rows(
        COUNT,
        rank="1 + the number of better systems, or the rank in a ranking",
        rank_best="the best rank that is still possible",
        rank_worst="the worst rank that is still possible",
        rank_without="its rank if it is left out of the pool",
        rank_other="its rank with the second judgments",
        depth="the pool depth; blank = all judgments",
        k="the number of ranks used",
        n="the number of topics, or of system-topic pairs, in the mean",
        topics="the number of topics",
        documents="the number of results in all its rankings",
        deepest="the length of its longest ranking",
        pool_depth="the rank to which nine in ten of its rankings are fully judged",
        depth_by_score="the same, in the order of scores",
        depth_by_rank="the same, in the order of the rank column",
        holes="unjudged documents that should have been judged",
        judgments="the number of judgments used",
        judged="the number of judged documents",
        relevant="the number of relevant documents",
        pool="the number of documents in the pool at the study's depth",
        pool_rank="its best rank in a contributing run",
        occurrences="how often relevant documents occur in the top ranks of contributing runs",
        once="relevant documents in the top ranks of only one run",
        unique_judged="judgments of documents that only it contributed",
        unique_relevant="relevant documents that only it contributed",
        retrieved_alone="relevant documents that only it retrieved, at any rank",
        pairs="the number of pairs",
        inversions="the number of swapped pairs",
        inversions_of_top="swapped pairs among the top 10 systems with all judgments",
        in_first_ten="the number of systems with it in their top 10",
        grade="the grade of the judgment",
        grade_other="the grade in the second judgments",
        both="documents that both judge",
        same="documents with the same grade in both",
        relevant_other="relevant documents according to the second judgments",
        relevant_both="documents that are relevant in both",
        first_alone="documents that only the first judgments contain",
        second_alone="documents that only the second judgments contain",
        count="the number",
        systems="the number of systems that retrieved it, or that make the judgment doubtful",
        df="degrees of freedom",
        shards="the number of shards",
        width="the number of systems in the pool",
        repeat="the number of the sample",
        repeats="the number of samples",
        samples="the number of choices of systems times choices of topics",
        common="the number of common topics",
        lists="the number of inputs that contain it",
        queries="the number of the topic's queries with a ranking",
        variations="the number of different rankings for the topic's queries",
    ),
    **_rows(
        SCORE,
        value="the score, or the mean over n topics",
        lower="the lower bound of the interval",
        upper="the upper bound of the interval",
        upper_listed="the upper bound if unfilled ranks count as not relevant, because no judging can settle them",
        value_final="the score with all judgments",
        width_past_end="the part of the mean width that is due to unfilled ranks, which no judging can settle",
        value_without="the score if it is left out of the pool",
        value_other="the score with the second judgments",
        theirs="the score printed by the other program",
        change="the second score minus the first (or the score with all judgments minus this "
        "one); in rows over systems, the mean",
        lowest="the lowest possible value",
        highest="the highest possible value",
        mean_width="the mean width of the intervals",
        width_left="the mean width of the intervals after judging this document and those before "
        "it; for nDCG@k, if none of them is relevant",
        width_tukey="half the width of Tukey's interval",
        width_anova="half the width of the interval from the error of the model",
        width_tukey_other_topics="half the width of Tukey's interval for other topics as well",
        width_low="the lower bound of its t interval over partitions",
        width_high="the upper bound of its t interval over partitions",
        gain="the gain of the document",
        weight="the weight of the rank, or the sum over all its ranks",
        tau="Kendall's tau-b: 1 if two orderings agree, ties included, -1 if one is the reverse of the other",
        tau_a="Kendall's tau without a correction for ties: (concordant - discordant) / pairs",
        tau_b="the same as tau",
        tau_ap="tau with more weight at the top; a is the reference",
        tau_low="the lower bound of its t interval over partitions",
        tau_high="the upper bound of its t interval over partitions",
        tau_distance="the share of swapped pairs",
        rbo="rank-biased overlap of the two orderings",
        distance="Lu, Moffat & Culpepper's weighted distance",
        distance_per_pair="the weighted distance per pair",
        rmse="the root mean square error over systems, averaged over topics",
        rmse_plain="the root mean square error over all systems and topics",
        mean_estimate="the mean estimate",
        mean_reference="the mean lower bound of the reference scores",
        reference="the lower bound of the reference score",
        reference_upper="the upper bound of the reference score",
        reference_width="the mean width of the reference intervals",
        error="the distance of the estimate from the reference interval",
        observed="the mean gain of contributing runs at the rank",
        linear="a straight line fitted to it",
        zipf="a power law fitted to it",
        weibull="a Weibull curve fitted to it",
        gamma="how unevenly relevant documents occur in the contributing runs",
        coverage="the estimated share of relevant documents found, weighted by occurrences",
        theta="the threshold of the gamma test",
        C="the constant C",
        E="the constant E",
        difference="the difference, or the mean difference",
        difference_final="the mean difference with complete judgments, or with all if there are none",
        difference_a="the mean difference in a",
        difference_b="the mean difference in b",
        certain_low="the lower bound of the mean difference",
        certain_high="the upper bound of the mean difference",
        t="Student's t",
        q="the difference in standard errors",
        ss="the sum of squares",
        ms="the mean square",
        omega2="the size of the effect: large from .14",
        omega2_system="the size of the system effect: large from .14",
        mean="the mean bias",
        q1="the first quartile of the samples",
        median="the median of the samples",
        q3="the third quartile of the samples",
        unadjusted="the uncorrected score, or its error",
        adjustment="the size of the correction",
        mixed="the error with true scores on the common topics",
        from_systems="the error after correcting from systems",
        from_topics="the error after correcting from topics",
        kappa="Cohen's kappa",
        kappa_weighted="Cohen's kappa, weighted by the size of the disagreement",
        alpha="Krippendorff's alpha",
        shift="the second grade minus the first, on average",
        best_input="the score of the best input",
        mean_input="the mean score of all inputs",
        gain_over_best="the fused run's score minus the best input's",
        gain_over_mean="the fused run's score minus the mean of the inputs",
        fused="the score of the fused run",
        score="the score of the document in the fused ranking",
        consistency="how similar its rankings for the query variations are, from 0 to 1",
        sd="the standard deviation, over rankings or over systems",
        rho="Spearman's correlation over topics",
        all_queries="the mean score over all queries of a topic",
        first_query="the score with the first query of a topic",
        best_query="the score with the best query of a topic",
        minimum="the lower bound of the overlap",
        residual="the upper bound of the overlap minus the lower",
        maximum="the upper bound of the overlap",
        extrapolated="the overlap extrapolated from the known ranks",
    ),
    **_rows(
        SHARE,
        judged_at_10="the judged share of its top 10",
        judged_at_100="the judged share of its top 100",
        share_relevant="the relevant share of the judged documents",
        share="the share",
        pairs_decided="the share of pairs whose intervals do not touch",
        tied="the share of its documents with tied scores",
        share_significant="the share of pairs that differ significantly",
        share_significant_other_topics="the share of pairs that differ significantly on other topics as well",
        separable="the share of pairs that differ significantly in a t-test",
        reversed="the share of pairs that are significant now, but not with all judgments",
        opposite="the share of pairs that are significant now and with all judgments, but in the other order",
        overlap_relevant="of the documents that either finds relevant, the share that both do",
    ),
    **_rows(
        P,
        p="the probability of a result at least as large if there is no difference",
        p_other_topics="p of f_other_topics",
        p_corrected="p, corrected for the number of pairs",
        p_a="p of the t-test in a",
        p_b="p of the t-test in b",
        p_shallow="p with few judgments",
        p_full="p with all judgments",
        p_against_borda="p of the test that the fused run is better than Borda's count",
    ),
    **_rows(
        MEAN,
        first_unjudged="the median rank of the first unjudged document",
        per_topic="judgments per topic",
        accuracy="the percentage of estimates inside the reference interval",
        chao_lee="the estimated number of relevant documents",
        still_missing="the estimated number of relevant documents that are still missing",
        mean_rank="its mean rank in those systems",
        not_significant="the number of pairs that do not differ significantly",
        significant_low="the lower bound of its t interval over partitions",
        significant_high="the upper bound of its t interval over partitions",
        top_group="the number of systems that do not differ significantly from the best, including the best",
        top_group_other_topics="the same, on other topics as well",
        undefined="the number of cells with nothing that the metric can score",
    ),
    **_rows(
        NUMBER,
        f="F",
        phi="the persistence",
        f_other_topics="F of systems for other topics: the error is topic x system",
    ),
    # columns with another meaning in one question
    "gamma_by_depth.gamma": Column("gamma", SCORE, "the mean of gamma over topics"),
    "gamma_by_depth.lowest": Column("lowest", SCORE, "the lowest gamma of a topic"),
    "gamma_by_depth.highest": Column("highest", SCORE, "the highest gamma of a topic"),
    **{
        f"{question}.topics": Column("topics", COUNT, "the number of topics that pass the gamma test")
        for question in ("error_by_theta", "gamma_by_depth")
    },
    "wrong_pairs.inversions": Column(
        "inversions", COUNT, "the number of system pairs that are swapped, compared with the reference"
    ),
    "wrong_pairs.significant": Column(
        "significant", COUNT, "how many of those differ significantly here (paired t-test)"
    ),
    "wrong_pairs.touching": Column(
        "touching",
        COUNT,
        "for how many of those the intervals touch in the reference, because of its unjudged documents",
    ),
    "models.significant": Column("significant", MEAN, "the number of significant pairs"),
    "models.significant_other_topics": Column(
        "significant_other_topics", MEAN, "the number of pairs that differ significantly on other topics as well"
    ),
    "double_fusion.single": Column("single", SCORE, "the mean score without fusion"),
    "double_fusion.over_systems": Column("over_systems", SCORE, "the mean score of fused systems"),
    "double_fusion.over_variations": Column("over_variations", SCORE, "the mean score of fused query variations"),
    "double_fusion.over_both": Column("over_both", SCORE, "the mean score if the variations and the systems are fused"),
    "models_by_shards.shards": Column("shards", COUNT, "the number of shards; 1 = the whole collection"),
    "models_by_shards.change": Column(
        "change", SHARE, "how many more pairs are significant than under MD1 on the whole collection"
    ),
    "shard_stability.significant": Column("significant", MEAN, "the number of significant pairs"),
    "shard_stability.width": Column("width", SCORE, "half the width of Tukey's interval"),
    "shard_stability.common": Column(
        "common", SHARE, "the share of significant pairs that are significant on every partition"
    ),
    "trend.width": Column("width", SCORE, "the mean width of the intervals"),
    "trend.pooled": Column("pooled", FLAG, "whether these are the contributing systems or the others"),
    "first_unjudged.pooled": Column("pooled", FLAG, "whether these are the contributing systems or the others"),
    "judged.judged": Column("judged", SHARE, "the judged share of the first k ranks"),
    "adjust_from_systems.adjusted": Column("adjusted", SCORE, "the corrected score"),
    "adjust_from_topics.adjusted": Column("adjusted", SCORE, "the corrected score"),
    "adjust_from_topics.common": Column("common", TEXT, "the topics on which it is fully judged"),
    "constants.best": Column("best", FLAG, "whether the error is the smallest"),
    "fusion_scores.best": Column("best", NAME, "the best input; for variations, which query of every topic"),
    "fusion_scores.better": Column(
        "better", FLAG, "whether the fused run is significantly better than its best input (p below level)"
    ),
    "score_differences.difference": Column("difference", SCORE, "the printed score minus Poolscope's"),
    "agreement.relevant": Column(
        "relevant", COUNT, "of the documents that both judge, how many are relevant in these judgments"
    ),
    "findings.count": Column("count", COUNT, "how many items it concerns"),
    "findings.effect": Column("effect", SHARE, "the share of all scores (system on topic) that it may change"),
    "fusion_by_count.count": Column("count", COUNT, "the number of fused variations"),
    "judge_next.order": Column("order", COUNT, "the position in the order of judging"),
    "rank_intervals.lower": Column("lower", COUNT, "the best rank to expect"),
    "rank_intervals.upper": Column("upper", COUNT, "the worst rank to expect"),
}


def column(question, name):
    """The row of a column of a question's table; without one, the name is the meaning."""
    return row_of(question, name) or Column(name, TEXT, name.replace("_", " "))


def row_of(question, name):
    """The same, or None for a column without a row."""
    if name.startswith("grade_") and name != "grade_other":
        return Column(name, COUNT, f"how many documents have grade {name.removeprefix('grade_')}")
    return COLUMNS.get(f"{question}.{name}") or COLUMNS.get(name)
