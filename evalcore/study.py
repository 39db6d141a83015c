"""A study: a track, its judgments, where they came from, and which part of them is looked at.

Everything that a question asks for is a method here of at most a few lines: the judgments in force, the places that
they speak of, the score of every ranking, and the means over topics.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Real

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore import fusion, pool
from evalcore.comparing.shards import partition, sharded
from evalcore.estimating.estimators import Estimate, estimated, is_model, modelled
from evalcore.estimating.evidence import Evidence
from evalcore.judgments import Judgments, judgments_from
from evalcore.memo import Kept
from evalcore.metrics import HOPES
from evalcore.metrics import metric as metric_named
from evalcore.places import places
from evalcore.reading import loading
from evalcore.reading.items import with_room
from evalcore.track import Track

CHOICES = {
    "order": ("score", "rank"),
    "empty": ("unknown", "not relevant"),
    "average": ("qrels", "common"),
    "unjudged": ("irrelevant", "condensed"),
    "over": fusion.OVER,
}


NOBODY = "no run is known to have contributed to the pool, so there is nothing to learn from."
UNKNOWN_TOPICS = "topics of the second qrels"
MOST = 10**18  # judgments or ranks; larger numbers do not fit into 64 bits
KEPT_SWEEPS, KEPT_ENDS = 1 << 27, 1 << 24  # bytes
KEPT_FUSED = 1 << 27  # bytes
KEPT_EVIDENCE, KEPT_SHARDS, KEPT_JOBS = 2, 64, 8  # how many of each


def _bytes(arrays):
    return sum(array.nbytes for array in arrays)


class WorkedOut:
    """What was worked out of a study: for whoever asks the same again, of all visitors who share it."""

    def __init__(self):
        self.places = Kept(1)  # by cut
        self.ends = Kept(KEPT_ENDS, _bytes)  # by metric and cut
        self.sweeps = Kept(KEPT_SWEEPS, _bytes)  # by metric and thresholds
        self.evidence = Kept(KEPT_EVIDENCE)  # by cut
        self.shards = Kept(KEPT_SHARDS)  # scores by metric and partition
        self.fused = Kept(KEPT_FUSED, lambda track: track.items.nbytes + track.scores.nbytes)  # by rule and inputs
        self.jobs = Kept(KEPT_JOBS)  # what is done of long ones, by their settings


@dataclass(frozen=True)
class Study:
    """A track with its judgments. Make one with `open_study`.

    track : the systems and queries looked at
    judgments : all judgments of the topics looked at
    whole, whole_judgments : the track that the pool was formed of, and its judgments, looked at or not
    depth : the pool depth of the whole
    audited : int32 (S,), how deep each system was judged, in the order in force
    by_rank : int32 (S, Q, K) of the whole track, or None; see `loading.Loaded`
    options : what `open_study` was told, as plain values; scope : what `only` and `with_fused` were told
    sources, findings : the files, and what was found in them and assumed of them
    system_table, query_table : DataFrames, one row per system and per query of the whole track; see `loading.Loaded`
    other : a second set of judgments of the whole track, see `with_other`
    """

    track: Track
    judgments: Judgments
    whole: Track
    whole_judgments: Judgments
    depth: int
    audited: np.ndarray
    by_rank: np.ndarray | None
    options: dict
    sources: tuple
    findings: tuple
    system_table: pd.DataFrame
    query_table: pd.DataFrame
    scope: dict = field(default_factory=dict)
    other: Judgments | None = None

    worked_out: WorkedOut = field(init=False, repr=False, compare=False, default_factory=WorkedOut)

    @property
    def systems(self):
        """The names of the systems looked at."""
        return self.track.systems

    @cached_property
    def audited_in_other_order(self):
        """How deep each system was judged by the rank column, or by the scores where the rank column is in force."""
        other = "rank" if self.options["order"] == "score" else "score"
        track = self.track_ordered_by(other)
        return self.audited if track is self.track else pool.audited_depths(track, self.judgments)

    def track_ordered_by(self, order):
        """The rankings looked at in the order of scores ("score") or of the rank column ("rank")."""
        whole = self.whole_ordered_by(order)
        if whole is self.whole:
            return self.track
        rows, queries = indices_of(self.systems, whole.systems, "system"), np.isin(whole.queries, self.track.queries)
        return whole.only(rows, np.flatnonzero(queries))

    def whole_ordered_by(self, order):
        """The same of the whole track."""
        _known("order", order)
        if self.by_rank is None or order == self.options["order"]:
            return self.whole
        return self.whole.reordered(self.by_rank if order == "rank" else np.argsort(self.by_rank, axis=2))

    @cached_property
    def topics(self):
        """The names of the topics looked at."""
        return tuple(self.track.topics[topic] for topic in np.unique(self.track.topic_of_query))

    @cached_property
    def judged_topics(self):
        """The topics that the qrels hold, of those looked at. int (T',), indices into `track.topics`."""
        return np.intersect1d(self.judgments.topic_of_item[self.judgments.pooled_items], self.track.topic_of_query)

    @cached_property
    def digest(self):
        """A name for all that the numbers depend on: files, options and scope."""
        files = [(source.role, source.name, source.sha256) for source in self.sources]
        said = json.dumps([files, self.options, self.scope], sort_keys=True, default=str)
        return hashlib.sha256(said.encode()).hexdigest()

    def only(self, systems=None, topics=None):
        """A narrower study: these systems and topics (names; None = all). The pool stays what it was."""
        chosen = indices_of(systems, self.systems, "system")
        wanted = indices_of(topics, self.track.topics, "topic")
        queries = np.flatnonzero(np.isin(self.track.topic_of_query, wanted))
        track = self.track.only(chosen, queries)
        judgments = self.judgments.only(np.isin(self.judgments.topic_of_item, wanted))
        said = {name: list(value) for name, value in (("systems", systems), ("topics", topics)) if value is not None}
        return replace(
            self,
            track=track,
            judgments=judgments,
            audited=pool.audited_depths(track, judgments),
            scope=self.scope | said,
        )

    def without_contribution_of(self, systems):
        """The study, had these systems (names) not helped to form the pool: what they alone retrieved was pooled by
        nobody."""
        out = np.isin(self.whole.systems, systems)
        return replace(
            self,
            whole=replace(self.whole, pooled=self.whole.pooled & ~out),
            track=replace(self.track, pooled=self.track.pooled & ~np.isin(self.systems, systems)),
            scope=self.scope | {"without_contribution_of": [*self.scope.get("without_contribution_of", ()), *systems]},
        )

    # A second qrels

    def with_other(self, other, *, rel_level=None):
        """The study with a second qrels (a path or an `loading.Upload`) beside its own. Raises `loading.InputError`.

        Both are read with the same options, but for the lowest relevant grade of the second where `rel_level` names
        one. Topics that the study does not know are left out, with a finding.
        """
        if "judged_by_other" in self.scope:
            raise ValueError("this study is judged by a second qrels already; compare the study that it was made of.")
        judged, source, findings = loading.load_judgments(other)
        items, moved = with_room(self.whole, judged)
        gone = [topic for topic in judged.topics if topic not in self.whole.topics]
        if gone:
            topics = "a topic" if len(gone) == 1 else f"{len(gone)} topics"
            message = f"{source.name} judges {topics} that neither the runs nor the qrels have ({gone[0]})."
            findings += (loading.Finding("warning", UNKNOWN_TOPICS, "", gone[0], len(gone), message),)

        def track(old):
            return replace(old, items=moved[old.items], topic_of_item=items.topic, doc_of_item=items.documents)

        def judgments(old):
            level, stratum = np.zeros(len(items.topic), old.level.dtype), np.zeros(len(items.topic), np.int8)
            level[moved], stratum[moved] = old.level, old.stratum
            return replace(old, level=level, stratum=stratum, topic_of_item=items.topic)

        whole = track(self.whole)
        options = self.options if rel_level is None else self.options | {"rel_level": rel_level}
        return replace(
            self,
            track=track(self.track),
            judgments=judgments(self.judgments),
            whole=whole,
            whole_judgments=judgments(self.whole_judgments),
            other=_of_file(source, lambda: _as_read(items.grade, items.listed, whole, options)),
            options=self.options | {"other_rel_level": rel_level},
            sources=(*(one for one in self.sources if one.role != "other"), source),
            findings=(*(one for one in self.findings if one.check != UNKNOWN_TOPICS), *findings),
        )

    @cached_property
    def judged_by_other(self):
        """The same study with the second qrels in the place of its own; the pool stays what it was."""
        if self.other is None:
            raise ValueError("there is no second qrels: name one with other=, such as other='llm-qrels.txt'.")
        judgments = self.other.only(np.isin(self.other.topic_of_item, self.track.topic_of_query))
        return replace(
            self,
            judgments=judgments,
            whole_judgments=self.other,
            audited=pool.audited_depths(self.track, judgments),
            scope=self.scope | {"judged_by_other": True},
        )

    def chosen(self, systems):
        """Which systems are meant by "all", "pooled", "unpooled" or a list of names. bool (S,)."""
        if isinstance(systems, str):
            choices = {
                "all": np.ones(len(self.systems), bool),
                "pooled": self.track.pooled,
                "unpooled": ~self.track.pooled,
            }
            if systems not in choices:
                raise ValueError(f"systems={systems!r} is not known. Known: {', '.join(choices)}, or a list of names.")
            return choices[systems]
        return np.isin(np.arange(len(self.systems)), indices_of(systems, self.systems, "system"))

    # Fusion

    def with_fused(
        self,
        name,
        *,
        systems="all",
        method="rbc",
        phi=0.9,
        normalisation="min-max",
        over="systems",
        weights=None,
        k=None,
        pooled=False,
    ):
        """The study with one system more, made of these: their rankings fused. It is in no group.

        method, phi, normalisation : see `evalcore.fusion.Rule`; over : "systems", "variations" (of one system, whose
        fused ranking answers every query of the topic) or "both"
        weights : None, a number for each system as they are listed, or for variations a column of the queries table
        k : how deep its rankings are at most; None = 1000 documents, or as deep as the deepest of the track
        pooled : whether it is taken as contributing to the pool
        """
        if not isinstance(name, str) or not name or len(name.split()) != 1:
            raise ValueError(f"{name!r} is no name for a system; a word is needed, such as 'rbc'.")
        if name in self.whole.systems:
            raise ValueError(f"there is a system {name!r} already; give the fused one another name.")
        phi = phi.item() if hasattr(phi, "item") else phi  # plain values, which a script can say
        settings = {"method": method, "phi": phi, "normalisation": normalisation, "over": over}
        settings |= {} if k is None else {"k": checked_threshold("k", k)}
        inputs = [one for one, chosen in zip(self.systems, self.chosen(systems), strict=True) if chosen]
        inputs = list(dict.fromkeys(systems)) if not isinstance(systems, str) else inputs
        if over == "variations" and len(inputs) != 1:
            raise ValueError(f"the variations of one system are fused, not of {len(inputs)}; name one, or over='both'.")
        made = self.fused(inputs, track=self.whole, weights=weights, **settings)
        made = replace(made, pooled=np.array([bool(pooled)]))
        settings |= {"pooled": True} if pooled else {}
        here = made.only([0], np.flatnonzero(np.isin(self.whole.queries, self.track.queries)))
        track = fusion.joined(self.track, here, (name,))
        whole = track if self.whole is self.track else fusion.joined(self.whole, made, (name,))
        everything = isinstance(systems, str) and systems == "all" and "systems" not in self.scope
        said = {"name": name, "systems": "all" if everything else inputs, **settings}
        said |= (
            {}
            if weights is None
            else {"weights": weights if isinstance(weights, str) else [float(one) for one in weights]}
        )
        scope = self.scope | {"with_fused": [*self.scope.get("with_fused", ()), said]}
        if "systems" in scope:
            scope["systems"] = [*scope["systems"], name]
        return replace(
            self,
            track=track,
            whole=whole,
            audited=np.concatenate([self.audited, pool.audited_depths(here, self.judgments)]),
            by_rank=None if self.by_rank is None else _in_place(self.by_rank, whole.shape),
            system_table=_with_row(self.system_table, name, bool(pooled)),
            scope=scope,
        )

    def fused(
        self,
        systems="all",
        *,
        track=None,
        method="rbc",
        phi=0.9,
        normalisation="min-max",
        over="systems",
        weights=None,
        k=None,
    ):
        """These systems fused, as `with_fused` does, alone: a `Track` of one system, or over "variations" one for each.

        track : whose rankings; None = those looked at
        """
        track = self.track if track is None else track
        rule = fusion.Rule(method, phi, normalisation, k)
        return self.fused_by(rule, self.to_fuse(systems, track=track, over=over, weights=weights), track=track)

    def fused_by(self, rule, inputs, *, track=None):
        """What a rule makes of these inputs, see `to_fuse`. The last ones are kept."""
        track = self.track if track is None else track
        plain = [tuple(one.tolist()) if isinstance(one, np.ndarray) else one for one in inputs.values()]
        asked = (track is self.whole, rule, *plain)
        return self.worked_out.fused.get(asked, lambda: fusion.fused(track, rule, **inputs))

    def trec_run(self, system):
        """A system's rankings as a TREC run: query, Q0, document, rank, score, system. Bytes.

        Where all queries of a topic have one ranking, it stands there once, under the topic's name. Raises ValueError
        for names that six columns cannot hold.
        """
        s, track = int(indices_of([system], self.systems, "system")[0]), self.track
        _, first, topic = np.unique(track.topic_of_query, return_index=True, return_inverse=True)
        alike = np.array_equal(track.items[s], track.items[s, first[topic]])
        names = {q: track.topics[track.topic_of_query[q]] for q in first} if alike else dict(enumerate(track.queries))
        lines = []
        for q, query in names.items():
            n = track.lengths[s, q]
            documents = track.doc_of_item.take(pa.array(track.items[s, q, :n])).to_pylist()
            scores = track.scores[s, q, :n]
            if np.any(np.diff(scores) > 0):  # in the order of the rank column
                scores = np.arange(n, 0.0, -1)
            for k, (document, score) in enumerate(zip(documents, scores.tolist(), strict=True), 1):
                lines.append(
                    b"%s Q0 %s %d %s %s" % (query.encode(), document, k, repr(score).encode(), system.encode())
                )
        if any(len(line.split()) != 6 for line in lines):
            raise ValueError(f"{system}: a name with a blank in it has no place in a TREC run, which has six columns.")
        return b"".join(line + b"\n" for line in lines)

    def to_fuse(self, systems="all", *, track=None, over="systems", weights=None):
        """What `fusion.fused` takes: the inputs as indices, in the order of the study, their weights and the order of
        the variations."""
        _known("over", over)
        track = self.track if track is None else track
        named = isinstance(systems, str)
        inputs = np.flatnonzero(self.chosen(systems)) if named else indices_of(systems, track.systems, "system")
        if not len(inputs):
            raise ValueError(f"systems={systems!r}: there is none to fuse.")
        in_order = np.argsort(inputs)  # whichever order they were named in
        of_each = _weights_of_systems(weights, inputs, over)
        return {
            "systems": inputs[in_order],
            "over": over,
            "weights": None if of_each is None else of_each[in_order],
            "query_weights": self.query_column(weights, track.queries) if isinstance(weights, str) else None,
            "order": self.variation_order(track),
        }

    def variation_order(self, track=None):
        """How much each query weighs among the variations of its topic, by the column weight of the queries table; 0
        where it says nothing. float (Q,), or None without such a column."""
        queries = self.track.queries if track is None else track.queries
        if "weight" not in self.query_table:
            return None
        weight = pd.to_numeric(self.query_table.set_index("query")["weight"], errors="coerce")
        return weight.reindex(queries).fillna(0).to_numpy(float)

    def query_column(self, column, queries):
        """A column of the queries table as weights of these queries. float (Q,); ValueError for what is no weight."""
        table = self.query_table.set_index("query")
        if column not in table:
            raise ValueError(f"the table of queries has no column {column!r}. It has {', '.join(table)}.")
        values = pd.to_numeric(table[column].reindex(queries), errors="coerce").to_numpy(float)
        wrong = np.flatnonzero(~((values > 0) & np.isfinite(values)))
        if len(wrong):
            raise ValueError(
                f"column {column!r} of the table of queries: query {queries[wrong[0]]} needs a number above 0."
            )
        return values

    @property
    def on_shared_topics(self):
        """The study on the topics that its qrels and the second one both judge."""
        topics = np.intersect1d(self.judged_topics, self.judged_by_other.judged_topics)
        if not len(topics):
            raise ValueError("the two qrels have no topic in common; are they of one track?")
        return self.only(topics=[self.track.topics[topic] for topic in topics])

    # Judgments in force

    @cached_property
    def pool_rank(self):
        """The best rank that a contributing run of the whole track gave each item. int32 (N,)."""
        return pool.pool_ranks(self.whole)

    @cached_property
    def judging_order(self):
        """The place of each item in the order of judging by pool rank. int32 (N,)."""
        return pool.judging_order(self.whole_judgments, self.pool_rank, self.track.name_order)

    @cached_property
    def places(self):
        """The places that all judgments speak of."""
        return places(self.track, self.judgments, endless=self.options["empty"] == "unknown")

    def reached(self, by):
        """The vector over items that a cut of the judgments by "depth" or by "judgments" goes through. int32 (N,)."""
        return self.pool_rank if by == "depth" else self.judging_order

    def judgments_at(self, *, depth=None, judgments=None):
        """The judgments at a pool depth, or the first so many of them; None = all."""
        by, threshold = _cut(depth, judgments)
        return self.judgments if threshold == pool.EVERYTHING else self.judgments.only(self.reached(by) < threshold)

    def places_at(self, *, depth=None, judgments=None, unjudged="irrelevant"):
        """The places that those judgments speak of."""
        _known("unjudged", unjudged)
        cut = _cut(depth, judgments)
        found = self.worked_out.places.get(
            cut, lambda: self.places_under(self.judgments_at(depth=depth, judgments=judgments))
        )
        return found.condensed() if unjudged == "condensed" else found

    def places_under(self, in_force, metric=None):
        """The places that these judgments, all or fewer, speak of; of a metric, those that its value is made of."""
        found = metric.near(self.places) if metric else self.places
        if in_force is self.judgments:
            return found
        return found.read_by(in_force) if metric and metric.weighted else found.under(in_force)

    def judged_depth(self, *, depth=None, judgments=None):
        """How deep the contributing rankings were judged, d' in the models: what was asked for, the study's depth for
        all judgments, or the deepest rank that a count of judgments has left behind."""
        by, threshold = _cut(depth, judgments)
        if threshold == pool.EVERYTHING:
            return self.depth
        if by == "depth":
            return threshold
        to_come = self.whole_judgments.pooled_items
        to_come = to_come[self.judging_order[to_come] >= threshold]
        return int(np.clip(self.pool_rank[to_come].min(initial=self.depth), 1, self.depth))

    # Scores

    def estimate(self, metric, *, depth=None, judgments=None, estimator="lower", unjudged="irrelevant"):
        """The score of every system on every query, with its interval. An `Estimate` of arrays (S, Q)."""
        metric = _fitting(metric_named(metric), estimator, unjudged)
        _known("unjudged", unjudged)
        cut = {"depth": depth, "judgments": judgments}
        asked = (metric.name, *_cut(**cut), unjudged)
        ends = self.worked_out.ends.get(asked, lambda: self._ends_at(metric, cut, unjudged))
        if not is_model(estimator):
            return self._between(ends, metric, estimator, unjudged, self.track.shape[:2])
        plain = self._between(ends, metric, "lower", unjudged, self.track.shape[:2])
        return plain if plain.kind == "point" else self._modelled(plain, metric, estimator, depth, judgments)

    def _ends_at(self, metric, cut, unjudged):
        """The lower and the upper ends at a cut. Two float64 (S * Q,)."""
        if metric.weighted and unjudged == "irrelevant":  # soon done; a sweep adds up in another order
            return self._ends(metric, self.places_under(self.judgments_at(**cut), metric), unjudged)
        swept = self._swept_ends(metric, *_cut(**cut), unjudged)
        return self._ends(metric, self.places_at(**cut, unjudged=unjudged), unjudged) if swept is None else swept

    def estimate_under(
        self, in_force, metric, *, estimator="lower", unjudged="irrelevant", judged_depth=None, ranks=None
    ):
        """The estimate from any judgments, all or fewer (`Judgments` of the same items). Arrays (S, Q).

        judged_depth : d' of a model; ranks : how many ranks are looked at, the others being unknown; None = all
        """
        _known("unjudged", unjudged)
        metric = _fitting(metric_named(metric), estimator, unjudged)
        found = self.places_under(in_force).within(ranks)
        ends = self._ends(metric, found.condensed() if unjudged == "condensed" else found, unjudged)
        if not is_model(estimator):
            return self._between(ends, metric, estimator, unjudged, self.track.shape[:2])
        plain = self._between(ends, metric, "lower", unjudged, self.track.shape[:2])
        return plain.raised(self.expected(metric, estimator, self.evidence_under(in_force, judged_depth, metric)))

    def values_under(self, in_force, metric, *, unjudged="irrelevant"):
        """The scores alone, without what an interval costs, from the judgments or fewer. float64 (S, Q)."""
        _known("unjudged", unjudged)
        metric, condensed = metric_named(metric), unjudged == "condensed"
        found = self.places_under(in_force, None if condensed else metric)
        found = found.condensed() if condensed else found
        values = np.empty(found.rows)
        for rows, block in found.blocks():
            values[rows] = self._of_rows(metric, rows).value(block)
        return values.reshape(self.track.shape[:2])

    def values_as_judged(self, metric, reached, thresholds):
        """The scores alone as judging goes on. float64 (S, Q, thresholds).

        reached : int (N,), from which threshold on an item's judgment is in force: those above it
        """
        metric = metric_named(metric)
        if metric.weighted:
            ends = metric.sweep(self.places, pool.steps(self.judgments, reached, thresholds), len(thresholds))
            return ends[0].reshape(*self.track.shape[:2], -1)
        each = (self.values_under(self.judgments.only(reached < threshold), metric) for threshold in thresholds)
        return np.stack(list(each), axis=2)

    def _of_rows(self, metric, rows):
        """The metric for these rankings, columns of the queries table looked up."""
        return metric.with_columns(lambda column: self.by_ranking(column)[rows])

    def sweep(self, metric, thresholds, *, by="depth", estimator="lower", unjudged="irrelevant"):
        """The estimate at each threshold, ascending pool depths or counts of judgments. Arrays (S, Q, thresholds).

        Another estimator at the same thresholds costs nothing: the ends of the last few sweeps are kept.
        """
        metric = metric_named(metric)
        if is_model(estimator):
            cuts = [None if threshold == pool.EVERYTHING else threshold for threshold in thresholds]
            each = [self.estimate(metric, estimator=estimator, unjudged=unjudged, **{by: cut}) for cut in cuts]
            ends = (np.stack([getattr(one, name) for one in each], axis=2) for name in ("value", "lower", "upper"))
            return Estimate(*ends, each[0].kind)
        asked = (metric.name, tuple(thresholds), by, unjudged)
        ends = self.worked_out.sweeps.get(asked, lambda: self._ends_of_each(metric, thresholds, by, unjudged))
        return self._between(ends, metric, estimator, unjudged, (*self.track.shape[:2], len(thresholds)))

    def _swept_ends(self, metric, by, threshold, unjudged):
        """The ends that one of the last few sweeps came upon, or None."""
        for (name, thresholds, swept_by, read), ends in self.worked_out.sweeps.ready():
            if (name, swept_by, read) == (metric.name, by, unjudged) and threshold in thresholds:
                return _read_only([end[:, thresholds.index(threshold)].copy() for end in ends])
        return None

    def _ends_of_each(self, metric, thresholds, by, unjudged):
        """The lower and the upper ends at each threshold. Two float64 (S * Q, thresholds)."""
        if metric.weighted and unjudged == "irrelevant":
            step = pool.steps(self.judgments, self.reached(by), thresholds)
            return _read_only(metric.sweep(self.places, step, len(thresholds)))
        reached = np.sort(self.reached(by)[self.judgments.pooled_items])
        in_force = np.searchsorted(reached, thresholds)  # how many judgments are, and those few hold the fewer
        _, differ, each = np.unique(in_force, return_index=True, return_inverse=True)
        ends = np.empty((2, self.places.rows, len(differ)))
        pieces = list(self.places.blocks())
        for i in reversed(range(len(differ))):  # ever fewer places
            judgments = self.judgments_at(**{by: thresholds[differ[i]]})
            pieces = [(rows, found.under(judgments)) for rows, found in pieces]
            for rows, found in pieces:
                read = found.condensed() if unjudged == "condensed" else found
                ends[:, rows, i] = self._ends_of_rows(metric, rows, read, unjudged)
        return _read_only(tuple(ends[:, :, each]))

    def _ends(self, metric, found, unjudged):
        """The lower and the upper ends, both the score itself where there is no interval. Two float64 (S * Q,)."""
        ends = np.empty((2, found.rows))
        for rows, block in found.blocks():
            ends[:, rows] = self._ends_of_rows(metric, rows, block, unjudged)
        return _read_only(tuple(ends))

    def _ends_of_rows(self, metric, rows, found, unjudged):
        of_rows = self._of_rows(metric, rows)
        return of_rows.value(found) if _kind(metric, unjudged) == "point" else of_rows.bounds(found)

    def _between(self, ends, metric, estimator, unjudged, shape):
        """The estimate that lies between these ends."""
        kind = _kind(metric, unjudged)
        lower, upper = (end.reshape(shape) for end in ends)
        value = estimated(estimator, lower, upper, highest=metric.highest(self.judgments.scale))
        if kind == "point":
            lower = upper = np.full(shape, np.nan)
        return Estimate(value, lower, upper, kind)

    # Models of the unjudged documents

    def evidence(self, *, depth=None, judgments=None, metric="RBP(p=0.95)"):
        """What the judgments at a cut say of each judged topic: pairs of its queries (indices) and an `Evidence`.

        metric : whose earnings are learnt: those that read gains, or relevance as P does, share theirs
        Those of the last few cuts are kept, with the curves that were fitted.
        """
        metric = metric_named(metric)
        asked = (*_cut(depth, judgments), metric.family.reads)
        cut = {"depth": depth, "judgments": judgments}
        return self.worked_out.evidence.get(
            asked, lambda: self.evidence_under(self.judgments_at(**cut), self.judged_depth(**cut), metric)
        )

    def evidence_under(self, in_force, judged_depth, metric):
        """The same from any judgments, the contributing rankings being judged down to `judged_depth`."""
        whole, scale = self.whole, in_force.scale
        if not whole.pooled.any():
            raise ValueError(NOBODY)
        gain = np.where(scale.judged, metric.earned(scale), np.nan)[in_force.level]
        relevant = scale.relevant[in_force.level]
        longest = int(whole.lengths[whole.pooled].max(initial=1))
        gathered = []
        for topic in self.judged_topics:
            formed = whole.items[whole.pooled][:, whole.topic_of_query == topic, :longest]
            queries = np.flatnonzero(self.track.topic_of_query == topic)
            evidence = Evidence(
                pooled=formed.reshape(-1, longest),
                rankings=self.track.items[:, queries].reshape(-1, self.track.shape[2]),
                gain=gain,
                relevant=relevant,
                depth=judged_depth,
                systems=int(whole.pooled.sum()),
                r_max=metric.highest(scale),
                items=slice(*np.searchsorted(self.track.topic_of_item, [topic, topic + 1])),
            )
            gathered.append((queries, evidence))
        return gathered

    def _modelled(self, plain, metric, estimator, depth, judgments):
        """The estimate with what a model expects of the unjudged documents."""
        gathered = self.evidence(depth=depth, judgments=judgments, metric=metric)
        return plain.raised(self.expected(metric, estimator, gathered))

    def expected(self, metric, estimator, gathered):
        """What a model expects each ranking's unjudged documents to add to its score. float64 (S, Q)."""
        S, Q, K = self.track.shape
        weights = metric.weights(max(K, self.whole.shape[2]))
        more = np.zeros((S, Q))
        for queries, evidence in gathered:
            more[:, queries] = modelled(estimator, evidence, weights).reshape(S, len(queries))
        return more

    def kind(self, metric, unjudged="irrelevant"):
        """Of the interval that a metric has here: "bounds", "guide" or "point"."""
        return _kind(metric_named(metric), unjudged)

    def by_ranking(self, column):
        """A numeric column of the queries table, a value for each ranking. float64 (S * Q,)."""
        table = self.query_table.set_index("query")
        if column not in table:
            raise ValueError(f"the table of queries has no column {column!r}. It has {', '.join(table)}.")
        values = pd.to_numeric(table[column].reindex(self.track.queries), errors="coerce").to_numpy(float)
        fits = (values >= HOPES[0]) & (values <= HOPES[1])
        wrong = np.flatnonzero(~fits & (self.track.lengths > 0).any(axis=0))
        if len(wrong):
            query = self.track.queries[wrong[0]]
            raise ValueError(
                f"column {column!r} of the table of queries: query {query} needs a number from .5 to a million."
            )
        return np.tile(np.where(fits, values, 1.0), len(self.systems))  # of no effect where no run answers

    # Shards

    def shard_scores(self, metric, shards, *, seed=0, resample=0):
        """The score of every system, judged topic and shard of a random even partition of the documents, and whether
        the shard holds a relevant document of the topic. float (S, T', shards) and bool (T', shards).

        The partition is drawn from (seed, resample); one shard is the whole collection. The last ones are kept.
        """
        metric = metric_named(metric)
        if metric.family.name == "infAP":
            raise ValueError("infAP infers from a sample of the pool, which shards cut to pieces; take AP.")
        asked = (metric.name, shards, seed, resample)
        return self.worked_out.shards.get(
            asked, lambda: self._scored_by_shard(metric, shards, np.random.default_rng([seed, resample]))
        )

    def _scored_by_shard(self, metric, shards, rng):
        document = self.track.document_of_item
        part = np.concatenate([[0], partition(int(document.max()), shards, rng)])  # the empty place is no document
        shard_of_item = part[document]
        endless = self.options["empty"] == "unknown"
        found = sharded(self.track, self.judgments, shard_of_item, shards, endless=endless)
        value = np.empty(found.rows)
        for rows, block in found.blocks():
            column = lambda name, rows=rows: np.repeat(self.by_ranking(name), shards)[rows]  # noqa: E731
            value[rows] = metric.with_columns(column).value(block)
        scores = self.by_topic(value.reshape(*self.track.shape[:2], shards))
        defined = found.judgments.relevant.reshape(-1, shards)[self.judged_topics] > 0
        return _read_only((scores, defined))

    # Work that takes long

    def finished(self, *job):
        """What is done of a job so far, to be filled as it goes on: a dict of pieces. Those of a few jobs are kept."""
        return self.worked_out.jobs.get(job, dict)

    # Means

    @cached_property
    def _counted_queries(self):
        """Whether each query counts for each system: all do, or those that the system answers. bool (S, Q)."""
        everything = self.options["average"] == "qrels"
        return np.ones(self.track.shape[:2], bool) if everything else self.track.lengths > 0

    @cached_property
    def counted(self):
        """Whether each judged topic counts for each system: a query of it does. bool (S, T')."""
        return self.by_topic(self._counted_queries.astype(float)) > 0

    @cached_property
    def share_of_topic(self):
        """What each query counts for in the mean of its topic. float (S, Q)."""
        counted = self._counted_queries.astype(float)
        of_topic = np.zeros((len(counted), len(self.track.topics)))
        np.add.at(of_topic, (slice(None), self.track.topic_of_query), counted)
        return counted / np.maximum(of_topic[:, self.track.topic_of_query], 1)

    def by_topic(self, values):
        """The mean over each judged topic's queries that count. (S, Q, ...) to (S, T', ...); 0 where none does."""
        query = np.flatnonzero(np.isin(self.track.topic_of_query, self.judged_topics))
        topic = np.searchsorted(self.judged_topics, self.track.topic_of_query[query])
        if len(topic) == len(self.judged_topics):
            return values[:, query[np.argsort(topic)]]

        def total(of_queries):
            sums = np.zeros((len(of_queries), len(self.judged_topics), *of_queries.shape[2:]))
            np.add.at(sums, (slice(None), topic), of_queries)
            return sums

        counted = _as_wide_as(values, self._counted_queries[:, query])
        return total(np.where(counted, values[:, query], 0)) / np.maximum(total(counted), 1)

    def best_by_topic(self, values):
        """The best of each judged topic's queries. (S, Q) to (S, T')."""
        best = np.empty((len(values), len(self.judged_topics)))
        for t, topic in enumerate(self.judged_topics):
            best[:, t] = values[:, self.track.topic_of_query == topic].max(axis=1)
        return best

    def mean(self, values):
        """The mean over judged topics of the mean over their queries. (S, Q, ...) to (S, ...); NaN over no topic."""
        counted = _as_wide_as(values, self.counted)
        n = counted.sum(axis=1)
        total = np.where(counted, self.by_topic(values), 0).sum(axis=1)
        return np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)

    def means(self, estimate):
        """An estimate's means over topics. Arrays (S, ...)."""
        return Estimate(*(self.mean(getattr(estimate, name)) for name in ("value", "lower", "upper")), estimate.kind)


