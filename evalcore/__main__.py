"""The questions from the command line: `python -m evalcore leaderboard --runs runs/ --qrels qrels.txt --depth 10`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import pandas as pd

from evalcore.answers import ask
from evalcore.columns import column
from evalcore.estimating.estimators import ESTIMATORS
from evalcore.large.open_blocked import open_within
from evalcore.many_tracks.over_tracks import over_tracks
from evalcore.metrics.metrics import METRICS, TREC_EVAL_CUTS, metric
from evalcore.parameters import parameter
from evalcore.questions import QUESTIONS
from evalcore.reading.files import InputError
from evalcore.study import attached
from evalcore.study.opening import OPTIONS
from evalcore.version import __version__
from evalcore.vocabulary import registry
from evalcore.vocabulary.safe_text import csv, cut, json_line, printable

FOUND = 1  # the exit code if there are findings as grave as --fail-on says
SEVERITIES = ("error", "warning")  # the gravest first
ACROSS = "across"  # the command that asks every track of a folder
STOPPED = 130  # the exit code of a program that Ctrl-C ended, as shells have it


def main(arguments: Sequence[str] | None = None, *, name: str = "python -m evalcore") -> int:
    """Prints the answer and returns the exit code: 2 after an error message, 1 for findings that --fail-on names, 130
    after Ctrl-C, else 0.

    name : what the command is called
    """
    try:
        given = sys.argv[1:] if arguments is None else arguments
        return _answer(_parser(name, of_many=ACROSS in given[:1]).parse_args(given))
    except KeyboardInterrupt:
        return STOPPED


def _answer(args):
    """Prints the answers to the parsed command line, one for each metric. -> the exit code"""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may not know every letter
    flags = {name: _flag(args.question, name) for name in QUESTIONS[args.question].parameters}
    params = {name: getattr(args, flag) for name, flag in flags.items() if hasattr(args, flag)}
    if params.get("other"):  # a flag of the study, with how it is read
        params["other"], _ = params["other"]
    each = [params | {"metric": metric} for metric in dict.fromkeys(params.pop("metric", ()))] or [params]
    code = 0
    try:
        if hasattr(args, "folder"):
            answers, code = _of_many_tracks(args, each)
        else:
            study = _study(args)
            answers = [ask(study, args.question, **values) for values in each]
            code = _exit_code(answers[0].table, getattr(args, "fail_on", None))
        print("\n".join(map(_trec, answers)) if args.trec else _text(answers, args.format), flush=True)
    except InputError as error:
        print("\n".join(cut(problem.message) for problem in error.problems), file=sys.stderr)
        return 2
    except ValueError as error:
        print(cut(printable(str(error))), file=sys.stderr)
        return 2
    except MemoryError:
        print("This needs more memory than is available. Select fewer systems or topics.", file=sys.stderr)
        return 2
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left has nowhere to go
        if isinstance(error, BrokenPipeError):  # whoever reads has seen enough
            return code
        print(f"The answer cannot be written: {error.strerror or error}.", file=sys.stderr)
        return 2
    for note in dict.fromkeys(str(note) for answer in answers for note in answer.notes):
        print(f"note: {printable(note)}", file=sys.stderr)
    return code


def _exit_code(table, fail_on):
    """The exit code after an answer. table : of `findings`, if `fail_on` names a severity"""
    fatal = SEVERITIES[: SEVERITIES.index(fail_on) + 1] if fail_on else ()
    return FOUND if fatal and table["severity"].isin(fatal).any() else 0


def _of_many_tracks(args, each):
    """The answers of every track of a folder, for each of the parameters. -> (answers, exit code)"""
    opening: dict[str, Any] = {"options": _options(args), "cache": _cache(args)}
    answers = [over_tracks(args.folder, args.question, **opening, **values) for values in each]
    for track, reason in dict.fromkeys(item for answer in answers for item in answer.refused.items()):
        print(f"left out: {printable(f'{track}: {reason}')}", file=sys.stderr)
    return answers, 0 if any(len(answer.table) for answer in answers) else 2


def _cache(args):
    return False if args.cache == "none" else args.cache


def _options(args):
    options = {name: getattr(args, name) for name in OPTIONS}
    if ":" in (options["gains"] or ""):
        options["gains"] = _gains(options["gains"])
    if options["pooled"] == ["all"]:
        options["pooled"] = "all"
    return options


def _study(args):
    files = attached.named(vars(args))
    study = open_within(
        args.runs if len(args.runs) > 1 else args.runs[0], args.qrels != "none" and args.qrels,
        scheduler=args.scheduler, topics=args.block, cache=_cache(args), **attached.of_track(files), **_options(args),
    )  # fmt: skip
    return attached.attach_each(study, files)


def _gains(args):
    """The gain of each grade, as text, from text such as 0:0,1:.5; ValueError if one is missing or repeated."""
    pairs = [pair.split(":") for pair in args.split(",")]
    if any(len(pair) != 2 for pair in pairs) or len({grade.strip() for grade, *_ in pairs}) < len(pairs):
        raise ValueError(f"gains={args!r} is not valid; write one gain for each grade, such as 0:0,1:.5,2:1.")
    return dict(pairs)


def _text(answers, form):
    """The answers as printed text; control characters are escaped, except in CSV for a file or another program."""
    if form == "csv":
        lines = csv(_together(answers)).rstrip("\n")
        return "\n".join(map(printable, lines.split("\n"))) if sys.stdout.isatty() else lines
    if form == "jsonl":
        table = _together(answers)
        rows = table.astype(object).where(table.notna(), None).to_dict("records")
        return "\n".join(map(json_line, rows))
    return "\n\n".join(map(_finding_and_table, answers))


def _together(answers):
    """The tables of several metrics as one, whose first column is the metric, unless they have that column."""
    if len(answers) == 1:
        return answers[0].table
    tables = [answer.table.copy() for answer in answers]
    for answer, table in zip(answers, tables, strict=True):
        if "metric" not in table:
            table.insert(0, "metric", answer.params["metric"])
    return pd.concat(tables, ignore_index=True)


def _finding_and_table(answer):
    table = answer.table.map(lambda value: printable(value) if isinstance(value, str) else value)
    lines = "\n".join(map(printable, answer.finding.lines))
    return f"{lines}\n\n{table.to_string(index=False, na_rep='-')}"


def _trec(answer):
    """Lines in the format of `trec_eval -q`, a block for each system."""
    if answer.question != "scores":
        raise ValueError("--trec prints the scores of each topic. Use it only with the question scores.")
    name = _trec_name(answer.params["metric"])
    lines = []
    for system, rows in answer.table.groupby("system", sort=False):
        lines.append(f"{'runid':<22}\tall\t{system}")
        by_topic = rows.groupby("topic", sort=False)["value"].mean()
        lines += [f"{name:<22}\t{topic}\t{value:6.4f}" for topic, value in by_topic.items()]
        lines.append(f"{name:<22}\tall\t{by_topic.mean():6.4f}")
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in lines)


def _trec_name(text):
    """The name of a metric in `trec_eval`, or our own if it has none."""
    parsed = metric(text)
    values = dict(parsed.values)
    cut = values.pop("k", None)
    if any(value is not None for value in values.values()) or (parsed.family.name == "RR" and cut is not None):
        return text
    spelled = {"AP": "map", "nDCG": "ndcg", "RR": "recip_rank", "R": "recall", "P": "P", "Rprec": "Rprec"}
    name = spelled.get(parsed.family.name, parsed.family.name)
    if cut is None:
        return name
    return f"{name}_cut_{cut}" if f"{name}_cut" in TREC_EVAL_CUTS else f"{name}_{cut}"


# ---------------------------------------------------------------------------------------------------------------------
# The command line is built from the tables of options and parameters

OF_THE_STUDY = ("other", "order")  # options of the study, not repeated for the question


class Parser(argparse.ArgumentParser):
    """The parser of the command line; long error messages are cut."""

    def error(self, message: str) -> NoReturn:
        super().error(cut(message))


def _flag(question, name):
    """The flag of a parameter: --fuse-variations, because --variations is an option for reading files."""
    if name == "judge":  # --judge names a file
        return "judge_named"
    return f"{question}_{name}" if name in OPTIONS and name not in OF_THE_STUDY else name


def _parser(name, *, of_many=False):
    """The parser of the command line. of_many : whether the command is `across`, whose questions are built only then"""
    parser = Parser(
        prog=name,
        description="Answers one question about a track's runs and judgments: prints the finding and the table.",
        epilog=_listed("metrics", _summaries(METRICS)) + _listed("estimators", _summaries(ESTIMATORS)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    questions = parser.add_subparsers(dest="question", metavar="QUESTION", required=True, title="questions")
    across = questions.add_parser(
        ACROSS, help="Every track of a folder, asked one of these questions: across FOLDER QUESTION",
        description="Asks every track of a folder one question. A track is a folder with runs and qrels.txt, a study "
        "file, a .zip or a workbook.",
    )  # fmt: skip
    if of_many:
        across.add_argument("folder", metavar="FOLDER", help="the folder of the tracks")
        questions = across.add_subparsers(dest="question", metavar="QUESTION", required=True, title="questions")
    for name, question in QUESTIONS.items():
        meanings = {heading: column(name, heading).meaning for heading in question.columns.split()}
        command = questions.add_parser(
            name, help=question.summary, description=f"{question.summary}.",
            epilog=_listed("columns of the table", meanings), formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        data = command.add_argument_group("data and how to read it")
        (_add_options if of_many else _add_files)(data)
        _add_parameters(command.add_argument_group("parameters of the question"), question)
        shown = command.add_argument_group("output")
        shown.add_argument("--format", choices=("text", "csv", "jsonl"), default="text")
        command.set_defaults(trec=False)
        if of_many:
            continue
        if name == "findings":
            shown.add_argument(
                "--fail-on",
                choices=SEVERITIES,
                help="the exit code is 1 if there are findings of this severity or worse",
            )
        shown.add_argument(
            "--trec", action="store_true", help="print in the format of trec_eval -q (only for the question scores)"
        )
    return parser


def _add_files(group):
    group.add_argument("--runs", nargs="+", required=True, help="a folder, a .zip, or run files")
    group.add_argument(
        "--qrels",
        help="the judgments: one file, or none to ask about rankings alone; not needed if --runs is a .zip, a folder "
        "or a workbook with the whole track",
    )
    attached.add_flags(group)
    _add_options(group)
    group.add_argument(
        "--block", type=int, metavar="TOPICS", help="read the track in blocks of this many topics; automatic if the "
        "whole track does not fit into memory (POOLSCOPE_MEMORY_BYTES)",
    )  # fmt: skip
    group.add_argument(
        "--scheduler", metavar="ADDRESS", help="a Dask cluster whose workers read the blocks, such as tcp://host:8786; "
        "they must see the files at the same paths",
    )  # fmt: skip


def _add_options(group):
    for name, option in OPTIONS.items():
        group.add_argument(
            f"--{name.replace('_', '-')}",
            default=option.default,
            choices=tuple(option.choices) if option.limited else None,
            type=option.kind,
            nargs="+" if name in ("pooled", "columns") else None,
            help=option.meaning,
        )
    group.add_argument("--cache", help="the folder that keeps loaded tracks, so that they open faster, or none")


def _add_parameters(group, question):
    for name, default in question.parameters.items():
        if name in OF_THE_STUDY:
            continue
        row, flag = parameter(question.name, name), "--" + _flag(question.name, name)
        flag = flag.replace("_", "-") if name in (*OPTIONS, "judge") else flag
        if row.kind.flag:
            group.add_argument(flag, action=argparse.BooleanOptionalAction, default=argparse.SUPPRESS, help=row.meaning)
            continue
        required = default is registry.REQUIRED
        goes_without = row.nothing if default is None else default
        repeated = name == "metric"
        meaning = f"{row.meaning}; repeat it for several" if repeated else row.meaning
        group.add_argument(
            flag,
            required=required,
            default=argparse.SUPPRESS,
            nargs="+" if row.kind.many else None,
            type=_worded(row.kind),
            action=_alone_or_list(row.kind.alone) if row.kind.alone else "append" if repeated else "store",
            help=meaning if required else f"{meaning} (default: {goes_without})".replace("%", "%%"),
        )


def _worded(kind):
    """A reader of words whose error message argparse prints."""

    def read(word):
        try:
            return kind.word(word)
        except ValueError as refused:
            raise argparse.ArgumentTypeError(str(refused)) from None

    return read


def _alone_or_list(alone):
    """An action that stores the value of a single word if it has one, else the list of words."""

    class Kept(argparse.Action):
        def __call__(self, parser, namespace, values, option_string=None):
            meant = alone(values[0]) if len(values) == 1 else None
            setattr(namespace, self.dest, values if meant is None else meant)

    return Kept


def _listed(title, meanings):
    rows = "\n".join(f"  {name:<20} {meaning}" for name, meaning in meanings.items())
    return f"{title}:\n{rows}\n\n"


def _summaries(table):
    return {name: row.summary for name, row in table.items()}


if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:  # so while all was loaded; what follows tidies up
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
