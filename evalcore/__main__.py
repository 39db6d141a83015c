"""The questions from the command line: `python -m evalcore leaderboard --runs runs/ --qrels qrels.txt --depth 10`."""

import argparse
import contextlib
import json
import os
import sys

from evalcore import names
from evalcore.asking import ask
from evalcore.estimating.estimators import ESTIMATORS
from evalcore.metrics import METRICS, TREC_EVAL_CUTS, metric
from evalcore.questions import QUESTIONS
from evalcore.reading.loading import InputError
from evalcore.study import CHOICES, open_study
from evalcore.version import __version__


def main(arguments=None):
    """Prints the answer; the exit code is 2, with a sentence, where there is none."""
    said = _parser().parse_args(arguments)
    named = {name: _spelled(said.question, name) for name in QUESTIONS[said.question].parameters}
    asked = {name: getattr(said, spelled) for name, spelled in named.items() if hasattr(said, spelled)}
    try:
        answer = ask(_study(said), said.question, **asked)
        print(_trec(answer) if said.trec else _text(answer, said.format), flush=True)
    except InputError as error:
        print("\n".join(problem.message for problem in error.problems), file=sys.stderr)
        return 2
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    for note in answer.notes:
        print(f"note: {note}", file=sys.stderr)
    return 0


def _study(said):
    gains = said.gains
    if ":" in gains:
        gains = dict(pair.split(":") for pair in gains.split(","))
    pooled = said.pooled[0] if said.pooled == ["all"] else said.pooled
    cache = False if said.cache == "none" else said.cache
    return open_study(
        said.runs if len(said.runs) > 1 else said.runs[0], said.qrels, said.systems_table, said.queries_table,
        pooled=pooled, order=said.order, rel_level=said.rel_level, gains=gains, negative=said.negative,
        empty=said.empty, average=said.average, duplicates=said.duplicates, variations=said.variations, cache=cache,
        other=said.other, other_rel_level=said.other_rel_level,
    )  # fmt: skip


def _text(answer, form):
    if form == "csv":
        return answer.table.to_csv(index=False).rstrip("\n")
    if form == "jsonl":
        rows = answer.table.astype(object).where(answer.table.notna(), None).to_dict("records")
        return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return answer.table.to_string(index=False, na_rep="-")


def _trec(answer):
    """Lines as `trec_eval -q` prints them, a block for each system."""
    if answer.question != "scores":
        raise ValueError("--trec prints scores by topic: ask for scores.")
    name = _trec_name(answer.params["metric"])
    lines = []
    for system, rows in answer.table.groupby("system", sort=False):
        lines.append(f"{'runid':<22}\tall\t{system}")
        by_topic = rows.groupby("topic", sort=False)["value"].mean()
        lines += [f"{name:<22}\t{topic}\t{value:6.4f}" for topic, value in by_topic.items()]
        lines.append(f"{name:<22}\tall\t{by_topic.mean():6.4f}")
    return "\n".join(lines)


def _trec_name(text):
    """The name that `trec_eval` has for a metric, else ours."""
    asked = metric(text)
    values = dict(asked.values)
    cut = values.pop("k", None)
    if any(value is not None for value in values.values()):
        return text
    spelled = {"AP": "map", "nDCG": "ndcg", "RR": "recip_rank", "R": "recall", "P": "P", "Rprec": "Rprec"}
    name = spelled.get(asked.family.name, asked.family.name)
    if cut is None:
        return name
    return f"{name}_cut_{cut}" if f"{name}_cut" in TREC_EVAL_CUTS else f"{name}_{cut}"


# ---------------------------------------------------------------------------------------------------------------------
# The command line is read off the tables

COUNTS = ("depth", "depths", "judgments", "k", "reference_depth", "counts", "budget", "top")
NUMBERS = ("weights", "rel_level")
MANY = ("depths", "metrics", "estimators", "systems", "counts", "weights", "common")
OF_THE_STUDY = ("other", "order")  # said of the study, and not again of the question
SAID_OF_BOTH = ("variations", "rel_level")  # options by which files are read, and of some questions


def _spelled(question, name):
    """A parameter as the command line has it: --fuse-variations, for --variations says how files are read."""
    return f"{question}_{name}" if name in SAID_OF_BOTH else name


def _count(text):
    """A whole number, or None for `all`."""
    if text != "all" and not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is neither a whole number nor all; put blanks between several")
    return None if text == "all" else int(text)


