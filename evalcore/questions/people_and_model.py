"""People on some topics, a model on all: what people's judgments of a few topics are worth with a judge's of all."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.metrics.metrics import metric as metric_named
from evalcore.questions.judges import NO_TOPIC, judge_named
from evalcore.questions.question import Question
from evalcore.questions.table_helpers import of_systems
from evalcore.statistics import control_variate, orderings
from evalcore.statistics.panel import panel
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name
from evalcore.vocabulary.sentences import digits
from evalcore.vocabulary.validation import EQUAL, NotKnown

FEWEST = 5  # topics by people for an interval
SIZES = (3, 5, 8, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200)  # topics that people judge


def _both(study, judge, metric):
    """Scores by people and by the judge, on the judge's topics; those of people NaN elsewhere. Two float (S, N), notes.

    Topics that do not count for every system are left out.
    """
    of = panel(study, metric, [judge])
    people, model = of.scores
    judged = ~np.isnan(model).all(axis=0)
    complete = judged & ~np.isnan(model).any(axis=0)
    partly = np.isnan(people).any(axis=0) & ~np.isnan(people).all(axis=0)
    kept = complete & ~partly
    if not (kept & ~np.isnan(people[0])).any():
        raise ValueError(NO_TOPIC.format(judge))
    lost = int(np.count_nonzero((judged | ~np.isnan(people).all(axis=0)) & ~kept))
    notes = [f"{digits(lost, 'topic is', 'topics are')} left out, which the judge lacks or a system does not answer."]
    return people[:, kept], model[:, kept], notes if lost else []


def people_and_model(
    study: Study,
    *,
    judge: str | None = None,
    metric: str = "RBP(p=0.8)",
    topics: Sequence[int] | None = None,
    draws: int = 300,
    level: float = 0.05,
    seed: int = 0,
) -> tuple[pd.DataFrame, list[str]]:
    """How close people come to all of their judgments if they judge only some topics, with and without a judge's help.

    An experiment on topics that people judged: in each draw they judge only as many, at random. Systems that rank
    nothing for any judged topic are left out.
    rmse : over systems, as a mean over draws; tau : with all of people's judgments; coverage : of intervals at `level`
    topics_worth : how many topics people alone would need for this error
    """
    name = judge_named(study, judge)
    people, model, notes = _both(study, name, metric)
    known = ~np.isnan(people[0])
    people, model = (scores[study.answers][:, known] for scores in (people, model))
    N = people.shape[1]
    if N < 2:
        raise NotKnown("People judged only one topic of the judge; the experiment needs at least two.")
    sizes = sorted(set(topics)) if topics is not None else [n for n in SIZES if n < N] or [N - 1]
    if sizes[-1] >= N:
        raise ValueError(f"topics={sizes[-1]} is not valid: people judged {N}, so choose from 1 to {N - 1}.")
    truth = people.mean(axis=1)
    place = np.random.default_rng(seed).permuted(np.tile(np.arange(N), (draws, 1)), axis=1)
    rows = []
    for n in sizes:
        drawn = control_variate.drawn(people, model, place < n)
        ours = _row("people", truth, drawn.people, drawn.half_of_people(level))
        combined = _row("both", truth, drawn.both, drawn.half_of_both(level))
        for row in (ours, combined):
            ratio = row["rmse"] / ours["rmse"] if ours["rmse"] > 0 else 1.0
            rows.append({"topics": n, **row, "topics_worth": drawn.topics_worth(ratio)})
        rows.append({"topics": n, **_row("model", truth, drawn.everywhere, None), "topics_worth": np.nan})
    return pd.DataFrame(rows).assign(n=N), [*notes, "The model alone has no interval: column coverage is empty."]


def _row(method, truth, value, half):
    """A row of the experiment. value : float (S, draws); half : half of each interval, or None"""
    error = np.abs(value - truth[:, None])
    coverage = np.nan if half is None else float(np.mean(np.where(half >= 0, error <= half + EQUAL, np.nan)))
    return {
        "method": method,
        "rmse": float(np.sqrt((error**2).mean(axis=0)).mean()),
        "tau": float(np.mean(orderings.kendall_taus(truth, value.T))),
        "coverage": coverage,
    }


def people_plus_model(
    study: Study, *, judge: str | None = None, metric: str = "RBP(p=0.8)", level: float = 0.05
) -> tuple[pd.DataFrame, list[str]]:
    """Each system's score over all topics of a judge, of which people judged some, with an interval from five on.

    value : people's mean, moved by what the judge says of the other topics; value_people, value_model : by one alone
    lower, upper : for these topics; lower_other_topics, upper_other_topics : for other topics as well
    """
    name = judge_named(study, judge)
    people, model, notes = _both(study, name, metric)
    drawn = control_variate.drawn(people, model, ~np.isnan(people[:1]))
    half, beyond = (drawn.half_of_both(level, other_topics=other_topics) for other_topics in (False, True))
    alone = drawn.half_of_people(level)
    if drawn.n < FEWEST:
        half = beyond = alone = np.full_like(half, np.nan)
    columns = {
        "value": drawn.both, "lower": drawn.both - half, "upper": drawn.both + half,
        "lower_other_topics": drawn.both - beyond, "upper_other_topics": drawn.both + beyond,
        "value_people": drawn.people, "lower_people": drawn.people - alone, "upper_people": drawn.people + alone,
        "value_model": drawn.everywhere,
    }  # fmt: skip
    highest = metric_named(metric).highest(study.judgments.scale)
    columns = {name: np.clip(values[:, 0], 0, highest) for name, values in columns.items()}
    table = of_systems(study).assign(**columns, weight=drawn.slope[0], topics=drawn.n, n=drawn.topics)
    if drawn.n < FEWEST:
        judged = digits(drawn.n, "topic")
        notes.append(f"People judged {judged}: too few for an interval, which would hold the mean too rarely.")
    return table.sort_values("value", ascending=False, kind="stable", ignore_index=True), notes


QUESTIONS = by_name(
    Question(
        "people_and_model", people_and_model, section="13.7", files=("other",),
        columns="topics method rmse tau coverage topics_worth n",
    ),
    Question(
        "people_plus_model", people_plus_model, section="13.7", files=("other",),
        columns="system group pooled value lower upper lower_other_topics upper_other_topics value_people lower_people "
        "upper_people value_model weight topics n",
    ),
)  # fmt: skip
