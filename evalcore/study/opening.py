"""Opening a study: reading the files, applying the options, and finding which systems contributed to the pool."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from evalcore.collection import contributor_draws, pool_inference
from evalcore.collection.judgments import GAIN_RULES, NEGATIVE_READINGS, gains_by_grade, grade
from evalcore.collection.track import Track
from evalcore.interop import in_memory
from evalcore.matching import file_checks
from evalcore.reading import column_files, id_matching, loading, several_judgments, track_cache
from evalcore.reading.files import File
from evalcore.reading.rows import FRACTIONAL
from evalcore.study import attached, run_order, study_file, study_fusion
from evalcore.study.extra_qrels import judgments_as_read
from evalcore.study.study import Study
from evalcore.vocabulary import validation
from evalcore.vocabulary.registry import indices_of
from evalcore.vocabulary.sentences import listed
from evalcore.vocabulary.validation import one_of

LONGEST_SUBTOPIC = 40  # characters


@dataclass(frozen=True)
class Option:
    """One row of the table of options: how files are read.

    label, meaning : its name and one line on it, for people
    choices : its usual values and what they mean, the default first; limited : whether there are no others
    kind(text) : another value; fits, says : whether a text is such a value, and the value in words
    """

    name: str
    label: str
    meaning: str
    choices: dict[Any, str | None] = field(default_factory=dict)
    limited: bool = True
    kind: Callable[[Any], Any] = str
    fits: Callable[[Any], bool] = lambda text: False
    says: Callable[..., str] = str

    @property
    def default(self) -> Any:
        """The default value."""
        return next(iter(self.choices))

    def words(self, value: Any) -> str:
        """A value in words."""
        if isinstance(value, dict):
            return self.says(value)
        if isinstance(value, list):
            return listed(value)
        return self.choices.get(value) or (self.says(value) if self.fits(value) else str(value))


def _is_subtopic(text):
    return isinstance(text, str) and 0 < len(text) <= LONGEST_SUBTOPIC and text.isprintable() and text != "None"


def _gains_in_words(gains):
    return ", ".join(f"grade {grade}: {gain:g}" for grade, gain in sorted(gains.items()))


OPTIONS = {
    row.name: row
    for row in (
        Option(
            "pooled", "Contributing systems", "the systems that contributed to the pool: all, or names of runs",
            {None: "as in the systems table, else inferred from the files", "all": "all systems"}, False,
        ),
        Option(
            "pool_depth", "Pool depth", "the rank to which contributing systems were judged",
            {None: "inferred for each topic", **{depth: f"rank {depth}" for depth in (5, 7, 10, 20, 30, 50, 75, 100)}},
            False, int,
        ),
        Option(
            "order", "Order of the documents in a run", "order documents by score or by the file's rank column",
            {"score": "by score, like trec_eval", "rank": "by the file's rank column"},
        ),
        Option(
            "rel_level", "Lowest relevant grade", "the lowest relevant grade", dict.fromkeys((1, 2, 3, 4)), False,
            grade, fits=attached.is_level,
        ),
        Option(
            "gains", "Gain of each grade", "how grades become gains: binary, linear, exponential, or 0:0,1:0.5,2:1",
            {None: "binary; linear where grades are fractions"} | dict.fromkeys(GAIN_RULES), False,
            says=_gains_in_words,
        ),
        Option(
            "negative", "Negative grades",
            "how negative grades are read; split: -1 counts as pooled but unjudged, lower grades as not relevant",
            dict(zip(NEGATIVE_READINGS, ("−1 unjudged, lower: not relevant", "all unjudged", "all not relevant"),
                     strict=True)),
        ),
        Option(
            "empty", "Unfilled ranks", "how ranks past the end of a run count",
            {"unknown": "unknown", "not relevant": "not relevant"},
        ),
        Option(
            "average", "Means over", "means over all topics of the qrels, or over those that a system shares with them",
            {"qrels": "all topics of the qrels", "common": "topics that the system and the qrels share"},
        ),
        Option(
            "duplicates", "Repeated documents",
            "a document that occurs twice in a ranking: keep its best rank, or refuse the file; one with two grades is "
            "refused unless you choose the first, last or highest",
            {
                "keep": "keep the best rank; refuse two grades", "refuse": "refuse the file",
                "first": "keep the best rank, and the first of two grades",
                "last": "keep the best rank, and the last of two grades",
                "highest": "keep the best rank, and the highest of two grades",
            },
        ),
        Option(
            "aspect", "Judgments for subtopics",
            "which judgments are used if documents are judged for subtopics (the second column): one subtopic, or "
            "union, the highest grade over all; otherwise such a file is refused",
            {None: "refuse such files", several_judgments.UNION: "highest grade over all subtopics"},
            False, fits=_is_subtopic, says="only subtopic {}".format,
        ),
        Option(
            "names", "Names of topics and documents", "how names of topics and documents are compared",
            {"exact": "exactly", "case": "ignoring case", "zeros": "topics without leading zeros",
             "numbers": "topics by number only", "fold": "ignoring case, dashes, slashes, zeros and endings"},
            False, fits=id_matching.is_way, says=id_matching.in_words,
        ),
        Option(
            "itself", "A query's own document", "whether a document with the name of its query stays in a ranking",
            {"keep": "stays in the ranking", "drop": "left out, as in BEIR"},
        ),
        Option(
            "passages", "Ranked passages",
            "whether passages of judged documents, such as D#3 of D, stay, or a document has its best passage's rank",
            {"keep": "stay as they are", "best": "each document as its best passage"},
        ),
        Option(
            "variations", "Query variations", "how queries name their topic: a separator such as -, or run",
            {
                None: "none, or from the queries table", "run": "one run file each: SYSTEM.v3",
                "-": "in the query: 401-7", "_": "in the query: 401_7", ".": "in the query: 401.7",
            },
            False,
        ),
        Option(
            "columns", "Columns of tables",
            "what the columns of a CSV or Excel file contain, if the headings do not show it: topic=qid document=3 (a "
            "heading or a number from 1; also rank, score, grade, system, header, sheet). FILE:topic=qid is for one "
            "file only, also a TREC file; FILE:reverse=yes reverses a run, FILE:order=rank takes its rank column",
            {None: "inferred from headings and values"}, False, says=column_files.in_words,
        ),
    )
}  # fmt: skip


def open_study(
    runs: File | Iterable[File] | Mapping[str, Any],
    qrels: File | Iterable[Any] | Literal[False] | None = None,
    *,
    systems: File | None = None,
    queries: File | None = None,
    pooled: str | Iterable[str] | None = None,
    order: str = "score",
    rel_level: float = 1,
    gains: str | Mapping[float, float] | None = None,
    negative: str = "split",
    empty: str = "unknown",
    average: str = "qrels",
    duplicates: str = "keep",
    variations: str | None = None,
    cache: Path | str | bool | None = None,
    progress: Callable[[int, int], None] | None = None,
    without: Iterable[str] = (),
    other: File | None = None,
    other_rel_level: float | None = None,
    pool_depth: int | None = None,
    names: str = "exact",
    truth: File | None = None,
    columns: dict[str, Any] | None = None,
    add_to_truth: bool = False,
    itself: str = "keep",
    passages: str = "keep",
    excluded: Any = None,
    aspect: str | None = None,
) -> Study:
    """The `Study` of these runs and judgments.

    runs : a folder, a .zip, or a list of run files (.gz allowed); qrels : a path. `Upload`s do as well, and so does
        what other programs have in memory: runs={"bm25": frame or dict}, see `evalcore.interop.in_memory`
        A study file (NAME.poolscope, as the app saves it) opens with its own options; the others are then not used
    qrels=False : there are no judgments; only questions about the rankings are answered
    qrels=None : runs is one zip archive, folder or workbook with the whole track; the kind of each file is detected
    systems, queries : optional tables (TSV or CSV with a header); see `evalcore.reading.companion_tables`
    pooled : "all", or a list of run names; None = as in the table, else inferred from the files
    order : "score", or "rank" for the file's own rank column
    rel_level, gains, negative : how grades are read; see `evalcore.collection.judgments.Scale`. gains : None = binary,
        or linear where grades are fractions
    empty : ranks past the end of a list are "unknown" or "not relevant"
    average : over the topics of the "qrels", or over those that a system and the qrels have in "common"
    duplicates : "keep" the best rank of a repeated document, or "refuse" the file; judgments in which a document has
        two grades are refused, unless this is "first", "last" or "highest" (the grade that is used)
    variations : how queries name a topic: None, a separator such as "-", or "run" (SYS.v3)
    cache : a folder; None = the user's cache folder, False = none
    progress : called with (done, total) files; an exception from it stops the reading
    without : names of files to leave out, as `Problem.file` gives them
    other, other_rel_level : a second qrels, to be compared with the first, and its lowest relevant grade; see
        `Study.with_other`
    pool_depth : the depth to which contributing runs were judged, for every topic; None = as the files show
    truth : complete judgments, which contain those of qrels and what pooling missed; see `Study.with_truth`
    add_to_truth : whether judgments of qrels that the complete ones lack are added to them; otherwise they are refused
    names : how names of topics and documents are compared: "exact"; "case", ignoring case; "zeros", topics without
        leading zeros; "numbers", topics by number only; "fold", ignoring case, dashes, slashes, zeros and endings of
        files; "prefix=clueweb12-" or "suffix=.txt", without this prefix or suffix
    aspect : which judgments are used if a document is judged for several subtopics (the second column of the qrels):
        those for one subtopic, or "union" for a document's highest grade over all; None = such a file is refused
    itself : a document with the name of its query: "keep" it in the ranking, or "drop" it, as BEIR does (ArguAna)
    passages : ranked passages of judged documents (D#3, D_chunk_2, D-7 of D): "keep", or "best", which gives a document
        the score and the rank of its best passage
    excluded : documents to leave out of the rankings by topic, as judgments, whose grades do not count (BRIGHT)
    columns : which column of a CSV or Excel file is the topic, document, rank, score, grade or system, if the headings
        do not show it: {"topic": "qid", "document": 3}, a heading or a number from 1, or None for no column; "header",
        whether the first row contains headings; "sheet", of a workbook. {"a.csv": {...}} applies to one file, TREC
        files included; {"a.run": {"reverse": True}} reverses the order of a run,
        {"a.run": {"order": "rank"}} takes that of its rank column

    Raises `InputError`, which lists every problem of every file, and ValueError for an unknown option.
    """
    if qrels is None and study_file.is_study_file(runs):
        return of_saved(study_file.read(runs), cache=cache, progress=progress)  # type: ignore[arg-type]
    values = locals() | {"columns": column_files.read_option(columns)}
    options = {name: list(values[name]) if isinstance(values[name], tuple) else values[name] for name in OPTIONS}
    study = loading.load(
        in_memory.runs_as_files(runs), in_memory.judgments_as_file(qrels),
        systems=in_memory.table_as_file(systems, "table of systems"),
        queries=in_memory.table_as_file(queries, "table of queries"),
        duplicates=duplicates, names=names, itself=itself, aspect=aspect, variations=variations,
        passages=passages, excluded=in_memory.judgments_as_file(excluded, "excluded documents"),
        columns=values["columns"], cache=cache, progress=progress, without=without,
        make=lambda loaded: study_of(loaded, options), check=file_checks.findings,
    )  # fmt: skip
    return attached.attach_all(study, *attached.taken_from(values))


def of_saved(saved: study_file.Saved, **more: Any) -> Study:
    """The study of a study file. Raises InputError for a file that was changed, and ValueError for an option.

    more : options of `open_study` on how to read
    """
    files: dict[str, list[Any]] = {}
    for file in saved.manifest["files"]:
        files.setdefault(file["role"], []).append(saved.upload(file))
    study = of_files(files, **checked(saved.manifest["options"]), **more)
    return study_fusion.with_each_fused(study, saved.manifest["fused"])


OF_LISTS = {  # options that are no plain text or number -> whether a value is one
    "pooled": lambda value: isinstance(value, list) and all(isinstance(name, str) for name in value),
    "gains": attached.are_gains,
    "columns": lambda value: bool(column_files.read_option(value)),
}


def checked(options: dict[str, Any]) -> dict[str, Any]:
    """Options from a file that anybody may have written. Raises ValueError for an unknown option or value."""
    values = {}
    for name, value in options.items():
        try:
            plain = value is None or isinstance(value, (str, int, float))
            if name not in OPTIONS:
                fits = attached.OPTIONS[name](value)
            elif plain and value not in OPTIONS[name].choices:
                fits = not OPTIONS[name].limited or OPTIONS[name].fits(value)
                value = OPTIONS[name].kind(value)
            else:
                fits = plain or OF_LISTS[name](value)
        except (KeyError, TypeError, ValueError, OverflowError):
            fits = False
        if not fits:
            raise ValueError(
                f"the study file has an unknown option or value: {name}={value!r:.80}. Save the study again."
            )
        values[name] = value
    return values


def of_files(files: Mapping[str, Sequence[Any]], **options: Any) -> Study:
    """The study of these files, role -> files, as in `Study.sources`. options : of the study, as plain values"""
    _, own = attached.taken_from(options)
    if own.get("judges") and not files.get("judge"):
        raise ValueError("judges are named, but no file contains their judgments. Use the study as it was saved.")
    beside = {role: files[role][0] for role, row in attached.ROLES.items() if files.get(role) and row.attach is None}
    study = open_study(files.get("run", []), next(iter(files.get("qrels", ())), False), **beside, **options)
    return attached.attach_all(study, files, own)


def study_of(loaded: loading.Loaded, options: dict[str, Any]) -> Study:
    """The study of these loaded files with these options (see `open_study`)."""
    study = undecided(loaded, options)
    table_named = next((source.name for source in loaded.sources if source.role == "systems"), "the table")
    return decided(study, table_named, loaded.computed)


def undecided(loaded: loading.Loaded, options: dict[str, Any]) -> Study:
    """The same before the contributing systems are determined: its `pooling` is None."""
    for name in ("order", "empty", "average"):
        one_of(name, options[name], OPTIONS[name].choices)
    track, findings = loaded.track, loaded.findings
    if isinstance(options["gains"], dict):
        options = options | {"gains": gains_by_grade(options["gains"])}
    if options["rel_level"] != OPTIONS["rel_level"].default:  # as the warning advises
        findings = tuple(finding for finding in findings if finding.check != FRACTIONAL)
    judgments = judgments_as_read(loaded.grade, loaded.listed, track, options, loaded.stratum)
    if options["order"] == "rank" and loaded.by_rank is not None:
        track = track.ranked_by("rank", loaded.by_rank)
    return Study(
        track=track,
        judgments=judgments,
        whole=track,
        whole_judgments=judgments,
        pooling=None,  # type: ignore[arg-type]
        leads=pool_inference.leads_of(track, judgments),
        by_rank=loaded.by_rank,
        options=options,
        sources=loaded.sources,
        findings=findings,
        system_table=loaded.system_table,
        query_table=loaded.query_table,
        subtopics=loaded.subtopics,
    )


def decided(study: Study, table_named: str, computed: track_cache.Computed) -> Study:
    """The study with its contributing systems, as named by the user or shown by the files.

    table_named : the name of the systems table; computed : what was computed from the track before
    """
    own, orders, each = study.options["order"], in_each_order(study), {}
    for order, (track, leads) in orders.items() if len(orders) > 1 else ():
        shown = _contributing(study, track, leads, table_named)[:2]
        each[order] = _with_contributors(study, order, track, leads, *shown)
    fits = run_order.fits(each) if len(each) > 1 else {}
    order = run_order.better(fits, own)
    fitting = run_order.finding(fits, order, own, len(study.systems))
    track, leads = orders[order]

    def remember(given, compute):
        return computed.get("collection/*.py", [order.encode(), *given], compute)

    contributes, pooling, finding = _contributing(study, track, leads, table_named, remember)
    opened, _ = _with_contributors(study, order, track, leads, contributes, pooling)
    opened = replace(opened, findings=(*study.findings, finding, *fitting))
    if order == own or study.by_rank is None:
        return opened
    return replace(opened, whole=replace(study.track.ranked_by(order, study.by_rank), pooled=opened.whole.pooled))


def _with_contributors(study, order, track, leads, contributes, pooling):
    """The study with these contributing systems, its pool formed in an order; and the leads in that order."""
    whole, ranked = (replace(old, pooled=contributes) for old in (track, study.track))
    whole = ranked if order == study.options["order"] else whole
    return replace(study, track=ranked, whole=whole, pooling=replace(pooling, order=order)), leads


def in_each_order(study: Study) -> dict[str, tuple[Track, pool_inference.Leads]]:
    """The track and its `Leads` in the order in use, and, without scores, in the other where there is one. A dict"""
    own = study.options["order"]
    orders, other = {own: (study.track, study.leads)}, next(name for name in run_order.ORDERS if name != own)
    if study.by_rank is not None:
        track = study.track.ranked_by(other, study.by_rank, scores=False)
        orders[other] = track, pool_inference.leads_of(track, study.judgments)
    return orders


def _contributing(study, track, leads, table_named, remember=None):
    """The contributing systems (bool (S,)), the `Pooling`, and a finding on how they are known.

    remember : as of `contributor_draws.drawn`; None = those that the files show get no probabilities
    """
    table, options = study.system_table, study.options
    everyone, pooled, depth = np.ones(len(track.systems), bool), options["pooled"], options["pool_depth"]
    depth = None if depth is None else validation.count("pool_depth", depth)
    severity, n = "note", len(everyone)
    if isinstance(pooled, str) and pooled == "all":
        contributes, text = everyone, f"All {n} systems count as contributing to the pool, as you set."
    elif pooled is not None:
        contributes = np.isin(np.arange(n), indices_of(pooled, track.systems, "system"))
        text = f"{contributes.sum()} of {n} systems count as contributing to the pool, as you set."
    elif table["pooled"].notna().any():
        contributes = table["pooled"].eq(1).to_numpy(bool)
        text = f"{contributes.sum()} of {n} systems contributed to the pool, according to {table_named}."
    elif shown := _shown(study, track, leads, depth, remember):
        contributes, pooling = shown
        may = f" {listed(pooling.doubtful)} may have contributed as well." if pooling.doubtful else ""
        text = (
            f"{contributes.sum()} of {n} systems seem to have contributed to the pool: they are judged to rank "
            f"{pooling.depth}.{may} A system whose documents all happen to be judged looks the same, so tick the "
            "contributing systems if you know them."
        )
    else:
        severity, contributes, pooling = "warning", everyone, pool_inference.assuming_all(leads)
        depth_to_set = "the pool depth"
        if depth is not None:
            depth_to_set = f"another pool depth (no system is judged to rank {depth} as a contributing one would be)"
        text = (
            f"Cannot determine which systems contributed to the pool: {pool_inference.why_not_shown(study.judgments)}. "
            "Holes, missing relevant documents and the cost of leaving "
            "a system out are therefore unavailable; other results assume that all systems contributed. Untick "
            "those that did not contribute, load a systems table with a `pooled` column, or set "
            f"{depth_to_set}."
        )
    if pooled is not None or table["pooled"].notna().any():
        pooling = pool_inference.from_contributors(leads, contributes)
        if pool_inference.relevant_only(study.judgments):
            pooling = replace(pooling, depth_known=False)
    if depth is not None:
        pooling = pool_inference.to_depth(pooling, leads, depth)
        text += f" The pool depth is {depth}, as you set."
    return (
        contributes,
        pooling,
        loading.Finding(severity, "who contributed", "", "", int(contributes.sum()), text),
    )


def _shown(study, track, leads, depth, remember):
    """The contributing systems and the `Pooling` that the files show, or the depth does (None = not set)."""
    shown = None if pool_inference.relevant_only(study.judgments) else pool_inference.from_files(leads, track.systems)
    shown = shown or pool_inference.judged_down_to(leads, depth, track.systems)
    if shown is None or remember is None:
        return shown
    return contributor_draws.drawn(track, study.judgments, leads, *shown, remember)
