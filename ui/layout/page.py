"""The parts of every page, from its title to *Where to go next*."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import streamlit as st

from evalcore.reading.files import InputError, Problem
from evalcore.study.opening import OPTIONS
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, listed, opening
from evalcore.vocabulary.validation import NotKnown
from ui.components import choices
from ui.data import additions, open_options, open_studies, saved_studies, study_choice, visitor_files
from ui.layout import deep_links, definition_links, pins, section, shared_links
from ui.layout.menu import NAMED, PAGES, sections
from ui.serving import embedding
from ui.session import memory, notes, runs, url_state, visit
from ui.text import glossary
from ui.text.escape import md, short, text

LARGE = "<style>html { font-size: 21px !important; }</style>"
INVENTED = ":gray-badge[invented sample data]"
PRESENTED = Path(__file__).with_name("present.css")
GONE = (
    "This link is to uploaded files, so nothing is open here. Only the browser that uploaded the files can open them, "
    "for up to an hour."
)
NEVER_UPLOADS = "A figure of uploaded files is never shown alone, as other sites may frame it. Open the whole page."
NO_MEMORY = "This server has too little memory left for this part of the page. Reload the page later."


# ---- the head of a page


def style(figure: str | None) -> None:
    """Set the style that depends on a visitor's choices; that of all pages, page.css, is in the document.

    figure : the key of the only one to show, None = the whole page"""
    if figure is not None:
        if open_studies.source().private or open_studies.source().audience:
            st.info(NEVER_UPLOADS)
            end()
        st.html(embedding.style(figure))
    if st.session_state.get("large"):
        st.html(LARGE)
    if memory.presenting():
        st.html(PRESENTED)
        ends: dict[str, Any] = {"on_click": memory.present, "args": (False,), "shortcut": "Escape"}
        st.button("End presentation", key="end-present", type="tertiary", **ends)
        if badge := invented():  # the line with the badge is hidden
            with st.container(key="invented"):
                st.markdown(badge)


def invented() -> str:
    """A badge, if what the page shows comes from invented data, or ""."""
    return INVENTED if study_choice.invented() and not PAGES[NAMED[memory.get("page")]].of_many else ""


def menu() -> None:
    """Links to every page, in groups, for the sidebar."""
    with st.container(key="menu"):
        for section, paths in sections().items():
            if section:
                st.markdown(section)
            for path in paths:
                st.page_link(path, label=PAGES[path].name)


def title(line: str, *, leads: bool = True) -> None:
    """The page's question; what every page calls first. line : one plain line about the page, below the question or
    where the page explains how to read it"""
    deep_links.enter()
    shown = PAGES[NAMED[memory.get("page")]]
    if not shown.asks_study:
        pins.take_of_link()
    st.title(shown.question, anchor=False)
    memory.put("plain-line", "" if leads else line)
    memory.put("in-the-line", "" if leads else invented())
    if leads:
        with st.container(key="lead"):
            badge = invented() if shown.asks_study else ""
            st.markdown(f"{line} {badge}".rstrip(), help=glossary.those_in(line) or None)
    memory.put("of-the-link", None)
    memory.put("definitions", None)
    memory.put("caveats", (None, []))
    memory.put("exact", "")
    if leads:
        section.place_messages()


def begin(line: str) -> Study:
    """The page's title, and the study that is open."""
    title(line, leads=False)
    return study()


