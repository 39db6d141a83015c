"""Draw the menu, the sidebar and the chosen page, at every run of a visit."""

from contextlib import nullcontext
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from evalcore.turns import OWNER
from ui.app import kept_uploads, visit_log
from ui.data import open_options, open_studies, saved_studies, study_choice
from ui.layout import browser_tasks, deep_links, definition_links, menu, page
from ui.serving import login
from ui.session import memory, runs, url_state
from ui.tours import tour_navigation

UI = Path(__file__).parents[1]  # an installed program is started anywhere


def draw() -> None:
    """Draw the requested page, with menu and sidebar."""
    st.set_page_config(page_title="Poolscope", page_icon="ui/icon.png", layout="wide")
    with runs.marked():
        _draw()


def _draw():
    st.logo(str(UI / "logo.svg"), size="large", icon_image=str(UI / "icon.png"))
    entries = {path: st.Page(path, title=page.name, default=path == menu.HOME) for path, page in menu.PAGES.items()}
    chosen = st.navigation(list(entries.values()), position="hidden")  # the menu is drawn in the sidebar
    st.set_page_config(page_title=f"{chosen.title} · Poolscope")
    login.require()
    alone = st.query_params.get("figure")  # a figure in another site's frame: nothing of a visitor's is in it
    if alone is None:
        kept_uploads.come_back()
    OWNER.set(memory.get("whose") or get_script_run_ctx().session_id)  # type: ignore[union-attr]
    if alone is None:
        saved_studies.named_at_start()
    saved_studies.of_server()
    deep_links.lead_on(chosen.title)
    memory.arrive(chosen.title)
    keeping = kept_uploads.keeping() if alone is None else nullcontext()
    with visit_log.drawing(chosen.title), keeping, saved_studies.noting():
        open_options.settle_assumptions()
        definition_links.arrive()
        with st.sidebar:
            page.menu()
            open_studies.choose()
            memory.put("beside", st.container())  # for what the page asks of its study
            browser_tasks.show(chosen.title)
            login.way_out()
        if name := study_choice.given_name():
            st.set_page_config(page_title=f"{chosen.title} · {name} · Poolscope")
        page.style(url_state.value_of("figure"))
        show_printed = tour_navigation.follow(menu.NAMED[chosen.title])
        deep_links.run(chosen)
        show_printed()
        page.answer_the_link()
        definition_links.draw()
        url_state.write()
