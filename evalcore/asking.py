"""Asking: one dict of plain values is the memo's key, the link, the command line and the exported script."""

import hashlib
import importlib
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pandas as pd

from evalcore import names
from evalcore.conventions import with_scores
from evalcore.opening import open_study
from evalcore.parameters import parameter
from evalcore.questions import QUESTIONS
from evalcore.reading import loading
from evalcore.sentences import Sentence
from evalcore.version import __version__


@dataclass(frozen=True)
class Answer:
    """A tidy table, what it says in a sentence, and all that it takes to make both again.

    table : a DataFrame without index or rounding; missing = NaN with a reason in `notes`
    finding : a `sentences.Sentence` with its facts
    question, params : what was asked, every parameter in full
    sources : the files, by name and digest
    options, scope : how the study was opened and what of it was looked at
    """

    table: pd.DataFrame
    question: str
    params: dict
    sources: tuple
    version: str
    notes: tuple
    options: dict
    scope: dict
    finding: Sentence = field(default_factory=lambda: Sentence(""))

    def script(self):
        """A complete program that makes the table again, and refuses files that have changed."""
        files = "\n".join(f"    {(source.role, source.name, source.sha256)!r}," for source in self.sources)
        only = "".join(f"study = study.{line}\n" for line in _narrowed(self.scope))
        return SCRIPT.format(
            question=self.question, version=self.version, files=files, options=_lines(self.options), only=only,
            asked="".join(f", {key}={value!r}" for key, value in self.params.items()),
        )  # fmt: skip

    def __str__(self):
        """The finding, the first rows of the table, and the notes."""
        return "\n".join([str(self.finding), "", self._rows.to_string(index=False, na_rep="-"), *self._notes])

    @property
    def _rows(self):
        return self.table.head(ROWS_SHOWN)

    @property
    def _notes(self):
        more = len(self.table) - len(self._rows)
        return [*([f"{more:,} more rows"] if more else []), *self.notes]

    def _repr_mimebundle_(self, **asked):
        """What a notebook shows: the finding, the figure where the app's pictures are at hand, the table, and notes."""
        notes = "".join(f"<p>{_escaped(note)}</p>" for note in self._notes)
        html = f"<p>{_escaped(str(self.finding))}</p>{self._rows.to_html(index=False)}{notes}"
        said = {"text/plain": str(self), "text/html": html}
        try:  # the pictures stand above, and only a notebook goes up to them
            figure = importlib.import_module("ui.views").figure(self)
        except ImportError:
            figure = None
        return said if figure is None else {"application/vnd.plotly.v1+json": figure, **said}


ROWS_SHOWN = 20


def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


SCRIPT = '''"""Makes the table {question!r} again, as Poolscope {version} made it.

    PYTHONPATH=POOLSCOPE python this_script.py FOLDER > table.csv

and in PowerShell, on Windows:

    $env:PYTHONPATH = "POOLSCOPE"; $env:PYTHONUTF8 = "1"
    cmd /c "python this_script.py FOLDER > table.csv"

POOLSCOPE is the folder that holds evalcore/. FOLDER holds all of the files named below, at any depth; without it they
are looked for beside this script. Files that have changed are refused.
"""

import sys
from pathlib import Path

import evalcore

FILES = [  # what each is, its name, its SHA-256
{files}
]

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
try:
    study = evalcore.reopen(
        FILES,
        folder,
{options}
    )
except ValueError as error:
    sys.exit(str(error))
{only}answer = evalcore.ask(study, {question!r}{asked})
print(answer.finding, file=sys.stderr)
answer.table.to_csv(sys.stdout, index=False, lineterminator="\\n")
'''


def _narrowed(scope):
    """The calls that narrow a whole study to this scope."""
    scope = dict(scope)
    for judged in ("judged_by_other", "judged_by_truth"):
        if scope.pop(judged, False):
            yield judged
    if (systems := scope.pop("without_contribution_of", None)) is not None:
        yield f"without_contribution_of({systems!r})"
    for fused in scope.pop("with_fused", ()):  # its inputs are named, so that it comes before what narrows
        yield f"with_fused({_arguments(fused)})"
    if scope:
        yield f"only({_arguments(scope)})"


