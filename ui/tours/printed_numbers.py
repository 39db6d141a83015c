"""Printed numbers of papers, from docs/METHODS.md. A tour shows them only if its page computes the same experiment; if
the open track is the paper's own, the page's number is shown below."""

from collections.abc import Callable
from dataclasses import dataclass

from evalcore.vocabulary.sentences import known
from ui.data import open_studies
from ui.forms.fused_runs import EXAMPLE, WORKED_EXAMPLE

# ---- the papers' tracks


@dataclass(frozen=True)
class Track:
    """How to recognise a paper's track. topics : numbers of the judged topics; systems : their number, in all or in the
    pool"""

    topics: frozenset
    systems: int

    def is_of(self, study):
        """Whether the study contains this track."""
        if set(open_studies.judged_topics(study)) != set(map(str, self.topics)):
            return False
        return self.systems in (len(study.systems), len(open_studies.contributing(study)))


TRACKS = {"TREC-8": Track(frozenset(range(401, 451)), 129)}


# ---- what they print

UNKNOWN = "–"


@dataclass(frozen=True)
class Printed:
    """A paper's printed numbers of one experiment.

    what : description; numbers : label -> number as printed; track : a name of TRACKS, "" for an example without a
    track source, section : key of the paper, and the section of docs/METHODS.md with the numbers
    question, asked : the paper's experiment: a question, and the parameters that must match the page's
    read(table) -> label -> value
    """

    what: str
    numbers: dict
    source: str
    section: str
    question: str
    asked: dict
    track: str = ""
    read: Callable | None = None

    def is_of(self, experiment):
        """Whether an experiment of a page, see `notes.add_experiment`, matches the paper's."""
        same = (experiment.params.get(name) == value for name, value in self.asked.items())
        return experiment.question == self.question and all(same)

    def computed(self, experiment):
        """The same numbers from a page's experiment, formatted as in the paper: label -> text."""
        values = self.read(experiment.table)
        return {label: written_as(printed, values.get(label)) for label, printed in self.numbers.items()}


def written_as(printed, value):
    """A value with as many digits as a printed one."""
    if not known(value):
        return UNKNOWN
    digits = f"{value:,.{len(printed.partition('.')[2])}f}"
    return digits.removeprefix("0") if printed.startswith(".") else digits


def _by_model(column):
    return lambda table: dict(zip(table["model"], table[column], strict=True))


def _of_ten_shards(table):
    row = table[table["shards"] == 10].iloc[0]
    return {"interval width": 2 * row["width"], "significant pairs": row["significant"]}


MODELS = "MD1", "MD2", "MD3", "MD4", "MD5", "MD6"


def _models(*models):
    """Results of these models of the analysis of variance."""
    printed = {
        ("significant pairs", "significant"): "3,423 4,607 5,133 5,140 5,129 5,935",
        ("effect of systems (ω²)", "omega2_system"): ".399 .256 .350 .351 .349 .524",
        ("systems in the top group", "top_group"): "7 2 1 1 1 1",
    }
    params = {"metric": "AP", "shards": 5, "undefined": 0}
    for (what, column), row in printed.items():
        numbers = {model: number for model, number in zip(MODELS, row.split(), strict=True) if model in models}
        yield Printed(what, numbers, "FS19", "10.5", "models", params, "TREC-8", _by_model(column))


def _letters(rule, row, **params):
    numbers = dict(zip("ABCDEFG", row.split(), strict=True))
    return Printed(rule, numbers, "BMST17", "11", WORKED_EXAMPLE, {"lists": EXAMPLE, **params})


SHOWN = {  # step of a tour -> its rows, all from one track
    "MD1": tuple(_models("MD1")),
    "MD6": tuple(_models("MD1", "MD6")),
    "models": tuple(_models(*MODELS)),
    "partitions": (
        Printed(
            "MD3, ten shards", {"interval width": ".0538", "significant pairs": "5,009"}, "FS19", "10.5",
            "shard_stability", {"metric": "AP", "model": "MD3", "undefined": 0}, "TREC-8", _of_ten_shards,
        ),
    ),
    "letters": (
        _letters("rbc(phi=0.8)", ".50 .49 .37 .61 .31 .21 .36", phi=0.8),
        _letters("rbc(phi=0.9)", ".27 .27 .28 .35 .22 .18 .23", phi=0.9),
        _letters("borda", "18 18 14 23 11 7 13"),
    ),
}  # fmt: skip


# ---- as Markdown


def of_own_track(name, study):
    """Whether the study is of the paper's track, so that both numbers are in a table."""
    return any(row.track and TRACKS[row.track].is_of(study) for row in SHOWN[name])


def shown(name, study, experiments):
    """A paper's printed numbers as Markdown; "" if the page shows another experiment.

    experiments : of the page; on the paper's own track, the page's numbers are below the paper's
    """
    same = [(row, experiment) for row in SHOWN[name] for experiment in experiments if row.is_of(experiment)]
    if not same:
        return ""
    track = same[0][0].track
    return _table(track, same) if of_own_track(name, study) else _line(track, [row for row, _ in same])


def _line(track, rows):
    printed = [f"{row.what}: {', '.join(f'{label} {number}' for label, number in row.numbers.items())}" for row in rows]
    return f"**The paper{f', on {track}' if track else ''}:** {'; '.join(printed)}."


def _table(track, same):
    labels = list(same[0][0].numbers)
    lines = [[f"On {track}", "", *labels], ["---", "---", *["---:"] * len(labels)]]
    for row, experiment in same:
        computed = row.computed(experiment)
        lines.append([row.what, "the paper", *row.numbers.values()])
        lines.append(["", "**this track**", *(f"**{computed[label]}**" for label in labels)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
