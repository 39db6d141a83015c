"""The pages: what each is called and asks, how the menu groups them, and where each of them leads."""

from typing import NamedTuple


class Page(NamedTuple):
    """One row of the table of pages.

    name : in the menu; question : its title; section : the group of the menu that it stands in
    leads_to : the pages that follow, the next one of the whole way first
    asks_study : whether it asks something of the study that is open
    """

    name: str
    question: str
    section: str
    leads_to: tuple
    asks_study: bool = True


THE_TRACK, HOW_SURE, FAIR_AND_SOUND = "The track", "How sure", "Fair and sound"
TOGETHER, TO_TAKE_HOME = "Together", "To take home"

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
        "What does judging deeper tell us?",
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
        HOW_SURE,
        ("pages/orderings.py", "pages/scores.py"),
    ),
    "pages/orderings.py": Page(
        "Orderings",
        "Do two ways of measuring agree on who is better?",
        HOW_SURE,
        ("pages/estimators.py", "pages/confidence.py"),
    ),
    "pages/estimators.py": Page(
        "Estimators",
        "If we guess the unjudged documents, which guess comes closest?",
        HOW_SURE,
        ("pages/new_systems.py", "pages/orderings.py"),
    ),
    "pages/new_systems.py": Page(
        "New systems",
        "Is a system that did not help build the pool treated fairly?",
        FAIR_AND_SOUND,
        ("pages/judgments.py", "pages/orderings.py"),
    ),
    "pages/judgments.py": Page(
        "Judgments",
        "Can these judgments be trusted, and what should be judged next?",
        FAIR_AND_SOUND,
        ("pages/fusion.py", "pages/data.py"),
    ),
    "pages/fusion.py": Page(
        "Fusion",
        "Is the crowd better than its best member?",
        TOGETHER,
        ("pages/consistency.py", "pages/scores.py"),
    ),
    "pages/consistency.py": Page(
        "Consistency",
        "Does a system answer the same need the same way?",
        TOGETHER,
        ("pages/report.py", "pages/fusion.py"),
    ),
    "pages/report.py": Page(
        "Report",
        "What do I take home?",
        TO_TAKE_HOME,
        ("pages/methods.py", "pages/data.py"),
    ),
    "pages/methods.py": Page(
        "Methods",
        "What is computed, and why does it differ from what I know?",
        TO_TAKE_HOME,
        ("pages/start.py", "pages/report.py"),
        asks_study=False,
    ),
}
HOME = next(iter(PAGES))  # what `/` opens
NAMED = {page.name: path for path, page in PAGES.items()}


def sections():
    """The groups of the menu: section -> paths."""
    found = {}
    for path, page in PAGES.items():
        found.setdefault(page.section, []).append(path)
    return found
