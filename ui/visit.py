"""Draw the menu, the sidebar and the chosen page, at every run of a visit."""

import streamlit as st

from ui import address, browser, deep_links, guide, login, menu, page, session, staying, studies, visits


def draw():
    """Draw the requested page, with menu and sidebar."""
    st.set_page_config(page_title="Poolscope", page_icon="ui/icon.png", layout="wide")
    entries = {path: st.Page(path, title=one.name, default=path == menu.HOME) for path, one in menu.PAGES.items()}
    chosen = st.navigation(list(entries.values()), position="hidden")  # the menu is drawn in the sidebar
    st.set_page_config(page_title=f"{chosen.title} · Poolscope")
    login.ask()
    staying.come_back()
    session.arrive(chosen.title)
    with visits.drawing(chosen.title), staying.keeping():
        studies.settle_assumptions()
        with st.sidebar:
            page.menu()
            studies.choose()
            browser.show(chosen.title)
            login.way_out()
        page.style()
        show_printed = guide.follow(menu.NAMED[chosen.title])
        deep_links.run(chosen)
        show_printed()
        address.write()
