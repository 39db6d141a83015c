"""How many topics: to find a difference, and what those at hand can find."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.questions.pairs import topic_scores
from evalcore.questions.question import Question
from evalcore.statistics import power as of_tests
from evalcore.statistics.anova import MODELS, Anova
from evalcore.study.study import Study
from evalcore.vocabulary.registry import by_name

DIFFERENCES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2)


def topics_needed(
    study: Study, *, metric: str = "RBP(p=0.8)", depth: int | None = None, differences: Sequence[float] = DIFFERENCES,
    power: float = 0.8, level: float = 0.05, systems: str | Sequence[str] = "all",
) -> pd.DataFrame:  # fmt: skip
    """How many topics a comparison of two systems needs to find a difference, by its size.

    The variance of the differences is that of two average systems, twice the error mean square of the model of topics
    and systems [Sak16]. The first row is the smallest difference that these topics show so often. METHODS 8.9.
    """
    scores = topic_scores(study, systems, metric=metric, depth=depth)
    scores = scores[:, ~np.isnan(scores).any(axis=0)]
    T = scores.shape[1]
    if T < 2:
        raise ValueError("fewer than two topics count for every system. Choose other systems.")
    deviation = np.sqrt(2 * Anova(scores[:, :, None], MODELS["MD1"]).error)
    if not deviation > 0:
        raise ValueError("all systems differ alike on every topic, so one topic shows every difference.")
    smallest = of_tests.smallest_effect(T, power, level) * deviation
    rows = [
        {
            "difference": difference,
            "effect_size": difference / deviation,
            "power": float(of_tests.power(difference / deviation, T, level)),
            "topics_needed": T if nth == 0 else of_tests.topics_needed(difference / deviation, power, level),
            "n": T,
        }
        for nth, difference in enumerate((smallest, *sorted(differences)))
    ]
    return pd.DataFrame(rows)


QUESTIONS = by_name(
    Question("topics_needed", topics_needed, section="8.9", columns="difference effect_size power topics_needed n"),
)  # fmt: skip
