"""Steps of tours, each a page with preset choices and a short text; what they need from a track, and choices that
depend on it. The tours are the TOML files of this folder, see `tours`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evalcore.collection.pool_inference import relevant_only
from evalcore.questions.requirements import not_deep, pool_known
from evalcore.study.study import Study
from evalcore.vocabulary.validation import NotKnown
from ui.components.choices import everyone
from ui.data import additions
from ui.forms.estimator_choices import REFERENCES
from ui.session import answers
from ui.views.new_systems import hardest_hit

if TYPE_CHECKING:
    from ui.tours.printed_numbers import Printed


# ---- what a step may need from a track: the reason if it is missing, and a sample that has it


def variations(study: Study) -> str:
    return "" if study.has_variations else "every topic of this track has one query"


def pool(study: Study) -> str:
    if relevant_only(study.whole_judgments) and not study.pooling.depth_known:
        return "judgments of relevant documents only do not show the pool depth"
    return not_deep(study)


def contributors(study: Study) -> str:
    try:
        pool_known(study)
    except NotKnown:
        return "the files do not show which systems contributed to the pool, or how deep it was"
    return "" if study.track.pooled.sum() > 1 else "fewer than two systems contributed to the pool"


def others(study: Study) -> str:
    return "every system contributed to the pool" if study.track.pooled.all() else contributors(study)


def several_systems(study: Study) -> str:
    return "" if len(study.systems) > 1 else "there is only one system"


def groups(study: Study) -> str:
    return "" if any(study.track.groups) else "the files do not show which group sent which system"


def manual_runs(study: Study) -> str:
    types = study.system_table.get("type", [])
    return "" if "manual" in set(types) else "the table of systems has no system of type manual"


def second_qrels(study: Study) -> str:
    return "" if additions.second_qrels() is not None else "there is no second set of judgments"


def judges(study: Study) -> str:
    return "" if additions.with_judges(study) else "there are no judges beside the track's own judgments"


NEEDS = {  # name in a file -> the check, and a sample that passes it
    "variations": (variations, "variations"),
    "pool": (pool, "web"),
    "contributors": (contributors, "web"),
    "others": (others, "web"),
    "several_systems": (several_systems, "web"),
    "groups": (groups, "newswire"),
    "manual_runs": (manual_runs, "web"),
    "second_qrels": (second_qrels, "web"),
    "judges": (judges, "web"),
}


# ---- values of choices that depend on the track


def _shallow(study, _):
    return max(1, min(5, study.depth // 2))


def _ten(study, _):
    """The depth of most of the papers' experiments, or half of a shallower pool."""
    return max(1, min(10, study.depth // 2))


def _ten_deep(study, _):
    """Depth 10, or all judgments of a shallower pool."""
    return 10 if study.depth > 10 else "all"


def _deeper(study, _):
    return max(2, min(20, study.depth // 2))


def _reference(study, _):
    """The top ranks that the papers' experiments compare: 100, or those of a shallower pool."""
    return next((depth for depth in REFERENCES if depth <= study.depth), "all")


def _every_system(study, _):
    """The choice of all systems as inputs to fusion."""
    return everyone(len(study.systems))


def _group_or_run(study, _):
    """What is left out of the pool together."""
    return "group" if any(study.track.groups) else "run"


def _left_out(study, chosen):
    """The answer of the page New systems to these choices."""
    params = {name: chosen[name] for name in ("metric", "by") if name in chosen}
    depth = chosen.get("depth", "all")
    return answers.ask(study, "leave_out", depth=None if depth == "all" else int(depth), **params)


def _hardest_hit(study, chosen):
    """The system with the largest loss: it contributed to the pool, so its score as part of the pool is known."""
    return hardest_hit(_left_out(study, chosen))[0]


def _fallen_manual(study, chosen):
    """The contributing manual run, or system where there is none, that falls by most ranks if it is left out."""
    table = _left_out(study, chosen).table
    types = dict(zip(study.systems, study.system_table.get("type", ()), strict=False))
    manual = table[table["system"].map(types) == "manual"]
    table = manual if len(manual) else table
    return table["system"][(table["rank_without"] - table["rank"]).idxmax()]


def _contributing(study, _):
    """The choice of contributing systems, where there are others."""
    return "all" if others(study) else "contributing"


def _first_system(study, _):
    return study.systems[0]


def _best_system(study, chosen):
    """The system with the highest mean score on the chosen metric."""
    return answers.ask(study, "leaderboard", metric=chosen["metric"]).table["system"].iloc[0]


def _ap_or_p10(study, _):
    """AP; P@10 if one system leads all others significantly on AP, so that the top group could not shrink."""
    board = answers.ask(study, "system_intervals", metric="AP", model="MD1").table
    return "AP" if board["in_top_group"].sum() > 1 else "P@10"


def _of_judges(study, chosen):
    """The study with its judges, and the answer on all of them."""
    judged = additions.with_judges(study)
    assert judged is not None  # as the steps that choose a judge need
    return judged, answers.ask(judged, "judges", metric=chosen["metric"]).table


def _most_lenient(study, chosen):
    """The judge that calls most documents relevant, compared with people."""
    _, table = _of_judges(study, chosen)
    return table["judge"][(table["share_relevant_other"] - table["share_relevant"]).idxmax()]


def _highest(study, chosen, question, measure):
    """The judge of whose answer to a question a measure is the highest."""
    judged, table = _of_judges(study, chosen)
    by_judge = {name: answers.ask(judged, question, judge=name, metric=chosen["metric"]) for name in table["judge"]}
    return max(by_judge, key=lambda name: measure(by_judge[name].table))


def _least_fair(study, chosen):
    """The judge that raises a type or a group of systems most, compared with all others."""
    return _highest(study, chosen, "judge_gains", lambda rows: rows["difference"].max())


def _least_even(study, chosen):
    """The judge with the most topics of little agreement."""
    return _highest(study, chosen, "judge_topics", lambda rows: (rows["kappa_weighted"] < 0.4).sum())


VALUES = {  # name between braces in a file -> its value: of the study, and of the choices before it
    "shallow": _shallow,
    "deeper": _deeper,
    "ten": _ten,
    "ten_deep": _ten_deep,
    "reference": _reference,
    "every_system": _every_system,
    "group_or_run": _group_or_run,
    "hardest_hit": _hardest_hit,
    "fallen_manual": _fallen_manual,
    "first_system": _first_system,
    "best_system": _best_system,
    "ap_or_p10": _ap_or_p10,
    "contributing": _contributing,
    "most_lenient": _most_lenient,
    "least_fair": _least_fair,
    "least_even": _least_even,
}
VALUE = re.compile(r"\{(\w+)\}")


# ---- steps

FIRST_SEEN = {"pages/start.py": "", "pages/report.py": "", "pages/pool_depth.py": "depths"}  # elsewhere the finding


@dataclass(frozen=True)
class Step:
    """One step of a tour.

    page : path of the page; title, words : what to look at; *names* of parts of the page are in asterisks
    claim, see : the first of the words, what the paper claims, and the last, what to see in the figure
    moral : what to remember of the step
    differs : how the tour's own sample differs from what the paper found, and why
    choices : preset on arrival: name in the address -> value or values, with names of VALUES between braces; "open" ->
    sections to open
    needs : requirements on the track, names of NEEDS
    section : of docs/METHODS.md, with the definition
    printed : rows of the paper's printed numbers, see `printed_numbers`
    at : key of the container that the words describe; "" = the page's finding and picture
    then : key of the container with a second picture
    """

    page: str
    title: str
    words: str
    choices: dict[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    section: str = ""
    printed: tuple[Printed, ...] = ()
    at: str = ""
    claim: str = ""
    see: str = ""
    moral: str = ""
    differs: str = ""
    then: str = ""

    @property
    def markdown(self) -> str:
        """Title, words and moral, as Markdown."""
        moral = f" **{self.moral}**" if self.moral else ""
        return f"**{self.title}{'' if self.title.endswith('?') else '.'}** {self.words}{moral}"

    @property
    def part(self) -> str:
        """Key of the container that the words describe; "" = the top of the page."""
        return self.at or FIRST_SEEN.get(self.page, "the-finding")

    def lacks(self, study: Study) -> tuple[str, str] | None:
        """(what the track lacks, a sample that has it), or None if the track meets all needs."""
        checks = (NEEDS[need] for need in self.needs)
        return next(((why, sample) for check, sample in checks if (why := check(study))), None)

    def address(self, study: Study) -> dict[str, Any]:
        """The preset choices as in the address; none if the track lacks what the step needs."""
        chosen = {}
        for name, value in {} if self.lacks(study) else self.choices.items():
            values = [
                VALUE.sub(lambda match: str(VALUES[match[1]](study, chosen)), as_in_address(each))
                for each in (value if isinstance(value, list) else [value])
            ]
            chosen[name] = values if isinstance(value, list) else values[0]
        return chosen


def as_in_address(value: Any) -> str:
    """A value as a link writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Tour:
    """A way through the pages.

    what : one line; source : key of its paper in docs/METHODS.md
    sample : the sample that shows the paper's result; replaces another open sample
    """

    title: str
    what: str
    steps: tuple[Step, ...]
    source: str = ""
    sample: str = ""
