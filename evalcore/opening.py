"""Opening a study: files are read, options say what they mean, and who formed the pool is told or found."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from evalcore import contributors, pool_orders, values
from evalcore.beside import judgments_as_read
from evalcore.judgments import GAIN_RULES, NEGATIVE_READINGS
from evalcore.names import indices_of
from evalcore.reading import belonging, loading, tabular
from evalcore.sentences import listed
from evalcore.study import Study
from evalcore.values import one_of


@dataclass(frozen=True)
class Option:
    """One row of the table of options: how files are read.

    label, meaning : what people read, a name and a line; choices : its usual values and what they mean, the default
    first; limited : whether there are no others; kind : of the others; fits, says : of the others too, where people may
    come upon one: whether a text is one, and it in words
    """

    name: str
    label: str
    meaning: str
    choices: dict = field(default_factory=dict)
    limited: bool = True
    kind: type = str
    fits: Callable = lambda text: False
    says: Callable = str

    @property
    def default(self):
        """What goes without saying."""
        return next(iter(self.choices))

    def words(self, value):
        """A value as people read it."""
        if isinstance(value, dict):
            return self.says(value)
        if isinstance(value, list):
            return listed(value)
        return self.choices.get(value) or (self.says(value) if self.fits(value) else str(value))


def _gains_in_words(gains):
    return ", ".join(f"grade {grade}: {gain:g}" for grade, gain in sorted(gains.items()))


OPTIONS = {
    row.name: row
    for row in (
        Option(
            "pooled", "Contributed to the pool", "who contributed to the pool; all, or names of runs",
            {None: "those that the systems table names, else found from the files", "all": "all systems"}, False,
        ),
        Option(
            "pool_depth", "Depth of the pool", "down to which rank the contributing systems were judged",
            {None: "as judged, topic by topic"} | {depth: f"rank {depth}" for depth in (5, 7, 10, 20, 30, 50, 75, 100)},
            False, int,
        ),
        Option(
            "order", "Order of a run", "rank documents by their score or by the file's rank column",
            {"score": "by score, as trec_eval", "rank": "by the file's rank column"},
        ),
        Option("rel_level", "Relevant from grade", "the lowest relevant grade", dict.fromkeys((1, 2, 3, 4)), False),
        Option(
            "gains", "Gain of a grade", "binary, linear, exponential, or 0:0,1:0.5,2:1",
            dict.fromkeys(GAIN_RULES), False, says=_gains_in_words,
        ),
        Option(
            "negative", "Negative grades",
            "negative grades; split: -1 is pooled and not judged, lower ones are not relevant",
            dict(zip(NEGATIVE_READINGS, ("−1 not judged, lower: not relevant", "all not judged", "all not relevant"),
                     strict=True)),
        ),
        Option(
            "empty", "Ranks past a list's end", "what ranks past the end of a list hold",
            {"unknown": "not known", "not relevant": "not relevant"},
        ),
        Option(
            "average", "Means over", "over the topics of the qrels, or over those that a system shares with them",
            {"qrels": "all topics of the qrels", "common": "topics that both have"},
        ),
        Option(
            "duplicates", "A document twice in a list",
            "a document twice in one ranking: keep the place that the order puts first, or refuse the file",
            {"keep": "the one that the order puts first counts", "refuse": "refused"},
        ),
        Option(
            "names", "Names of topics and documents", "how names of topics and documents are compared",
            {"exact": "as they are", "case": "upper and lower case as one", "zeros": "topics without leading zeros",
             "numbers": "topics by their number alone"},
            False, fits=belonging.is_way, says=belonging.in_words,
        ),
        Option(
            "variations", "Variations of a query", "how queries name a topic: a separator such as -, or run",
            {
                None: "none, or the queries table says", "run": "a run file each: SYSTEM.v3",
                "-": "in the query: 401-7", "_": "in the query: 401_7", ".": "in the query: 401.7",
            },
            False,
        ),
        Option(
            "columns", "Columns of tables",
            "which column of a CSV or Excel file is what, where the names do not say it: topic=qid document=3 (a "
            "heading or a number from 1; also rank, score, grade, system, header, sheet), or FILE:topic=qid, of lines "
            "of TREC, too; FILE:reverse=yes reverses a run",
            {None: "as their names and values say"}, False, says=tabular.in_words,
        ),
    )
}  # fmt: skip


def open_study(
    runs,
    qrels=None,
    systems=None,
    queries=None,
    pooled=None,
    order="score",
    rel_level=1,
    gains="binary",
    negative="split",
    empty="unknown",
    average="qrels",
    duplicates="keep",
    variations=None,
    cache=None,
    progress=None,
    without=(),
    other=None,
    other_rel_level=None,
    pool_depth=None,
    names="exact",
    truth=None,
    columns=None,
    add_to_truth=False,
):
    """Reads runs and judgments and makes them a study.

    runs : a folder, a .zip, or a list of run files (.gz allowed); qrels : a path. `Upload`s do as well
    qrels=None : runs is one zip archive, folder or workbook with the whole track; what each file is, is found out
    systems, queries : optional tables (TSV or CSV with a header); see `evalcore.reading.tables`
    pooled : "all", or a list of run names; None = what the table says, else found from the files
    order : "score", or "rank" for the file's own rank column
    rel_level, gains, negative : how grades are read; see `evalcore.judgments.Scale`
    empty : ranks past the end of a list are "unknown" or "not relevant"
    average : over the topics of the "qrels", or over those that a system and the qrels have in "common"
    duplicates : "keep" the one that the order puts first, or "refuse"
    variations : how queries name a topic: None, a separator such as "-", or "run" (SYS.v3)
    cache : a folder; None = the user's cache folder, False = none
    progress : called with (done, total) files; what it raises ends the reading
    without : names of files to leave out, as `Problem.file` gives them
    other, other_rel_level : a second qrels, to be compared with the first, and from which grade on it finds a document
        relevant; see `Study.with_other`
    pool_depth : how deep the contributing runs were judged, the same for every topic; None = as the files show
    truth : judgments that hold those of qrels and all that pooling missed, as of a sample; see `Study.with_truth`
    add_to_truth : whether the judgments of qrels that the truth lacks are added to it; else it is refused
    names : how names of topics and documents compare: "exact"; "case", upper and lower case as one; "zeros", topics
        without leading zeros; "numbers", topics by their number alone; "prefix=clueweb12-" or "suffix=.txt", without
        this at the beginning, or at the end, where they have it
    columns : which column of a CSV or Excel file is the topic, document, rank, score, grade or system, where its names
        do not say so: {"topic": "qid", "document": 3}, a heading or a number from 1, or None for no column; "header",
        whether the first row names them; "sheet", of a workbook. {"a.csv": {...}} says it of one file, and then of
        TREC's lines, too; {"a.run": {"reverse": True}} reads a run in the reverse order

    Raises `InputError`, which lists every problem of every file, and ValueError for an option that is not known.
    """
    said = locals()
    columns = said["columns"] = tabular.read_option(columns)
    options = {name: list(said[name]) if isinstance(said[name], tuple) else said[name] for name in OPTIONS}
    study = loading.load(
        runs, qrels, systems=systems, queries=queries, duplicates=duplicates, names=names, variations=variations,
        columns=columns, cache=cache, progress=progress, without=without, make=lambda loaded: study_of(loaded, options),
    )  # fmt: skip
    study = study if other is None else study.with_other(other, rel_level=other_rel_level)
    return study if truth is None else study.with_truth(truth, add=add_to_truth)


def study_of(loaded, options):
    """The study that these options (see `open_study`) make of what the files say."""
    study = undecided(loaded, options)
    return decided(study, next((source.name for source in loaded.sources if source.role == "systems"), "the table"))


def undecided(loaded, options):
    """The same, as long as nobody has decided who formed the pool: its `pooling` is None."""
    for name in ("order", "empty", "average"):
        one_of(name, options[name], OPTIONS[name].choices)
    track, gains = loaded.track, options["gains"]
    if isinstance(gains, dict):
        options = options | {"gains": _gains_told(gains)}
    judgments = judgments_as_read(loaded.grade, loaded.listed, track, options)
    if options["order"] == "rank" and loaded.by_rank is not None:
        track = track.reordered(loaded.by_rank)
    return Study(
        track=track,
        judgments=judgments,
        whole=track,
        whole_judgments=judgments,
        pooling=None,
        leads=contributors.leads_of(track, judgments),
        by_rank=loaded.by_rank,
        options=options,
        sources=loaded.sources,
        findings=loaded.findings,
        system_table=loaded.system_table,
        query_table=loaded.query_table,
    )


def _gains_told(gains):
    try:
        return {int(grade): float(gain) for grade, gain in gains.items()}
    except (TypeError, ValueError):
        raise ValueError(f"gains={gains!r} cannot be; a number for each grade is needed: {{0: 0, 1: .5}}.") from None


def decided(study, table_named):
    """The study with who formed its pool, as is told or shown by the files. table_named : what the table of systems is
    called"""
    own, each, said = study.options["order"], {}, {}
    for order, (track, leads) in in_each_order(study).items():
        contributes, pooling, said[order] = _contributing(study, track, leads, table_named)
        whole, ranked = (replace(one, pooled=contributes) for one in (track, study.track))
        pooling = replace(pooling, order=order)
        each[order] = replace(study, track=ranked, whole=ranked if order == own else whole, pooling=pooling), leads
    fits = pool_orders.fits(each) if len(each) > 1 else {}
    order = pool_orders.better(fits, own)
    fitting = pool_orders.finding(fits, order, own, len(study.systems))
    return replace(each[order][0], findings=(*study.findings, said[order], *fitting))


def in_each_order(study):
    """The track and its `Leads` in the order in force, and in the other where there is one. A dict, by order"""
    own = study.options["order"]
    orders, other = {own: (study.track, study.leads)}, next(one for one in pool_orders.ORDERS if one != own)
    if study.blocks is not None:
        return orders | ({} if study.blocks.leads is None else {other: (study.track, study.blocks.leads)})
    if study.by_rank is not None:
        track = study.track.reordered(study.by_rank if other == "rank" else np.argsort(study.by_rank, axis=2))
        orders[other] = track, contributors.leads_of(track, study.judgments)
    return orders


def _contributing(study, track, leads, table_named):
    """Who formed the pool (bool (S,)), the `Pooling`, and a finding that says how this is known."""
    table, options = study.system_table, study.options
    everyone, pooled, depth = np.ones(len(track.systems), bool), options["pooled"], options["pool_depth"]
    depth = None if depth is None else values.count("pool_depth", depth)
    severity, n = "note", len(everyone)
    if isinstance(pooled, str) and pooled == "all":
        contributes, said = everyone, f"All {n} systems are taken as contributing to the pool, as asked"
    elif pooled is not None:
        contributes = np.isin(np.arange(n), indices_of(pooled, track.systems, "system"))
        said = f"{contributes.sum()} of {n} systems contributed, as asked"
    elif table["pooled"].notna().any():
        contributes = table["pooled"].eq(1).to_numpy(bool)
        said = f"{contributes.sum()} of {n} systems contributed: {table_named} says so"
    elif shown := _shown(study, track, leads, depth):
        contributes, pooling = shown
        may = f"; {listed(pooling.doubtful)} may have, too" if pooling.doubtful else ""
        said = (
            f"{contributes.sum()} of {n} systems seem to have contributed, judged down to rank {pooling.depth}{may}. "
            "Files cannot tell a pooled system from one whose documents all happen to be judged: tick the contributors "
            "if you know them"
        )
    else:
        severity, contributes, pooling = "warning", everyone, contributors.assumed(leads)
        other = "the pool's depth"
        if depth is not None:
            other = f"another depth, for no system is judged down to rank {depth} as a contributor would be"
        said = (
            f"The files do not show who contributed to the pool: {contributors.why_not_shown(study.judgments)}. Holes, "
            "missing relevant documents and what leaving a system out costs cannot be told; elsewhere all are taken as "
            f"contributing. Name those who did (in a systems table, column pooled, or by ticking), or {other}"
        )
    if pooled is not None or table["pooled"].notna().any():
        pooling = contributors.told(leads, contributes)
        if contributors.relevant_only(study.judgments):
            pooling = replace(pooling, depth_known=False)
    if depth is not None:
        pooling = contributors.to_depth(pooling, leads, depth)
        said += f". The pool is taken as {depth} deep, as asked"
    return (
        contributes,
        pooling,
        loading.Finding(severity, "who contributed", "", "", int(contributes.sum()), f"{said}."),
    )


def _shown(study, track, leads, depth):
    """Who contributed and the `Pooling`, as the files show them, or the depth (None where it is not said) does."""
    if not contributors.relevant_only(study.judgments) and (shown := contributors.found(leads, track.systems)):
        return shown
    return contributors.judged_down_to(leads, depth, track.systems)
