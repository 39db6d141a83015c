"""Which differences would hold elsewhere? Analysis of variance over shards."""

import streamlit as st

import evalcore
from evalcore.findings import conclusion_of
from evalcore.findings.confidence import elsewhere, top_groups
from ui.components import choices
from ui.forms import complete_judgments, setup_choices
from ui.layout import definition_links, page, section
from ui.session import answers, memory
from ui.views.confidence import top_group

DESIGNS = {
    "t": "comparing two systems (t-test)",
    "anova": "comparing all systems at once (ANOVA)",
    "width": "an interval of some width",
}
ELSEWHERE = {"topics": "other topics", "documents": "other documents"}
SAYS = {
    "tukey": "bars for comparing all",
    "sem": "bars for one score",
    "anova": "bars for one score, same length",
    "bootstrap": "bars by drawing topics again",
}
COMPARED = {
    "kinds": "every kind of interval",
    "models": "Tukey's interval under every model",
    "shards": "Tukey's interval with 2, 4, 10 and 50 shards",
}
SPLITTING = {"slow": "Splitting the documents ten times …"}
study = page.begin(
    "Split the documents at random into parts (shards), score every system on each, and test which differences remain."
)

line = page.line()
metric = choices.metric(line, fits=lambda metric: not metric.family.of_whole_pool)
model = choices.model(line)
shards = choices.select(line, "Shards", choices.SHARDS, key="shards", says="documents in {} parts".format)
params = {"metric": metric, "shards": shards}
choices_of_level = choices.level(line)
params |= choices_of_level
complete_judgments.switch(line, study, fewer=False)
names = list(study.systems)
with page.part():
    short = memory.presenting()  # the figure needs the space
    kinds = {name: name.capitalize() if short else row.title for name, row in evalcore.INTERVALS.items()}
    kind = choices.view(line, kinds, key="interval", label="Interval for", says=SAYS.get)
    whole, board = (
        answers.ask(study, "system_intervals", model=name, interval=kind, **params) for name in ("MD1", model)
    )
    names = list(board.table["system"])  # best first
    on_documents = model != "MD1" and memory.chosen("elsewhere", list(ELSEWHERE)) == "documents"
    answer_first = st.container()  # it takes ten splits of the documents, and the picture one
    on_shards = complete_judgments.marks_on_shards(study, model=model, interval=kind, **params)
    on_whole = complete_judgments.marks(study, "system_intervals", model="MD1", interval=kind, **params)
    sides = {"MD1": (whole, on_whole)} | ({model: (board, on_shards)} if model != "MD1" else {})
    if model != "MD1":
        choices.at_the_picture(ELSEWHERE, key="elsewhere", label="Elsewhere")
    drawn = model if on_documents else "MD1"
    for name, (answer, marks) in sides.items():
        side = section.ask(
            study, "system_intervals", answer=answer, key=f"intervals-{name}", title=f"Every system, {name}"
        )
        side.draw(shown=name == drawn, closes=False, **marks)
    with answer_first:
        every = answers.ask(study, "models", **SPLITTING, **params)
        shown = every.table[every.table["model"].isin(["MD1", model])]
        top = board.finding if short else top_groups(board.finding, whole.finding)
        differ = conclusion_of("models", shown, every.params, study)
        section.say(elsewhere(differ, top, whole.finding, board.finding if on_documents else None), key="tukey_pairs")
        complete_judgments.say_swapped(study, metric=metric)
    section.details(*(top_group(answer.table, name) for name, (answer, _) in sides.items()), key="intervals")
    section.table(board, key="system_intervals", title="Every system", folded=True)
    definition_links.keep_place()

    st.markdown("## What each model finds")
    section.ask(study, "models", answer=every).say().draw(focus=model).table()
    with page.fold("Which pairs differ significantly?", key="tukey_pairs"):
        pairs = section.ask(study, "tukey_pairs", model=model, slow="Comparing every pair …", **params)
        pairs.draw(order=names).table()

