"""Many visitors at a time: python benchmarks/visitors.py FOLDER [--visitors 20] [--pause 4] [--minutes 1]

Starts the app on FOLDER/runs and FOLDER/qrels.txt and visits it as browsers do, over its socket, without drawing
anything. Everybody opens the track at the same moment; then each makes a choice every `--pause` seconds: another page,
or another value of one of the page's choices (the same one once more no browser asks for). Prints what the server took
from a choice to the end of its page, what failed, whose page showed another visitor's choice, and how much memory the
server holds.
"""

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

from serving import Server, given
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

MEASURES = ("RBP(p=0.95)", "RBP(p=0.8)", "P@10", "nDCG@10", "AP")
DEPTHS = ("all", 1, 5, 7, 10)
CHOICES = {  # page -> what a visitor chooses there
    "pool_depth": {"metric": MEASURES, "depth": DEPTHS},
    "scores": {"metric": MEASURES, "depth": DEPTHS, "system": "systems"},
    "new_systems": {"metric": MEASURES[:4], "system": "systems"},
    "orderings": {"metric": MEASURES, "depth": DEPTHS},
    "confidence": {"metric": MEASURES[:4], "shards": (2, 3, 5), "model": ("MD1", "MD2", "MD6")},
    "estimators": {"metric": MEASURES[:3], "shallow": (1, 5, 10)},
    "fusion": {"metric": MEASURES, "rule": ("RBC(phi=0.9)", "CombSUM", "CombMNZ", "Borda")},
    "judgments": {"metric": MEASURES[:2], "budget": (20, 50, 100, 200)},
    "data": {"k": (5, 10, 20, 50)},
}
FOLLOWS = "new_systems"  # the page that takes the depth that was chosen on another one, into its address too


class Visitor:
    """One browser tab. Seconds go into `took`, (page, choices) -> finding into `saw`, what is wrong into `failed`."""

    def __init__(self, number, port, systems):
        self.number, self.port = number, port
        self.random = random.Random(number)
        self.systems, self.depth = systems, None
        self.took, self.saw, self.failed, self.bytes = [], [], [], 0

    async def visit(self, until, pause):
        async with connect(
            f"ws://localhost:{self.port}/_stcore/stream", subprotocols=["streamlit"], max_size=None
        ) as socket:
            self.socket = socket
            page, choices = "pool_depth", self.first_choices("pool_depth")
            self.opening = await self.ask(page, choices)
            while time.monotonic() < until:
                await asyncio.sleep(self.random.uniform(0.5, 1.5) * pause)
                if self.random.random() < 0.2:
                    page = self.random.choice([other for other in CHOICES if other != page])
                    choices = self.first_choices(page)
                else:
                    name = self.random.choice(list(CHOICES[page]))
                    others = [value for value in self.values(page, name) if value != choices[name]]
                    choices = choices | {name: self.random.choice(others)}
                self.took.append((page, choices, await self.ask(page, choices)))

    def first_choices(self, page):
        """All of a page's choices: what an address is silent of depends on what was chosen before."""
        return {name: self.values(page, name)[0] for name in CHOICES[page]}

    def values(self, page, name):
        """What can be chosen there."""
        values = CHOICES[page][name]
        return self.systems if values == "systems" else values

    async def ask(self, page, choices):
        """Seconds from the choice to the end of the page."""
        if page != "pool_depth":  # whose slider says it by a script, which nobody runs here
            self.depth = choices.get("depth", self.depth)  # the last one that was chosen
        followed = {"depth": self.depth} if page == FOLLOWS and self.depth else {}
        asked = BackMsg()
        asked.rerun_script.page_name = page
        asked.rerun_script.query_string = urlencode({"study": "folder", **choices, **followed})
        asked.rerun_script.context_info.timezone = "UTC"
        began, found = time.perf_counter(), {}
        await self.socket.send(asked.SerializeToString())
        async for data in self.socket:
            self.bytes += len(data)
            said = ForwardMsg.FromString(data)
            kind = said.WhichOneof("type")
            if kind == "delta":
                found[tuple(said.metadata.delta_path)] = self.read(said.delta.new_element, page, choices)
            elif kind == "script_finished":
                if said.script_finished != ForwardMsg.FINISHED_SUCCESSFULLY:
                    continue  # a run that a later one took the place of
                sentences = tuple(text for _, text in sorted(found.items()) if text)
                self.saw.append(((page, json.dumps(choices), self.depth), sentences))
                return time.perf_counter() - began
        raise ConnectionError("the server hung up")

    def read(self, element, page, choices):
        """The sentence that an element is, or None; what is wrong is noted."""
        kind = element.WhichOneof("type")
        if kind == "exception" or (kind == "alert" and element.alert.format == element.alert.ERROR):
            what = element.exception.message if kind == "exception" else element.alert.body
            self.failed.append(f"{page} {choices}: {what[:200]}")
        return element.markdown.body if kind == "markdown" else None


