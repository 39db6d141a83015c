"""Models fitted to shallow judgments: constants, curves of gain by rank, coverage, and samples of a deeper pool."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from evalcore.estimating import sampling
from evalcore.estimating.estimators import (
    canonical,
    errors,
    estimator_named,
    is_model,
    linear_in_constants,
    rmse,
    rmse_by_topic,
    rmse_of_constants,
)
from evalcore.estimating.gamma import lets_guess
from evalcore.estimating.rank_models import RANK_MODELS
from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.estimates import (
    by_topic,
    depths_below,
    other_depths,
    reference_interval,
    some_depths,
)
from evalcore.questions.judgment_cuts import ascending_counts, ascending_depths, thresholds
from evalcore.questions.pairs import tested
from evalcore.questions.question import LARGE, SMALL, Question
from evalcore.questions.requirements import contributed
from evalcore.questions.table_helpers import mean_of_known, names_of, share_of
from evalcore.questions.table_notes import ALL_JUDGMENTS, gaps
from evalcore.statistics import orderings
from evalcore.study.evaluation import relevant_retrieved
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name, write


def constants(
    study: Study, *, metric: str = "P@10", estimator: str = "interpolated", depths: Sequence[int] | None = None,
    judgments: int | None = None, systems: str | Sequence[str] = "all",
) -> pd.DataFrame:  # fmt: skip
    """The error of an estimator for every C from 0 to 1 and every E from 0 to the largest gain.

    In 100 steps each, over several sizes of the pool together, against the scores with all judgments [RM10, figs 2 and
    3]. By default 1/64 to 1/2 of the judgments. The estimates are linear in C and E, so the error is a quadratic form.
    """
    name = estimator_named(estimator)[0].name
    if name not in ("interpolated", "smoothed"):
        raise ValueError(
            f"constants fits C and E, which {name} does not have. Choose the estimator interpolated or smoothed."
        )
    if depths is not None and judgments is not None:
        raise ValueError("depths and judgments cannot both be given. Choose pool depths or numbers of judgments.")
    cuts = _sizes(study, depths, judgments)
    if not cuts:
        raise ValueError("there are too few judgments to draw samples from. Load more judgments.")
    by, cuts = ("judgments", cuts) if depths is None else ("depth", thresholds(cuts))
    swept = study.at().sweep(metric, cuts, by=by)
    if swept.kind == "point":
        raise ValueError(f"{metric} has no interval, so there is nothing to estimate. Choose another metric.")
    highest, chosen = metric_named(metric).highest(study.judgments.scale), study.chosen(systems)
    if not study.counted[chosen].any():
        raise ValueError(
            "none of the systems has a topic that counts, so there is no error to minimise. Choose other systems."
        )
    B, D = swept.value, (swept.upper - swept.value) / highest
    plain, by_C, by_E = linear_in_constants(name, B, D)
    off = plain - study.at().estimate(metric).value[:, :, None]
    off, by_C, by_E = (study.by_topic(part)[chosen][study.counted[chosen]] for part in (off, by_C, by_E))
    steps = np.linspace(0, 1, 101).round(2)
    C, E = np.repeat(steps, len(steps)), np.tile(steps * highest, len(steps))
    error = rmse_of_constants(off, by_C, by_E, C, E)
    return pd.DataFrame({"C": C, "E": E, "rmse_plain": error, "best": np.arange(len(C)) == np.argmin(error)})


def _sizes(study, depths, judgments):
    """Ascending pool depths, None for all judgments, or counts of judgments."""
    if depths is not None:
        return ascending_depths(study, depths)
    return ascending_counts(study, judgments)[: -1 if judgments is None else None]


def rank_models(study: Study, *, topic: str | None = None, depth: int | None = None) -> tuple[pd.DataFrame, list[str]]:
    """The mean gain of contributing runs at each judged rank of a topic, and the curves fitted to it.

    By default the first judged topic."""
    judged = study.judged_topic_names
    if not judged:
        raise ValueError("no topic is judged, so no curve can be fitted. Load judgments.")
    topic = judged[0] if topic is None else topic
    if topic not in judged:
        raise ValueError(f"no judged topic {topic!r}. Known: {', '.join(judged[:5])}, ...")
    evidence = study.only(topics=[topic]).at(depth=depth).evidence()[0][1]
    K = evidence.pooled.shape[1]
    observed = pd.Series(evidence.observed).reindex(range(K))
    curves = {model: evidence.curve(model) for model in RANK_MODELS}
    table = pd.DataFrame({"rank": np.arange(1, K + 1), "observed": observed, **curves})
    return table, gaps(table, observed="below the judged depth")


def coverage(
    study: Study, *, depths: Sequence[int] | None = None, theta: float = 0.0
) -> tuple[pd.DataFrame, list[str]]:
    """How often the top ranks of contributing runs contain each topic's relevant documents, with gamma and estimates.

    That is, whether a model would adjust the topic, and how many relevant documents there may be.

    relevant = R, occurrences = C, once = f_1; chao_lee is the estimate of [CL92], as in [LMC17, eq. 10].
    """
    depths = some_depths(study, study.depth + 1) if depths is None else ascending_depths(study, depths)
    rows, undefined = [], []
    for depth in depths:
        statistics = (column.tolist() for column in relevant_retrieved(study.at(depth=depth), theta))
        of_topics = zip(study.judged_topic_names, *statistics, strict=True)
        for topic, *counts, expected, gamma, adjusted, defined, _ in of_topics:
            rows.append((depth, topic, *counts, gamma, adjusted, expected))
            if not defined:
                undefined.append(f"{topic} (depth {'all' if depth is None else depth})")
    table = QUESTIONS["coverage"].table(rows)
    where = ", ".join(dict.fromkeys(undefined))
    notes = [f"gamma is 0 by definition where no relevant document occurs twice: {where}."] if undefined else []
    missing = gaps(table, chao_lee="if no relevant document occurs twice in the top ranks", depth=ALL_JUDGMENTS)
    return table, [*notes, *missing]


def error_by_theta(
    study: Study, *, metric: str = "RBP(p=0.95)", estimator: str = "two-stage-b", reference_depth: int | None = None,
    depths: Sequence[int] | None = None, thetas: Sequence[float] | None = None,
    systems: str | Sequence[str] = "pooled",
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The error of a model with each threshold of the gamma test, by depth [LMC17, fig. 3].

    A topic whose gamma is not above theta keeps its lower bound. By default theta goes in round steps from 0 to the
    highest gamma. topics = how many the model adjusts; n = how many count. rmse as in `estimator_error`.
    """
    metric = metric_named(metric)
    if not is_model(estimator):
        raise ValueError(f"{estimator} has no threshold theta. Choose a model, such as two-stage-b.")
    if not metric.weighted or metric.kind != "bounds":
        raise ValueError(f"{metric.name} has no weight for every rank. Choose a metric that has, such as RBP(p=0.95).")
    depths = depths_below(study, reference_depth, depths)
    row, values = estimator_named(estimator)
    always = canonical(write(row.name, values | {"theta": 0.0}))
    chosen = study.only(systems=list(names_of(study, systems)))
    reference = by_topic(chosen, reference_interval(chosen, metric, reference_depth))
    gammas = {depth: relevant_retrieved(chosen.at(depth=depth), 0, metric).gamma for depth in depths}
    thetas = _round_steps(max(of.max(initial=0) for of in gammas.values())) if thetas is None else sorted(set(thetas))
    rows = []
    for depth in depths:
        lower, modelled = (
            rmse_by_topic(errors(by_topic(chosen, estimate).value, reference.lower, reference.upper))
            for estimate in (chosen.at(depth=depth).estimate(metric, estimator=name) for name in ("lower", always))
        )
        known = ~np.isnan(lower)
        for theta in thetas:
            adjusted = np.array([lets_guess(gamma, theta) for gamma in gammas[depth].tolist()], bool)
            error = np.where(adjusted, modelled, lower)[known]
            rows.append((depth, theta, error.mean() if len(error) else np.nan, int(adjusted[known].sum()), len(error)))
    table = QUESTIONS["error_by_theta"].table(rows)
    return table, [*other_depths(study, depths), *gaps(table, rmse="if none of the systems has a topic that counts")]


