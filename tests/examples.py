"""How many random examples the tests try: a fifth by default, all of them in .ci/run, five times as many on demand."""

import os
import zlib

SHARE = {"few": 0.2, "all": 1, "many": 5}[os.environ.get("POOLSCOPE_EXAMPLES", "few")]


def in_every_way(name):
    """Whether a case is also opened with the cache: all in .ci/run, by default a fifth, always the same."""
    return zlib.crc32(name.encode()) % 1000 < 1000 * SHARE


def examples(all_of_them):
    """The number to try of a test that has `all_of_them` in .ci/run."""
    return max(5, round(all_of_them * SHARE))
