"""Pickers for what a visitor chooses on a page. The tables of evalcore give the options."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore
from evalcore.estimating.estimators import allowed_for
from evalcore.metrics.phrases import in_a_phrase
from evalcore.questions.judgment_cuts import ascending_counts, judged_in_all
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import digits, everyone, listed
from evalcore.vocabulary.sentences import level as level_in_words
from ui.components.choice_line import Line
from ui.session import memory, url_state
from ui.text import glossary, in_words
from ui.text.escape import md

if TYPE_CHECKING:
    from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

Place = DeltaGenerator | ModuleType | Line  # where a picker is drawn
USUAL = "RBP(p=0.8)"  # the default metric
METRICS = [name for row in sorted(evalcore.METRICS.values(), key=lambda row: row.kind) for name in row.usual]
METRICS.sort(key=lambda name: name != USUAL)
FORMULAS = [name for name, row in evalcore.ESTIMATORS.items() if not row.model]
COMPARED = [name for name, row in evalcore.ESTIMATORS.items() if row.compared]
SHARDS = [5, 2, 3, 4, 10, 25, 50]
SHARD_COUNTS = (2, 3, 4, 5, 10, 20, 25, 50)  # compared with one another
FULLEST = list(evalcore.MODELS)[-1]  # the model with the most effects


# ---- any choice


def select(where: Place, label: str, options: Sequence[Any], *, key: str, **more: Any) -> Any:
    """A picker of one option, whose choice is in the address and is kept on other pages. A typed one is among its
    options. more : of `Line.choose_one` or `st.selectbox`"""
    typed = more.get("accept_new_options", False)
    memory.prepare(key, options, typed=typed)
    offered = list(dict.fromkeys([*options, st.session_state.get(key) or options[0]])) if typed else options
    if isinstance(where, Line):
        return memory.settle(key, where.choose_one(label, offered, key=key, default=options[0], **more), options[0])
    more = {name: value for name, value in more.items() if name not in ("says", "lines")}
    return memory.settle(key, where.selectbox(label, offered, key=key, **more), options[0])


def named(
    where: Place, label: str, names: Mapping[Any, str], *, key: str,
    rows: Mapping[Any, Any] | None = None, **more: Any,
) -> Any:  # fmt: skip
    """One of a few values, value -> name. rows : by value, those that get a plain line below"""
    lines = {value: glossary.summed_up(row) for value, row in (rows or {}).items()}
    more = {"format_func": lambda value: names.get(value, value), "lines": lines} | more
    picked = select(where, label, list(names), key=key, **more)
    if picked in lines and not isinstance(where, Line):
        plainly(where, lines[picked], key=key)
    return picked


def topic(where: Place, study: Study, topics: Sequence[str]) -> str:
    """One of these topics, with what it asks if that is known."""
    return select(where, "Topic", topics, key="topic", format_func=lambda name: in_words.topic(name, study))


def plainly(where: Place, line: str, *, key: str) -> None:
    """One plain line that explains the choice of `key`."""
    place = where.inside[key] if isinstance(where, Line) else where
    with place.container(key=f"plainly-{key}"):
        st.caption(line)


def select_several(
    where: Place, label: str, options: Sequence[str], *, key: str, default: Sequence[str],
    **more: Any,
) -> list[str]:  # fmt: skip
    """Some of these options; the choice is in the address and is kept on other pages."""
    typed, most = more.get("accept_new_options", False), more.get("max_selections")
    preset = _several_before(key, options, default, typed=typed, most=most)
    offered = list(dict.fromkeys([*options, *preset]))
    if isinstance(where, Line):
        says = more.pop("says", lambda names: digits(len(names), label.lower().removesuffix("s")))
        words = says(list(dict.fromkeys(preset)))
        changed = list(preset) != list(default)
        chosen = where.choose_several(label, offered, key=key, changed=changed, words=words, **more)
    else:
        lines = not memory.presenting()  # before an audience the figure needs the space
        chosen = where.multiselect(label, offered, key=key, wrap=lines, **more)
    return _settle_several(key, chosen, default)


def several_without_picker(key: str, options: Sequence[str], *, most: int) -> list[str]:
    """The choice of at most so many of these options, none by default, on a page that has no picker of it, or has it
    later."""
    return _settle_several(key, _several_before(key, options, (), typed=False, most=most), ())


def _several_before(key, options, default, *, typed, most):
    """The choice of several options, before its picker is drawn: from the address, else the earlier one."""
    preset = st.session_state.get(key)
    if preset and not memory.get("just-arrived"):
        return preset
    emptied = key in st.session_state and not memory.get("just-arrived")
    wanted = default if emptied else url_state.values_of(key) or memory.remembered(key, several=True) or default
    offered = [value for value in dict.fromkeys(wanted) if typed or value in options][:most]
    preset = st.session_state[key] = offered or list(default)
    for value in () if typed else set(url_state.values_of(key)).difference(options):
        memory.not_found(key, value, preset)
    return preset


def _settle_several(key, chosen, default):
    """Remember the choice of several options, and write it to the address unless it is the default."""
    picked = chosen or list(default)
    memory.take_choice(key, picked)
    memory.get("settled")[key] = chosen
    url_state.put(key, None if picked == list(default) else picked)
    return picked


def at_the_picture(views: Mapping[Any, str], *, key: str, label: str) -> Any:
    """What one plays with on a page: one of a few views of the figure below, value -> name, beside its legend."""
    with st.container(key="control", horizontal=True, horizontal_alignment="right"):
        return view(st, views, key=key, label=label, label_visibility="collapsed", width="content")


def view(where: Place, views: Mapping[Any, str], *, key: str, label: str = "Show", **more: Any) -> Any:
    """One of a few views of a figure, value -> name."""
    options = list(views)
    if isinstance(where, Line):
        return select(where, label, options, key=key, format_func=views.get, **more)
    memory.prepare(key, options)
    st.session_state[key] = st.session_state[key]  # the browser forgets it while nothing is open
    picked = where.segmented_control(label, options, required=True, key=key, format_func=views.__getitem__, **more)
    return memory.settle(key, picked, options[0])


def tabs(parts: Mapping[str, str], *, key: str) -> Sequence[DeltaGenerator]:
    """The tabs of a page, name in the address -> label. -> their containers, in this order"""
    labels, chosen = list(parts.values()), url_state.value_of(key)
    widget = f"{key}-{memory.get('arrivals')}"  # on arrival, the tab opens as the address says
    if memory.get("just-arrived") or memory.get(widget) is None:
        memory.put(widget, parts.get(chosen or "", labels[0]))  # with another default, these would be other tabs
        if chosen is not None and chosen not in parts:
            memory.not_found(key, chosen, labels[0])
    places = st.tabs(labels, default=memory.get(widget), key=widget, on_change="rerun")
    now = next((name for name, label in parts.items() if label == st.session_state.get(widget)), chosen)
    url_state.put(key, now if now in list(parts)[1:] else None)
    return places


def fold(title: str, *, key: str) -> ExpanderContainer:
    """An expander whose content is drawn when it is open; the address names the open ones. A click in a figure that
    makes the choice `key` opens it."""
    widget = memory.fold_key(key)
    if memory.get("just-arrived") or widget not in st.session_state:
        st.session_state[widget] = key in url_state.values_of("open")
    place = st.expander(title, key=widget, on_change="rerun")
    memory.get("settled")[widget] = place.open
    names = [name for name in url_state.values_of("open") if name != key]
    url_state.put("open", [*names, key] if place.open else names or None)
    return place


def switch(where: Place, label: str, *, key: str, note: str) -> bool:
    """A switch with one state for all pages; `true` in the address."""
    if memory.get("just-arrived") or key not in st.session_state:
        st.session_state[key] = url_state.value_of(key) == "true" or bool(memory.remembered(key))
    on = where.toggle(label, key=key, help=note)
    memory.take_choice(key, on)
    memory.get("settled")[key] = on
    url_state.put(key, "true" if on else None)
    return on


def search(label: str, *, key: str, placeholder: str) -> str:
    """What a visitor searches for, while it is typed; it is in the address."""
    if memory.get("just-arrived") or key not in st.session_state:
        st.session_state[key] = url_state.value_of(key) or ""
    shown: Any = {"label_visibility": "collapsed", "autocomplete": "off"}
    typed = st.text_input(label, key=key, placeholder=placeholder, type="search", live=True, **shown)
    memory.get("settled")[key] = typed
    url_state.put(key, typed.strip() or None)
    return typed.strip()


def ranks(where: Place) -> int:
    """How many ranks of a ranking to look at."""
    return select(where, "Judged share of the top …", [10, 5, 20, 50, 100], key="k", says="the top {} results".format)


# ---- what is measured


def metric(where: Place, *, fits: Callable[..., Any] = lambda metric: True) -> str:
    """The metric, from the usual ones or typed: the same on every page that it fits."""
    offered = [name for name in METRICS if fits(evalcore.metric(name))]
    note = "What should count? The line below says it in words. You can type others, such as P@5 or nDCG@20."
    more = {"accept_new_options": True, "format_func": in_words.metric}
    picked = select(where, "Metric", offered, key="metric", help=note, says=in_a_phrase, **more)
    with contextlib.suppress(ValueError):  # an unknown name is refused where it is used
        if not fits(evalcore.metric(picked)):
            where.caption(f"This page cannot use {md(picked)}, so it uses {USUAL}.")
            picked = USUAL
        plainly(where, f"{glossary.metric(picked)} {glossary.scale(picked)}", key="metric")
    return picked


def metrics(where: Place, label: str, *, key: str, default: Sequence[str] = ()) -> list[str]:
    """Several metrics, from the usual ones or typed."""
    note = "Choose metrics or type others, such as SDCG@100."
    more = {"accept_new_options": True, "help": note}
    return select_several(where, label, list(dict.fromkeys([*default, *METRICS])), key=key, default=default, **more)


def estimators(where: Place, metric: str) -> list[str]:
    """The estimators to compare. Models need a weight for every rank; a line says so."""
    note = "Choose estimators or type one with parameters, such as interpolated(C=0.5, E=0.02)."
    more = {"accept_new_options": True, "help": note, "format_func": in_words.estimator}
    more["says"] = lambda names: f"{digits(len(names), 'guess', 'guesses')} about unread documents"
    label, offered = "Treat unread documents (estimators)", list(evalcore.ESTIMATORS)
    picked = select_several(where, label, offered, key="guesses", default=COMPARED, **more)
    place = where.empty()  # with and without it, figures keep their places
    with contextlib.suppress(ValueError):
        if not evalcore.metric(metric).weighted:
            place.caption(f"Only formulas are compared: models need a weight for every rank; {md(metric)} has none.")
    return picked


def estimate(where: Place, names: Sequence[str]) -> str:
    """One of these estimators: the one chosen on another page, else the first."""
    return select(where, "Estimator", names, key="guess", format_func=in_words.estimator)


def weighing_of(metric: str) -> str:
    """The metric if it has exact bounds and divides a weighted sum, such as nDCG@k, or a weight for every rank, else
    the default."""
    chosen = evalcore.metric(metric)
    return metric if chosen.weighted or (chosen.weighing and chosen.kind == "bounds") else USUAL


def weighing(where: Place, metric: str) -> str:
    """The same, which a line says if it is not the metric."""
    return _in_use(where, metric, weighing_of(metric))


def weighted(where: Place, metric: str) -> str:
    """The metric if it has a weight for every rank, else the default, which a line says."""
    return _in_use(where, metric, metric if evalcore.metric(metric).weighted else USUAL)


def _in_use(where, metric, used):
    place = where.empty()  # with and without it, figures keep their places
    if used != metric:
        place.caption(
            f"This part needs a fixed weight for every rank, which {md(metric)} lacks, so it uses {md(used)}."
        )
    return used


def estimator(where: Place, metric: str, guesses: Sequence[str] = FORMULAS) -> str:
    """The estimate that counts as a system's score: the same on every page that has it, of those that change scores on
    the metric."""
    with contextlib.suppress(ValueError):  # an unknown name is refused where it is used
        guesses = allowed_for(evalcore.metric(metric), guesses)
    names = {name: evalcore.ESTIMATORS[name].worded for name in guesses}
    note = "This estimate changes only the score. It never changes the interval, or which pairs are certain."
    unsaid = {name: row for name, row in evalcore.ESTIMATORS.items() if name != "lower"}
    says = lambda name: f"unread documents count {evalcore.ESTIMATORS[name].label}"  # noqa: E731
    return named(where, "Treat unread documents", names, key="estimator", rows=unsaid, help=note, says=says)


def model(where: Place) -> str:
    """A model of the analysis of variance, with a plain line below."""
    names = {name: row.worded for name, row in reversed(evalcore.MODELS.items())}
    says = lambda name: evalcore.MODELS[name].label  # noqa: E731
    return named(where, "Model", names, key="model", rows=evalcore.MODELS, says=says)


def depth(where: Place, study: Study) -> int | None:
    """The judgments to use: a pool depth, or None for all."""
    names = {"all": "all judgments"} | {depth: f"pool depth {depth}" for depth in range(1, study.depth + 1)}
    picked = named(where, "Judgments", names, key="depth")
    return None if picked == "all" else picked


def carried_depth(study: Study) -> int | None:
    """The pool depth chosen on another page, with a button to use all judgments."""
    memory.prepare("depth", ["all", *range(1, study.depth + 1)])
    picked = memory.settle("depth", st.session_state["depth"], "all")
    place = st.empty()  # with and without it, figures keep their places
    if picked == "all":
        return None
    with place.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"These numbers use pool depth {picked}, as chosen on another page, in a link or by a tour.")
        st.button("Use all judgments", key="all-judgments", on_click=_take_all_judgments)
    return picked


def _take_all_judgments():
    st.session_state["depth"] = "all"


SPACED = {1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500}
FAR_APART = {1, 3, 10, 30, 100, 300}
MANY_PLACES = 1_000_000  # judged ranks; with more, a depth takes some 100 ms


def depths(study: Study, metric: str) -> list[int | None]:
    """The pool depths to compute, then None for all judgments: every depth if one pass gives all, else some."""
    every = range(1, study.depth + 1)
    far = FAR_APART if study.places.size > MANY_PLACES else SPACED
    offered = every if evalcore.metric(metric).weighted else far | {study.depth}
    return [*(depth for depth in every if depth in offered), None]


def usual_regimes(study: Study, second: bool) -> list[str]:
    """Setups that people compare. second : whether second judgments are loaded"""
    shallow = [f"depth={depth}" for depth in (5, 10, 20) if depth < study.depth]
    shallow = shallow or [f"judgments={min(500, max(1, judged_in_all(study) // 2))}"]
    fuller = ["RBP(p=0.8)", "RBP(p=0.95)", "AP", "nDCG@10", "P@10", "condensed | AP"]
    other = ["qrels=other | RBP(p=0.8)"] if second else []
    return [*shallow[:2], *fuller[:3], *shallow[2:], *fuller[3:], f"{shallow[0]} | rm", *other]


WIDTH = 260  # pixels of a picker in a row with a switch
TESTS = (
    ("t", "holm"),
    ("t", "bh"),
    ("t", "bonferroni"),
    ("t", "none"),
    *((test, "bh") for test in evalcore.TESTS if test != "t"),
)


def test(where: Place) -> tuple[str, str]:
    """A test of pairs and its correction: (test, correction)."""
    names = {
        f"{test} {correction}": f"{evalcore.TESTS[test].label}, {evalcore.CORRECTIONS[correction].label}"
        for test, correction in TESTS
    }
    test, correction = named(where, "Test", names, key="test").split()
    gloss = glossary.summed_up(evalcore.TESTS[test]) + " " + glossary.summed_up(evalcore.CORRECTIONS[correction])
    plainly(where, gloss, key="test")
    return test, correction


LEVELS = (0.05, 0.01, 0.001, 0.1)


def level(where: Place) -> dict[str, Any]:
    """The level of significance as a parameter of questions, where it is not theirs."""
    note = "A difference is significant if chance alone gives one as large less often than this."
    says = lambda level: f"accepting one false alarm in {round(1 / level):,}"  # noqa: E731
    more: dict[str, Any] = {"format_func": level_in_words, "help": note, "says": says}
    picked = select(where, "Significance level α", LEVELS, key="level", **more)
    return {} if picked == LEVELS[0] else {"level": picked}


def systems(
    where: Place, names: Sequence[str], subsets: Mapping[str, tuple[str, Sequence[str]]], *,
    usual: Callable[[], Sequence[str]], first: str = "all",
) -> Sequence[str] | None:  # fmt: skip
    """The names of the systems to show, None for those that the page shows by default.

    names : of all systems; subsets : value in the address -> (label, names), see `system_choice.subsets_of_systems`
    usual : called for the names of those that are chosen until the visitor chooses others
    first : the default, "all" or one of the subsets if there is such a one
    """
    labels = {"all": everyone(len(names)), **{key: f"{label} ({len(of)})" for key, (label, of) in subsets.items()}}
    labels["chosen"] = "chosen systems"
    labels = {key: labels[key] for key in dict.fromkeys([first if first in labels else "all", *labels])}
    width: dict[str, Any] = {} if isinstance(where, Line) else {"width": WIDTH}
    says = lambda key: f"{len(subsets[key][1])} {subsets[key][0]} systems" if key in subsets else labels[key]  # noqa: E731
    picked = named(where, "Systems", labels, key="systems", says=says, **width)
    if picked == next(iter(labels)):
        return None
    if picked == "chosen":
        return select_several(where, "Chosen systems", names, key="chosen", default=usual())
    return subsets[picked][1] if picked in subsets else list(names)


def few_judgments(where: Place, study: Study, depth: int) -> str:
    """Few judgments, by pool depth or by number, such as "depth=10". depth : the default"""
    depths = dict.fromkeys([depth, *(shallower for shallower in (5, 10, 20, 50) if shallower < study.depth)])
    names = {f"depth={shallow}": f"pool depth {shallow}" for shallow in depths}
    names |= {f"judgments={count}": f"{count:,} judgments" for count in sorted(_counts(study))}
    return named(where, "Few judgments", names, key="few")


def judgment_count(where: Place, study: Study, *, usual: str | None = None) -> int | None:
    """A number of judgments, 1,000 if there are more. usual : label of a first option, which is None"""
    if usual is None:
        return select(where, "Number of judgments", _counts(study), key="count")
    names = {"all": usual} | {count: f"{count:,} judgments" for count in _counts(study)}
    picked = named(where, "Number of judgments", names, key="count")
    return None if picked == "all" else picked


SIZES = (1000, 2000, 4000, 10_000, 20_000, 40_000)  # of Ravana & Moffat


def judgment_counts(where: Place, study: Study) -> list[int] | None:
    """Several numbers of judgments, fewer than all; None = 1/64 to 1/2 of all, until a visitor chooses others."""
    total, usual = judged_in_all(study), [str(count) for count in ascending_counts(study, None)[:-1]]
    offered = [*usual, *(str(count) for count in SIZES if count < total)]
    more: dict[str, Any] = {"default": usual, "accept_new_options": True}
    picked = select_several(where, "Numbers of judgments", offered, key="counts", **more)
    known = [int(text) for text in picked if text.isdecimal() and 0 < int(text) < total]
    if gone := [text for text in picked if not text.isdecimal() or int(text) not in known]:
        where.caption(
            f"Left out: {md(listed(gone))}. Choose from 1 to below {digits(total, 'judgment')}, which are all."
        )
    return None if picked == usual or not known else sorted(set(known))


def _counts(study):
    """Numbers of judgments that are fewer than all, 1,000 first if it is one of them."""
    total = judged_in_all(study)
    return [count for count in (1000, 200, 500, 2000, 5000, 10_000) if count < total] or [max(1, total // 2)]


WEIGHTS = {1: "all pairs equally", "rho": "more if their order is surer (|ρ|)"}


def agreement(where: Place, names: dict[str, str], *, key: str = "agreement", **shown: Any) -> tuple[str, int]:
    """The measure of agreement of two orderings, column -> name, and the weight of a pair in the weighted distance."""
    column = named(where, "Agreement", names, key=key, says=SAID.get if names.keys() <= SAID.keys() else None, **shown)
    if not column.startswith("distance"):
        return column, 1
    return column, named(where, "Pairs count", WEIGHTS, key="weight", **shown)


SAID = {  # measures of agreement, in the line
    "tau": "agreement, 1 = same order",
    "tau_ap": "agreement mostly at the top",
    "rbo": "shared top ranks",
    "distance": "weighted distance",
    "distance_per_pair": "weighted distance per pair",
    "tau_distance": "share of swapped pairs",
}


# ---- new systems


def experiment(study: Study, depth: int | None) -> dict[str, Any]:
    """The design of Webber and Park's experiment. -> parameters of `adjustment_experiment`

    depth : the default depth of pools, None = to be refused with a reason
    """
    first, second, third = st.columns(3)
    kinds = [kind for kind in dict.fromkeys(study.system_table.get("type", [])) if kind and kind == kind]
    types = {"all": "all systems"} | {str(kind): f"type {kind}" for kind in kinds}
    new = named(first, "New systems", types, key="new")
    best = named(second, "Of these", {"all": "all"} | {n: f"the best {n}" for n in (5, 10, 11, 20)}, key="best")
    pools = named(third, "Pools from", POOLS, key="pools")
    first, second, third = st.columns(3)
    depths = dict.fromkeys([depth, *(n for n in (5, 10, 20, 50, 100) if n <= study.depth)])
    down_to = named(
        first, "Depth of pools", {depth or "whole": str(depth or "whole pool") for depth in depths}, key="pool_to"
    )
    widths, common = (
        [int(count) for count in select_several(where, label, offered, key=key, default=usual)]
        for where, label, offered, key, usual in (
            (second, "Systems in a pool", WIDTHS, "widths", list(WIDTHS)),
            (third, "Fully judged topics", COMMON, "commons", [n for n in COMMON if n != "15"]),
        )
    )
    best, down_to = (None if choice in ("all", "whole") else choice for choice in (best, down_to))
    return {"new": new, "best": best, "pools": pools, "depth": down_to, "widths": widths, "common": common}


POOLS = {"contributing": "contributing systems", "all": "all other systems"}
WIDTHS = ("2", "4", "10", "20", "40")
COMMON = ("10", "15", "20", "40", "100")


# ---- fusion

CROWDS = (5, 10)  # so many of the best
PERSISTENCES = (0.9, 0.8, 0.95, 0.99)


def rules() -> dict[str, str]:
    """The fusion methods: name -> label."""
    with_phi = [name for name, row in evalcore.FUSIONS.items() if "phi" in row.parameters]
    rows = {
        f"{name}(phi={phi})": f"{evalcore.FUSIONS[name].title}(phi={phi})" for phi in PERSISTENCES for name in with_phi
    }
    return rows | {name: row.title for name, row in evalcore.FUSIONS.items() if name not in with_phi}


def crowds(study: Study, board: pd.DataFrame) -> dict[str, Any]:
    """What can be fused: name -> (names of systems, over). Only the last one includes fused runs.

    board : the table of `leaderboard`, best first
    """
    fused_names = [fused["name"] for fused in study.scope.get("with_fused", ()) if fused["name"] in study.systems]
    names, best = ([name for name in some if name not in fused_names] for some in (study.systems, board["system"]))
    all_of_them, of_group = everyone(len(names)), {}
    for name, group in zip(study.systems, study.track.groups, strict=True):
        of_group.setdefault(group, []).append(name)
    several = {f"the best {n}": best[:n] for n in CROWDS if n < len(names)} | {all_of_them: names}
    several |= {f"group {group}": some for group, some in of_group.items() if group}
    crowd_of = {crowd: (some, "systems") for crowd, some in several.items() if len(some) > 1}
    if study.has_variations:
        crowd_of |= {f"the variations of {name}": ([name], "variations") for name in names}
        crowd_of |= {f"the variations of {all_of_them}": (names, "both")} if len(names) > 1 else {}
    if fused_names:
        crowd_of |= {f"{all_of_them} and fused runs": (list(study.systems), "systems")}
    return crowd_of
