"""Which judge can you trust, and for what? Judgments by people and language models, and what they do to systems."""

import streamlit as st

from evalcore.findings import conclusion_of
from ui.components import choices
from ui.forms import judge_choices, page_file, uploads
from ui.layout import definition_links, page, section
from ui.session import answers
from ui.views.judges import statistics_in_words, tiles

study = page.begin(
    "Compare judgments by language models or other people with those of the track: documents and systems."
)

judged = judge_choices.judged(study)
every = judge = None
readable = False
if judged is None:
    judge_choices.invite()
else:
    line = page.line("judge")
    metric = choices.metric(line)
    with page.part():
        every = answers.ask(judged, "judges", metric=metric, shuffled="")

if every:
    judge = judge_choices.pick(line, every.table)
    statistics = choices.named(line, "Agreement", statistics_in_words(), key="agreement-of-judges")
    readable = judge_choices.scale(judged, judge)
    of = {"judge": judge}
    cut = of | {"metric": metric}

    with page.part():
        chosen = answers.ask(judged, "judges", metric=metric, shuffled=judge)  # which takes long for all of them
        shown = section.ask(judged, "judges", answer=chosen)
        shown.say(conclusion_of("judges", chosen.table, chosen.params, judged, judge=judge))
        if readable:
            shown.draw(own_tiles=tiles(chosen, judge), focus=judge)
        definition_links.keep_place()

if readable:
    with page.part():
        st.markdown("## Do judges agree with each other?")
        pairs = section.ask(judged, "judge_pairs", metric=metric).say().draw(statistics=statistics)
        section.ask(judged, "judges", metric=metric).table()
        pairs.table()

    with page.part():
        st.markdown("## What does the judge do to the systems?")
        section.ask(judged, "judge_systems", **cut).say().draw().table()

    with page.part():
        st.markdown("## Who gains?")
        section.ask(judged, "judge_gains", resamples=2000, **cut).say().draw().table()

    with page.fold("On which documents and topics is the judge wrong?", key="judge_topics"):
        section.ask(judged, "judge_topics", **cut).say().draw().table()
        section.ask(judged, "judge_confusion", **of).say().draw().table()
        section.ask(judged, "judge_agreement_by_rank", **of).say().draw().table()

    with page.fold("How many topics must people still judge?", key="people_and_model"):
        at = judge_choices.topics(st, judged)
        spent = section.ask(judged, "people_and_model", **cut)
        answer = spent.answer
        spent.say(answer and conclusion_of(answer.question, answer.table, answer.params, judged, at=at))
        spent.draw(at=at).table()
        section.ask(judged, "people_plus_model", **cut).say().draw().table()

    with page.fold("What should a person check next?", key="judge_checks"):
        order = choices.named(
            st, "Check", {"documents": "document by document", "topics": "topic by topic"}, key="checks"
        )
        section.ask(judged, "judge_checks", order=order, **cut).say().table(folded=False)
        section.ask(judged, "judge_checks_curve", slow="Checking in several orders …", **cut).say().draw().table()

if every:
    with page.fold("Load, name or remove judges", key="load_judges"):
        judge_choices.load()

with page.fold("What would a second set of judgments change?", key="second"):
    if uploads.second_judgments() and judged:
        agreed = section.ask(judged, "agreement", title="Agreement by topic").say().draw()
        counted = section.ask(judged, "confusion", title="Pairs of grades").draw()
        section.ask(judged, "agreement_effect", metric=metric).say().draw().table(folded=False)
        agreed.table()
        counted.table()
        how = {"key": "contradictions", "title": "Contradictions"}
        section.ask(judged, "suspects", kind="contradiction", metric=metric, top=None, **how).draw().table()

with page.fold("Do assessors differ, and do they drift?", key="assessors"):
    note = "CSV, TSV or Excel with a header: topic, assessor, and, if known, document, grade and time."
    of_assessors = page_file.added(judged or study, "assessors", "Assessors", note)
    if of_assessors.assessors is not None:
        section.ask(of_assessors, "assessors", judge=judge).say().draw().table()
        section.ask(of_assessors, "assessor_drift").say().draw().table()
        if "grade" in of_assessors.assessors:
            section.ask(of_assessors, "assessors_twice").say().table()

page.how_to_read(
    "Each dot is a judge: to the right it calls more documents relevant, and further up it orders the systems more "
    "like people. The dashed line is what people call relevant. Below, each system has a score by people and by the "
    "judge.",
    "A lenient judge raises all scores; that alone does no harm to the order. Look at *Who gains*: a judge that "
    "favours one kind of system is of no use to compare it with others. A high τ over very different systems may still "
    "hide swaps among the best.",
    r"$\kappa$ with quadratic weights, $\alpha$ ordinal; $\tau_b$, $\tau_{AP}$ and RBO of the orderings; "
    r"$\hat\mu=\bar Y_n+\lambda(\bar F_N-\bar F_n)$: Angelopoulos et al., Science 2023.",
)
page.where_next()
