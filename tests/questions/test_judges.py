"""Judges against scikit-learn, krippendorff, SciPy, ppi-python and plain definitions. METHODS 13.6, 13.7."""

import itertools
import math
import os
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pytest
import scipy.stats
from sklearn.metrics import cohen_kappa_score

import evalcore
from evalcore.findings.judges import judges as finding_of
from evalcore.metrics.metrics import metric as metric_named
from evalcore.pooling.checking_orders import separation
from evalcore.statistics import agreement, control_variate
from tests.oracles import metrics
from tests.small import small_study

RANDOM = np.random.default_rng(7)
SYSTEMS, TOPICS = [f"s{n}" for n in range(8)], [f"t{n:02d}" for n in range(9)]
DOCUMENTS = [f"d{n:02d}" for n in range(20)]
RUNS = {
    s: {t: {d: float(RANDOM.normal()) for d in RANDOM.choice(DOCUMENTS, 12, replace=False)} for t in TOPICS}
    for s in SYSTEMS
}
PEOPLE = {t: {d: int(RANDOM.integers(0, 4)) for d in DOCUMENTS if RANDOM.random() < 0.9} for t in TOPICS}
LENIENT = {t: {d: min(3, g + int(RANDOM.random() < 0.5)) for d, g in of.items()} for t, of in PEOPLE.items()}
BINARY = {t: {d: int(g > 1) for d, g in PEOPLE[t].items() if RANDOM.random() < 0.8} for t in TOPICS[:7]}
NOISE = {t: {d: int(RANDOM.integers(0, 3)) for d in DOCUMENTS} for t in TOPICS}
JUDGES = {"lenient": LENIENT, "binary": BINARY, "noise": NOISE}
ALL = {"reference": PEOPLE, **JUDGES}
METRICS = ["nDCG@10", "RBP(p=0.8)", "AP"]
GROUPS = {s: f"g{n % 3}" for n, s in enumerate(SYSTEMS)}


def opened(judges=None, **options):
    study = small_study(RUNS, PEOPLE, groups=GROUPS, pooled="all", **options)
    return study.with_judges(JUDGES if judges is None else judges)


def graded(a, b, topic=None):
    """The grades that two judges give what both judge. Two lists."""
    keys = [(t, d) for t in a for d in a[t] if t in b and d in b[t] and topic in (None, t)]
    return [a[t][d] for t, d in keys], [b[t][d] for t, d in keys]


def scores_of(qrels, metric):
    """system -> topic -> score, in plain Python."""
    return {
        s: {t: metrics.value(metric, RUNS[s][t], qrels[t], g_max=max(g for of in qrels.values() for g in of.values()))
            for t in qrels}
        for s in SYSTEMS
    }  # fmt: skip


def means(a, b, metric):
    shared = [t for t in a if t in b]
    both = (scores_of(one, metric) for one in (a, b))
    return [[sum(of[s][t] for t in shared) / len(shared) for s in SYSTEMS] for of in both]


def ordered(values):
    return sorted(range(len(values)), key=lambda i: (-round(values[i], 12), i))


def tau_ap(a, b):
    """As [YAR08] has it: of those above each in b, how many are above it in a."""
    at, order = {s: place for place, s in enumerate(ordered(a))}, ordered(b)
    shares = [sum(at[x] < at[order[i]] for x in order[:i]) / i for i in range(1, len(order))]
    return 2 * sum(shares) / len(shares) - 1


def rbo(a, b, p=0.9):
    a, b = ordered(a), ordered(b)
    overlap = [len(set(a[:d]) & set(b[:d])) / d for d in range(1, len(a) + 1)]
    return sum((1 - p) * p ** (d - 1) * overlap[d - 1] for d in range(1, len(a) + 1)) + p ** len(a)


def kappa(first, second):
    """Scikit-learn's, which warns where both give one grade to all."""
    if len({*first, *second}) < 2:
        return math.nan
    return cohen_kappa_score(first, second, labels=[0, 1, 2, 3], weights="quadratic")


def same(found, expected):
    assert (math.isnan(found) and math.isnan(expected)) or found == pytest.approx(expected, abs=1e-9)


def compared(a, b):
    """The grades that two give what both judge; relevant or not where one knows no more."""
    both = graded(ALL[a], ALL[b])
    return [[int(g > 0) for g in of] for of in both] if (a == "binary") != (b == "binary") else both


def check_pair(row, a, b, metric):
    first, second = compared(a, b)
    assert row["both"] == len(first)
    same(row["kappa_weighted"], kappa(first, second))
    same(row["alpha"], krippendorff.alpha([first, second], level_of_measurement="ordinal"))
    x, y = means(ALL[a], ALL[b], metric)
    same(row["tau"], scipy.stats.kendalltau(np.round(x, 12), np.round(y, 12)).statistic)
    same(row["tau_ap"], tau_ap(x, y))
    same(row["rbo"], rbo(x, y))
    same(row["top5"], len(set(ordered(x)[:5]) & set(ordered(y)[:5])) / 5)


