"""Tours: ways through the pages, a table of steps each, on whatever track is open.

A step is a page with some of its choices made, and a few words on what to look at; every number is the page's own.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from ui import studies

# ---- what a step may need of a track: why it is not there, and the sample that has it


def _newcomers(study):
    return "" if len(studies.contributing(study)) < len(study.systems) else "every system here helped to build the pool"


def _variations(study):
    return "" if study.has_variations else "every topic here was worded in one way only"


def _pool(study):
    return "" if study.depth > 1 else "the pool is one document deep"


def _several(study):
    return "" if len(study.systems) > 1 else "there is one system only"


def _second(study):
    return "" if studies.second_qrels() is not None else "there is no second set of judgments"


SAMPLE_WITH = {_newcomers: "web", _variations: "variations", _pool: "web", _several: "web", _second: "web"}


# ---- choices that depend on the track


def _shallow(study):
    return {"depth": min(5, study.depth)}


def _deeper(study):
    return {"depth": max(2, min(20, study.depth // 2))}


def _shallow_and_all(study):
    shallow = f"depth={min(5, study.depth)}"
    return {"regimes": [shallow, "RBP(p=0.8)"], "a": shallow, "b": "RBP(p=0.8)"}


def _one_newcomer(study):
    contributing = set(studies.contributing(study))
    return {"system": next((name for name in study.systems if name not in contributing), study.systems[0])}


@dataclass(frozen=True)
class Step:
    """One row of a tour.

    page : path of the page; title, words : what is seen, and what to look at
    choices : made on arrival: name in the address -> value, or study -> such a table
    needs(study) : why this track does not have what the step shows, or ""
    section : of docs/METHODS.md, where what is shown is defined, with the paper's own figures where they are known
    """

    page: str
    title: str
    words: str
    choices: dict | Callable = field(default_factory=dict)
    needs: Callable | None = None
    section: str = ""

    def address(self, study):
        """The choices as the address says them; none where the track lacks what the step shows."""
        if self.needs and self.needs(study):
            return {}
        chosen = self.choices(study) if callable(self.choices) else self.choices
        return {name: value if isinstance(value, list) else str(value) for name, value in chosen.items()}


@dataclass(frozen=True)
class Tour:
    """A way through the pages. what : one line; source : the key, in docs/METHODS.md, of the paper that it follows"""

    title: str
    what: str
    steps: tuple
    source: str = ""


START, DATA, DEPTH, SCORES = "pages/start.py", "pages/data.py", "pages/pool_depth.py", "pages/scores.py"
ESTIMATORS, ORDERINGS, NEW = "pages/estimators.py", "pages/orderings.py", "pages/new_systems.py"
CONFIDENCE, FUSION, CONSISTENCY = "pages/confidence.py", "pages/fusion.py", "pages/consistency.py"
JUDGMENTS, REPORT = "pages/judgments.py", "pages/report.py"

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
                {"depth": 1},
            ),
            Step(
                DEPTH,
                "Judge deeper",
                "Amber shrinks, and systems part. Drag the depth back and forth: the tiles under the picture say what "
                "is told apart, and what it costs.",
                _deeper,
                _pool,
            ),
            Step(
                ORDERINGS,
                "Two systems that swap",
                "A shallow pool on the left, all judgments on the right. Lines that cross are systems that change "
                "places: had judging stopped early, one would have bet on the wrong one.",
                _shallow_and_all,
                _several,
            ),
            Step(
                NEW,
                "The system that came too late",
                "Every system in turn is left out of the pool: what it alone had found is then not judged. The gap "
                "between dot and diamond is what it loses.",
                {"by": "group"},
                _pool,
            ),
            Step(
                NEW,
                "Can it be put right?",
                "Go down to *One system as the newcomer*. Two corrections estimate what it lost, from the other "
                "systems, and from a few topics on which it is fully judged.",
                _one_newcomer,
                _newcomers,
            ),
            Step(
                SCORES,
                "The truth",
                "The marks show where all judgments put each system that was scored with a shallow pool. Whom did the "
                "shallow pool get wrong?",
                lambda study: {**_shallow(study), "truth": "true"},
                _pool,
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
                "Errors come first, then what looks odd, each with what to do about it. A dark column is a system of "
                "whose first ranks little was judged.",
            ),
            Step(
                JUDGMENTS,
                "Topic by topic",
                "How much was found, how much may be missing, and which topics look unlike the others.",
            ),
            Step(
                JUDGMENTS,
                "Which judgments look wrong?",
                "Go down to *Judgments that look wrong*: documents that most systems rank first and that were judged "
                "not relevant, and the reverse. A suspect is no proof.",
            ),
            Step(
                JUDGMENTS,
                "What would another assessor say?",
                "How often two sets of judgments agree, and whether the ordering hangs on whose judgments are taken.",
                {"part": "second"},
                _second,
            ),
            Step(
                NEW,
                "Would a new system be treated fairly?",
                "If leaving a group out of the pool costs it little, the judgments can be used again for systems that "
                "were not there.",
                {"by": "group"},
                _pool,
            ),
            Step(
                CONFIDENCE,
                "Are there enough topics?",
                "How many differences would be seen again on other documents, and on other topics.",
                needs=_several,
            ),
            Step(
                JUDGMENTS,
                "What to judge next",
                "If there is money for some more judgments, these documents tell most.",
                {"part": "next"},
            ),
            Step(REPORT, "Take it home", "All that these pages found, with its tables, in one file."),
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
                "what nobody judged. It shrinks as the pool deepens.",
                {"metric": "RBP(p=0.95)", "depth": 5},
                section="3.1",
            ),
            Step(
                SCORES,
                "A place inside the interval",
                "The interpolated estimate stands between the ends, by how much of what was judged was relevant.",
                lambda study: {"metric": "RBP(p=0.95)", "estimator": "interpolated", **_shallow(study)},
                section="5",
            ),
            Step(
                ESTIMATORS,
                "Which place is best?",
                "Pretend that judging had stopped early, and see which estimate comes closest to what all judgments "
                "say. Below, open *Learn the constants C and E*.",
                {"metric": "RBP(p=0.95)", "guesses": ["lower", "interpolated", "smoothed", "background"]},
                _pool,
                section="5.1",
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
                "By pool depth: the root mean square error of every guess against the interval that all judgments "
                "leave.",
                {"metric": "RBP(p=0.95)", "guesses": ["lower", "rm", "linear", "two-stage-a", "two-stage-b"]},
                _pool,
                section="6.7",
            ),
            Step(
                ESTIMATORS,
                "Gain by rank",
                "Below, open *A topic's gains by rank*: three curves are fitted to how often documents at a rank were "
                "relevant; and *the gamma test*, which says on which topics to guess at all.",
                {"metric": "RBP(p=0.95)"},
                _pool,
                section="6.5",
            ),
            Step(
                ORDERINGS,
                "Does the guess put systems in the right order?",
                "A shallow pool, the same with a model's guess, and all judgments. The weighted distance counts places "
                "at the top of the ordering more.",
                lambda study: {
                    "regimes": [f"depth={min(5, study.depth)}", f"depth={min(5, study.depth)} | rm", "RBP(p=0.8)"],
                    "view": "distance_per_pair",
                },
                _several,
                section="7.4",
            ),
            Step(
                ESTIMATORS,
                "Or judge a sample",
                "Below, open *Judge a sample of the deeper pool instead*: what the same effort buys when it is spread.",
                {"metric": "RBP(p=0.95)"},
                _pool,
                section="6.6",
            ),
        ),
        "LMC17",
    ),
    "webber-park": Tour(
        "Webber & Park 2009",
        "Systems that did not help to build the pool score too low: by how much, and how to correct for it.",
        (
            Step(
                NEW,
                "The bias of each system",
                "A system's score less its score without the judgments that it alone brought in.",
                {"by": "run"},
                _pool,
                section="9.1",
            ),
            Step(
                NEW,
                "Bias and the width of the pool",
                "Below, open *How much does the number of pooled systems matter?* The more systems form the pool, the "
                "less one of them is missed.",
                {"by": "run"},
                _pool,
                section="9.2",
            ),
            Step(
                NEW,
                "Correcting a newcomer",
                "Under *One system as the newcomer*: the mean bias of the pooled systems, or the system's own bias on "
                "a few topics on which it is fully judged.",
                _one_newcomer,
                _pool,
                section="9.3",
            ),
            Step(
                NEW,
                "How well do the corrections work?",
                "At the foot, open *Webber and Park's experiment*: newcomers and pools are drawn anew, many times.",
                {"by": "run"},
                _pool,
                section="9.5",
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
                {"metric": "AP", "model": "MD1"},
                _several,
                section="10.2",
            ),
            Step(
                CONFIDENCE,
                "With shards, and all that they explain",
                "The richest model on five shards. Are its intervals shorter, the top group smaller? What it speaks "
                "of is other documents, for these topics.",
                {"metric": "AP", "model": "MD6"},
                _several,
                section="10.5",
            ),
            Step(
                CONFIDENCE,
                "Every model beside the others",
                "Under *What each model says, and of what*: pairs that differ, effect sizes and half-widths, by model.",
                {"metric": "AP", "model": "MD3"},
                _several,
                section="10.3",
            ),
            Step(
                CONFIDENCE,
                "Does it hang on how one cut?",
                "Open *Does it depend on the partition that was drawn?* and *What of shards without a relevant "
                "document?*",
                {"metric": "AP", "model": "MD6"},
                _several,
                section="10.5",
            ),
        ),
        "FS19",
    ),
    "bailey-moffat-scholer-thomas": Tour(
        "Bailey, Moffat, Scholer & Thomas 2017",
        "People word one need in many ways: how alike are the answers, and what does fusing them gain?",
        (
            Step(
                CONSISTENCY,
                "How consistent is each system?",
                "How alike a system's rankings are for all wordings of a need, and how that goes with its score.",
                needs=_variations,
                section="12.2",
            ),
            Step(
                FUSION,
                "Rank-biased centroids, with letters",
                "Open *A worked example with letters*: four rankings become one.",
                section="11",
            ),
            Step(
                FUSION,
                "Fuse the wordings",
                "The rankings for all wordings of a need become one ranking of the system.",
                lambda study: {"crowd": f"the variations of {study.systems[0]}", "rule": "rbc(phi=0.9)"},
                _variations,
                section="11",
            ),
            Step(
                FUSION,
                "How many wordings are enough?",
                "At the foot, open *What do more variations buy?*",
                lambda study: {"crowd": f"the variations of {study.systems[0]}"},
                _variations,
                section="11",
            ),
        ),
        "BMST17",
    ),
}
PAPERS = [name for name, tour in TOURS.items() if tour.source]
