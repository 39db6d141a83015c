"""The pages: name, question, menu group, and the pages that follow."""

from collections.abc import Callable
from typing import NamedTuple

from evalcore.questions.requirements import deep, judged, several_rankings, several_systems, several_topics
from evalcore.study.study import Study
from evalcore.vocabulary.validation import NotKnown


class Page(NamedTuple):
    """One row of the table of pages.

    name : in the menu; question : its title; section : its group in the menu
    leads_to : the pages that follow, the usual next one first
    asks_study : whether it shows results of the open study; of_many : and of other tracks
    needs : what a study must have, each called with it; without, the page gives only the reason and the remedy
    choices : the parameters in its link, which a tour may set; folds : the collapsed sections that it may open. Both
        with blanks between the names
    defined, also_defined : the sections of METHODS that define the numbers and labels of its first section, and of
        what is further down, with blanks between them
    """

    name: str
    question: str
    section: str
    leads_to: tuple[str, ...]
    asks_study: bool = True
    of_many: bool = False
    needs: tuple[Callable[[Study], None], ...] = (judged,)
    choices: str = ""
    folds: str = ""
    defined: str = ""
    also_defined: str = ""

    @property
    def definitions(self) -> list[str]:
        """All sections of METHODS that define its numbers and labels."""
        return [*self.defined.split(), *self.also_defined.split()]


COLLECTION, UNCERTAINTY, QUALITY = "Your collection", "Uncertainty", "Quality and fairness"
COMBINING, OUTPUT = "Combining runs", "Output"

