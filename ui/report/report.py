"""The report of all pages as one self-contained HTML: findings, pictures, tables and files.

The templates escape every value; report.js and report.css are their script and style.
"""

import base64
import hashlib
import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
from markupsafe import Markup
from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

import evalcore
from evalcore.answers import Answer
from evalcore.findings.conclusion import Conclusion
from evalcore.reading.files import Source
from evalcore.study import study_pool
from evalcore.study.opening import OPTIONS
from evalcore.study.run_order import WORDS
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, everyone, listed, opening
from ui.report import export
from ui.report.page_section import PageSection
from ui.text import citations, definitions
from ui.text.escape import text
from ui.views import theme

FAMILIAR = 6  # of longer lists only the length is written
ROWS = 10  # of each table in the report


def section_of(page: str, question: str, note: dict[str, Any], own: str = "") -> PageSection:
    """The part of a page, from its note (see `notes.by_page`), with the findings of its tables that it did not show."""
    findings = list(note["findings"].values())
    for key, (_, answer) in note["tables"].items():
        if key not in note["findings"] and not any(answer.finding.is_part_of(shown) for shown in findings):
            findings.append(answer.finding)
    tables, pictures = list(note["tables"].values()), note.get("pictures", {})
    return PageSection(page, question, findings, tables, pictures, note.get("address", ""), own)


def report(
    title: str, sections: Sequence[PageSection], settings: Sequence[tuple[str, str]], sources: Sequence[Source], *,
    day: str, nothing: Iterable[Any] = (), too_long: Sequence[tuple[str, str]] = (), assumed: Sequence[str] = (),
    app: str = "", in_full: bool = False,
) -> str:  # fmt: skip
    """The report as HTML for a page: findings and tables by page, settings, and files.

    sections : a `PageSection` for each page
    nothing : pages that do not apply, (page, reason); too_long : slow sections that were not opened, (page, title)
    settings : as from `settings`; assumed : sentences on what was inferred from the files; sources : the files
    day : the date, as text; app : the app's own address, for links
    in_full : with the pictures, and the formulas and sources of all numbers
    """
    read = dict.fromkeys([*sources, *(file for answer in _answers(sections) for file in answer.sources)])
    return TEMPLATES.get_template("report.html.jinja").render(
        title=title, version=evalcore.__version__, day=day, sections=sections, app=app, in_full=in_full,
        nothing=[(page, opening(reason)) for page, reason in nothing], too_long=too_long,
        settings=settings, assumed=assumed, files=[(file.role, file.name, file.sha256) for file in read],
    )  # fmt: skip


def report_page(body: str, title: str = "Poolscope report") -> bytes:
    """The report as a self-contained HTML page. Bytes. body : as from `report`"""
    folder = Path(__file__).parent
    scripts = [get_plotlyjs(), (folder / "report.js").read_text("utf-8")] if "<figure" in body else []
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    policy = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    css = (folder / "report.css").read_text("utf-8")
    values = {"title": title, "body": body, "css": css, "scripts": scripts, "policy": policy}
    return TEMPLATES.get_template("report_file.html.jinja").render(values).encode()


# ---- values of the templates


def _answers(sections):
    return [answer for section in sections for _, answer in section.tables]


def definitions_used(sections: Sequence[PageSection]) -> list[definitions.Section]:
    """The sections of docs/METHODS.md that define the numbers of a report, in order."""
    used = {each.number: each for answer in _answers(sections) for each in definitions.sections_of(answer)}
    return sorted(used.values(), key=lambda each: [int(part) for part in each.number.split(".")])


def sources_cited(sections: Sequence[PageSection]) -> list[citations.Reference]:
    """The sources of a report, in alphabetical order."""
    return [citations.references()[key] for key in citations.cited_by(sections)]


def drawn(make: Callable[..., Any]) -> dict[str, Markup | int]:
    """A picture on white as JSON that may stand in a script of an HTML page, and its height."""
    figure = make(look=theme.look())
    figure["layout"] |= {"paper_bgcolor": "#FFFFFF", "plot_bgcolor": "#FFFFFF"}
    harmless = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
    return {"json": Markup(to_json_plotly(figure).translate(harmless)), "height": figure["layout"]["height"]}


def parameters(answer: Answer) -> str:
    """A question and its parameters, on one line."""
    params = (f"{name}={_short(value)}" for name, value in answer.params.items() if value is not None)
    return f"{answer.question}({', '.join(params)})"


def _short(value):
    return f"[{len(value)} values]" if isinstance(value, list) and len(value) > FAMILIAR else repr(value)


def rows_shown(table: pd.DataFrame) -> str:
    """How many rows of a table the report contains."""
    return f"the first {ROWS} of {digits(len(table), 'row')}" if len(table) > ROWS else digits(len(table), "row")


def first_rows(answer: Answer) -> Iterator[list[tuple[str, bool]]]:
    """The first rows of a table: for each cell its text, and whether it is a number."""
    numeric = [kind.kind in "iuf" for kind in answer.table.dtypes]
    for row in answer.table.head(ROWS).itertuples(index=False):
        cells = zip(answer.table, row, numeric, strict=True)
        yield [(export.written(answer.question, name, value), is_number) for name, value, is_number in cells]


MARKED = re.compile(r"`([^`]+)`|\$([^$]+)\$|\*\*(.+?)\*\*|\*([^*]+)\*")  # code, TeX, strong, emphasis


