"""Is the crowd better than its best member? Rankings of systems, or of query variations, made one."""

import streamlit as st

import evalcore
from evalcore import fusion
from ui import charts, deep_links, page, state, words

PAGE = "pages/fusion.py"
deep_links.enter()
page.title(PAGE, "Several rankings of a topic are made one. The fused run is a system like any other.")

with page.fold("A worked example with letters") as opened:
    if opened:
        left, right = st.columns([3, 2])
        typed = left.text_input(
            "Rankings, best first, with blanks between them", "ADBCGF BDEC ABDCGFE GDEAFC", key="letters"
        )
        phi = right.slider("Persistence", 0.0, 1.0, 0.8, 0.05, key="letters-phi")
        lists = [list(word) for word in typed.split()]
        places = st.columns(2)
        for place, method in zip(places, ("rbc", "borda"), strict=True):
            rows = fusion.of_names(lists, fusion.Rule(method, phi))
            title = f"{words.METHODS[method]}" + (f", persistence {words.persistence(phi)}" if method == "rbc" else "")
            with place:
                page.finding(f"{title}: {words.letters(rows)}", key=f"sub-finding-letters-{method}")
                if rows:
                    names, values = zip(*rows, strict=True)
                    page.picture(
                        charts.bars(list(names), values, look=page.look(), title=title, ticks=".3~g"),
                        alt=words.letters(rows),
                        key=f"letters-{method}-chart",
                        name="letters",
                    )

study = page.study()
how = None
left, middle, right = st.columns(3)
measure = state.choose_measure(right, only=sorted(state.MEASURES, key=lambda name: name != "nDCG@10"))
with page.part():
    board = state.ask(study, "leaderboard", metric=measure)
    crowds, rules = state.crowds(study, board.table), state.rules()
    if not crowds:
        raise ValueError("one system with one query a topic leaves nothing to fuse; load another run.")
    crowd = state.choose_one(left, "Fuse", list(crowds), key="crowd")
    rule = state.choose(middle, "Method", list(rules), key="rule", format_func=words.fusion_rule)
    (names, over), (method, phi) = crowds[crowd], rules[rule]
    how = {"systems": names, "over": over, "k": state.deepest(study)}
    gained = state.ask(study, "fusion_scores", methods=[method], phis=[phi], metrics=[measure], slow="Fusing …", **how)
    row = gained.table.iloc[0]
    page.finding(words.fusion(row, crowd))
    recipe = {"method": method, "phi": phi, **how}
    made, kept = state.fused_name(study, f"fused-{rule}", recipe)
    beside = state.fused_among_inputs(study, made, recipe, measure)
    if over == "systems":
        picture = charts.intervals(
            beside.table,
            look=page.look(),
            label="system",
            measure=beside.params["metric"],
            focus=made,
        )
    else:
        said_of = {"fused": row["value"], "best input": row["best_input"], "mean input": row["mean_input"]}
        title = beside.params["metric"]
        picture = charts.bars(
            list(said_of), said_of.values(), look=page.look(), title=title, ticks=".3f", focus="fused"
        )
    page.picture(
        picture,
        alt=words.fusion(row, crowd),
        key="fused",
        name="fused",
    )
    page.numbers(*words.fusion_numbers(row))
    page.table(gained, key="gained", title="What fusing gains")
    page.table(beside, key="beside", title="The fused run among its inputs", folded=True)
    with st.container(horizontal=True):
        st.download_button(
            "Download the fused run (TREC)",
            lambda: state.fused_as_trec(study, made, recipe),
            f"{made}.run",
            "text/plain",
            on_click="ignore",
        )
        st.button(
            "It is among the systems" if kept else "Keep it among the systems",
            key="keep",
            disabled=kept,
            on_click=state.keep_fused,
            args=(made, recipe),
            help="On every page but Data, until this tab is closed; it can be fused again.",
        )
        if state.fused_runs():
            st.button("Leave fused runs out again", on_click=state.drop_fused)

    st.markdown("## Topic by topic")
    by_topic = state.ask(study, "fusion_topics", method=method, phi=phi, metric=measure, **how)
    page.finding(words.fusion_topics(by_topic.table), key="sub-finding-topics")
    page.picture(
        charts.gains_and_losses(by_topic.table, look=page.look(), measure=by_topic.params["metric"]),
        alt=words.fusion_topics(by_topic.table),
        key="by-topic",
        name="fusion_topics",
    )
    page.table(by_topic, key="by-topic-table", title="Every topic", folded=True)

    st.markdown("## Who put it there?")
    topic = state.choose_one(st, "Topic", state.judged_topics(study), key="topic")
    listed = state.ask(
        study, "fuse", systems=names, method=method, phi=phi, variations=over != "systems", topic=topic, k=100
    )
    page.table(listed, key="list", title="The fused list, document by document")

with page.fold("Every method beside every other") as opened:
    if opened and how:
        every = state.ask(
            study, "fusion_scores", methods=list(evalcore.FUSIONS), metrics=[measure], slow="Fusing …", **how
        )
        table = every.table[every.table["system"] == every.table["system"].iloc[0]]
        page.picture(
            charts.bars(
                [words.method_and_phi(*pair) for pair in zip(table["method"], table["phi"], strict=True)],
                list(table["value"]),
                look=page.look(),
                title=every.params["metrics"][0],
                ticks=".3f",
            ),
            alt="The mean score of every method.",
            key="methods",
            name="methods",
        )
        page.table(every, key="methods-table", title="Every method")

if state.has_variations(study):
    with page.fold("What do more variations buy?") as opened:
        if opened and how:
            grown = state.ask(study, "fusion_by_count", method=method, phi=phi, metric=measure, slow="Fusing …")
            page.finding(words.fusion_by_count(grown.table), key="sub-finding-count")
            page.picture(
                charts.by_count(grown.table, look=page.look(), measure=grown.params["metric"]),
                alt=words.fusion_by_count(grown.table),
                key="by-count",
                name="fusion_by_count",
            )
            page.table(grown, key="by-count-table", title="Every number of variations", folded=True)

page.how_to_read(
    "A row per input, or bars for the best and the mean of the variations, and the fused run in focus; it is as deep "
    "as the deepest input. Then a bar per topic: how far the fused run is above or below the best input; then one "
    "fused list, and at which rank each input has the document.",
    "The best input is known only after judging, so being level with it is already a success. A crowd of like systems "
    "gains little; unlike ones gain most. The fused run was not pooled: look at its amber.",
    r"RBC: a document's weight is $\sum_{lists}(1-\phi)\phi^{k-1}$; Borda: $n-k+1$. Bailey, Moffat, Scholer & Thomas, "
    "SIGIR 2017. CombSUM and CombMNZ add scores that run from 0 to 1 in every list: Fox & Shaw, TREC-2.",
)
page.where_next("pages/consistency.py", "pages/scores.py")
