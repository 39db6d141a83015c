"""The meaning of the columns of a visitor's table: first rows, suggestions, and a form to change them; and runs and
judgments that look swapped."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from evalcore.reading.fields import MEANINGS
from evalcore.vocabulary.sentences import digits, listed
from ui.data import sources, uploaded_file, visitor_files
from ui.layout import section
from ui.session.visit import LoadedFile
from ui.text.escape import md, text

NEEDS = {
    "run": "A run needs a topic, a document, and a score or a rank.",
    "qrels": "Judgments need a topic, a document and a grade.",
}
NEEDED = {"run": ("topic", "document"), "qrels": ("topic", "document", "grade")}
NONE = "—"


def swaps() -> None:
    """Show runs that look like judgments, or judgments that look like runs, with a button to swap them."""
    files = visitor_files.files()
    odd = uploaded_file.swapped(files)
    if not odd:
        return
    shown = odd[:4]
    parts = [f"**{md(files[key].name)}** looks like {_called(files[key].seems)}" for key in shown]
    more = f", and {len(odd) - 4} more" if len(odd) > 4 else ""
    with st.container(border=True, key="swapped"):
        swapped = {files[key].role for key in odd} == set(uploaded_file.OTHER)
        st.markdown(f"{'These look swapped: ' if swapped else ''}{'; '.join(parts)}{more}.")
        label = "Swap them" if swapped else f"Use as {_called(files[odd[0]].seems)}"
        st.button(label, type="primary", on_click=visitor_files.take_as_other, args=(odd,))


def _called(role):
    return sources.LABELS[role] if role != "runs" else "a run"


def steps() -> None:
    """Show a form for each kind of loaded table: open if the meaning of its columns is unclear, else collapsed."""
    kinds, swapped = {}, uploaded_file.swapped(visitor_files.files())
    for key, file in visitor_files.files().items():
        if file.table and key not in swapped:
            sheets = {title: sheet["rows"][0] for title, sheet in file.table["sheets"].items()}
            columns = file.columns
            kinds.setdefault((file.role, str(sheets), str(columns), file.table["certain"]), []).append(key)
    for number, keys in enumerate(kinds.values()):
        step(
            visitor_files.files()[keys[0]], str(number), partial(visitor_files.take_columns, keys), others=len(keys) - 1
        )


def step(file: LoadedFile, own: str, take: Callable[[dict[str, Any]], Any], *, others: int = 0) -> None:
    """Show the form of one table, which also applies to similar tables. own : a name for its widgets; take : called
    with the meaning of the columns"""
    own = f"{own}-{file.digest[:8]}"
    name = md(file.name) + (f" and {digits(others, 'similar file')}" if others else "")
    if not file.waits:
        with st.expander(f"Columns of {name}: {_in_words(file)}", key=f"columns-{own}"):
            _form(file, own, take)
        return
    with st.container(border=True, key=f"columns-{own}"):
        needs = NEEDS[uploaded_file.OF[file.role]]
        st.markdown(f"**Check the columns of {name}.** {needs} The columns suggested below may be wrong.")
        _form(file, own, take)


def _sheet(file):
    """Title and content of the sheet in use."""
    title = (file.columns or {}).get("sheet", file.table["used"][0])
    return title, file.table["sheets"][title]


def _in_words(file):
    """The meaning of the columns, on one line."""
    _, sheet = _sheet(file)
    places = _places(file, sheet)
    labels = _labels(sheet)
    label_of = {meaning: labels[place] for meaning, place in places.items()}
    return ", ".join(
        meaning if name.lower() == meaning else f"{meaning} = {md(name)}" for meaning, name in label_of.items()
    )


def _places(file, sheet):
    """meaning -> index of the column, as chosen by the visitor or as suggested."""
    columns = file.columns
    if columns is None:
        return sheet["columns"]
    return {meaning: columns[meaning] - 1 for meaning in MEANINGS[uploaded_file.OF[file.role]] if columns.get(meaning)}


def _labels(sheet):
    """Unique labels of the columns: from a header row, else by number."""
    first = [text(cell) if sheet["header"] else "" for cell in sheet["rows"][0]]
    numbers = [f"column {n}" for n in range(1, len(first) + 1)]
    pairs = zip(first, numbers, strict=True)
    return [(cell if first.count(cell) == 1 else f"{cell} ({number})") if cell else number for cell, number in pairs]


def _form(file, own, take):
    """The first rows, a picker for each meaning, and the button that applies them."""
    titles, role = [*file.table["sheets"]], uploaded_file.OF[file.role]
    title, sheet = _sheet(file)
    places = _places(file, sheet)
    if len(titles) > 1:
        other = st.selectbox("Sheet", titles, titles.index(title), key=f"sheet-{own}", format_func=text)
        if other != title:
            title, sheet = other, file.table["sheets"][other]
            places = sheet["columns"]
    own = f"{own}-{titles.index(title)}"
    with st.form(f"form-{own}", border=False):
        _first_rows(sheet)
        chosen = _choices(MEANINGS[role], sheet, places, own)
        names = (file.columns or {}).get("header", sheet["header"])
        names = st.checkbox("First row contains column names", names, key=f"header-{own}")
        if not st.form_submit_button("Apply columns", type="primary"):
            return
    lacks = [meaning for meaning in NEEDED[role] if not chosen[meaning]]
    lacks += ["score or rank"] if role == "run" and not chosen["score"] and not chosen["rank"] else []
    if lacks:
        st.error(f"{NEEDS[role]} Choose a column for {listed(lacks)}.")
        return
    columns = {meaning: column or None for meaning, column in chosen.items()} | {"header": names}
    take(columns | ({"sheet": title} if title else {}))
    st.rerun()


def _first_rows(sheet):
    """Show the first rows as a table."""
    rows = sheet["rows"][1:] if sheet["header"] and len(sheet["rows"]) > 1 else sheet["rows"]
    shown = {str(number): label for number, label in enumerate(_labels(sheet))}
    st.dataframe(
        [dict(zip(shown, map(text, row), strict=True)) for row in rows], hide_index=True,
        height=section.height_of(rows, most=230), column_config=shown,
    )  # fmt: skip


def _choices(meanings, sheet, places, own):
    """A selectbox for each meaning. -> meaning -> the number of its column, from 1; 0 for none"""
    labels, chosen = [NONE, *_labels(sheet)], {}
    for place, meaning in zip(st.columns(len(meanings)), meanings, strict=True):
        guess = places[meaning] + 1 if meaning in places else 0
        chosen[meaning] = place.selectbox(
            meaning.capitalize(), range(len(labels)), guess, format_func=labels.__getitem__, key=f"{meaning}-{own}"
        )
    return chosen