def open_study(
    runs,
    qrels,
    systems=None,
    queries=None,
    pooled=None,
    order="score",
    rel_level=1,
    gains="binary",
    negative="split",
    empty="unknown",
    average="qrels",
    duplicates="keep",
    variations=None,
    cache=None,
    progress=None,
    without=(),
    other=None,
    other_rel_level=None,
):
    """Reads runs and judgments and makes them a study.

    runs : a folder, a .zip, or a list of run files (.gz allowed); qrels : a path. `loading.Upload`s do as well
    systems, queries : optional tables (TSV or CSV with a header); see `evalcore.reading.loading`
    pooled : "all", or a list of run names; None = what the table says, else found from the files
    order : "score", or "rank" for the file's own rank column
    rel_level, gains, negative : how grades are read; see `evalcore.judgments.Scale`
    empty : ranks past the end of a list are "unknown" or "not relevant"
    average : over the topics of the "qrels", or over those that a system and the qrels have in "common"
    duplicates : "keep" the one that the order puts first, or "refuse"
    variations : how queries name a topic: None, a separator such as "-", or "run" (SYS.v3)
    cache : a folder; None = the user's cache folder, False = none
    progress : called with (done, total) files; what it raises ends the reading
    without : names of files to leave out, as `Problem.file` gives them
    other, other_rel_level : a second qrels, to be compared with the first, and from which grade on it finds a document
        relevant; see `Study.with_other`

    Raises `InputError`, which lists every problem of every file, and ValueError for an option that is not known.
    """
    options = {
        "pooled": pooled if pooled is None or isinstance(pooled, str) else list(pooled), "order": order,
        "rel_level": rel_level, "gains": gains, "negative": negative, "empty": empty, "average": average,
        "duplicates": duplicates, "variations": variations,
    }  # fmt: skip
    study = loading.load(
        runs, qrels, systems=systems, queries=queries, duplicates=duplicates, variations=variations, cache=cache,
        progress=progress, without=without, make=lambda loaded: study_of(loaded, options),
    )  # fmt: skip
    return study if other is None else study.with_other(other, rel_level=other_rel_level)


