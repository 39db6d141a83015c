"""What judging deeper tells: scores and their intervals by how much was judged."""

from itertools import product

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.clauses import first_place, stage
from evalcore.questions.cuts import ascending_counts, ascending_depths, thresholds
from evalcore.questions.notes import ALL_JUDGMENTS, gaps, notes_on
from evalcore.questions.question import Question
from evalcore.questions.tables import ends_of, mean_of_known, share_of
from evalcore.sentences import Sentence, joined, known


def depth_sweep(study, *, metric="RBP(p=0.8)", estimator="lower", unjudged="irrelevant", depths=None, systems="all"):
    """The mean score and interval of every system at each pool depth. A missing depth: all judgments."""
    depths = ascending_depths(study, depths)
    means = study.means(study.at(unjudged=unjudged).sweep(metric, thresholds(depths), estimator=estimator))
    chosen = np.flatnonzero(study.chosen(systems))
    table = pd.DataFrame(
        {
            "system": np.repeat(np.array(study.systems, object)[chosen], len(depths)),
            "depth": np.tile(np.array(depths, float), len(chosen)),
            **ends_of(means, chosen),
            "kind": means.kind,
        }
    )
    return table, [*notes_on(study, metric, estimator, unjudged), *gaps(table, depth=ALL_JUDGMENTS)]


def trend(study, *, metrics=("RBP(p=0.8)", "P@10"), estimators=("lower",), judgments=None, systems="all"):
    """The mean score and interval width as judgments grow, over the systems that contributed to the pool and over the
    others [RM10, table 1]. By default 1/64, 1/32, ... of all judgments, then all."""
    counts = ascending_counts(study, judgments)
    chosen = study.chosen(systems)
    rows = []
    for metric, estimator in product(metrics, estimators):
        means = study.means(study.at().sweep(metric, counts, by="judgments", estimator=estimator))
        for pooled in (True, False):
            of, like = chosen & (study.track.pooled == pooled), (metric_named(metric).name, estimator, pooled)
            if of.any():
                value, width = (mean_of_known(some[of]) for some in (means.value, means.upper - means.lower))
                rows += [(count, *like, *both) for count, *both in zip(counts, value, width, strict=True)]
    table = pd.DataFrame(rows, columns=["judgments", "metric", "estimator", "pooled", "value", "width"])
    notes = [note for metric in metrics for note in notes_on(study, metric, estimators[0], "irrelevant")]
    return table, list(dict.fromkeys(notes))


def pool_depths(study, *, metric="RBP(p=0.8)", depths=None):
    """What pooling to each depth costs and what it settles: judgments, relevant documents found, interval widths, pairs
    of systems decided, and Kendall's tau with the ordering by all judgments. A missing depth: all judgments."""
    depths = ascending_depths(study, depths)
    means = study.means(study.at().sweep(metric, thresholds(depths)))
    final = study.means(study.at().estimate(metric)).value
    scale = study.judgments.scale
    judged, relevant = (_count_by_depth(study, counted, depths) for counted in (scale.judged, scale.relevant))
    ends = zip(means.lower.T, means.upper.T, strict=True)
    table = pd.DataFrame(
        {
            "depth": np.array(depths, float),
            "judgments": judged.sum(axis=0),
            "per_topic": judged.sum(axis=0) / max(len(study.judged_topics), 1),
            "relevant": relevant.sum(axis=0),
            "share_relevant": mean_of_known(share_of(relevant, judged)[study.judged_topics]),
            "mean_width": mean_of_known(means.upper - means.lower),
            "pairs_decided": [orderings.pairs_decided(lower, upper) for lower, upper in ends],
            "tau": [orderings.kendall_tau(value, final) for value in means.value.T],
        }
    )
    missing = gaps(table, depth=ALL_JUDGMENTS, share_relevant="where no topic has a judgment")
    return table, [*notes_on(study, metric, "lower", "irrelevant"), *missing]


