"""The parts of tours (see `tours`): steps, each a page with preset choices and a short text; what they need from a
track, and choices that depend on it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from evalcore.collection.pool_inference import relevant_only
from evalcore.questions.judgment_cuts import pool_known
from evalcore.vocabulary.validation import NotKnown
from ui.data import open_studies
from ui.session import session
from ui.views.new_systems import hardest_hit

# ---- what a step may need from a track: the reason if it is missing, and a sample that has it


def variations(study):
    return "" if study.has_variations else "every topic of this track has one query"


def pool(study):
    if relevant_only(study.whole_judgments) and not study.pooling.depth_known:
        return "qrels with relevant documents only do not show the pool depth"
    if study.depth > 1:
        return ""
    return "the pool is one document deep" if study.pooling.depth_known else "the pool depth is unknown"


def contributors(study):
    try:
        pool_known(study)
    except NotKnown:
        return "the files do not show which systems contributed to the pool, or how deep it was"
    return "" if len(open_studies.contributing(study)) > 1 else "fewer than two systems contributed to the pool"


def several(study):
    return "" if len(study.systems) > 1 else "there is only one system"


def second(study):
    return "" if open_studies.second_qrels() is not None else "there is no second set of judgments"


SAMPLE_WITH = {variations: "variations", pool: "web", contributors: "web", several: "web", second: "web"}


# ---- choices that depend on the track


def shallow(study):
    return {"depth": max(1, min(5, study.depth // 2))}


def deeper(study):
    return {"depth": max(2, min(20, study.depth // 2))}


def left_out(study):
    """By group if there are groups; with all judgments, whatever depth another page has."""
    return {"by": "group" if any(study.track.groups) else "run", "depth": "all"}


def as_newcomer(study, **chosen):
    """The system with the largest loss: it contributed to the pool, so its score as part of the pool is known."""
    chosen = left_out(study) | chosen
    params = {"metric": chosen["metric"], "by": chosen["by"]}
    return chosen | {"system": hardest_hit(session.ask(study, "leave_out", **params))[0]}


# ---- steps

FIRST_SEEN = {"pages/start.py": "", "pages/report.py": "", "pages/pool_depth.py": "depths"}  # elsewhere the finding


@dataclass(frozen=True)
class Step:
    """One row of a tour.

    page : path of the page; title, words : what to look at; *names* of parts of the page are in asterisks
    choices : preset on arrival: name in the address -> value, or study -> such a table; "open" -> sections to open
    needs : requirements on the track, each a function study -> why it is not met, or ""
    section : of docs/METHODS.md, with the definition
    printed : the paper's printed numbers, a name of `printed_numbers.SHOWN`; "" for none
    at : key of the container that the words describe; "" = the page's finding and picture
    """

    page: str
    title: str
    words: str
    choices: dict | Callable = field(default_factory=dict)
    needs: tuple = ()
    section: str = ""
    printed: str = ""
    at: str = ""

    @property
    def told(self):
        """Title and words, as Markdown."""
        return f"**{self.title}{'' if self.title.endswith('?') else '.'}** {self.words}"

    @property
    def part(self):
        """Key of the container that the words describe; "" = the top of the page."""
        return self.at or FIRST_SEEN.get(self.page, "the-finding")

    def lacks(self, study):
        """(what the track lacks, a sample that has it), or None if the track meets all needs."""
        return next(((why, SAMPLE_WITH[need]) for need in self.needs if (why := need(study))), None)

    def address(self, study):
        """The preset choices as in the address; none if the track lacks what the step needs."""
        if self.lacks(study):
            return {}
        chosen = self.choices(study) if callable(self.choices) else self.choices
        return {name: value if isinstance(value, list) else str(value) for name, value in chosen.items()}


@dataclass(frozen=True)
class Tour:
    """A way through the pages.

    what : one line; source : key of its paper in docs/METHODS.md
    sample : the sample that shows the paper's result; replaces another open sample
    """

    title: str
    what: str
    steps: tuple
    source: str = ""
    sample: str = ""