@pytest.mark.parametrize("metric", METRICS)
def test_judges_agree_as_other_programs_say(metric):
    table = evalcore.ask(opened(), "judges", metric=metric).table
    assert sorted(table["judge"]) == sorted(JUDGES)
    assert list(table["tau"]) == sorted(table["tau"], reverse=True)
    for row in table.to_dict("records"):
        check_pair(row, "reference", row["judge"], metric)
        first, second = graded(PEOPLE, JUDGES[row["judge"]])
        same(row["share_relevant"], sum(g > 0 for g in first) / len(first))
        same(row["share_relevant_other"], sum(g > 0 for g in second) / len(first))
        same(row["shift"], math.nan if row["judge"] == "binary" else (sum(second) - sum(first)) / len(first))
        assert row["n"] == len(JUDGES[row["judge"]])


def test_every_pair_of_judges_agrees_as_other_programs_say():
    table = evalcore.ask(opened(), "judge_pairs", metric="nDCG@10").table
    assert len(table) == 16
    names = list(dict.fromkeys(table["a"]))
    assert [*zip(table["a"], table["b"], strict=True)] == [*itertools.product(names, names)]  # one order for both axes
    assert names[0] == "reference"
    for row in table.to_dict("records"):
        check_pair(row, row["a"], row["b"], "nDCG@10")


@pytest.mark.parametrize("seed", range(5))
def test_alpha_of_counts_is_krippendorffs(seed):
    random = np.random.default_rng(seed)
    ratings = random.integers(0, random.integers(2, 6), (2, 40))
    classes = np.unique(ratings)
    same(
        agreement.alpha_of_two(agreement.confusion(*ratings, classes)),
        krippendorff.alpha(ratings, level_of_measurement="ordinal"),
    )
    assert math.isnan(agreement.alpha_of_two(np.array([[9]])))


def test_the_confusion_of_one_judge():
    table = evalcore.ask(opened(), "judge_confusion", judge="noise").table
    first, second = graded(PEOPLE, NOISE)
    for row in table.to_dict("records"):
        assert row["count"] == sum(
            (a, b) == (row["grade"], row["grade_other"]) for a, b in zip(first, second, strict=True)
        )
    assert table["count"].sum() == len(first)


def test_topics_come_by_agreement():
    table = evalcore.ask(opened(), "judge_topics", judge="noise", metric="AP").table
    ours, theirs = scores_of(PEOPLE, "AP"), scores_of(NOISE, "AP")
    assert sorted(table["topic"]) == TOPICS
    assert list(table["kappa_weighted"]) == sorted(table["kappa_weighted"])
    for row in table.to_dict("records"):
        topic = row["topic"]
        first, second = graded(PEOPLE, NOISE, topic)
        same(row["kappa_weighted"], kappa(first, second))
        x, y = ([round(of[s][topic], 12) for s in SYSTEMS] for of in (ours, theirs))
        same(row["tau"], scipy.stats.kendalltau(x, y).statistic)
        same(row["change"], sum(b - a for a, b in zip(x, y, strict=True)) / len(x))


def test_agreement_by_rank_counts_every_document_once():
    table = evalcore.ask(opened(), "judge_agreement_by_rank", judge="lenient").table
    order = {(s, t): sorted(RUNS[s][t], key=lambda d: (-RUNS[s][t][d], d)) for s in SYSTEMS for t in TOPICS}
    for by, rows in table.groupby("by"):
        for row in rows.to_dict("records"):
            first, second = [], []
            for t, of in PEOPLE.items():
                for d, grade in of.items():
                    places = [order[s, t].index(d) + 1 for s in SYSTEMS if d in RUNS[s][t]]
                    value = (min(places) if by == "rank" else len(places)) if places else 0
                    if row["first"] <= value <= row["last"]:
                        first.append(grade)
                        second.append(LENIENT[t][d])
            assert row["both"] == len(first)
            same(row["share_relevant_other"], sum(g > 0 for g in second) / len(first))
            same(row["kappa_weighted"], kappa(first, second))


def test_the_last_group_of_ranks_ends_with_the_deepest_document():
    run, judged = {f"d{rank:03}": -float(rank) for rank in range(1, 511)}, {"d200": 1, "d500": 0, "d501": 1, "d503": 1}
    study = small_study({"s": {"t": run}}, {"t": judged}).with_judges({"twin": {"t": judged}})
    table = evalcore.ask(study, "judge_agreement_by_rank", judge="twin").table.query("by == 'rank'")
    assert table[["first", "last", "both"]].values.tolist() == [[101, 200, 1], [201, 500, 1], [501, 503, 2]]


def test_swapped_pairs_are_counted():
    table = evalcore.ask(opened(), "judge_systems", judge="noise", metric="nDCG@10").table.set_index("system")
    x, y = means(PEOPLE, NOISE, "nDCG@10")
    scores = scores_of(PEOPLE, "nDCG@10")
    pairs = list(itertools.combinations(range(len(SYSTEMS)), 2))
    rows = [[scores[SYSTEMS[i]][t] for t in TOPICS] for i in range(len(SYSTEMS))]
    p = {pair: scipy.stats.ttest_rel(rows[pair[0]], rows[pair[1]]).pvalue for pair in pairs}
    least, corrected = 0, {}
    for place, pair in enumerate(sorted(pairs, key=p.get)):  # Holm
        least = max(least, min(1, p[pair] * (len(pairs) - place)))
        corrected[pair] = least
    for i, system in enumerate(SYSTEMS):
        same(table.loc[system, "value"], x[i])
        same(table.loc[system, "value_other"], y[i])
        swapped = [pair for pair in pairs if i in pair and (x[pair[0]] - x[pair[1]]) * (y[pair[0]] - y[pair[1]]) < 0]
        assert table.loc[system, "swapped"] == len(swapped)
        assert table.loc[system, "swapped_significant"] == sum(corrected[pair] < 0.05 for pair in swapped)


