"""Does it hold on other collections? One number of every track, and on how many of them the same holds."""

from functools import partial

import streamlit as st

from ui.components import choices
from ui.data import tracks
from ui.forms import many_tracks, uploads
from ui.layout import definition_links, page, section
from ui.layout.menu import PAGES
from ui.report import export
from ui.session import notes
from ui.text.escape import md
from ui.views.over_tracks import dots, tiles

page.begin("A finding on one collection may be an accident. Here, many tracks are asked the same question.")
line = choices.Line("across")
compared = many_tracks.pick(line)
named = many_tracks.pick_tracks(line)
many_tracks.open_clicked(compared, named)
with page.part():
    many = many_tracks.ask_each(named, compared)
    shown = compared.of(many)
    section.say(shown.finding, key="over_tracks")
    section.caveat(many_tracks.invented(named))
    if len(shown.rows):
        make = partial(dots, shown.rows, across=compared.across, names=compared.names)
        notes.add_picture("over_tracks", "Many tracks", str(shown.finding), make)
        section.picture(make(look=section.look()), alt=str(shown.finding), key="over_tracks", picks="clicked-track")
        bars = f"Bars: {compared.across.interval_is}. " if shown.rows["low"].notna().any() else ""
        st.caption(f"{bars}Click a dot to open the track on {PAGES[compared.page].name}.")
    section.details(*tiles(shown, compared.across), key="over_tracks")
    for sentence in many_tracks.left_out(many):
        st.caption(sentence)
    if len(many.table):
        with st.expander(f"Every row of every track ({len(many.table):,})", key="rows-of-tracks"):
            section.sheet(many.table.head(section.MOST_ROWS), compared.question)
            file_name = f"tracks_{compared.question}.csv"
            st.download_button("Download CSV", lambda: export.csv(many.table), file_name, "text/csv", on_click="ignore")
            for note in many.notes:
                st.caption(md(note))
    definition_links.keep_place()

with page.fold("Add tracks of your own", key="add_tracks"):
    st.markdown(
        "Each file is one track: a study that you saved here (.poolscope), or an archive (.zip, .tar.gz) with runs and "
        "qrels. Only you see it."
    )
    uploads.uploader(st, "Tracks", "track", several=True, take=tracks.take_uploads)
    many_tracks.own_tracks()

page.how_to_read(
    "Each dot is a track. The dashed line, or the open circle, is what it is compared with. A bar is an interval.",
    "On more tracks than chance explains, the finding is probably not an accident of one collection. Tracks that share "
    "topics, documents or teams are not independent, so they count for less. Whoever tries many comparisons finds some "
    "by chance.",
    r"Sign test: $p=\min\bigl(1,\,2\sum_{i\ge k}\binom{n}{i}2^{-n}\bigr)$ for $k$ of $n$ tracks that differ.",
)
page.where_next()
