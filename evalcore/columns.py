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
        query="the query, if a topic has several",
        metric="the metric",
        estimator="the estimator: how the gains of unjudged documents are estimated",
        document="the document",
        a="the first of the two systems or setups compared, or the reference",
        b="the second of the two systems or setups compared",
        model="the model of the analysis of variance, MD1 to MD6",
        effect="the source of the variance, such as topics or systems",
        method="the fusion method",
        left_out="the system or group that is left out of the pool",
        better="the system with the higher score in setup a",
        worse="the system with the lower score in setup a",
        order="the order of judging",
        reading="how the score is computed",
        best="the best input",
        measure="the coefficient that measures agreement",
        baseline="the system that all others are compared with",
        judge="the judge",
        assessor="the assessor: who judged",
    ),
    "with": Column("with", NAME, "the score or number that consistency is correlated with"),
    **_rows(
        TEXT,
        kind="the kind of interval: bounds contain every possible score, a guide may not, a point has no interval",
        state="whether the document is relevant, not relevant, pooled but not judged, or never pooled",
        verdict="certain: no further judging can reverse the order; likely: significant, but not certain; else open",
        could_lead="whether the system could still be first: it leads; yes, by judging; past the end, only by ranks "
        "past the end of its runs; no, because it is certainly behind or has no judged topic",
        settled="the system that no further judging can put behind: a or b; tie: neither can fall behind; else open",
        unjudged="how unjudged documents are treated: as irrelevant, or condensed (removed from rankings)",
        quadrant="whether the pair is significant with few judgments, with all, with both or with neither",
        severity="error, warning or note",
        check="the check that made the finding",
        message="what the check found",
        flags="what is unusual about the topic",
        inputs="the input rankings that contain the document, with its rank in each",
        reason="why the judgment looks wrong",
        by="what is grouped",
        explained_by="the rule that reproduces the printed score, or why one of the two scores is missing",
    ),
    **_rows(
        FLAG,
        pooled="whether the system contributed to the pool",
        certain="whether the order in setup a is certain: no further judging can reverse it",
        only_longer="whether judging alone cannot reverse an open order: it takes documents past the ends of rankings",
        adjusted="whether the topic passes the gamma test, so a model adjusts it",
        certainly_farther="whether the estimator is certainly worse than the one with the least error",
        in_top_group="whether the system is in the top group: it does not differ significantly from the best",
        significant="whether the pair differs significantly",
        in_top_group_other_topics="whether the system is in the top group for other topics as well",
        significant_other_topics="whether the pair differs significantly on other topics as well",
        looks_pooled="whether the system is judged so deep that it seems to have contributed to the pool",
        reverses="whether the document is one of the fewest that could put the leading system behind",
        settles="whether it is one of the fewest that make the order certain if none of them turns out relevant",
        helps_over_unadjusted="whether the corrected score is probably closer than the uncorrected one",
        helps_over_common="whether the corrected score is probably closer than the mean over the common topics",
    ),
    **_rows(
        COUNT,
        rank="the rank of the system (1 + the number of better ones), or of the document in a ranking",
        rank_best="the best rank that the system could still have",
        rank_worst="the worst rank that the system could still have",
        rank_without="the system's rank if it is left out of the pool",
        rank_other="the system's rank with the second judgments",
        depth="the pool depth; an empty cell means all judgments",
        k="the number of top ranks used",
        n="the number of topics in the mean, or of scores of a system on a topic",
        topics="the number of topics",
        documents="the number of results in all rankings of the system",
        deepest="the length of the system's longest ranking",
        pool_depth="the rank to which nine in ten of the system's rankings are fully judged",
        depth_by_score="the same as pool_depth, for rankings ordered by score",
        depth_by_rank="the same as pool_depth, for rankings ordered by their rank column",
        holes="unjudged documents within the pool depth, which should have been judged",
        judgments="the number of judgments used",
        judged="the number of judged documents",
        relevant="the number of relevant documents",
        pool="the number of documents in the pool at the study's depth",
        pool_rank="the document's best rank in a contributing run",
        occurrences="how often relevant documents occur in the top ranks of contributing runs",
        once="relevant documents in the top ranks of only one run",
        unique_judged="judged documents that only this system or group contributed to the pool",
        unique_relevant="relevant documents that only this system or group contributed to the pool",
        retrieved_alone="relevant documents that only this system or group retrieved, at any rank",
        pairs="the number of pairs",
        inversions="the number of swapped pairs: the two orderings disagree on which system is better",
        inversions_of_top="the number of swapped pairs among the 10 systems that are best with all judgments",
        in_first_ten="the number of systems that have the document in their top 10",
        grade="the grade of the judgment",
        grade_other="the grade in the second judgments",
        both="the number of documents that both sets of judgments contain",
        same="the number of documents with the same grade in both sets",
        relevant_other="the number of documents that are relevant in the second judgments",
        relevant_both="the number of documents that are relevant in both sets",
        first_alone="the number of documents that only the first judgments contain",
        second_alone="the number of documents that only the second judgments contain",
        count="the number",
        systems="the number of systems that retrieved the document, or that make its judgment doubtful",
        df="degrees of freedom",
        shards="the number of shards",
        width="the number of systems in the pool",
        repeat="which of the random samples this is",
        repeats="the number of random samples",
        samples="the number of random samples: choices of systems times choices of topics",
        common="the number of common topics, on which the new system is fully judged",
        lists="the number of input rankings that contain the document",
        queries="how many queries of the topic have a ranking",
        variations="how many different rankings the topic's queries have",
        topics_needed="the fewest topics with which the test finds the difference as often as asked",
        won="the number of topics on which a is ahead",
        tied_topics="the number of topics on which both systems have the same score",
        won_clearly="the number of topics on which a is ahead by .001 or more",
        lost_clearly="the number of topics on which a is behind by .001 or more",
        lost="the number of topics on which a is behind",
        overlap="the number of documents that both systems have in their first k ranks",
        entered="the number of documents that only the second system has there",
        left="the number of documents that only the first system has there",
        reversed_by="the fewest documents whose judging could put the leading system behind",
        rank_a="the document's rank in the first system's ranking",
        rank_b="the document's rank in the second system's ranking",
        swapped="the number of systems that the judge puts on the other side of this one",
        swapped_significant="how many of them differ significantly from it by the study's own judgments",
        first="the first of the group",
        last="the last of the group",
        popular="the number of these judgments that are of documents which at least half of the systems retrieve",
    ),
    **_rows(
        SCORE,
        value="the score, or the mean over n topics",
        lower="the lower bound of the interval",
        upper="the upper bound of the interval",
        upper_listed="the upper bound if ranks past the end of a run count as not relevant; no judging can fill them",
        value_final="the score with all judgments",
        width_past_end="the part of the mean width due to ranks past the end of runs, which no judging can fill",
        value_without="the score if the system is left out of the pool",
        value_other="the score with the second judgments",
        theirs="the score printed by the other program",
        change="the second score minus the first (or the score with all judgments minus this one); "
        "in rows about several systems, their mean",
        lowest="the lowest possible value",
        highest="the highest possible value",
        mean_width="the mean width of the intervals",
        width_left="the mean width of the intervals after judging this document and all above it in this table; "
        "for nDCG@k, if none of them is relevant",
        width_tukey="half the width of Tukey's interval, which allows for comparing all pairs of systems",
        width_anova="half the width of the interval that follows from the model's error",
        width_tukey_other_topics="half the width of Tukey's interval if it is to apply to other topics as well",
        width_low="the lower bound of width, from a t interval over random partitions of the documents",
        width_high="the upper bound of width, from a t interval over random partitions of the documents",
        gain="the gain of the document",
        weight="the weight of the rank in the metric, or the sum of the document's weights in all rankings",
        tau="how well two orderings agree (Kendall's tau-b): 1 = the same, -1 = one is the reverse of the other",
        tau_a="Kendall's tau without a correction for ties: (pairs in the same order - swapped pairs) / all pairs",
        tau_b="Kendall's tau-b, as in the column tau",
        tau_by_chance="the mean tau of the judge's own grades, shuffled among the documents of each topic",
        tau_ap="a form of Kendall's tau in which swaps near the top count more; a is the reference",
        tau_low="the lower bound of tau, from a t interval over random partitions of the documents",
        tau_high="the upper bound of tau, from a t interval over random partitions of the documents",
        tau_distance="the share of system pairs that are swapped",
        rbo="how similar the two orderings are, above all at the top (rank-biased overlap): from 0 to 1",
        distance="the distance of the two orderings, in which surer pairs count more (Lu, Moffat & Culpepper)",
        distance_per_pair="the weighted distance of the two orderings, divided by the number of pairs",
        rmse="the typical error of an estimate: its root mean square over systems, averaged over topics",
        rmse_plain="the typical error of an estimate: its root mean square over all systems and topics",
        mean_estimate="the mean estimate",
        mean_reference="the mean lower bound of the reference scores, which use all judgments",
        reference="the lower bound of the reference score, which uses all judgments",
        reference_upper="the upper bound of the reference score, which uses all judgments",
        reference_width="the mean width of the intervals that remain with all judgments (the reference)",
        error="how far the estimate lies outside the reference interval; 0 inside it",
        observed="the mean gain of the documents that contributing runs have at this rank",
        linear="a straight line fitted to the observed gains",
        zipf="a power law fitted to the observed gains",
        weibull="a Weibull curve fitted to the observed gains",
        gamma="how unevenly relevant documents occur in the contributing runs",
        coverage="the estimated share of relevant documents found, weighted by how many top ranks contain them",
        theta="the threshold theta: a model adjusts only topics whose gamma is above it; 0 adjusts all",
        C="the estimator's constant C, which scales the gains of unjudged documents",
        E="the estimator's constant E: the estimate if nothing is judged",
        difference="the difference of the two scores, or its mean over topics",
        difference_final="the mean difference with complete judgments, or with all if there are none",
        difference_a="the mean difference of the two systems' scores in setup a",
        difference_b="the mean difference of the two systems' scores in setup b",
        certain_low="the lowest mean difference that is still possible",
        certain_high="the highest mean difference that is still possible",
        t="Student's t: the mean difference in standard errors",
        q="the difference in standard errors",
        value_a="the score of the first system, or its mean over the topics that count for both",
        value_b="the score of the second system, or its mean over the topics that count for both",
        gives_a="what the document gives to the first system's score on this topic",
        gives_b="what the document gives to the second system's score on this topic",
        moves="how far the difference changes if the document turns out to have the highest gain; positive: towards a",
        effect_size="the difference in standard deviations over topics",
        deviation="the standard deviation over topics of the difference of two average systems",
        interval_low="the lower end of the interval of the difference over topics, at level",
        interval_high="the upper end of the interval of the difference over topics, at level",
        ss="the sum of squares",
        ms="the mean square",
        omega2="the size of the effect (omega squared); .14 or more is large",
        omega2_system="how much systems differ (omega squared); .14 or more is large",
        mean="the mean bias",
        q1="the first quartile: a quarter of the samples are below it",
        median="the median: half of the samples are below it",
        q3="the third quartile: three quarters of the samples are below it",
        unadjusted="the uncorrected score, or its error",
        adjustment="the correction that is added to the score",
        mixed="the error with true scores on the common topics and uncorrected ones on all others",
        from_systems="the error after correcting by the mean bias of other systems",
        from_topics="the error after correcting by the new system's own bias on the common topics",
        unadjusted_se="the standard error of unadjusted, over random new systems and pools",
        mixed_se="the standard error of mixed, over random new systems and pools",
        from_systems_se="the standard error of from_systems, over random new systems and pools",
        from_topics_se="the standard error of from_topics, over random new systems and pools",
        tau_final="Kendall's tau-b of the ordering by the model linear with the reference, both with all judgments",
        significant_sd="the standard deviation of significant over random partitions of the documents",
        kappa="Cohen's kappa: agreement beyond chance, at most 1",
        kappa_weighted="Cohen's kappa, in which larger disagreements count more",
        alpha="Krippendorff's alpha: agreement beyond chance, at most 1",
        shift="the second grade minus the first, on average",
        best_input="the score of the best input",
        mean_input="the mean score of all inputs",
        gain_over_best="the fused run's score minus the best input's",
        gain_over_mean="the fused run's score minus the mean of the inputs",
        fused="the score of the fused run",
        score="the score of the document in the fused ranking",
        consistency="how similar the rankings for a topic's query variations are, from 0 to 1",
        sd="the standard deviation over the rankings, or over the systems",
        rho="Spearman's rank correlation over topics, from -1 to 1",
        all_queries="the mean score over all queries of a topic",
        first_query="the score with the first query of a topic",
        best_query="the score with the best query of a topic",
        minimum="the lower bound of the overlap",
        residual="the upper bound of the overlap minus the lower",
        maximum="the upper bound of the overlap",
        rest="the same mean for all systems outside the group",
        value_people="the mean score over the topics that people judged",
        lower_people="the lower end of its interval, for all of the judge's topics",
        upper_people="the upper end of its interval, for all of the judge's topics",
        value_model="the mean score over all topics by the judge alone",
        lower_other_topics="the lower end of the interval if it is to apply to other topics as well",
        upper_other_topics="the upper end of the interval if it is to apply to other topics as well",
        extrapolated="the overlap, extrapolated from the known ranks to all",
    ),
    **_rows(
        SHARE,
        probability="the probability that the system contributed to the pool",
        power="how often a paired t-test finds the difference with the topics at hand",
        judged_at_10="the judged share of the system's top 10",
        judged_at_100="the judged share of the system's top 100",
        share_relevant="the share of judged documents that are relevant",
        share="the share",
        pairs_decided="the share of system pairs whose intervals do not touch, so their order is certain",
        tied="the share of the system's documents with tied scores",
        share_significant="the share of pairs that differ significantly",
        share_significant_other_topics="the share of pairs that differ significantly on other topics as well",
        share_relevant_popular="the share of documents that are relevant, of those which at least half of the systems "
        "retrieve",
        share_first="the share of documents that are relevant in the first half",
        share_second="the share of documents that are relevant in the second half",
        share_relevant_other="the share of these documents that are relevant by the judge",
        top5="the share of the five best systems that are among the five best by both",
        separable="the share of pairs that differ significantly in a t-test",
        separable_final="the share of pairs that differ significantly in a t-test with all judgments",
        reversed="the share of pairs that are significant now, but not with all judgments",
        opposite="the share of pairs that are significant now and with all judgments, but in the other order",
        overlap_relevant="of the documents that are relevant in at least one set, the share that is relevant in both",
    ),
    **_rows(
        P,
        p="the p-value: how often chance alone gives a result at least as large",
        p_other_topics="the p-value of the F test for other topics",
        p_corrected="the p-value after correcting for the number of pairs",
        p_a="the p-value of the t-test in setup a",
        p_b="the p-value of the t-test in setup b",
        p_shallow="the p-value with few judgments",
        p_full="the p-value with all judgments",
        p_one_tailed="the p-value of a test whether the fused run is better than its best input",
        p_tukey="Tukey's p-value of the fused run and its best input, among the fused run and all of its inputs",
        p_against_borda="the p-value of a one-tailed test whether the fused run is better than fusion by Borda's count",
    ),
    **_rows(
        MEAN,
        first_unjudged="the median rank of the first unjudged document",
        per_topic="judgments per topic",
        accuracy="the percentage of estimates inside the reference interval",
        chao_lee="the estimated number of relevant documents, found or not (Chao & Lee)",
        still_missing="the estimated number of relevant documents that are still missing",
        mean_rank="the document's mean rank in these systems",
        not_significant="the number of pairs that do not differ significantly",
        significant_low="the lower bound of significant, from a t interval over random partitions of the documents",
        significant_high="the upper bound of significant, from a t interval over random partitions of the documents",
        top_group="the number of systems in the top group: the best and those that do not differ significantly from it",
        top_group_other_topics="the number of systems in the top group if it is to apply to other topics as well",
        topics_worth="how many topics people alone would need for the same error",
        undefined="the number of cells (a topic on a shard) with nothing that the metric can score",
    ),
    **_rows(
        NUMBER,
        f="the F statistic: the variance that the effect causes, over that of the error",
        phi="the persistence: the larger it is, the more lower ranks count",
        f_other_topics="the F statistic of systems for other topics: its error is topic x system",
    ),
    # columns with another meaning in one question
    "gamma_by_depth.gamma": Column("gamma", SCORE, "the mean of gamma over topics"),
    "gamma_by_depth.lowest": Column("lowest", SCORE, "the lowest gamma of a topic"),
    "gamma_by_depth.highest": Column("highest", SCORE, "the highest gamma of a topic"),
    **{
        f"{question}.topics": Column(
            "topics", COUNT, "the number of topics that pass the gamma test, so a model adjusts them"
        )
        for question in ("error_by_theta", "gamma_by_depth")
    },
    "wrong_pairs.inversions": Column(
        "inversions", COUNT, "the number of system pairs in another order than in the reference"
    ),
    "wrong_pairs.significant": Column(
        "significant", COUNT, "how many of the swapped pairs differ significantly at this depth (paired t-test)"
    ),
    "wrong_pairs.touching": Column(
        "touching",
        COUNT,
        "how many of the swapped pairs have reference intervals that touch, because documents are unjudged",
    ),
    "models.significant": Column("significant", MEAN, "the number of significant pairs"),
    "models.significant_other_topics": Column(
        "significant_other_topics", MEAN, "the number of pairs that differ significantly on other topics as well"
    ),
    "double_fusion.single": Column("single", SCORE, "the mean score without fusion"),
    "double_fusion.over_systems": Column("over_systems", SCORE, "the mean score of fused systems"),
    "double_fusion.over_variations": Column("over_variations", SCORE, "the mean score of fused query variations"),
    "double_fusion.over_both": Column("over_both", SCORE, "the mean score if the variations and the systems are fused"),
    "double_fusion.single_max": Column(
        "single_max", SCORE, "the highest mean score of a system with one of its variations, without fusion"
    ),
    "double_fusion.over_systems_max": Column(
        "over_systems_max", SCORE, "the highest mean score of a variation with its systems fused"
    ),
    "double_fusion.over_variations_max": Column(
        "over_variations_max", SCORE, "the highest mean score of a system with its variations fused"
    ),
    "double_fusion.gain": Column("gain", SHARE, "how much more both score than no fusion, as a share of single"),
    "double_fusion.gain_over_max": Column(
        "gain_over_max", SHARE, "how much more both score than the best system and variation, as a share of single_max"
    ),
    "judges.kind": Column("kind", TEXT, "whether the judge is a model or people"),
    **{
        f"{question}.{name}": Column(name, kind, meaning)
        for name, (kind, meaning) in {
            "share_relevant": (SHARE, "the share of these documents that are relevant by the study's own judgments"),
            "shift": (SCORE, "the judge's grade minus the study's own, on average; empty where the scales differ"),
            "both": (COUNT, "the number of documents that both judge"),
        }.items()
        for question in ("judges", "judge_agreement_by_rank", "judge_topics")
    },
    "judge_pairs.a": Column("a", NAME, "a judge, or the study's own judgments (reference)"),
    "judge_pairs.b": Column("b", NAME, "the judge that it is compared with"),
    "assessors.topics": Column("topics", COUNT, "the number of topics of which the assessor judged documents"),
    "assessors.judged": Column("judged", COUNT, "the number of the assessor's judgments"),
    "assessors.share_relevant": Column("share_relevant", SHARE, "the share of these judgments that are relevant"),
    "assessors.mean_grade": Column("mean_grade", SCORE, "the mean grade of these judgments"),
    "assessors.both": Column("both", COUNT, "the number of these judgments of documents that the judge judges, too"),
    "assessors_twice.a": Column("a", NAME, "an assessor"),
    "assessors_twice.b": Column("b", NAME, "another; or the same, who judged documents again"),
    "assessors_twice.both": Column("both", COUNT, "the number of documents that both judged"),
    "assessors_twice.same": Column("same", COUNT, "the number of documents to which both gave the same grade"),
    "assessors_twice.share_relevant_other": Column(
        "share_relevant_other", SHARE, "the share of these documents that are relevant by the second"
    ),
    "assessors_twice.share_relevant": Column(
        "share_relevant", SHARE, "the share of these documents that are relevant by the first"
    ),
    "assessor_drift.by": Column("by", TEXT, "what is halved: topics, or the documents of each topic"),
    "assessor_drift.topics": Column("topics", COUNT, "the number of topics of which the assessor judged documents"),
    "assessor_drift.judged": Column("judged", COUNT, "the number of the assessor's judgments"),
    "assessor_drift.difference": Column("difference", SCORE, "the share in the second half minus that in the first"),
    "diversity.alpha_ndcg": Column("alpha_ndcg", SCORE, "the mean of α-nDCG: gains fall with every repetition"),
    "diversity.err_ia": Column("err_ia", SCORE, "the mean of ERR-IA: the sooner each subtopic is found, the higher"),
    "diversity.subtopic_recall": Column("subtopic_recall", SHARE, "the mean share of subtopics that the top k covers"),
    "diversity.subtopics": Column("subtopics", MEAN, "the mean number of subtopics with a relevant document"),
    "judges.n": Column("n", COUNT, "the number of topics that both judge"),
    "judge_agreement_by_rank.by": Column(
        "by", TEXT, "what documents are grouped by: their best rank, or the number of systems that retrieve them"
    ),
    "judge_topics.change": Column(
        "change", SCORE, "the score by the judge minus that by the study's own judgments, as a mean over systems"
    ),
    "judge_gains.by": Column("by", TEXT, "what systems are grouped by: type, group or system"),
    "judge_gains.group": Column("group", NAME, "the type, the group or the system"),
    "judge_gains.systems": Column("systems", COUNT, "the number of systems in it"),
    "judge_gains.change": Column(
        "change", SCORE, "the mean score by the judge minus that by the study's own judgments, in the group"
    ),
    "judge_gains.difference": Column("difference", SCORE, "what the judge adds to the group more than to the rest"),
    "judge_gains.expected": Column("expected", SCORE, "the same, if the judge's errors were as frequent, but random"),
    "judge_checks.order": Column("order", COUNT, "the position in the order of checking"),
    "judge_checks.grade": Column("grade", COUNT, "the grade by the study's own judgments, empty if there is none"),
    "judge_checks.weight": Column("weight", SCORE, "how far the document separates systems with close scores"),
    "judge_checks_curve.order": Column("order", NAME, "the order of checking: topics, documents, or random"),
    "judge_checks_curve.judgments": Column("judgments", COUNT, "the number of documents checked by a person"),
    "people_and_model.topics": Column("topics", COUNT, "the number of topics that people judge"),
    "people_and_model.method": Column("method", NAME, "who judges: people, both (people and the judge), or the model"),
    "people_and_model.rmse": Column("rmse", SCORE, "the root mean square error over systems, as a mean over draws"),
    "people_and_model.n": Column("n", COUNT, "the number of topics that people judged in all"),
    "people_and_model.coverage": Column("coverage", SHARE, "how often the interval contains the mean over all topics"),
    "people_plus_model.value": Column("value", SCORE, "the estimated mean over all topics, by people and the judge"),
    "people_plus_model.weight": Column(
        "weight", SCORE, "lambda: how much of the judge's difference between the topics is used"
    ),
    "people_plus_model.topics": Column("topics", COUNT, "the number of topics that people judged"),
    "people_plus_model.n": Column("n", COUNT, "the number of topics that the judge judged"),
    "models_by_shards.shards": Column("shards", COUNT, "the number of shards; 1 = the whole collection"),
    "models_by_shards.change": Column(
        "change", SHARE, "the change in significant pairs, as a share of those by MD1 on the whole collection"
    ),
    "shard_stability.significant": Column("significant", MEAN, "the number of significant pairs"),
    "shard_stability.width": Column("width", SCORE, "half the width of Tukey's interval, as a mean over partitions"),
    "shard_stability.common": Column(
        "common",
        SHARE,
        "the share of significant pairs that are significant on every partition; not the last column of FS19's table 2",
    ),
    "trend.width": Column("width", SCORE, "the mean width of the intervals"),
    "trend.pooled": Column("pooled", FLAG, "whether the row is about contributing systems or about all others"),
    "first_unjudged.pooled": Column(
        "pooled", FLAG, "whether the row is about contributing systems or about all others"
    ),
    "judged.judged": Column("judged", SHARE, "the judged share of the first k ranks"),
    "adjust_from_systems.adjusted": Column("adjusted", SCORE, "the corrected score"),
    "adjust_from_topics.adjusted": Column("adjusted", SCORE, "the corrected score"),
    "adjust_from_topics.common": Column("common", TEXT, "the common topics, on which the system is fully judged"),
    "constants.best": Column("best", FLAG, "whether these constants have the smallest error"),
    "fusion_scores.best": Column(
        "best", NAME, "the best input: a system, or for query variations, which query of every topic"
    ),
    "fusion_scores.better": Column(
        "better", FLAG, "whether the fused run is significantly better than its best input (p below level)"
    ),
    "score_differences.difference": Column("difference", SCORE, "the printed score minus Poolscope's"),
    "agreement.relevant": Column(
        "relevant", COUNT, "how many of the documents that both sets contain are relevant in these judgments"
    ),
    "findings.count": Column("count", COUNT, "how many items the finding concerns, such as systems, topics or lines"),
    "findings.effect": Column("effect", SHARE, "the share of all scores (system on topic) that it may change"),
    "fusion_by_count.count": Column("count", COUNT, "the number of fused variations"),
    "judge_next.order": Column("order", COUNT, "the position in the order of judging"),
    "topics_left_out.inversions": Column("inversions", COUNT, "the number of system pairs that swap without the topic"),
    "topics_left_out.inversions_of_top": Column(
        "inversions_of_top", COUNT, "how many of them are among the 10 systems that are best with all topics"
    ),
    "topics_left_out.value": Column("value", SCORE, "the mean score over the systems: the lower, the harder the topic"),
    "topics_left_out.tau": Column("tau", SCORE, "how well the orderings with and without the topic agree (tau-b)"),
    "rank_intervals.lower": Column("lower", COUNT, "the best rank to expect of the system"),
    "rank_intervals.upper": Column("upper", COUNT, "the worst rank to expect of the system"),
}


def column(question: str, name: str) -> Column:
    """The row of a column of a question's table; without one, the name is the meaning."""
    return row_of(question, name) or Column(name, TEXT, name.replace("_", " "))


def row_of(question: str, name: str) -> Column | None:
    """The same, or None for a column without a row."""
    if name.startswith("grade_") and name != "grade_other":
        return Column(name, COUNT, f"how many documents have grade {name.removeprefix('grade_')}")
    return COLUMNS.get(f"{question}.{name}") or COLUMNS.get(name)