@pytest.mark.parametrize("by", ["group", "system"])
def test_who_gains_is_the_group_less_the_rest(by):
    table = evalcore.ask(opened(), "judge_gains", judge="binary", metric="nDCG@10", by=by).table
    ours, theirs = scores_of(PEOPLE, "nDCG@10"), scores_of(BINARY, "nDCG@10")
    of = {s: GROUPS[s] if by == "group" else s for s in SYSTEMS}
    assert sorted(table["group"]) == sorted(set(of.values()))
    for row in table.to_dict("records"):
        each = {
            inside: [np.mean([theirs[s][t] - ours[s][t] for s in SYSTEMS if (of[s] == row["group"]) == inside])
                     for t in BINARY]
            for inside in (True, False)
        }  # fmt: skip
        same(row["change"], np.mean(each[True]))
        same(row["rest"], np.mean(each[False]))
        same(row["difference"], np.subtract(each[True], each[False]).mean())
    assert (table["p_corrected"] >= table["p"]).all()


def with_random_errors(judge, rng):
    """A judge that gives each document that people judge the grade which this one gives to another of their grade."""
    of_grade, both = {}, {(t, d): g for t, of in PEOPLE.items() for d, g in of.items() if d in judge.get(t, {})}
    for (t, d), grade in both.items():
        of_grade.setdefault(grade, []).append(judge[t][d])
    drawn = {t: dict(of) for t, of in judge.items()}
    for (t, d), grade in both.items():
        drawn[t][d] = int(rng.choice(of_grade[grade]))
    return drawn


def test_what_random_errors_would_give_is_expected():
    """Against 200 judges that are drawn here, and the interval of what is above it."""
    rng, by_judge = np.random.default_rng(5), []
    ours, theirs = scores_of(PEOPLE, "nDCG@10"), scores_of(LENIENT, "nDCG@10")

    def gains(scores):  # of a system against the others, by topic
        added = np.array([[scores[s][t] - ours[s][t] for t in TOPICS] for s in SYSTEMS])
        return added - (added.sum(axis=0) - added) / (len(SYSTEMS) - 1)

    for _ in range(200):
        by_judge.append(gains(scores_of(with_random_errors(LENIENT, rng), "nDCG@10")))
    expected, spread = np.mean(by_judge, axis=0), np.std(by_judge, axis=0).mean() / 20**0.5
    table = evalcore.ask(opened(), "judge_gains", judge="lenient", metric="nDCG@10", by="system").table
    table = table.set_index("group").loc[SYSTEMS]
    assert table["expected"].to_numpy() == pytest.approx(expected.mean(axis=1), abs=4 * spread / len(TOPICS) ** 0.5)
    for row, apart in zip(table.itertuples(), gains(theirs) - expected, strict=True):
        found = scipy.stats.bootstrap((apart,), np.mean, method="percentile", n_resamples=9999, rng=3)
        ends = np.array(found.confidence_interval) + row.expected
        assert (row.lower, row.upper) == pytest.approx(tuple(ends), abs=0.3 * (ends[1] - ends[0]))


def favoured(strength):
    """Judgments by people, and by a judge that finds what two systems of eight rank first relevant."""
    judged = {t: dict(of) for t, of in PEOPLE.items()}
    for t in TOPICS:
        for s in SYSTEMS[:2]:
            for d in sorted(RUNS[s][t], key=lambda d: -RUNS[s][t][d])[:strength]:
                judged[t][d] = 3
    return judged


def test_a_judge_that_favours_its_own_kind_is_found_out():
    groups = {s: "neural" if n < 2 else "lexical" for n, s in enumerate(SYSTEMS)}
    study = small_study(RUNS, PEOPLE, groups=groups, pooled="all").with_judges({"own": favoured(5)})
    answer = evalcore.ask(study, "judge_gains", metric="nDCG@10", by="group")
    row = answer.table.iloc[0]
    assert (row["group"], row["lower"] > 0, row["p_corrected"] < 0.05) == ("neural", True, True)
    assert answer.finding.facts["group"] == "neural"
    fair = small_study(RUNS, PEOPLE, groups=groups, pooled="all").with_judges({"fair": PEOPLE})
    table = evalcore.ask(fair, "judge_gains", metric="nDCG@10", by="group").table
    assert np.allclose(table["difference"], 0)
    assert (table["p_corrected"] > 0.05).all()


# ---- against chance


@pytest.fixture(scope="module")
def unequal():
    """A track of 20 systems on 30 topics that find ever fewer of the 60 judged documents. (runs, qrels)"""
    rng, topics = np.random.default_rng(11), [f"t{n:02d}" for n in range(30)]
    judged = {t: {f"d{n:03d}": int(rng.random() < 0.3) for n in range(60)} for t in topics}
    runs = {}
    for s in range(20):
        runs[f"s{s:02d}"] = {}
        for t in topics:
            likes = {d: rng.normal(1.5 * judged[t].get(d, 0) + (1 - s / 12) * (d in judged[t]), 1) for d in EVERY}
            runs[f"s{s:02d}"][t] = dict(sorted(likes.items(), key=lambda scored: -scored[1])[:50])
    return runs, judged


