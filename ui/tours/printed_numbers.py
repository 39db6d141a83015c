"""A paper's printed numbers, which a step of its tour shows if the page computes the same experiment; if the open
track is the paper's own, the page's numbers are shown below. They are in the files of the tours, see `tours`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

from evalcore.study.study import Study
from evalcore.vocabulary.sentences import known

if TYPE_CHECKING:
    from ui.session.notes import Experiment


@dataclass(frozen=True)
class Track:
    """How to recognise a paper's track. topics : names of the judged topics, empty if nothing is known to recognise it
    by; systems : their number, in all or in the pool, 0 if the paper's is not known"""

    name: str
    topics: frozenset[str] = frozenset()
    systems: int = 0

    def is_of(self, study: Study) -> bool:
        """Whether the study contains this track."""
        if set(study.judged_topic_names) != self.topics:
            return False
        return not self.systems or self.systems in (len(study.systems), study.track.pooled.sum())


def _by_model(column):
    return lambda table: dict(zip(table["model"], table[column], strict=True))


def _of_ten_shards(table):
    row = table[table["shards"] == 10].iloc[0]
    return {"interval, end to end": 2 * row["width"], "significant pairs": row["significant"]}


def _at_depth_10(column):
    def numbers(table):
        rows = table[table["depth"] == 10]
        return dict(zip(rows["estimator"], rows[column], strict=True))

    return numbers


def _least_error(table):
    best = table[table["best"]].iloc[0]
    return {"error": best["rmse_plain"], "C": best["C"], "E": best["E"]}


OTHERS = 46  # systems of Ravana & Moffat that did not contribute to the pool


