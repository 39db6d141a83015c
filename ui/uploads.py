"""The Data page's doors: files in and out, the table of systems to edit, and the conventions to choose."""

import streamlit as st

import evalcore
from evalcore.beside import ADDED, UNKNOWN, Lacking
from evalcore.sentences import digits, opening
from ui import choices, column_roles, given, page, session, sources, studies
from ui.escape import md, text
from ui.views.collection import assumptions as assumptions_in
from ui.views.collection import by_check, in_sight

LABELS = {
    "runs": ("Runs", "TREC's six columns, MS MARCO's three, JSON, CSV, Excel; many files, .gz or .zip"),
    "qrels": ("Judgments", "TREC qrels, BEIR, JSON, CSV, Excel; .gz"),
    "systems": ("Systems table (optional)", "CSV, TSV or Excel with a header: run, group, pooled"),
    "queries": ("Queries table (optional)", "CSV, TSV or Excel with a header: query, topic"),
    "truth": ("Truth (optional)", "All of the judgments above, with the same grades, and those that pooling missed"),
}
FORMATS = (
    "TREC, MS MARCO, BEIR and JSON; **CSV** with commas, semicolons or tabs and **Excel** (.xlsx), columns in any "
    "order, UTF-8 or UTF-16; .gz and .zip, also of a whole track. Each file is recognised by its content. A workbook "
    "may have 500,000 cells; a CSV file may be of any size."
)
ONE_QRELS = (
    "A study has one file of judgments. Select the other: remove it, or take it as the truth, if it holds all of the "
    "first and what pooling missed. A second opinion is loaded on the Judgments page."
)
EXAMPLES = {"runs.csv": "text/csv", "judgments.csv": "text/csv", "run.txt": "text/plain", "qrels.txt": "text/plain"}


def files():
    """Uploaders, what is to be said of the files, and the list of those that are loaded."""
    with st.container(key="doors"):
        _uploader(st, "Open your own files: runs and judgments, together", "any", several=True)
        left, right = st.columns([4, 1], vertical_alignment="top")
        left.markdown(f":small[{FORMATS}]")
        with right:
            examples()
        above = st.container()  # has its place before it is filled: an uploader that moves drops what it is receiving
        with st.expander("Load your own runs and judgments one by one, tables of systems and queries, or the truth"):
            places = [place for _ in range(3) for place in st.columns(2)]  # on a phone in this order
            for place, (role, (label, note)) in zip(places, LABELS.items(), strict=False):
                _uploader(place, label, role, several=role == "runs")
                place.markdown(f":small[{note}]")
    with above:
        column_roles.swaps()
        column_roles.steps()
        if held := studies.files():
            several = sum(file["role"] == "qrels" for file in held.values()) > 1
            title = f"Loaded files ({len(held)}), kept while this tab is open; a reload finds them for up to an hour"
            with st.expander(title, expanded=several):
                if several:
                    st.markdown(ONE_QRELS)
                loaded_files(held)


def _uploader(where, label, role, *, several=False, take=studies.take_uploads, note=None):
    """An uploader. What it receives is looked at in sight of it, and the page is drawn anew."""
    key = studies.uploader_key(role)
    held = where.file_uploader(label, accept_multiple_files=several, key=key, help=note)
    with where.container():  # has its place before it is filled, as above
        if held:
            take(role, held if several else [held])
            st.rerun()


def to_the_scores():
    """Below a visitor's files that are open: the way to their first intervals."""
    if studies.name() == "files":
        st.page_link(
            "pages/scores.py", label="Your files are open: **see how good each system is, and how sure that is**"
        )


def truth_of(study):
    """Below a visitor's files that are open: what their truth shows, or what is wrong with it."""
    source = studies.source()
    if not source.private or source.truth is None:
        return
    try:
        beside = studies.with_truth(study)
    except evalcore.InputError as error:
        page.problems(error.problems, folded=False, key="problems-truth")
    except Lacking as refused:
        st.error(md(opening(str(refused))))
        st.button(f"Add the {digits(refused.count, 'judgment')}", on_click=studies.add_to_truth, key="add-to-truth")
    except ValueError as refused:
        st.error(md(opening(str(refused))))
    else:
        name = md(source.truth.name)
        st.caption(f"{name} is the truth: *Show the truth*, on Scores and other pages, marks what it says.")
        for finding in beside.findings:
            if finding.check in (UNKNOWN["truth"], ADDED):
                st.markdown(f"{BADGES[finding.severity]} {md(finding.message)}")


