"""What relevance judgments can and cannot establish about retrieval systems.

>>> import evalcore
>>> study = evalcore.open_study("runs/", "qrels.txt")
>>> evalcore.ask(study, "leaderboard", metric="RBP(p=0.95)", depth=10).table
"""

import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if sys.argv[:1] == ["-m"] and "evalcore" in sys.orig_argv and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # while the program is loaded, Ctrl-C ends it without a traceback

from evalcore.estimating.estimators import ESTIMATORS
from evalcore.estimating.rank_models import RANK_MODELS
from evalcore.metrics.metrics import METRICS, metric
from evalcore.reading.file_kinds import look
from evalcore.reading.loading import Finding, InputError, Problem, Source, Upload
from evalcore.study.opening import open_study
from evalcore.study.study import Study
from evalcore.version import __version__

if TYPE_CHECKING:
    from evalcore.answers import Answer, ask
    from evalcore.fusion.methods import FUSIONS, NORMALISATIONS
    from evalcore.large.open_blocked import open_within
    from evalcore.many_tracks.over_tracks import OverTracks, over_tracks
    from evalcore.pooling.judging_orders import JUDGING_ORDERS
    from evalcore.questions import QUESTIONS
    from evalcore.script import reopen
    from evalcore.statistics.anova import INTERVALS, MODELS
    from evalcore.statistics.setups import regime
    from evalcore.statistics.significance import CORRECTIONS, TESTS
else:
    WHEN_ASKED_FOR = {  # module -> its names: what opening and scoring do without
        "answers": ["Answer", "ask"],
        "fusion.methods": ["FUSIONS", "NORMALISATIONS"],
        "large.open_blocked": ["open_within"],
        "many_tracks.over_tracks": ["OverTracks", "over_tracks"],
        "pooling.judging_orders": ["JUDGING_ORDERS"],
        "questions": ["QUESTIONS"],
        "script": ["reopen"],
        "statistics.anova": ["INTERVALS", "MODELS"],
        "statistics.setups": ["regime"],
        "statistics.significance": ["CORRECTIONS", "TESTS"],
    }

    def __getattr__(name):
        for module, names in WHEN_ASKED_FOR.items():
            if name in names:
                return getattr(import_module(f"evalcore.{module}"), name)
        raise AttributeError(f"module 'evalcore' has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})


__all__ = [
    "CORRECTIONS",
    "ESTIMATORS",
    "FUSIONS",
    "INTERVALS",
    "JUDGING_ORDERS",
    "METRICS",
    "MODELS",
    "NORMALISATIONS",
    "QUESTIONS",
    "RANK_MODELS",
    "TESTS",
    "Answer",
    "Finding",
    "InputError",
    "OverTracks",
    "Problem",
    "Source",
    "Study",
    "Upload",
    "__version__",
    "ask",
    "look",
    "metric",
    "open_study",
    "open_within",
    "over_tracks",
    "regime",
    "reopen",
]
