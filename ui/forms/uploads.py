"""Parts of the Data page: uploaders, loaded files, checks, the systems table, and options for reading files."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import ModuleType
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore
from evalcore.answers import Answer
from evalcore.study.extra_qrels import ADDED, UNKNOWN, Lacking
from evalcore.study.opening import OPTIONS
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, listed, opening
from ui.components import choices
from ui.data import (
    additions,
    open_options,
    open_studies,
    saved_studies,
    sources,
    study_choice,
    upload_bundles,
    uploaded_file,
    visitor_files,
)
from ui.forms import column_roles
from ui.layout import page, section
from ui.layout.deep_links import SECOND
from ui.layout.menu import NAMED
from ui.session import memory
from ui.session.visit import LoadedFile
from ui.text.escape import md, text
from ui.views.data_overview import assumptions as assumptions_in
from ui.views.data_overview import by_check, in_sight

LABELS = {
    "runs": ("Runs", "TREC (six columns), MS MARCO (three), JSON, CSV, Excel; one or many files, .gz or .zip"),
    "qrels": ("Judgments", "TREC qrels, BEIR, JSON, CSV, Excel; .gz"),
    "systems": ("Systems table (optional)", "CSV, TSV or Excel with a header: run, group, pooled"),
    "queries": ("Queries table (optional)", "CSV, TSV or Excel with a header: query, topic"),
    "truth": ("Complete judgments (optional)", "All judgments above, with the same grades, and further judgments"),
    "excluded": ("Documents to leave out (optional)", "As judgments: topic and document; left out of all rankings"),
}
UPLOAD_LABEL = "Open your own files: runs and judgments together"
FORMATS = (
    "TREC, MS MARCO, BEIR, JSON, **CSV** (UTF-8 or UTF-16), **Excel** (.xlsx, .xls, .ods, up to 500,000 cells), "
    "Parquet, .gz, .lz4, .zip, .tar. "
    "Each file is recognised by its content. Columns may be in any order, and an archive may contain a whole track. "
    "A saved study (.poolscope) opens as it was."
)
ONE_QRELS = (
    "Several judgment files are loaded, but a track uses one. Select an extra file, then remove it or, if it contains "
    "all judgments of the first file and more, use it as complete judgments. Load second judgments on the Judges page."
)
EXAMPLES = {"runs.csv": "text/csv", "judgments.csv": "text/csv", "run.txt": "text/plain", "qrels.txt": "text/plain"}


def files() -> None:
    """Show the uploaders, questions about the files, and the list of loaded files."""
    with st.container(key="doors"):
        left, right = st.columns([4, 1], vertical_alignment="bottom")
        uploader(left, UPLOAD_LABEL, "any", several=True, take=saved_studies.take_uploads)
        with right:
            examples()
        above = st.container()  # reserved first: an uploader that moves loses what it is receiving
        with st.expander("File formats, and loading one by one"):
            st.markdown(f":small[{FORMATS}]")
            places = [place for _ in range(3) for place in st.columns(2)]  # on a phone in this order
            for place, (role, (label, note)) in zip(places, LABELS.items(), strict=False):
                uploader(place, label, role, several=role == "runs")
                place.markdown(f":small[{note}]")
    with above:
        if refused := memory.get("not-opened"):
            st.error(md(refused))
        _continue()
        _ask_about(visitor_files.undecided())
        _added(visitor_files.added())
        column_roles.swaps()
        column_roles.steps()
        if uploads := visitor_files.files():
            several = sum(file.role == "qrels" for file in uploads.values()) > 1
            with st.expander(f"Loaded files ({len(uploads)})", expanded=several):
                if several:
                    st.markdown(ONE_QRELS)
                loaded_files(uploads)
                st.caption("Files are kept while this tab is open. A reload within an hour finds them again.")


def _continue():
    """A link to where the open study was saved."""
    page_saved, address = saved_studies.saved_at()
    if path := NAMED.get(page_saved):
        st.page_link(path, label=f"**Continue on {page_saved}**, where the study was saved", query_params=address)


def _ask_about(undecided):
    """Ask what uploaded files are for; the track stays open meanwhile."""
    if not undecided:
        return
    track = study_choice.label()
    runs, qrels = ([md(file.name) for file in undecided if file.role == role] for role in ("runs", "qrels"))
    with st.container(border=True, key="undecided"):
        if runs:
            st.markdown(f"**{listed(runs)}: {'a run' if len(runs) == 1 else 'runs'}.** Add to the open track?")
        if qrels:
            st.markdown(f"**{listed(qrels)}: judgments.** What are they for?")
        offered = {"add": f"Add to {track}"} if runs else {}
        if qrels:
            offered |= {"judge": "Judges: compare with those of the track"}
        if len(qrels) == 1:
            offered |= {
                "second": "Second judgments: compare two assessors",
                "truth": "Complete judgments: contain the track's and more",
                "qrels": f"Use in place of the judgments of {track}",
            }
        with st.container(horizontal=True):
            for purpose, label in (offered | {"alone": "Open as another track", None: "Discard"}).items():
                st.button(label, on_click=visitor_files.decide, args=(purpose,), key=f"decide-{purpose}")
        missing = [word for word, has in (("runs", runs), ("judgments", qrels)) if not has]
        if missing:
            st.caption(f"To open your own track, also load its {missing[0]}.")


def _added(files):
    """List the files that were added to a sample or to the server's track."""
    if not files:
        return
    with st.expander(f"Files added to {study_choice.label()} ({len(files)})", expanded=True):
        for key, file in files.items():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{text(file.name)}: {sources.LABELS[file.role]}")
                removed = [key], study_choice.name()
                st.button("Remove", on_click=visitor_files.remove, args=removed, key=f"drop-{key}")


