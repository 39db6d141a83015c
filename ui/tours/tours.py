"""Tours: tables of steps through the pages, on whatever track is open. The pages compute every number."""

from functools import partial

from ui.tours.tour_steps import (
    Step,
    Tour,
    as_newcomer,
    contributors,
    deeper,
    left_out,
    pool,
    second,
    several,
    shallow,
    variations,
)

START, DATA, DEPTH, SCORES = "pages/start.py", "pages/data.py", "pages/pool_depth.py", "pages/scores.py"
ESTIMATORS, ORDERINGS, NEW = "pages/estimators.py", "pages/orderings.py", "pages/new_systems.py"
CONFIDENCE, FUSION, CONSISTENCY = "pages/confidence.py", "pages/fusion.py", "pages/consistency.py"
JUDGMENTS, REPORT = "pages/judgments.py", "pages/report.py"

USUAL, DEEP = "RBP(p=0.8)", "RBP(p=0.95)"
OF_RUNS = {"metric": USUAL, "by": "run", "depth": "all"}


def _shallow_and_all(study):
    early = f"depth={shallow(study)['depth']}"
    return {"regimes": [early, USUAL], "a": early, "b": USUAL}


def _guessed(study):
    early = f"depth={shallow(study)['depth']} | {DEEP}"
    return {"regimes": [early, f"{early} | two-stage-b", DEEP], "view": "distance_per_pair"}


def _judged_early(**chosen):
    """Choices on Estimators, which simulates a shallow pool."""
    return lambda study: {"metric": DEEP, "shallow": shallow(study)["depth"], **chosen}


def _of_first_system(study):
    return {"metric": "AP", "crowd": f"the variations of {study.systems[0]}"}


