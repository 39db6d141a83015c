"""The report of all pages as one self-contained HTML: findings, pictures, tables and files.

Every text from a file is escaped. The content policy allows only the file's own two scripts.
"""

import base64
import hashlib
import html
import re
from dataclasses import dataclass, field
from pathlib import Path

from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

import evalcore
from evalcore.findings.conclusion import Conclusion
from evalcore.study.opening import OPTIONS
from evalcore.study.run_order import WORDS
from evalcore.vocabulary.sentences import digits, everyone, listed, opening
from ui.report import export
from ui.text import citations, definitions
from ui.text.escape import text
from ui.views import theme

STYLE = """:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1B2733;
  background: #FFFFFF; overflow-wrap: anywhere; }
a { color: #0068A3; }
figure { margin: 1rem 0; }
math { display: math; font-size: 1.15rem; }
figcaption, .asked { font-size: .9rem; color: #4A5662; }
.wide { overflow-x: auto; }
td, th { padding: 0 .8rem .1rem 0; vertical-align: top; text-align: left; font-weight: normal; }
th { border-bottom: 1px solid #B9C2CC; font-weight: 600; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.rows td, .rows th { white-space: nowrap; }
.own { white-space: pre-wrap; border-left: 4px solid #0072B2; padding-left: .8rem; }
button { font: inherit; color: inherit; background: #FFFFFF; border: 1px solid #B9C2CC; border-radius: 6px;
  padding: .2rem .7rem; }
pre { white-space: pre-wrap; }
@media print {
  button { display: none; }
  figure, tr { break-inside: avoid; }
  .wide { overflow: visible; }
  .rows { font-size: .55rem; }
  .rows td:not(.number), .rows th { white-space: normal; overflow-wrap: break-word; }
  .rows td, .rows th { padding-right: .25rem; }
}"""
SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8")
FAMILIAR = 6  # of longer lists only the length is written
ROWS = 10  # of each table in the report


@dataclass(frozen=True)
class Said:
    """The part of one page in the report.

    page, question : its name and title; findings : conclusions, the page's own first; tables : (title, answer)
    pictures : key -> (title, description, make(look=) which draws the figure)
    address : of the page with its choices, relative to the app's own; own : the visitor's note
    """

    page: str
    question: str
    findings: list
    tables: list
    pictures: dict = field(default_factory=dict)
    address: str = ""
    own: str = ""


def said_by(page, question, note, own=""):
    """The part of a page, from its note (see `session.notes`), with the findings of its tables that it did not show."""
    said = list(note["findings"].values())
    for key, (_, answer) in note["tables"].items():
        if key not in note["findings"] and not any(answer.finding.is_part_of(shown) for shown in said):
            said.append(answer.finding)
    tables, pictures = list(note["tables"].values()), note.get("pictures", {})
    return Said(page, question, said, tables, pictures, note.get("address", ""), own)


def nothing_to_say(study):
    """Pages that do not apply to a study: page -> reason"""
    two, reasons = len(study.systems) > 1, {}
    if study.depth < 2:
        reasons["Estimators"] = "the pool is one document deep, so no shallower pool can be simulated."
    if not two:
        reasons["Orderings"] = "an ordering needs at least two systems."
    if not two or len(study.judged_topics) < 2:
        reasons["Confidence"] = "an analysis of variance needs two systems and two judged topics."
    if not study.has_variations:
        reasons["Consistency"] = "every topic has one query, so there are no query variations to compare."
    return reasons


def report(title, said, settings, sources, *, day, nothing=(), too_long=(), assumed=(), app="", in_full=False):
    """The report as HTML for a page: findings and tables by page, settings, and files.

    said : a `Said` for each page; the metric of its first table follows the finding
    nothing : pages that do not apply, (page, reason); too_long : slow sections that were not opened, (page, title)
    settings : as from `settings`; assumed : sentences on what was inferred from the files; sources : the files
    day : the date, as text; app : the app's own address, for links
    in_full : with the pictures, and the formulas and sources of all numbers
    """
    parts = [f"<p>{_html(title)}. Made with Poolscope {_html(evalcore.__version__)} on {_html(day)}.</p>"]
    if in_full and any(one.pictures for one in said):
        parts.append('<p><button type="button" class="save-all">Save all pictures</button></p>')
    for one in said:
        parts += _part(one, app, in_full)
    if nothing:
        parts.append("<h2>Pages that do not apply to this track</h2>")
        parts.append(_table((page, opening(reason)) for page, reason in nothing))
    if too_long:
        parts.append("<h2>Slow sections that were not opened</h2>")
        parts.append(_table(too_long))
    parts.append("<h2>How the files were read</h2>")
    parts.append(_folded(digits(len(settings), "option"), _table(settings)))
    parts += [f"<ul>{''.join(f'<li>{_html(one)}</li>' for one in assumed)}</ul>"] if assumed else []
    read = dict.fromkeys([*sources, *(file for one in said for _, answer in one.tables for file in answer.sources)])
    parts.append("<h2>Files and their SHA-256 digests</h2>")
    parts.append(
        _folded(digits(len(read), "file"), _table((source.role, source.name, source.sha256) for source in read))
    )
    if in_full:
        parts += _definitions(said)
    return "\n".join(parts)