def _significant(column, estimator):
    """Percentages of the pairs of the paper's systems, by metric."""

    def numbers(table):
        rows = table[(table["estimator"] == estimator) & (table["pairs"] == OTHERS * (OTHERS - 1) // 2)]
        return dict(zip(rows["metric"], 100 * rows[column], strict=True))

    return numbers


def _of_width(width):
    def numbers(table):
        rows = table[table["width"] == width]
        by_topics = {f"from {n} topics": error for n, error in zip(rows["common"], rows["from_topics"], strict=True)}
        if not len(rows):
            return {}
        return {"unadjusted": rows["unadjusted"].iloc[0], "from systems": rows["from_systems"].iloc[0]} | by_topics

    return numbers


READERS = {  # name in a file -> the numbers in a table of the page: label -> value
    "significant pairs by model": _by_model("significant"),
    "effect of systems by model": _by_model("omega2_system"),
    "top group by model": _by_model("top_group"),
    "ten shards": _of_ten_shards,
    "error at depth 10": _at_depth_10("rmse"),
    "accuracy at depth 10": _at_depth_10("accuracy"),
    "least error": _least_error,
    **{
        f"{name} with {estimator}": _significant(column, estimator)
        for name, column in (("few", "separable"), ("all", "separable_final"), ("reversed", "reversed"))
        for estimator in ("lower", "interpolated", "smoothed")
    },
    "agreement": lambda table: dict(zip(table["measure"], table["value"], strict=True)),
    **{f"pools of {width} systems": _of_width(width) for width in (2, 4, 10, 20, 40)},
}
UNKNOWN = "–"


@dataclass(frozen=True)
class Printed:
    """A paper's printed numbers of one experiment.

    what : description; numbers : label -> number as printed; section : of docs/METHODS.md, with the numbers
    question, parameters : the paper's experiment: a question, and the parameters that must match the page's
    track : the paper's, None for an example without a track; read : a name of READERS, if there is a track
    note : what is to be said of a number
    """

    what: str
    numbers: dict[str, str]
    section: str
    question: str
    parameters: dict[str, Any]
    track: Track | None = None
    read: str = ""
    note: str = ""

    @property
    def by_number(self) -> bool:
        """Whether the experiment is by number of judgments: its order of judging is one draw."""
        return bool(self.parameters.get("judgments"))

    def on(self, experiment: Experiment) -> Printed | None:
        """The same, with those of its numbers that an experiment of a page has; None if it is another experiment.

        experiment : see `notes.add_experiment`
        """
        same = (experiment.params.get(name) == value for name, value in self.parameters.items())
        if experiment.question != self.question or not all(same):
            return None
        if experiment.table is None or not self.read:
            return self
        computed = READERS[self.read](experiment.table)
        numbers = {label: number for label, number in self.numbers.items() if label in computed}
        return replace(self, numbers=numbers) if numbers else None

    def computed(self, experiment: Experiment) -> dict[str, str]:
        """The same numbers from a page's experiment, formatted as in the paper: label -> text."""
        values = READERS[self.read](experiment.table)
        return {label: written_as(printed, values.get(label)) for label, printed in self.numbers.items()}

    def over_orders(self, experiment: Experiment) -> dict[str, str]:
        """The same numbers over several orders of judging: label -> their mean, with the least and the most as text.

        {} where no number depends on the order, or where there is only one order.
        """
        each = [READERS[self.read](table) for table in experiment.in_orders]
        by_label = {label: [order[label] for order in each if known(order.get(label))] for label in self.numbers}
        if all(len(set(values)) < 2 for values in by_label.values()):
            return {}
        return {label: _spread(self.numbers[label], values) for label, values in by_label.items()}


def written_as(printed: str, value: float | None) -> str:
    """A value with as many digits as a printed one."""
    if not known(value):
        return UNKNOWN
    digits = f"{value:,.{len(printed.partition('.')[2])}f}"
    return digits.removeprefix("0") if printed.startswith(".") else digits


def _spread(printed, values):
    """The mean of values, and from the least to the most, with as many digits as a printed number."""
    if not values:
        return UNKNOWN
    mean, least, most = (written_as(printed, value) for value in (fmean(values), min(values), max(values)))
    return f"{mean} ({least}–{most})"


# ---- as Markdown. rows : those that a step shows, all of one track


def shown(rows: Sequence[Printed], study: Study, experiments: Iterable[Experiment]) -> str:
    """A paper's printed numbers as Markdown; "" if the page shows another experiment.

    experiments : of the page; on the paper's own track, the page's numbers are below the paper's, else those of the
    first track that the paper has are shown; numbers of an experiment with `in_orders` also have their range
    """
    every = ((row.on(experiment), experiment) for row in rows for experiment in experiments)
    same = [(row, experiment) for row, experiment in every if row]
    if own := [(row, experiment) for row, experiment in same if row.track and row.track.is_of(study)]:
        return _table(own)
    return _line([(row, experiment) for row, experiment in same if row.track == same[0][0].track]) if same else ""


def _line(same):
    rows = [row for row, _ in same]
    printed = [_labelled(row, row.numbers) for row in rows]
    notes = "".join(f" {row.note}." for row in rows if row.note)
    over = [_labelled(row, ranges) for row, experiment in same if (ranges := row.over_orders(experiment))]
    orders = max(len(experiment.in_orders) for _, experiment in same)
    drawn = f" **This track, {orders} orders of judging, mean (least–most):** {'; '.join(over)}." if over else ""
    return f"**The paper{f', on {rows[0].track.name}' if rows[0].track else ''}:** {'; '.join(printed)}.{notes}{drawn}"


def _labelled(row, numbers):
    return f"{row.what}: {', '.join(f'{label} {number}' for label, number in numbers.items())}"


def _table(same):
    first, _ = same[0]
    labels = list(first.numbers)
    lines = [[f"On {first.track.name}", "", *labels], ["---", "---", *["---:"] * len(labels)]]
    for row, experiment in same:
        computed = row.computed(experiment)
        lines.append([row.what, "the paper", *(row.numbers.get(label, "") for label in labels)])
        lines.append(
            ["", "**this track**", *(f"**{computed[label]}**" if label in computed else "" for label in labels)]
        )
        if over := row.over_orders(experiment):
            orders = f"{len(experiment.in_orders)} orders: mean (least–most)"
            lines.append(["", orders, *(over.get(label, "") for label in labels)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
