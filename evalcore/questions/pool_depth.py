"""What judging deeper tells: scores and their intervals by how much was judged."""

import numpy as np
import pandas as pd

from evalcore import pool
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.names import by_name
from evalcore.questions.clauses import first_place, reading, stage
from evalcore.questions.cuts import ascending_counts, ascending_depths
from evalcore.questions.notes import ALL_JUDGMENTS, gaps, notes_on
from evalcore.questions.question import Question
from evalcore.questions.tables import mean_of_known, share_of
from evalcore.sentences import Sentence, joined, known


def depth_sweep(study, *, metric="RBP(p=0.8)", estimator="lower", unjudged="irrelevant", depths=None, systems="all"):
    """The mean score and interval of every system at each pool depth. A missing depth: all judgments."""
    depths = ascending_depths(study, depths)
    means = study.means(_swept(study, metric, depths, estimator=estimator, unjudged=unjudged))
    chosen = np.flatnonzero(study.chosen(systems))
    table = pd.DataFrame(
        {
            "system": np.repeat(np.array(study.systems, object)[chosen], len(depths)),
            "depth": np.tile(np.array(depths, float), len(chosen)),
            "value": means.value[chosen].ravel(),
            "lower": means.lower[chosen].ravel(),
            "upper": means.upper[chosen].ravel(),
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
    for metric in metrics:
        for estimator in estimators:
            means = study.means(study.at().sweep(metric, counts, by="judgments", estimator=estimator))
            for pooled in (True, False):
                of = chosen & (study.track.pooled == pooled)
                if not of.any():
                    continue
                rows += [
                    (count, metric_named(metric).name, estimator, pooled, value, width)
                    for count, value, width in zip(
                        counts,
                        mean_of_known(means.value[of]),
                        mean_of_known((means.upper - means.lower)[of]),
                        strict=True,
                    )
                ]
    table = pd.DataFrame(rows, columns=["judgments", "metric", "estimator", "pooled", "value", "width"])
    notes = [note for metric in metrics for note in notes_on(study, metric, estimators[0], "irrelevant")]
    return table, list(dict.fromkeys(notes))


def pool_depths(study, *, metric="RBP(p=0.8)", depths=None):
    """What pooling to each depth costs and what it settles: judgments, relevant documents found, interval widths, pairs
    of systems decided, and Kendall's tau with the ordering by all judgments. A missing depth: all judgments."""
    depths = ascending_depths(study, depths)
    means = study.means(_swept(study, metric, depths))
    final = study.means(study.at().estimate(metric)).value
    judged_by_topic, relevant_by_topic = (
        _count_by_depth(study, table, depths)
        for table in (study.judgments.scale.judged, study.judgments.scale.relevant)
    )
    judged_topics = study.judged_topics
    share = share_of(relevant_by_topic, judged_by_topic)[judged_topics]
    table = pd.DataFrame(
        {
            "depth": np.array(depths, float),
            "judgments": judged_by_topic.sum(axis=0),
            "per_topic": judged_by_topic.sum(axis=0) / max(len(judged_topics), 1),
            "relevant": relevant_by_topic.sum(axis=0),
            "share_relevant": mean_of_known(share),
            "mean_width": mean_of_known(means.upper - means.lower),
            "pairs_decided": [
                orderings.pairs_decided(lower, upper) for lower, upper in zip(means.lower.T, means.upper.T, strict=True)
            ],
            "tau": [orderings.kendall_tau(value, final) for value in means.value.T],
        }
    )
    missing = gaps(table, depth=ALL_JUDGMENTS, share_relevant="where no topic has a judgment")
    return table, [*notes_on(study, metric, "lower", "irrelevant"), *missing]


def _swept(study, metric, depths, **reading):
    thresholds = [pool.EVERYTHING if depth is None else depth for depth in depths]
    estimator = reading.pop("estimator", "lower")
    return study.at(**reading).sweep(metric, thresholds, estimator=estimator)


def _count_by_depth(study, table, depths):
    """How many documents of each topic a table by level says yes to, by pool depth. int64 (T, depths)."""
    judgments = study.judgments
    items = judgments.pooled_items[table[judgments.level[judgments.pooled_items]]]
    thresholds = [pool.EVERYTHING if depth is None else depth for depth in depths]
    step = pool.steps(judgments, study.pool_rank, thresholds)[items]
    at = judgments.topic_of_item[items] * (len(depths) + 1) + step
    counts = np.bincount(at, minlength=judgments.topics * (len(depths) + 1)).reshape(-1, len(depths) + 1)
    return counts[:, :-1].cumsum(axis=1)


# ---------------------------------------------------------------------------------------------------------------------
# Findings


def at_each_depth(sweep, judgments):
    """What each pool depth tells: a sentence for every depth of the question `depth_sweep`, in its order.

    judgments : how many judgments each depth costs, NaN where that is not known
    The leader has the highest value. Another system reaches it while the two intervals are not strictly apart, the same
    test that makes a pair decided.
    """
    depths = list(dict.fromkeys(None if depth != depth else int(depth) for depth in sweep["depth"]))
    systems, kind = sweep["system"].unique(), sweep["kind"].iloc[0]
    ends = (sweep[name].to_numpy().reshape(len(systems), len(depths)).T for name in ("value", "lower", "upper"))
    each = zip(depths, *ends, judgments, strict=True)
    return [_at_depth(systems, value, low, high, depth, kind, cost) for depth, value, low, high, cost in each]


def _at_depth(systems, value, lower, upper, depth, kind, cost):
    places = np.flatnonzero(~np.isnan(value))
    if not len(places):
        return joined(stage(depth), "no system has a score.", by=", ")
    costs = Sentence("{judgments:digits judgment}", judgments=int(cost)) if known(cost) else None
    if len(places) == 1:
        alone = places[0]
        score = reading(float(value[alone]), float(lower[alone]), float(upper[alone]), kind)
        tells = joined(Sentence("{leader} scores ", leader=systems[alone]), score, by="")
        return joined(joined(stage(depth), tells, by=", "), costs, end=".")
    decided = float(orderings.pairs_decided(lower, upper))
    clauses = joined(
        _decided(decided, kind), _lead(systems, value, lower, upper, places, decided, kind), costs, end="."
    )
    return joined(stage(depth), clauses, by=", ")


ENDS = {"bounds": "intervals", "guide": "guides"}


def _decided(decided, kind):
    """The share of pairs told apart, or None without intervals."""
    if not known(decided):
        return None
    what = ENDS[kind]
    if decided == 0:
        return Sentence(f"the {what} of every pair of systems touch")
    if decided == 1:
        return Sentence(f"no two {what} touch")
    return Sentence(f"the {what} of {{decided:share}} of pairs do not touch", decided=decided)


def _lead(systems, value, lower, upper, places, decided, kind):
    """Who leads, and how many others still reach the leader's interval."""
    best = float(value[places].max())
    leaders = places[value[places] == best]
    if len(leaders) > 1:
        return first_place(list(systems[leaders]), len(places), best)
    first, n = leaders[0], len(places)
    facts = {"leader": systems[first], "value": best}
    if not known(float(lower[first])):
        return Sentence("{leader} leads with {value:score}, without an interval", **facts)
    if decided == 0:
        return Sentence(f"{{leader}} is ahead with {{value:score}}, which the {ENDS[kind]} do not settle", **facts)
    reach = int(np.sum((upper[places] >= lower[first]) & (lower[places] <= upper[first]))) - 1
    facts = {"leader": systems[first], "reach": reach}
    if reach == 0:
        return Sentence("none touches the leader's ({leader})", leader=systems[first])
    who = "{reach:verb that/those} of {reach:count system}"
    if reach == n - 1 > 1:
        who, facts = "those of all other systems", {"leader": systems[first], "reach": reach}
    return Sentence(who + " still {reach:verb touches/touch} the leader's ({leader})", **facts)


def _deepest(sweep, asked, study):
    """What the last of the depths tells."""
    last = sweep["depth"].iloc[-1]
    depth = None if last != last else int(last)
    rows = sweep[sweep["depth"].isna() if depth is None else sweep["depth"] == depth]
    in_force = study.at(depth=depth).judgments
    return at_each_depth(rows, [in_force.count(in_force.scale.judged).sum()])[0]


def _bought(pool, asked, study):
    """What judging from the first to the last of the depths bought."""
    first, last = pool.iloc[0], pool.iloc[-1]
    cost = Sentence("{judgments:digits judgment}", judgments=int(last["judgments"]))
    until = None if not known(float(last["depth"])) else int(last["depth"])
    found = Sentence("find {relevant:digits relevant document}", relevant=int(last["relevant"]))
    decided = None
    if known(float(last["pairs_decided"])):
        decided = Sentence("decide {decided:share} of pairs", decided=last["pairs_decided"])
    told = joined(joined(cost, joined(found, decided, by=" and "), by=" "), _halfway(first, last), end=".")
    return joined(stage(until), told, by=", ")


def _halfway(first, last):
    """What the shallowest pool had of it."""
    if not known(float(first["depth"])) or first["depth"] == last["depth"]:
        return None
    return Sentence(
        "depth {shallow:number} finds {shallow_relevant:number} of them with {shallow_judgments:number}",
        shallow=int(first["depth"]), shallow_relevant=int(first["relevant"]), shallow_judgments=int(first["judgments"]),
    )  # fmt: skip


def _grown(trend, asked, study):
    """How the mean score and the mean width change as judgments grow, by the first metric and guess."""
    rows = trend[(trend["metric"] == trend["metric"].iloc[0]) & (trend["estimator"] == trend["estimator"].iloc[0])]
    rows = rows[rows["pooled"] == rows["pooled"].iloc[0]]
    few, full = rows.iloc[0], rows.iloc[-1]
    who = "contributed" if few["pooled"] else "did not contribute"
    text = (
        f"With {{few:digits judgment}} the systems that {who} have a mean {{metric}} of {{few_value:score}}, with "
        "{full:number} one of {full_value:score}"
    )
    facts = {"few": int(few["judgments"]), "few_value": few["value"], "metric": few["metric"]}
    facts |= {"full": int(full["judgments"]), "full_value": full["value"]}
    narrowed = None
    if known(float(few["width"])):
        width = "their intervals narrow from {few_width:score} to {full_width:score}"
        narrowed = Sentence(width, few_width=few["width"], full_width=full["width"])
    return joined(Sentence(text, **facts), narrowed, end=".")


QUESTIONS = by_name(
    Question("depth_sweep", depth_sweep, finding=_deepest),
    Question("trend", trend, finding=_grown),
    Question("pool", pool_depths, finding=_bought),
)
