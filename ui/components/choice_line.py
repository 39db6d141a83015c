"""The line of choices: the setting of a page in words, each part of which opens its picker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.session import memory
from ui.text.escape import md, short

FEW = 12  # options that are listed; of more, one is searched for
LONGEST = 60  # letters of a part


class Line:
    """The line of choices of a page. Pickers of `choices` that get it as their place are drawn as its parts.

    first : keys of the parts at the beginning, though their pickers are drawn later
    last : key of the part at the end, though its picker is drawn earlier; "" = none
    """

    def __init__(self, *first: str, last: str = "") -> None:
        along: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
        whole = st.container(key="choices", **along)
        whole.markdown("Showing:", width="content")
        self.row = whole.container(key="choices-in-turn", **along)  # laid out as if its parts were those of the whole
        self.reserved = {key: self.row.empty() for key in first} | ({last: whole.empty()} if last else {})
        self.inside: dict[str, DeltaGenerator] = {}
        if badge := memory.get("in-the-line"):
            with whole.container(key="in-the-line", width="content"):
                st.markdown(badge)
        self.below = st.container(key="below-choices")

    def part(self, key: str, words: str, *, changed: bool) -> DeltaGenerator:
        """The place of the picker of `key`. words : its choice; changed : whether it is not the page's default"""
        label = md(short(words, LONGEST)) if words.strip() else "…"
        place = self.reserved.get(key, self.row)
        self.inside[key] = place.popover(f"**{label}**" if changed else label, type="tertiary", key=f"part-{key}")
        return self.inside[key]

    def choose_one(
        self, label: str, options: Sequence[Any], *, key: str, default: Any, says: Callable[[Any], str] | None = None,
        lines: Mapping[Any, str] | None = None, **more: Any,
    ) -> Any:  # fmt: skip
        """One of these options, as `st.selectbox`. says : the choice in words; lines : a plain line for some options"""
        now = st.session_state[key]
        place = self.part(key, (says or more.get("format_func", str))(now), changed=now != default)
        if more.get("accept_new_options") or len(options) > FEW:
            return place.selectbox(label, options, key=key, **more)
        captions = [(lines or {}).get(option, "") for option in options] if lines else None
        worded = more.pop("format_func", str)
        as_text = lambda option: md(worded(option))  # noqa: E731  # a radio reads Markdown, which names may contain
        return place.radio(label, options, key=key, captions=captions, format_func=as_text, **more)

    def choose_several(
        self, label: str, options: Sequence[Any], *, key: str, changed: bool, words: str, **more: Any
    ) -> Any:
        """Some of these options, as `st.multiselect`."""
        return self.part(key, words, changed=changed).multiselect(label, options, key=key, **more)

    def toggle(self, label: str, *, key: str, **more: Any) -> bool:
        """A switch."""
        return self.row.toggle(label, key=key, width="content", **more)

    def caption(self, text: str) -> None:
        """A line below."""
        self.below.caption(text)

    def empty(self) -> DeltaGenerator:
        """A place below."""
        return self.below.empty()

    def popover(self, label: str, **more: Any) -> Any:
        """Further pickers that open in the line."""
        return self.row.popover(label, type="tertiary", **more)