def uploader(
    where: DeltaGenerator | ModuleType, label: str, role: str, *, several: bool = False,
    take: Callable[[str, Any], None] = visitor_files.take_uploads, note: str | None = None,
) -> None:  # fmt: skip
    """An uploader. What it receives is examined below it, then the page is drawn again."""
    key = visitor_files.uploader_key(role)
    upload = where.file_uploader(label, accept_multiple_files=several, key=key, help=note)
    with where.container():  # reserved first, as above
        if upload:
            uploads: Any = upload if several else [upload]
            take(role, upload_bundles.separated(uploads))
            upload_bundles.drop(upload.file_id for upload in uploads if upload.type == upload_bundles.TYPE)
            st.rerun()


def to_the_judges() -> None:
    """Say which judges a visitor loaded, with a link to what they show."""
    if names := list(study_choice.own().judges):
        st.page_link("pages/judges.py", label=f"Judges: {md(listed(names))}. **See which of them you can trust**")


def to_second_judgments() -> None:
    """Link to what second judgments change."""
    label = "Second judgments are on Judges. **See which systems change rank under them**"
    st.page_link("pages/judges.py", label=label, query_params={"open": SECOND})


def to_the_scores() -> None:
    """Link a visitor's open files to their first intervals."""
    if study_choice.name() == visitor_files.OWN:
        st.page_link("pages/scores.py", label="Your files are open. **See how good each system is**")


def truth_of(study: Study) -> None:
    """Show what a visitor's complete judgments are used for, or what is wrong with them."""
    source = open_studies.source()
    truth = source.file("truth")
    if not source.private or truth is None:
        return
    try:
        with_truth = additions.attached_to(study, "truth")
    except evalcore.InputError as error:
        page.problems(error.problems, folded=False, key="problems-truth")
    except Lacking as refused:
        st.error(md(opening(str(refused))))
        st.button(
            f"Add the missing {digits(refused.count, 'judgment')}",
            on_click=additions.add_to_truth,
            key="add-to-truth",
        )
    except ValueError as refused:
        st.error(md(opening(str(refused))))
    else:
        name = md(getattr(truth, "name", truth))
        st.caption(
            f"{name} contains the complete judgments. Use *Compare with complete judgments* on Scores and other pages."
        )
        for finding in with_truth.findings:
            if finding.check in (UNKNOWN["truth"], ADDED):
                st.markdown(f"{BADGES[finding.severity]} {md(finding.message)}")


