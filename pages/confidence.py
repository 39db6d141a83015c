"""Which differences would hold on other documents and topics? Analysis of variance over shards of the documents."""

import streamlit as st

import evalcore
from ui import charts, deep_links, page, state, words

PAGE = "pages/confidence.py"
deep_links.enter()
page.title(PAGE, "Cut the documents into random parts, score every system on each, and see which differences persist.")
study = page.study()

left, middle, right = st.columns([5, 7, 4])
measure = state.choose_measure(left, only=state.SHARDED)
model = state.choose(middle, "Model", [*list(evalcore.MODELS)[::-1]], key="model", format_func=words.model)
shards = state.choose(right, "Shards", [5, 2, 3, 4, 10, 25, 50], key="shards")
asked = {"metric": measure, "shards": shards}
with page.part():
    compared = state.ask(study, "models", slow="Cutting the documents ten times …", **asked)
    pairs = state.ask(study, "tukey_pairs", model=model, slow="Comparing every pair …", **asked)
    kind = state.choose_view(st, {name: words.interval_kind(name) for name in evalcore.INTERVALS}, key="interval")
    board, plain = (state.ask(study, "system_intervals", model=one, interval=kind, **asked) for one in (model, "MD1"))
    said = words.confidence(pairs.table, board.table, compared.table, pairs.params)
    page.finding(said)
    sides = [(plain, "MD1, not cut")]
    sides += [(board, f"{model}, {shards} shards")] if model != "MD1" else []
    for place, (one, title) in zip(st.columns(len(sides)), sides, strict=True):
        with place:
            page.picture(
                charts.means(one.table, look=page.look(), measure=f"{board.params['metric']}, {title}"),
                alt=f"{title}. {said}",
                key=f"intervals-{one.params['model']}",
                name="intervals",
            )
    page.numbers(*words.model_numbers(compared.table[compared.table["model"] == model].iloc[0]))
    page.table(board, key="board", title="Every system")

    st.markdown("## What sharding buys")
    page.finding(words.models(compared.table), key="sub-finding-models")
    for place, column, title, ticks in zip(
        st.columns(3),
        ("share_significant", "width_tukey", "omega2_system"),
        ("share of pairs told apart", "Tukey half-width", "omega² of the systems"),
        (".0%", ".3f", ".2f"),
        strict=True,
    ):
        with place:
            page.picture(
                charts.bars(
                    list(compared.table["model"]),
                    compared.table[column],
                    look=page.look(),
                    title=title,
                    ticks=ticks,
                    focus=model,
                ),
                alt=f"{title}, by model.",
                key=column,
                name=column,
            )
    page.table(compared, key="models", title="Every model")

    st.markdown("## Where the variance lies")
    effects = state.ask(study, "anova", models=[model], **asked)
    parts = effects.table[effects.table["effect"] != "total"]
    shares = list(parts["share"])
    page.finding(words.variance(list(parts["effect"]), shares), key="sub-finding-variance")
    page.picture(
        charts.bars(list(parts["effect"]), shares, look=page.look(), title="share of the variance", ticks=".1%"),
        alt=words.variance(list(parts["effect"]), shares),
        key="variance",
        name="variance",
    )
    page.table(effects, key="anova", title="Analysis of variance", folded=True)

    st.markdown("## Which pairs differ?")
    page.picture(
        state.made(study, charts.told_apart, pairs, order=list(board.table["system"]), look=page.look()),
        alt=said,
        key="pairs",
        name="tukey_pairs",
    )
    page.table(pairs, key="pairs-table", title="Every pair", folded=True)

with page.fold("Does it depend on the partition that was drawn?") as opened:
    if opened and model == "MD1":
        st.markdown("MD1 takes the whole collection: there is no partition. Choose another model.")
    elif opened:
        counts = [2, 3, 5, 10, 25]
        stable = page.one_by_one(study, "shard_stability", over="shards", values=counts, metric=measure, model=model)
        if stable is not None:
            page.finding(words.stability(stable.table), key="sub-finding-stability")
            for place, column, title, ticks in zip(
                st.columns(3),
                ("tau", "width", "significant"),
                ("tau with the whole", "Tukey half-width", "significant pairs"),
                (".2f", ".4f", ",.0f"),
                strict=True,
            ):
                with place:
                    page.picture(
                        charts.stability(stable.table, look=page.look(), column=column, title=title, ticks=ticks),
                        alt=f"{title}, by number of shards.",
                        key=f"stable-{column}",
                        name=f"stability_{column}",
                    )
            page.table(stable, key="stability", title="Every number of shards", folded=True)

with page.fold("What of shards without a relevant document?") as opened:
    if opened:
        value = st.slider("The score that such a shard gives every system", 0.0, 1.0, 0.5, 0.05, key="undefined")
        zero = state.ask(study, "models", slow="Cutting the documents ten times …", **asked)
        other = state.ask(study, "models", undefined=value, slow="Cutting the documents ten times …", **asked)
        page.finding(words.undefined(zero.table, other.table, value), key="sub-finding-undefined")
        page.table(other, key="undefined-table", title=f"Every model, such shards holding {value:g}")

with page.fold("The same from topics alone: where would each system rank on other topics?") as opened:
    if opened:
        ranks = state.ask(study, "rank_intervals", metric=measure)
        page.picture(
            charts.means(
                ranks.table.assign(value=ranks.table["rank"], in_top_group=ranks.table["lower"] == 1),
                look=page.look(),
                measure="rank",
                names=("may rank first", "others"),
            ),
            alt="Every system's rank and between which ranks it falls when topics are drawn anew.",
            key="ranks",
            name="rank_intervals",
        )
        page.table(ranks, key="ranks-table", title="Every system's rank", folded=True)

page.how_to_read(
    "A dot per system with its interval: on the left from the whole collection, on the right with every topic scored "
    "on each shard. Orange diamonds are not told apart from the best. Below, every pair: blue is told apart.",
    "Sharding gives every system many scores on a topic, so what belongs to the topic, the shard and their meeting can "
    "be taken out of the error; what is left is smaller, and more pairs differ. Two Tukey intervals that overlap are "
    "not told apart. Scores on shards are on a scale of their own.",
    r"$y_{ijk}=\mu+\tau_i+\alpha_j+(\tau\alpha)_{ij}+\beta_k+(\alpha\beta)_{jk}+(\tau\beta)_{ik}+\varepsilon_{ijk}$ "
    "(MD6: topic i, system j, shard k; MD2 to MD5 leave terms out). Ferro & Sanderson, SIGIR 2019.",
)
page.where_next("pages/orderings.py", "pages/scores.py")
