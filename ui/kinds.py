"""The kinds of interval in words, so that an exact one and a guess are never confused."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """One row. label : in a legend

    seen, deeper, apart : what one sees, what judging deeper does to it, and what two of them tell
    """

    label: str
    seen: str = ""
    deeper: str = ""
    apart: str = ""


KINDS = {
    "bounds": Kind(
        "bounds (exact)",
        "blue is what it certainly has, amber is what the documents that nobody judged could still add",
        "Judging deeper can only shorten the amber.",
        "Two systems whose intervals do not touch are told apart whatever the unjudged documents are. While they "
        "touch, the intervals decide nothing; Orderings tells some such pairs apart, for one document has one gain in "
        "both.",
    ),
    "guide": Kind(
        "guide (not a bound)",
        "blue is its score while unjudged documents count as not relevant, amber is a guide to what they could add",
        "Judging deeper finds relevant documents that a system missed: both ends may rise or fall, and the amber grow.",
        "Guides that do not touch suggest an ordering and prove none.",
    ),
    "point": Kind(
        "point (no interval)",
        "this measure has no interval",
        "Judging deeper changes scores; how far, nobody can say.",
        "Without intervals no ordering is certain.",
    ),
    "tukey": Kind("Tukey (overlap = not told apart)"),
    "sem": Kind("standard error of each mean"),
    "anova": Kind("analysis of variance"),
    "bootstrap": Kind("bootstrap over topics"),
    "t": Kind("t interval"),
}


def label(kind):
    """The legend's name for a kind; one that is not known is named as it is."""
    return KINDS[kind].label if kind in KINDS else str(kind)


def so_far(kind):
    """The legend's name for what a system has by the judgments there are: only a bound is known."""
    return "known" if kind == "bounds" else "by the judgments so far"