def examples() -> None:
    """Offer small example runs and judgments, as tables and in TREC format."""
    with st.popover("Example files", width="stretch"):
        st.caption("Two systems in a table, one of them also in TREC format, and their judgments in both formats.")
        for name, kind in EXAMPLES.items():
            data = (sources.SAMPLE_DATA / "example" / name).read_bytes()
            st.download_button(name, data, f"example-{name}", kind, key=f"example-{name}", on_click="ignore")


def loaded_files(uploads: Mapping[str, LoadedFile]) -> None:
    """List the loaded files, with buttons to remove them or change their role."""
    keys = list(uploads)
    rows = [
        {
            "file": text(file.name),
            "as": sources.LABELS[uploaded_file.UNKNOWN if file.problem else file.role],
            "kB": file.size / 1000,
            "sha256": file.digest[:12],
        }
        for file in uploads.values()
    ]
    own = memory.digest_of({"keys": keys})[:12]  # so that other files start unselected
    chosen = st.dataframe(
        rows, hide_index=True, height=section.height_of(rows, most=250), key=f"loaded-{own}", on_select="rerun",
        selection_mode="multi-row", column_config={"kB": st.column_config.NumberColumn(format="%.1f")},
    )  # fmt: skip
    picked = [keys[i] for i in chosen.selection.rows if i < len(keys)]
    selected = f"Remove {len(picked)} selected" if picked else "Remove selected"
    with st.container(horizontal=True):
        st.button(selected, disabled=not picked, on_click=visitor_files.remove, args=(picked, visitor_files.OWN))
        st.button("Remove all", on_click=visitor_files.remove, args=(keys, visitor_files.OWN))
        if len(picked) == 1 and uploads[picked[0]].role == "qrels":
            st.button("Use as complete judgments", on_click=visitor_files.take_as_truth, args=(picked[0],))
        if len(roles := {uploads[key].role for key in picked}) == 1 and roles <= set(uploaded_file.OTHER):
            other = sources.LABELS[uploaded_file.OTHER[roles.pop()]]
            st.button(f"Use as {other}", on_click=visitor_files.take_as_other, args=(picked,))


BADGES = {"error": ":red-badge[✕ error]", "warning": ":orange-badge[▲ warning]", "note": ":gray-badge[note]"}


def step_of_checks(done: int, total: int) -> str:
    """The line above the bar while the checks run."""
    return (
        f"Checking runs and judgments: step {done + 1} of {total} …" if total > 1 else "Checking runs and judgments …"
    )


def checks(study: Study, findings: Answer) -> None:
    """Show the checks, the most serious first: a line per check with buttons that fix its files, and every finding."""
    rows, fixes = by_check(findings.table), _fixes(study, findings.table)
    if not len(rows):
        st.markdown(":green-badge[✓ ready] The checks found no problems.")
    first = in_sight(rows)
    _say_checks(rows[:first], fixes)
    if len(rows) > first:
        with st.expander(digits(len(rows) - first, "more note")):
            _say_checks(rows[first:], fixes)
    with st.expander(f"Details by file and topic ({digits(len(findings.table), 'row')})"):
        wide = {"message": st.column_config.TextColumn("finding", width="large")}
        order = ["severity", "check", "system", "topic", "count", "message"]
        section.sheet(findings.table, "findings", config=wide, column_order=order)
        section.downloads(findings, key="findings", title="Checks")


EXCHANGED = {"rank": 5, "score": 4}  # of TREC's six columns
MOST_FIXES = 3
ITSELF = "query ranks itself"
MOST_LEVELS = 20  # grades offered as the lowest relevant one


