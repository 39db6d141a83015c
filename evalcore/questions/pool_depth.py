"""What judging deeper tells: scores and their intervals by how much was judged."""

from itertools import product

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.clauses import first_place, leading, measured, of_the_top, on_average, stage, still_to_move
from evalcore.questions.contenders import BY_JUDGING, could_lead
from evalcore.questions.cuts import ascending_counts, ascending_depths, thresholds
from evalcore.questions.notes import ALL_JUDGMENTS, gaps, notes_on
from evalcore.questions.question import Question
from evalcore.questions.tables import bounds_of, ends_of, mean_of_known, share_of
from evalcore.sentences import Sentence, joined, known


def depth_sweep(study, *, metric="RBP(p=0.8)", estimator="lower", unjudged="irrelevant", depths=None, systems="all"):
    """The mean score and interval of every system at each pool depth. A blank depth: all judgments."""
    depths = ascending_depths(study, depths)
    estimate = study.at(unjudged=unjudged).sweep(metric, thresholds(depths), estimator=estimator)
    means, chosen = study.means(estimate), np.flatnonzero(study.chosen(systems))
    lead = could_lead(study, metric, estimate, thresholds(depths), chosen=study.chosen(systems))
    table = pd.DataFrame(
        {
            "system": np.repeat(np.array(study.systems, object)[chosen], len(depths)),
            "depth": np.tile(np.array(depths, float), len(chosen)),
            **ends_of(means, chosen),
            "kind": means.kind,
            "could_lead": lead[chosen].ravel(),
        }
    )
    return table, [*notes_on(study, metric, estimator, unjudged), *gaps(table, depth=ALL_JUDGMENTS)]


def trend(study, *, metrics=("RBP(p=0.8)", "P@10"), estimators=("lower",), judgments=None, systems="all"):
    """The mean score and interval width by number of judgments, over contributing systems and over the others.

    [RM10, table 1]. By default 1/64, 1/32, ... of all judgments, then all."""
    counts = ascending_counts(study, judgments)
    chosen = study.chosen(systems)
    rows = []
    for metric, estimator in product(metrics, estimators):
        means = study.means(study.at().sweep(metric, counts, by="judgments", estimator=estimator))
        for pooled in (True, False):
            of, like = chosen & (study.track.pooled == pooled), (metric_named(metric).name, estimator, pooled)
            if of.any():
                width = np.subtract(*reversed(bounds_of(means)))
                value, width = (mean_of_known(some[of]) for some in (means.value, width))
                rows += [(count, *like, *both) for count, *both in zip(counts, value, width, strict=True)]
    table = pd.DataFrame(rows, columns=["judgments", "metric", "estimator", "pooled", "value", "width"])
    notes = [note for metric in metrics for note in notes_on(study, metric, estimators[0], "irrelevant")]
    return table, list(dict.fromkeys(notes))


def pool_depths(study, *, metric="RBP(p=0.8)", depths=None):
    """The cost and the benefit of judging to each depth: judgments, relevant documents, interval widths and more.

    Also the pairs of systems whose intervals do not touch, and how far scores and ordering are from those with all
    judgments. A blank depth: all judgments. Widths and pairs decided are blank without exact bounds."""
    depths = ascending_depths(study, depths)
    means = study.means(study.at().sweep(metric, thresholds(depths)))
    final = study.means(study.at().estimate(metric)).value
    scale = study.judgments.scale
    judged, relevant = (_count_by_depth(study, counted, depths) for counted in (scale.judged, scale.relevant))
    lower, upper = bounds_of(means)
    past_end = np.where(np.isnan(lower), np.nan, upper - means.upper_listed)
    table = pd.DataFrame(
        {
            "depth": np.array(depths, float),
            "judgments": judged.sum(axis=0),
            "per_topic": judged.sum(axis=0) / max(len(study.judged_topics), 1),
            "relevant": relevant.sum(axis=0),
            "share_relevant": mean_of_known(share_of(relevant, judged)[study.judged_topics]),
            "mean_width": mean_of_known(upper - lower),
            "pairs_decided": [orderings.pairs_decided(*ends) for ends in zip(lower.T, upper.T, strict=True)],
            "tau": [orderings.kendall_tau(value, final) for value in means.value.T],
            "change": mean_of_known(final[:, None] - means.value),
            "inversions": [orderings.inversions(value, final) for value in means.value.T],
            "inversions_of_top": [_inversions_of_top(value, final) for value in means.value.T],
            "width_past_end": mean_of_known(past_end),
        }
    )
    missing = gaps(table, depth=ALL_JUDGMENTS, share_relevant="where no topic has a judgment")
    return table, [*notes_on(study, metric, "lower", "irrelevant"), *missing]


def _inversions_of_top(values, final):
    """The number of pairs among the top 10 by these scores that all judgments swap."""
    top = of_the_top(pd.DataFrame({"value": values, "value_final": final}).dropna())
    return orderings.inversions(top["value"].to_numpy(), top["value_final"].to_numpy())


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


