"""Newcomers: is a system that did not help to build the pool treated fairly? Webber & Park, SIGIR 2009."""

import numpy as np
import pandas as pd

from evalcore import pool_bias
from evalcore.comparing import orderings
from evalcore.metrics import metric as metric_named
from evalcore.questions.tidy import checked_count, checked_level, checked_seed, contributed, gaps, listed
from evalcore.study import checked_threshold, indices_of

WEBBER_PARK = "RBP(p=0.8)@10"


def leave_out(study, *, metric=WEBBER_PARK, depth=None, by="run", unjudged="irrelevant"):
    """Every contributing system's score and rank with and without the judgments that it alone brought into the pool,
    or its whole group alone; all systems are scored anew on what is left.

    unique_judged, unique_relevant : how many judgments, and relevant ones, those are; n : topics averaged
    """
    if by not in ("run", "group"):
        raise ValueError(f"by={by!r} is not known. Known: run, group.")
    contributed(study)
    if by == "group" and not any(study.whole.groups):
        raise ValueError("no system has a group; give a table of systems with a column group, or leave out by run.")
    grouped = zip(study.whole.systems, study.whole.groups, strict=True)  # a group may be called as a system is
    left_out = {name: ("group", group) if by == "group" and group else ("run", name) for name, group in grouped}
    known = list(dict.fromkeys(left_out.values()))
    owners = np.array([known.index(name) for name in left_out.values()])
    in_force = study.judgments_at(depth=depth)
    scale = in_force.scale
    sole = pool_bias.sole_owners(pool_bias.tops(study, depth), owners[study.whole.pooled])
    owned = np.where(in_force.level > 0, sole, pool_bias.NOBODY)
    taken = np.flatnonzero(owned >= 0)
    judged, relevant = (
        np.bincount(owned[taken][table[in_force.level[taken]]], minlength=len(known))
        for table in (scale.judged, scale.relevant)
    )
    whole = study.mean(study.values_under(in_force, metric, unjudged=unjudged))
    without = pool_bias.without_each(study, in_force, metric_named(metric), owned, len(known), unjudged=unjudged)
    ranks = orderings.ranks(whole)
    rows = []
    for s in np.flatnonzero(study.track.pooled):
        owner = known.index(left_out[study.systems[s]])
        rows.append(
            {
                "left_out": known[owner][1],
                "system": study.systems[s],
                "rank": ranks[s],
                "rank_without": orderings.ranks(without[:, owner])[s],
                "value": whole[s],
                "value_without": without[s, owner],
                "unique_relevant": relevant[owner],
                "unique_judged": judged[owner],
                "n": study.counted[s].sum(),
            }
        )
    if not rows:
        raise ValueError("none of the systems looked at contributed to the pool, so none can be left out of it.")
    table = pd.DataFrame(rows).sort_values(["rank", "system"], ignore_index=True)
    return table, gaps(table, value="for systems for which no topic counts")


def bias_by_width(
    study, *, metric=WEBBER_PARK, depth=None, widths=(2, 4, 10, 20, 40), repeats=100, seed=0, unjudged="irrelevant"
):
    """The bias against one more system of pools that so many contributing systems form: mean and quartiles over random
    choices (Webber & Park 2009, fig. 1).

    The bias is the system's score when it helps to form the pool less that when it does not.
    """
    contributed(study)
    listed(widths, "widths", 10)
    if not len(pool_bias.with_a_score(study)):
        raise ValueError("none of the systems looked at contributed to the pool, so none can be left out of it.")
    n, repeats = int(study.whole.pooled.sum()), checked_count("repeats", repeats)
    metric, rng = metric_named(metric), np.random.default_rng(checked_seed(seed))
    in_force = study.judgments_at(depth=depth)
    rows = []
    for width in [width for width in widths if checked_count("widths", width) < n]:
        found = [
            pool_bias.against_one_more(study, in_force, metric, width, rng, depth=depth, unjudged=unjudged)
            for _ in range(repeats)
        ]
        rows.append((width, repeats, np.mean(found), *np.quantile(found, [0.25, 0.5, 0.75])))
    if not rows:
        raise ValueError(f"widths={list(widths)!r}: all of them need more than the {n} pooled systems.")
    table = pd.DataFrame(rows, columns=["width", "repeats", "mean", "q1", "median", "q3"])
    too_wide = [width for width in widths if width >= n]
    return table, [f"Widths {too_wide} need more than the {n} systems that contributed."] if too_wide else []


