"""Tours: ways through the pages, a table of steps each, on whatever track is open.

Every number is the page's own.
"""

from functools import partial

from ui.steps import Step, Tour, as_newcomer, contributors, deeper, left_out, pool, second, several, shallow, variations

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
    """Choices on Estimators, which pretends that judging stopped at a shallow pool."""
    return lambda study: {"metric": DEEP, "shallow": shallow(study)["depth"], **chosen}


def _of_first_system(study):
    return {"metric": "AP", "crowd": f"the variations of {study.systems[0]}"}


TOURS = {
    "pooling": Tour(
        "Pooling in ten minutes",
        "What a pool is, what it leaves open, whom it treats unfairly, and what can be done about it.",
        (
            Step(
                START,
                "What is a pool?",
                "Drag the slider. Only documents that some list ranks that high are read; the others may help or not. "
                "Watch who seems best at each stop.",
            ),
            Step(
                DEPTH,
                "Judge one document of every ranking",
                "A whole track now. Blue is known, amber is what the documents that nobody judged could still make of "
                "a score. Does any system stand apart?",
                {"metric": USUAL, "depth": 1},
            ),
            Step(
                DEPTH,
                "Judge deeper",
                "Amber shrinks, and systems part. Drag the depth back and forth: the sentence says how many pairs of "
                "systems are told apart, and by how many judgments.",
                lambda study: {"metric": USUAL, **deeper(study)},
                (pool,),
            ),
            Step(
                ORDERINGS,
                "Do two systems swap?",
                "*Two orderings side by side*: a shallow pool on the left, all judgments on the right. "
                "Where lines cross, systems change places: had judging stopped early, the other one would seem better.",
                _shallow_and_all,
                (several, pool),
                at="sub-finding-swaps",
            ),
            Step(
                NEW,
                "The system that came too late",
                "Every system that helped to build the pool is left out of it in turn, with its group where groups are "
                "known: what they alone brought in is then not judged. The gap between dot and diamond is what the "
                "system loses.",
                lambda study: {"metric": USUAL, **left_out(study)},
                (contributors,),
            ),
            Step(
                NEW,
                "Can it be put right?",
                "*One system as the newcomer*: the one that loses most, whose score as part of the pool is "
                "known. Two corrections try to give back what it loses: one learns from the other systems, one from a "
                "few topics on which it is fully judged.",
                partial(as_newcomer, metric=USUAL),
                (contributors,),
                at="sub-finding-newcomer",
            ),
            Step(
                SCORES,
                "The truth",
                "The dots are what a shallow pool says of each system; the marks show where all judgments put it, or "
                "the complete ones where they are known. Whom did the shallow pool get wrong?",
                lambda study: {"metric": USUAL, "estimator": "lower", **shallow(study), "truth": "true"},
                (pool,),
                at="sub-finding-truth",
            ),
        ),
    ),
    "soundness": Tour(
        "Is this track sound?",
        "For those who got runs and judgments this morning: do the files belong together, and can they be believed?",
        (
            Step(
                DATA,
                "Are the files whole?",
                "A dark column of the picture is a system of whose first ranks little was judged. Under *What the "
                "checks found*, errors come first, then what looks odd.",
            ),
            Step(
                JUDGMENTS,
                "Topic by topic",
                "Blue is what was found, amber an estimate of what is missing. *Every topic* flags those where nothing "
                "is relevant, hardly anything, or most.",
            ),
            Step(
                JUDGMENTS,
                "Which judgments look wrong?",
                "*Judgments that look wrong*: documents that most of the better systems rank high and "
                "that were judged not relevant, and relevant ones that a single weaker system has. A suspect is no "
                "proof.",
                at="title-suspects",
            ),
            Step(
                JUDGMENTS,
                "What would another assessor say?",
                "How often two sets of judgments agree, and which systems change places by the other ones.",
                {"part": "second"},
                (second,),
                at="sub-finding-agreement",
            ),
            Step(
                NEW,
                "Would a new system be treated fairly?",
                "If leaving a system out of the pool, with its group where groups are known, costs it little, the "
                "judgments can be used again for systems like these; of one unlike them all that says nothing.",
                left_out,
                (contributors,),
            ),
            Step(
                CONFIDENCE,
                "Are there enough topics?",
                "How many differences between systems would be seen again on other documents, and on other topics.",
                needs=(several,),
            ),
            Step(
                JUDGMENTS,
                "What to judge next",
                "If there is money for some more judgments: these documents weigh most in the "
                "scores, by how many systems rank them and how high.",
                {"part": "next"},
                at="sub-finding-judge_next",
            ),
            Step(
                REPORT,
                "Take it home",
                "*Download report* gives what these pages found as one file, with their pictures and the first rows "
                "of their tables; *Download everything* adds the whole tables.",
            ),
        ),
    ),
    "ravana-moffat": Tour(
        "Ravana & Moffat 2010",
        "Scores from incomplete judgments: the interval that a score lies in, and a place inside it to bet on.",
        (
            Step(
                DEPTH,
                "Base and residual",
                "Every score is an interval: its lower end is what is known, its width the residual, the weight of "
                "whatever is not known. It shrinks as the pool deepens.",
                lambda study: {"metric": DEEP, **shallow(study)},
                section="3.1",
            ),
            Step(
                SCORES,
                "A place inside the interval",
                "The dot is the interpolated estimate: the more of what was judged is relevant, the higher in its "
                "interval it stands.",
                lambda study: {"metric": DEEP, "estimator": "interpolated", **shallow(study)},
                section="5",
            ),
            Step(
                ESTIMATORS,
                "Which place is best?",
                "Pretend that judging had stopped early, and see which estimate comes closest to what all judgments "
                "say.",
                _judged_early(guesses=["lower", "interpolated", "smoothed", "background"]),
                (pool,),
                section="6.1",
            ),
            Step(
                ESTIMATORS,
                "How is the place learnt?",
                "*Learn the constants C and E of Ravana & Moffat*: on shallower pools, which pair has the least error?",
                _judged_early(open=["constants"]),
                (pool,),
                section="5.1",
                at="open-constants",
            ),
            Step(
                ORDERINGS,
                "Which pairs are told apart, and which of these are taken back?",
                "*Tell pairs apart with few judgments: separability and reversals*: a good guess tells many pairs "
                "apart, of which all judgments take few back. Then *Every pair's p with few judgments and with all*.",
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
        "Can deep measures be computed from shallow pools? Gains by rank are modelled, and read on below the pool.",
        (
            Step(
                ESTIMATORS,
                "The error of each guess",
                "A line per guess: its root mean square error at each pool depth, against the interval that all "
                "judgments leave.",
                _judged_early(guesses=["lower", "rm", "linear", "two-stage-a", "two-stage-b"]),
                (pool,),
                section="6.7",
            ),
            Step(
                ESTIMATORS,
                "Gain by rank",
                "*A topic's gains by rank, and the curves fitted to them*: three curves follow what documents at "
                "each rank gained. Then *On which topics should a model guess at all? The gamma test*.",
                _judged_early(open=["rank_models", "coverage"]),
                (pool,),
                section="6.3",
                at="open-rank_models",
            ),
            Step(
                ORDERINGS,
                "Does the guess put systems in the right order?",
                "A shallow pool, the same with the estimate of a two-stage model, and all judgments. The weighted "
                "distance counts a pair of systems by how surely it is ordered.",
                _guessed,
                (several, pool),
                section="7.4",
            ),
            Step(
                ESTIMATORS,
                "Or judge a sample",
                "*Judge a sample of the deeper pool instead: two strata*: what some more judgments buy when they "
                "are drawn at random from further down.",
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
        "Systems that did not help to build the pool score too low: by how much, and how to correct for it.",
        (
            Step(
                NEW,
                "The bias of each system",
                "The gap between dot and diamond: a system's score less its score without the judgments that it alone "
                "brought in.",
                OF_RUNS,
                (contributors,),
                section="9.1",
            ),
            Step(
                NEW,
                "Bias and the width of the pool",
                "*How much does the number of pooled systems matter?* The more systems form the pool, the less "
                "a system outside it loses on average.",
                OF_RUNS | {"open": ["bias_by_width"]},
                (contributors,),
                section="9.2",
                at="open-bias_by_width",
            ),
            Step(
                NEW,
                "Correcting a newcomer",
                "Under *One system as the newcomer*, two corrections: by the mean bias of the other systems, and by "
                "the system's own bias on a few topics on which it is fully judged.",
                partial(as_newcomer, metric=USUAL, by="run"),
                (contributors,),
                section="9.3",
                at="sub-finding-newcomer",
            ),
            Step(
                NEW,
                "How well do the corrections work?",
                "*How well do the corrections work here? Webber and Park's experiment*: newcomers and pools are "
                "drawn anew, many times.",
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
        "Cut the documents into shards: an analysis of variance then tells more systems apart.",
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
                "With shards, and all that they explain",
                "First without shards, then with shards and the richest model. Are its intervals shorter, the top "
                "group smaller? It speaks of other documents, for these topics.",
                {"metric": "AP", "model": "MD6", "shards": 5},
                (several,),
                section="10.5",
                printed="MD6",
            ),
            Step(
                CONFIDENCE,
                "Every model beside the others",
                "Under *What each model says, and of what*: pairs that differ, half-widths of intervals and sizes of "
                "effects, model by model.",
                {"metric": "AP", "model": "MD3", "shards": 5},
                (several,),
                section="10.3",
                printed="models",
                at="sub-finding-models",
            ),
            Step(
                CONFIDENCE,
                "Does it hang on how one cut?",
                "*Does it depend on the partition that was drawn?* And *What of shards that hold nothing to count?*",
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
        "People word one need in many ways: how alike are the answers, and what does fusing them gain?",
        (
            Step(
                CONSISTENCY,
                "How consistent is each system?",
                "How alike a system's rankings are for all wordings of a need; and how that goes with its score: *Are "
                "consistent systems good ones?*",
                {"metric": "AP"},
                (variations,),
                section="12.2",
            ),
            Step(
                FUSION,
                "Rank-biased centroids, with letters",
                "*A worked example with letters*: four rankings become one.",
                choices={"open": ["letters"]},
                section="11",
                printed="letters",
                at="open-letters",
            ),
            Step(
                FUSION,
                "Fuse the wordings",
                "The rankings for all wordings of a need become one ranking of the system.",
                lambda study: {**_of_first_system(study), "rule": "rbc(phi=0.9)"},
                (variations,),
                section="11",
            ),
            Step(
                FUSION,
                "How many wordings are enough?",
                "*What do more variations buy?* What fusing gains with few wordings of a need, and with more of them.",
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