def _fixes(study, table):
    """Buttons that leave out queries which rank themselves, fix a visitor's run, or leave it out: (severity, check) ->
    label -> callback and its arguments."""
    file_of = dict(zip(study.system_table["system"], study.system_table["file"], strict=True))
    fixes: dict[tuple[str, str], dict[str, tuple[Callable[..., None], tuple[Any, ...]]]] = {}
    for severity in table.loc[table["check"] == ITSELF, "severity"]:
        leave_out = partial(open_options.assume_at_once, itself="drop")
        fixes[severity, ITSELF] = {"Leave out each query's own document": (leave_out, ())}
    for row in table.itertuples():
        if option := OFFERED.search(row.message):
            alike = partial(open_options.assume_at_once, names=option[1])
            label = f"Compare names: {md(OPTIONS['names'].words(option[1]))}"
            fixes.setdefault((row.severity, row.check), {})[label] = alike, ()
    rows = table[(table["severity"] != "note") | table["check"].isin(MENDED)]
    for row in rows.itertuples() if open_studies.source().private else ():
        name = row.message.partition(":")[0] if row.check == "ranks not read" else file_of.get(row.system)
        if (key := visitor_files.key_of(name)) is None:
            continue
        offered = fixes.setdefault((row.severity, row.check), {})
        if row.check in MENDED:
            label, columns = MENDED[row.check]
            mended = (visitor_files.files()[key].columns or {}) | columns
            offered[label.format(md(name))] = visitor_files.take_columns, ([key], mended)
        if row.severity != "note":
            offered[f"Leave out {md(name)}"] = visitor_files.remove, ([key], visitor_files.OWN)
    return fixes


OFFERED = re.compile(r"set the option names to (.+)\.$")  # at the end of a finding
MENDED: dict[str, tuple[str, dict[str, Any]]] = {  # check -> label of the button, and how the file is then read
    "ranks not read": ("Swap rank and score of {}", EXCHANGED),
    "better by rank": ("Order {} by its rank column", {"order": "rank"}),
    "run upside down": ("Reverse the scores of {}", {"reverse": True}),
}


def _say_checks(rows, fixes):
    """Each check with its own buttons below it."""
    for severity, check, message in zip(rows["severity"], rows["check"], rows["message"], strict=True):
        st.markdown(f"{BADGES.get(severity, '')} {md(message)}")
        if offered := list(fixes.get((severity, check), {}).items())[: 2 * MOST_FIXES]:
            with st.container(horizontal=True):
                for label, (act, arguments) in offered:
                    st.button(label, on_click=act, args=arguments, key=f"fix-{check}-{label}")


def assumptions(study: Study, findings: Answer) -> None:
    """List the assumptions, with a form to change them; both collapsed."""
    sentences = assumptions_in(findings.table)
    now, scale = open_options.assumed(), study.judgments.scale
    with st.expander(f"Assumptions ({len(sentences)})"):
        st.markdown("\n".join(f"- {md(sentence)}" for sentence in sentences))
        if scale.g_max > scale.rel_level:
            higher = {"rel_level": scale.rel_level + 1}
            label = f"Count only grade {higher['rel_level']} and higher as relevant"
            st.button(label, on_click=open_options.assume_at_once, kwargs=higher)
    with st.expander("Change assumptions"), st.form("assumptions", border=False):
        st.caption("These options apply to all data that you open, until you change them.")
        places = st.columns(2)
        chosen = {}
        for i, (name, option) in enumerate(open_options.ASSUMED.items()):
            values = list(dict.fromkeys([*option.choices, now[name]]))
            if name == "rel_level":  # of fractions, all may be below 1
                values = sorted({*values, *(grade for grade in scale.grades[:MOST_LEVELS] if grade > 0)})
            shown: dict[str, Any] = {"format_func": option.words, "key": f"assume-{name}"}
            if shown["key"] not in st.session_state:
                shown["index"] = values.index(now[name])
            chosen[name] = places[i % 2].selectbox(option.label, values, **shown)
        if st.form_submit_button("Apply options"):
            open_options.assume(chosen)
            st.rerun()


