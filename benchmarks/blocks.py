"""A track read in blocks of topics: time and memory compared with one process that reads it at once and with
ir_measures run by run, and how the work grows: python benchmarks/blocks.py --help

Every way is a process of its own that scores all runs by the seven measures of `cold.py`; the two workers of
a Dask cluster read and one process scores. The track is one of 500 topics again and again, under other topic names.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cold import IR_MEASURES, MEASURES

ROOT = Path(__file__).resolve().parents[1]
ONCE = 500  # topics that are really made
GROWING = ("leaderboard", "pairs", "leave_out", "fusion_topics", "estimator_error", "models")


def made(folder, topics, systems):
    """A folder with a track of so many topics and systems; made where there is none."""
    if (folder / "qrels.txt").exists():
        return folder
    once = min(topics, ONCE)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        command = [sys.executable, "-m", "sample_data.make", "--kind", "benchmark", "--no-gz", "--out", scratch]
        sizes = {
            "systems": systems,
            "pooled": max(2, 3 * systems // 4),
            "groups": min(40, max(2, systems // 2)),
            "topics": once,
        }
        subprocess.run([*command, *(f"--{name}={size}" for name, size in sizes.items())], check=True, cwd=ROOT)
        (folder / "runs").mkdir(parents=True, exist_ok=True)
        (folder / "systems.tsv").write_bytes((Path(scratch) / "systems.tsv").read_bytes())
        for path in [*(Path(scratch) / "runs").iterdir(), Path(scratch) / "qrels.txt"]:
            _again_and_again(path, folder / path.relative_to(scratch), topics)
    return folder


def _again_and_again(path, to, topics):
    """The lines of a file with a number before their topics: 1401, 1402, ..., 2401, ..."""
    text = path.read_bytes()
    names = list(dict.fromkeys(re.findall(rb"^\S+", text, re.MULTILINE)))
    with open(to, "wb") as file:
        for again in range(-(-topics // ONCE)):
            left = topics - again * ONCE
            some = text if left >= len(names) else text[: text.index(b"\n" + names[left] + b" ") + 1]
            number = b"%d" % (again + 1)
            file.write(number + some[:-1].replace(b"\n", b"\n" + number) + b"\n")


# Ways, each in a process of its own


def whole(folder, memory):
    from evalcore import open_study

    reading = open_study(folder / "runs", folder / "qrels.txt", systems=folder / "systems.tsv", cache=False).at()
    return [reading.values(name) for name in MEASURES]


def blocks(folder, memory, **more):
    from evalcore.large.open_blocked import open_blocks

    study = open_blocks(folder / "runs", folder / "qrels.txt", folder / "systems.tsv", memory=memory, **more)
    return [study.at().values(name) for name in MEASURES]


def workers(folder, memory):
    from distributed import LocalCluster

    from evalcore.large.executors import Cluster

    limit = {"memory_limit": int(memory), "dashboard_address": None}
    with LocalCluster(n_workers=2, threads_per_worker=1, **limit) as cluster:
        each = Cluster(cluster.scheduler_address)
        found = blocks(folder, memory, each=each)
        peaks = each.client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        print(json.dumps({"worker": max(peaks.values()) / 1e6}))
        each.client.close()
    return found


def ir_measures(folder, memory):
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in IR_MEASURES]
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt")))
    evaluator = ir_measures.evaluator(measures, qrels)
    paths = sorted((folder / "runs").iterdir())[: int(os.environ.get("RUNS", 10**6))]
    return [list(evaluator.iter_calc(ir_measures.read_trec_run(str(path)))) for path in paths]


def grow(folder, memory):
    """CPU seconds of a load and of some questions."""
    import evalcore

    start, took = time.process_time(), {}
    study = evalcore.open_study(folder / "runs", folder / "qrels.txt", systems=folder / "systems.tsv", cache=False)
    took["load"] = time.process_time() - start
    for question in GROWING:
        params = {"metric": "AP"} if question == "leave_out" else {}
        params |= {"depths": [10], "estimators": ["lower", "two-stage-b"]} if question == "estimator_error" else {}
        start = time.process_time()
        evalcore.ask(study, question, **params)
        took[question] = time.process_time() - start
    print(json.dumps(took))


WAYS = {way.__name__: way for way in (blocks, workers, whole, ir_measures, grow)}


def timed(way, folder, memory, **environment):
    """Wall and CPU seconds of a way as a process of its own, with its workers, its peak in GB, and what it printed."""
    with tempfile.TemporaryDirectory() as cache:
        set_to = {"PYTHONPATH": str(ROOT), "POOLSCOPE_CACHE": cache, "POOLSCOPE_MEMORY_BYTES": str(1 << 40)}
        command = [sys.executable, "-W", "ignore", __file__, way, str(folder), str(memory)]
        start = time.perf_counter()
        process = subprocess.Popen(command, env=os.environ | set_to | environment, stdout=subprocess.PIPE, text=True)
        printed = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{way} failed on {folder}.")
    said = json.loads(printed.splitlines()[-1]) if printed.strip() else {}
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--topics", type=int, default=700, help="6980 are as many as MS MARCO has")
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--memory", type=float, default=4e9, help="bytes that a worker may take")
    parser.add_argument("--folder", type=Path, help="where tracks are made and kept")
    parser.add_argument("--ways", nargs="+", default=["blocks", "workers", "whole", "ir_measures"], choices=WAYS)
    parser.add_argument("--runs", type=int, help="how many runs ir_measures scores; the time of all is a product")
    parser.add_argument("--growth", action="store_true", help="CPU time at 1, 3 and 10 times 50 topics and 20 systems")
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp())
    if asked.growth:
        sizes = [(50, 20), (150, 20), (500, 20), (50, 60), (50, 200)]
        found = {size: timed("grow", made(folder / "{}x{}".format(*size), *size), asked.memory)[3] for size in sizes}
        print("| CPU s | " + " | ".join(f"{t} topics x {s}" for t, s in sizes) + " |")
        print("|" + " --- |" * (len(sizes) + 1))
        for what in found[sizes[0]]:
            first = found[sizes[0]][what]
            cells = [f"{found[size][what]:.2f} ({found[size][what] / first:.1f})" for size in sizes]
            print(f"| {what} | {' | '.join(cells)} |")
        return
    track = made(folder / f"{asked.topics}x{asked.systems}", asked.topics, asked.systems)
    print("| way | wall s | CPU s | peak GB |\n| --- | --- | --- | --- |")
    for way in asked.ways:
        few = {"RUNS": str(asked.runs)} if way == "ir_measures" and asked.runs else {}
        wall, cpu, peak, said = timed(way, track, asked.memory, **few)
        times = asked.systems / asked.runs if few else 1
        print(f"| {way} | {times * wall:.0f} | {times * cpu:.0f} | {said.get('worker', peak):.2f} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] in WAYS:
        WAYS[sys.argv[1]](Path(sys.argv[2]), float(sys.argv[3]))
    else:
        main()
