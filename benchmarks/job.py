"""The track to work on: its files, the study of them, the same as other programs hold it, and whether they agree."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from evalcore import open_study

ROOT = Path(__file__).resolve().parents[1]
QUICK = {"systems": 40, "pooled": 22, "groups": 14, "topics": 16}  # a tenth of the lines
SETTLED = 2.5  # s; a file younger than two seconds may still change, so the cache does not trust its time
AGREE = 5e-5 + 1e-9  # a value with four decimals may lie between two of them


class DifferentWork(Exception):
    """Two sides of a row do not give the same numbers."""


class Job:
    """The track, and what several rows need of it, made when first asked for."""

    def __init__(self, folder, scratch, rounds):
        self.folder, self.scratch, self.rounds = folder, scratch, rounds
        self.runs, self.qrels = folder / "runs", folder / "qrels.txt"
        self.notes = []

    @cached_property
    def megabytes(self):
        return sum(path.stat().st_size for path in (self.qrels, *self.runs.iterdir())) / 1e6

    def load(self):
        return open_study(self.runs, self.qrels, cache=False)

    study = cached_property(load)

    def untouched(self):
        """The study with its arrays in memory and nothing worked out from them."""
        track = replace(self.study.track)
        judgments = replace(self.study.judgments, scale=replace(self.study.judgments.scale))
        return replace(self.study, track=track, whole=track, judgments=judgments)

    def read_dicts(self):
        """What pytrec_eval scores: {run: {topic: {document: score}}} and {topic: {document: grade}}."""
        import pytrec_eval

        runs = {}
        for path in sorted(self.runs.iterdir()):
            with open(path) as lines:
                runs[path.name] = pytrec_eval.parse_run(lines)
        with open(self.qrels) as lines:
            return runs, pytrec_eval.parse_qrel(lines)

    dicts = cached_property(read_dicts)

    @cached_property
    def pool_ranks(self):
        """{topic: {document: best rank from 0 that a contributing run gave it}}, of the documents in the qrels."""
        track, items = self.study.track, self.study.judgments.pooled_items
        found = {}
        for item, document in zip(items, track.documents(items), strict=True):
            found.setdefault(track.topics[track.topic_of_item[item]], {})[document] = int(self.study.pool_rank[item])
        return found

    def qrels_at(self, depth):
        """The dict of judgments cut at a pool depth."""
        _, qrels = self.dicts
        return {
            topic: {document: grade for document, grade in judged.items() if self.pool_ranks[topic][document] < depth}
            for topic, judged in qrels.items()
        }

    # -- the same numbers? -------------------------------------------------------------------------------------------

    @cached_property
    def untied_in_single_precision(self):
        """Rankings (S, Q) whose scores differ in single precision too: pytrec_eval keeps no other."""
        scores = self.study.track.scores
        return _one_only_if(scores.astype(np.float32), scores)

    @cached_property
    def untied(self):
        """Rankings (S, Q) whose tied documents are all alike to the qrels: ranx breaks ties as they come."""
        return _one_only_if(self.study.track.scores, self.study.judgments.level[self.study.track.items])

    def same(self, who, ours, theirs, names):
        """DifferentWork unless {run: {topic: {name: value}}} agrees with our arrays (S, Q), one a name.

        A ranking that the other side leaves out (a run without the topic) must be 0 here.
        """
        comparable, why = self.untied_in_single_precision, "scores that it rounds to ties"
        if who == "ranx":
            comparable, why = self.untied, "ties, which it orders otherwise"
        track = self.study.track
        for name, values in zip(names, ours, strict=True):
            other = np.array([[theirs[s].get(q, {}).get(name, 0.0) for q in track.queries] for s in track.systems])
            apart = np.where(comparable, np.abs(values - other), 0)
            if not (apart <= AGREE).all():
                s, q = np.unravel_index(np.argmax(np.nan_to_num(apart, nan=np.inf)), apart.shape)
                where = f"{name} of {track.systems[s]} on {track.queries[q]}"
                raise DifferentWork(f"{where}: {values[s, q]:.6f} here, {other[s, q]:.6f} by {who}.")
        self.notes.append(
            f"{who}: the same scores within {AGREE:.0e} in {comparable.sum():,} of {comparable.size:,} rankings; the "
            f"others hold {why}."
        )


def _one_only_if(keys, values):
    """Rankings (S, Q) in which neighbours with one key have one value. Both (S, Q, K)."""
    one = keys[..., 1:] == keys[..., :-1]
    return ~(one & (values[..., 1:] != values[..., :-1])).any(axis=2)


def scored(runs, qrels, measures):
    """pytrec_eval's scores of these runs: {run: {topic: {measure: value}}}."""
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(measures))
    return {name: evaluator.evaluate(run) for name, run in runs.items()}


def made(folder, quick):
    """The folder with the job's files, runs and qrels.txt; made where there is none."""
    if not folder.exists():
        say("making the files")
        parts = folder.with_name(f"{folder.name}.part")
        sizes = [text for name, size in QUICK.items() for text in (f"--{name}", str(size))] if quick else []
        command = [sys.executable, "-m", "sample_data.make", "--kind", "benchmark", "--no-gz", "--out", str(parts)]
        subprocess.run([*command, *sizes], check=True, cwd=ROOT)
        parts.rename(folder)
    youngest = max(path.stat().st_mtime for path in (folder / "runs").iterdir())
    time.sleep(max(0.0, SETTLED - (time.time() - youngest)))
    return folder


def script(name, *arguments, **environment):
    """Runs a file of this folder as a process of its own. -> what it printed"""
    command = [sys.executable, "-W", "ignore", str(ROOT / "benchmarks" / name), *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    return subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True).stdout


def say(text):
    print(text, "...", file=sys.stderr, flush=True)
