"""The live figure of pool depth: all depths go to the browser once; the chosen depth comes back.

Streamlit's own slider sends nothing until its release; this one redraws with every move (depth_slider.js).
"""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from evalcore.answers import Answer
from evalcore.findings.pool_depth import at_each_depth
from evalcore.findings.wrong_pairs import at_each_depth as wrong_at_each_depth
from evalcore.questions.pool_depth import places_at_each_depth
from evalcore.statistics import orderings
from evalcore.vocabulary.sentences import FUZZ, known
from ui.session import memory, url_state
from ui.text import escape, interval_labels
from ui.views import theme
from ui.views.pool_depth import tiles_at
from ui.views.traces import PINS

SCRIPTS = "keys.js", "saving.js", "depth_slider_picture.js", "depth_slider_paper.js", "depth_slider.js"
ALL = "all"  # the stage past the deepest pool: every judgment there is
SCORES = "value", "lower", "upper", "upper_listed"
UNIT = 10_000  # scores travel as whole numbers of 1/10000, UNIT in depth_slider_picture.js

HTML = f"""
<div class="live">
  <p class="finding" aria-live="polite"><span class="headline"></span> <span class="detail"></span></p>
  <div class="controls">
    <button class="play" type="button" aria-pressed="false">▶ Play</button>
    <span class="depth">Pool depth <span class="stage"></span></span>
    <span class="track">
      <input class="slider" type="range" min="0" max="1000" value="0" step="1" aria-label="Pool depth">
      <span class="ticks" aria-hidden="true"></span>
    </span>
    <select class="speed" aria-label="Speed" title="Speed">
      <option value="24">slow</option><option value="12">medium</option><option value="5">fast</option>
    </select>
  </div>
  <div class="legend">
    <span class="bounded"><span class="swatch of-known"></span>known</span>
    <span class="bounded"><span class="swatch of-open"></span>{interval_labels.UNJUDGED}</span>
    <span class="past-end"><span class="swatch of-past"></span>{interval_labels.PAST_THE_END}</span>
    <span><span class="swatch of-dot"></span><span class="dot-name"></span></span>
    <span class="unbounded"><span class="swatch of-tail"></span>change since the shallowest pool</span>
    <span class="by-all"><span class="swatch of-final"></span>with all judgments</span>
    <span class="truth"><span class="swatch of-truth"></span><span class="truth-name"></span></span>
    <span><span class="swatch of-outside"></span>did not contribute to the pool</span>
    <span class="bounded"><span class="swatch of-leader"></span>what the leader surely has</span>
  </div>
  <p class="truth-said" aria-live="polite"></p>
  <svg class="picture" role="img" tabindex="0" aria-label="Every system's score"></svg>
  <p class="readout" aria-live="polite"></p>
  <div class="controls tools">
    <input class="find" type="search" placeholder="Find a system" aria-label="Find a system">
    <button class="save" type="button">Save as SVG</button>
    <button class="on-paper" type="button">Copy, or save for a paper</button>
  </div>
  <dl class="tiles"></dl>
</div>
"""


PAPER = {"text": "dot", "background": "ground", "gray": "quiet", "blue": "known", "orange": "possible", "red": "focus",
         "border": "grid", "violet": "pin"}  # fmt: skip


MOST_RIVALS = 5  # systems that could still be first, which are shown where others have no room


def payload(
    sweep: Answer, pool: Answer, wrong: Answer | None = None, *, dot: str, pooled: Sequence[str],
    unanswering: Sequence[str] = (), truth: dict[str, Any] | None = None, track: str = "",
) -> dict[str, Any]:  # fmt: skip
    """The data of the live figure, as plain values.

    sweep, pool : answers to the questions `depth_sweep` and `pool` at the same depths; wrong : to `wrong_pairs`
    truth : scores to mark, {"name": in the legend, "at": system -> score}; None = none
    dot : what a dot shows; pooled : names of the systems that contributed
    unanswering : names of those that answer no judged topic; track : name of the study
    """
    table, bounded = sweep.table, interval_labels.is_drawn(sweep.table["kind"].iloc[0])
    if not bounded:
        table = table.assign(lower=math.nan, upper=math.nan, upper_listed=math.nan)
    systems, stages = table["system"].unique().tolist(), [stage(depth) for depth in pool.table["depth"]]
    each = [rows for _, rows in table.groupby("depth", sort=False, dropna=False)]
    marked = list(truth["at"].values()) if truth else []
    largest = max(filter(known, [table[list(SCORES)].max().max(), *marked]), default=math.nan) * UNIT
    findings = at_each_depth(sweep.table, sweep.params, pool.table, unanswering)
    content = {
        "systems": [escape.text(name) for name in systems],
        "pooled": [int(name in set(pooled)) for name in systems],
        "stages": stages,
        "labels": ["all judgments" if at == ALL else str(at) for at in stages],
        "findings": [_sentences(finding.headline, finding.detail) for finding in findings],
        "plain": [_sentences(*finding.on_screen) for finding in findings],
        "rivals": [[systems.index(name) for name in some.facts.get("rivals", ())[:MOST_RIVALS]] for some in findings],
        "tiles": [tiles_at(row) for _, row in pool.table.iterrows()],
        "measure": sweep.params["metric"],
        "track": escape.text(track),
        "paper": {f"--st-{name}-color": theme.look()[role] for name, role in PAPER.items()},  # for what is saved
        "dot": f"score · {dot}" if dot != sweep.params["metric"] else "score",
        "interval": bounded,
        "pastEnd": bool((table["upper"] - table["upper_listed"] > 1 / UNIT).any()),
        "most": max(1000, math.ceil(round(largest) / 1000) * 1000) if known(largest) else 1000,
        **{name: [_units(rows[name], name) for rows in each] for name in SCORES},
    }
    for name, of_each in places_at_each_depth(table).items():
        if bounded or name == "place":
            content[name] = [_places(ranks) for ranks in of_each]
    if truth:
        final = [truth["at"].get(name) for name in systems]
        swapped = _wrong_at_each_depth(wrong) if wrong else []
        content["truth"] = {
            "name": truth["name"],
            "at": _units(final),
            "place": _places(orderings.ranks(np.array(final, float))),
            "findings": [_sentences(finding.headline, finding.detail) for finding in swapped],
            "unmarked": stages.index(ALL) if truth["name"] == interval_labels.ALL_JUDGMENTS and ALL in stages else None,
        }
    key = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
    return {**content, "key": key}


