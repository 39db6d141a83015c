"""Tracks as a study opens them, with what is found when runs and judgments are put together."""

from functools import partial

from evalcore.matching import file_checks
from evalcore.reading import loading

load = partial(loading.load, check=file_checks.findings)
