"""A question on a page: asked once, then said, drawn and shown as a table where the page wants it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from evalcore import Answer, Study, columns
from evalcore.findings.caveats import in_one
from evalcore.findings.conclusion import Conclusion
from evalcore.vocabulary.sentences import digits
from ui.components import plotly_component
from ui.data import study_choice
from ui.layout import pins
from ui.report import export
from ui.session import answers, memory, notes, runs
from ui.text.escape import md, text
from ui.views import VIEWS, theme
from ui.views.traces import pinned_at, with_marks
from ui.views.view import View

T = TypeVar("T")

MOST_ROWS = 20_000  # of a table on the page
PRESENTED_ROWS = 10  # systems in a picture when presenting, so that it fits a projector with the sentence
PICTURE = {"displaylogo": False, "scrollZoom": False, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"]}
PICTURE |= {"showSendToCloud": False}  # no uploads to Plotly
NAMES = {"system", "a", "b", "better", "worse", "best", "baseline", "left_out"}  # columns that may name systems
FORMATS = {columns.SCORE: "%.4f", columns.SHARE: "percent", columns.P: "%.3g", columns.MEAN: "%.1f"}
FORMATS |= {columns.NUMBER: "%.2f", columns.COUNT: "localized"}


@dataclass
class Section:
    """A question on a page with its answer. Each method shows a part of it, notes the part for the report, and returns
    the section.

    In a collapsed section of the page nothing is computed or shown: the parts are noted, and the report computes them.

    study : None if nothing is shown; asked_of : the same, also then
    is_said : whether there is a finding: `conclusion`, or the answer's; options : of the picture, None = no picture
    """

    question: str
    params: dict[str, Any]
    key: str
    view: View
    title: str
    study: Study | None = None
    answer: Answer | None = None
    is_said: bool = False
    conclusion: Conclusion | None = None
    options: dict[str, Any] | None = None
    has_table: bool = False
    asked_of: Study | None = None

    def say(self, conclusion: Conclusion | None = None) -> Section:
        """Show the finding of the answer, or a conclusion in its place."""
        self.is_said, self.conclusion = True, conclusion or None
        if self.study and self.answer:
            say(conclusion or self.answer.finding, key=self.key)
        return self

    def draw(
        self, *, shown: bool = True, noted: bool = True, closes: bool = True, tiles: bool = False,
        own_tiles: Sequence[tuple[str, str, str | None]] = (), picks: str | None = None, **options: Any,
    ) -> Section:  # fmt: skip
        """Draw the picture, its panels side by side, and below it the details.

        shown : whether the page shows it; noted : whether the report has it
        closes : whether the details follow, or come later on the page
        tiles : whether the view's numbers are among the details; own_tiles : others, in their place
        picks : the choice that a click makes
        options : plain values for the picture, see the question's view
        """
        self.options = options
        if not (self.study and self.answer):
            return self
        items = self.view.tiles(self.answer) if tiles and self.view.tiles else own_tiles
        if (figure := self.view.figure) and len(self.answer.table):
            if shown:
                self._draw(self.study, self.answer, figure, picks)
            if noted:
                self.note_pictures()
        if closes:
            details(*items, key=self.key)
        return self

    def _draw(self, study, answer, figure, picks):
        panels, answer = self.panels(answer), pins.shown(answer)
        make = partial(answers.computed, study, figure) if self.view.costly else figure
        with st.container(key=f"panels-{self.key}"):
            places = st.columns(len(panels))
        for place, (name, _, shows, options) in zip(places, panels, strict=True):
            with place:
                picture(make(answer, look=look(), **options), alt=shows, key=name, picks=picks)

    def note_pictures(self) -> Section:
        """Add the pictures to the report, even if the page shows something else."""
        make: Any = self.view.figure
        answer: Any = self.answer
        for name, title, shows, options in self.panels(answer):
            notes.add_picture(name, title, shows, partial(make, pins.shown(answer), **options))
        return self

    def panels(self, answer: Answer) -> list[tuple[str, str, str, dict[str, Any]]]:
        """For each panel of the picture: its key, title, description in words, and options."""
        return [
            (
                "-".join(filter(None, [self.key, panel])),
                self.view.caption(self.title, panel),
                self.view.alt(answer, panel),
                (self.options or {}) | ({"panel": panel} if panel else {}),
            )
            for panel in self.view.panels or [None]
        ]

    def table(self, *, title: str | None = None, folded: bool = True) -> Section:
        """Show the answer as a table, with its CSV and its script."""
        self.has_table = True
        if self.study and self.answer:
            table(self.answer, key=self.key, title=title or self.title, folded=folded)
            experiment = notes.Experiment(self.answer.question, self.answer.params, self.answer.table, self.study)
            notes.add_experiment(self.key, experiment)
        return self


def ask(
    study: Study, question: str, *, key: str | None = None, title: str | None = None, view: View | None = None,
    answer: Answer | None = None, slow: str | None = None, **params: Any,
) -> Section:  # fmt: skip
    """Ask a question. -> `Section`

    key : another name than the question's, if a page asks it twice; title : of table and picture; view : of the picture
    answer : if the page already has it; slow : what is shown meanwhile
    """
    view = view or VIEWS[question]
    section = Section(question, params, key or question, view, title or view.title, answer=answer, asked_of=study)
    collapsed = memory.get("closed")
    if collapsed and not memory.get("too-long"):
        notes.add_unopened(section.key, section)
    if not collapsed:
        section.study, section.answer = study, answer or answers.ask(study, question, slow=slow, **params)
    return section


def say(conclusion: Conclusion, *, key: str) -> None:
    """What was found: headline and detail. The first of a page is its own answer, the others are parts of it; caveats
    go under the title. An answer with plain words shows those, and begins the next details."""
    if not conclusion:
        return
    first = note_answer(key, conclusion)
    with st.container(key="the-finding" if first else f"sub-finding-{key}"):
        for words in filter(None, conclusion.on_screen if first else (conclusion.headline, conclusion.detail)):
            st.markdown(md(words))
    if first and memory.get("of-the-link") is None:
        place_messages()
    for words in conclusion.caveats:
        caveat(words)


def note_answer(key: str, conclusion: Conclusion) -> bool:
    """Note a finding, and what the next details begin with where it is said plainly. -> whether it is the page's own"""
    first = notes.add_finding(key, conclusion)
    if first and conclusion.plain:
        memory.put("exact", str(conclusion))
    return first