EVERY = [f"d{n:03d}" for n in range(150)]


def judge_with_errors(qrels, seed, found, invented):
    """A judge that calls this share of the relevant documents relevant, and of the others."""
    rng = np.random.default_rng(seed)
    return {t: {d: int(rng.random() < (found if g else invented)) for d, g in of.items()} for t, of in qrels.items()}


@pytest.mark.parametrize("metric", ["R@50", "AP", "RBP(p=0.95)", "nDCG@10"])
def test_a_judge_that_labels_at_random_is_never_trusted_and_a_noisy_one_is(unequal, metric):
    runs, qrels = unequal
    judges = {f"random{n}": judge_with_errors(qrels, n, 0.83, 0.83) for n in range(3)}
    study = small_study(runs, qrels, pooled="all").with_judges(
        {**judges, "noisy": judge_with_errors(qrels, 5, 0.85, 0.05)}
    )
    table = evalcore.ask(study, "judges", metric=metric).table.set_index("judge")
    for name in judges:
        alone = small_study(runs, qrels, pooled="all").with_judges({name: judges[name]})
        assert "trust it for" not in str(evalcore.ask(alone, "judges", metric=metric).finding)
        tau, chance = table.loc[name, ["tau", "tau_by_chance"]]
        assert (tau - chance) / (1 - chance) < 0.4
    assert "trust it for" in str(evalcore.ask(study, "judges", metric=metric).finding)
    if metric == "R@50":  # where being judged alone orders the systems
        assert table.loc[[*judges], "tau"].min() > 0.7


def test_tau_by_chance_is_that_of_shuffled_grades(unequal):
    """Of 20 shuffles that are made here; another seed, so to within its error."""
    runs, qrels = unequal
    judge, rng, taus = judge_with_errors(qrels, 3, 0.8, 0.2), np.random.default_rng(9), []
    study = small_study(runs, qrels, pooled="all").with_judges({"judge": judge})
    for n in range(20):
        shuffled = {
            t: dict(zip(of, rng.permutation(list(of.values())).tolist(), strict=True)) for t, of in judge.items()
        }
        again = small_study(runs, qrels, pooled="all").with_judges({f"{n}": shuffled})
        taus.append(evalcore.ask(again, "judges", metric="R@50", shuffled="").table["tau"].iloc[0])
    found = evalcore.ask(study, "judges", metric="R@50").table["tau_by_chance"].iloc[0]
    assert found == pytest.approx(np.mean(taus), abs=4 * np.std(taus) / 10**0.5)


def test_random_errors_favour_nobody_and_a_favourite_is_found_first(unequal):
    runs, qrels = unequal
    study, significant, shares = small_study(runs, qrels, pooled="all"), 0, []
    for n in range(10):
        noisy = study.with_judges({"noisy": judge_with_errors(qrels, 20 + n, 0.7, 0.1)})
        table = evalcore.ask(noisy, "judge_gains", metric="nDCG@10", by="system", resamples=1000).table
        significant += bool((table["p_corrected"] < 0.05).any())
        shares.append((table["p"] < 0.05).mean())
    assert significant <= 1
    assert np.mean(shares) <= 0.08
    judge = judge_with_errors(qrels, 40, 0.7, 0.1)
    for t, of in judge.items():
        of |= {d: 1 for d in sorted(runs["s10"][t], key=lambda d: -runs["s10"][t][d])[:10] if d in of}
    answer = evalcore.ask(study.with_judges({"own": judge}), "judge_gains", metric="nDCG@10", by="system")
    assert answer.table["group"].iloc[0] == answer.finding.facts["group"] == "s10"
    assert answer.table["p_corrected"].iloc[0] < 0.05


@pytest.mark.parametrize(
    ("kappa", "tau", "chance", "n", "verdict"),
    [
        (0.5, 0.95, 0.3, 50, "trust it for their order"), (0.5, 0.95, 0.91, 50, "with the same grades in other places"),
        (0.05, 0.95, 0.3, 50, "on documents it hardly agrees"), (math.nan, 0.95, 0.3, 50, "do not vary"),
        (0.5, 0.8, 0.3, 50, "trust it for a rough order"), (0.5, 0.6, 0.3, 50, "do not trust its order"),
        (0.5, 0.95, 0.3, 10, "Over more topics, τ would probably be higher"), (0.5, 0.95, 0.3, 1, "share one topic"),
        (0.5, 0.95, math.nan, 50, "without τ by chance"),
    ],
)  # fmt: skip
def test_what_a_judge_is_trusted_for(kappa, tau, chance, n, verdict):
    row = {"judge": "j", "share_relevant": 0.3, "share_relevant_other": 0.32, "kappa_weighted": kappa}
    table = pd.DataFrame([row | {"tau": tau, "tau_by_chance": chance, "n": n}])
    said = str(finding_of(table, {"metric": "AP"}, opened({"j": PEOPLE})))
    assert verdict in said
    assert ("trust it for" in verdict or n == 10) == ("trust it for" in said)
    assert ("Over more topics" in said) == (n == 10)
    assert "about as many documents relevant" in said