def _arguments(values):
    return ", ".join(f"{key}={value!r}" for key, value in values.items())


def _lines(values):
    return "\n".join(f"        {key}={value!r}," for key, value in values.items())


INSTEAD = "Ask it of fewer systems or topics (fewer run files), or where the whole track fits into memory."


def ask(study, question, *, progress=None, **params):
    """The answer to a question of `QUESTIONS` with these parameters; what is left out is the question's default.

    progress : called with (done, total) by the questions that take long; what it raises ends the work, and asked again
        of the same study they go on where they stopped
    A second qrels, `other`, and another program's scores, `theirs`, become files of the study: they are found in
    `sources`, and None in `params`.
    Raises ValueError for a question, a parameter or a value that is not known.
    """
    if question not in QUESTIONS:
        raise ValueError(f"no question {question!r}. Known: {', '.join(QUESTIONS)}.")
    row = QUESTIONS[question]
    takes = row.parameters
    for name in params:
        if name not in takes:
            raise ValueError(f"{question} has no parameter {name!r}. It takes {', '.join(takes) or 'none'}.")
    missing = [name for name, default in takes.items() if default is names.REQUIRED and name not in params]
    if missing:
        raise ValueError(f"{question} needs {' and '.join(missing)}.")
    if study.blocks is not None and row.spans == "track":
        raise ValueError(f"{question} is not answered of a track in blocks of topics: {row.apart}. {INSTEAD}")
    if params.get("other") is not None:
        study = study.with_other(params["other"], rel_level=study.options.get("other_rel_level"))
        params = params | {"other": None}
    if params.get("theirs") is not None:
        study, params = with_scores(study, params["theirs"]), params | {"theirs": None}
    asked = {name: parameter(question, name).read(params.get(name, default)) for name, default in takes.items()}
    said = row.function(study, **asked, **({"progress": progress} if row.takes_long else {}))
    table, notes = said if isinstance(said, tuple) else (said, ())
    return Answer(
        table, question, asked, study.sources, __version__, tuple(notes), dict(study.options), dict(study.scope),
        row.says(table, asked, study),
    )  # fmt: skip


def reopen(files, folder, **options):
    """The study that was opened from these files, found by name below a folder.

    files : (role, name, sha256) of each, as in `Answer.sources`
    options : of `open_study`
    Raises ValueError for a file that is missing or has changed.
    """
    found = {"run": [], "qrels": [], "systems": [], "queries": [], "other": [], "truth": [], "theirs": []}
    for role, name, sha256 in files:
        found[role].append(_find(Path(folder), name, sha256))
    tables = {role: found[role][0] for role in ("systems", "queries", "other", "truth") if found[role]}
    study = open_study(found["run"], found["qrels"][0], **tables, **options)
    return with_scores(study, found["theirs"]) if found["theirs"] else study


def _find(folder, name, sha256):
    """The file of that name and digest below a folder, as an upload of that name."""
    there = False
    for data in _called(folder, PurePosixPath(name).parts):
        there = True
        if hashlib.sha256(data).hexdigest() == sha256:
            return loading.Upload(name, data)
    if there:
        raise ValueError(f"{name} is not the file that the table was made from: its SHA-256 is another.")
    raise ValueError(f"{name} is not below {folder}; give a folder that holds all of the files.")


def _called(folder, parts):
    """The bytes of every file below a folder that may be meant: `tracks.zip/runs/a.gz` may be a member of a zip."""
    for depth in range(len(parts), 0, -1):
        for path in sorted(folder.rglob("*")):
            if path.name != parts[depth - 1] or not path.is_file():
                continue
            if depth == len(parts):
                yield path.read_bytes()
            elif zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as archive:
                    if (member := "/".join(parts[depth:])) in archive.namelist():
                        yield archive.read(member)
