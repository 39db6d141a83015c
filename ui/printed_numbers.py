"""What the five papers print of their tracks, as docs/METHODS.md has it; beside it, where the track that is open is the
paper's own, what the program finds there."""

from collections.abc import Callable
from dataclasses import dataclass

from evalcore.sentences import known
from ui import session, studies

# ---- the papers' tracks


@dataclass(frozen=True)
class Track:
    """How a paper's track is known. topics : the numbers of those judged; systems : how many there are, in all or in
    the pool; None where the topics alone are enough"""

    topics: frozenset
    systems: int | None = None

    def is_of(self, study):
        """Whether the study is of this track."""
        if set(studies.judged_topics(study)) != set(map(str, self.topics)):
            return False
        return self.systems in (None, len(study.systems), len(studies.contributing(study)))


TRACKS = {
    "TREC-8": Track(frozenset(range(401, 451)), 129),
    "TREC-9": Track(frozenset(range(451, 501)), 59),
    "TB04": Track(frozenset(range(701, 751)) - {703}, 33),
    "TB05": Track(frozenset(range(751, 801)), 34),
    "Robust 2004": Track(frozenset([*range(301, 451), *range(601, 701)]) - {672}),
}


# ---- what they print

UNTOLD = "–"


@dataclass(frozen=True)
class Printed:
    """What a paper prints of one track.

    what : is printed; numbers : label -> as it is printed; track : a name of TRACKS, "" where it is of none
    source, section : the paper's key, and where docs/METHODS.md has the numbers
    question, asked : what asks for the same; read(table) -> label -> value
    """

    what: str
    numbers: dict
    source: str
    section: str
    track: str = ""
    question: str = ""
    asked: dict | None = None
    read: Callable | None = None

    def here(self, study):
        """The same of a study, written as the paper has it: label -> text, "–" where it cannot be told."""
        try:
            found = self.read(session.ask(study, self.question, slow="Computing the paper's numbers …", **self.asked))
        except ValueError:
            found = {}
        return {label: written_as(printed, found.get(label)) for label, printed in self.numbers.items()}


def written_as(printed, value):
    """A value to as many digits as a printed one."""
    if not known(value):
        return UNTOLD
    if printed.endswith("%"):
        return written_as(printed[:-1], 100 * value) + "%"
    said = f"{value:,.{len(printed.partition('.')[2])}f}"
    return said.removeprefix("0") if printed.startswith(".") else said


def _by(row, column):
    """Reads a column, a label for every row."""
    return lambda answer: dict(zip(answer.table[row], answer.table[column], strict=True))


def _least(answer):
    best = answer.table[answer.table["best"]].iloc[0]
    return {"least error": best["rmse_plain"], "C": best["C"], "E": best["E"]}


def _of_experiment(answer):
    first = answer.table.iloc[0]
    from_topics = {f"from {row.common} topics": row.from_topics for row in answer.table.itertuples()}
    return {"unadjusted": first["unadjusted"], "from systems": first["from_systems"], **from_topics}


def _of_partitions(answer):
    row = answer.table.iloc[0]
    return {"half-width": row["width"], "pairs that differ": row["significant"]}


SIX_SIZES = [1000, 2000, 4000, 10000, 20000, 40000]
GUESSES = "lower", "rm", "linear", "two-stage-a", "two-stage-b"
MODELS = "MD1", "MD2", "MD3", "MD4", "MD5", "MD6"
WIDTH_TWO = "a newcomer's mean error by RBP(p=0.8)@10, two systems in a pool of depth 10"


def _constants(estimator, error, C, E):
    asked = {"metric": "P@10", "estimator": estimator, "judgments": SIX_SIZES}
    numbers = {"least error": error, "C": C, "E": E}
    return Printed(f"{estimator}, P@10", numbers, "RM10", "5.1", "TREC-9", "constants", asked, _least)


def _errors(track, depth, rmse, inside):
    """The errors of guesses from a pool of depth 10; rmse, inside : those of GUESSES, with blanks between them."""
    asked = {"metric": "RBP(p=0.95)", "reference_depth": depth, "depths": [10], "estimators": list(GUESSES)}
    for what, column, said in (
        ("error (RMSE) from depth 10", "rmse", rmse),
        ("inside the reference, %", "accuracy", inside),
    ):
        numbers = dict(zip(GUESSES, said.split(), strict=True))
        yield Printed(what, numbers, "LMC17", "6.7", track, "estimator_error", asked, _by("estimator", column))


