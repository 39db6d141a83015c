"""What every page is made of, from its question at the top to where to go next at the foot."""

from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from ui import export, state, theme, words
from ui.escape import md, text

PAGES = {
    "pages/data.py": ("Data", "Is my data ready, and what is missing?"),
    "pages/pool_depth.py": ("Pool depth", "What does judging deeper tell us?"),
    "pages/scores.py": ("Scores", "How good is each system, and how sure are we?"),
    "pages/estimators.py": ("Estimators", "If we guess the unjudged documents, which guess comes closest?"),
    "pages/orderings.py": ("Orderings", "Do two ways of measuring agree on who is better?"),
    "pages/new_systems.py": (
        "New systems",
        "Is a system that did not help build the pool treated fairly?",
    ),
    "pages/confidence.py": ("Confidence", "Which differences would hold on other documents and topics?"),
    "pages/fusion.py": ("Fusion", "Is the crowd better than its best member?"),
    "pages/consistency.py": ("Consistency", "Does a system answer the same need the same way?"),
    "pages/judgments.py": ("Judgments", "Can these judgments be trusted, and what should be judged next?"),
    "pages/report.py": ("Report", "What do I take home?"),
}
LARGE = "<style>html { font-size: 21px !important; }</style>"
PICTURE = {"displaylogo": False, "scrollZoom": False, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"]}

BADGES = {"error": ":red-badge[✕ error]", "warning": ":orange-badge[▲ warning]", "note": ":gray-badge[note]"}
FOUR, SHARE = "%.4f", "percent"
FORMATS = {
    **dict.fromkeys(("value", "lower", "upper", "lowest", "highest", "mean_width", "tau", "gain", "weight"), FOUR),
    **dict.fromkeys(("rmse", "rmse_plain", "mean_estimate", "mean_reference", "reference", "reference_upper"), FOUR),
    **dict.fromkeys(("error", "observed", "linear", "zipf", "weibull", "gamma", "tau_b", "tau_ap", "rbo"), FOUR),
    **dict.fromkeys(("tau_distance", "distance", "distance_per_pair", "difference", "difference_a"), FOUR),
    **dict.fromkeys(("difference_b", "certain_low", "certain_high", "t"), FOUR),
    **dict.fromkeys(("p", "p_corrected", "p_a", "p_b", "p_shallow", "p_full"), "%.3g"),
    **dict.fromkeys(("omega2_system", "omega2", "width_tukey", "width_anova", "q", "tau_low", "tau_high"), FOUR),
    **dict.fromkeys(("width", "width_low", "width_high", "ss", "ms"), FOUR),
    **dict.fromkeys(("value_without", "unadjusted", "adjustment", "adjusted", "mean", "q1", "median", "q3"), FOUR),
    "f": "%.2f",
    **dict.fromkeys(("significant", "significant_low", "significant_high", "not_significant"), "%.1f"),
    **dict.fromkeys(("top_group", "undefined"), "%.1f"),
    **dict.fromkeys(("share_significant", "common"), "percent"),
    **dict.fromkeys(("separable", "reversed", "opposite"), "percent"),
    **dict.fromkeys(("accuracy", "chao_lee"), "%.1f"),
    **dict.fromkeys(("judged_at_10", "judged_at_100", "share_relevant", "pairs_decided", "tied", "share"), SHARE),
    "per_topic": "%.1f",
    **dict.fromkeys(("value_other", "change", "kappa", "kappa_weighted", "alpha", "shift", "width_left"), FOUR),
    **dict.fromkeys(("unadjusted", "mixed", "from_systems", "from_topics", "coverage"), FOUR),
    **dict.fromkeys(("still_missing", "mean_rank"), "%.1f"),
    "overlap_relevant": SHARE,
    **dict.fromkeys(("best_input", "mean_input", "gain_over_best", "gain_over_mean", "fused", "score"), FOUR),
    **dict.fromkeys(("consistency", "sd", "rho", "all_queries", "first_query", "best_query"), FOUR),
    **dict.fromkeys(("minimum", "residual", "maximum", "extrapolated"), FOUR),
    "p_against_borda": "%.3g",
}
COUNTED = dict.fromkeys(("judgments", "documents"), "localized")  # whole numbers


# ---- the head of a page


def style():
    """The look of the whole app; app.py calls it once per run."""
    st.html(Path(__file__).with_name("page.css"))
    if state.large():
        st.html(LARGE)


def title(page, line):
    """The page's question and one plain line."""
    st.title(PAGES[page][1], anchor=False)
    with st.container(key="lead"):
        st.markdown(line)


def study(*, on_data=False):
    """The study that is open, on Data as its files make it; without one, the page says what to do and ends here."""
    opened = state.current()
    problems(opened.problems, folded=not on_data)
    if opened.study is None:
        empty(nothing_open(opened), on_data=on_data)
    with_fused = state.with_fused_runs(opened.study)
    state.begin_notes(with_fused)
    return opened.study if on_data else with_fused


def nothing_open(opened):
    """Why there is no study."""
    if opened.missing:
        return f"Nothing is open yet: {opened.missing} are missing."
    return "The files that are left do not make a study; what is wrong with the others is said above."


def empty(reason, *, on_data=False):
    """Why there is nothing to see, and what to do; the page ends here."""
    load = "load runs and judgments above" if on_data else "load a track's runs and judgments on the Data page"
    st.info(f"{md(reason)} You can open the sample, or {load}.")
    with st.container(horizontal=True):
        st.button("Open the sample", on_click=state.open_another, args=("newswire",), type="primary")
        if not on_data and st.button("Go to Data"):
            st.switch_page("pages/data.py")
    st.stop()


def problems(found, *, folded):
    """Files that had to be left out: what is wrong, where, the first bad lines, and that the rest stays."""
    if not found:
        return
    files = len({problem.file for problem in found if problem.file})
    said = f":red-badge[✕ {words.digits(files, 'file')} could not be read] Whatever can be read is kept."
    with st.expander(said, expanded=not folded, key="problems"):
        for problem in found[:20]:
            st.text(text(problem.message))
            if problem.examples:
                st.code("\n".join(text(line)[:300] for line in problem.examples[:3]), language=None)
        if len(found) > 20:
            st.text(f"… and {len(found) - 20} more problems.")


@contextmanager
def asking():
    """Around questions: what evalcore refuses is shown as it says it, and the page ends there."""
    try:
        yield
    except ValueError as refused:
        st.error(md(words.opening(str(refused))))
        st.stop()


def finding(sentence, *, key="the-finding"):
    """The sentence that the page has found, or under another key a part of it."""
    if key == "the-finding":
        state.note_finding(sentence)
    with st.container(key=key):
        st.markdown(md(sentence))


# ---- the body


def picture(figure, *, alt, key, on_select="ignore", name="poolscope"):
    """A Plotly picture that can be saved as SVG."""
    return st.plotly_chart(
        figure,
        key=key,
        alt=text(alt),
        config={**PICTURE, "toImageButtonOptions": {"format": "svg", "filename": name}},
        on_select=on_select,
        **({"selection_mode": "points"} if on_select != "ignore" else {}),
    )


def look():
    """The colours and the text size of this visitor's page."""
    return theme.look(dark=state.dark(), large=state.large())


def numbers(*items):
    """Three or four numbers: (label, value, help)."""
    for place, (label, value, note) in zip(st.columns(len(items)), items, strict=True):
        place.metric(label, value, help=note)


def readable(names, read):
    """What `read` makes of each name, once; a name that it refuses is said and left out."""
    made = []
    for name in names:
        with part():
            made.append(read(name))
    return list(dict.fromkeys(made))


@contextmanager
def part():
    """A part of the page; what evalcore refuses ends only this part."""
    try:
        yield
    except ValueError as refused:
        st.error(md(words.opening(str(refused))))


def one_by_one(study, question, *, over, values, **params):
    """A slow question asked for one value of a list after the other, under a bar that can be cancelled; then the
    answer for all of them, or None if it was cancelled."""
    bar = st.empty()
    with bar.container(border=True):
        shown = st.progress(0.0)
        st.button("Cancel", key=f"cancel-{question}", on_click=state.keep_in_mind, args=(f"stopped-{question}", True))
    if state.remember(f"stopped-{question}"):
        bar.empty()
        if not st.button("Go on", key=f"go-on-{question}"):
            return None
        state.keep_in_mind(f"stopped-{question}", False)
    for done, value in enumerate(values):
        shown.progress(done / len(values), f"{over} {value} …")
        state.ask(study, question, **{over: [value]}, **params)
    bar.empty()
    return state.ask(study, question, **{over: list(values)}, **params)


def at_length(study, question, *, takes, **params):
    """A question that takes long, under a bar that can be stopped; None while it is. It goes on where it stopped.

    takes : what is done, and how long it takes, in words
    """
    stopped = f"stopped-{question}"
    place = st.empty()
    if state.remember(stopped):
        with place.container(border=True):
            st.markdown(f"Stopped at {state.remember(f'done-{question}', '0')}. What is done is kept.")
            st.button("Go on", key=f"go-on-{question}", on_click=state.keep_in_mind, args=(stopped, False))
        return None
    with place.container(border=True):
        shown = st.progress(0.0, takes)
        st.button("Stop", key=f"stop-{question}", on_click=state.keep_in_mind, args=(stopped, True))

    def progress(done, total):
        state.keep_in_mind(f"done-{question}", f"{done:,} of {total:,}")
        shown.progress(done / total, f"{takes} {done:,} of {total:,}")

    answer = state.ask_at_length(study, question, progress, **params)
    place.empty()
    return answer


@contextmanager
def fold(title):
    """A part of the page that is computed when it is opened."""
    place = st.expander(title, on_change="rerun")
    with place, part():
        yield place.open


def table(answer, *, key, title="Table", shown=None, folded=False, height=320):
    """An answer as a table, its CSV and its script. `shown` = the rows to show when they are not all."""
    rows = answer.table if shown is None else shown
    place = st.expander(f"{title} ({words.digits(len(rows), 'row')})") if folded else st.container()
    with place:
        if not folded:
            st.markdown(f"### {title}")
        sheet(rows, height=height)
        downloads(answer, key=key, title=title)
        for note in answer.notes:
            st.caption(md(note))


def sheet(rows, *, height=320, row_height=35, config=None, **more):
    """A table whose numbers are easy to read; `config` = how single columns are shown."""
    numbers = {
        name: st.column_config.NumberColumn(format=FORMATS.get(name) if kind.kind == "f" else COUNTED.get(name))
        for name, kind in rows.dtypes.items()
        if kind.kind in "iuf"
    }
    fits = 38 + row_height * max(1, len(rows))
    return st.dataframe(
        rows,
        hide_index=True,
        height=min(height, fits),
        row_height=row_height,
        column_config={**numbers, **(config or {})},
        **more,
    )


def downloads(answer, *, key, title):
    """The table and the script as files, here and in the report."""
    state.note_table(key, title, answer)
    with st.container(horizontal=True):
        st.download_button(
            "Download CSV",
            lambda: export.csv(answer.table),
            export.file_name(answer, "csv"),
            "text/csv",
            key=f"{key}-csv",
            on_click="ignore",
        )
        st.download_button(
            "Download script",
            lambda: answer.script().encode("utf-8"),
            export.file_name(answer, "py"),
            "text/x-python",
            key=f"{key}-script",
            on_click="ignore",
            help="A program that makes exactly this table again from the same files.",
        )


def findings(answer):
    """What the checks found, the most serious first: a line per check; every finding below."""
    wide = {"message": st.column_config.TextColumn("finding", width="large")}
    checks = words.by_check(answer.table)
    if not len(checks):
        st.markdown(":green-badge[✓ nothing] No check found anything to report.")
    for severity, message in zip(checks["severity"], checks["message"], strict=True):
        st.markdown(f"{BADGES.get(severity, '')} {md(message)}")
    with st.expander(f"Every finding ({words.digits(len(answer.table), 'row')})"):
        sheet(answer.table, config=wide, column_order=["severity", "check", "system", "topic", "count", "message"])
        downloads(answer, key="findings", title="What the checks found")


# ---- the foot


def how_to_read(see, read, formula):
    """Three short columns: what you see, how to read it, the formula and its source."""
    st.markdown("## How to read this")
    heads = ("What you see", "How to read it", "Formula and source")
    for place, head, said in zip(st.columns(3, gap="medium"), heads, (see, read, formula), strict=True):
        place.markdown(f"**{head}**\n\n{said}")


def where_next(*pages):
    """Links to the pages that follow."""
    st.markdown("## Where to go next")
    for page in pages:
        name, question = PAGES[page]
        st.page_link(page, label=f"**{name}** · {question}")