def _count_by_depth(study, counted, depths):
    """How many documents of each topic are of the levels counted, by pool depth. int64 (T, depths)."""
    judgments = study.judgments
    items = judgments.pooled_items[counted[judgments.level[judgments.pooled_items]]]
    step = pool.steps(judgments, study.pool_rank, thresholds(depths))[items]
    at = judgments.topic_of_item[items] * (len(depths) + 1) + step
    counts = np.bincount(at, minlength=judgments.topics * (len(depths) + 1)).reshape(-1, len(depths) + 1)
    return counts[:, :-1].cumsum(axis=1)


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def at_each_depth(sweep, judgments):
    """What each pool depth tells: a sentence for every depth of the question `depth_sweep`, in its order.

    judgments : how many judgments each depth costs, NaN where that is not known
    """
    return [_at_depth(*one, cost) for one, cost in zip(_by_depth(sweep), judgments, strict=True)]


def _by_depth(sweep):
    return sweep.groupby("depth", sort=False, dropna=False)


def _at_depth(depth, rows, judgments):
    """Who is first, how many others reach it while their intervals are not strictly apart, and which pairs are."""
    rows = rows[rows["value"].notna()]
    if not len(rows):
        return joined(stage(depth), "no system has a score.", by=", ")
    first = rows.loc[rows["value"].idxmax()]
    reach = ((rows["upper"] >= first["lower"]) & (rows["lower"] <= first["upper"])).sum() - 1
    end = "guide" if first["kind"] == "guide" else "interval"
    decided = orderings.pairs_decided(rows["lower"].to_numpy(), rows["upper"].to_numpy())
    told = joined(
        first_place(rows), f"{{reach:count other {end}}} {{reach:verb touches/touch}} that of {{leader}}, and "
        "{decided:share} of pairs are told apart", "{judgments:digits judgment}", end=".",
        leader=first["system"], reach=reach, decided=decided, judgments=judgments,
    )  # fmt: skip
    return joined(stage(depth), told, by=", ")


def _deepest(sweep, asked, study):
    """What the last of the depths tells."""
    *_, (depth, rows) = _by_depth(sweep)
    judgments = study.at(depth=int(depth) if known(depth) else None).judgments
    return _at_depth(depth, rows, judgments.count(judgments.scale.judged).sum())


def _bought(pool, asked, study):
    """What judging from the first to the last of the depths bought."""
    first, last = pool.iloc[0], pool.iloc[-1]
    finds = "{judgments:digits judgment} {judgments:verb finds/find} {relevant:digits relevant document}"
    shallow = "depth {shallow:number} finds {shallow_relevant:number} with {shallow_judgments:digits judgment}"
    facts = {"judgments": last["judgments"], "relevant": last["relevant"], "decided": last["pairs_decided"]}
    facts |= {f"shallow_{name}": first[name] for name in ("judgments", "relevant")} | {"shallow": first["depth"]}
    told = joined(
        finds, "{decided:share} of pairs of systems are decided", shallow if len(pool) > 1 else None, end=".", **facts
    )
    return joined(stage(last["depth"]), told, by=", ")


def _grown(trend, asked, study):
    """How the mean score and the mean width change as judgments grow, by the first metric and guess."""
    like = ["metric", "estimator", "pooled"]
    rows = trend[(trend[like] == trend[like].iloc[0]).all(axis=1)]
    few, full = rows.iloc[0], rows.iloc[-1]
    who = "contributed" if few["pooled"] else "did not contribute"
    text = f"With {{few:digits judgment}} the systems that {who} have a mean {{metric}} of {{few_value:score}}"
    means = Sentence(text, few=few["judgments"], few_value=few["value"], metric=few["metric"])
    widths = joined(" and intervals {few_width:score} wide on average", few_width=few["width"])
    facts = {"full": full["judgments"], "full_value": full["value"], "full_width": full["width"]}
    ends = joined("with {full:digits judgment}, {full_value:score}", " and {full_width:score}", by="", **facts)
    return joined(means + widths, ends if len(rows) > 1 else None, end=".")


QUESTIONS = by_name(
    Question("depth_sweep", depth_sweep, finding=_deepest, of_pool=True),
    Question("trend", trend, finding=_grown, of_pool=True),
    Question("pool", pool_depths, finding=_bought, of_pool=True),
)