STEPS = 40  # at most, from 0 to the highest gamma


def _round_steps(highest):
    """Thresholds from 0 to the first one above every gamma, in steps of 1, 2 or 5 times a power of ten."""
    sizes = (digit * 10.0**power for power in range(-4, 3) for digit in (1, 2, 5))
    step = next(size for size in sizes if highest <= size * STEPS)
    return [float(f"{step * place:.6g}") for place in range(int(highest / step) + 2)]


def gamma_by_depth(
    study: Study, *, depths: Sequence[int] | None = None, theta: float = 0.018
) -> tuple[pd.DataFrame, list[str]]:
    """The mean of gamma over topics at each pool depth, and how many topics pass the gamma test [LMC17, fig. 3].

    gamma is 0 in a topic where no relevant document occurs twice. topics = how many a model adjusts with theta.
    """
    contributed(study)
    depths = some_depths(study, study.depth + 1) if depths is None else ascending_depths(study, depths)
    rows = []
    for depth in depths:
        retrieved = relevant_retrieved(study.at(depth=depth), theta)
        gamma, adjusted = retrieved.gamma, retrieved.adjusted
        ends = (gamma.mean(), gamma.min(), gamma.max()) if len(gamma) else (np.nan,) * 3
        rows.append((depth, *ends, int(adjusted.sum()), len(gamma)))
    table = QUESTIONS["gamma_by_depth"].table(rows)
    return table, gaps(table, gamma="if no topic is judged", depth=ALL_JUDGMENTS)


