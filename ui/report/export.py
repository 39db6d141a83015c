"""Files to download: a table as CSV and LaTeX, its script, and the report with everything."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence

import pandas as pd

import evalcore
from evalcore import columns
from evalcore.answers import Answer
from evalcore.reading.files import Upload
from evalcore.vocabulary import safe_text
from evalcore.vocabulary.sentences import known
from ui.report.page_section import PageSection
from ui.text import citations
from ui.text.escape import latex, plain_name, text


def csv(table: pd.DataFrame) -> bytes:
    """A table as CSV bytes with all digits; a cell that a spreadsheet would run begins with an apostrophe."""
    return safe_text.csv(table).encode("utf-8")


def file_name(answer: Answer, ending: str) -> str:
    """A descriptive file name: scores_RBP_p=0.8.csv."""
    chosen = [answer.params.get(name) for name in ("metric", "system", "topic", "depth")]
    parts = [answer.question, *(str(value) for value in chosen if value is not None)]
    return f"{plain_name('_'.join(parts))}.{ending}"


# Format of a number for readers, by kind of column.
WRITTEN = {columns.SCORE: "{:z.4f}", columns.SHARE: "{:z.1%}", columns.P: "{:.3g}", columns.MEAN: "{:z.1f}"}
WRITTEN |= {columns.NUMBER: "{:z.2f}", columns.COUNT: "{:,.0f}"}


def written(question: str, name: str, value: float | str) -> str:
    """A cell of a question's table, formatted for readers, on one line."""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    if not isinstance(value, str) and not known(value):
        return "–"
    return (
        text(value) if isinstance(value, str) else WRITTEN.get(columns.column(question, name).kind, "{}").format(value)
    )


ROWS_OF_LATEX = 100
MINUS = re.compile(r"^-(?=[\d.,]+%?$)")  # before a number


def tabular(answer: Answer, title: str, chosen: Sequence[str] = ()) -> str:
    """The first rows of a table as a LaTeX table with a caption, for booktabs; every cell is plain text.

    Where the rows are differences, a dagger marks the significant ones. chosen : names of columns, none = all
    """
    table, question = answer.table.head(ROWS_OF_LATEX), answer.question
    more, wanted = len(answer.table) - len(table), [name for name in table if not chosen or name in chosen]
    marked = "significant" in table and "difference" in wanted
    daggers = [DAGGER if significant else "" for significant in table["significant"]] if marked else []
    table = table[[name for name in wanted if name != "significant" or not marked]]
    table = table[[name for name in table if not len(table) or not table[name].eq("").all()]]
    sides = ["r" if kind.kind in "iuf" else "l" for kind in table.dtypes]
    cells = {name: [MINUS.sub("$-$", latex(written(question, name, value))) for value in table[name]] for name in table}
    if marked:
        cells["difference"] = [cell + dagger for cell, dagger in zip(cells["difference"], daggers, strict=True)]
    caption = [latex(text(title)) + ".", latex(text(str(answer.finding)))]
    caption += [f"A dagger marks significant differences ({latex(text(answer.finding.setting))})."] if marked else []
    caption += [f"The first {len(table):,} of {len(answer.table):,} rows."] if more else []
    head = " & ".join(latex(name.replace("_", " ")) for name in table)
    rows = [" & ".join(row) for row in zip(*cells.values(), strict=True)]
    lines = ["% needs \\usepackage{booktabs}", "\\begin{table}", f"\\caption{{{' '.join(filter(None, caption))}}}"]
    lines += ["\\centering", f"\\begin{{tabular}}{{{''.join(sides)}}}", "\\toprule", f"{head} \\\\", "\\midrule"]
    lines += [*(f"{row} \\\\" for row in rows), "\\bottomrule", "\\end{tabular}", "\\end{table}"]
    return "\n".join(lines) + "\n"


DAGGER = "$^\\dagger$"


# ---- everything in a zip

GUIDE = """A report of Poolscope {version}.

report.html contains the findings, the options for reading the files, and the list of files; "Save all pictures" in it
saves its pictures (.svg). Each page has a folder with its tables (.csv and LaTeX .tex), and for each table a Python
program (.py) that reproduces it. references.bib contains all sources. To run a program, open a shell in this folder. On
Linux or macOS:

    PYTHONPATH=POOLSCOPE python {example} FOLDER > table.csv

On Windows, in PowerShell:

    $env:PYTHONPATH = "POOLSCOPE"; $env:PYTHONUTF8 = "1"
    cmd /c 'python "{windows}" "FOLDER" > table.csv'

POOLSCOPE is the folder with the source of Poolscope; install its requirements first. FOLDER contains all files that
report.html lists (runs, judgments and tables), in any subfolder and under the same names{also}. If there is a folder
"files" here, use it as FOLDER: it contains the loaded files. Drop the zip on the page Data to open the study again.
"""


def archive(page: bytes | str, sections: Sequence[PageSection], uploads: Sequence[Upload] = ()) -> bytes:
    """`members` as a zip, as bytes. uploads : further files that the scripts need"""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        for name, data in ({upload.name: upload.data for upload in uploads} | members(page, sections, uploads)).items():
            into.writestr(name, data)
    return packed.getvalue()


def members(
    page: bytes | str, sections: Sequence[PageSection], uploads: Sequence[Upload] = ()
) -> dict[str, bytes | str]:
    """The report with all tables and scripts, and instructions: name -> file.

    page : the report as one HTML file, bytes; sections : a `report.PageSection` for each page
    uploads : further files that the scripts need, as `evalcore.Upload`s
    """
    files: dict[str, bytes | str] = {"report.html": page}
    scripts = []
    for section in sections:
        folder = section.page.replace(" ", "_")
        for number, (title, answer) in enumerate(section.tables, 1):
            name = f"{folder}/{number:02}_{file_name(answer, '')}"
            scripts.append(f"{name}py")
            files |= {f"{name}csv": csv(answer.table), f"{name}tex": tabular(answer, title)}
            files[scripts[-1]] = answer.script()
    example = next(iter(scripts), "PROGRAM")
    also = "".join(f"; also copy {upload.name} there" for upload in uploads)
    values = {"example": example, "windows": example.replace("/", "\\"), "also": also}
    guide = GUIDE.format(version=evalcore.__version__, **values)
    return files | {"references.bib": citations.bibliography(sections), "README.txt": guide}