def _number(text):
    """A number where it is one."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m evalcore",
        description="Asks one question of a track's runs and judgments and prints the table.",
        epilog=_listed("metrics", METRICS) + _listed("estimators", ESTIMATORS),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    questions = parser.add_subparsers(dest="question", metavar="QUESTION", required=True, title="questions")
    for name, question in QUESTIONS.items():
        one = questions.add_parser(name, help=question.summary, description=question.summary)
        _add_files(one.add_argument_group("the study"))
        _add_parameters(one.add_argument_group("the question"), question)
        shown = one.add_argument_group("what is printed")
        shown.add_argument("--format", choices=("text", "csv", "jsonl"), default="text")
        shown.add_argument("--trec", action="store_true", help="lines as trec_eval -q prints them (scores only)")
    return parser


def _add_files(group):
    group.add_argument("--runs", nargs="+", required=True, help="a folder, a .zip, or run files")
    group.add_argument("--qrels", required=True, help="the judgments: one file")
    group.add_argument("--systems-table", metavar="FILE", help="a table: run, group, pooled, type")
    group.add_argument("--queries-table", metavar="FILE", help="a table: query, topic")
    group.add_argument("--other", metavar="FILE", help="a second qrels, to be compared with the first")
    group.add_argument("--other-rel-level", type=int, help="its lowest relevant grade, where that is another")
    group.add_argument("--pooled", nargs="+", metavar="RUN", help="who contributed to the pool; or all")
    for name, words in (
        ("order", "rank documents by their score or by the file's rank column"),
        ("empty", "what ranks past the end of a list hold"),
        ("average", "over the topics of the qrels, or over those that a system has in common with them"),
    ):
        group.add_argument(f"--{name}", choices=CHOICES[name], default=CHOICES[name][0], help=words)
    group.add_argument("--rel-level", type=int, default=1, help="the lowest relevant grade")
    group.add_argument("--gains", default="binary", help="binary, linear, exponential, or 0:0,1:0.5,2:1")
    group.add_argument(
        "--negative",
        choices=("split", "unjudged", "judged"),
        default="split",
        help="negative grades; split: -1 is pooled and not judged, lower ones are not relevant",
    )
    group.add_argument(
        "--duplicates",
        choices=("keep", "refuse"),
        default="keep",
        help="a document twice in one ranking: keep the place that the order puts first, or refuse the file",
    )
    group.add_argument("--variations", help="how queries name a topic: a separator such as -, or run")
    group.add_argument("--cache", help="a folder for tracks read before, or none")


def _add_parameters(group, question):
    for name, default in question.parameters.items():
        if name in OF_THE_STUDY:
            continue
        said = _spelled(question.name, name)
        flag = "--" + (said.replace("_", "-") if name in SAID_OF_BOTH else said)
        if isinstance(default, bool):
            group.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=f"default: {default}")
            continue
        required, several = default is names.REQUIRED, isinstance(default, tuple)
        many = several or name in MANY or (name == "judgments" and "depth" not in question.parameters)
        group.add_argument(
            flag,
            required=required,
            default=argparse.SUPPRESS,
            nargs="+" if many else None,
            type=_kind(name, default),
            action=LoneOrList if name in LONE and not several else "store",
            help=None if required else f"default: {'all' if default is None else default}",
        )


def _kind(name, default):
    """What reads a value of a parameter off the command line."""
    if name in COUNTS:
        return _count
    several = isinstance(default, tuple)
    numbers = all(isinstance(one, int | float) for one in (default if several else (default,)))
    return _number if name in NUMBERS or (numbers and (several or name not in LONE)) else str


LONE = {  # what one value alone stands for; None = it is a list of one
    "systems": lambda value: value if value in ("all", "pooled", "unpooled") else None,
    "weights": lambda value: value if isinstance(value, str) else None,  # a column of the queries table
    "common": lambda value: int(value) if value.isdecimal() else None,  # how many topics
}


class LoneOrList(argparse.Action):
    """One value alone where that means something by itself, else the list of them."""

    def __call__(self, parser, namespace, values, option_string=None):
        alone = LONE[self.dest](values[0]) if len(values) == 1 else None
        setattr(namespace, self.dest, values if alone is None else alone)


def _listed(title, table):
    rows = "\n".join(f"  {name:<14} {row.summary}" for name, row in table.items())
    return f"{title}:\n{rows}\n\n"


if __name__ == "__main__":
    sys.exit(main())