def in_words(markdown: str) -> Markup:
    """A paragraph of a definition as HTML; lists and tables as plain text."""
    if markdown.startswith(("- ", "1. ", "|")):
        return Markup("<pre>{}</pre>").format(markdown)

    def as_html(findings):
        code, tex, strong, emphasis = findings.groups()
        if strong or emphasis:
            return f"<strong>{strong}</strong>" if strong else f"<em>{emphasis}</em>"
        return f"<code>{code or tex}</code>"

    return Markup(f"<p>{MARKED.sub(as_html, html.escape(markdown))}</p>")


TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=jinja2.StrictUndefined,
    trim_blocks=True, lstrip_blocks=True,
    finalize=lambda value: value if isinstance(value, Markup) else text(value),  # no invisible characters of a name
)  # fmt: skip
TEMPLATES.filters["text"] = text
TEMPLATES.globals |= {
    "bibliography": citations.bibliography, "definitions_used": definitions_used, "sources_cited": sources_cited,
    "digits": digits, "drawn": drawn, "first_rows": first_rows, "in_words": in_words, "keys_of": citations.keys_of,
    "mathml": definitions.mathml, "parameters": parameters, "plain_name": export.plain_name, "rows_shown": rows_shown,
    "sections_of": definitions.sections_of,
}  # fmt: skip


# ---- what the page and the report say of a study


def overview(pages: Sequence[str], visited: Sequence[str], not_applicable: Sequence[str] = ()) -> Conclusion:
    """How many of the pages the report covers. All three are lists of names of pages. -> `Conclusion`"""
    headline = "The report is empty. Visit a page to add its findings."
    if visited:
        headline = f"{len(visited)} of {len(pages)} pages visited: {listed(visited, len(visited))}."
    return Conclusion(headline, f"Not applicable to this track: {listed(not_applicable)}." if not_applicable else "")


def settings(study: Study, level: int | None = None) -> list[tuple[str, str]]:
    """How a study reads its files: pairs of option and value, with contributors and pool depth as inferred.

    level : the lowest relevant grade of the second qrels, if chosen
    """
    options, scope = study.options, study.scope
    inferred = {"pooled": formed(study), "pool_depth": depth_of_pool(study)}
    if options["gains"] is None:
        inferred["gains"] = str(study.whole_judgments.scale.gains)
    if options["variations"] is None:
        inferred["variations"] = "from the queries table" if study.has_variations else "none: one query per topic"
    rows = [(option.label, inferred.get(name) or option.words(options[name])) for name, option in OPTIONS.items()]
    if (level := options.get("other_rel_level") or level) is not None:
        rows.append(("Lowest relevant grade of the second judgments", level))  # type: ignore[arg-type]
    if judges := options.get("judges"):
        rows.append(("Judges", listed(list(judges), len(judges))))
        for option, label in (("judge_levels", "Lowest relevant grade"), ("judge_gains", "Gains")):
            rows += [(f"{label} of {name}", str(value)) for name, value in (options.get(option) or {}).items()]
    if "judged_by_other" in scope:
        rows.append(("Judgments used", "the second set"))
    rows += [(f"Only these {name}", listed(scope[name])) for name in ("systems", "topics") if name in scope]
    if without := scope.get("without_contribution_of"):
        rows.append(("Left out of the pool", listed(without)))
    return rows + [(f"Fused run {fused['name']}", _fused(fused)) for fused in scope.get("with_fused", ())]


def formed(study: Study) -> str:
    """Which systems contributed to the pool, and how this is known."""
    (contributing, systems), pooling = study_pool.contributing(study), study.pooling
    who = f"{contributing:,} of {digits(systems, 'system')}"
    if pooling.how == "assumed":
        return f"{everyone(systems)} (assumed: the files do not show which)"
    if pooling.how == "named":
        return f"{who} ({'as chosen' if study.options['pooled'] is not None else 'from the systems table'})"
    order = "" if pooling.order == study.options["order"] else f"; the pool follows {WORDS[pooling.order]}"
    inferred = f"{who} (inferred from the files{order})"
    return f"{inferred}; possibly also {listed(pooling.doubtful)}" if pooling.doubtful else inferred


def depth_of_pool(study: Study) -> str:
    """How deep the pool is, and on how many of the judged topics."""
    pooling, own = study.pooling, study.pooling.depth_of_topic[study.judged_topics]
    if study.options["pool_depth"] is not None:
        return f"{pooling.depth} (as chosen)"
    if not pooling.depth_known:
        return "unknown"
    usual, unknown = (own == pooling.depth).sum(), (own == 0).sum()
    other = len(own) - usual - unknown
    parts = [f"{pooling.depth} on {usual:,} of {digits(len(own), 'judged topic')}"]
    parts += [f"another depth on {other:,}"] if other else []
    parts += [f"unknown on {unknown:,}"] if unknown else []
    return "; ".join(parts)


OVER = {"variations": "over query variations", "both": "over systems and query variations"}


def _fused(fused):
    """Method, inputs and options of a fused run."""
    inputs = "all systems" if fused["systems"] == "all" else digits(len(fused["systems"]), "system")
    parts = [f"{fused['method']} of {inputs}"]
    parts += [OVER[fused["over"]]] if fused["over"] in OVER else []
    parts += [f"at most {digits(fused['k'], 'document')}"] if "k" in fused else []
    parts += ["weighted"] if "weights" in fused else []
    parts += ["contributing to the pool"] if fused.get("pooled") else []
    return ", ".join(parts)