def study_of(loaded, options):
    """The study that these options (see `open_study`) make of what the files say."""
    for name in ("order", "empty", "average"):
        _known(name, options[name])
    gains = options["gains"]
    if isinstance(gains, dict):
        gains = {int(grade): float(gain) for grade, gain in gains.items()}
    track = loaded.track
    options = options | {"gains": gains}
    judgments = _as_read(loaded.grade, loaded.listed, track, options)
    if options["order"] == "rank" and loaded.by_rank is not None:
        track = track.reordered(loaded.by_rank)
    audited = pool.audited_depths(track, judgments)
    table_named = next((source.name for source in loaded.sources if source.role == "systems"), "the table")
    contributes, told = _contributing(track, loaded.system_table, table_named, options["pooled"], audited)
    track = replace(track, pooled=contributes)
    return Study(
        track=track,
        judgments=judgments,
        whole=track,
        whole_judgments=judgments,
        depth=max(1, int(np.median(audited[contributes]))) if contributes.any() else 1,
        audited=audited,
        by_rank=loaded.by_rank,
        options=options,
        sources=loaded.sources,
        findings=(*loaded.findings, told),
        system_table=loaded.system_table,
        query_table=loaded.query_table,
    )


def _of_file(source, read):
    """What `read` makes of a file; a ValueError names the file."""
    try:
        return read()
    except ValueError as refused:
        raise ValueError(f"{source.name}: {refused}") from None


