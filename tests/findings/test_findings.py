"""Every fact of every finding, computed again in plain Python, on random studies; sentences that were false once."""

import math
import re
import zlib
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import evalcore
from evalcore.findings import conclusion_of
from tests.examples import examples
from tests.findings.plain import SAID, check_plain
from tests.oracles import metrics
from tests.oracles.facts import ASKED, FACTS
from tests.oracles.facts.plain import in_force
from tests.oracles.ranking import order
from tests.small import g_max_of, small_study, topic_of, tracks

RUN = {"da": 3.0, "db": 2.0, "dc": 1.0}
GROUPS = {"s0": "g0", "s1": "g1", "s2": "g1"}
CASES = {
    "one system": ({"s0": {"t0": RUN, "t1": RUN}}, {"t0": {"da": 1, "db": 0}, "t1": {"dc": 1}}),
    "one topic": ({"s0": {"t0": RUN}, "s1": {"t0": {"dc": 2.0, "dd": 1.0}}}, {"t0": {"da": 1, "dc": 0}}),
    "all tied": ({f"s{i}": {"t0": RUN, "t1": RUN} for i in range(4)}, {"t0": {"da": 1}, "t1": {"da": 1}}),
    "tied scores": ({"s0": {"t0": dict.fromkeys(RUN, 1.0)}, "s1": {"t0": RUN}}, {"t0": {"da": 1, "db": 0}}),
    "nothing judged": ({"s0": {"t0": RUN}, "s1": {"t0": RUN}}, {"t0": {"da": -1}}),
    "nothing relevant": ({f"s{i}": {"t0": RUN, "t1": RUN} for i in range(2)}, {"t0": {"da": 0}, "t1": {"db": 0}}),
    "other topics": ({"s0": {"t0": RUN}, "s1": {"t0": RUN}}, {"t7": {"da": 1}}),
    "queries": (
        {s: {q: {d: float(zlib.crc32(f"{s} {q} {d}".encode()) % 7) for d in RUN}
             for q in ("t0-1", "t0-2", "t1-1", "t1-2")} for s in ("s0", "s1", "s2")},
        {"t0": {"da": 1, "db": 0}, "t1": {"dc": 1, "da": 0}},
    ),
    "graded": (
        {"s0": {"t0": RUN, "t1": RUN}, "s1": {"t0": {"dd": 2.0, "da": 1.0}, "t1": {"dd": 2.0}}, "s2": {"t1": RUN}},
        {"t0": {"da": 2, "db": 0, "dd": 1}, "t1": {"dc": 3, "dd": 0, "da": 1}},
    ),
    "judged deep": (
        {s: {t: dict(zip(some.split(), (4.0, 3.0, 2.0, 1.0), strict=True)) for t, some in both.items()}
         for s, both in {
             "s0": {"t0": "da db dc dd", "t1": "da de df dg"},
             "s1": {"t0": "db da dd dc", "t1": "da dh di de"},
             "s2": {"t0": "da dc db dd", "t1": "dj da dk dl"},
         }.items()},
        {"t0": {"da": 1, "db": 1, "dc": 0, "dd": 0},
         "t1": {**dict.fromkeys(("df", "dg", "di", "dj", "dk"), 0), **dict.fromkeys(("da", "de", "dh", "dl"), 1)}},
    ),
    "many systems": (
        {f"s{i}": {"t0": RUN if i < 9 else {f"d{i}": 1.0}, "t1": {"dc": 2.0 - i % 2, "da": 1.0}} for i in range(12)},
        {"t0": {"da": 1, "db": 0, "dc": 0, "d10": 1, "d11": 2}, "t1": {"dc": 1, "da": 0}},
    ),
}  # fmt: skip


OF_JUDGES = ("13.6", "13.7", "13.8")  # sections of questions on all judges
SOME = tracks(systems=4, grades=(-1, 0, 0, 1, 2)).filter(lambda track: any(track[0].values()))  # a file has a line


