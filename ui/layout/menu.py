"""The pages: name, question, menu group, and the pages that follow."""

from typing import NamedTuple


class Page(NamedTuple):
    """One row of the table of pages.

    name : in the menu; question : its title; section : its group in the menu
    leads_to : the pages that follow, the usual next one first
    asks_study : whether it shows results of the open study
    """

    name: str
    question: str
    section: str
    leads_to: tuple
    asks_study: bool = True


THE_TRACK, UNCERTAINTY, QUALITY = "The track", "Uncertainty", "Quality and fairness"
COMBINING, OUTPUT = "Combining runs", "Output"

PAGES = {
    "pages/start.py": Page(
        "Start",
        "What is this, and what can it show me?",
        "",
        ("pages/data.py", "pages/pool_depth.py"),
        asks_study=False,
    ),
    "pages/data.py": Page(
        "Data",
        "Is my data ready, and what is missing?",
        THE_TRACK,
        ("pages/pool_depth.py", "pages/judgments.py"),
    ),
    "pages/pool_depth.py": Page(
        "Pool depth",
        "What does deeper judging show?",
        THE_TRACK,
        ("pages/scores.py", "pages/orderings.py"),
    ),
    "pages/scores.py": Page(
        "Scores",
        "How good is each system, and how sure are we?",
        THE_TRACK,
        ("pages/confidence.py", "pages/new_systems.py"),
    ),
    "pages/confidence.py": Page(
        "Confidence",
        "Which differences would hold on other documents, and on other topics?",
        UNCERTAINTY,
        ("pages/orderings.py", "pages/scores.py"),
    ),
    "pages/orderings.py": Page(
        "Orderings",
        "Do two setups agree on which system is better?",
        UNCERTAINTY,
        ("pages/estimators.py", "pages/confidence.py"),
    ),
    "pages/estimators.py": Page(
        "Estimators",
        "Which estimate of the unjudged documents comes closest?",
        UNCERTAINTY,
        ("pages/new_systems.py", "pages/orderings.py"),
    ),
    "pages/new_systems.py": Page(
        "New systems",
        "Is a system that did not contribute to the pool treated fairly?",
        QUALITY,
        ("pages/judgments.py", "pages/orderings.py"),
    ),
    "pages/judgments.py": Page(
        "Judgments",
        "Can these judgments be trusted, and what should be judged next?",
        QUALITY,
        ("pages/fusion.py", "pages/data.py"),
    ),
    "pages/fusion.py": Page(
        "Fusion",
        "Is a fused run better than its best input?",
        COMBINING,
        ("pages/consistency.py", "pages/scores.py"),
    ),
    "pages/consistency.py": Page(
        "Consistency",
        "Does a system answer the same need the same way?",
        COMBINING,
        ("pages/report.py", "pages/fusion.py"),
    ),
    "pages/report.py": Page(
        "Report",
        "What do I take home?",
        OUTPUT,
        ("pages/methods.py", "pages/data.py"),
    ),
    "pages/methods.py": Page(
        "Methods",
        "How is each number defined?",
        OUTPUT,
        ("pages/start.py", "pages/report.py"),
        asks_study=False,
    ),
}
HOME = next(iter(PAGES))  # the page at `/`
NAMED = {page.name: path for path, page in PAGES.items()}


def sections():
    """The groups of the menu: section -> paths."""
    groups = {}
    for path, page in PAGES.items():
        groups.setdefault(page.section, []).append(path)
    return groups
