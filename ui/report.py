"""The report of all pages: what each found, from what, with its pictures and tables, as one HTML that asks nobody.

Every text from a file is escaped. The file has a content policy that runs its own two scripts and nothing else.
"""

import base64
import hashlib
import html
import re
from dataclasses import dataclass, field

from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

import evalcore
from evalcore.metrics import metric
from evalcore.opening import OPTIONS
from evalcore.pool_orders import WORDS
from evalcore.sentences import digits, everyone, listed, many, opening, small, verb
from ui import citations, definitions, export, theme
from ui.escape import text

STYLE = """:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1B2733;
  background: #FFFFFF; overflow-wrap: anywhere; }
a { color: #0068A3; }
figure { margin: 1rem 0; }
p > svg { max-width: 100%; height: auto; }
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
SCRIPT = """
const shown = new Set()
const draw = (figure) => {
  if (shown.has(figure)) return
  shown.add(figure)
  const { data, layout } = JSON.parse(figure.querySelector("script").textContent)
  const plot = figure.querySelector(".plot")
  const apart = { ...layout, margin: { ...layout.margin, pad: 8 } } // names from bars
  Plotly.newPlot(plot, data, apart, { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["toImage"],
    showSendToCloud: false })
  figure.querySelector(".save").addEventListener("click", () => Plotly.downloadImage(plot, {
    format: "svg", filename: figure.dataset.name, width: plot.clientWidth, height: layout.height,
  }))
}
const figures = document.querySelectorAll("figure")
const near = new IntersectionObserver((seen) => {
  for (const one of seen) if (one.isIntersecting) draw(one.target)
}, { rootMargin: "800px" })
figures.forEach((figure) => near.observe(figure))
addEventListener("beforeprint", () => figures.forEach(draw))
"""
FAMILIAR = 6  # a list of more values is told by their number
ROWS = 10  # of each table that stand in the report


@dataclass(frozen=True)
class Said:
    """What a page said.

    page, question : its name and what it asks; findings : what it found, its own first; tables : (title, answer)
    pictures : key -> (title, what it shows, make(look=) which gives the figure)
    address : that gives the page back, relative to the app's own; own : what the visitor wrote about it
    """

    page: str
    question: str
    findings: list
    tables: list
    pictures: dict = field(default_factory=dict)
    address: str = ""
    own: str = ""


def said_by(page, question, note, own=""):
    """What a page said, from its note (see `session.notes`): also what its tables find and the page left unsaid."""
    said = list(note["findings"].values())
    for key, (_, answer) in note["tables"].items():
        found = str(answer.finding)
        if key not in note["findings"] and not any(found.rstrip(".").lower() in one.lower() for one in said):
            said.append(found)
    tables, pictures = list(note["tables"].values()), note.get("pictures", {})
    return Said(page, question, said, tables, pictures, note.get("address", ""), own)


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


def report(title, said, settings, sources, *, day, nothing=(), too_long=(), assumed=(), app="", in_full=False):
    """The report as HTML that can stand in a page: what each page found, from what, and the files.

    said : a `Said` for each page; what its first table was measured by stands with the finding
    nothing : pages that have nothing to say, (page, reason); too_long : what takes long and was not opened, (page,
    title); assumed : what was assumed of the files, sentences
    settings, sources : how the study reads its files, as `settings` says it, and which these are
    day : when it was made, as text; app : the app's own address, to which the links lead
    in_full : with the pictures, and the formulas and sources of all numbers
    """
    parts = [f"<p>{_html(title)}. Made with Poolscope {_html(evalcore.__version__)} on {_html(day)}.</p>"]
    for one in said:
        parts += _part(one, app, in_full)
    if nothing:
        parts.append("<h2>Pages with nothing to say of this track</h2>")
        parts.append(_table((page, opening(reason)) for page, reason in nothing))
    if too_long:
        parts.append("<h2>Not asked, for it takes long and was not opened</h2>")
        parts.append(_table(too_long))
    parts.append("<h2>How the files were read, and what was found in them</h2>")
    parts.append(_table(settings))
    parts += [f"<ul>{''.join(f'<li>{_html(one)}</li>' for one in assumed)}</ul>"] if assumed else []
    read = dict.fromkeys([*sources, *(file for one in said for _, answer in one.tables for file in answer.sources)])
    parts.append("<h2>The files and their digests (SHA-256)</h2>")
    parts.append(_folded(f"{len(read)} files", _table((source.role, source.name, source.sha256) for source in read)))
    if in_full:
        parts += _definitions(said)
    return "\n".join(parts)


def _part(one, app, in_full):
    """What one page said."""
    by = measured_by(_measure_of(one.tables[0][1])) if one.tables else ""
    yield f"<h2>{_html(one.page)}: {_html(one.question)}</h2>"
    yield f"<p><strong>{_html(one.findings[0])}</strong> {_html(by)}</p>"
    yield from (f"<p>{_html(finding)}</p>" for finding in one.findings[1:])
    if one.own:
        yield f'<p class="own">{html.escape(one.own)}</p>'
    if in_full:
        yield from (_picture(one.page, key, *picture) for key, picture in one.pictures.items())
    yield from (_first_rows(title, answer, in_full) for title, answer in one.tables)
    if one.address:
        yield f'<p><a href="{_html(app + one.address)}">{_html(one.page)}, with these choices</a></p>'


def _picture(page, key, title, shows, make):
    """A picture that can be pointed at, and saved as SVG."""
    figure = make(look=theme.look())
    figure["layout"] |= {"paper_bgcolor": "#FFFFFF", "plot_bgcolor": "#FFFFFF"}
    data = to_json_plotly(figure).translate({ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
    name = export.plain_name(f"{page}_{key}")
    return (
        f'<figure data-name="{_html(name)}"><div class="plot" role="img" aria-label="{_html(shows)}" '
        f'style="height:{figure["layout"]["height"]}px"></div><script type="application/json">{data}</script>'
        f'<figcaption>{_html(title)} <button type="button" class="save">Save as SVG</button></figcaption></figure>'
    )


def _first_rows(title, answer, in_full):
    """The first rows of a table, what was asked, and where its numbers are defined."""
    table, rows = answer.table, answer.table.head(ROWS)
    some = (
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
        f"{title}: {some}", f'<p class="asked">{_html(_asked(answer))}{_defined(answer, in_full)}</p>{sheet}'
    )


def _defined(answer, in_full):
    """Where the numbers of a table are defined, and by whom."""
    if not in_full:
        return ""
    where = ", ".join(
        f'<a href="#s{one.number}">{one.number} {_html(one.title)}</a>' for one in definitions.sections_of(answer)
    )
    by = ", ".join(f'<a href="#{key}">[{key}]</a>' for key in citations.keys_of(answer))
    return f"<br>Defined in {where}{'; ' if by else ''}{by}."


MARKED = re.compile(r"`([^`]+)`|\$([^$]+)\$|\*\*(.+?)\*\*|\*([^*]+)\*")  # code, TeX, strong, emphasis


def _in_words(markdown):
    """A paragraph of a definition; lists and tables as they are written."""
    if markdown.startswith(("- ", "|")):
        return f"<pre>{html.escape(markdown)}</pre>"

    def as_html(found):
        code, tex, strong, emphasis = found.groups()
        if strong or emphasis:
            return f"<strong>{strong}</strong>" if strong else f"<em>{emphasis}</em>"
        return f"<code>{code or tex}</code>"

    return f"<p>{MARKED.sub(as_html, html.escape(markdown))}</p>"


def _definitions(said):
    """The formulas that the tables rest on, and all sources, as text and as BibTeX."""
    from ui.svg import formula  # what draws takes a second to load, and is needed here alone

    answers = [answer for one in said for _, answer in one.tables]
    used = {section.number: section for answer in answers for section in definitions.sections_of(answer)}
    yield "<h2>How the numbers are defined</h2>"
    yield "<p>The numbers of the sections are those of docs/METHODS.md, which has every definition in full.</p>"
    for section in sorted(used.values(), key=lambda one: [int(part) for part in one.number.split(".")]):
        yield f'<h3 id="s{section.number}">{section.number} {_html(section.title)}</h3>'
        if not section.formulas:
            yield _in_words(section.opening)
        for tex in section.formulas:
            drawn = formula(tex)
            yield (
                f'<p role="img" aria-label="{_html(tex)}">{drawn}</p>' if drawn else f"<p><code>{_html(tex)}</code></p>"
            )
    cited = [citations.references()[key] for key in citations.cited_by(said)]
    yield "<h2>Sources</h2>"
    yield f"<ul>{''.join(f'<li id={one.key!r}>[{one.key}] {_html(one)}</li>' for one in cited)}</ul>"
    yield _folded("The same as BibTeX", f"<pre>{html.escape(citations.bibliography(said))}</pre>")


def report_page(body, title="Poolscope report"):
    """The report as a page of its own, with nothing folded, in need of nothing else. Bytes."""
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


def measured_by(params):
    """By what a table was measured, as a sentence; "" where no measure was asked for."""
    named = [params["metric"]] if "metric" in params else params.get("metrics", [])
    if not named:
        return ""
    guess = params.get("estimator", "lower")
    guessed = "" if guess == "lower" or not _guessed(named) else f", unjudged documents guessed by {guess}"
    condensed = ", unjudged documents taken out" if params.get("unjudged") == "condensed" else ""
    at = "" if params.get("depth") is None else f", at pool depth {params['depth']}"
    return f"Measured by {listed(named)}{guessed}{condensed}{at}."


def _measure_of(answer):
    """The parameters of an answer, without the guess where that is what is learnt."""
    return {name: value for name, value in answer.params.items() if (answer.question, name) != LEARNT}


LEARNT = "constants", "estimator"


def _guessed(metrics):
    """Whether any of these measures has a score that hangs on a guess."""
    return any(metric(name).kind != "point" for name in metrics)


def told(pages, noted, nothing=()):
    """What the report holds.

    pages : the names of the pages; noted : those that have said something; nothing : those that have nothing to say
    """
    left = len(pages) - len(noted) - len(nothing)
    without = f"{listed(nothing)} {verb(len(nothing), 'has', 'have')} nothing to say of this track" if nothing else ""
    every = small(len(pages))
    silent = f"all {'other' if nothing else every} pages were looked at"
    silent = f"of {every} pages {many(left)} still to be looked at" if left else silent
    if not noted:
        none = "No page has said anything of this study yet: look at one, and what it finds stands here."
        return f"{none} {opening(without)}." if without else none
    have, find = verb(len(noted), "has", "have"), verb(len(noted), "it finds", "they find")
    return "; ".join(filter(None, [f"{listed(noted)} {have} said what {find}", without, silent])) + "."


def settings(study, level=None):
    """How a study reads its files and what it looks at: pairs of what is settled and how; who formed the pool and how
    deep as it was found. level : from which grade on a second qrels finds a document relevant, where that is named"""
    options, scope = study.options, study.scope
    found = {"pooled": formed(study), "pool_depth": depth_of_pool(study)}
    if options["variations"] is None:
        found["variations"] = "as the queries table says" if study.has_variations else "none: one query to a topic"
    said = [(option.label, found.get(name) or option.words(options[name])) for name, option in OPTIONS.items()]
    if (level := options.get("other_rel_level") or level) is not None:
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
        return f"{everyone(len(pooled))}, for the files do not show who did"
    if pooling.how == "told":
        return f"{who}, as {'asked' if study.options['pooled'] is not None else 'the systems table says'}"
    may = f"; {listed(pooling.doubtful)} may have, too" if pooling.doubtful else ""
    by = "" if pooling.order == study.options["order"] else f" by {WORDS[pooling.order]}"
    return f"{who}, as found from the files{by}{may}"


def depth_of_pool(study):
    """How deep the pool is, and on how many of the judged topics."""
    pooling, own = study.pooling, study.pooling.depth_of_topic[study.judged_topics]
    if study.options["pool_depth"] is not None:
        return f"rank {pooling.depth}, as asked"
    if not pooling.depth_known:
        return "none that the files show"
    usual, none = (own == pooling.depth).sum(), (own == 0).sum()
    judged = "found" if pooling.how == "found" else "those systems are judged"
    other = len(own) - usual - none
    clauses = [f"rank {pooling.depth} on {usual:,} of {digits(len(own), 'judged topic')}, as {judged}"]
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


def _asked(answer):
    """A question and its parameters, on a line."""
    told = (f"{name}={_short(value)}" for name, value in answer.params.items() if value is not None)
    return f"{answer.question}({', '.join(told)})"


def _short(value):
    return f"[{len(value)} values]" if isinstance(value, list) and len(value) > FAMILIAR else repr(value)


def _folded(summary, inside):
    return f"<details><summary>{_html(summary)}</summary>{inside}</details>"


def _table(rows):
    cells = ("".join(f"<td>{_html(value)}</td>" for value in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _html(value):
    return html.escape(text(value))