@pytest.mark.parametrize(
    ("people", "judged", "word"),
    [(0.3, 0.34, "about as many"), (0.3, 0.36, "lenient"), (0.3, 0.24, "strict"), (0.1, 0.14, "lenient")],
)
def test_as_many_relevant_needs_both_difference_and_ratio(people, judged, word):
    row = {"judge": "j", "share_relevant": people, "share_relevant_other": judged, "kappa_weighted": 0.5}
    table = pd.DataFrame([row | {"tau": 0.95, "tau_by_chance": 0.3, "n": 50}])
    assert word in finding_of(table, {"metric": "AP"}, opened({"j": PEOPLE})).detail


def test_types_of_the_systems_table_come_first(tmp_path):
    (tmp_path / "runs").mkdir()
    for s, run in RUNS.items():
        lines = [f"{t} Q0 {d} 0 {score} {s}\n" for t, of in run.items() for d, score in of.items()]
        (tmp_path / "runs" / s).write_text("".join(lines))
    lines = "".join(f"{s}\t{GROUPS[s]}\t{('neural', 'lexical')[n % 2]}\n" for n, s in enumerate(SYSTEMS))
    (tmp_path / "systems.tsv").write_text(f"run\tgroup\ttype\n{lines}")
    for name, qrels in (("qrels.txt", PEOPLE), ("judge.txt", LENIENT)):
        text = "".join(f"{t} 0 {d} {g}\n" for t, of in qrels.items() for d, g in of.items())
        (tmp_path / name).write_text(text)
    study = evalcore.open_study(
        tmp_path / "runs", tmp_path / "qrels.txt", systems=tmp_path / "systems.tsv", other=tmp_path / "judge.txt",
        cache=False,
    )  # fmt: skip
    for by, names in ((None, {"neural", "lexical"}), ("group", {"g0", "g1", "g2"}), ("system", set(SYSTEMS))):
        table = evalcore.ask(study, "judge_gains", by=by).table
        assert set(table["group"]) == names
        assert set(table["by"]) == {by or "type"}


def test_a_person_is_given_what_separates_close_systems():
    study = opened()
    table = evalcore.ask(study, "judge_checks", judge="noise", metric="P@5", order="documents", budget=None).table
    theirs = scores_of(NOISE, "P@5")
    mean = {s: sum(theirs[s].values()) / len(theirs[s]) for s in SYSTEMS}
    weight = {}
    for t in TOPICS:
        for d in DOCUMENTS:
            own = {s: 0.2 * (d in sorted(RUNS[s][t], key=lambda d: (-RUNS[s][t][d], d))[:5]) for s in SYSTEMS}
            pairs = itertools.combinations(SYSTEMS, 2)
            weight[t, d] = sum(
                math.exp(-(((mean[a] - mean[b]) / 0.05) ** 2) / 2) * (own[a] - own[b]) ** 2 for a, b in pairs
            )
    for row in table.to_dict("records"):
        assert row["weight"] == pytest.approx(weight[row["topic"], row["document"]])
        assert row["grade_other"] == NOISE[row["topic"]][row["document"]]
        assert row["document"] not in PEOPLE[row["topic"]]  # what people judged is left out
    assert len(table) == sum(w > 1e-12 and d not in PEOPLE[t] for (t, d), w in weight.items())
    assert list(table["weight"]) == sorted(table["weight"], reverse=True)
    asked = {"judge": "noise", "metric": "P@5", "order": "topics", "budget": None}
    topics = evalcore.ask(study, "judge_checks", **asked).table["topic"]
    separating = {t: [w for (of, _), w in weight.items() if of == t and w > 1e-12] for t in set(topics)}
    means = {t: sum(of) / len(of) for t, of in separating.items()}
    assert [t for t, _ in itertools.groupby(topics)] == sorted(means, key=means.get, reverse=True)


def test_checking_leads_from_the_judges_ordering_to_that_of_people():
    study = opened()
    table = evalcore.ask(study, "judge_checks_curve", judge="binary", metric="nDCG@10").table
    shared = {t: {d: g for d, g in of.items() if d in BINARY.get(t, {})} for t, of in PEOPLE.items() if t in BINARY}
    start = evalcore.ask(
        small_study(RUNS, shared, pooled="all").with_judges({"binary": BINARY}), "judges", metric="nDCG@10"
    ).table["tau"].iloc[0]  # fmt: skip
    for _, rows in table.groupby("order"):
        assert rows["tau"].iloc[-1] == pytest.approx(1)
        assert rows["judgments"].iloc[-1] == sum(map(len, shared.values()))
        assert rows["tau"].iloc[0] == pytest.approx(start)


# ---- people on some topics, a model on all


def test_the_estimate_is_that_of_ppi():
    ppi = pytest.importorskip("ppi_py")
    people, model, chosen = simulated(np.random.default_rng(3), 4, 30)
    drawn = control_variate.drawn(people, model, chosen)
    n, N = chosen.sum(), chosen.shape[1]
    for s in range(4):
        expected = ppi.ppi_mean_pointestimate(
            people[s, chosen[0]], model[s, chosen[0]], model[s, ~chosen[0]],
            lam=drawn.slope[0] * (N - n) / N,
        )  # fmt: skip
        same(drawn.both[s, 0], float(np.ravel(expected)[0]))


