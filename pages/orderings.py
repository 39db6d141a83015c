"""Do two ways of measuring agree on who is better? Regimes, the pairs that swap, and which pairs are settled."""

import streamlit as st

import evalcore
from ui import charts, deep_links, page, state, words

PAGE = "pages/orderings.py"
deep_links.enter()
page.title(
    PAGE,
    "A regime is a way of measuring: how much is judged, which measure, which guess. What its name does not say is as "
    "usual: all judgments, RBP(p=0.8), unjudged documents not relevant.",
)
study = page.study()

left, right = st.columns([3, 1])
usual = state.usual_regimes(study)
typed = state.choose_many(
    left,
    "Regimes",
    usual,
    key="regimes",
    default=usual[:5],
    accept_new_options=True,
    help="Type any other, such as: depth=10 | RBP(p=0.95) | condensed, or judgments=1000 | AP",
)
regimes = page.readable(typed, lambda name: evalcore.regime(name).name)
views = {"tau": "Kendall's tau", "tau_ap": "tau AP", "rbo": "RBO", "distance_per_pair": "Weighted distance per pair"}
view = state.choose(right, "Shown", list(views), key="view", format_func=views.get)
with page.part():
    twice = any(evalcore.regime(name).qrels for name in regimes)
    judged = state.judged_twice(study, state.second_level()) if twice else study
    compared = state.ask(judged, "regimes", regimes=regimes)
    names = list(dict.fromkeys(compared.table["a"]))
    others = names[1:] + names[:1]
    values = compared.table[view].to_numpy().reshape(len(names), len(names)).tolist()
    a, b = state.chosen("a", names), state.chosen("b", others)
    swaps = state.ask(judged, "swaps", a=a, b=b)
    said = words.orderings(compared.table[(compared.table["a"] == a) & (compared.table["b"] == b)].iloc[0], swaps.table)
    page.finding(said)
    page.picture(
        charts.square(names, values, look=page.look(), title=views[view], nearer_is_less=view.startswith("distance")),
        alt=f"{views[view]} between every two regimes.",
        key="square",
        name="regimes",
    )
    page.table(compared, key="regimes-table", title="Every ordered pair of regimes", folded=True)

    st.markdown("## Two orderings side by side")
    first, second = st.columns(2)
    pair = [state.choose_one(first, "From", names, key="a"), state.choose_one(second, "To", others, key="b")]
    said_of = [evalcore.regime(name) for name in pair]
    shared = judged.on_shared_topics if twice else study
    boards = [state.ask(one.judged(shared), "leaderboard", **one.asked).table for one in said_of]
    page.picture(
        charts.slopes(*boards, look=page.look(), names=pair),
        alt=said,
        key="slopes",
        name="orderings",
    )
    page.table(swaps, key="swaps", title="Pairs that swap")

st.markdown("## Which pairs are settled?")
left, middle, right = st.columns(3)
measure = state.choose_measure(left)
depth = state.choose_depth(middle, study)
tests = {f"{test} {correction}": (test, correction) for test, correction in state.TESTS}
test, correction = tests[state.choose(right, "Test", list(tests), key="test", format_func=words.test_name)]
asked = {"metric": measure, "depth": depth}
with page.part():
    how = {"test": test, "correction": correction, "resamples": 2000}
    pairs = state.ask(study, "pairs", slow="Comparing every pair …", **how, **asked)
    board = state.ask(study, "leaderboard", **asked)
    page.finding(words.pairs(pairs.table, pairs.params), key="sub-finding-pairs")
    page.picture(
        state.made(study, charts.verdicts, pairs, order=list(board.table["system"]), look=page.look()),
        alt=words.pairs(pairs.table, pairs.params),
        key="verdicts",
        name="verdicts",
    )
    page.table(pairs, key="pairs", title="Every pair", folded=True)

with page.fold("Tell pairs apart with few judgments: separability and reversals") as opened:
    if opened:
        guesses = ["lower"] if evalcore.metric(measure).kind == "point" else ["lower", "interpolated", "rm"]
        separable = state.ask(study, "separability", metric=measure, estimators=guesses)
        page.finding(words.separability(separable.table), key="sub-finding-separability")
        for column, title in (("separable", "share of pairs separable"), ("reversed", "share of pairs reversed")):
            page.picture(
                charts.lines(
                    separable.table,
                    look=page.look(),
                    x="judgments",
                    y=column,
                    series="estimator",
                    titles=("judgments", title),
                    ticks=".1%",
                    height=300,
                ),
                alt=f"{title}, by number of judgments.",
                key=column,
                name=column,
            )
        page.table(separable, key="separability", title="Every number of judgments", folded=True)

with page.fold("Every pair's p with few judgments and with all") as opened:
    if opened:
        shallow = min(10, study.depth) if depth is None else depth
        scattered = state.ask(study, "p_values", metric=measure, shallow=f"depth={shallow}")
        said = words.p_values(scattered.table, f"pool depth {shallow}")
        page.finding(said, key="sub-finding-p")
        page.picture(
            charts.p_scatter(
                scattered.table,
                look=page.look(),
                level=scattered.params["level"],
                names=(f"pool depth {shallow}", "all judgments"),
            ),
            alt=said,
            key="p",
            name="p_values",
        )
        page.table(scattered, key="p-table", title="Every pair's p", folded=True)

page.how_to_read(
    "A square per pair of regimes; then two orderings with a line per system; then a square per pair of systems: "
    "certain, likely or open.",
    "Lines that cross are pairs that swap. *Certain*: no further judging can turn the pair. *Likely*: significant "
    "over topics, but the unjudged documents could turn it. *Open*: neither. A system's place is by score, best first.",
    r"$\tau$ = (concordant − discordant) / pairs; tau AP: Yilmaz, Aslam & Robertson, SIGIR 2008, the row is the "
    r"reference; weighted distance $\sum|\rho_{ij}-\sigma_{ij}|$: Lu, Moffat & Culpepper, SIGIR 2017, eq. 11. "
    "The pairs of the square are corrected for their number as the choice of the test says; below it, p is that of a "
    "paired t-test, uncorrected, at the level .01.",
)
page.where_next("pages/estimators.py", "pages/scores.py")
