"""What does deeper judging show? Every system's interval as the pool deepens, live."""

import streamlit as st

import evalcore
from evalcore.findings.caveats import contributors_assumed
from evalcore.findings.conclusion import Conclusion
from evalcore.findings.setting import measured, setting_of
from evalcore.vocabulary.sentences import listed
from ui.components import choices, depth_slider
from ui.data import open_studies
from ui.forms import complete_judgments, system_choice
from ui.layout import definition_links, page, prefetch, section
from ui.session import answers, notes
from ui.text import interval_labels

study = page.begin("Until every document is judged, scores can change. Drag the depth to see by how much.")

line = page.line()
metric = choices.metric(line)
params = {"metric": metric, "estimator": choices.estimator(line, metric)}
study = system_choice.column(line, study, fewer=True)
with page.part(ends_page=True):
    depths = choices.depths(study, params["metric"])
    sweep = answers.ask(study, "depth_sweep", depths=depths, **params)
    pool = answers.ask(study, "pool", metric=params["metric"], depths=depths)
    wrong, marks = complete_judgments.by_depth(study, depths=depths, **params)
kind = sweep.table["kind"].iloc[0]

of_track = {"pooled": [study.systems[i] for i in study.track.pooled.nonzero()[0]], "track": open_studies.source().label}
of_track["unanswering"] = [name for name, answers in zip(study.systems, study.answers, strict=True) if not answers]
labelled = {"dot": measured(sweep.params), **of_track, **marks}
content = answers.computed(study, depth_slider.payload, sweep, pool, *wrong, **labelled)
stage = depth_slider.show(content, key="live")
place, depth = content["stages"].index(stage), None if stage == depth_slider.ALL else stage
section.caveat(contributors_assumed(study))
of_stops, of_estimate = st.empty(), st.empty()  # with and without these, figures keep their places
if len(depths) <= study.depth:
    stops = listed([one for one in depths if one], 20)
    name = sweep.params["metric"]
    of_stops.caption(f"{name} takes longer to compute: the slider stops only at depths {stops} and at all judgments.")
setting = setting_of(sweep.params | {"depth": depth}, study)
exact, shown = (content[name][place] for name in ("findings", "plain"))
plain = " ".join(filter(None, shown)) if shown != exact else ""
section.note_answer("live", Conclusion(*exact, setting=setting, plain=plain))
section.details(key="live")
if marks:
    notes.add_finding("truth", Conclusion(*content["truth"]["findings"][place]))
if kind == "guide" and params["estimator"] != "lower":
    ignored = "The numbers above and the curves below ignore the estimate: unjudged documents count as not relevant."
    of_estimate.caption(ignored)
definition_links.keep_place()

st.markdown("## Costs and benefits of deeper judging")
section.ask(study, "pool", answer=pool).draw(depth=depth)
at = {"title": f"Every system · {'with all judgments' if depth is None else f'at depth {depth}'}", "depth": depth}
board = section.ask(study, "leaderboard", **at, **params).table()
section.ask(study, "leaderboard", key="live", answer=board.answer).note_pictures()  # at the chosen depth
section.table(pool, key="pool", title="Every depth", folded=True)
for answer in wrong:
    st.markdown("## What shallow judgments get wrong")
    section.ask(study, "wrong_pairs", answer=answer).draw().table()
section.ask(study, "depth_sweep", answer=sweep).draw().table()

with page.fold("Contributing systems and others, by number of judgments", key="trend"):
    left, middle, right = st.columns(3)
    followed = {"metrics": list(dict.fromkeys([params["metric"], *choices.metrics(left, "More metrics", key="with")]))}
    several = {"key": "with-estimators", "default": []}
    more = choices.select_several(middle, "More estimators", list(evalcore.ESTIMATORS), **several)
    followed |= {"estimators": list(dict.fromkeys(["lower", params["estimator"], *more]))}
    counts = choices.judgment_counts(right, study)
    followed |= {"judgments": [*counts, None]} if counts else {}
    section.ask(study, "trend", **followed).say().draw().table()

with page.fold("How far down is the first unjudged document?", key="first_unjudged"):
    count = choices.judgment_count(st, study, usual=f"pool depth {depth}" if depth else "all judgments")
    few = {"judgments": count} if count else {"depth": depth}
    section.ask(study, "first_unjudged", **few).say().draw().table()

how = interval_labels.of_metric(kind, evalcore.metric(params["metric"]), estimator=params["estimator"], tick=not marks)
page.how_to_read(
    how.seen + (" The dashed line is what the leader surely has, its lower bound." if how.drawn else ""),
    f"{how.deeper} {how.pairs} A hollow dot is a system that did not contribute to the pool, so documents that only "
    "it retrieved are not in the pool.",
    r"$[B, B+D]$: $B=\sum_k W(k)\,r_k$ over judged ranks, $D$ the weight of unjudged and unfilled ranks and the tail. "
    "Moffat & Zobel, TOIS 2008; Ravana & Moffat, ADCS 2010. nDCG@k has bounds too, because its ideal ranking has k "
    "ranks. AP, nDCG without a cut-off, Q and Rprec have none: they depend on how many relevant documents are known.",
)
page.where_next()
prefetch.look_ahead(study)