def case_of(study, runs, qrels):
    """The study as plain values."""

    def ranked(system, query):
        return order(runs.get(system, {}).get(query, {}))

    def unexplained(depth=None):
        """The share of the judgments that no contributing system has within the pool's depth; where that is not known,
        down to a depth that is asked for."""
        deep = depth_of_topic if study.pooling.depth_known else dict.fromkeys(study.topics, depth or 0)
        judged = {(topic, D) for topic, of in qrels.items() for D, grade in of.items() if grade != -1 and deep[topic]}
        queries = study.track.queries
        pool = {(topic_of(q), D) for s in pooled for q in queries for D in ranked(s, q)[: deep[topic_of(q)]]}
        return len(judged - pool) / len(judged) if judged else math.nan

    def means(metric, judged=qrels):
        """system -> (value, lower, upper, n) by all judgments, or by some."""
        topics = {query: topic_of(query) for query in study.track.queries}
        asked = {"topic_of_query": topics, "g_max": g_max_of(qrels)}
        return {name: metrics.mean(metric, runs.get(name, {}), judged, **asked) for name in study.systems}

    depth_of_topic = dict(zip(study.track.topics, study.pooling.depth_of_topic.tolist(), strict=True))
    judged = [topic for topic, of in qrels.items() if of]
    answering = {
        name for name in study.systems if any(run and topic_of(query) in judged for query, run in runs[name].items())
    }
    pooled = [name for name, is_pooled in zip(study.systems, study.track.pooled, strict=True) if is_pooled]
    return SimpleNamespace(
        runs=runs, qrels=qrels, pooled=pooled, depth=study.depth, systems=list(study.systems),
        topics=list(study.topics), queries=list(study.track.queries),
        answering=answering, topic_of=topic_of, ranked=ranked,
        means=means, unexplained=unexplained, groups=list(study.track.groups),
        depth_known=study.pooling.known, depth_of_topic=depth_of_topic,
    )  # fmt: skip


def answers(study, question):
    """The parameters and the answer of every way of ASKED; what evalcore refuses has none."""
    if evalcore.QUESTIONS[question].section in OF_JUDGES:  # which may have another scale
        study = replace(study, options=study.options | {"other_rel_level": 1})
    for params in ASKED.get(question, [{}]):
        try:
            answer = evalcore.ask(study, question, **with_files(params))
        except ValueError:
            continue
        yield params, answer


def check(study, case, question):
    """Every finding of the question in every way of ASKED."""
    for params, answer in answers(study, question):
        check_finding(answer, params, case)


def check_finding(answer, params, case, name="a random study"):
    """One finding: its facts and its words."""
    for file in ("other", "theirs", "assessors", "subtopics"):  # a second qrels, another program's lines, a table
        setattr(case, file, params.get(file))
    facts = expected(answer.question, answer.table.to_dict("records"), answer.params, case)
    about = f"{answer.question}({params}) of {name}: {answer.finding} where {facts}"
    assert not wrong(answer.finding.facts, facts), f"{wrong(answer.finding.facts, facts)} of {about}"
    check_words(answer.finding, about)
    if answer.finding.plain:
        assert answer.question in SAID, about
        check_plain(answer.finding, answer.question)


def expected(question, rows, params, case):
    """All that a finding may state: the parameters in force, under which stand the facts of the oracle.

    Of the cells it may state those of the row that the oracle chose, by the names of their columns.
    """
    asked = in_force(params, case)
    return {name: value for name, value in asked.items() if value is not None} | FACTS[question](rows, asked, case)


def wrong(facts, expected):
    """The names of the facts that are not computed again, or differently."""
    return [name for name, fact in facts.items() if name not in expected or not same(fact, expected[name])]


def with_files(params):
    """The parameters with uploads of the files that are given as plain values."""
    given = [file for file in ("theirs", "assessors", "subtopics") if params.get(file)]
    files = {file: evalcore.Upload(f"{file}.txt", params[file].encode()) for file in given}
    return params | files | ({"other": upload(params["other"])} if params.get("other") else {})


