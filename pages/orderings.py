"""Do other ways of scoring give the same order? Setups, swapped pairs, and which pairs are certain or significant."""

import streamlit as st

import evalcore
from evalcore.findings import conclusion_of
from evalcore.questions.estimates import some_depths
from evalcore.vocabulary.sentences import digits
from ui.components import choices
from ui.data import additions
from ui.forms import complete_judgments, setup_choices, system_choice
from ui.layout import definition_links, page, section
from ui.session import answers
from ui.text import in_words
from ui.views.orderings import AGREEMENTS, IN_ROWS, SIDE_BY_SIDE
from ui.views.pairs import tiles

study = page.begin("A setup is a metric, a set of judgments and a treatment of unjudged documents.")

line = page.line()
usual = choices.usual_regimes(study, second=additions.second_qrels() is not None)
example = (
    "Type any other setup, such as depth=10 | RBP(p=0.95) | condensed, or judgments=1000 | AP. Parts left out are "
)
example += "RBP(p=0.8), all judgments, unjudged documents as not relevant."
more = {"accept_new_options": True, "help": example, "format_func": in_words.setup}
says = lambda names: digits(len(names), "way of scoring", "ways of scoring")  # noqa: E731
typed = choices.select_several(line, "Setups", usual, key="regimes", default=usual[:5], says=says, **more)
regimes = setup_choices.regimes_named(typed)
by, weight = choices.agreement(line, AGREEMENTS, key="view")
every_system, study = study.systems, system_choice.narrowed(line, study)
complete_judgments.switch(line, study)
setup_choices.builder(line, study, regimes.values())
with page.part():
    judged = setup_choices.judged_for(study, regimes.values())
    agreed = answers.ask(judged, "regimes", regimes=list(regimes), weight=weight)
    finding = conclusion_of("regimes", agreed.table, agreed.params, judged, by=by)
    agreement = section.ask(judged, "regimes", key="agreement", answer=agreed).say(finding)
    if len(regimes) > 2:  # for two, the finding gives the number
        with st.container(key="wide"):
            agreement.draw(by=by, closes=False)
        with st.container(key="narrow"):  # a map of so many names does not fit on a phone
            in_rows = section.ask(judged, "regimes", key="agreement-in-rows", view=IN_ROWS, answer=agreed)
            in_rows.draw(by=by, noted=False, closes=False)
    section.details(key="agreement")
    agreement.table(title="The numbers of this grid")
    definition_links.keep_place()

    st.markdown("## Two orderings side by side")
    left, right = st.columns(2)
    setups, worded = list(regimes), {"format_func": more["format_func"]}
    a, b = (
        choices.select(left, "First setup", setups, key="a", **worded),
        choices.select(right, "Second setup", setups[1:] + setups[:1], key="b", **worded),
    )
    swaps = answers.ask(judged, "swaps", a=a, b=b)
    first, then = setup_choices.ranks_under(judged, [regimes[a], regimes[b]])
    swapped = section.ask(judged, "swaps", title=SIDE_BY_SIDE.title, answer=swaps).say()
    complete_judgments.say_of_regimes(study, [regimes[a], regimes[b]])
    section.ask(judged, "swaps", key="slopes", view=SIDE_BY_SIDE, answer=swaps).draw(left=first, right=then)
    swapped.table()

st.markdown("## Which pairs are certain, and which significant?")
left, middle, right = st.columns([2, 2, 3])
params = {"metric": choices.metric(left), "depth": choices.depth(middle, study)}
test, correction = choices.test(right)
left, right = st.columns([2, 5])
level = choices.level(left)
params |= {"estimator": choices.estimator(right, params["metric"], list(evalcore.ESTIMATORS))}
tested = {"test": test, "correction": correction, "resamples": 2000, "slow": "Comparing every pair …"}
tested |= level | params
with page.part():
    settled = answers.ask(study, "pairs", **tested)
    system_choice.say_corrected(len(study.systems), len(every_system), correction)
    section.say(settled.finding, key="pairs")
    complete_judgments.say_swapped(study, key="truth-of-pairs", **params)
    section.details(*tiles(settled), key="pairs")
with page.fold("Every pair of systems, as a grid", key="verdicts"):
    by_score = {"order": list(answers.ask(study, "leaderboard", **params).table["system"])}
    section.ask(study, "pairs", key="verdicts", **tested).draw(**by_score).table()

with page.fold("Significant pairs with few judgments: separability and reversals", key="separability"):
    allowed = setup_choices.estimators_of(params["metric"])
    usual = [name for name in ("lower", "interpolated", "rm") if name in allowed]
    left, middle, right = st.columns([4, 2, 2])
    shown = {"key": "separated", "default": usual}
    few = {"metric": params["metric"], "estimators": choices.select_several(left, "Estimators", allowed, **shown)}
    cuts = choices.named(middle, "Judgments", {"judgments": "by number", "depths": "by pool depth"}, key="cuts")
    few |= {"depths": [*some_depths(study, study.depth + 1), None]} if cuts == "depths" else {}
    few |= {"level": choices.select(right, "Significance level α", [0.01, 0.05], key="alpha")}
    section.ask(study, "separability", **few).say().draw().table()

with page.fold(
    "Significant pairs with few judgments, by metric and estimator", key="separability_by_metric", long=True
):
    usual, every = (evalcore.QUESTIONS["separability_by_metric"].parameters[name] for name in ("metrics", "estimators"))
    few = {"metrics": choices.metrics(st, "Metrics", key="by-metrics", default=usual)}
    left, right = st.columns(2)
    shown = {"key": "by-estimators", "default": [], "placeholder": "all that a metric allows"}
    few |= {"estimators": choices.select_several(left, "Estimators", every, **shown) or every}
    few |= {"judgments": choices.judgment_count(right, study)}
    section.ask(study, "separability_by_metric", slow="Comparing pairs …", **few).say().draw().table()

with page.fold("How significant is each pair, with few judgments and with all?", key="p_values"):
    left, right = st.columns([5, 2])
    shallow = choices.few_judgments(left, study, params["depth"] or min(10, study.depth))
    level = choices.select(right, "Significance level α", [0.01, 0.05], key="p-alpha")
    of_all = {name: params[name] for name in ("metric", "estimator")}
    section.ask(study, "p_values", shallow=shallow, level=level, **of_all).say().draw().table()

page.how_to_read(
    "With three or more setups, a grid shows how far every two agree. Below are two orderings with a line per system, "
    "and how many system pairs are certain or significant.",
    "Lines that cross are swapped pairs. *Certain*: no further judging can reverse the order, or break the tie. "
    "*Significant*: the difference over topics is unlikely to be chance. A pair can be one without the other.",
    r"Kendall's tau-b = (concordant − discordant) $/\sqrt{u_a u_b}$, $u$ the pairs untied in each; tau AP: Yilmaz, "
    r"Aslam & Robertson, SIGIR 2008, with the row as reference; weighted distance $\sum|\rho_{ij}-\sigma_{ij}|$, at "
    r"most $n(n-1)/2$ for $n$ systems: Lu, Moffat & Culpepper, SIGIR 2017, eq. 11. "
    "The test that you choose says how p is corrected for the number of pairs. In the last two sections, p is from "
    "a paired t-test, uncorrected, with α = .01.",
)
page.where_next()