def at_each_depth(sweep, pool):
    """What each pool depth tells: a sentence for every depth, in their order.

    sweep, pool : answers to `depth_sweep` and `pool` at the same depths, all judgments among them
    """
    final, total = sweep.table[sweep.table["depth"].isna()], pool.table["judgments"].max()
    final = dict(zip(final["system"], final["value"], strict=True))
    each = zip(_by_depth(sweep.table), pool.table["judgments"], strict=True)
    return [_at_depth(*at, sweep.params, judgments, total, final) for at, judgments in each]


def places_at_each_depth(sweep):
    """The place of every system by its score at each pool depth, and the best and the worst that its interval leaves to
    it. {"place", "best", "worst"}: a list of float (S,), in the order of the table's depths and systems; NaN without.

    sweep : the table of `depth_sweep`
    """
    each = [rows for _, rows in _by_depth(sweep)]
    ends = [(rows["lower"].to_numpy(float), rows["upper"].to_numpy(float)) for rows in each]
    return {
        "place": [places(rows["value"]) for rows in each],
        "best": [orderings.best_ranks(*both) for both in ends],
        "worst": [orderings.worst_ranks(*both) for both in ends],
    }


def places(scores):
    """The place of each of these scores, the highest being first; NaN for one that is missing. (S,)"""
    return orderings.ranks(np.array(scores, float))


def _by_depth(sweep):
    return sweep.groupby("depth", sort=False, dropna=False)


def _deepest(sweep, asked, study):
    """What the last of the depths tells."""
    *_, (depth, rows) = _by_depth(sweep)
    like = {"metric": asked["metric"], "estimator": asked["estimator"]}
    final = study.mean(study.at(unjudged=asked["unjudged"]).estimate(**like).value)
    in_force = study.at(depth=int(depth) if known(depth) else None).judgments
    judgments, total = (some.count(some.scale.judged).sum() for some in (in_force, study.judgments))
    return _at_depth(depth, rows, asked, judgments, total, dict(zip(study.systems, final, strict=True)))


def _at_depth(depth, rows, asked, judgments, total, final):
    """Which share of pairs the intervals tell apart, for how many judgments, who is first and who may still be; without
    bounds, how far scores still move."""
    rows = rows[rows["value"].notna()]
    spent = _spent(depth, judgments, total)
    if not len(rows):
        return joined(spent, "no system has a score.", by=", ")
    measure, bounded = measured(asked), rows["kind"].iloc[0] == "bounds"
    if not bounded:
        moving = still_to_move(rows.assign(value_final=rows["system"].map(final)), measure) if known(depth) else None
        return joined(joined(spent, first_place(rows, measure), by=", "), moving, end=".")
    others = rows[~leading(rows)]
    reach = (others["could_lead"] == BY_JUDGING).sum()
    decided = orderings.pairs_decided(rows["lower"].to_numpy(), rows["upper"].to_numpy())
    apart = "{decided:share} of pairs of systems are told apart"
    if len(rows) == 2:
        apart = "the one pair of systems {decided:verb is/is not} told apart"
    apart = joined(apart, decided=decided)
    still = "{reach:count other} could still be first" if len(others) else None
    told = joined(apart, first_place(rows, measure), still, end=".", reach=reach)
    return joined(spent, told, by=", ")


def _spent(depth, judgments, total):
    """The judgments of a pool depth, beside all."""
    if not known(depth):
        return Sentence("With all judgments ({judgments:number})", judgments=judgments)
    text = "At pool depth {depth} ({judgments:number} of {total:digits judgment})"
    return Sentence(text, depth=int(depth), judgments=judgments, total=total)


def _bought(pool, asked, study):
    """What judging from the first to the last of the depths bought."""
    first, last = pool.iloc[0], pool.iloc[-1]
    finds = "{judgments:digits judgment} {judgments:verb finds/find} {relevant:digits relevant document}"
    shallow = "depth {shallow:number} finds {shallow_relevant:number} with {shallow_judgments:digits judgment}"
    told = "{decided:share} of pairs of systems have {metric} intervals that do not touch"
    facts = {"judgments": last["judgments"], "relevant": last["relevant"], "decided": last["pairs_decided"]}
    facts |= {f"shallow_{name}": first[name] for name in ("judgments", "relevant")} | {"shallow": first["depth"]}
    facts |= {"metric": asked["metric"] if known(last["pairs_decided"]) else None}
    moving = None if known(last["pairs_decided"]) or not known(first["depth"]) else _moving(first, asked["metric"])
    said = joined(finds, told, shallow if len(pool) > 1 else None, moving, end=".", **facts)
    return joined(stage(last["depth"]), said, by=", ")


def _moving(first, metric):
    """How far scores are at a depth from those by all judgments; None where that is not known."""
    if not (known(first["change"]) and known(first["inversions"])):
        return None
    text, moved = on_average(first["change"])
    return joined(
        f"from depth {{shallow:number}} to all judgments {{measure}} {text}, and {{swaps:digits pair}} of systems "
        "{swaps:verb changes/change} places",
        shallow=first["depth"], measure=metric, swaps=first["inversions"], **moved,
    )  # fmt: skip


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
    Question("depth_sweep", depth_sweep, section="2.6", finding=_deepest, spans="scores", of_pool=True),
    Question("trend", trend, section="4.3", finding=_grown, spans="scores", of_pool=True),
    Question("pool", pool_depths, section="4.2", finding=_bought, spans="scores", of_pool=True),
)
