"""New systems: is a system that did not contribute to the pool treated fairly? [WP09]."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.metrics.metrics import metric as metric_named
from evalcore.pooling import pool_bias
from evalcore.questions.corrections import WEBBER_PARK, adjust_from_systems, adjust_from_topics
from evalcore.questions.question import SMALL, Across, Question
from evalcore.questions.requirements import pool_known
from evalcore.questions.table_helpers import by_rank
from evalcore.questions.table_notes import gaps, untouched_topics
from evalcore.statistics import orderings
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name, indices_of
from evalcore.vocabulary.sentences import digits

READINGS = {
    "unadjusted": "uncorrected",
    "condensed": "unjudged documents removed",
    "from systems": "corrected from other systems",
    "from topics": "corrected from fully judged topics",
    "true": "as part of the pool",
}
COLUMNS = ["reading", "value", "lower", "upper", "kind"]
TREATMENTS = ["irrelevant", "condensed"]  # of unjudged documents
LOSES = "systems outside the pool lose {} on average than neighbours usually differ"
NONE_TO_LEAVE_OUT = "none of the selected systems contributed to the pool, so none can be left out of it."


def leave_out(
    study: Study, *, metric: str = WEBBER_PARK, depth: int | None = None, by: str = "run", unjudged: str = "irrelevant"
) -> tuple[pd.DataFrame, list[str]]:
    """Each contributing system's score and rank with and without the judgments that only it (or its group) contributed.

    Without them, all systems are scored again
    retrieved_alone : at any rank, among all systems of the track
    """
    pool_known(study, depth)
    left_out, owner, owned, whole, without = _without_each(study, metric, depth, by, unjudged)
    in_force = study.at(depth=depth).judgments
    items, retrieved = in_force.pooled_items, pool_bias.retrieved_by_one(study, by)
    level = in_force.level[items]
    judged, relevant, retrieved_alone = (
        np.bincount(of_item[(of_item >= 0) & counts[level]], minlength=len(left_out))
        for of_item, counts in (
            (owned[items], in_force.scale.judged),
            (owned[items], in_force.scale.relevant),
            (retrieved[items], in_force.scale.relevant),
        )
    )
    ranks_without = np.stack([orderings.ranks(scores) for scores in without.T], axis=1)
    pooled = np.flatnonzero(study.track.pooled)
    table = pd.DataFrame(
        {
            "left_out": [left_out[unit][1] for unit in owner],
            "system": [study.systems[s] for s in pooled],
            "rank": orderings.ranks(whole)[pooled],
            "rank_without": ranks_without[pooled, owner],
            "value": whole[pooled],
            "value_without": without[pooled, owner],
            "unique_relevant": relevant[owner],
            "unique_judged": judged[owner],
            "retrieved_alone": retrieved_alone[owner],
            "n": study.counted[pooled].sum(axis=1),
        }
    )
    table = by_rank(table)
    return table, [*untouched_topics(study, depth), *gaps(table, value="for systems without a topic that counts")]


def own_losses(
    study: Study, *, metric: str = WEBBER_PARK, depth: int | None = None, by: str = "run", unjudged: str = "irrelevant"
) -> pd.DataFrame:
    """value and value_without of `leave_out`: only the systems that are left out are scored again."""
    pool_known(study, depth)
    _, owner, _, whole, without = _without_each(study, metric, depth, by, unjudged, own=True)
    pooled = study.track.pooled
    return pd.DataFrame({"value": whole[pooled], "value_without": without[pooled, owner]})


def _without_each(study, metric, depth, by, unjudged, *, own=False):
    """The units of `pool_bias.units`, the unit of each contributing system looked at, int (n,), the unit that alone
    contributed each item, int (N,), and the scores with all judgments and without those of each unit: float (S,) and
    (S, units).

    own : whether only the scores of its own systems are wanted without a unit
    """
    left_out, owners = pool_bias.units(study, by)
    if not study.track.pooled.any():
        raise ValueError(NONE_TO_LEAVE_OUT)
    in_force = study.at(depth=depth).judgments
    sole = pool_bias.brought_by_one(study, depth, owners[study.whole.pooled])
    owned = np.full(len(sole), pool_bias.NOBODY, sole.dtype)
    owned[in_force.pooled_items] = sole[in_force.pooled_items]
    pooled = np.flatnonzero(study.track.pooled)
    owner = owners[indices_of([study.systems[s] for s in pooled], study.whole.systems, "system")]
    whose = None
    if own:
        whose = np.zeros((len(study.systems), len(left_out)), bool)
        whose[pooled, owner] = True
    whole, without = pool_bias.without_each(
        study, in_force, metric_named(metric), owned, len(left_out), unjudged=unjudged, whose=whose
    )
    return left_out, owner, owned, whole, without


def bias_by_width(
    study: Study, *, metric: str = WEBBER_PARK, depth: int | None = None, widths: Sequence[int] = (2, 4, 10, 20, 40),
    repeats: int = 100, seed: int = 0, unjudged: str = "irrelevant",
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The bias of a pool against a new system, by number of contributing systems: mean and quartiles.

    Over random choices [WP09, fig. 1]. The bias is the system's score if it contributes minus that if it does not.
    With both treatments of unjudged documents, each is measured on the same choices.
    """
    pool_known(study, depth)
    if not len(pool_bias.with_a_score(study)):
        raise ValueError(NONE_TO_LEAVE_OUT)
    n = int(study.whole.pooled.sum())
    metric, rng = metric_named(metric), np.random.default_rng(seed)
    in_force, items = study.at(depth=depth).judgments, pool_bias.tops(study, depth)
    names = np.array(study.whole.systems, object)[study.whole.pooled]
    may_be_new = np.flatnonzero(np.isin(names, pool_bias.with_a_score(study)))
    study.find_places()
    treatments, rows = TREATMENTS if unjudged == "both" else [unjudged], []
    for width in [width for width in widths if width < n]:
        measured = np.array([
            pool_bias.against_one_more(
                study, in_force, metric, width, rng, items=items, names=names, may_be_new=may_be_new,
                treatments=treatments,
            )
            for _ in range(repeats)
        ])  # fmt: skip
        rows += [
            (width, repeats, np.mean(biases), *np.quantile(biases, [0.25, 0.5, 0.75]), treatment)
            for treatment, biases in zip(treatments, measured.T, strict=True)
        ]
    if not rows:
        raise ValueError(
            f"widths={list(widths)!r}: all need more than the {digits(n, 'contributing system')}. Choose "
            "smaller widths."
        )
    table = QUESTIONS["bias_by_width"].table(rows)
    too_wide = [width for width in widths if width >= n]
    wider = f"A width of {' or '.join(map(str, too_wide))} needs more than the {digits(n, 'contributing system')}."
    return table, [wider] if too_wide else []