def examples():
    """A few lines of runs and judgments to download, as tables and as TREC has them."""
    with st.popover("Example files", width="stretch"):
        st.caption("Two systems as a table, the first of them as TREC has it, and their judgments in both forms.")
        for name, kind in EXAMPLES.items():
            data = (sources.SAMPLE_DATA / "example" / name).read_bytes()
            st.download_button(name, data, f"example-{name}", kind, key=f"example-{name}", on_click="ignore")


def loaded_files(held):
    """The loaded files, which stay when the uploader forgets them, and how to remove them."""
    keys = list(held)
    rows = [
        {
            "file": text(f["name"]),
            "as": sources.ROLES[given.UNKNOWN if f["problem"] else f["role"]],
            "kB": f["size"] / 1000,
            "sha256": f["digest"][:12],
        }
        for f in held.values()
    ]
    own = session.digest_of({"keys": keys})[:12]  # of other rows none is selected, though they are as many
    chosen = st.dataframe(
        rows, hide_index=True, height=page.height_of(rows, most=250), key=f"loaded-{own}", on_select="rerun",
        selection_mode="multi-row", column_config={"kB": st.column_config.NumberColumn(format="%.1f")},
    )  # fmt: skip
    picked = [keys[i] for i in chosen.selection.rows if i < len(keys)]
    selected = f"Remove {len(picked)} selected" if picked else "Remove selected"
    with st.container(horizontal=True):
        st.button(selected, disabled=not picked, on_click=studies.remove_files, args=(picked,))
        st.button("Remove all", on_click=studies.remove_files, args=(keys,))
        if len(picked) == 1 and held[picked[0]]["role"] == "qrels":
            st.button("Take as the truth", on_click=studies.take_as_truth, args=(picked[0],))
        if len(roles := {held[key]["role"] for key in picked}) == 1 and roles <= set(given.OTHER):
            other = sources.ROLES[given.OTHER[roles.pop()]]
            st.button(f"Take as {other}", on_click=studies.take_as_other, args=(picked,))


BADGES = {"error": ":red-badge[✕ error]", "warning": ":orange-badge[▲ warning]", "note": ":gray-badge[note]"}


def checks(study, findings):
    """What the checks found, the most serious first: a line per check, the last notes folded, and buttons that mend it;
    every finding below."""
    found = by_check(findings.table)
    if not len(found):
        st.markdown(":green-badge[✓ nothing] No check found anything to report.")
    first = in_sight(found)
    _say_checks(found[:first])
    if len(found) > first:
        with st.expander(digits(len(found) - first, "more note")):
            _say_checks(found[first:])
    fixes(study, findings)
    with st.expander(f"Every finding ({digits(len(findings.table), 'row')})"):
        wide = {"message": st.column_config.TextColumn("finding", width="large")}
        order = ["severity", "check", "system", "topic", "count", "message"]
        page.sheet(findings.table, "findings", config=wide, column_order=order)
        page.downloads(findings, key="findings", title="What the checks found")


EXCHANGED = {"rank": 5, "score": 4}  # of TREC's six columns
MOST_FIXES = 3


def fixes(study, findings):
    """Below the checks of a visitor's files: buttons that mend what was found in a run, or leave the run out."""
    if not studies.source().private:
        return
    file_of = dict(zip(study.system_table["system"], study.system_table["file"], strict=True))
    rows = findings.table[(findings.table["severity"] != "note") | findings.table["check"].isin(MENDED)]
    offered = {}
    for row in rows.itertuples():
        name = row.message.partition(":")[0] if row.check == "ranks not read" else file_of.get(row.system)
        if (key := studies.key_of(name)) is None:
            continue
        if row.check in MENDED:
            label, columns = MENDED[row.check]
            mended = (studies.files()[key]["columns"] or {}) | columns
            offered[label.format(md(name))] = studies.take_columns, ([key], mended)
        if row.severity != "note":
            offered[f"Leave out {md(name)}"] = studies.remove_files, ([key],)
    with st.container(horizontal=True):
        for label, (act, arguments) in list(offered.items())[: 2 * MOST_FIXES]:
            st.button(label, on_click=act, args=arguments, key=f"fix-{label}")


MENDED = {  # check -> what a button says and how the file is read then
    "ranks not read": ("Exchange rank and score of {}", EXCHANGED),
    "run upside down": ("Reverse the scores of {}", {"reverse": True}),
}