def study(*, on_data: bool = False) -> Study:
    """The open study, on Data without fused runs; if there is none, the page shows what to do and ends here."""
    opened = open_studies.current()
    problems(opened.problems, folded=not on_data)
    for sentence in saved_studies.differences(opened.study):
        st.warning(sentence)
    if opened.study is None:
        unreadable = "The readable files do not form a track. The problems of the other files are listed above."
        elsewhere = visit.now().from_link and study_choice.name() == visitor_files.OWN
        missing = md(GONE if elsewhere else f"Nothing is open yet. Still missing: {opened.missing}.")
        if study_choice.is_of_server():
            unreadable, missing = "This study cannot be opened.", open_studies.source().gone
        empty(missing if opened.missing else unreadable, on_data=on_data, lacks=opened.missing)
    with_fused = additions.with_fused_runs(opened.study)
    with memory.get("beside"):
        pins.begin(with_fused)
        study_buttons(with_fused)
    second, truth = additions.second_qrels(), open_studies.source().file("truth")
    extra_qrels = {"other": second, "truth": truth}
    extra_qrels["level"] = memory.chosen("other_rel_level", additions.SECOND_LEVELS) if second else None
    notes.begin(with_fused, extra_qrels)
    for need in PAGES[NAMED[memory.get("page")]].needs:
        require(need, with_fused)
    return opened.study if on_data else with_fused


def line(*first: str) -> choices.Line:
    """The line of choices of the page, which ends with the search for systems. first : see `Line`"""
    whole = choices.Line(*first, last="pin")
    pins.pick(whole)
    return whole


def study_buttons(study: Study) -> None:
    """Save, share, name, and reset the study, for the sidebar."""
    with st.container(horizontal=True, key="study-buttons"):
        saved_studies.offer(study)
        shared_links.offer()
        st.button("Reset choices", key="reset-choices", on_click=reset, help=RESET)
        with st.popover("Name"):
            key = f"name-{study_choice.name()}"
            st.session_state[key] = study_choice.given_name()  # a study that is opened may bring one
            st.text_input("Name of the data set", key=key, max_chars=80, help=NAME, on_change=_name, args=(key,))
            st.caption(SCHEME)


def _name(key):
    study_choice.change(name=st.session_state[key].strip())


def reset() -> None:
    """Forget the choices on all pages, and the pinned systems, but not the data and how they are read; for
    callbacks."""
    kept = {"study", *open_options.ASSUMED}
    memory.restore({})
    url_state.replace({name: values for name, values in url_state.everything().items() if name in kept})


RESET = "All pages show their defaults again, without pinned systems. The data and the options for reading stay."
NAME = "The name is used in the report, in the browser's title, and in the names of saved files."
SCHEME = "To choose light or dark colours, open the menu ⋮ at the top right, then *Settings*."


def empty(reason: str, *, on_data: bool = False, lacks: str = "") -> NoReturn:
    """Show why the page is empty and what to do; the page ends here. reason : in Markdown; lacks : what is still
    missing"""
    where = "above" if on_data else "on the Data page"
    with st.container(key="nothing-open"):
        st.info(f"{reason} Open the sample, or load runs and judgments {where}.")
    with st.container(horizontal=True):
        st.button("Open the sample", on_click=study_choice.open_another, args=(study_choice.FIRST,), type="primary")
        if lacks == "judgments":
            st.button("Compare rankings without judgments", on_click=memory.put, args=("without-judgments", True))
        if not on_data and st.button("Go to Data"):
            st.switch_page("pages/data.py")
    end()


def problems(rows: Sequence[Problem], *, folded: bool, key: str = "problems") -> None:
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
            key = visitor_files.key_of(problem.file) if problem.columns and open_studies.source().private else None
            if key and problem.columns:
                document = problem.columns.get("document")
                label = f"Use {md(str(document))} as the document of {md(problem.file)}"
                label = label if document else f"Read the scores of {md(problem.file)} with decimal commas"
                st.button(
                    label, on_click=visitor_files.take_columns, args=([key], problem.columns), key=f"commas-{key}"
                )
        remedies = [("names", problem.remedy) for problem in rows if problem.remedy]
        for name, value in dict.fromkeys([*remedies, *(option for problem in rows for option in problem.options)]):
            label = f"{'Compare names' if name == 'names' else OPTIONS[name].label}: {OPTIONS[name].words(value)}"
            setting = {name: value}
            st.button(label, key=f"{name}-{value}", on_click=open_options.assume_at_once, kwargs=setting)


# ---- parts, and what ends them