TOURS = {
    "pooling": Tour(
        "Pooling in ten minutes",
        "What a pool is, what it leaves unknown, which systems it treats unfairly, and how to correct that.",
        (
            Step(
                START,
                "What is a pool?",
                "Drag the slider. People read a document only if some ranking has it that high; the others may or may "
                "not help. Watch which system seems best at each depth.",
            ),
            Step(
                DEPTH,
                "Judge the top document only",
                "Now a whole track. Blue is known; amber is possible, depending on the unjudged documents. "
                "Is any system clearly ahead?",
                {"metric": USUAL, "depth": 1},
            ),
            Step(
                DEPTH,
                "Judge deeper",
                "Amber shrinks, and the intervals separate. Drag the depth back and forth: the sentence shows how many "
                "system pairs are certain at each depth.",
                lambda study: {"metric": USUAL, **deeper(study)},
                (pool,),
            ),
            Step(
                ORDERINGS,
                "Do two systems swap?",
                "A shallow pool is on the left, all judgments are on the right. Where lines cross, two "
                "systems swap: had judging stopped early, the other one would seem better.",
                _shallow_and_all,
                (several, pool),
                at="sub-finding-swaps",
            ),
            Step(
                NEW,
                "A system that is not in the pool",
                "Each contributing system is left out of the pool in turn, with its group if groups are known. "
                "Documents that only they contributed are then unjudged. The gap between dot and diamond is the "
                "system's loss.",
                lambda study: {"metric": USUAL, **left_out(study)},
                (contributors,),
            ),
            Step(
                NEW,
                "Can the loss be corrected?",
                "*One system, treated as new*: the system that loses most. Its score as part of the pool is known, so "
                "you can check two corrections: one uses the other systems, one a few fully judged topics.",
                partial(as_newcomer, metric=USUAL),
                (contributors,),
                at="sub-finding-newcomer",
            ),
            Step(
                SCORES,
                "Compare with complete judgments",
                "The dots are scores from a shallow pool. The ticks are scores with all judgments, or with complete "
                "judgments if the track has them. Which systems does the shallow pool get wrong?",
                lambda study: {"metric": USUAL, "estimator": "lower", **shallow(study), "truth": "true"},
                (pool,),
                at="sub-finding-truth",
            ),
        ),
    ),
    "soundness": Tour(
        "Can you trust this track?",
        "For new runs and judgments: do the files fit together, and how far can you rely on them?",
        (
            Step(
                DATA,
                "Are the files complete?",
                "A dark column of the picture is a system with few judged documents at its top. Under *Checks*, errors "
                "come first, then warnings.",
            ),
            Step(
                JUDGMENTS,
                "Topic by topic",
                "Blue is the number of known relevant documents, amber an estimate of the missing ones. *Topics* flags "
                "topics where no document, hardly any or most documents are relevant.",
            ),
            Step(
                JUDGMENTS,
                "Which judgments look wrong?",
                "*Judgments that look wrong*: documents judged not relevant that most of the better systems rank high, "
                "and documents judged relevant that only one weaker system retrieves. None of them is a proven error.",
                at="title-suspects",
            ),
            Step(
                JUDGMENTS,
                "What would another assessor say?",
                "How often two sets of judgments agree, and which systems change rank under the second set.",
                {"part": "second"},
                (second,),
                at="sub-finding-agreement",
            ),
            Step(
                NEW,
                "Would a new system be treated fairly?",
                "If leaving a system and its group out of the pool costs it little, you can reuse the judgments for "
                "similar systems. This does not show how a very different system would be treated.",
                left_out,
                (contributors,),
            ),
            Step(
                CONFIDENCE,
                "Are there enough topics?",
                "How many differences between systems would hold on other documents, and on other topics.",
                needs=(several,),
            ),
            Step(
                JUDGMENTS,
                "What to judge next",
                "If you can afford more judgments, start with these documents. They affect the scores most, because "
                "many systems rank them high.",
                {"part": "next"},
                at="sub-finding-judge_next",
            ),
            Step(
                REPORT,
                "Take it home",
                "*Download report* saves the findings of these pages as one file, with pictures and the first rows of "
                "each table. *Download everything* adds the full tables.",
            ),
        ),
    ),
    "ravana-moffat": Tour(
        "Ravana & Moffat 2010",
        "Scores from incomplete judgments: the interval of each score, and an estimate inside it.",
        (
            Step(
                DEPTH,
                "Base and residual",
                "Every score is an interval. Its lower bound is the known score; its width is the residual, the weight "
                "of all unjudged or unfilled ranks. The residual shrinks as the pool gets deeper.",
                lambda study: {"metric": DEEP, **shallow(study)},
                section="3.1",
            ),
            Step(
                SCORES,
                "An estimate inside the interval",
                "The dot is the interpolated estimate. The more of the judged documents are relevant, the higher it is "
                "in the interval.",
                lambda study: {"metric": DEEP, "estimator": "interpolated", **shallow(study)},
                section="5",
            ),
            Step(
                ESTIMATORS,
                "Which estimate is best?",
                "Suppose that judging had stopped early. Which estimate comes closest to the scores with all "
                "judgments?",
                _judged_early(guesses=["lower", "interpolated", "smoothed", "background"]),
                (pool,),
                section="6.1",
            ),
            Step(
                ESTIMATORS,
                "How is the estimate learnt?",
                "Two constants, C and E, place the estimate in the interval. Which pair has the smallest error on "
                "shallower pools?",
                _judged_early(open=["constants"]),
                (pool,),
                section="5.1",
                at="open-constants",
            ),
            Step(
                ORDERINGS,
                "Which pairs become significant early?",
                "With a good estimate, many system pairs differ significantly after few judgments, and few of these "
                "differences are later lost or reversed. The next section shows p for every pair, early and late.",
                {"metric": "P@10", "open": ["separability", "p_values"]},
                (several, pool),
                section="7.6",
                at="open-separability",
            ),
        ),
        "RM10",
    ),
    "lu-moffat-culpepper": Tour(
        "Lu, Moffat & Culpepper 2017",
        "Can deep metrics be computed from shallow pools? Model the gain at each rank, then extrapolate below the "
        "pool.",
        (
            Step(
                ESTIMATORS,
                "The error of each estimator",
                "A line per estimator: its root mean square error at each pool depth, against the interval that "
                "remains with all judgments.",
                _judged_early(guesses=["lower", "rm", "linear", "two-stage-a", "two-stage-b"]),
                (pool,),
                section="6.7",
            ),
            Step(
                ESTIMATORS,
                "Gain by rank",
                "Three curves are fitted to the mean gain at each rank of a topic. The next section shows the gamma "
                "test, which decides for which topics a model is used.",
                _judged_early(open=["rank_models", "coverage"]),
                (pool,),
                section="6.3",
                at="open-rank_models",
            ),
            Step(
                ORDERINGS,
                "Does the estimate order the systems correctly?",
                "Three setups: a shallow pool, the same pool with a two-stage model, and all judgments. The weighted "
                "distance gives more weight to pairs whose order is surer.",
                _guessed,
                (several, pool),
                section="7.4",
            ),
            Step(
                ESTIMATORS,
                "Or judge a sample",
                "What a few more judgments add when they are drawn at random from deeper ranks, not taken from the "
                "next ranks.",
                _judged_early(open=["two_strata"]),
                (pool,),
                section="6.6",
                at="open-two_strata",
            ),
        ),
        "LMC17",
        "newswire",
    ),
    "webber-park": Tour(
        "Webber & Park 2009",
        "Systems that did not contribute to the pool score too low: by how much, and how to correct for it.",
        (
            Step(
                NEW,
                "The bias of each system",
                "The gap between dot and diamond: a system's score minus its score without the judgments that only it "
                "contributed.",
                OF_RUNS,
                (contributors,),
                section="9.1",
            ),
            Step(
                NEW,
                "Bias and the width of the pool",
                "*How much does the number of contributing systems matter?* The more systems contribute to the pool, "
                "the less a system outside it loses on average.",
                OF_RUNS | {"open": ["bias_by_width"]},
                (contributors,),
                section="9.2",
                at="open-bias_by_width",
            ),
            Step(
                NEW,
                "Correct a new system",
                "Under *One system, treated as new* are two corrections: by the mean bias of the other systems, and by "
                "the system's own bias on a few fully judged topics.",
                partial(as_newcomer, metric=USUAL, by="run"),
                (contributors,),
                section="9.3",
                at="sub-finding-newcomer",
            ),
            Step(
                NEW,
                "How well do the corrections work?",
                "*How well do the corrections work? Webber and Park's experiment*: new systems and pools are drawn "
                "many times.",
                OF_RUNS | {"open": ["experiment"]},
                (contributors,),
                section="9.5",
                at="open-experiment",
            ),
        ),
        "WP09",
    ),
    "ferro-sanderson": Tour(
        "Ferro & Sanderson 2019",
        "Split the documents into shards: an analysis of variance then finds more significant differences.",
        (
            Step(
                CONFIDENCE,
                "Without shards",
                "The usual model, topics and systems, on the whole collection.",
                {"metric": "AP", "model": "MD1", "shards": 5},
                (several,),
                section="10.2",
                printed="MD1",
            ),
            Step(
                CONFIDENCE,
                "With shards and the full model",
                "Compare with the step before, which had no shards. Are the intervals shorter and the top group "
                "smaller? This model applies to other documents, for these topics.",
                {"metric": "AP", "model": "MD6", "shards": 5},
                (several,),
                section="10.5",
                printed="MD6",
            ),
            Step(
                CONFIDENCE,
                "Compare all models",
                "The table shows significant pairs, half-widths of intervals and effect sizes, model by model.",
                {"metric": "AP", "model": "MD3", "shards": 5},
                (several,),
                section="10.3",
                printed="models",
                at="sub-finding-models",
            ),
            Step(
                CONFIDENCE,
                "Does the partition matter?",
                "How much the results change when the documents are split in other ways. The next section shows what "
                "happens if a shard has no relevant documents.",
                {"metric": "AP", "model": "MD3", "shards": 5, "open": ["partitions", "undefined"]},
                (several,),
                section="10.5",
                printed="partitions",
                at="open-partitions",
            ),
        ),
        "FS19",
        "newswire",
    ),
    "bailey-moffat-scholer-thomas": Tour(
        "Bailey, Moffat, Scholer & Thomas 2017",
        "People phrase the same need in many ways: how similar are the rankings, and what does fusing them gain?",
        (
            Step(
                CONSISTENCY,
                "How consistent is each system?",
                "How similar a system's rankings are for all variations of a query. Then compare this with its score: "
                "*Do consistent systems score higher?*",
                {"metric": "AP"},
                (variations,),
                section="12.2",
            ),
            Step(
                FUSION,
                "Rank-biased centroids, with letters",
                "*A worked example with letters*: four rankings are merged into one.",
                choices={"open": ["letters"]},
                section="11",
                printed="letters",
                at="open-letters",
            ),
            Step(
                FUSION,
                "Fuse the query variations",
                "The system's rankings for all variations of a query are merged into one.",
                lambda study: {**_of_first_system(study), "rule": "rbc(phi=0.9)"},
                (variations,),
                section="11",
            ),
            Step(
                FUSION,
                "How many query variations are enough?",
                "*How much do more query variations gain?* The score after fusing few variations of a query, and more "
                "of them.",
                lambda study: {**_of_first_system(study), "open": ["fusion_by_count"]},
                (variations,),
                section="11",
                at="open-fusion_by_count",
            ),
        ),
        "BMST17",
        "variations",
    ),
}
PAPERS = [name for name, tour in TOURS.items() if tour.source]