def simulated(random, systems=4, topics=30, n=9):
    """Scores by people and a model, and which topics people judge."""
    people = random.normal(0.5, 0.2, (systems, topics))
    model = 0.2 + 0.8 * people + random.normal(0, 0.1, people.shape)
    chosen = np.zeros((1, topics), bool)
    chosen[0, random.choice(topics, n, replace=False)] = True
    return people, model, chosen


def test_the_estimate_and_its_interval_by_the_formula():
    people, model, chosen = simulated(np.random.default_rng(5))
    drawn, at = control_variate.drawn(people, model, chosen), np.flatnonzero(chosen[0])
    n, N = len(at), people.shape[1]
    covariance = sum(np.cov(people[s, at], model[s, at])[0, 1] for s in range(4))
    slope = covariance / sum(np.var(model[s, at], ddof=1) for s in range(4))
    same(drawn.slope[0], slope)
    same(drawn.slope_variance[0], jackknife(people[:, at], model[:, at]))
    half, beyond = (drawn.half_of_both(0.05, other_topics=others) for others in (False, True))
    for s in range(4):
        moved = model[s].mean() - model[s, at].mean()
        same(drawn.both[s, 0], people[s, at].mean() + slope * moved)
        residuals = people[s, at] - slope * model[s, at]
        variance = ((residuals - residuals.mean()) ** 2).sum() / (n - 2) * (1 / n - 1 / N)
        variance += jackknife(people[:, at], model[:, at]) * moved**2
        same(half[s, 0], scipy.stats.t.ppf(0.975, n - 2) * math.sqrt(variance))
        variance += people[s, at].var(ddof=1) / N
        same(beyond[s, 0], scipy.stats.t.ppf(0.975, n - 2) * math.sqrt(variance))


def slope_of(people, model):
    """Lambda of these topics. float (S, n) each"""
    covariance = sum(np.cov(a, b)[0, 1] for a, b in zip(people, model, strict=True))
    return min(max(covariance / model.var(axis=1, ddof=1).sum(), 0), 1.5)


def jackknife(people, model):
    """The variance of lambda from leaving out each topic."""
    n = people.shape[1]
    without = [slope_of(np.delete(people, t, axis=1), np.delete(model, t, axis=1)) for t in range(n)]
    return (n - 1) / n * sum((one - sum(without) / n) ** 2 for one in without)


@pytest.mark.parametrize(("factor", "slope"), [(-1, 0), (0.1, 1.5)])
def test_lambda_is_from_0_to_one_and_a_half(factor, slope):
    people, _, chosen = simulated(np.random.default_rng(5))
    drawn = control_variate.drawn(people, factor * people, chosen)
    assert drawn.slope[0] == slope
    assert drawn.slope_variance[0] == 0


def test_the_example_of_the_methods():
    drawn = control_variate.drawn(
        np.array([[0.2, 0.4, np.nan]]), np.array([[0.1, 0.5, 0.6]]), np.array([[True, True, False]])
    )
    same(drawn.slope[0], 0.5)
    same(drawn.both[0, 0], 0.35)
    assert np.isnan(drawn.half_of_both(0.05)[0, 0])  # two topics are those that lambda is of


@pytest.mark.parametrize(("n", "least", "most"), [(5, 0.94, 0.99), (8, 0.94, 0.98), (15, 0.94, 0.97)])
def test_intervals_contain_the_known_mean_as_often_as_they_say(n, least, most):
    random, inside, beyond = np.random.default_rng(11), [], []
    for _ in range(600):
        people, model, chosen = simulated(random, 10, 50, n)
        drawn = control_variate.drawn(people, model, chosen)
        half = drawn.half_of_both(0.05)
        inside.append(np.abs(drawn.both[:, 0] - people.mean(axis=1)) <= half[:, 0])
        half = drawn.half_of_both(0.05, other_topics=True)
        beyond.append(np.abs(drawn.both[:, 0] - 0.5) <= half[:, 0])  # the mean over all topics there could be
    assert least <= np.mean(inside) <= most
    assert least <= np.mean(beyond) <= most


def test_where_people_judged_some_topics_the_estimate_is_for_all_of_the_judge():
    few = {t: PEOPLE[t] for t in TOPICS[:5]}
    study = small_study(RUNS, few, groups=GROUPS, pooled="all").with_judges({"lenient": LENIENT})
    table = evalcore.ask(study, "people_plus_model", metric="AP").table.set_index("system")
    ours, theirs = scores_of(few, "AP"), scores_of(LENIENT, "AP")
    y = np.array([[ours[s][t] for t in few] for s in SYSTEMS])
    f = np.array([[theirs[s][t] for t in TOPICS] for s in SYSTEMS])
    slope = sum(np.cov(a, b)[0, 1] for a, b in zip(y, f[:, :5], strict=True)) / f[:, :5].var(axis=1, ddof=1).sum()
    assert (table["topics"].iloc[0], table["n"].iloc[0]) == (5, 9)
    for place, s in enumerate(SYSTEMS):
        value = y[place].mean() + slope * (f[place].mean() - f[place, :5].mean())
        same(table.loc[s, "value"], value)
        left, of_people = (y[place] - slope * f[place, :5]).var() * 5 / 3 * (1 / 5 - 1 / 9), y[place].var(ddof=1)
        left += jackknife(y, f[:, :5]) * (f[place].mean() - f[place, :5].mean()) ** 2
        for ends, middle, variance, df in (
            ("{}", value, left, 3),
            ("{}_other_topics", value, left + of_people / 9, 3),
            ("{}_people", y[place].mean(), of_people * (1 / 5 - 1 / 9), 4),
        ):
            half = scipy.stats.t.ppf(0.975, df) * math.sqrt(variance)
            same(table.loc[s, ends.format("lower")], max(middle - half, 0))
            same(table.loc[s, ends.format("upper")], min(middle + half, 1))
        same(table.loc[s, "value_people"], y[place].mean())
        same(table.loc[s, "value_model"], f[place].mean())
        same(table.loc[s, "weight"], slope)


