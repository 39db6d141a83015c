"""Share the open study with a link, and stop sharing it, in the sidebar."""

import time

import streamlit as st

from evalcore.vocabulary.sentences import digits
from ui.data import open_studies, server_studies, study_choice
from ui.session import answers, memory, url_state
from ui.text.escape import md

WHAT = (
    "Everybody with the link can open and save this study, but not change it, for {}. The server keeps a copy of the "
    "files, options, choices, pinned systems and notes as they are now."
)
ONLY_HERE = "Only this browser can stop sharing, until you close it."
INSTEAD = "To share it anyway, save the study and send the file."
ONLY_YOU = "Only you can stop sharing."
UNREADABLE = "The server cannot read its list of shared studies now, so your links are not shown. Try again later."


def offer() -> None:
    """Show the links of this visitor, and the button that makes one; only where the server allows it."""
    who, days = memory.get("whose"), server_studies.days()
    if who is None or not days or st.context.is_embedded:
        return
    can_share = open_studies.source().private and study_choice.name() != "folder"  # whose files are the server's
    try:
        links, unreadable = server_studies.shared_by(who), ""
    except server_studies.Unreadable:
        links, unreadable = [], UNREADABLE
    if not can_share and not links:
        return
    with st.popover("Share with a link"):
        if refused := memory.get("not-shared") or unreadable:
            st.error(md(refused))
        if can_share:
            who_stops = ONLY_YOU if st.user.get("is_logged_in") else ONLY_HERE
            st.markdown(f"{WHAT.format(digits(days, 'day'))} {who_stops}")
            st.button("Create a link", on_click=_share, args=(who,))
        for number, link in enumerate(links):
            until = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(link.expires))
            st.markdown(f"{md(link.label)}, until {until}")
            st.code(url_state.link(study=link.name), language=None)
            st.button("Stop sharing", key=f"stop-sharing-{number}", on_click=_stop, args=(link.name, who))


def _share(who):
    memory.put("not-shared", "")
    try:
        data = memory.get("save")(whole=True)
        server_studies.share(who, study_choice.label(), data)
    except ValueError as refused:  # an InputError is one
        memory.put("not-shared", f"{refused} {INSTEAD}")


def _stop(name, who):
    memory.put("not-shared", "")
    try:
        server_studies.remove(name, who)
    except ValueError as refused:
        memory.put("not-shared", str(refused))
    else:
        answers.CACHE.leave(name)
