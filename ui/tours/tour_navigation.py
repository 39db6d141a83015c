"""Navigation of a tour: the current step, its strip with *Back* and *Next*, and the end.

The address contains tour and step: `?tour=pooling&step=3`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from ui.data import open_studies, study_choice
from ui.forms import fused_runs
from ui.layout import browser_tasks, menu, page
from ui.session import memory, url_state
from ui.text import definitions
from ui.text.escape import md
from ui.tours import drawn_orders, printed_numbers
from ui.tours.tours import START, TOURS

KEPT_ON_THE_WAY = "study", "large", "present"  # parts of the address that survive a change of step


def begin(name: str) -> None:
    """Go to the first step of a tour; for callbacks. The tour's sample replaces another open sample."""
    if (sample := TOURS[name].sample) and study_choice.invented():
        study_choice.open_another(sample)
    _go(name, 1)


def present(name: str) -> None:
    """Begin a tour in presentation mode: large text, no menu; for callbacks."""
    memory.present(True)
    begin(name)


def end() -> None:
    """Leave the tour; for callbacks."""
    memory.put("tour", None)
    url_state.replace({name: values for name, values in url_state.everything().items() if name not in ("tour", "step")})


def finish() -> None:
    """End the tour and the presentation, and go to the start page; for callbacks."""
    memory.put("tour", None)
    memory.put("finished", True)
    memory.present(False)
    url_state.replace({key: value for key, value in _of_visit().items() if key != "present"})


def _go(name, number):
    """Enter a step on the next run, without the address of the current page."""
    url_state.replace({**_of_visit(), "tour": [name], "step": [str(number)]})


def _of_visit():
    return {key: value for key, value in url_state.everything().items() if key in KEPT_ON_THE_WAY}


def _asked():
    """Tour and step from the address, else the current ones; None without a tour."""
    name, number = url_state.value_of("tour"), url_state.value_of("step") or "1"
    if name not in TOURS:
        return memory.get("tour")
    last = len(TOURS[name].steps)
    return name, min(last, max(1, int(number))) if number.isdecimal() and len(number) < 4 else 1


def follow(path: str) -> Callable[..., Any]:
    """Enter the step of the address, and show its strip. path : the page to draw. -> a function that shows the paper's
    numbers after the page is drawn"""
    if memory.get("finished"):
        memory.put("finished", False)
        st.switch_page(START, query_params=url_state.everything())
    if (at := _asked()) is None:
        return _nothing
    name, number = at
    tour, before = TOURS[name], memory.get("tour")
    step = tour.steps[number - 1]
    if tour.sample and study_choice.invented():
        begins = before is None or before[0] != name
        if begins and "study" not in st.session_state[url_state.LEFT] and study_choice.name() != tour.sample:
            st.switch_page(step.page, query_params={**url_state.everything(), "study": tour.sample})
        url_state.put("study", study_choice.name())  # the default sample may be another one here
    is_shown = path == step.page and _can_be_shown(step) and not memory.get("tour-shown")
    if at != before or is_shown:  # a suitable track may be opened later
        _enter(at, step)
    url_state.put("tour", name)
    url_state.put("step", number)
    return _strip(tour, name, number, path)


def _can_be_shown(step):
    """Whether the open track has what the step needs."""
    study = open_studies.current().study
    return study is not None and not step.lacks(study)


def _enter(at, step):
    """Open a step's page with its preset choices; choices in the address have priority."""
    memory.forget_choices(but=KEPT_ON_THE_WAY)
    memory.put("tour", at)
    memory.put("page", None)  # so that the page reads its choices again
    shown = _can_be_shown(step)
    memory.put("tour-shown", shown)
    memory.put("tour-opens", step.part if shown else "")
    chosen = step.address(open_studies.current().study) if shown else {}
    st.switch_page(step.page, query_params={**chosen, **url_state.everything(), "tour": at[0], "step": str(at[1])})


def _strip(tour, name, number, path):
    """Show the strip of a step: position, text, and buttons. -> a function that shows the paper's numbers"""
    step, last = tour.steps[number - 1], len(tour.steps)
    on_page = path == step.page
    part = step.part if on_page and _can_be_shown(step) else ""
    study = open_studies.current().study
    with st.container(border=True, key="tour-strip"):
        with st.container(horizontal=True, vertical_alignment="center", key="tour-stays" if part else "tour-steps"):
            st.markdown(f"{tour.title} · step {number} of {last}")
            _way("Back", name, number - 1, disabled=number == 1, shortcut="PageUp")
            if number < last:
                _way("Next", name, number + 1, shortcut="PageDown", type="primary")
            else:
                st.button("Finish", key="tour-finish", on_click=finish, shortcut="PageDown", type="primary")
            st.button("End the tour", key="tour-end", on_click=end, type="tertiary")
            if on_page and step.section:
                with st.popover("Definition and figures"):
                    st.markdown(definitions.sections()[step.section].text)
            if part and step.then:
                second = browser_tasks.way("Show the second picture")
                second(data=step.then, key="way-then", width="content")
        if not on_page:
            st.button(f"Continue the tour: {step.title}", key="tour-again", on_click=_again, args=(name, number))
            return _nothing
        in_a_table = _can_be_shown(step) and any(row.track and row.track.is_of(study) for row in step.printed)
        words, numbers = st.columns([2, 3]) if in_a_table else (st.container(), st.container())
        differs = step.differs if study_choice.name() == tour.sample else ""
        invented = page.invented() if memory.presenting() else ""
        question = f"*{menu.PAGES[step.page].question}*" if memory.presenting() else ""
        words.markdown(" ".join(filter(None, [question, step.markdown, differs, invented])))
        printed = numbers.container(key="tour-printed") if step.printed else None
        _missing(tour, step)
        if part:
            browser_tasks.way_to(part)
    return partial(_show_printed, printed, step.printed) if printed is not None and _can_be_shown(step) else _nothing


def _nothing():
    """Show nothing."""


def _show_printed(place, rows):
    """Show the paper's printed numbers, if the page has computed the same experiment."""
    experiments = memory.get("experiments").values()
    study = open_studies.current().study
    if study is not None and printed_numbers.shown(rows, study, experiments).markdown:
        with place:
            numbers = printed_numbers.shown(rows, study, drawn_orders.added(experiments, rows, study))
            (st.popover("The paper's numbers") if numbers.is_long else st.container()).markdown(numbers.markdown)


def _way(label, name, number, **options):
    st.button(label, key=f"tour-{label.lower()}", on_click=_go, args=(name, number), **options)


def _missing(tour, step):
    """If the open track lacks what the step needs, show why, and offer a sample."""
    study = open_studies.current().study
    if study and (lacking := step.lacks(study)):
        why, sample = lacking
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"This track cannot show this step: {md(why)}.")
            if sample == "variations":
                fused_runs.read_variations(study, key="tour-variations")
            st.button("Open a suitable sample", on_click=study_choice.open_another, args=(tour.sample or sample,))


def _again(name, number):
    """Enter the step again on the next run."""
    memory.put("tour", None)
    _go(name, number)
