"""What leaves a page as a file: a table as CSV, the script that makes it again, and the report of all pages."""

import html
import io
import re
import zipfile

import evalcore
from ui.safe import cell, text


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

    said : (page, question, finding, [(title, answer)]) of each page
    settings, sources : how the study reads its files, as `words.settings` says it, and which these are
    day : when it was made, as text
    """
    parts = [f"<p>{_html(title)}. Made with Poolscope {_html(evalcore.__version__)} on {_html(day)}.</p>"]
    for page, question, finding, tables in said:
        parts.append(f"<h3>{_html(page)}: {_html(question)}</h3><p><strong>{_html(finding)}</strong></p>")
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


def archive(body, said, beside=()):
    """The report with every table, and the script that makes it, as a zip. Bytes.

    beside : files that the scripts need and that nobody has yet, as `evalcore.Upload`s
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        into.writestr("report.html", report_page(body))
        for upload in beside:
            into.writestr(upload.name, upload.data)
        for page, _, _, tables in said:
            for number, (_, answer) in enumerate(tables, 1):
                place = f"{page}/{number:02} ".replace(" ", "_")
                into.writestr(f"{place}{file_name(answer, 'csv')}", csv(answer.table))
                into.writestr(f"{place}{file_name(answer, 'py')}", answer.script())
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
