"""Ask slow questions of the next pages in advance, in worker processes."""

import contextlib
import math
import weakref
from threading import Lock, Thread

from ui.components import choices
from ui.serving import workers
from ui.session import answers, memory

MODEST = 1 << 24  # documents in the rankings of a study that workers may be sent before anybody asks
ONE_AT_A_TIME = Lock()  # other workers stay free for questions that visitors wait for
FIRST = {  # what takes seconds of what pages ask when they are opened, as they ask it
    "estimator_error": {"metric": choices.USUAL, "estimators": choices.COMPARED},
    "tukey_pairs": {"metric": choices.USUAL, "model": choices.FULLEST, "shards": choices.SHARDS[0]},
    "models": {"metric": choices.USUAL, "shards": choices.SHARDS[0]},
}


def look_ahead(study):
    """Ask slow questions of the next pages in advance, once for a study that a visitor opens."""
    if math.prod(study.track.shape) > MODEST or memory.get("looked-ahead") == study.digest:
        return
    memory.put("looked-ahead", study.digest)
    if questions := [question for question in FIRST if workers.long(study, question)]:
        Thread(target=_ask, args=(weakref.ref(study), questions, answers.owner()), daemon=True).start()


def _ask(reference, questions, owner):
    for question in questions:
        with ONE_AT_A_TIME:
            if (study := reference()) is not None:
                with contextlib.suppress(ValueError):  # shown where it is asked for
                    answers.ask_ahead(study, question, whose=owner, **FIRST[question])
            del study  # it may be dropped meanwhile