def adjust_from_systems(study, *, system, metric=WEBBER_PARK, depth=None, unjudged="irrelevant", level=0.05):
    """A system's score corrected by the mean bias that the pooled systems would suffer in its place (Webber & Park
    2009, algorithm 1), with the t interval of that mean over n systems.

    Each pooled system's own judgments are withdrawn but for those that the new system would have brought: it takes the
    other's place in the pool.
    """
    checked_level(level)
    contributed(study)
    r = int(indices_of([system], study.systems, "system")[0])
    metric, in_force = metric_named(metric), study.judgments_at(depth=depth)
    others = study.without_contribution_of([system])
    if others.track.pooled.sum() < 2:
        raise ValueError("adjusting from systems needs at least two other systems that contributed to the pool.")
    names = np.array(others.whole.systems, object)[others.whole.pooled]
    tops, size = pool_bias.tops(others, depth)
    own = np.zeros(size, bool)
    own[study.track.items[r][:, : tops.shape[2]]] = True
    left = pool_bias.without_its_own(study, in_force, system, depth)
    biases = pool_bias.in_the_place_of_each(study, left, metric, (tops, size), names, own, unjudged=unjudged)
    unadjusted = study.mean(study.values_under(left, metric, unjudged=unjudged))[r]
    if np.isnan(unadjusted) or len(biases) < 2:
        raise ValueError(f"no topic counts for {system if np.isnan(unadjusted) else 'two other systems'}.")
    found = pool_bias.from_systems(float(unadjusted), biases, level)
    return pd.DataFrame([_adjusted_row(system, found) | {"n": found.n}])


def adjust_from_topics(
    study,
    *,
    system,
    common=10,
    metric=WEBBER_PARK,
    depth=None,
    method="t",
    seed=0,
    unjudged="irrelevant",
    level=0.05,
):
    """A system's score corrected by its own bias on n topics on which it is fully judged (Webber & Park 2009,
    algorithm 2), with an interval and two answers on whether that is likely to help.

    common : those topics, or how many to draw from the seed
    helps_over_unadjusted, helps_over_common : better than the score as it is, and than the mean over the common topics
    """
    checked_level(level)
    contributed(study)
    r = int(indices_of([system], study.systems, "system")[0])
    topics = _common_topics(study, r, common, checked_seed(seed))
    in_force = study.judgments_at(depth=depth)
    true, unpooled = (
        study.by_topic(study.values_under(judgments, metric, unjudged=unjudged))[r]
        for judgments in (in_force, in_force.only(~pool_bias.brought_alone(study, system, depth)))
    )
    found = pool_bias.from_topics(
        true[topics], unpooled[topics], unpooled[study.counted[r]], level, method=method, seed=seed
    )
    names = [study.track.topics[study.judged_topics[topic]] for topic in topics]
    row = _adjusted_row(system, found) | {
        "helps_over_unadjusted": found.helps_over_unadjusted,
        "helps_over_common": found.helps_over_common,
        "n": found.n,
        "common": " ".join(names),
    }
    return pd.DataFrame([row])


def newcomer(study, *, system, common=10, metric=WEBBER_PARK, depth=None, seed=0, level=0.05):
    """One system as a newcomer that did not help to build the pool: its score as it is, with unjudged documents taken
    out, and corrected in both ways, beside the true one where the system did help.

    What the system alone brought into the pool is taken away first. reading : "unadjusted", "condensed", "from
    systems", "from topics" (see `adjust_from_systems`, `adjust_from_topics`), "true"
    """
    checked_level(level)
    contributed(study)
    metric = metric_named(metric)
    r = int(indices_of([system], study.systems, "system")[0])
    helped = bool(study.track.pooled[r])
    in_force = study.judgments_at(depth=depth)
    left = pool_bias.without_its_own(study, in_force, system, depth)
    alone = study.only(systems=[system])
    rows, notes = [], []

    def add(reading, value, lower=np.nan, upper=np.nan, kind="point"):
        rows.append({"reading": reading, "value": value, "lower": lower, "upper": upper, "kind": kind})

    for reading, judgments, unjudged in (
        ("unadjusted", left, "irrelevant"),
        ("condensed", left, "condensed"),
        ("true", in_force, "irrelevant"),
    ):
        if reading != "true" or helped:
            made = alone.means(alone.estimate_under(judgments, metric, unjudged=unjudged))
            add(reading, made.value[0], made.lower[0], made.upper[0], made.kind)
    asked = {"system": system, "metric": metric, "depth": depth, "level": level}
    adjusted = [("from systems", adjust_from_systems, {})]
    if helped:
        adjusted.append(("from topics", adjust_from_topics, {"common": common, "seed": seed}))
    else:
        notes.append(f"{system} was not pooled: on no topic is it fully judged, so nothing is learnt from topics.")
    for reading, question, more in adjusted:
        try:
            row = question(study, **asked, **more).iloc[0]
            add(reading, row["adjusted"], row["lower"], row["upper"], "t")
        except ValueError as refused:
            notes.append(f"{reading}: {refused}")
    order = ["unadjusted", "condensed", "from systems", "from topics", "true"]
    table = pd.DataFrame(sorted(rows, key=lambda row: order.index(row["reading"]))).assign(n=study.counted[r].sum())
    without = "where unjudged documents are taken out, and for measures without one"
    return table, [*notes, *gaps(table, lower=without)]


