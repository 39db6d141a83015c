"""Do two setups agree on which system is better? Setups, swapped pairs, and which pairs are certain or significant."""

import streamlit as st

import evalcore
from evalcore.findings import conclusion_of
from ui.components import choices
from ui.data import open_studies
from ui.forms import complete_judgments, setup_choices
from ui.layout import page
from ui.session import session
from ui.views.orderings import AGREEMENTS, SIDE_BY_SIDE
from ui.views.pairs import tiles

study = page.begin("A setup is a metric, a set of judgments and a treatment of unjudged documents.")

left, right = st.columns([5, 2])
usual = choices.usual_regimes(study, second=open_studies.second_qrels() is not None)
example = (
    "Type any other setup, such as depth=10 | RBP(p=0.95) | condensed, or judgments=1000 | AP. What you leave out is "
)
example += "RBP(p=0.8), all judgments, unjudged = not relevant."
typed = choices.many(left, "Setups", usual, key="regimes", default=usual[:5], accept_new_options=True, help=example)
regimes = setup_choices.regimes_named(typed)
by = choices.named(right, "Agreement", AGREEMENTS, key="view")
complete_judgments.switch(st, study)
with page.part():
    judged = setup_choices.judged_for(study, regimes.values())
    square = {"by": by} if len(regimes) > 2 else False  # for two, the finding gives the number
    agreed = session.ask(judged, "regimes", regimes=list(regimes))
    finding = conclusion_of("regimes", agreed.table, agreed.params, judged, by=by)
    page.show(judged, "regimes", key="agreement", answer=agreed, say=finding, drawn=square)

    st.markdown("## Two orderings side by side")
    left, right = st.columns(2)
    names = list(regimes)
    a, b = choices.one(left, "From", names, key="a"), choices.one(right, "To", names[1:] + names[:1], key="b")
    swaps = session.ask(judged, "swaps", a=a, b=b)
    first, then = setup_choices.places(judged, [regimes[a], regimes[b]])
    page.finding(swaps.finding, key="swaps")
    complete_judgments.say_of_regimes(study, [regimes[a], regimes[b]])
    page.draw(judged, swaps, SIDE_BY_SIDE, key="slopes", left=first, right=then)
    page.give(swaps, key="swaps", title=SIDE_BY_SIDE.title, folded=True)

st.markdown("## Which pairs are certain, and which significant?")
left, middle, right = st.columns([2, 2, 3])
asked = {"metric": choices.measure(left), "depth": choices.depth(middle, study)}
test, correction = choices.test(right)
how = {"test": test, "correction": correction, "resamples": 2000, "slow": "Comparing every pair …", **asked}
with page.part():
    settled = session.ask(study, "pairs", **how)
    page.finding(settled.finding, key="pairs")
    complete_judgments.say(study, key="truth-of-pairs", **asked)
    page.numbers(*tiles(settled))
with page.fold("Every pair of systems, as a grid", key="verdicts"):
    by_score = {"order": list(session.ask(study, "leaderboard", **asked).table["system"])}
    page.show(study, "pairs", key="verdicts", say=False, drawn=by_score, **how)

with page.fold("Significant pairs with few judgments: separability and reversals", key="separability"):
    guesses = ["lower"] if evalcore.metric(asked["metric"]).kind == "point" else ["lower", "interpolated", "rm"]
    page.show(study, "separability", metric=asked["metric"], estimators=guesses)

with page.fold("Every pair's p with few judgments and with all judgments", key="p_values"):
    depth = asked["depth"] or min(10, study.depth)
    page.show(study, "p_values", metric=asked["metric"], shallow=f"depth={depth}")

page.how_to_read(
    "The agreement of every two setups, for three or more; two orderings, with a line per system; and how many pairs "
    "of systems are certain or significant.",
    "Lines that cross are swapped pairs. *Certain*: no further judging can reverse the order, or break the tie. "
    "*Significant*: the difference over topics is unlikely to be chance. A pair can be one without the other.",
    r"Kendall's tau-b = (concordant − discordant) $/\sqrt{u_a u_b}$, $u$ the pairs untied in each; tau AP: Yilmaz, "
    r"Aslam & Robertson, SIGIR 2008, with the row as reference; weighted distance $\sum|\rho_{ij}-\sigma_{ij}|$: Lu, "
    "Moffat & Culpepper, SIGIR 2017, eq. 11. "
    "The test that you choose says how p is corrected for the number of pairs. In the last two sections, p is from "
    "a paired t-test, uncorrected, with α = .01.",
)
page.where_next()
