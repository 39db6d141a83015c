"""Answer a question. One dict of plain values is the cache key, the link, the command line and the exported script."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

import pandas as pd

from evalcore import script
from evalcore.findings import conclusion_of
from evalcore.findings.conclusion import NOTHING, Conclusion
from evalcore.parameters import parameter
from evalcore.questions import QUESTIONS
from evalcore.questions.question import Question
from evalcore.questions.requirements import judged
from evalcore.reading.files import Source
from evalcore.study.attached import ROLES, attach
from evalcore.study.study import Study
from evalcore.version import __version__
from evalcore.vocabulary import registry


@dataclass(frozen=True)
class Answer:
    """A tidy table, its finding, and all that is needed to compute both again.

    table : a DataFrame without index or rounding; missing = NaN with a reason in `notes`
    finding : headline, detail, caveats and setting, see `findings.conclusion.Conclusion`
    question, params : the question and all of its parameters
    sources : the files, by name and digest
    options, scope : how the study was opened, and which systems and topics were selected
    """

    table: pd.DataFrame
    question: str
    params: dict[str, Any]
    sources: tuple[Source, ...]
    version: str
    notes: tuple[str, ...]
    options: dict[str, Any]
    scope: dict[str, Any]
    finding: Conclusion = NOTHING

    def script(self) -> str:
        """A complete program that computes the table again and refuses files that have changed."""
        return script.of(
            self.question, self.params, sources=self.sources, options=self.options, scope=self.scope,
            version=self.version,
        )  # fmt: skip

    def __str__(self) -> str:
        """The finding, the first rows of the table, and the notes."""
        return "\n".join([*self.finding.lines, "", self._rows.to_string(index=False, na_rep="-"), *self._notes])

    @property
    def _rows(self):
        return self.table.head(ROWS_SHOWN)

    @property
    def _notes(self):
        more = len(self.table) - len(self._rows)
        return [*([f"{more:,} more rows"] if more else []), *self.notes]

    def _repr_mimebundle_(self, **limits):
        """What a notebook shows: the finding, the figure, the table, and the notes."""
        notes = "".join(f"<p>{_escaped(note)}</p>" for note in self._notes)
        finding = "".join(f"<p>{_escaped(line)}</p>" for line in self.finding.lines)
        html = f"{finding}{self._rows.to_html(index=False)}{notes}"
        texts = {"text/plain": str(self), "text/html": html}
        figure = self.figure()
        return texts if figure is None else {"application/vnd.plotly.v1+json": figure, **texts}

    def figure(self) -> dict[str, Any] | None:
        """The figure as plain Plotly, {"data": ..., "layout": ...}; None where nothing that is installed draws one."""
        for module in () if DRAWN_BY else entry_points(group=FIGURES):
            module.load()
        return next(filter(None, (draw(self) for draw in DRAWN_BY)), None)


ROWS_SHOWN = 20
FIGURES = "poolscope.figures"  # entry points of installed modules that draw
# Functions of an answer that give its figure as plain Plotly, or None; `ui.views` adds its own.
DRAWN_BY: list[Callable[[Answer], Any]] = []


def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def ask(study: Study, question: str, *, progress: Callable[[int, int], None] | None = None, **params: Any) -> Answer:
    """The answer to a question of `QUESTIONS`. Parameters that are left out have the question's default.

    progress : called with (done, total) by slow questions; an exception that it raises stops the work, which continues
        from there when the same study gets the same question again
    Files that are given with a question, such as a second qrels, become files of the study: they are in `sources`, and
    None in `params`.
    Raises ValueError for an unknown question, parameter or value, and if memory does not suffice.
    """
    row = checked(question, params)
    takes = row.parameters
    if row.needs_judgments:
        judged(study)
    for name in row.files:
        if (given := params.get(name)) is not None:
            files = list(given) if ROLES[name].many and isinstance(given, (list, tuple)) else [given]
            study, params = attach(study, name, files), params | {name: None}
    values = {name: parameter(question, name).read(params.get(name, default)) for name, default in takes.items()}
    try:
        arguments = {name: value for name, value in values.items() if name not in row.files}
        result = row.function(study, **arguments, **({"progress": progress} if row.takes_long else {}))
        table, notes = result if isinstance(result, tuple) else (result, ())
        finding = conclusion_of(question, table, values, study)
    except MemoryError:
        raise ValueError(f"{question} needs more memory than is available. Select fewer systems or topics.") from None
    return Answer(
        table,
        question,
        values,
        study.sources,
        __version__,
        tuple(notes),
        dict(study.options),
        dict(study.scope),
        finding,
    )


def checked(question: str, params: Mapping[str, Any]) -> Question:
    """The row of a question that has these parameters. Raises ValueError for an unknown question, parameter or value,
    and for a value that is missing."""
    if question not in QUESTIONS:
        raise ValueError(f"there is no question {question!r}. Ask one of these: {', '.join(QUESTIONS)}.")
    row = QUESTIONS[question]
    takes = row.parameters
    for name in params:
        if name not in takes:
            raise ValueError(f"{question} has no parameter {name!r}. It takes {', '.join(takes) or 'none'}.")
    missing = [name for name, default in takes.items() if default is registry.REQUIRED and name not in params]
    if missing:
        raise ValueError(f"{question} needs a value for {' and '.join(missing)}.")
    for name, value in params.items():
        if name not in row.files:
            parameter(question, name).read(value)
    return row