def place_messages() -> None:
    """Keep the places of messages about the link, and of caveats: below the page's answer."""
    memory.put("of-the-link", st.empty())
    with st.container(key="caveats"):
        memory.put("caveats", (st.empty(), []))


def caveat(words: str) -> None:
    """An assumption that could change what the page shows, once below its answer."""
    if memory.get("of-the-link") is None:
        place_messages()
    place, shown = memory.get("caveats")
    if words and words not in shown:
        shown.append(words)
        place.caption(md(" ".join(in_one(shown))))


def picture(figure: dict[str, Any], *, alt: str, key: str, picks: str | None = None) -> None:
    """Draw a Plotly picture that can be saved as SVG. picks : the choice that a click makes"""
    config = {**PICTURE, "toImageButtonOptions": {"format": "svg", "filename": study_choice.file_name(key)}}
    picked = partial(memory.take_click, picks) if picks else None
    plotly_component.show(figure, alt=text(alt), config=config, key=key, picked=picked)


def look() -> dict[str, Any]:
    """Colours and text size of this visitor's page."""
    dark, large, presented = st.context.theme.type == "dark", st.session_state.get("large"), memory.presenting()
    rows = PRESENTED_ROWS if presented else memory.get("few-rows")
    systems = {"pinned": memory.get("pin") or (), "hidden": memory.get("hidden") or ()}
    return theme.look(dark=dark, large=large or presented, rows=rows, presented=presented, **systems)


def numbers(*items: tuple[str, str, str | None]) -> None:
    """Show three or four tiles: (label, value, help)."""
    for place, (label, value, note) in zip(st.columns(len(items)), items, strict=True):
        place.metric(label, value, help=note)


def details(*items: tuple[str, str, str | None], key: str) -> None:
    """The same, collapsed, below the exact words of the page's answer if it was said plainly; nothing without both."""
    exact = memory.get("exact")
    if not (items or exact):
        return
    with st.expander("Details", key=f"details-{key}"):
        if exact:
            st.markdown(md(exact))
            memory.put("exact", "")
        if items:
            numbers(*items)


def table(answer: Answer, *, key: str, title: str, folded: bool = False) -> None:
    """Show an answer as a table, with its CSV and its script."""
    notes.add_table(key, title, answer)
    if folded:
        _fold_away(answer, key=key, title=title)
        return
    with st.container(key=f"title-{key}"):
        st.markdown(f"## {title}")
    _give_all(answer, key=key, title=title)


@st.fragment
def _fold_away(answer, *, key, title):
    """Show the table collapsed: it is sent when it is opened, without a rerun of the page."""
    with runs.marked_part():
        fold = st.expander(f"{title} ({digits(len(answer.table), 'row')})", key=f"fold-{key}", on_change="rerun")
        if fold.open:
            with fold:
                _give_all(answer, key=key, title=title)


def _give_all(answer, *, key, title):
    sheet(answer.table.head(MOST_ROWS), answer.question)
    if len(answer.table) > MOST_ROWS:
        st.caption(f"These are the first {MOST_ROWS:,} rows. The CSV contains all of them.")
    downloads(answer, key=key, title=title)
    for note in answer.notes:
        st.caption(md(note))


