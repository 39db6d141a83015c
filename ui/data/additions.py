"""A study with what a visitor added to it: fused runs, a second qrels, complete judgments."""

import hashlib
from functools import partial
from typing import Any

import evalcore
from evalcore.reading.files import File
from evalcore.study.study import Study
from evalcore.study.study_fusion import with_each_fused
from ui.data import open_studies, sources, uploaded_file
from ui.data.study_choice import own
from ui.data.visitor_files import judges, second_file
from ui.session import answers, memory, url_state

SECOND_LEVELS = ("same as first", 1, 2, 3, 4)


def fused_runs() -> dict[str, Any]:
    """The added fused runs: name -> how they are made."""
    return own().setdefault("fused", {})


def with_fused_runs(study: Study) -> Study:
    """The study with the added fused runs; those with missing inputs are left out."""
    recipes = [{"name": run, **recipe} for run, recipe in fused_runs().items()]
    if not recipes:
        return study
    return answers.cached(study, "with_fused", recipes, partial(with_each_fused, study, recipes, skip=True))


def second_qrels() -> File | None:
    """The second qrels of the chosen study: an Upload or a path, or None."""
    if "second" not in own():
        return open_studies.source().other
    file = second_file()
    return None if file is None or uploaded_file.waits(file) else file["upload"]


def second_level() -> int | None:
    """Lowest relevant grade of the second qrels; None = as in the first."""
    level_asked = url_state.value_of("other_rel_level") or memory.remembered("other_rel_level")
    level = next((level for level in SECOND_LEVELS[1:] if str(level) == str(level_asked)), None)
    url_state.put("other_rel_level", level)
    return level


def judged_twice(study: Study, rel_level: int | None = None) -> Study:
    """The study with its second qrels, if there are any. Raises evalcore.InputError."""
    second = second_qrels()
    if second is None:
        return study
    columns = (second_file() or {}).get("columns")
    if columns and isinstance(second, evalcore.Upload):  # columns are given by file name
        second = renamed(study, second)
    with_second = partial(study.with_other, second, rel_level=rel_level, columns=columns)
    return _beside(study, "judged_twice", second, [rel_level, columns], with_second)


def renamed(study: Study, second: evalcore.Upload) -> evalcore.Upload:
    """A second qrels under a name that no file of the study has."""
    return evalcore.Upload(sources.unlike({one.name for one in study.sources}, second.name), second.data)


def with_judges(study: Study) -> Study | None:
    """The study with its judges, or None: the second qrels, those of its source, and those that the visitor loaded.

    Raises evalcore.InputError and ValueError."""
    study = judged_twice(study, second_level())
    kept = judge_files()
    if not kept:
        return study if study.judges else None
    options = judge_options()
    content = [[name, *_content(file)] for name, file in kept.items()]
    make = partial(study.with_judges, kept, **options)
    return answers.cached(study, "with_judges", [content, options], make)


def judge_files() -> dict[str, File]:
    """The judges of the source, and those that the visitor loaded: name -> Upload or path."""
    return dict(open_studies.source().judges) | {name: file["upload"] for name, file in judges().items()}


def judge_options() -> dict[str, dict[str, Any]]:
    """The options of `Study.with_judges`: each by name, of those judges that have one."""
    levels = dict(open_studies.source().judge_levels) | own().get("judge_levels", {})
    of = {"kinds": {name: file["kind"] for name, file in judges().items()}}
    of |= {"rel_levels": levels, "gains": own().get("judge_gains", {})}
    names = judge_files()
    return {option: {name: value for name, value in values.items() if name in names} for option, values in of.items()}


def read_judge(name: str, option: str, value: Any) -> None:
    """Set how a judge's grades are read; for callbacks. option : judge_levels or judge_gains; value : None = not set"""
    values = {**own().get(option, {}), name: value}
    own()[option] = {one: value for one, value in values.items() if value is not None}


def with_truth(study: Study) -> Study:
    """The study with the complete judgments of its source, if there are any. Raises ValueError."""
    truth, add = open_studies.source().truth, bool(own().get("add_to_truth"))
    if truth is None:
        return study
    return _beside(study, "with_truth", truth, [add], partial(study.with_truth, truth, add=add))


def add_to_truth() -> None:
    """Add the judgments that the complete ones lack; for callbacks."""
    own()["add_to_truth"] = True


def _beside(study, name, file, settings, make):
    """The result of `make` for a study and a file, an Upload or a path, cached by the file's content."""
    if not isinstance(file, evalcore.Upload) and not file.is_file():
        return make()  # raises an error that explains it
    return answers.cached(study, name, [*_content(file), *settings], make)


def _content(file: Any) -> tuple[Any, Any]:
    """What identifies a file, an Upload or a path. Two plain values"""
    if isinstance(file, evalcore.Upload):
        return file.name, hashlib.sha256(file.data).hexdigest()
    return str(file), file.stat().st_mtime_ns
