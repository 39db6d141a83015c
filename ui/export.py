"""What leaves a page as a file: a table as CSV, the script that makes it again, and the report of all pages."""

import html
import io
import re
import zipfile

import evalcore
from ui import words
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
    parts = [
        answer.question,
        *(
            str(answer.params[name])
            for name in ("metric", "system", "topic", "depth")
            if answer.params.get(name) is not None
        ),
    ]
    return re.sub(r"[^\w.=-]+", "_", "_".join(parts)).strip("_")[:80] + "." + ending


# ---- the report

STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
td { padding: 0 .8rem .1rem 0; vertical-align: top; }
td:last-child { overflow-wrap: anywhere; }"""
FAMILIAR = 6  # a list of more values is told by their number


def report(title, said, settings, sources, *, day):
    """The report as HTML that can stand in a page: what each page found, from what, and the files.

    said : (page, question, finding, [(title, answer)]) of each page; what its first table was measured by stands with
        the finding
    settings, sources : how the study reads its files, as `words.settings` says it, and which these are
    day : when it was made, as text
    """
    parts = [f"<p>{_html(title)}. Made with Poolscope {_html(evalcore.__version__)} on {_html(day)}.</p>"]
    for page, question, finding, tables in said:
        by = words.measured_by(tables[0][1].params) if tables else ""
        parts.append(f"<h3>{_html(page)}: {_html(question)}</h3><p><strong>{_html(finding)}</strong> {_html(by)}</p>")
        parts.append(
            _folded(
                f"{len(tables)} tables, and what was asked for each",
                ((name, _asked(answer)) for name, answer in tables),
            )
        )
    parts.append("<h3>How the files were read</h3>")
    parts.append(_table(settings))
    read = dict.fromkeys([*sources, *(one for *_, tables in said for _, told in tables for one in told.sources)])
    parts.append("<h3>The files and their digests (SHA-256)</h3>")
    parts.append(_folded(f"{len(read)} files", ((source.role, source.name, source.sha256) for source in read)))
    return "\n".join(parts)


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
        for page, _, _, tables in said:
            for number, (_, answer) in enumerate(tables, 1):
                place = f"{page}/{number:02} ".replace(" ", "_")
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