def _as_read(grade, listed, track, options):
    """The judgments of a qrels file, read as the options say."""
    return judgments_from(
        grade, listed, topic_of_item=track.topic_of_item, topics=len(track.topics),
        rel_level=options["rel_level"], gains=options["gains"], negative=options["negative"],
    )  # fmt: skip


def _contributing(track, table, table_named, pooled, audited):
    """Who formed the pool (bool (S,)) and a finding that says how this is known."""
    everyone = np.ones(len(track.systems), bool)

    def told(severity, message, contributes):
        return contributes, loading.Finding(severity, "who contributed", "", "", int(contributes.sum()), message)

    if isinstance(pooled, str) and pooled == "all":
        return told("note", f"All {len(everyone)} systems are taken as contributing to the pool, as asked.", everyone)
    if pooled is not None:
        contributes = np.zeros(len(everyone), bool)
        contributes[indices_of(pooled, track.systems, "system")] = True
        return told("note", f"{contributes.sum()} of {len(everyone)} systems contributed, as asked.", contributes)
    stated = table["pooled"].notna()
    if stated.any():
        contributes = np.array([value is True or value == 1 for value in table["pooled"]])
        return told(
            "note", f"{contributes.sum()} of {len(everyone)} systems contributed: {table_named} says so.", contributes
        )
    contributes = pool.contributing(audited)
    if contributes is None:
        return told(
            "warning",
            "The files do not show who contributed to the pool: too few systems are judged to any common depth. "
            "All are taken as contributing; name them in a systems table (column pooled) if you know better.",
            everyone,
        )
    deepest = " to ".join(str(depth) for depth in sorted({audited[contributes].min(), audited[contributes].max()}))
    return told(
        "note",
        f"{contributes.sum()} of {len(everyone)} systems seem to have contributed: their first documents, down to rank "
        f"{deepest}, are all judged on every topic. Files "
        "cannot tell a pooled system from one whose documents all happen to be judged.",
        contributes,
    )


