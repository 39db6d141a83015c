"""How many processes may answer slow questions."""

import os

from evalcore.vocabulary.validation import setting

SETTING = "POOLSCOPE_WORKERS"


def allowed() -> int:
    """Maximum number of workers: a setting, or one per processor, from 2 to 4."""
    return setting(SETTING, min(4, max(2, os.cpu_count() or 1)))