def newcomer(
    study: Study, *, system: str, common: int = 10, metric: str = WEBBER_PARK, depth: int | None = None,
    by: str = "run", seed: int = 0, level: float = 0.05,
) -> tuple[pd.DataFrame, list[str]]:  # fmt: skip
    """The score of a system as if it had not contributed to the pool: uncorrected, and corrected in three ways.

    With unjudged documents removed, and corrected from systems and from topics; with its actual score if it did
    contribute. Judgments that only the system (or its group) contributed are removed first. See `adjust_from_systems`,
    `adjust_from_topics`.
    """
    pool_known(study, depth)
    key: dict[str, Any] = {"system": system, "metric": metric, "depth": depth, "by": by}
    r = int(indices_of([system], study.systems, "system")[0])
    corrections, notes = {"from systems": (adjust_from_systems, {})}, untouched_topics(study, depth)
    if study.track.pooled[r]:
        corrections["from topics"] = adjust_from_topics, {"common": common, "seed": seed}
    else:
        notes.append(
            f"{system} did not contribute to the pool: what it would score as part of it is not known, and nothing is "
            "learnt from topics on which it was pooled."
        )
    tables = [uncorrected(study, **key)]
    for reading, (correct, more) in corrections.items():
        try:
            corrected = correct(study, **key, level=level, **more).rename(columns={"adjusted": "value"})
            tables.append(corrected.assign(reading=reading, kind="t")[COLUMNS])
        except ValueError as refused:
            notes.append(f"{reading}: {refused}")
    table = pd.concat(tables).sort_values("reading", key=lambda names: names.map([*READINGS].index), ignore_index=True)
    without = "if unjudged documents are removed, and for metrics without bounds"
    return table.assign(n=study.counted[r].sum()), [*notes, *gaps(table, lower=without)]


def uncorrected(study: Study, *, system: str, metric: str, depth: int | None, by: str, **_: Any) -> pd.DataFrame:
    """Rows on a new system: its score uncorrected, without unjudged documents, and, if it contributed, as it is."""
    in_force, alone = study.at(depth=depth).judgments, study.only(systems=[system])
    left = pool_bias.without_its_own(study, in_force, system, depth, by)
    readings = {"unadjusted": (left, "irrelevant"), "condensed": (left, "condensed")}
    if alone.track.pooled[0]:
        readings["true"] = in_force, "irrelevant"
    rows = []
    for reading, (judgments, unjudged) in readings.items():
        means = alone.means(alone.at(judgments=judgments, unjudged=unjudged).estimate(metric))
        rows.append((reading, means.value[0], means.lower[0], means.upper[0], means.kind))
    return pd.DataFrame(rows, columns=COLUMNS)


def _in_gaps(rows):
    """The loss of every system, by the median difference of systems at neighbouring ranks; NaN where that is 0."""
    scored = rows.dropna(subset=["value"])
    gap = np.median(np.diff(np.sort(scored["value"]))) if len(scored) > 1 else 0
    return (scored["value"] - scored["value_without"]) / (gap or np.nan)


QUESTIONS = by_name(
    Question(
        "leave_out", leave_out, section="9.1", of_pool=True,
        figure=lambda table: (table["value"] - table["value_without"]).mean(), figured=own_losses,
        figure_range="the mean loss of score is {loss_from:score} to {loss_to:score}.",
        columns="left_out system rank rank_without value value_without unique_relevant unique_judged retrieved_alone "
        "n",
        across=Across(
            "Loss outside the pool, in gaps between neighbours", lambda rows: _in_gaps(rows).mean(),
            (LOSES.format("more"), LOSES.format("less")), 1,
            interval=lambda rows: tuple(_in_gaps(rows).quantile([0.25, 0.75])),
            interval_is="the middle half of its systems", written="short",
        ),
    ),
    Question(
        "bias_by_width", bias_by_width, section="9.2", long_from=SMALL, of_pool=True,
        columns="width repeats mean q1 median q3 unjudged",
    ),
    Question(
        "newcomer", newcomer, section="9.6", of_pool=True,
        figure=lambda table: table.set_index("reading")["value"]["unadjusted"], figured=uncorrected,
        figure_range="the score of the system treated as new is {score_from:score} to {score_to:score}.",
        columns="reading value lower upper kind n",
    ),
)  # fmt: skip
