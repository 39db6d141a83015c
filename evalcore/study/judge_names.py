"""How judges are called, and what kinds of them there are."""

import re
from pathlib import PurePath

REFERENCE = "reference"  # what the study's own judgments are called among judges
KINDS = ("model", "people")  # of judges
LEVEL = re.compile(r"\d+|\d*\.\d+")
ENDINGS = (".gz", ".lz4", ".parquet", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".xlsx", ".qrels", ".qrel")


def judge_name(file: object) -> str:
    """The name of a judge whose file (a path or a name) has none: the file's, without what says how it is packed."""
    name = PurePath(str(file)).name
    for _ in range(2):
        name = name.removesuffix(next((end for end in ENDINGS if name.lower().endswith(end)), ""))
    return name.removeprefix("qrels.") or str(file)


def judge_of(word: object) -> tuple[str, str, float | None]:
    """The name of a judge, its file, and its lowest relevant grade or None, from FILE, NAME=FILE or NAME=FILE:GRADE."""
    name, _, file = str(word).rpartition("=")
    path, _, level = file.rpartition(":")
    if path and LEVEL.fullmatch(level):
        return name or judge_name(path), path, float(level) if "." in level else int(level)
    return name or judge_name(file), file, None