def systems_table(study: Study, systems: Answer) -> None:
    """A table to edit the group and contribution of every system, all at once or by group."""
    own = f"systems-{study.digest[:12]}"
    rows = systems.table[["system", "group", "pooled"]]
    ticked = memory.get(own, {})
    rows = rows.assign(pooled=[ticked.get(*pair) for pair in zip(rows["system"], rows["pooled"], strict=True)])
    _ticks(rows, own)
    shown = {
        "group": st.column_config.TextColumn(help="The team that a system comes from."),
        "pooled": st.column_config.CheckboxColumn(help="Whether the system contributed to the pool."),
    }
    with st.form("systems-form", border=False):
        edited = st.data_editor(
            rows, hide_index=True, disabled=["system"], height=section.height_of(rows, most=300), column_config=shown,
            key=f"{own}-{memory.get(f'{own}-ticks', 0)}",
        )  # fmt: skip
        with st.container(horizontal=True):
            use = st.form_submit_button("Apply changes")
            back = st.form_submit_button("Undo changes", disabled=open_options.edited_systems() is None)
    if use or back:
        memory.put(own, {})
        open_options.edit_systems(as_tsv(edited) if use else None)
        st.rerun()
    if table := open_options.edited_systems():
        st.caption("The edited table is in use. Scripts need it: download it and keep it with the runs.")
        st.download_button("Download the edited table", table.data, table.name, "text/plain", on_click="ignore")


def _ticks(rows, own):
    """Buttons that tick or untick all systems of the table, or a group; another says at once that all contributed."""

    def tick(chosen, on):
        memory.put(own, memory.get(own, {}) | dict.fromkeys(chosen, on))
        memory.put(f"{own}-ticks", memory.get(f"{own}-ticks", 0) + 1)  # a new table shows them

    st.caption("Tick the systems that contributed to the pool, then apply the changes; or say that all contributed.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        everyone = "all systems"
        groups = sorted({group for group in rows["group"].dropna() if group})
        of = everyone
        if groups:
            of = st.selectbox("Systems to tick", [everyone, *groups], key=f"{own}-of", width=choices.WIDTH)
        chosen = list(rows["system"][rows["group"].eq(of)] if of != everyone else rows["system"])
        for label, on in (("Tick", True), ("Untick", False)):
            st.button(f"{label} {md(of)}", on_click=tick, args=(chosen, on), key=f"{own}-{label}")
        everything = as_tsv(rows.assign(pooled=True))
        st.button("All contributed", on_click=open_options.edit_systems, args=(everything,), key=f"{own}-all")


def as_tsv(table: pd.DataFrame) -> bytes:
    """A systems table in the format that evalcore reads."""
    rows = zip(table["system"], table["group"].fillna(""), table["pooled"], strict=True)
    lines = (f"{run}\t{text(group)}\t{'yes' if pooled else 'no'}\n" for run, group, pooled in rows)
    return "".join(["run\tgroup\tpooled\n", *lines]).encode("utf-8")


def second_judgments() -> bool:
    """An uploader of second judgments, the loaded file, and its lowest relevant grade. -> whether there are any"""
    left, right = st.columns([2, 1])
    note = "Judgments by another assessor, by a language model, or from a later round."
    uploader(left, "Second judgments", "other", take=visitor_files.take_second, note=note)
    left.markdown(f":small[{LABELS['qrels'][1]}]")
    second: Any = additions.second_qrels()
    file = study_choice.own().second
    if file and file.table:
        column_roles.step(file, "second", visitor_files.take_columns_of_second)
    if second is None and not file:
        st.caption("Load a second set of judgments to see how far the findings depend on the assessor.")
        return False
    note = "The lowest grade of the second set that counts as relevant. Choose it if the two sets use different scales."
    with st.container(horizontal=True, vertical_alignment="center"):
        if second is not None:
            choices.select(right, "Relevant from grade", additions.SECOND_LEVELS, key="other_rel_level", help=note)
            st.text(f"Second judgments: {text(second.name)}")
        st.button("Remove", key="remove-second", on_click=visitor_files.use_second)
    return second is not None
