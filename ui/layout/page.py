"""The parts of every page, from its title to *Where to go next*; and `show`, which asks a question, shows its finding
and picture, and adds its table."""

from contextlib import contextmanager
from functools import partial
from pathlib import Path

import streamlit as st

from evalcore import columns
from evalcore.reading.files import InputError
from evalcore.study.opening import OPTIONS
from evalcore.vocabulary.sentences import digits, opening
from evalcore.vocabulary.validation import NotKnown
from ui.components import choices, plotly_component
from ui.data import open_studies
from ui.layout import deep_links
from ui.layout.collapsed_sections import Unopened
from ui.layout.menu import NAMED, PAGES, sections
from ui.report import export
from ui.session import session, url_state
from ui.text import glossary
from ui.text.escape import md, text
from ui.views import VIEWS, theme

LARGE = "<style>html { font-size: 21px !important; }</style>"
INVENTED = ":gray-badge[invented sample data]"
PRESENTED = Path(__file__).with_name("present.css")
MOST_ROWS = 20_000  # of a table on the page
NO_MEMORY = "This server has too little memory left for this part of the page. Reload the page later."
PRESENTED_ROWS = 10  # systems in a picture when presenting, so that it fits a projector with the sentence
PICTURE = {"displaylogo": False, "scrollZoom": False, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"]}
PICTURE |= {"showSendToCloud": False}  # no uploads to Plotly
FORMATS = {columns.SCORE: "%.4f", columns.SHARE: "percent", columns.P: "%.3g", columns.MEAN: "%.1f"}
FORMATS |= {columns.NUMBER: "%.2f", columns.COUNT: "localized"}


# ---- the head of a page


def style():
    """Set the style of the whole app; app.py calls it once per run."""
    st.html(Path(__file__).with_name("page.css"))
    if st.session_state.get("large"):
        st.html(LARGE)
    if session.presenting():
        st.html(PRESENTED)
        ends = {"on_click": session.present, "args": (False,), "shortcut": "Escape"}
        st.button("End presentation", key="end-present", type="tertiary", **ends)
        if open_studies.invented():  # the line with the badge is hidden
            with st.container(key="invented"):
                st.markdown(INVENTED)


def menu():
    """Links to every page, in groups, for the sidebar."""
    with st.container(key="menu"):
        for section, paths in sections().items():
            if section:
                st.markdown(section)
            for path in paths:
                st.page_link(path, label=PAGES[path].name)


def title(line):
    """The page's question and one plain line; what every page calls first."""
    deep_links.enter()
    shown = PAGES[NAMED[session.remember("page")]]
    st.title(shown.question, anchor=False)
    with st.container(key="lead"):
        about = shown.asks_study and open_studies.invented()
        text = f"{line} {INVENTED}" if about else line
        st.markdown(text, help=glossary.those_in(line) or None)
    with st.container(key="caveats"):
        session.keep_in_mind("caveats", (st.empty(), []))


def begin(line):
    """The page's title, and the study that is open."""
    title(line)
    return study()


def study(*, on_data=False):
    """The open study, on Data without fused runs; if there is none, the page shows what to do and ends here."""
    opened = open_studies.current()
    problems(opened.problems, folded=not on_data)
    if opened.study is None:
        unreadable = "The readable files do not form a track. The problems with the others are listed above."
        missing = open_studies.GONE if open_studies.gone() else f"Nothing is open yet. Still missing: {opened.missing}."
        empty(missing if opened.missing else unreadable, on_data=on_data)
    with_fused = open_studies.with_fused_runs(opened.study)
    second, truth = open_studies.second_qrels(), open_studies.source().truth
    extra_qrels = {"other": second, "truth": truth}
    extra_qrels["level"] = session.chosen("other_rel_level", open_studies.SECOND_LEVELS) if second else None
    session.begin_notes(with_fused, extra_qrels)
    return opened.study if on_data else with_fused


def empty(reason, *, on_data=False):
    """Show why the page is empty and what to do; the page ends here."""
    where = "above" if on_data else "on the Data page"
    st.info(f"{md(reason)} Open the sample, or load runs and judgments {where}.")
    with st.container(horizontal=True):
        st.button("Open the sample", on_click=open_studies.open_another, args=(open_studies.FIRST,), type="primary")
        if not on_data and st.button("Go to Data"):
            st.switch_page("pages/data.py")
    end()


def problems(rows, *, folded, key="problems"):
    """List the files that were left out: what is wrong, where, and the first bad lines."""
    if not rows:
        return
    files = len({problem.file for problem in rows if problem.file})
    heading = f":red-badge[✕ {digits(files, 'file')} could not be read] The other files are loaded."
    if not files:
        heading = ":red-badge[✕ no track] These files do not form a track together."
    with st.expander(heading, expanded=not files or not folded, key=key):
        for problem in rows[:20]:
            st.text(text(problem.message))
            if problem.examples:
                st.code("\n".join(text(line)[:300] for line in problem.examples[:3]), language=None)
        if len(rows) > 20:
            st.text(f"… and {digits(len(rows) - 20, 'more problem')}.")
        for problem in rows[:20]:
            key = open_studies.key_of(problem.file) if problem.columns and open_studies.source().private else None
            if key:
                label = f"Read the scores of {md(problem.file)} with decimal commas"
                st.button(label, on_click=open_studies.take_columns, args=([key], problem.columns), key=f"commas-{key}")
        for remedy in dict.fromkeys(problem.remedy for problem in rows if problem.remedy):
            label = f"Compare names: {OPTIONS['names'].words(remedy)}"
            setting = {"names": remedy}
            st.button(label, key=f"names-{remedy}", on_click=open_studies.assume_at_once, kwargs=setting)


# ---- parts, and what ends them


def end():
    """End the page here; its address keeps the choices so far."""
    url_state.write()
    st.stop()


@contextmanager
def part(*, ends_page=False):
    """A part of the page. A refusal by evalcore is shown in its place and ends only this part, or the page. What the
    files do not show is explained once, with a link to Data."""
    try:
        yield
    except NotKnown as unknown:
        session.note_refusal(str(unknown))
        if session.says_first(message := opening(str(unknown))):
            st.info(md(message))
            links(["pages/data.py"])
        else:
            st.caption("Not available, for the same reason.")
        if ends_page:
            end()
    except (ValueError, MemoryError) as refused:
        refused = refused if isinstance(refused, ValueError) else ValueError(NO_MEMORY)
        session.note_refusal(str(refused))
        names_a_file = isinstance(refused, InputError)
        st.error(md(str(refused) if names_a_file else opening(str(refused))))
        if ends_page:
            end()


@contextmanager
def fold(title, *, key, long=False):
    """A collapsed section that is drawn when it is opened; the report asks its questions if it was not.

    key : its name in the address; if a picture's click makes a choice in it, the choice's
    long : whether it is so slow that the report only names it
    """
    place = choices.fold(title, key=key)
    if long and not place.open:
        session.note_too_long(title)
    session.keep_in_mind("closed", not place.open and ("long" if long else "short"))
    try:
        with place, part():
            yield place.open
    finally:
        session.keep_in_mind("closed", False)


# ---- a question


def show(
    study, question, *, key=None, say=True, drawn=None, tiles=False, table="folded", title=None, picks=None, slow=None,
    answer=None, view=None, **params,
):  # fmt: skip
    """Asks a question, says what it finds, draws it, and gives its table; all of it is noted for the report. -> Answer,
    or None in a fold that is closed, where only what to ask is noted.

    key : another name than the question's, where it is asked twice on a page
    say : whether its finding is shown, or the conclusion that is shown in its place
    drawn : plain values for the picture (see the question's view), False for none
    tiles : the numbers above it, before an audience under it; True = those of the view
    table : "folded", "open", or None for none; title : of table and picture, where it is not the view's
    picks : the choice that a click on the picture makes; slow : what is said while one waits
    answer : where it is there already; view : another face than the question's own
    """
    view, key = view or VIEWS[question], key or question
    if closed := session.remember("closed"):
        if closed == "short":
            later = Unopened(question, params, answer, view, say, drawn, title or view.title, table)
            session.note_unopened(key, later)
        return None
    answer = answer or session.ask(study, question, slow=slow, **params)
    if say:
        finding(answer.finding if say is True else say, key=key)
    parts = [partial(numbers, *(view.tiles(answer) if tiles is True else tiles))] if tiles else []
    if drawn is not False and view.figure and len(answer.table):
        parts.append(partial(draw, study, answer, view, key=key, title=title, picks=picks, **(drawn or {})))
    for put in reversed(parts) if session.presenting() else parts:  # an audience sees the picture on one screen
        put()
    if table:
        give(answer, key=key, title=title or view.title, folded=table == "folded")
    return answer


def finding(conclusion, *, key):
    """What was found: headline and detail. The first of a page is its own answer, the others are parts of it; caveats
    go under the title."""
    if not conclusion:
        return
    first = session.note_finding(key, conclusion)
    with st.container(key="the-finding" if first else f"sub-finding-{key}"):
        st.markdown(md(conclusion.headline))
        if conclusion.detail:
            st.markdown(md(conclusion.detail))
    for words in conclusion.caveats:
        caveat(words)


def caveat(words):
    """An assumption that could change what the page shows, once under its title."""
    place, shown = session.remember("caveats")
    if words and words not in shown:
        shown.append(words)
        place.caption(md(" ".join(shown)))


def draw(study, answer, view, *, key, title=None, picks=None, **drawn):
    """Draw the picture of an answer, or its panels side by side."""
    panels = [{"panel": panel} for panel in view.panels] or [{}]
    with st.container(key=f"panels-{key}"):
        places = st.columns(len(panels))
    make = partial(session.made, study, view.figure) if view.costly else view.figure
    for place, panel in zip(places, panels, strict=True):
        figure, name = make(answer, look=look(), **panel, **drawn), "-".join([key, *panel.values()])
        with place:
            picture(figure, alt=view.alt(answer, **panel), key=name, picks=picks)
        note_picture(answer, view, key=name, title=title, **panel, **drawn)


def note_picture(answer, view, *, key, title=None, panel=None, **drawn):
    """Add the picture of an answer to the report, whatever the page shows instead."""
    options = drawn | ({"panel": panel} if panel else {})
    make = partial(view.figure, answer, **options)
    session.note_picture(key, view.caption(title, panel), view.alt(answer, panel), make)


def picture(figure, *, alt, key, picks=None):
    """Draw a Plotly picture that can be saved as SVG. picks : the choice that a click makes"""
    config = {**PICTURE, "toImageButtonOptions": {"format": "svg", "filename": key}}
    picked = partial(session.take_click, picks) if picks else None
    plotly_component.show(figure, alt=text(alt), config=config, key=key, picked=picked)


def look():
    """Colours and text size of this visitor's page."""
    dark, large, presented = st.context.theme.type == "dark", st.session_state.get("large"), session.presenting()
    return theme.look(dark=dark, large=large or presented, rows=PRESENTED_ROWS if presented else None)


def numbers(*items):
    """Show three or four tiles: (label, value, help)."""
    for place, (label, value, note) in zip(st.columns(len(items)), items, strict=True):
        place.metric(label, value, help=note)


# ---- tables


def give(answer, *, key, title, folded=False):
    """Show an answer as a table, with its CSV and its script."""
    session.note_table(key, title, answer)
    if folded:
        _fold_away(answer, key=key, title=title)
        return
    with st.container(key=f"title-{key}"):
        st.markdown(f"## {title}")
    _give_all(answer, key=key, title=title)


@st.fragment
def _fold_away(answer, *, key, title):
    """Show the table collapsed: it is sent when it is opened, without a rerun of the page."""
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


def sheet(rows, question, *, config=None, **more):
    """Show a table with formatted numbers and a help text for each column; `config` = how some are shown. Columns of
    empty names appear only in the CSV."""
    rows = rows[[name for name in rows if not len(rows) or not rows[name].eq("").all()]]
    shown = {}
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


def height_of(rows, *, most):
    """Pixels for a table of these rows."""
    return min(most, 38 + 35 * max(1, len(rows)))


def downloads(answer, *, key, title):
    """Offer the table and the script as files, and add the table to the report."""
    session.note_table(key, title, answer)
    with st.container(horizontal=True):
        st.download_button(
            "Download CSV", lambda: export.csv(answer.table), export.file_name(answer, "csv"), "text/csv",
            key=f"{key}-csv", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "Download script", lambda: answer.script().encode("utf-8"), export.file_name(answer, "py"), "text/x-python",
            key=f"{key}-script", on_click="ignore",
            help="A Python program that reproduces exactly this table from the same files.",
        )  # fmt: skip


# ---- work that takes long


def show_at_length(study, question, *, takes, one_by_one=None, table="folded", **params):
    """Show a slow question, with a progress bar and a *Stop* button. It can be continued later.

    takes : describes the work and how long it takes
    one_by_one : the parameter whose values are asked one after the other; None = the question reports its progress
    """
    if session.remember("closed"):
        return
    stopped, place = f"stopped-{question}", st.empty()
    if session.remember(stopped):
        with place.container(border=True):
            st.markdown(f"Stopped at {session.remember(f'done-{question}', '0')}. The results so far are kept.")
            st.button("Continue", key=f"go-on-{question}", on_click=session.keep_in_mind, args=(stopped, False))
        return
    with place.container(border=True):
        shown = st.progress(0.0, takes)
        st.button("Stop", key=f"stop-{question}", on_click=session.keep_in_mind, args=(stopped, True))

    def progress(done, total):
        session.keep_in_mind(f"done-{question}", f"{done:,} of {total:,}")
        shown.progress(done / total, f"{takes} {done:,} of {total:,}")

    if one_by_one:
        for done, value in enumerate(params[one_by_one]):
            progress(done, len(params[one_by_one]))
            session.ask(study, question, **{**params, one_by_one: [value]})
        answer = session.ask(study, question, **params)
    else:
        answer = session.watch(study, question, progress, **params)
    place.empty()
    show(study, question, answer=answer, table=table)


# ---- the foot


def how_to_read(see, read, formula):
    """Three short columns, collapsed: what you see, how to read it, the formula and its source."""
    heads = ("What you see", "How to read it", "Formula and source")
    with st.expander("How to read this"):
        for place, head, text in zip(st.columns(3, gap="medium"), heads, (see, read, formula), strict=True):
            place.markdown(f"**{head}**\n\n{text}")


def where_next():
    """Show links to the pages that follow this one."""
    st.markdown("## Where to go next")
    links(PAGES[NAMED[session.remember("page")]].leads_to)


def links(pages):
    """Show a link to each of these pages."""
    for page in pages:
        st.page_link(page, label=f"**{PAGES[page].name}** · {PAGES[page].question}")