def check_words(finding, about):
    """What DESIGN asks of every finding: whole sentences, short, with few numbers."""
    assert finding.headline, about
    for sentence in filter(None, (finding.headline, finding.detail, *finding.caveats)):
        assert re.fullmatch(r"\S.*\S[.]", sentence), about
        assert not re.search(r"nan|None(?! (?:of|is)\b)|[{}]|  |\binf\b|\[|unknown", sentence), about
    assert len(finding.headline.split()) <= 24, about
    assert len(numbers(finding.headline)) <= 3, about
    assert len(finding.detail.split()) <= 30, about


def numbers(text):
    """The numbers outside brackets, without those of a metric's name."""
    for _ in range(2):
        text = re.sub(r"\([^()]*\)", "", text)
    return re.findall(r"(?<![\w.=@])\.?\d[\d,.]*%?", text)


def upload(qrels):
    """Judgments as a file."""
    lines = [f"{topic} 0 {document} {grade}\n" for topic, of in qrels.items() for document, grade in of.items()]
    return evalcore.Upload("other.txt", "".join(lines).encode())


def same(a, b):
    if isinstance(a, str):
        return a == b
    if isinstance(a, list | tuple):
        return list(a) == list(b)
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) or (a != a and b != b)


# s3 has no group, and a document that is not judged
WITHOUT_A_TEAM = {
    "s0": {}, "s1": {}, "s2": {"t0": {"da": 0.0}, "t2": {"da": 0.0}, "t1": {"da": 0.0, "dj": 0.0}},
    "s3": {"t0": {"da": 0.0}, "t2": {"da": 0.0}, "t1": {"da": 0.0, "db": 0.0}},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("question", FACTS)
@settings(max_examples=examples(25), deadline=None)
@given(track=SOME, pooled=st.sampled_from(["all", ["s0"]]))
@example(track=(WITHOUT_A_TEAM, {"t1": {"da": 1, "db": -1, "dc": -1, "dd": -1, "dj": 0}}), pooled="all")
def test_the_facts_of_random_studies(question, track, pooled):
    runs, qrels = track
    study = small_study(runs, qrels, pooled=pooled, groups=GROUPS)
    check(study, case_of(study, runs, qrels), question)


def test_every_question_has_a_finding_whose_facts_are_computed_again():
    assert set(FACTS) == set(evalcore.QUESTIONS)


@pytest.mark.parametrize("question", ["leaderboard", "people_plus_model", "topics_left_out"])
def test_a_cell_of_another_row_is_wrong(question):
    runs, qrels = CASES["judged deep"]
    study = small_study(runs, qrels, pooled="all")
    _, answer = next(answers(study, question))
    rows = answer.table.to_dict("records")
    right = expected(question, rows, answer.params, case_of(study, runs, qrels))
    cells = [(name, row[name]) for name, fact in answer.finding.facts.items() for row in rows if name in row]
    others = [{name: cell} for name, cell in cells if not same(cell, answer.finding.facts[name])]
    assert others
    assert all(wrong(one, right) for one in others)


def test_a_count_that_takes_in_all_judgments_is_no_cut():
    study = small_study({"a": {"t": {"d": 1.0}}, "b": {"t": {"e": 1.0}}}, {"t": {"d": 1, "e": 0}})
    settings = [evalcore.ask(study, "leaderboard", judgments=count).finding.setting for count in (1, 2, 500)]
    assert "first judgment" in settings[0]
    assert settings[1] == settings[2] == evalcore.ask(study, "leaderboard").finding.setting


def test_of_several_depths_the_setting_names_none():
    study = small_study({"a": {"t": {"d": 1.0}}, "b": {"t": {"e": 1.0}}}, {"t": {"d": 1, "e": 0}}, pooled="all")
    for depths, named in (([1], True), ([1, None], False), ([None], False)):
        assert ("depth" in evalcore.ask(study, "depth_sweep", depths=depths).finding.setting) == named


def test_the_order_of_one_setup_is_compared_with_nothing():
    runs = {"a": {"t": {"d": 1.0}, "u": {"d": 1.0}}, "b": {"t": {"e": 1.0}, "u": {"d": 1.0}}}
    study = small_study(runs, {"t": {"d": 1, "e": 0}, "u": {"d": 1}})
    assert evalcore.ask(study, "leaderboard", metric="P@1").table["value"].nunique() == 2
    headline = evalcore.ask(study, "regimes", regimes=["P@1"]).finding.headline
    assert "fewer than two setups" in headline


def test_second_judgments_that_give_all_systems_one_score_rank_nothing(tmp_path):
    files = {"a": "t Q0 d 1 2 a\n", "b": "t Q0 e 1 2 b\n", "qrels.txt": "t 0 d 1\nt 0 e 0\n"}
    for name, text in (files | {"other.txt": "t 0 d 1\nt 0 e 1\n"}).items():
        (tmp_path / name).write_text(text)
    first, second = (tmp_path / name for name in ("qrels.txt", "other.txt"))
    for ours, theirs, alike in ((first, second, "second"), (second, first, "first")):
        study = evalcore.open_study([tmp_path / "a", tmp_path / "b"], ours, other=theirs, cache=False)
        headline = evalcore.ask(study, "agreement_effect", metric="P@1").finding.headline
        assert headline.endswith(f"under the {alike} set of judgments.")


# Sentences that were false once


def ranked(*orders):
    """Systems that rank these documents for two topics alike: s0, s1, ..."""
    return {
        f"s{n}": {t: {d: 9.0 - rank for rank, d in enumerate(docs.split())} for t in ("1", "2")}
        for n, docs in enumerate(orders)
    }


def test_another_may_pass_one_of_several_leaders():
    """If d0 is relevant, s2 passes s0 but not s1."""
    runs = ranked("d5 d4 d1 d3 d0 d2", "d0 d4 d5 d1 d2 d3", "d0 d5 d2 d4 d3 d1")
    judged = {t: {"d2": 0, "d3": 0, "d4": 1, "d5": 0} for t in ("1", "2")}
    study = small_study(runs, judged, pooled="all", empty="not relevant")
    headline = evalcore.ask(study, "leaderboard", metric="SDCG@3").finding.headline
    assert headline.endswith("share the highest SDCG@3, .296; no further judging can put another ahead of all of them.")
    then = small_study(runs, {t: of | {"d0": 1} for t, of in judged.items()}, pooled="all", empty="not relevant")
    value = evalcore.ask(then, "leaderboard", metric="SDCG@3").table.set_index("system")["value"]
    assert value["s1"] > value["s2"] > value["s0"]


def test_a_change_up_to_all_judgments_is_not_called_that_of_a_shallower_depth():
    runs = ranked("a b c d", "b a d c")
    study = small_study(runs, {t: {"a": 0, "b": 1, "c": 1, "d": 1} for t in ("1", "2")}, pooled="all")
    at = evalcore.ask(study, "depth_sweep", metric="AP", depths=[1, 2, None]).table
    means = at.groupby("depth", dropna=False)["value"].mean().to_list()
    assert means[1] != means[2]
    finding = evalcore.ask(study, "pool", metric="AP", depths=[1, 2]).finding
    assert "using all judgments" in finding.detail
    assert finding.facts["moved"] == pytest.approx(abs(means[2] - means[0]))
    whole = evalcore.ask(study, "pool", metric="AP", depths=[1, None]).finding
    assert "using all judgments" not in whole.detail
    assert whole.facts["moved"] == finding.facts["moved"]


def test_orderings_that_never_differ_do_not_differ_most():
    documents = " ".join("abcdefgh")
    study = small_study(ranked(documents, documents[::-1]), {t: {"a": 1, "h": 0} for t in ("1", "2")}, pooled="all")
    answer = evalcore.ask(study, "shard_stability", metric="P@1", shards=[2, 3], resamples=2)
    same, other = (
        conclusion_of("shard_stability", answer.table.assign(tau=tau), answer.params, study) for tau in (1.0, 0.5)
    )
    assert same.headline == "Orderings by shard do not differ from the whole collection's (mean τ-b 1.000)."
    assert "differ most" in other.headline