st.markdown("## And on other topics?")
with page.fold("Where would each system rank on other topics?", key="rank_intervals") as opened:
    marks = complete_judgments.marks(study, column="rank", metric=metric) if opened else {}
    section.ask(study, "rank_intervals", metric=metric).say().draw(**marks).table()

with page.fold("How many topics would show a smaller difference?", key="topics_needed"):
    left, right = st.columns(2)
    design = choices.named(left, "For", DESIGNS, key="design")
    found = choices.select(right, "Find it how often", [0.8, 0.9, 0.95, 0.5], key="power", format_func="{:.0%}".format)
    sought = {"metric": metric, "power": found, **choices_of_level}
    section.ask(study, "topics_needed", design=design, **sought).say().draw().table()
    st.markdown("### More topics, or deeper pools?")
    depths = choices.depths(study, metric)
    section.ask(study, "topics_or_depth", depths=depths, **sought).say().draw().table()

st.markdown("## Where do the differences come from?")
with page.fold("Where does the variance come from?", key="anova"):
    section.ask(study, "anova", models=[model], **params).say().draw().table()

with page.fold("One system's interval of every kind, under every model", key="intervals_by_model"):
    system = choices.select(st, "System", names, key="system")
    section.ask(study, "intervals_by_model", system=system, **params).say().draw().table()

with page.fold("Every system's intervals, side by side", key="intervals_compared"):
    compared = choices.named(st, "Compare", COMPARED, key="compared")
    beside = {
        "kinds": {"models": list(dict.fromkeys(["MD1", model]))},
        "models": {"models": list(evalcore.MODELS), "kinds": ["tukey"]},
        "shards": {"models": [model], "kinds": ["tukey"], "shards": [2, 4, 10, 50]},
    }[compared]
    asked = {**params, "shards": [shards], **beside}
    section.ask(study, "intervals_compared", slow="Splitting the documents …", **asked).say().draw().table()

st.markdown("## Do the shards matter?")
with page.fold("How much does the number of shards matter?", key="models_by_shards", long=True):
    asked = {"takes": "Splitting the documents …", "growing": ("shards", section.prefixes(list(choices.SHARD_COUNTS)))}
    section.ask_at_length(study, "models_by_shards", metric=metric, **asked).say().draw().table()

with page.fold("Does it matter how the documents are split?", key="partitions", long=model != "MD1"):
    setup_choices.partitions(study, model, metric=metric)

with page.fold("What if a shard has no relevant documents?", key="undefined", long=True) as opened:
    if opened:
        setup_choices.undefined_shards(study, **SPLITTING, **params)

page.how_to_read(
    "Each dot is a system's mean score, with its interval. *Other topics* shows the whole collection (model MD1), for "
    "conclusions about other topics; *other documents* shows random parts of the documents (shards), for other "
    "documents but only these topics. Orange diamonds are the best system and those that do not differ significantly "
    "from it.",
    "How far one system leads another varies by topic (topic x system interaction). Models MD3–MD6 do not count this "
    "variation as error, so they usually find more differences, but only for these topics. MD2 counts this variation, "
    "but treats shards as topics: cautious for these topics, too optimistic for others. Results for other topics "
    "count it as error, as MD1 does. If two Tukey intervals overlap, the difference is not significant. The "
    "top 10 of a shard reaches below the top 10 of the whole ranking.",
    r"$y_{ijk}=\mu+\tau_i+\alpha_j+(\tau\alpha)_{ij}+\beta_k+(\alpha\beta)_{jk}+(\tau\beta)_{ik}+\varepsilon_{ijk}$ "
    "(MD6: topic i, system j, shard k; MD2 to MD5 leave terms out). On other topics: "
    r"$F=MS_{\alpha}/MS_{\tau\alpha}$. Ferro & Sanderson, SIGIR 2019.",
)
page.where_next()