def two_strata(
    study: Study, *, metric: str = "RBP(p=0.95)", depth: int | None = None, rate: float = 0.1, seed: int = 0,
    repeats: int = 10, systems: str | Sequence[str] = "pooled", progress: Callable[[int, int], None] | None = None,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """How well a shallow pool and a sample of a deeper one reproduce the ordering with all judgments.

    A share `rate` of each topic's pool between `depth` (by default a tenth of the study's) and the topic's depth is
    drawn `repeats` times. pool = the shallow pool alone; InfRBP and infAP infer from both strata, the two-stage
    estimates learn from both. infAP is compared with AP. rmse as in `estimator_error`.
    """
    metric = metric_named(metric)
    if not metric.weighted:
        raise ValueError(
            f"{metric.name} has no weight for every rank, by which a sample is scaled up. Choose P, RBP or SDCG, such "
            "as RBP(p=0.95)."
        )
    contributed(study)
    depth = shallow_depth(study, depth)
    if depth >= study.depth:
        pool = f"the study's pool depth is {study.depth}"
        raise ValueError(f"depth={depth} leaves nothing to sample: {pool}. Choose a smaller depth.")
    chosen = study.only(systems=list(names_of(study, systems)))
    if len(chosen.systems) < 2 or len(chosen.judged_topics) < 2:
        raise ValueError("comparing orderings needs at least two systems and two judged topics. Add runs or judgments.")
    reference, deepest = by_topic(chosen, reference_interval(chosen, metric, None)), study.pooling.depth_of_topic
    deepest = np.where(deepest > 0, deepest, study.depth)  # where none is known, as most topics have it
    whole = by_topic(chosen, chosen.at().estimate("AP"))
    exact = replace(whole, lower=whole.value, upper=whole.value)
    job = "two_strata", metric.name, depth, rate, seed, tuple(chosen.systems)
    finished = study.memo.jobs.get(job, dict)
    for repeat in [number for number in range(1, repeats + 1) if number not in finished]:
        if progress:
            progress(repeat - 1, repeats)
        rng = np.random.default_rng([seed, repeat])
        strata: dict[str, Any] = {"depth": depth, "deepest": deepest, "rate": rate, "rng": rng}
        sample = sampling.two_strata(study.judgments, study.pool_rank, **strata)
        spent = {"pool": _spent(study, sample.shallow)}
        strata_spent = _spent(study, sample.judgments)
        finished[repeat] = [
            (repeat, name, *spent.get(name, strata_spent),
             *_against(by_topic(chosen, estimate).value, exact if name == "infAP" else reference))
            for name, estimate in _from_sample(chosen, sample, metric, depth)
        ]  # fmt: skip
    rows = [row for repeat in range(1, repeats + 1) for row in finished[repeat]]
    columns = ["repeat", "estimator", "judgments", "per_topic", "share_relevant", "tau_distance", "distance", "rmse"]
    table = pd.DataFrame(rows, columns=columns)
    width = np.nanmean(reference.upper - reference.lower) if study.counted.any() else np.nan
    table["reference_width"] = np.where(table["estimator"] == "infAP", 0.0, width)
    return table, ["infAP is compared with AP on all judgments, the other estimators with the reference interval."]


def _spent(study, judgments):
    """(judgments, judgments per topic, share of relevant documents as the mean over topics) of a sample."""
    judged, relevant = (judgments.count(counted)[study.judged_topics] for counted in
                        (judgments.scale.judged, judgments.scale.relevant))  # fmt: skip
    return int(judged.sum()), judged.mean(), float(mean_of_known(share_of(relevant, judged)))


def shallow_depth(study: Study, depth: int | None) -> int:
    """The depth of the shallow pool."""
    return max(1, study.depth // 10) if depth is None else depth


def _from_sample(study, sample, metric, depth):
    """(name, estimate) of every way to use a sample of two strata."""
    yield "pool", study.at(judgments=sample.shallow).estimate(metric)
    places = study.at(judgments=sample.judgments).places
    inferred = sampling.inferred(metric, places, sample.judgments).reshape(study.track.shape[:2])
    plain = study.at(judgments=sample.judgments).estimate(metric)
    yield "InfRBP", plain.raised(inferred - plain.lower)
    yield "infAP", study.at(judgments=sample.pooled).estimate("infAP")
    for name in ("two-stage-a", "two-stage-b"):
        yield name, study.at(judgments=sample.judgments, judged_depth=depth).estimate(metric, estimator=name)


def _against(value, truth):
    """(Kendall's distance, weighted distance, rmse) of values (S, T') from the reference."""
    score_sets = truth.lower, value
    certain = [orderings.certainties(*tested(scores)) for scores in score_sets]
    return (
        orderings.kendall_distance(*(np.nanmean(scores, axis=1) for scores in score_sets)),
        orderings.weighted_distance(*certain),
        rmse(errors(value, truth.lower, truth.upper)),
    )


def published(estimator: str) -> tuple[float, float]:
    """The C and the E that its authors found."""
    row, _ = estimator_named(estimator)
    return row.parameters["C"], row.parameters["E"]


def at_first_depth(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the first depth."""
    return table[table["depth"].isin(table["depth"][:1])]


QUESTIONS = by_name(
    Question("constants", constants, section="5.1", long_from=LARGE, of_pool=True, columns="C E rmse_plain best"),
    Question("rank_models", rank_models, section="6.3", of_pool=True, columns="rank observed linear zipf weibull"),
    Question(
        "coverage", coverage, section="6.5", of_pool=True,
        columns="depth topic relevant occurrences once gamma adjusted chao_lee",
    ),
    Question(
        "error_by_theta", error_by_theta, section="6.5", long_from=SMALL, of_pool=True,
        columns="depth theta rmse topics n",
    ),
    Question(
        "gamma_by_depth", gamma_by_depth, section="6.5", long_from=LARGE, of_pool=True,
        columns="depth gamma lowest highest topics n",
    ),
    Question(
        "two_strata", two_strata, section="6.6", long_from=SMALL, of_pool=True,
        columns="repeat estimator judgments per_topic share_relevant tau_distance distance rmse reference_width",
    ),
)  # fmt: skip