def _part(section, app, in_full):
    """The part of one page, as HTML."""
    first, *others = section.findings
    yield f"<h2>{_html(section.page)}: {_html(section.question)}</h2>"
    yield f"<p><strong>{_html(first.headline)}</strong> {_html(first.detail)}</p>"
    yield from (f"<p>{_html(str(finding))}</p>" for finding in others)
    notes = dict.fromkeys(caveat for finding in section.findings for caveat in finding.caveats)
    notes |= {f"Setting: {first.setting}.": None} if first.setting else {}
    yield from (f'<p class="note">{_html(note)}</p>' for note in notes)
    if section.own:
        yield f'<p class="own">{html.escape(section.own)}</p>'
    if in_full:
        yield from (_picture(section.page, key, *picture) for key, picture in section.pictures.items())
    yield from (_first_rows(title, answer, in_full) for title, answer in section.tables)
    if section.address:
        yield f'<p><a href="{_html(app + section.address)}">{_html(section.page)}, with these choices</a></p>'


def _picture(page, key, title, shows, make):
    """An interactive picture, with a button that saves it as SVG."""
    figure = make(look=theme.look())
    figure["layout"] |= {"paper_bgcolor": "#FFFFFF", "plot_bgcolor": "#FFFFFF"}
    data = to_json_plotly(figure).translate({ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
    name = export.plain_name(f"{page}_{key}")
    return (
        f'<figure data-name="{_html(name)}"><div class="plot" role="img" aria-label="{_html(shows)}" '
        f'style="height:{figure["layout"]["height"]}px"></div><script type="application/json">{data}</script>'
        f'<figcaption><span class="title">{_html(title)}</span> <button type="button" class="save">Save as SVG</button>'
        "</figcaption></figure>"
    )


def _first_rows(title, answer, in_full):
    """First rows of a table, its question, and where its numbers are defined."""
    table, rows = answer.table, answer.table.head(ROWS)
    rows_shown = (
        f"the first {len(rows)} of {digits(len(table), 'row')}" if len(table) > len(rows) else digits(len(rows), "row")
    )
    numeric = [' class="number"' if kind.kind in "iuf" else "" for kind in table.dtypes]
    heads = (_html(name).replace("_", "_<wbr>") for name in table)  # where a narrow column may break it
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    cells = (
        "".join(
            f"<td{side}>{_html(export.written(answer.question, name, value))}</td>"
            for name, side, value in zip(table, numeric, row, strict=True)
        )
        for row in rows.itertuples(index=False)
    )
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    sheet = f'<div class="wide"><table class="rows"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    return _folded(
        f"{title}: {rows_shown}", f'<p class="asked">{_html(_asked(answer))}{_defined(answer, in_full)}</p>{sheet}'
    )


def _defined(answer, in_full):
    """Sections that define the numbers of a table, and their sources."""
    if not in_full:
        return ""
    where = ", ".join(
        f'<a href="#s{one.number}">{one.number} {_html(one.title)}</a>' for one in definitions.sections_of(answer)
    )
    by = ", ".join(f'<a href="#{key}">[{key}]</a>' for key in citations.keys_of(answer))
    return f"<br>Definitions: {where}{'; ' if by else ''}{by}."


MARKED = re.compile(r"`([^`]+)`|\$([^$]+)\$|\*\*(.+?)\*\*|\*([^*]+)\*")  # code, TeX, strong, emphasis


def _in_words(markdown):
    """A paragraph of a definition as HTML; lists and tables as plain text."""
    if markdown.startswith(("- ", "|")):
        return f"<pre>{html.escape(markdown)}</pre>"

    def as_html(findings):
        code, tex, strong, emphasis = findings.groups()
        if strong or emphasis:
            return f"<strong>{strong}</strong>" if strong else f"<em>{emphasis}</em>"
        return f"<code>{code or tex}</code>"

    return f"<p>{MARKED.sub(as_html, html.escape(markdown))}</p>"


def _definitions(said):
    """Formulas behind the tables, and all sources, as text and as BibTeX."""
    answers = [answer for one in said for _, answer in one.tables]
    used = {section.number: section for answer in answers for section in definitions.sections_of(answer)}
    yield "<h2>How the numbers are defined</h2>"
    yield "<p>Section numbers refer to docs/METHODS.md, which contains the full definitions.</p>"
    for section in sorted(used.values(), key=lambda one: [int(part) for part in one.number.split(".")]):
        yield f'<h3 id="s{section.number}">{section.number} {_html(section.title)}</h3>'
        if not section.formulas:
            yield _in_words(section.opening)
        yield from (f'<p class="wide">{definitions.mathml(tex)}</p>' for tex in section.formulas)
    cited = [citations.references()[key] for key in citations.cited_by(said)]
    yield "<h2>Sources</h2>"
    yield f"<ul>{''.join(f'<li id={one.key!r}>[{one.key}] {_html(one)}</li>' for one in cited)}</ul>"
    yield _folded("BibTeX", f"<pre>{html.escape(citations.bibliography(said))}</pre>")


def report_page(body, title="Poolscope report"):
    """The report as a self-contained HTML page with every section open. Bytes."""
    scripts = [get_plotlyjs(), SCRIPT] if "<figure" in body else []
    digests = (base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts)
    runs = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    policy = f"default-src 'none'; script-src {runs}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'"
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}; form-action \'none\'">'
        f'<meta name="viewport" content="width=device-width"><title>{_html(title)}</title><style>{STYLE}</style>'
    )
    body = f"<h1>{_html(title)}</h1>\n" + body.replace("<details>", "<details open>")
    ends = "".join(f"<script>{one}</script>" for one in scripts)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}{ends}</body></html>\n'.encode()