def test_the_experiment_by_a_loop():
    table = evalcore.ask(opened(), "people_and_model", judge="lenient", metric="AP", topics=[4], draws=40).table
    ours, theirs = (
        np.array([[of[s][t] for t in TOPICS] for s in SYSTEMS])
        for of in map(scores_of, *zip((PEOPLE, "AP"), (LENIENT, "AP"), strict=True))
    )
    place = np.random.default_rng(0).permuted(np.tile(np.arange(9), (40, 1)), axis=1)
    errors, taus, inside = [], [], []
    for row in place:
        at = np.flatnonzero(row < 4)
        slope = slope_of(ours[:, at], theirs[:, at])
        value = ours[:, at].mean(axis=1) + slope * (theirs.mean(axis=1) - theirs[:, at].mean(axis=1))
        error = value - ours.mean(axis=1)
        left = (ours - slope * theirs)[:, at].var(axis=1) * 4 / 2 * (1 / 4 - 1 / 9)
        left += jackknife(ours[:, at], theirs[:, at]) * (theirs.mean(axis=1) - theirs[:, at].mean(axis=1)) ** 2
        half = scipy.stats.t.ppf(0.975, 2) * np.sqrt(left)
        errors.append(math.sqrt((error**2).mean()))
        taus.append(scipy.stats.kendalltau(ours.mean(axis=1), value).statistic)
        inside += list(np.abs(error) <= half)
    both = table[table["method"] == "both"].iloc[0]
    same(both["rmse"], np.mean(errors))
    assert both["tau"] == pytest.approx(np.mean(taus), abs=1e-6)
    same(both["coverage"], np.mean(inside))
    same(table["coverage"].iloc[2], math.nan)
    alone = table["rmse"].iloc[0]
    same(both["topics_worth"], 1 / (1 / 9 + (both["rmse"] / alone) ** 2 * (1 / 4 - 1 / 9)))


def test_two_topics_are_enough_for_the_experiment():
    """Either of two topics is as far from their mean: half their difference. One alone gives no lambda or interval."""
    two = {t: PEOPLE[t] for t in TOPICS[:2]}
    study = small_study(RUNS, two, pooled="all").with_judges({"lenient": LENIENT})
    people, both, model = evalcore.ask(study, "people_and_model", metric="AP", draws=20).table.to_dict("records")
    ours, theirs = (np.array([list(of[s].values()) for s in SYSTEMS]) for of in (
        scores_of(two, "AP"), scores_of({t: LENIENT[t] for t in two}, "AP")
    ))  # fmt: skip
    assert people["topics"] == 1
    for row in (people, both):
        same(row["rmse"], math.sqrt(np.mean((ours[:, 0] - ours[:, 1]) ** 2) / 4))
        same(row["coverage"], math.nan)
    same(model["rmse"], math.sqrt(np.mean((theirs.mean(axis=1) - ours.mean(axis=1)) ** 2)))


def test_what_is_refused_says_why():
    study = opened()
    with pytest.raises(ValueError, match="there are no judges"):
        evalcore.ask(small_study(RUNS, PEOPLE), "judges")
    with pytest.raises(ValueError, match=r"no judge 'gpt'\. Known: lenient, binary, noise"):
        evalcore.ask(study, "judge_topics", judge="gpt")
    with pytest.raises(ValueError, match="from 1 to 8"):
        evalcore.ask(study, "people_and_model", topics=[9])
    elsewhere = small_study(RUNS, PEOPLE).with_judges({"far": {"t99": {"x": 1}}})
    with pytest.raises(ValueError, match="share no topic"):
        evalcore.ask(elsewhere, "judges")
    with pytest.raises(ValueError, match="by='team' is not known"):
        evalcore.ask(study, "judge_gains", by="team")


DL21 = Path(os.environ.get("POOLSCOPE_DATA", "-")) / "dl21-passage"


@pytest.fixture(scope="module")
def dl21():
    if not (DL21 / "llm-qrels").is_dir():
        pytest.skip("POOLSCOPE_DATA has no dl21-passage")
    study = evalcore.open_study(DL21 / "runs", DL21 / "qrels.txt", cache=False)
    return study.with_judges({file.stem: file for file in sorted((DL21 / "llm-qrels").iterdir())})


ERRORS = {  # a prototype's
    8: (0.066, 0.049, 0.77, 0.85), 15: (0.046, 0.033, 0.85, 0.90), 25: (0.030, 0.022, 0.90, 0.94),
}  # fmt: skip


