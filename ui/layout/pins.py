"""Which systems figures show, on all pages: pinned ones are named and outlined, and marked in every table; others can
be filtered and hidden."""

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.answers import Answer
from evalcore.study.study import Study
from ui.components import choices
from ui.session import memory, url_state
from ui.text.escape import short
from ui.views.traces import NAMES_UP_TO, PINS

MOST_AT_FIRST = 20  # systems in a picture of a track that has no room for all names
NAMES = "system", "a", "b"  # columns of tables that name systems
NOTE = "Pinned systems are shown, named and outlined in every figure, and marked in every table, on all pages."
FILTERED = "Figures show only these systems and pinned ones, on all pages. Tables and sentences are about all systems."
SOME = "Figures show so many systems, the first ones, pinned systems and those that a sentence names."


def pick(line: choices.Line) -> None:
    """The search for systems, as a part of the line of choices."""
    shown: dict[str, Any] = {"help": NOTE, "placeholder": "Type a name", "max_selections": len(PINS)}
    names = memory.get("systems-to-find")
    pinned = choices.select_several(line, "Find and pin systems", names, key="pin", default=[], says=_in_words, **shown)
    memory.put("pin", pinned)


LONGEST = 24  # letters of a pinned name in the line


def _in_words(pinned):
    """What is pinned, as the line of choices says it."""
    if len(pinned) > 2:
        return f"{len(pinned)} systems pinned"
    marked = [f"{mark} {short(name, LONGEST)}" for mark, name in zip(PINS, pinned, strict=False)]
    return " ".join(marked) or "find a system"


def take_of_link() -> None:
    """Remember the pinned systems of the address, on a page without a study, for the next pages."""
    if pinned := url_state.values_of("pin")[: len(PINS)]:
        memory.take_choice("pin", pinned)


def begin(study: Study) -> None:
    """Find out which systems are pinned, before the line of choices, and choose which ones figures show, in the
    sidebar."""
    names, subsets = list(study.systems), subsets_of_systems(study)
    pinned = choices.several_without_picker("pin", names, most=len(PINS))
    memory.put("systems-to-find", names)
    memory.put("pin", pinned)
    with st.expander("Show only some systems"):
        shown = {"format_func": lambda key: subsets[key][0], "placeholder": "All systems", "help": FILTERED}
        only = choices.select_several(st, "Show only", list(subsets), key="only", default=[], **shown)
        hidden = choices.select_several(st, "Hide", names, key="hide", default=[], placeholder="Type a name")
        most = {n: f"the first {n}" for n in (MOST_AT_FIRST, 10, 50) if n < len(names)} | {"all": "all that fit"}
        usual = MOST_AT_FIRST if len(names) > NAMES_UP_TO else "all"
        most = {n: most[n] for n in sorted(most, key=lambda n: n != usual)}
        most = choices.named(st, "Systems in a figure", most, key="most", help=SOME)
    memory.put("few-rows", None if most == "all" else most)
    hidden = {*hidden, *_others(names, subsets, only).difference(pinned)}
    memory.put("hidden", hidden)
    if hidden:
        st.caption(f"Figures show {len(names) - len(hidden)} of {len(names)} systems.")


def offer(place: DeltaGenerator, names: list[str]) -> None:
    """In this place, a button that pins these systems, the first of them if they are too many."""
    if set(names) - set(memory.get("pin") or ()):
        label = f"Show the first {len(PINS)}" if len(names) > len(PINS) else "Show them"
        place.button(label, on_click=_pin, args=(names[: len(PINS)],), key="pin-rivals", help=NOTE)


def _pin(names):
    st.session_state["pin"] = list(names)


def _others(names, subsets, only):
    """The systems outside these subsets: of two types, or two groups, those in neither; else those outside either."""
    outside = set()
    for kind in {key.split()[0] for key in only}:
        outside |= set(names).difference(*(subsets[key][1] for key in only if key.split()[0] == kind))
    return outside


def shown(answer: Answer) -> Answer:
    """An answer without the rows of systems that figures do not show; as it is where no row would be left."""
    table, hidden = answer.table, memory.get("hidden")
    if not hidden:
        return answer
    keep = ~table[[name for name in NAMES if name in table]].isin(hidden).any(axis=1)
    return answer if keep.all() or not keep.any() else replace(answer, table=table[keep].reset_index(drop=True))


def subsets_of_systems(study: Study) -> dict[str, Any]:
    """Subsets that people compare: value in the address -> (label, names of systems). Types are those of the systems
    table, such as manual."""
    names, table, subsets = study.systems, study.system_table, {}
    for label, members in (("contributing", study.track.pooled), ("other", ~study.track.pooled)):
        subsets[label] = label, [names[i] for i in members.nonzero()[0]]
    types = dict(zip(table["system"], table["type"], strict=True)) if "type" in table else {}
    groups = dict(zip(names, study.track.groups, strict=True))
    for column, of_system in (("type", types), ("group", groups)):
        for value in sorted({of_system[name] for name in names if of_system.get(name)}):
            members = [name for name in names if of_system.get(name) == value]
            subsets[f"{column} {value}"] = f"{column} {value}", members
    return {key: subset for key, subset in subsets.items() if 0 < len(subset[1]) < len(names)}