def _say_checks(found):
    for severity, message in zip(found["severity"], found["message"], strict=True):
        st.markdown(f"{BADGES.get(severity, '')} {md(message)}")


def assumptions(study, findings):
    """What was assumed, in words, and a form to choose otherwise; both folded."""
    said = assumptions_in(findings.table)
    now, scale = studies.assumed(), study.judgments.scale
    with st.expander(f"What was assumed ({digits(len(said), 'sentence')})"):
        st.markdown("\n".join(f"- {md(sentence)}" for sentence in said))
        if scale.g_max > scale.rel_level:
            higher = {"rel_level": scale.rel_level + 1}
            label = f"Count as relevant from grade {higher['rel_level']}"
            st.button(label, on_click=studies.assume_at_once, kwargs=higher)
    with st.expander("Assume something else"), st.form("assumptions", border=False):
        st.caption("What you choose holds for every study that you open, until you choose otherwise.")
        places = st.columns(2)
        said = {}
        for i, (name, option) in enumerate(studies.ASSUMED.items()):
            values = list(dict.fromkeys([*option.choices, now[name]]))
            shown = {"format_func": option.words, "key": f"assume-{name}"}
            if shown["key"] not in st.session_state:
                shown["index"] = values.index(now[name])
            said[name] = places[i % 2].selectbox(option.label, values, **shown)
        if st.form_submit_button("Use these"):
            studies.assume(said)
            st.rerun()


def systems_table(study, systems):
    """Group and pooled of every system, to be edited; the study follows when the changes are used."""
    rows = systems.table[["system", "group", "pooled"]]
    shown = {
        "group": st.column_config.TextColumn(help="The team that a system comes from."),
        "pooled": st.column_config.CheckboxColumn(help="Whether it helped to build the pool."),
    }
    with st.form("systems-form", border=False):
        edited = st.data_editor(
            rows, hide_index=True, disabled=["system"], height=page.height_of(rows, most=300), column_config=shown,
            key=f"systems-{study.digest[:12]}",
        )  # fmt: skip
        with st.container(horizontal=True):
            use = st.form_submit_button("Use these groups and contributors")
            back = st.form_submit_button("Back to the file's", disabled=studies.edited_systems() is None)
    if use or back:
        studies.edit_systems(as_tsv(edited) if use else None)
        st.rerun()
    if table := studies.edited_systems():
        st.caption("The study uses the table as edited. Its scripts ask for it by name: keep it with the runs.")
        st.download_button("Download the edited table", table.data, table.name, "text/plain", on_click="ignore")


def as_tsv(table):
    """A table of systems as evalcore reads it."""
    rows = zip(table["system"], table["group"].fillna(""), table["pooled"], strict=True)
    lines = (f"{run}\t{text(group)}\t{'yes' if pooled else 'no'}\n" for run, group, pooled in rows)
    return "".join(["run\tgroup\tpooled\n", *lines]).encode("utf-8")


def second_opinion(study):
    """The doors of a second qrels. -> the study with it beside its own, or None where there is none, or none that can
    be read, which is said"""
    second = studies.second_qrels()
    level = _second_qrels(second)
    try:
        return studies.judged_twice(study, level) if second else None
    except evalcore.InputError as error:
        page.problems(error.problems, folded=False, key="problems-second")
        return None


def _second_qrels(second):
    """An uploader for a second qrels, what is there, and from which grade on it finds a document relevant."""
    left, right = st.columns([2, 1])
    note = "Another assessor's, a language model's, or those of a later round."
    _uploader(left, "Other judgments of the same track", "other", take=studies.take_second, note=note)
    left.markdown(f":small[{LABELS['qrels'][1]}]")
    file = studies.second_file()
    if file and file["table"]:
        column_roles.step(file, "second", studies.take_columns_of_second)
    if second is None and file:
        st.button("Remove", key="remove-second", on_click=studies.remove_second)
        return None
    if second is None:
        st.caption("Two sets of judgments show how far the findings hang on who judged.")
        return None
    note = "Where the two have other scales, choose from which grade on the second finds a document relevant."
    levels = studies.SECOND_LEVELS
    level = choices.one(right, "It finds relevant from grade", levels, key="other_rel_level", help=note)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Second judgments: {text(second.name)}")
        st.button("Remove", key="remove-second", on_click=studies.remove_second)
    return None if level == levels[0] else level
