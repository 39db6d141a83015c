"""A study with what a visitor added to it: fused runs, a second qrels, complete judgments."""

import hashlib
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

import evalcore
from evalcore.reading.files import File
from evalcore.study import attached
from evalcore.study.study import Study
from evalcore.study.study_fusion import with_each_fused
from ui.data import open_studies, sources
from ui.data.study_choice import change, own
from ui.session import answers, memory, url_state
from ui.session.visit import Additions

SECOND_LEVELS = ("same as first", 1, 2, 3, 4)


class DataSet(NamedTuple):
    """A data set that may not be the open one. has : what the visitor has of it; whose : owner of its answers"""

    source: sources.Source
    has: Additions
    whose: str | None = None

    @property
    def second_level(self) -> int | None:
        """As `second_level`, of its study file."""
        return (self.has.saved or {}).get("options", {}).get("other_rel_level")


def _open_one():
    return DataSet(open_studies.source(), own())


def with_fused_runs(study: Study, of: DataSet | None = None) -> Study:
    """The study with the added fused runs; those with missing inputs are left out. of : None = the open data set"""
    has, whose = (of.has, of.whose) if of else (own(), None)
    recipes = [{"name": run, **recipe} for run, recipe in has.fused.items()]
    if not recipes:
        return study
    make = partial(with_each_fused, study, recipes, skip=True)
    return answers.cached(study, "with_fused", recipes, make, whose=whose)


def second_qrels(of: DataSet | None = None) -> File | None:
    """The second qrels of a data set: an Upload or a path, or None. of : None = the open one"""
    source, has, _ = of or _open_one()
    if (file := has.second) is not None:
        return None if file.waits else file.upload
    return None if has.without_second else source.file("other")


def second_level() -> int | None:
    """Lowest relevant grade of the second qrels; None = as in the first. Before its widget is drawn."""
    key = "other_rel_level"
    shown = None if memory.get("just-arrived") else st.session_state.get(key)
    wanted = shown or url_state.value_of(key) or memory.remembered(key)
    level = next((level for level in SECOND_LEVELS[1:] if str(level) == str(wanted)), None)
    url_state.put("other_rel_level", level)
    return level


def given(study: Study, role: str, of: DataSet | None = None) -> tuple[list[File], dict[str, Any]]:
    """The files of a role, of `attached.ROLES`, for a study: a visitor's, else the source's; and how they are read.
    of : its data set, None = the open one"""
    source, has, _ = of or _open_one()
    if attached.ROLES[role].by_page:
        file = has.by_page.get(role)
        return [] if file is None else [file], {}
    if role == "judge":
        return [*judge_files(of).values()], judge_options(of)
    if role == "truth":
        file, options = source.file("truth"), {"add_to_truth": has.add_to_truth}
        return [] if file is None else [file], options
    second, columns = second_qrels(of), has.second.columns if has.second else None
    if second is None:
        return [], {}
    if columns and isinstance(second, evalcore.Upload):  # columns are given by file name
        second = evalcore.Upload(sources.unlike({source.name for source in study.sources}, second.name), second.data)
    return [second], {"other_rel_level": of.second_level if of else second_level(), "columns": columns}


def attached_to(study: Study, role: str, of: DataSet | None = None) -> Study:
    """The study with the files of a role, if there are any. Raises evalcore.InputError and ValueError. of : its data
    set, None = the open one"""
    files, options = given(study, role, of)
    if not files:
        return study
    make = partial(attached.attach, study, role, files, options)
    try:
        content = [_content(file) for file in files]
    except OSError:
        return make()  # raises an error that explains it
    return answers.cached(study, f"with-{role}", [content, options], make, whose=of and of.whose)


def with_judges(study: Study, of: DataSet | None = None) -> Study | None:
    """The study with its judges, or None: the second qrels, those of its source, and those that the visitor loaded. of
    : its data set, None = the open one

    Raises evalcore.InputError and ValueError."""
    study = attached_to(attached_to(study, "other", of), "judge", of)
    return study if study.judges else None


def judge_files(of: DataSet | None = None) -> dict[str, File]:
    """The judges of the source, and those that the visitor loaded: name -> Upload or path."""
    source, has, _ = of or _open_one()
    of_source = {name: given.file for given in source.of("judge") for name in given.options["judges"]}
    return of_source | {name: file.upload for name, file in has.judges.items()}


def judge_options(of: DataSet | None = None) -> dict[str, dict[str, Any]]:
    """How the judges are read: each option of the role, judge -> value, of those that have one."""
    source, has, _ = of or _open_one()
    options: dict[str, dict[str, Any]] = {name: {} for name in attached.ROLES["judge"].options}
    for of_source in source.of("judge"):
        for option, values in of_source.options.items():
            options[option] |= values
    options["judges"] |= {name: file.kind for name, file in has.judges.items()}
    for option in ("judge_levels", "judge_gains"):
        given = getattr(has, option)
        options[option] |= {name: value for name, value in given.items() if name in options["judges"]}
    return options


def read_judge(name: str, option: str, value: Any) -> None:
    """Set how a judge's grades are read; for callbacks. option : judge_levels or judge_gains; value : None = not set"""
    values = {**getattr(own(), option), name: value}
    change(**{option: {judge: kept for judge, kept in values.items() if kept is not None}})


def add_to_truth() -> None:
    """Add the judgments that the complete ones lack; for callbacks."""
    change(add_to_truth=True)


def _content(file: Any) -> tuple[Any, Any]:
    """What identifies a file, an Upload or a path. Two plain values"""
    if isinstance(file, evalcore.Upload):
        return file.name, hashlib.sha256(file.data).hexdigest()
    return str(file), file.stat().st_mtime_ns