PAGES = {
    "pages/start.py": Page(
        "Start", "What is this, and what can it show me?", "",
        ("pages/data.py", "pages/pool_depth.py"), asks_study=False,
    ),
    "pages/data.py": Page(
        "Data", "Is my data ready, and what is missing?", COLLECTION,
        ("pages/pool_depth.py", "pages/judgments.py"),
        needs=(),
        choices="k",
        defined="3.10 13.1 13.2", also_defined="1 2.1 2.2 2.3 2.4 2.5 2.7 13.3",
    ),
    "pages/pool_depth.py": Page(
        "Pool depth", "What does deeper judging show?", COLLECTION,
        ("pages/scores.py", "pages/orderings.py"),
        choices="metric depth estimator truth systems with with-estimators counts count",
        folds="trend first_unjudged",
        defined="2.6 4.1 4.2", also_defined="1 3 4 4.3 4.4 4.6 5",
    ),
    "pages/scores.py": Page(
        "Scores", "How good is each system, and how sure are we?", COLLECTION,
        ("pages/compare.py", "pages/confidence.py"),
        choices="metric depth estimator truth systems system topic query ranks",
        folds="system topic query ties other-program diversity",
        defined="2.5 4.1", also_defined="1 2.6 3 3.13 3.14 3.15 4 4.5 4.6 5",
    ),
    "pages/compare.py": Page(
        "Compare", "Is one system better than the other?", COLLECTION,
        ("pages/confidence.py", "pages/orderings.py"),
        needs=(several_systems,),
        choices="metric depth pair-test level system rival topic ranks baseline correction",
        folds="judge_to_decide comparison_metrics against_baseline topics_left_out",
        defined="8.5 8.6", also_defined="1 2.6 3 8 8.4 8.7 8.8",
    ),
    "pages/confidence.py": Page(
        "Confidence", "Which differences would hold elsewhere?", UNCERTAINTY,
        ("pages/orderings.py", "pages/scores.py"),
        needs=(judged, several_systems, several_topics),
        choices="metric model shards level interval elsewhere truth system power design compared",
        folds="tukey_pairs anova intervals_by_model intervals_compared "
        "topics_needed models_by_shards partitions undefined rank_intervals",
        defined="10.2 10.3 10.4", also_defined="1 3 4 4.6 8.9 10.1 10.5 10.6",
    ),
    "pages/orderings.py": Page(
        "Orderings", "Do other ways of scoring give the same order?", UNCERTAINTY,
        ("pages/estimators.py", "pages/confidence.py"),
        needs=(judged, several_systems),
        choices="regimes view weight a b metric depth estimator test level truth systems separated cuts alpha "
        "by-metrics by-estimators count few p-alpha",
        folds="verdicts separability separability_by_metric p_values",
        defined="7.1 7.5", also_defined="1 2.6 3 3.12 4.6 5 7.2 7.3 7.4 7.6 8 8.4 8.5",
    ),
    "pages/estimators.py": Page(
        "Estimators", "Which guess about unread documents is best?", UNCERTAINTY,
        ("pages/tracks.py", "pages/new_systems.py"),
        needs=(judged, deep),
        choices="metric guesses reference shallow error guess thresholded left_out topic formula counts truth "
        "systems agreement weight",
        folds="guess-by-guess rank_models coverage error_by_theta by_group constants two_strata",
        defined="5 6.1 6.8", also_defined="1 3 4.6 5.1 6.3 6.5 6.6 7.1 7.4",
    ),
    "pages/tracks.py": Page(
        "Tracks", "Does it hold on other collections?", UNCERTAINTY,
        ("pages/new_systems.py", "pages/data.py"), of_many=True,
        needs=(),
        choices="across metric across_estimator across_model across_a across_b across_method across_depth against "
        "tracks",
        folds="add_tracks",
        defined="10.7", also_defined="4.2 6.1 7.5 9.1 10.2 11 13.6",
    ),
    "pages/new_systems.py": Page(
        "New systems", "Is a system outside the pool treated fairly?", QUALITY,
        ("pages/judgments.py", "pages/orderings.py"),
        choices="metric by depth unjudged system common level topics-interval truth systems new best pools pool_to "
        "widths commons",
        folds="bias_by_width corrections experiment",
        defined="9 9.1", also_defined="1 3 4 4.6 9.2 9.3 9.4 9.5 9.6",
    ),
    "pages/judgments.py": Page(
        "Judgments", "Can these judgments be trusted?", QUALITY,
        ("pages/judges.py", "pages/fusion.py"),
        choices="metric part budget",
        folds="pool judging_orders",
        defined="6.5 13.3 13.4", also_defined="2.7 3 4.2 13.2 14.1 14.2",
    ),
    "pages/judges.py": Page(
        "Judges", "Which judge can you trust, and for what?", QUALITY,
        ("pages/fusion.py", "pages/judgments.py"),
        choices="metric judge agreement-of-judges people-topics checks",
        folds="judge_topics people_and_model judge_checks load_judges second assessors",
        defined="13.6", also_defined="3 13.4 13.5 13.7 13.8",
    ),
    "pages/fusion.py": Page(
        "Fusion", "Is a fused run better than its best input?", COMBINING,
        ("pages/consistency.py", "pages/scores.py"),
        needs=(judged, several_rankings),
        choices="metric level crowd rule topic phi with truth",
        folds="letters fuse methods rbo fusion_by_count fusion_methods_by_count double_fusion",
        defined="8.6 11", also_defined="1 3 4.1 4.6 12.1",
    ),
    "pages/consistency.py": Page(
        "Consistency", "Does a system answer the same need the same way?", COMBINING,
        ("pages/report.py", "pages/fusion.py"),
        needs=(),
        choices="metric phi with topics_of truth",
        folds="consistency_of_topics topic_agreement oracle_variation",
        defined="12.2", also_defined="1 3 4.6 12.1 12.3 12.4 12.6",
    ),
    "pages/report.py": Page(
        "Report", "What do I take home?", OUTPUT,
        ("pages/methods.py", "pages/data.py"),
        needs=(),
    ),
    "pages/methods.py": Page(
        "Methods", "How is each number defined?", OUTPUT,
        ("pages/start.py", "pages/report.py"), asks_study=False,
        choices="search",
    ),
}  # fmt: skip
HOME = next(iter(PAGES))  # the page at `/`
NAMED = {page.name: path for path, page in PAGES.items()}


def sections() -> dict[str, list[str]]:
    """The groups of the menu: section -> paths."""
    groups = {}
    for path, page in PAGES.items():
        groups.setdefault(page.section, []).append(path)
    return groups


def nothing_to_say(study: Study) -> dict[str, str]:
    """Pages that do not apply to a study: page -> reason"""
    reasons: dict[str, str] = {}
    for page in PAGES.values():
        try:
            for need in page.needs if page.asks_study else ():
                need(study)
        except NotKnown as lacking:
            reasons[page.name] = str(lacking)
    if not study.has_variations:
        reasons["Consistency"] = "every topic has one query, so there are no query variations to compare."
    return reasons