def _wrong_at_each_depth(wrong):
    complete = any(source.role == "truth" for source in wrong.sources)
    return wrong_at_each_depth(wrong.table, wrong.params, complete=complete)


def _sentences(*both):
    """The two sentences of a finding, for the page."""
    return [escape.text(words) for words in both]


def stage(depth: float) -> int | str:
    """A pool depth as the slider names it; a missing depth is all judgments."""
    return ALL if depth is None or depth != depth else int(depth)


def _units(scores, column="value"):
    """Scores in units of 1/10000, None if missing. Their three digits are those of the tables; a bound is rounded away
    from the score, as in sentences."""
    scores = np.array(scores, float)
    there = ~np.isnan(scores)
    of_known = scores[there]
    thousandths, least, most = {
        "value": lambda: (np.rint([1000 * float(f"{score:.3f}") for score in of_known]), -4, 4),
        "lower": lambda: (np.floor(of_known * 1000 + FUZZ), 0, 9),
    }.get(column, lambda: (np.ceil(of_known * 1000 - FUZZ), -9, 0))()
    units = np.full(len(scores), None)
    units[there] = np.clip(np.rint(of_known * UNIT), 10 * thousandths + least, 10 * thousandths + most).astype(int)
    return units.tolist()


def _places(ranks):
    """Ranks as whole numbers, None if missing."""
    return [int(rank) if known(rank) else None for rank in ranks]


@cache
def component() -> Callable[..., Any]:
    """The component, registered on first use."""
    folder = Path(__file__).parent
    return st.components.v2.component(
        "poolscope.live",
        html=HTML,
        css=(folder / "depth_slider.css").read_text("utf-8"),
        js="".join((folder / name).read_text("utf-8") for name in SCRIPTS),
    )


def show(content: dict[str, Any], *, key: str) -> int | str:
    """Draw the figure. -> the chosen stage; before the slider moves, that of the address."""
    key = f"{key}-{memory.get('arrivals')}"  # on arrival, the figure opens as the address says
    stages, moved_to = content["stages"], (st.session_state.get(key) or {}).get("stage")
    of_link = url_state.value_of("depth")
    wanted = _nearest(of_link or memory.remembered("depth") or 10, stages)
    if memory.get("just-arrived") and of_link not in (None, str(wanted)):
        memory.not_found("depth", of_link, "all judgments" if wanted == ALL else f"depth {wanted}")
    shown = "present" if memory.presenting() else "large" if st.session_state.get("large") else "page"
    drawn, opens = memory.get("opening", (None, wanted))
    if drawn != (content["key"], shown) or moved_to is None:  # the figure is drawn again
        opens = moved_to if moved_to in stages else wanted  # a move may come with what redraws it, before the address
        memory.put("opening", ((content["key"], shown), opens))
    data = {
        **content,
        "start": stages.index(opens),
        "exact": url_state.value_of("figure") is not None,  # alone in another site's frame
        "shown": shown,
        "rows": memory.get("few-rows"),
        "hidden": sorted(_at(content["systems"], memory.get("hidden") or ())),
        "pinned": dict(zip(_at(content["systems"], memory.get("pin") or ()), PINS, strict=False)),
    }  # unchanged while the figure is open: a change would send everything again
    with st.container(key="depths"):
        left_at = component()(
            data=data, key=key, default={"stage": None}, on_stage_change=partial(_moved, key, stages)
        ).stage
    memory.get("settled")[key] = dict(st.session_state.get(key) or {})  # a move is a choice, on a slow line too
    stage = left_at if left_at in stages else wanted
    url_state.put("depth", stage)
    if left_at is not None:
        memory.take_choice("depth", stage)
    return stage


def _moved(key, stages):
    """Take the stage of the figure as the chosen depth before the script runs, which may do so for another page."""
    if (stage := (st.session_state.get(key) or {}).get("stage")) in stages:
        memory.take_choice("depth", stage)


def _at(systems, names):
    """Where these systems are, by their names as the figure has them."""
    names = [escape.text(name) for name in names]
    return [systems.index(name) for name in names if name in systems]


def _nearest(wanted, stages):
    """The stage closest to the depth in the address; the last stage if that is not a depth."""
    depths = [stage for stage in stages if stage != ALL]
    if not str(wanted).isdecimal() or len(str(wanted)) > 18 or not depths:
        return stages[-1]
    return min(depths, key=lambda depth: abs(depth - int(wanted)))
