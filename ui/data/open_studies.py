"""The open study: a sample, the server's track or a visitor's files, with the chosen options."""

import json
from dataclasses import replace
from functools import partial

import streamlit as st

from evalcore.reading.files import NO_JUDGMENTS
from ui.components import choices, progress
from ui.data import open_options, server_studies, sources, study_choice, study_parts
from ui.data.visitor_files import OWN
from ui.serving import server_cache
from ui.session import answers, memory, visit

INVENTED = "Sample data are invented: their systems, documents and assessors are not real."
PRESENT = (
    "For an audience: hides this menu, enlarges the text, and fits the essentials on one screen. Press Escape to end."
)


def choose() -> None:
    """Show the data picker and the display switches, for the sidebar."""
    names = {"folder": sources.server_track()} if sources.server_folder() else {}
    names |= sources.SAMPLES
    shared = [name for name in visit.now().studies if server_studies.is_link(name)]
    named = [st.query_params.get("study"), st.session_state.get("study")]  # which may not be there
    linked = [name for name in (*server_studies.names(), *shared, *named) if name and name not in (*names, "files")]
    names |= {**{name: study_choice.called(name) for name in linked}, "files": "Your files"}
    if (other := st.session_state.pop("_open", None)) is not None:
        st.session_state["study"] = other
    choices.named(st, "Data set", names, key="study")
    if visit.now().from_link is None:
        visit.change(from_link=study_choice.name() == OWN)
    memory.put("source", _looked_up())
    if study_choice.invented():
        st.caption(INVENTED)
    choices.switch(st, "Large text", key="large", note="For a projector.")
    choices.switch(st, "Present", key="present", note=PRESENT)


def source() -> sources.Source:
    """The chosen source, as when the picker was drawn, so that a large folder is listed once per page."""
    return memory.get("source") or _looked_up()


def source_named(name: str) -> sources.Source:
    """The source of a data set, with what the visitor added to it."""
    files = visit.of(name).files
    if name == OWN:
        return sources.loaded(files.values())
    if name in sources.SAMPLES:
        source = sources.sample(name)
    elif name == "folder" and sources.server_folder():
        source = sources.on_disk(sources.server_track(), **(sources.server_folder() or {}))
    else:
        source = study_parts.source_of(name)
    return sources.with_added(source, files.values()) if files and not source.gone else source


def _looked_up():
    source = source_named(study_choice.name())
    return replace(source, label=study_choice.given_name() or source.label)


def current() -> sources.Opened:
    """The open study, with the problems of the files that were left out."""
    chosen = source()
    if chosen.runs and not chosen.qrels and memory.get("without-judgments"):
        chosen = replace(chosen, key=f"{chosen.key} {NO_JUDGMENTS.name}", qrels=(NO_JUDGMENTS,))
    memory.put("private", chosen.private)
    memory.put("audience", chosen.audience)
    if chosen.problems and not chosen.runs and not chosen.private:
        return sources.Opened(None, chosen.problems)
    if not chosen.runs or not chosen.qrels:
        return sources.incomplete(chosen)
    settings = {**open_options.assumed(), **({"systems": edits} if (edits := open_options.edited_systems()) else {})}
    key = json.dumps([chosen.key, memory.digest_of(settings)])
    opened = server_cache.in_turn(server_cache.LOADING, partial(sources.opened, chosen, settings))
    before = memory.get("opened", study_choice.FIRST)
    leave = partial(study_choice.open_another, study_choice.FIRST if before == study_choice.name() else before)
    opened_study = progress.in_sight(
        lambda watch: answers.CACHE.get((answers.owner(), key), opened, watch), _files_read, leave, "opening"
    )
    memory.put("opened", study_choice.name())
    return opened_study


def _files_read(done, total):
    if done < total:
        return f"Reading runs and judgments: {done:,} of {total:,} files …"
    return "Combining runs and judgments …"