def adjustment_experiment(
    study,
    *,
    metric=WEBBER_PARK,
    depth=10,
    widths=(2, 4, 10, 20, 40),
    common=(10, 20, 40, 100),
    system_samples=100,
    topic_samples=200,
    seed=0,
    new="all",
    unjudged="irrelevant",
    progress=None,
):
    """How far a newcomer's score is off, left as it is and adjusted, by the width of the pool and the number of common
    topics: mean absolute errors (Webber & Park 2009, algorithm 3).

    Truth is the score by the pool that the newcomer helps to form. mixed = true scores on the common topics and
    unadjusted ones elsewhere; samples = choices of systems times choices of topics.
    new : "all", or a type of the systems table: newcomers are of that type and pools are formed by the others
    """
    contributed(study)
    listed(widths, "widths", 10)
    listed(common, "common", 20)
    metric, seed, depth = metric_named(metric), checked_seed(seed), checked_threshold("depth", depth) or study.depth
    draws, trials = checked_count("topic_samples", topic_samples), checked_count("system_samples", system_samples)
    newcomers = _of_type(study, new)
    room = len(pool_bias.with_a_score(study)) - (1 if newcomers is None else int(newcomers.sum()))
    widths, notes = _possible(widths, room, "widths", f"the {room} systems that can form a pool")
    topics = len(study.judged_topics)
    common, more = _possible(common, topics, "common", f"the {topics} judged topics")
    in_force = study.judgments_at(depth=depth)
    finished = study.finished(metric.name, depth, tuple(common), draws, seed, new, unjudged)
    units = [(width, sample) for width in widths for sample in range(trials)]
    left = [unit for unit in units if unit not in finished]
    for done, (width, sample) in enumerate(left, len(units) - len(left)):
        if progress:
            progress(done, len(units))
        rng = np.random.default_rng([seed, width, sample])
        finished[width, sample] = pool_bias.trial(
            study, in_force, metric, width, rng, depth=depth, common=common, draws=draws, newcomers=newcomers,
            unjudged=unjudged,
        )  # fmt: skip
    rows = []
    for width in widths:
        of_width = [finished[width, sample] for sample in range(trials)]
        for n in common:
            rows.append(
                {
                    "width": width,
                    "common": n,
                    "unadjusted": np.mean([one.unadjusted for one in of_width]),
                    "mixed": np.mean([one.mixed[n] for one in of_width]),
                    "from_systems": np.mean([one.from_systems for one in of_width]),
                    "from_topics": np.mean([one.from_topics[n] for one in of_width]),
                    "samples": trials * draws,
                }
            )
    if depth > study.depth:
        notes = [*notes, f"The pool was judged down to {study.depth} only: ranks below count as judged where they are."]
    return pd.DataFrame(rows), [*notes, *more]


# ---------------------------------------------------------------------------------------------------------------------
# Pieces


def _of_type(study, new):
    """Which contributing systems that are looked at may be newcomers. bool; None = all of them."""
    if new == "all":
        return None
    table = study.system_table.set_index("system")
    if "type" not in table:
        raise ValueError(f"new={new!r}: no table of systems says of which type they are; give one with a column type.")
    kinds = table["type"].reindex(pool_bias.with_a_score(study)).astype(str).to_numpy()
    if new not in kinds or np.all(kinds == new):
        raise ValueError(
            f"new={new!r}: some systems that contributed must be of that type, and others not. Types: "
            f"{', '.join(sorted(set(kinds)))}."
        )
    return kinds == new


def _possible(counts, most, name, those):
    """The counts that are at most so many, and a note of the others; ValueError where none is."""
    fitting = [count for count in counts if checked_count(name, count) <= most]
    if not fitting:
        raise ValueError(f"{name}={list(counts)!r}: all of them are more than {those}.")
    left_out = [count for count in counts if count not in fitting]
    named = ", ".join(map(str, left_out))
    return fitting, [f"{name} {named}: more than {those}, so left out."] if left_out else []


def _adjusted_row(system, found):
    return {
        "system": system,
        "unadjusted": found.unadjusted,
        "adjustment": found.adjustment,
        "adjusted": found.adjusted,
        "lower": found.lower,
        "upper": found.upper,
    }


def _common_topics(study, r, common, seed):
    """The judged topics that are named, or so many drawn at random of those that count for system r. int, indices into
    `judged_topics`."""
    counted = np.flatnonzero(study.counted[r])
    known = [study.track.topics[topic] for topic in study.judged_topics[counted]]
    if isinstance(common, list | tuple):
        topics = counted[indices_of([str(topic) for topic in common], known, "judged topic")]
    else:
        if checked_count("common", common) > len(known):
            raise ValueError(f"common={common}: only {len(known)} judged topics count for {study.systems[r]}.")
        topics = counted[np.sort(np.random.default_rng(seed).choice(len(known), common, replace=False))]
    if len(topics) < 2:
        raise ValueError("adjusting from topics needs at least two common topics.")
    return topics