def sheet(rows: pd.DataFrame, question: str, *, config: dict[str, Any] | None = None, **more: Any) -> Any:
    """Show a table with formatted numbers and a help text for each column; `config` = how some are shown. Columns of
    empty names appear only in the CSV."""
    rows = rows[[name for name in rows if not len(rows) or not rows[name].eq("").all()]]
    for name in NAMES.intersection(rows):
        if marks := pinned_at({"pinned": memory.get("pin") or ()}, rows[name]):
            rows = rows.assign(**{name: with_marks(list(rows[name]), marks)})
    shown: dict[str, Any] = {}
    for name, kind in rows.dtypes.items():
        column = columns.column(question, name)
        meaning = f"`{name}`: {column.meaning}"
        if kind.kind in "iuf":
            is_count = column.kind == columns.COUNT and kind.kind == "f"
            form = None if is_count else FORMATS.get(column.kind)
            shown[name] = st.column_config.NumberColumn(name.replace("_", " "), help=meaning, format=form)
        else:
            shown[name] = st.column_config.Column(name.replace("_", " "), help=meaning)
    shown |= config or {}
    shown = {"hide_index": True, "height": height_of(rows, most=320), "column_config": shown, "placeholder": ""}
    return st.dataframe(rows, **shown, **more)


def height_of(rows: Sized, *, most: int) -> int:
    """Pixels for a table of these rows."""
    return min(most, 38 + 35 * max(1, len(rows)))


def downloads(answer: Answer, *, key: str, title: str) -> None:
    """Offer the table and the script as files, and add the table to the report."""
    notes.add_table(key, title, answer)

    def named(ending):
        return study_choice.file_name(export.file_name(answer, ending))

    with st.container(horizontal=True):
        st.download_button(
            "Download CSV", lambda: export.csv(answer.table), named("csv"), "text/csv",
            key=f"{key}-csv", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "Download script", lambda: answer.script().encode("utf-8"), named("py"), "text/x-python",
            key=f"{key}-script", on_click="ignore",
            help="A Python program that reproduces exactly this table from the same files.",
        )  # fmt: skip
        with st.popover("LaTeX"):
            names = list(answer.table)
            chosen = st.multiselect("Columns", names, names, key=f"{key}-columns-{'-'.join(names)}")
            st.download_button(
                "Download LaTeX", lambda: export.tabular(answer, title, chosen).encode("utf-8"),
                named("tex"), "application/x-tex", key=f"{key}-latex", on_click="ignore",
                help=f"With a caption, for the package booktabs; the first {export.ROWS_OF_LATEX} rows.",
            )  # fmt: skip


def ask_at_length(
    study: Study, question: str, *, takes: str, growing: tuple[str, Sequence[Any]] | None = None,
    key: str | None = None, title: str | None = None, **params: Any,
) -> Section:  # fmt: skip
    """Ask a slow question, with a progress bar and a *Stop* button, and show the first rows meanwhile. It can be
    continued later. -> `Section`, without an answer if it was stopped or is collapsed

    takes : describes the work and how long it takes
    growing : (a parameter, its values, each longer than the one before), the last being what is asked for: their rows
        are shown until then; None = the rows come all at once
    key, title : see `ask`
    """
    name, values = growing or (None, [None])
    params |= {name: values[-1]} if name else {}
    nothing = Section(question, params, key or question, VIEWS[question], title or VIEWS[question].title)
    if memory.get("closed"):
        return nothing
    stopped, place, so_far = f"stopped-{question}", st.empty(), st.empty()
    if memory.get(stopped):
        with place.container(border=True):
            st.markdown(f"Stopped at {memory.get(f'done-{question}', '0')}. The results so far are kept.")
            st.button("Continue", key=f"go-on-{question}", on_click=memory.put, args=(stopped, False))
        return nothing
    with place.container(border=True):
        shown = st.progress(0.0, takes)
        st.button("Stop", key=f"stop-{question}", on_click=memory.put, args=(stopped, True))

    def progress(done, total):
        memory.put(f"done-{question}", f"{done:,} of {total:,}")
        shown.progress(done / total, f"{takes} {done:,} of {total:,}")

    def ask_for(value):
        """The answer for one of the values; its progress is a part of that of them all."""
        more = _size(values[-1]) / _size(value)
        all_params = params | ({name: value} if name else {})
        return answers.watch(study, question, lambda done, total: progress(done, round(total * more)), **all_params)

    for before, value in enumerate(values[:-1]):
        progress(_size(values[before - 1]) if before else 0, _size(values[-1]))
        with contextlib.suppress(ValueError):  # what all of them are refused for is said at the end
            rows = ask_for(value).table.select_dtypes(exclude="bool")  # which compares with rows to come
            with so_far:
                sheet(rows, question)
    answer = ask_for(values[-1])
    place.empty()
    so_far.empty()
    return ask(study, question, key=key, title=title, answer=answer)


def _size(value):
    """How much a value of a growing parameter asks for: its length, or itself."""
    return value if isinstance(value, int) else len(value or [value])


def prefixes(values: Sequence[T]) -> list[Sequence[T]]:
    """The first of these values, the first two, and so on."""
    return [values[:n] for n in range(1, len(values) + 1)]