def _weights_of_systems(weights, inputs, over):
    """The weights as float, one a system; None where there are none, or they are a column for variations."""
    if weights is None:
        return None
    if isinstance(weights, str):
        if over == "systems":
            raise ValueError(f"weights={weights!r}: a column weighs variations; give each system a number.")
        return None
    if over == "variations":
        raise ValueError("weights: variations are weighed by a column of the queries table; name it, such as 'weight'.")
    if np.ndim(weights) != 1 or len(weights) != len(inputs):
        weights = np.atleast_1d(weights)
        raise ValueError(f"{len(weights)} weights for {len(inputs)} systems; one each is needed.")
    wrong = [one for one in weights if isinstance(one, bool) or not isinstance(one, Real) or not 0 < one < np.inf]
    if wrong:
        raise ValueError(f"a weight of {wrong[0]!r} cannot be; it is a number above 0.")
    return np.array(weights, float)


def _in_place(by_rank, shape):
    """The orders by rank column with more systems and places, whose order is the one that they stand in."""
    wider = np.broadcast_to(np.arange(shape[2], dtype=np.int32), shape).copy()
    S, _, K = by_rank.shape
    wider[:S, :, :K] = by_rank
    return wider


def _with_row(table, system, pooled):
    """The table of systems with a row for one that was made here, of which nothing else is known."""
    known = {"system": system, "pooled": pooled}

    def blank(column):
        return np.nan if pd.api.types.is_numeric_dtype(table[column]) else ""

    return pd.DataFrame({column: [*table[column], known.get(column, blank(column))] for column in table})


