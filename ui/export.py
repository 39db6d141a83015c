"""What leaves a page as a file: a table as CSV, the script that makes it again, and the report of all pages."""

import html
import io
import re
import zipfile
from dataclasses import dataclass

import evalcore
from evalcore.opening import OPTIONS
from evalcore.sentences import digits, listed, many, opening, small, verb
from ui.escape import cell, text


def csv(table):
    """A table as CSV bytes, every digit kept; a cell that a spreadsheet would run begins with an apostrophe."""
    safe = table.copy()
    for name in safe.columns[[kind.kind not in "iufb" for kind in safe.dtypes]]:
        safe[name] = [cell(value) for value in safe[name]]
    safe.columns = [cell(name) for name in safe.columns]
    return safe.to_csv(index=False).encode("utf-8")


def file_name(answer, ending):
    """A file name that tells what is inside: scores_RBP_p=0.8.csv."""
    asked = [answer.params.get(name) for name in ("metric", "system", "topic", "depth")]
    parts = [answer.question, *(str(value) for value in asked if value is not None)]
    return re.sub(r"[^\w.=-]+", "_", "_".join(parts)).strip("_")[:80] + "." + ending


# ---- the report

STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
td { padding: 0 .8rem .1rem 0; vertical-align: top; }
td:last-child { overflow-wrap: anywhere; }"""
FAMILIAR = 6  # a list of more values is told by their number


@dataclass(frozen=True)
class Said:
    """What a page said: its question, what it found, first its own finding, and its tables, (title, answer)."""

    page: str
    question: str
    findings: list
    tables: list


def said_by(page, question, note):
    """What a page said, from its note (see `session.notes`): also what its tables find and the page left unsaid."""
    said = list(note["findings"].values())
    for key, (_, answer) in note["tables"].items():
        found = str(answer.finding)
        if key not in note["findings"] and not any(found in one for one in said):
            said.append(found)
    return Said(page, question, said, list(note["tables"].values()))


def nothing_to_say(study):
    """Why a page has nothing to say of a study, for those that have not. Page -> reason"""
    two, reasons = len(study.systems) > 1, {}
    if study.depth < 2:
        reasons["Estimators"] = "the pool is one document deep, so there is no shallower one to pretend."
    if not two:
        reasons["Orderings"] = "one system alone has no ordering."
    if not two or len(study.judged_topics) < 2:
        reasons["Confidence"] = "an analysis of variance needs two systems and two judged topics."
    if not study.has_variations:
        reasons["Consistency"] = "every topic has one query, so there are no variations to compare."
    return reasons


def report(title, said, settings, sources, *, day, nothing=()):
    """The report as HTML that can stand in a page: what each page found, from what, and the files.

    said : a `Said` for each page; what its first table was measured by stands with the finding
    nothing : pages that have nothing to say, (page, reason)
    settings, sources : how the study reads its files, as `settings` says it, and which these are
    day : when it was made, as text
    """
    parts = [f"<p>{_html(title)}. Made with Poolscope {_html(evalcore.__version__)} on {_html(day)}.</p>"]
    for one in said:
        by = measured_by(one.tables[0][1].params) if one.tables else ""
        parts.append(f"<h3>{_html(one.page)}: {_html(one.question)}</h3>")
        parts.append(f"<p><strong>{_html(one.findings[0])}</strong> {_html(by)}</p>")
        parts += [f"<p>{_html(finding)}</p>" for finding in one.findings[1:]]
        asked = ((name, _asked(answer)) for name, answer in one.tables)
        parts.append(_folded(f"{digits(len(one.tables), 'table')}, and what was asked for each", asked))
    if nothing:
        parts.append("<h3>Pages with nothing to say of this track</h3>")
        parts.append(_table((page, opening(reason)) for page, reason in nothing))
    parts.append("<h3>How the files were read, and what was found in them</h3>")
    parts.append(_table(settings))
    read = dict.fromkeys([*sources, *(file for one in said for _, answer in one.tables for file in answer.sources)])
    parts.append("<h3>The files and their digests (SHA-256)</h3>")
    parts.append(_folded(f"{len(read)} files", ((source.role, source.name, source.sha256) for source in read)))
    return "\n".join(parts)


def measured_by(params):
    """By what a table was measured, as a sentence; "" where no measure was asked for."""
    named = [params["metric"]] if "metric" in params else params.get("metrics", [])
    if not named:
        return ""
    guess = params.get("estimator", "lower")
    guessed = "" if guess == "lower" else f", unjudged documents guessed by {guess}"
    condensed = ", unjudged documents taken out" if params.get("unjudged") == "condensed" else ""
    at = "" if params.get("depth") is None else f", at pool depth {params['depth']}"
    return f"Measured by {listed(named)}{guessed}{condensed}{at}."


def told(pages, noted, nothing=()):
    """What the report holds.

    pages : the names of the pages; noted : those that have said something; nothing : those that have nothing to say
    """
    left = len(pages) - len(noted) - len(nothing)
    without = f"{listed(nothing)} {verb(len(nothing), 'has', 'have')} nothing to say of this track" if nothing else ""
    every = small(len(pages))
    silent = f"of {every} pages {many(left)} still to be looked at" if left else f"all {every} pages were looked at"
    if not noted:
        none = "No page has said anything of this study yet: look at one, and what it finds stands here."
        return f"{none} {opening(without)}." if without else none
    have, find = verb(len(noted), "has", "have"), verb(len(noted), "it finds", "they find")
    return "; ".join(filter(None, [f"{listed(noted)} {have} said what {find}", without, silent])) + "."


def settings(study):
    """How a study reads its files and what it looks at: pairs of what is settled and how; who formed the pool and how
    deep as it was found."""
    options, scope = study.options, study.scope
    found = {"pooled": formed(study), "pool_depth": depth_of_pool(study)}
    if options["variations"] is None:
        found["variations"] = "as the queries table says" if study.has_variations else "none: one query to a topic"
    said = [(option.label, found.get(name) or option.words(options[name])) for name, option in OPTIONS.items()]
    if (level := options.get("other_rel_level")) is not None:
        said.append(("Relevant in the second qrels from grade", level))
    if "judged_by_other" in scope:
        said.append(("Judged by", "the second qrels"))
    said += [(f"Only these {name}", listed(scope[name])) for name in ("systems", "topics") if name in scope]
    if without := scope.get("without_contribution_of"):
        said.append(("Taken out of the pool", listed(without)))
    return said + [(f"Fused run {fused['name']}", _fused(fused)) for fused in scope.get("with_fused", ())]


def formed(study):
    """Who contributed to the pool, and how this is known."""
    pooled, pooling = study.whole.pooled, study.pooling
    who = f"{pooled.sum():,} of {digits(len(pooled), 'system')}"
    if pooling.how == "assumed":
        return f"all {digits(len(pooled), 'system')}, for the files do not show who did"
    if pooling.how == "told":
        return f"{who}, as {'asked' if study.options['pooled'] is not None else 'the systems table says'}"
    may = f"; {listed(pooling.doubtful)} may have, too" if pooling.doubtful else ""
    return f"{who}, as found from the files{may}"


def depth_of_pool(study):
    """How deep the pool is, and on how many of the judged topics."""
    pooling, own = study.pooling, study.pooling.depth_of_topic[study.judged_topics]
    if study.options["pool_depth"] is not None:
        return f"rank {pooling.depth}, as asked"
    if not pooling.depth_known:
        return "none that the files show"
    usual, none = (own == pooling.depth).sum(), (own == 0).sum()
    other = len(own) - usual - none
    clauses = [f"rank {pooling.depth} on {usual:,} of {digits(len(own), 'judged topic')}, as found"]
    clauses += [f"another on {other:,}"] if other else []
    clauses += [f"none in common on {none:,}"] if none else []
    return "; ".join(clauses)


def _fused(fused):
    """What a fused run is made of, and how."""
    of = "all systems" if fused["systems"] == "all" else digits(len(fused["systems"]), "system")
    clauses = [f"{fused['method']} of {of}"]
    if fused["over"] != "systems":
        clauses.append("over variations" if fused["over"] == "variations" else "over systems and variations")
    if "k" in fused:
        clauses.append(f"{digits(fused['k'], 'document')} at most")
    clauses += ["weighted"] if "weights" in fused else []
    clauses += ["taken as contributing to the pool"] if fused.get("pooled") else []
    return ", ".join(clauses)


def report_page(body):
    """The report as a page of its own, with nothing folded. Bytes."""
    head = f'<meta charset="utf-8"><title>Poolscope report</title><style>{STYLE}</style>'
    body = body.replace("<details>", "<details open>")
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'.encode()


GUIDE = """A report of Poolscope {version}.

