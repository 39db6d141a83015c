"""A paper's printed numbers, which a step of its tour shows if the page computes the same experiment; if the open
track is the paper's own, the page's numbers are shown below. They are in the files of the tours, see `tours`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, known

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


@dataclass(frozen=True)
class Cells:
    """Which numbers of a page's table are those that a paper prints.

    column : the column of the numbers, with a mean for each label; or label -> column, the mean over rows
    by : the column with the labels, where `column` is one
    where : column -> its value in the rows that are read; inf = the largest
    best : only rows of the system with the highest number in this column
    unit : what a label counts, such as "shard"; last : one more label, of the last row
    spread : the column with the standard deviation or error of each number
    times : factor, as a paper prints whole widths and a table half ones
    """

    column: str | dict[str, str]
    by: str = ""
    where: dict[str, Any] = field(default_factory=dict)
    best: str = ""
    unit: str = ""
    last: str = ""
    spread: str = ""
    times: float = 1

    def of(self, table: pd.DataFrame) -> dict[str, float]:
        """The numbers of a table: label -> value; {} if it has no such row."""
        return self._read(table, self.column)

    def spreads(self, table: pd.DataFrame) -> dict[str, float]:
        """Standard deviation or error of each number: label -> value; {} without one."""
        return self._read(table, self.spread) if self.spread else {}

    def _read(self, table, column):
        for name, wanted in self.where.items():
            table = table[table[name] == (table[name].max() if wanted == inf else wanted)]
        if self.best and len(table):
            table = table[table["system"] == table["system"][table[self.best].idxmax()]]
        if not len(table):
            return {}
        if isinstance(column, dict):
            return {label: self.times * table[name].mean() for label, name in column.items()}
        means = self.times * table.groupby(self.by, sort=False)[column].mean()
        values = {digits(int(label), self.unit) if self.unit else str(label): value for label, value in means.items()}
        return values | ({self.last: means.iloc[-1]} if self.last else {})


UNKNOWN = "–"


@dataclass(frozen=True)
class Printed:
    """A paper's printed numbers of one experiment.

    what : description; numbers : label -> number as printed; section : of docs/METHODS.md, with the numbers
    question, parameters : the paper's experiment: a question, and the parameters that must match the page's
    track : the paper's, None for an example without a track; cells : of the table of the question, if there is a track
    note : what is to be said of a number; ours : what is to be said of the page's numbers beside it
    """

    what: str
    numbers: dict[str, str]
    section: str
    question: str
    parameters: dict[str, Any]
    track: Track | None = None
    cells: Cells | None = None
    note: str = ""
    ours: str = ""

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
        if experiment.table is None or not self.cells:
            return self
        computed = self.cells.of(experiment.table)
        numbers = {label: number for label, number in self.numbers.items() if label in computed}
        return replace(self, numbers=numbers) if numbers else None

    def computed(self, experiment: Experiment) -> dict[str, str]:
        """The same numbers from a page's experiment, formatted as in the paper: label -> text.

        With the standard deviation or error that the table has, or with the least and the most over orders of judging.
        """
        values, spreads = self._cells.of(experiment.table), self._cells.spreads(experiment.table)
        over = self._in_orders(experiment)
        texts = {}
        for label, printed in self.numbers.items():
            texts[label] = f"**{written_as(printed, values.get(label))}**"
            if known(spreads.get(label)):
                texts[label] += f" ± {written_as(printed, spreads[label])}"
            if each := over.get(label):
                texts[label] += f" ({written_as(printed, min(each))}–{written_as(printed, max(each))})"
        return texts

    def over_orders(self, experiment: Experiment) -> dict[str, str]:
        """The same numbers over several orders of judging: label -> their mean, with the least and the most as text.

        {} where no number depends on the order, or where there is only one order.
        """
        return {label: _spread(self.numbers[label], each) for label, each in self._in_orders(experiment).items()}

    @property
    def _cells(self):
        assert self.cells is not None  # as every number of a track has
        return self.cells

    def _in_orders(self, experiment):
        """The numbers in each order of judging: label -> values. {} where none depends on it."""
        each = [self._cells.of(table) for table in experiment.in_orders]
        by_label = {label: [order[label] for order in each if known(order.get(label))] for label in self.numbers}
        return {} if all(len(set(values)) < 2 for values in by_label.values()) else by_label


def written_as(printed: str, value: float | None) -> str:
    """A value with as many digits as a printed one, and as a percentage where that is one."""
    if not known(value):
        return UNKNOWN
    if printed.endswith("%"):
        return f"{written_as(printed[:-1], 100 * value)}%"
    digits = f"{value:,.{len(printed.partition('.')[2])}f}"
    return digits.replace("0.", ".", 1) if re.match(r"-?\.", printed) and re.match(r"-?0\.", digits) else digits


def _spread(printed, values):
    """The mean of values, and from the least to the most, with as many digits as a printed number."""
    if not values:
        return UNKNOWN
    mean, least, most = (written_as(printed, value) for value in (fmean(values), min(values), max(values)))
    return f"{mean} ({least}–{most})"


# ---- as Markdown. rows : those that a step shows, all of one track

IN_THE_STRIP = 5  # so many rows fit below the words of a step; more are in a popover


class Text(NamedTuple):
    """Printed numbers as Markdown; "" for none. is_long : whether they are more than fit into the strip of a step"""

    markdown: str = ""
    is_long: bool = False


def shown(rows: Sequence[Printed], study: Study, experiments: Iterable[Experiment]) -> Text:
    """A paper's printed numbers; none if the page shows another experiment.

    experiments : of the page; on the paper's own track, the page's numbers are beside the paper's, else those of the
    first track that the paper has are shown; numbers of an experiment with `in_orders` also have their range
    """
    experiments, same = list(experiments), []
    for row in rows:
        of_row = [(on_page, experiment) for experiment in experiments if (on_page := row.on(experiment))]
        same += [max(of_row, key=lambda pair: len(pair[0].numbers))] if of_row else []
    own = [(row, experiment) for row, experiment in same if row.track and row.track.is_of(study)]
    printed = [(row, experiment) for row, experiment in same if row.track == same[0][0].track]
    if not own and len(printed) <= IN_A_LINE:
        return Text(_line(printed)) if printed else Text()
    return Text(_tables(own or printed, is_own=bool(own)), len(own or printed) > IN_THE_STRIP)


IN_A_LINE = 3  # rows of another track than the paper's


def _line(same):
    rows = [row for row, _ in same]
    printed = [_labelled(row, row.numbers) for row in rows]
    notes = "".join(f" {note}." for note in dict.fromkeys(row.note for row in rows if row.note))
    over = [_labelled(row, ranges) for row, experiment in same if (ranges := row.over_orders(experiment))]
    orders = max(len(experiment.in_orders) for _, experiment in same)
    drawn = f" **This track, {orders} orders of judging, mean (least–most):** {'; '.join(over)}." if over else ""
    return f"**The paper{f', on {rows[0].track.name}' if rows[0].track else ''}:** {'; '.join(printed)}.{notes}{drawn}"


def _labelled(row, numbers):
    return f"{row.what}: {', '.join(f'{label} {number}' for label, number in numbers.items())}"


def _tables(same, *, is_own):
    """A line for each row. is_own : whether the page's numbers are beside the paper's"""
    heading = f"{same[0][0].track.name}: paper" + (" · **this track**" if is_own else "")
    tables: list[tuple[list[str], list[list[str]]]] = []
    for row, experiment in same:
        if not tables or not set(row.numbers) <= set(tables[-1][0]):
            tables.append((list(row.numbers), []))
        labels, lines = tables[-1]
        computed = row.computed(experiment) if is_own else {}
        cells = {
            label: " · ".join(filter(None, [number, computed.get(label)])) for label, number in row.numbers.items()
        }
        lines.append([row.what, *(cells.get(label, "") for label in labels)])
    texts = [
        "\n".join(f"| {' | '.join(line)} |" for line in ([heading, *labels], ["---", *["---:"] * len(labels)], *lines))
        for labels, lines in tables
    ]
    notes_of = [note for row, _ in same for note in (row.note, row.ours if is_own else "") if note]
    notes = [f"{note}." for note in dict.fromkeys(notes_of)]
    drawn = max(len(experiment.in_orders) for _, experiment in same)
    notes += [f"In brackets: the least and the most of {drawn} orders of judging."] if drawn else []
    return "\n\n".join([*texts, " ".join(notes)] if notes else texts)
