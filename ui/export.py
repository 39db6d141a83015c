"""What leaves a page as a file: a table as CSV and LaTeX, the script that makes it again, and the report with all."""

import io
import re
import zipfile

import evalcore
from evalcore import columns, shown
from evalcore.sentences import known
from ui import citations, theme
from ui.escape import latex, text


def csv(table):
    """A table as CSV bytes, every digit kept; a cell that a spreadsheet would run begins with an apostrophe."""
    return shown.csv(table).encode("utf-8")


def file_name(answer, ending):
    """A file name that tells what is inside: scores_RBP_p=0.8.csv."""
    asked = [answer.params.get(name) for name in ("metric", "system", "topic", "depth")]
    parts = [answer.question, *(str(value) for value in asked if value is not None)]
    return f"{plain_name('_'.join(parts))}.{ending}"


def plain_name(name):
    """A name that may stand in that of a file, wherever it is unpacked."""
    return re.sub(r"[^\w.=-]+", "_", name).strip("_.")[:80]


# How a number is written where people read it, by what its column holds.
WRITTEN = {columns.SCORE: "{:z.4f}", columns.SHARE: "{:z.1%}", columns.P: "{:.3g}", columns.MEAN: "{:z.1f}"}
WRITTEN |= {columns.NUMBER: "{:z.2f}", columns.COUNT: "{:,.0f}"}


def written(question, name, value):
    """A cell of a question's table as people read it, on one line."""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    if not isinstance(value, str) and not known(value):
        return "–"
    return (
        text(value) if isinstance(value, str) else WRITTEN.get(columns.column(question, name).kind, "{}").format(value)
    )


ROWS_OF_LATEX = 100
MINUS = re.compile(r"^-(?=[\d.,]+%?$)")  # before a number


def tabular(answer, title):
    """A table as a LaTeX tabular, its first rows where they are many; every cell stands as text."""
    table, question = answer.table.head(ROWS_OF_LATEX), answer.question
    more = len(answer.table) - len(table)
    sides = ["r" if kind.kind in "iuf" else "l" for kind in answer.table.dtypes]
    rows = [
        " & ".join(
            MINUS.sub("$-$", latex(written(question, name, value))) for name, value in zip(table, row, strict=True)
        )
        for row in table.itertuples(index=False)
    ]
    said = [f"% {text(title)}", f"% {text(answer.finding)}"]
    said += [f"% The first {len(table):,} of {len(answer.table):,} rows; all are in the CSV."] if more else []
    head = " & ".join(map(latex, table))
    lines = [*said, f"\\begin{{tabular}}{{{''.join(sides)}}}", "\\hline", f"{head} \\\\", "\\hline"]
    return "\n".join([*lines, *(f"{row} \\\\" for row in rows), "\\hline", "\\end{tabular}"]) + "\n"


# ---- everything in a zip

GUIDE = """A report of Poolscope {version}.

report.html says what was found, how the files were read, and which files these are. In the folders, one for each page,
are its pictures (.svg), its tables (.csv, and .tex, a LaTeX tabular), and beside every table a program (.py) that makes
it again. references.bib holds the sources of all numbers. In this folder, in a shell of Linux or macOS:

    PYTHONPATH=POOLSCOPE python {example} FOLDER > table.csv

and in PowerShell, on Windows:

    $env:PYTHONPATH = "POOLSCOPE"; $env:PYTHONUTF8 = "1"
    cmd /c 'python "{windows}" "FOLDER" > table.csv'

POOLSCOPE is the folder of the program Poolscope, whose requirements are installed. FOLDER holds all files that
report.html names, runs, judgments and tables, at any depth and under these names{beside}.
"""


def archive(page, said, beside=()):
    """The report with every picture, every table, the script that makes it, and how it is run, as a zip. Bytes.

    page : the report as one HTML file, bytes; said : a `report.Said` for each page
    beside : files that the scripts need and that nobody has yet, as `evalcore.Upload`s
    """
    from ui.svg import svg  # what draws takes a second to load, and is needed here alone

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        into.writestr("report.html", page)
        for upload in beside:
            into.writestr(upload.name, upload.data)
        scripts = []
        for one in said:
            folder = one.page.replace(" ", "_")
            for number, (title, answer) in enumerate(one.tables, 1):
                name = f"{folder}/{number:02}_{file_name(answer, '')}"
                scripts.append(f"{name}py")
                into.writestr(f"{name}csv", csv(answer.table))
                into.writestr(f"{name}tex", tabular(answer, title))
                into.writestr(scripts[-1], answer.script())
            for number, (key, (title, _, make)) in enumerate(one.pictures.items(), 1):
                into.writestr(
                    f"{folder}/picture_{number:02}_{plain_name(key)}.svg", svg(make(look=theme.look()), title=title)
                )
        into.writestr("references.bib", citations.bibliography(said))
        also, example = "".join(f"; copy {upload.name} there too" for upload in beside), next(iter(scripts), "PROGRAM")
        told = {"example": example, "windows": example.replace("/", "\\"), "beside": also}
        into.writestr("README.txt", GUIDE.format(version=evalcore.__version__, **told))
    return packed.getvalue()
