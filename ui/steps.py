"""What tours are made of (those that there are stand in `tours`): steps, each a page with some of its choices made and
a few words; what they need of a track, and choices that depend on it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from evalcore.questions.cuts import pool_known
from evalcore.values import NotKnown
from ui import session, studies
from ui.views.newcomers import hardest_hit

# ---- what a step may need of a track: why it is not there, and the sample that has it


def variations(study):
    return "" if study.has_variations else "every topic of this study has one query"


def pool(study):
    if study.depth > 1:
        return ""
    return "the pool is one document deep" if study.pooling.depth_known else "how deep the pool was is not known"


def contributors(study):
    try:
        pool_known(study)
    except NotKnown:
        return "the files do not show who contributed to the pool, or how deep it was"
    return "" if len(studies.contributing(study)) > 1 else "fewer than two systems contributed to the pool"


def several(study):
    return "" if len(study.systems) > 1 else "there is one system only"


def second(study):
    return "" if studies.second_qrels() is not None else "there is no second set of judgments"


SAMPLE_WITH = {variations: "variations", pool: "web", contributors: "web", several: "web", second: "web"}


# ---- choices that depend on the track


def shallow(study):
    return {"depth": max(1, min(5, study.depth // 2))}


def deeper(study):
    return {"depth": max(2, min(20, study.depth // 2))}


def left_out(study):
    """By group where there are groups; all judgments, whatever another page looks at."""
    return {"by": "group" if any(study.track.groups) else "run", "depth": "all"}


def as_newcomer(study, **chosen):
    """The system that loses most by being left out: it helped to build the pool, so what it scores then is known."""
    chosen = left_out(study) | chosen
    asked = {"metric": chosen["metric"], "by": chosen["by"]}
    return chosen | {"system": hardest_hit(session.ask(study, "leave_out", **asked))[0]}


# ---- steps

FIRST_SEEN = {"pages/start.py": "", "pages/report.py": "", "pages/pool_depth.py": "depths"}  # elsewhere the sentence


@dataclass(frozen=True)
class Step:
    """One row of a tour.

    page : path of the page; title, words : what is seen, and what to look at; *so* stand names of parts of the page
    choices : made on arrival: name in the address -> value, or study -> such a table; "open" -> the folds that open
    needs : what the track must have, each a function study -> why it does not, or ""
    section : of docs/METHODS.md, where what is shown is defined
    printed : the numbers that the paper prints of what the step shows, a name of `printed_numbers.SHOWN`; "" for none
    at : the part of the page that the words speak of, the key of its container; "" = the page's sentence and picture
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
        """The title, then the words, as Markdown."""
        return f"**{self.title}{'' if self.title.endswith('?') else '.'}** {self.words}"

    @property
    def part(self):
        """The key of the container that the words speak of; "" = what stands at the top of the page."""
        return self.at or FIRST_SEEN.get(self.page, "the-finding")

    def lacks(self, study):
        """(why the track does not have what the step shows, the sample that has it); None where it does."""
        return next(((why, SAMPLE_WITH[need]) for need in self.needs if (why := need(study))), None)

    def address(self, study):
        """The choices as the address says them; none where the track lacks what the step shows."""
        if self.lacks(study):
            return {}
        chosen = self.choices(study) if callable(self.choices) else self.choices
        return {name: value if isinstance(value, list) else str(value) for name, value in chosen.items()}


@dataclass(frozen=True)
class Tour:
    """A way through the pages.

    what : one line; source : the key, in docs/METHODS.md, of the paper that it follows
    sample : the one that shows what the paper found; opened in place of another sample
    """

    title: str
    what: str
    steps: tuple
    source: str = ""
    sample: str = ""