def overview(pages, visited, not_applicable=()):
    """How many of the pages the report covers. All three are lists of names of pages. -> `Conclusion`"""
    headline = "Nothing here yet. Visit a page and its findings are added to this report."
    if visited:
        headline = f"{len(visited)} of {len(pages)} pages visited: {listed(visited, len(visited))}."
    return Conclusion(headline, f"Not applicable to this track: {listed(not_applicable)}." if not_applicable else "")


def settings(study, level=None):
    """How a study reads its files: pairs of option and value, with contributors and pool depth as inferred.

    level : the lowest relevant grade of the second qrels, if chosen
    """
    options, scope = study.options, study.scope
    inferred = {"pooled": formed(study), "pool_depth": depth_of_pool(study)}
    if options["variations"] is None:
        inferred["variations"] = "from the queries table" if study.has_variations else "none: one query per topic"
    rows = [(option.label, inferred.get(name) or option.words(options[name])) for name, option in OPTIONS.items()]
    if (level := options.get("other_rel_level") or level) is not None:
        rows.append(("Relevant in the second qrels from grade", level))
    if "judged_by_other" in scope:
        rows.append(("Judged by", "the second qrels"))
    rows += [(f"Only these {name}", listed(scope[name])) for name in ("systems", "topics") if name in scope]
    if without := scope.get("without_contribution_of"):
        rows.append(("Left out of the pool", listed(without)))
    return rows + [(f"Fused run {fused['name']}", _fused(fused)) for fused in scope.get("with_fused", ())]


def formed(study):
    """Which systems contributed to the pool, and how this is known."""
    pooled, pooling = study.whole.pooled, study.pooling
    who = f"{pooled.sum():,} of {digits(len(pooled), 'system')}"
    if pooling.how == "assumed":
        return f"{everyone(len(pooled))} (assumed: the files do not show it)"
    if pooling.how == "told":
        return f"{who} ({'as chosen' if study.options['pooled'] is not None else 'from the systems table'})"
    order = "" if pooling.order == study.options["order"] else f"; the pool follows {WORDS[pooling.order]}"
    inferred = f"{who} (inferred from the files{order})"
    return f"{inferred}; possibly also {listed(pooling.doubtful)}" if pooling.doubtful else inferred


def depth_of_pool(study):
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


def _asked(answer):
    """A question and its parameters, on one line."""
    params = (f"{name}={_short(value)}" for name, value in answer.params.items() if value is not None)
    return f"{answer.question}({', '.join(params)})"


def _short(value):
    return f"[{len(value)} values]" if isinstance(value, list) and len(value) > FAMILIAR else repr(value)


def _folded(summary, inside):
    return f"<details><summary>{_html(summary)}</summary>{inside}</details>"


def _table(rows):
    cells = ("".join(f"<td>{_html(value)}</td>" for value in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _html(value):
    return html.escape(text(value))
