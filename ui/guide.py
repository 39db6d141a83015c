"""The guide on a tour: which step one is at, the strip that says so, the ways back and on, and the end.

Where one is stands in the address: `?tour=pooling&step=3`.
"""

from functools import partial

import streamlit as st

from ui import address, browser, definitions, fusing, page, printed_numbers, session, studies
from ui.escape import md
from ui.tours import START, TOURS

KEPT_ON_THE_WAY = "study", "large", "present"  # in the address; what else it says is of the step that is left


def begin(name):
    """Go to the first step of a tour; for callbacks. Where a sample is open, that of the tour takes its place."""
    if (sample := TOURS[name].sample) and studies.invented():
        studies.open_another(sample)
    _go(name, 1)


def present(name):
    """The same before an audience: large, and without the menu; for callbacks."""
    session.present(True)
    begin(name)


def end():
    """Leave the tour; for callbacks."""
    session.keep_in_mind("tour", None)
    address.replace({name: said for name, said in address.everything().items() if name not in ("tour", "step")})


def finish():
    """Leave the tour at its last step, and the presentation, for the start page; for callbacks."""
    session.keep_in_mind("tour", None)
    session.keep_in_mind("finished", True)
    session.present(False)
    address.replace({key: value for key, value in _of_visit().items() if key != "present"})


def _go(name, number):
    """Have the next run enter a step: what the address says of the page that is left goes."""
    address.replace({**_of_visit(), "tour": [name], "step": [str(number)]})


def _of_visit():
    return {key: value for key, value in address.everything().items() if key in KEPT_ON_THE_WAY}


def _asked():
    """The tour and the step that the address asks for, else those where one is; None where there is no tour."""
    name, number = address.asked("tour"), address.asked("step") or "1"
    if name not in TOURS:
        return session.remember("tour")
    last = len(TOURS[name].steps)
    return name, min(last, max(1, int(number))) if number.isdecimal() and len(number) < 4 else 1


def follow(path):
    """Enter the step that the address asks for, and show where one is. path : the page that is drawn. -> what shows the
    paper's numbers once the page is drawn"""
    if session.remember("finished"):
        session.keep_in_mind("finished", False)
        st.switch_page(START, query_params=address.everything())
    if (at := _asked()) is None:
        return _nothing
    name, number = at
    tour, before = TOURS[name], session.remember("tour")
    step = tour.steps[number - 1]
    if tour.sample and studies.invented():
        if (before is None or before[0] != name) and not address.was_given("study") and studies.name() != tour.sample:
            st.switch_page(step.page, query_params={**address.everything(), "study": tour.sample})
        address.say("study", studies.name())  # the usual sample is not what goes without saying here
    found = path == step.page and _can_be_shown(step) and not session.remember("tour-shown")
    if at != before or found:  # a track that has what the step shows may come later
        _enter(at, step)
    address.say("tour", name)
    address.say("step", number)
    return _strip(tour, name, number, path)


def _can_be_shown(step):
    """Whether the track that is open has what the step shows."""
    study = studies.current().study
    return study is not None and not step.lacks(study)


def _enter(at, step):
    """Open a step's page with its own choices, whatever was chosen elsewhere; those that stand in the address stay."""
    session.forget_choices(but=KEPT_ON_THE_WAY)
    session.keep_in_mind("tour", at)
    session.keep_in_mind("page", None)  # so that the page reads its choices anew
    shown = _can_be_shown(step)
    session.keep_in_mind("tour-shown", shown)
    session.keep_in_mind("tour-opens", step.part if shown else "")
    chosen = step.address(studies.current().study) if shown else {}
    st.switch_page(step.page, query_params={**chosen, **address.everything(), "tour": at[0], "step": str(at[1])})


def _strip(tour, name, number, path):
    """Where one is, what to look at, and the ways back and on. -> what shows the paper's numbers"""
    step, last = tour.steps[number - 1], len(tour.steps)
    here = path == step.page
    part = step.part if here and _can_be_shown(step) else ""
    study = studies.current().study
    with st.container(border=True, key="tour-strip"):
        with st.container(horizontal=True, vertical_alignment="center", key="tour-stays" if part else "tour-steps"):
            st.markdown(f"{tour.title} · step {number} of {last}")
            _way("Back", name, number - 1, disabled=number == 1, shortcut="PageUp")
            onward = {"shortcut": "PageDown", "type": "primary"}
            if number < last:
                _way("Next", name, number + 1, **onward)
            else:
                st.button("Finish", key="tour-finish", on_click=finish, **onward)
            st.button("End the tour", key="tour-end", on_click=end, type="tertiary")
            if here and step.section:
                with st.popover("Definition and figures"):
                    st.markdown(definitions.sections()[step.section].text)
        if not here:
            st.button(f"Go on with the tour: {step.title}", key="tour-again", on_click=_again, args=(name, number))
            return _nothing
        in_a_table = step.printed and _can_be_shown(step) and printed_numbers.of_own_track(step.printed, study)
        words, numbers = st.columns([2, 3]) if in_a_table else (st.container(), st.container())
        words.markdown(f"{step.told} {page.INVENTED}" if session.presenting() and studies.invented() else step.told)
        printed = numbers.container(key="tour-printed") if step.printed else None
        _missing(tour, step)
        if part:
            browser.way_to(part)
    return partial(_show_printed, printed, step.printed) if printed is not None and _can_be_shown(step) else _nothing


def _nothing():
    """Shows nothing."""


def _show_printed(place, name):
    """The numbers that a paper prints, where the page has shown the paper's experiment."""
    experiments = session.remember("experiments").values()
    if printed := printed_numbers.shown(name, studies.current().study, experiments):
        place.markdown(printed)


def _way(label, name, number, **how):
    st.button(label, key=f"tour-{label.lower()}", on_click=_go, args=(name, number), **how)


def _missing(tour, step):
    """Where the track that is open does not have what the step shows: why, and a sample that has it."""
    study = studies.current().study
    if study and (lacking := step.lacks(study)):
        why, sample = lacking
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"This track cannot show it: {md(why)}.")
            if sample == "variations":
                fusing.read_variations(study, key="tour-variations")
            st.button("Open a sample that can", on_click=studies.open_another, args=(tour.sample or sample,))


def _again(name, number):
    """Have the next run enter the step once more."""
    session.keep_in_mind("tour", None)
    _go(name, number)
