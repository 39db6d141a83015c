"""The files of a study besides its runs and judgments. This table is their only list: it opens studies and study files,
answers questions to which a file is given, and makes the flags of the command lines and the lists of the pages."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from evalcore.collection.judgments import GAIN_RULES, grade
from evalcore.reading.files import File
from evalcore.study.conventions import with_scores
from evalcore.study.extra_qrels import MOST_JUDGES
from evalcore.study.judge_names import KINDS, judge_of
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name


@dataclass(frozen=True)
class FileOption:
    """An option on how a file is read. fits : whether a plain value is one; flag : its arguments for argparse"""

    fits: Callable[[Any], bool]
    flag: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Role:
    """One row of the table: what a file is to a study.

    name : as in `Study.sources`, and as a question calls a file that it takes
    label : what the file contains, for people
    attach : (study, files, options) -> the study with these files in place of earlier ones; raises InputError. None =
        the file is read with the runs and judgments
    options : of the study, on how such files are read; `attach` takes those that are given
    many : whether there may be several; read_as : the role whose columns its tables have, "" = they have none to choose
    by_page : whether a part of a page asks for the file, and not the page Data
    flag, meaning : on the command line, "" = none; word, metavar : its value, a text -> (path, options)
    as_parameter : of questions: what it is, and what is used if it is not given
    """

    name: str
    label: str
    attach: Callable[[Study, Sequence[File], Mapping[str, Any]], Study] | None = None
    options: Mapping[str, FileOption] = field(default_factory=dict)
    many: bool = False
    read_as: str = ""
    by_page: bool = False
    flag: str = ""
    meaning: str = ""
    word: Callable[[str], tuple[str, dict[str, Any]]] = lambda word: (word, {})
    metavar: str = "FILE"
    as_parameter: tuple[str, str] | None = None

    @property
    def dest(self) -> str:
        """The name of its flag in parsed arguments."""
        return self.flag.strip("-").replace("-", "_")


class AttachedFile(NamedTuple):
    """A file, a path or an `Upload`, with its role and how it is read (`Role.options`, as plain values)."""

    role: str
    file: File
    options: Mapping[str, Any] = {}


def attach_each(study: Study, files: Iterable[AttachedFile]) -> Study:
    """The study with these files one after the other, in the order of the table; those of the track are passed over."""
    for role, file, options in sorted(files, key=lambda given: [*ROLES].index(given.role)):
        study = attach(study, role, [file], options)
    return study


def attach_all(study: Study, files: Mapping[str, Sequence[File]], options: Mapping[str, Any]) -> Study:
    """The study with these files, role -> files. options : of the study, of all roles"""
    for role in ROLES:
        if files.get(role):
            study = attach(study, role, files[role], options)
    return study


def taken_from(options: dict[str, Any]) -> tuple[dict[str, list[File]], dict[str, Any]]:
    """Take what `attach_all` needs out of arguments as of `open_study`: (role -> files, options of all roles)."""
    given = {role: options.pop(role, None) for role, row in ROLES.items() if row.attach is not None}
    own = {name: options.pop(name) for name in OPTIONS if name in options}
    return {role: [file] for role, file in given.items() if file is not None}, own


def attach(study: Study, role: str, files: Sequence[File], options: Mapping[str, Any] | None = None) -> Study:
    """The study with these files of a role. options : of the study"""
    row = ROLES[role]
    return study if row.attach is None else row.attach(study, files, options or {})


def of_track(files: Iterable[AttachedFile]) -> dict[str, File]:
    """The files that are read with the runs and judgments, as arguments of `open_study`."""
    return {role: file for role, file, _ in files if ROLES[role].attach is None}


def add_flags(parser: argparse._ActionsContainer, *, options: bool = True) -> None:
    """Add the flags of the files to a command line, and those of their options."""
    for row in ROLES.values():
        if row.flag:
            many: dict[str, Any] = {"action": "append"} if row.many else {}
            parser.add_argument(row.flag, metavar=row.metavar, type=row.word, help=row.meaning, **many)
        for name, option in row.options.items() if options else ():
            if option.flag:
                parser.add_argument(f"--{name.replace('_', '-')}", **option.flag)


def named(arguments: Mapping[str, Any]) -> list[AttachedFile]:
    """The files that parsed arguments name, flag -> (path, options) or a list of them."""
    files = []
    for row in ROLES.values():
        given = arguments.get(row.dest)
        options = {name: arguments[name] for name in row.options if arguments.get(name) is not None}
        for path, own in (given if row.many else [given]) if given else ():
            files.append(AttachedFile(row.name, path, options | own))
    return files


def _with_judges(study, files, options):
    kinds = options.get("judges") or {}
    if len(kinds) != len(files):
        raise ValueError(f"{len(files)} files contain judgments by judges, but {len(kinds)} judges are named.")
    levels, gains = options.get("judge_levels"), options.get("judge_gains")
    return study.with_judges(dict(zip(kinds, files, strict=True)), kinds=kinds, rel_levels=levels, gains=gains)


def _with_other(study, files, options):
    level = options.get("other_rel_level", study.options.get("other_rel_level"))
    return study.with_other(files[0], rel_level=level, columns=options.get("columns"))


def _judge(word):
    name, path, level = judge_of(word)
    return path, {"judges": {name: KINDS[0]}} | ({} if level is None else {"judge_levels": {name: level}})


def is_level(value: Any) -> bool:
    """Whether a value, or a text, is a grade."""
    try:
        return abs(grade(value)) < 2**31
    except (TypeError, ValueError, OverflowError):
        return False


def are_gains(value: Any) -> bool:
    """Whether a value gives the gain of each grade."""
    return isinstance(value, dict) and all(isinstance(gain, (int, float)) for gain in value.values())


def _all_fit(fits):
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


ROLES = by_name(
    Role(
        "systems", "systems table", read_as="systems", flag="--systems-table",
        meaning="a table of systems, with the columns run, group, pooled, type",
    ),
    Role(
        "queries", "queries table", read_as="queries", flag="--queries-table",
        meaning="a table of queries, with the columns query, topic",
    ),
    Role(
        "excluded", "documents to leave out", read_as="qrels", flag="--excluded",
        meaning="documents to leave out of the rankings by topic, as judgments",
    ),
    Role(
        "other", "second judgments", _with_other, read_as="qrels", flag="--other",
        meaning="second judgments, to compare with the first",
        as_parameter=("a second qrels", "the study's second qrels"),
        options={
            "other_rel_level": FileOption(
                lambda value: value is None or is_level(value),
                {"type": int, "help": "the lowest relevant grade of the second judgments, if different"},
            )
        },
    ),
    Role(
        "truth", "complete judgments",
        lambda study, files, options: study.with_truth(files[0], add=bool(options.get("add_to_truth"))),
        read_as="qrels", flag="--truth", meaning="complete judgments: the first ones, and those that pooling missed",
        options={
            "add_to_truth": FileOption(
                lambda value: isinstance(value, bool),
                {"action": "store_true", "help": "add to the complete judgments the first ones that they lack"},
            )
        },
    ),
    Role(
        "judge", "judgments by a further judge", _with_judges, many=True, read_as="qrels", flag="--judge",
        word=_judge, metavar="NAME=FILE[:GRADE]",
        meaning="judgments by one more judge, such as gpt-4o=judged.txt, and its lowest relevant grade if it has "
        f"another scale, as in gpt-4o=judged.txt:2; repeat it for each, up to {MOST_JUDGES} times",
        options={
            "judges": FileOption(lambda value: isinstance(value, dict) and set(map(str, value.values())) <= set(KINDS)),
            "judge_levels": FileOption(_all_fit(is_level)),
            "judge_gains": FileOption(
                _all_fit(lambda value: value in GAIN_RULES if isinstance(value, str) else are_gains(value))
            ),
        },
    ),
    Role(
        "theirs", "scores of another program", lambda study, files, _: with_scores(study, files), many=True,
        by_page=True, as_parameter=("a file with the scores of another program", "the scores given with the study"),
    ),
    Role(
        "attributes", "attributes of topics", lambda study, files, _: study.with_attributes(files[0]), by_page=True,
        as_parameter=("a table of topics and their numbers", "the study's table, if any"),
    ),
    Role(
        "assessors", "who judged what", lambda study, files, _: study.with_assessors(files[0]), by_page=True,
        as_parameter=("a table of who judged what", "the study's table"),
    ),
    Role(
        "subtopics", "judgments by subtopic", lambda study, files, _: study.with_subtopics(files[0]), by_page=True,
        as_parameter=("a qrels whose second column is the subtopic", "the study's qrels"),
    ),
)  # fmt: skip
OPTIONS = {name: option.fits for row in ROLES.values() for name, option in row.options.items()}  # of all roles