def test_the_experiment_on_dl21_is_that_of_a_prototype(dl21):
    ask = [
        evalcore.ask(dl21, "people_and_model", judge="umbrela.gpt-4o", metric="nDCG@10", topics=[8, 15, 25], seed=seed)
        for seed in range(3)
    ]
    tables = pd.concat(answer.table for answer in ask)
    for (n, method), rows in tables.groupby(["topics", "method"]):
        if method == "model":
            assert rows["rmse"].iloc[0] == pytest.approx(0.103, abs=5e-4)
            assert rows["tau"].iloc[0] == pytest.approx(0.94, abs=5e-3)
            continue
        error, tau = (ERRORS[n][place + (method == "both")] for place in (0, 2))
        assert rows["rmse"].mean() == pytest.approx(error, abs=0.003)
        assert rows["tau"].mean() == pytest.approx(tau, abs=0.012)
        assert rows["coverage"].mean() > 0.92


def test_judges_of_dl21_agree_as_other_programs_say(dl21):
    table = evalcore.ask(dl21, "judges", metric="nDCG@10").table.set_index("judge")
    read = {file.stem: file for file in (DL21 / "llm-qrels").iterdir()} | {"reference": DL21 / "qrels.txt"}
    lines = {name: [line.split() for line in file.read_text().splitlines()] for name, file in read.items()}
    grades = {name: {(topic, d): int(grade) for topic, _, d, grade in of} for name, of in lines.items()}
    reference = grades.pop("reference")
    for name, judged in grades.items():
        keys = [key for key in reference if key in judged]
        first, second = [reference[key] for key in keys], [judged[key] for key in keys]
        if set(judged.values()) <= {0, 1}:  # relevant or not, beside more grades
            first = [int(grade > 0) for grade in first]
        assert table.loc[name, "both"] == len(keys)
        same(table.loc[name, "kappa_weighted"], kappa(first, second))
        same(table.loc[name, "alpha"], krippendorff.alpha([first, second], level_of_measurement="ordinal"))
    assert table.loc["umbrela.gpt-4o", "tau"] == pytest.approx(0.94, abs=5e-3)


def test_a_judge_that_labels_at_random_gets_no_better_with_more_topics():
    table = pd.DataFrame([{"judge": "j", "share_relevant": 0.3, "share_relevant_other": 0.32, "kappa_weighted": -0.02,
                           "tau": 0.02, "tau_by_chance": 0.1, "n": 10}])  # fmt: skip
    assert "Over more topics" not in str(finding_of(table, {"metric": "AP"}, opened({"j": PEOPLE})))


def test_a_perfect_judge_agrees_alike_everywhere_and_one_topic_has_no_test():
    study = opened({"same": PEOPLE, "one": {TOPICS[0]: NOISE[TOPICS[0]]}})
    said = evalcore.ask(study, "judge_topics", judge="same").finding.headline
    assert said == "same and people agree to the same degree on all 9 topics where grades vary (κ 1.000)."
    said = evalcore.ask(study, "judge_systems", judge="one").finding
    assert said.detail == "On one topic, no difference can be tested."


def test_no_score_lies_outside_of_the_metrics_range_or_of_its_interval():
    study = opened({"j": NOISE}).only(topics=TOPICS)
    few = {t: PEOPLE[t] for t in TOPICS[:5]}
    study = small_study(RUNS, few, groups=GROUPS, pooled="all").with_judges({"j": NOISE}, rel_levels={"j": 2})
    rows = evalcore.ask(study, "people_plus_model", metric="P@10").table
    assert rows["value"].between(0, 1).all()
    assert (rows["lower"] <= rows["value"] + 1e-12).all()
    assert (rows["value"] <= rows["upper"] + 1e-12).all()


def test_the_first_document_separates_systems_like_any_other():
    """Both systems have the same score; each document is at rank 1 of one and at rank 2 of the other."""
    runs = {"a": {"t": {"d0": 2.0, "d1": 1.0}}, "b": {"t": {"d1": 2.0, "d0": 1.0}}}
    study = small_study(runs, {"t": {"d0": 1}}, pooled="all").with_judges({"j": {"t": {"d0": 1, "d1": 1}}})
    table = evalcore.ask(study, "judge_checks_curve", metric="RBP(p=0.5)").table
    assert len(table)
    items = study.judges["j"].pooled_items
    weights = metric_named("RBP(p=0.5)").weights(2)
    found = separation(study.track, weights, np.ones((2, 1)), np.array([0.75, 0.75]), items)
    assert found == pytest.approx([(0.5 - 0.25) ** 2] * 2)


def test_documents_are_grouped_by_how_many_systems_have_them():
    """1, 2, 3 to 4, 5 to 8, 9 to 16 systems."""
    counts = (1, 2, 3, 4, 5, 8, 9)
    runs = {f"s{n}": {"t": {f"in{count}": 9.0 - at for at, count in enumerate(counts) if n < count}} for n in range(9)}
    qrels = {"t": {f"in{count}": count % 2 for count in counts}}
    study = small_study(runs, qrels, pooled="all").with_judges({"j": qrels})
    rows = evalcore.ask(study, "judge_agreement_by_rank").table
    rows = rows[rows["by"] == "systems"]
    assert rows[["first", "last", "both"]].values.tolist() == [[1, 1, 1], [2, 2, 1], [3, 4, 2], [5, 8, 2], [9, 16, 1]]