report.html says what was found, how the files were read, and which files these are. In the folders, one for each page,
are its tables (.csv), and beside every table a program (.py) that makes it again. In this folder:

    PYTHONPATH=POOLSCOPE python {example} FOLDER > table.csv

POOLSCOPE is the folder of the program Poolscope, whose requirements are installed. FOLDER holds all files that
report.html names, runs, judgments and tables, at any depth and under these names{beside}.
"""


def archive(body, said, beside=()):
    """The report with every table, the script that makes it, and how it is run, as a zip. Bytes.

    beside : files that the scripts need and that nobody has yet, as `evalcore.Upload`s
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        into.writestr("report.html", report_page(body))
        for upload in beside:
            into.writestr(upload.name, upload.data)
        scripts = []
        for one in said:
            for number, (_, answer) in enumerate(one.tables, 1):
                place = f"{one.page}/{number:02} ".replace(" ", "_")
                scripts.append(f"{place}{file_name(answer, 'py')}")
                into.writestr(f"{place}{file_name(answer, 'csv')}", csv(answer.table))
                into.writestr(scripts[-1], answer.script())
        also, example = "".join(f"; copy {upload.name} there too" for upload in beside), next(iter(scripts), "PROGRAM")
        into.writestr("README.txt", GUIDE.format(version=evalcore.__version__, example=example, beside=also))
    return packed.getvalue()


def _asked(answer):
    """A question and its parameters, on a line."""
    told = (f"{name}={_short(value)}" for name, value in answer.params.items() if value is not None)
    return f"{answer.question}({', '.join(told)})"


def _short(value):
    return f"[{len(value)} values]" if isinstance(value, list) and len(value) > FAMILIAR else repr(value)


def _folded(summary, rows):
    return f"<details><summary>{_html(summary)}</summary>{_table(rows)}</details>"


def _table(rows):
    cells = ("".join(f"<td>{_html(value)}</td>" for value in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _html(value):
    return html.escape(text(value))