async def crowd(port, systems, visitors, pause, minutes):
    """All of these visits at the same time."""
    until = time.monotonic() + 60 * minutes
    come = [Visitor(number, port, systems) for number in range(visitors)]
    for one, ended in zip(come, await asyncio.gather(*(v.visit(until, pause) for v in come), return_exceptions=True),
                          strict=True):  # fmt: skip
        if ended is not None:
            one.failed.append(repr(ended))
    return come


def summed_up(come, held):
    """What is printed, as plain values."""
    seconds = sorted(took for one in come for *_, took in one.took)
    cuts = quantiles(seconds, n=20) if len(seconds) > 1 else [0.0] * 19
    seen = {}
    for one in come:
        for asked, said in one.saw:
            seen.setdefault(asked, {}).setdefault(said, []).append(one.number)
    by_page = {}
    for page, _, took in (row for one in come for row in one.took):
        by_page.setdefault(page, []).append(took)
    slowest = sorted((row for one in come for row in one.took), key=lambda row: -row[2])[:10]
    return {
        "choices": len(seconds),
        "median": median(seconds),
        "p95": cuts[18],
        "slowest": [[page, choices, round(took, 2)] for page, choices, took in slowest],
        "by page": {page: round(median(taken), 3) for page, taken in sorted(by_page.items())},
        "opening": [round(min(one.opening for one in come), 2), round(max(one.opening for one in come), 2)],
        "failed": [failure for one in come for failure in one.failed],
        "pages that differ between visitors": [
            [asked, *((sorted({*one} - {*other})[:2], sorted({*other} - {*one})[:2]) for one, other in pairwise(said))]
            for asked, said in seen.items()
            if len(said) > 1
        ],
        "MB at the end": held >> 20,
        "MB sent": sum(one.bytes for one in come) >> 20,
    }


def main():
    """Visits, and prints what was found as JSON."""
    said = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    said.add_argument("folder", type=Path)
    said.add_argument("--visitors", type=int, default=20)
    said.add_argument("--pause", type=float, default=4, help="seconds between two choices, on average")
    said.add_argument("--minutes", type=float, default=1)
    said.add_argument("--port", type=int, default=0, help="of a server that is there already; 0 = starts one")
    said = said.parse_args()
    folder = said.folder.resolve()
    systems = sorted(path.name.removesuffix(".gz").removesuffix(".run") for path in (folder / "runs").iterdir())
    with tempfile.TemporaryDirectory() as cache, contextlib.ExitStack() as ended:
        server = None if said.port else ended.enter_context(Server(given(folder), cache))
        port = server.port if server else said.port
        come = asyncio.run(crowd(port, systems, said.visitors, said.pause, said.minutes))
        print(json.dumps(summed_up(come, server.memory() if server else 0), indent=1))


if __name__ == "__main__":
    main()
