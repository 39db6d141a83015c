"""Ask slow questions of the next pages in advance, most in worker processes, while nobody waits for a page."""

import contextlib
import math
import time
import weakref
from threading import Lock, Thread
from typing import Any

from evalcore.study.study import Study
from ui.components import choices
from ui.serving import workers
from ui.session import answers, memory

MODEST = 1 << 24  # documents in the rankings of a study that workers may be sent before anybody asks
MOST_SYSTEMS = 500  # whose pairs are compared before anybody asks
LOOK, AT_REST, LONGEST = 0.5, 0.2, 600  # seconds between two looks; the share of them that a resting server computes;
# seconds after which nothing more is asked in advance
ONE_AT_A_TIME = Lock()  # other workers stay free for questions that visitors wait for
FIRST: dict[str, dict[str, Any]] = {  # what takes seconds of what pages ask when they are opened, as they ask it
    "estimator_error": {"metric": choices.USUAL, "estimators": choices.COMPARED},
    "tukey_pairs": {"metric": choices.USUAL, "model": choices.FULLEST, "shards": choices.SHARDS[0]},
    "models": {"metric": choices.USUAL, "shards": choices.SHARDS[0]},
}


def look_ahead(study: Study) -> None:
    """Ask slow questions of the next pages in advance, once for a study that a visitor opens."""
    is_large = math.prod(study.track.shape) > MODEST or len(study.systems) > MOST_SYSTEMS
    if is_large or memory.get("looked-ahead") == study.digest:
        return
    memory.put("looked-ahead", study.digest)
    if any(workers.long(study, question) for question in FIRST):
        Thread(target=_ask, args=(weakref.ref(study), list(FIRST), answers.owner()), daemon=True).start()


def _comes_to_rest():
    """Wait until the server hardly computes. -> whether it came to that"""
    for _ in range(round(LONGEST / LOOK)):
        before = time.process_time()
        time.sleep(LOOK)
        if time.process_time() - before < LOOK * AT_REST:
            return True
    return False


def _ask(reference, questions, owner):
    for question in questions:
        with ONE_AT_A_TIME:
            if (study := reference() if _comes_to_rest() else None) is not None:
                with contextlib.suppress(ValueError):  # shown where it is asked for
                    answers.ask_ahead(study, question, whose=owner, **FIRST[question])
            del study  # it may be dropped meanwhile