def answer_the_link(*, whole: bool = True) -> None:
    """Say which values of the address are not available, and which of its choices the page does not use; at the end of
    a run. whole : whether the page was drawn to its end"""
    lines = memory.what_was_not_found()
    if whole and not PAGES[NAMED[memory.get("page")]].asks_study and (gone := open_studies.source().gone):
        lines.append(gone)
    if whole:
        sections = [key for key in url_state.values_of("open") if memory.fold_key(key) not in memory.get("settled")]
        for unused, words in ((url_state.unread(), "does not use these choices of the link"),
                              (sections, "does not have these sections of the link")):  # fmt: skip
            if unused:
                lines.append(f"This page {words}: {listed([md(short(name, 40)) for name in unused], 4)}.")
    if lines:
        (memory.get("of-the-link") or st).warning("\n\n".join(lines))


def end() -> NoReturn:
    """End the page here; its address keeps the choices so far."""
    answer_the_link(whole=False)
    definition_links.draw()
    url_state.write()
    runs.stop()


IN_PYTHON = re.compile(r" \(Python: [^)]*\)")  # what a message adds for scripts
# As messages call them:
CURES = "Mark the contributing systems", "Set the pool depth", "Load judgments", "Load another run"


@contextmanager
def part(*, ends_page: bool = False) -> Iterator[None]:
    """A part of the page. A refusal by evalcore is shown in its place and ends only this part, or the page. What the
    files do not show is explained once, with a link to Data."""
    try:
        yield
    except NotKnown as unknown:
        notes.add_refusal(str(unknown))
        if notes.is_first(message := opening(IN_PYTHON.sub("", str(unknown)))):
            st.info(md(message))
            cure = next((phrase for phrase in CURES if phrase in message), "See what is missing")
            st.page_link("pages/data.py", label=f"**{cure} on Data**", icon=":material/arrow_forward:")
        else:
            st.caption("This part is not available, for the reason above.")
        if ends_page:
            end()
    except (ValueError, MemoryError) as refused:
        refused = refused if isinstance(refused, ValueError) else ValueError(NO_MEMORY)
        notes.add_refusal(str(refused))
        names_a_file = isinstance(refused, InputError)
        st.error(md(str(refused) if names_a_file else opening(str(refused))))
        if ends_page:
            end()


def require(needs: Callable[..., None], study: Study, *more: Any) -> None:
    """End the page before its controls, with the reason and the remedy, if the files do not show what it needs.

    needs : called with the study and what follows it; raises NotKnown"""
    try:
        needs(study, *more)
    except NotKnown:
        with part():
            raise
        where_next()
        end()


@contextmanager
def fold(title: str, *, key: str, long: bool = False) -> Iterator[bool | None]:
    """A collapsed section that is drawn when it is opened; the report asks its questions if it was not.

    key : its name in the address; if a picture's click makes a choice in it, the choice's
    long : whether it is so slow that the report only names it
    """
    place = choices.fold(title, key=key)
    if long and not place.open:
        memory.get("note")["too_long"].append(title)
    memory.put("closed", not place.open)
    memory.put("too-long", long)
    try:
        with place, part():
            yield place.open
    finally:
        memory.put("closed", False)


# ---- the foot


def how_to_read(see: str, read: str, formula: str) -> None:
    """Three short columns, collapsed: what you see, how to read it, the formula and its source."""
    heads = ("What you see", "How to read it", "Formula and source")
    with st.expander("How to read this"):
        if line := memory.get("plain-line"):
            st.markdown(line, help=glossary.those_in(line) or None)
        for place, head, text in zip(st.columns(3, gap="medium"), heads, (see, read, formula), strict=True):
            place.markdown(f"**{head}**\n\n{text}")


def where_next() -> None:
    """Show links to the pages that follow this one."""
    st.markdown("## Where to go next")
    links(PAGES[NAMED[memory.get("page")]].leads_to)


def links(pages: Sequence[str]) -> None:
    """Show a link to each of these pages."""
    for page in pages:
        st.page_link(page, label=f"**{PAGES[page].name}** · {PAGES[page].question}")
