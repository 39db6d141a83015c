"""Ask slow questions of the next pages in advance, in worker processes."""

import contextlib
import math
import weakref
from threading import Lock, Thread

from ui.components import choices
from ui.serving import workers
from ui.session import session

MODEST = 1 << 24  # documents in the rankings of a study that workers may be sent before anybody asks
ONE_AT_A_TIME = Lock()  # other workers stay free for questions that visitors wait for
FIRST = {  # what takes seconds of what pages ask when they are opened, as they ask it
    "estimator_error": {"metric": choices.USUAL, "estimators": choices.COMPARED},
    "tukey_pairs": {"metric": choices.USUAL, "model": choices.FULLEST, "shards": choices.SHARDS[0]},
    "models": {"metric": choices.USUAL, "shards": choices.SHARDS[0]},
}


def look_ahead(study):
    """Ask slow questions of the next pages in advance, once for a study that a visitor opens."""
    if math.prod(study.track.shape) > MODEST or session.remember("looked-ahead") == study.digest:
        return
    session.keep_in_mind("looked-ahead", study.digest)
    if questions := [question for question in FIRST if workers.long(study, question)]:
        Thread(target=_ask, args=(weakref.ref(study), questions, session.owner()), daemon=True).start()


def _ask(reference, questions, owner):
    for question in questions:
        with ONE_AT_A_TIME:
            if (study := reference()) is not None:
                with contextlib.suppress(ValueError):  # shown where it is asked for
                    session.ask_ahead(study, question, whose=owner, **FIRST[question])
            del study  # it may be dropped meanwhile