def _as_wide_as(values, table):
    """A table of two axes, ready to meet values that have more of them."""
    return table.reshape(*table.shape, *(1,) * (values.ndim - 2))


def _read_only(arrays):
    for array in arrays:
        array.flags.writeable = False
    return arrays


def _fitting(metric, estimator, unjudged):
    """The metric, if the estimator can be told of it."""
    if is_model(estimator) and _kind(metric, unjudged) != "point" and not metric.weighted:
        raise ValueError(
            f"{estimator} expects a gain of every document, which only a metric with a weight for every rank can add "
            f"up: P, RBP or SDCG. {metric.name} is none."
        )
    return metric


def _kind(metric, unjudged):
    """The kind of interval: none where the unjudged documents were taken out."""
    return "point" if unjudged == "condensed" else metric.kind


def indices_of(names, known, what):
    if names is None:
        return np.arange(len(known))
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ValueError(f"{names!r} is not a list of {what}s.")
    place = {name: index for index, name in enumerate(known)}
    if not len(names):
        raise ValueError(f"an empty list of {what}s; name at least one, or leave it out for all.")
    missing = [name for name in names if name not in place]
    if missing:
        examples = ", ".join(known[:5])
        raise ValueError(f"no {what} {missing[0]!r}. Known: {examples}{', ...' if len(known) > 5 else ''}.")
    return np.array([place[name] for name in dict.fromkeys(names)], int)


def _known(name, value):
    if value not in CHOICES[name]:
        raise ValueError(f"{name}={value!r} is not known. Known: {', '.join(CHOICES[name])}.")


def _cut(depth, judgments):
    """By what the judgments are cut and where: ("depth", 10), ("judgments", 1000), or at `pool.EVERYTHING`."""
    if depth is not None and judgments is not None:
        raise ValueError("depth and judgments exclude each other: name a pool depth or a count of judgments.")
    by, threshold = ("depth", depth) if judgments is None else ("judgments", judgments)
    return by, pool.EVERYTHING if checked_threshold(by, threshold) is None else threshold


def checked_threshold(name, value):
    """A pool depth or a count of judgments, or None for all of them. ValueError for anything else."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Real) or not 1 <= value <= MOST or value != int(value):
        raise ValueError(f"{name}={value!r} cannot be; it is a whole number from 1, or None for all judgments.")
    return int(value)