def _models(*models):
    """What these models of the analysis of variance say."""
    printed = {
        ("pairs that differ", "significant"): "3,423 4,607 5,133 5,140 5,129 5,935",
        ("effect of systems (ω²)", "omega2_system"): ".399 .256 .350 .351 .349 .524",
        ("systems in the top group", "top_group"): f"7 {UNTOLD} {UNTOLD} {UNTOLD} {UNTOLD} 1",
    }
    asked = {"metric": "AP", "shards": 5}
    for (what, column), said in printed.items():
        numbers = {model: number for model, number in zip(MODELS, said.split(), strict=True) if model in models}
        yield Printed(what, numbers, "FS19", "10.5", "TREC-8", "models", asked, _by("model", column))


def _experiment(track, numbers, common, **how):
    asked = {"widths": [2], "common": common, **how}
    return Printed(WIDTH_TWO, numbers, "WP09", "9.5", track, "adjustment_experiment", asked, _of_experiment)


def _letters(rule, said):
    return Printed(rule, dict(zip("ABCDEFG", said.split(), strict=True)), "BMST17", "11")


SHOWN = {  # what a step of a tour shows: several tracks of one paper, several rows of one track
    "constants": (_constants("interpolated", ".065", ".42", ".01"), _constants("smoothed", ".086", ".91", ".05")),
    "separability": (
        Printed("lower, P@10", {"told apart": "68.9%", "reversed": "5.8%"}, "RM10", "7.6"),
        Printed("interpolated, P@10", {"told apart": "58.6%", "reversed": "2.2%"}, "RM10", "7.6"),
    ),
    "errors": (
        *_errors("TREC-9", 100, ".031 .056 .037 .038 .031", "45 22 31 26 41"),
        *_errors("TB04", 80, ".117 .082 .082 .072 .073", "14 14 15 15 16"),
        *_errors("TB05", 100, ".125 .080 .085 .070 .067", "6 5 7 6 7"),
    ),
    "experiment": (
        _experiment(
            "TREC-8",
            {
                "unadjusted": ".451", "from systems": ".302",
                "from 10 topics": ".060", "from 15 topics": ".046", "from 20 topics": ".037",
            },
            [10, 15, 20], new="manual",
        ),
        _experiment(
            "Robust 2004",
            {"from 10 topics": ".044", "from 20 topics": ".032", "from 40 topics": ".024", "from 100 topics": ".019"},
            [10, 20, 40, 100], unjudged="condensed",
        ),
    ),
    "MD1": tuple(_models("MD1")),
    "MD6": tuple(_models("MD1", "MD6")),
    "models": tuple(_models(*MODELS)),
    "partitions": (
        Printed(
            "MD3, ten shards", {"half-width": ".0538", "pairs that differ": "5,009"}, "FS19", "10.5", "TREC-8",
            "shard_stability", {"metric": "AP", "model": "MD3", "shards": [10]}, _of_partitions,
        ),
    ),
    "letters": (
        _letters("rbc(phi=0.8)", ".50 .49 .37 .61 .31 .21 .36"),
        _letters("rbc(phi=0.9)", ".27 .27 .28 .35 .22 .18 .23"),
        _letters("borda", "18 18 14 23 11 7 13"),
    ),
}  # fmt: skip


# ---- as a step shows it


def _rows(name, track):
    return [one for one in SHOWN[name] if one.track == track]


def own_track(name, study):
    """The track of what a step shows that the study is of; None where it is none of them."""
    tracks = dict.fromkeys(one.track for one in SHOWN[name] if one.track)
    return next((track for track in tracks if TRACKS[track].is_of(study)), None)


def line(name):
    """What a paper prints of the first of its tracks, as Markdown."""
    rows, said = _rows(name, SHOWN[name][0].track), []
    for one in rows:
        told = [f"{label} {number}" for label, number in one.numbers.items() if number != UNTOLD]
        said.append(f"{one.what}: {', '.join(told)}")
    of = f", on {rows[0].track}" if rows[0].track else ""
    return f"**The paper{of}:** {'; '.join(said)}."


def table(name, track, study):
    """What a paper prints of a track, and below it what the study says, which is of that track, as Markdown."""
    rows = _rows(name, track)
    labels = list(rows[0].numbers)
    lines = [[f"On {track}", "", *labels], ["---", "---", *["---:"] * len(labels)]]
    for one in rows:
        here = one.here(study)
        lines.append([one.what, "the paper", *one.numbers.values()])
        lines.append(["", "**this track**", *(f"**{here[label]}**" for label in labels)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
