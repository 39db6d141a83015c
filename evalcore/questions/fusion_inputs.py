"""The inputs of fused runs: the score of the best input by topic, and the mean over all inputs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evalcore.fusion.fused_runs import Inputs
from evalcore.fusion.methods import Rule
from evalcore.questions.table_helpers import mean_of_known, scores_by_topic
from evalcore.study import study_fusion
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ, digits, listed, verb


def fused_study(study: Study, rule: Rule, inputs: Inputs) -> Study:
    """The study with nothing but what the rule makes of its inputs."""
    return replace(study, track=study_fusion.fused(study, rule, inputs))


@dataclass(frozen=True)
class InputScores:
    """What the best input and all of them on average score by topic, and the best's name. (T',)

    system : whose variations the inputs are, or ""
    names : the best input's, or of variations its query of every topic; called : in a word or two
    tied : the others that are as good, of which the first is taken
    every : what each input scores by topic, float (inputs, T'), of which the best is number `at`
    """

    system: str
    every: NDArray[np.float64]
    at: int
    mean: NDArray[np.float64]
    names: str | NDArray[np.object_]
    called: str
    tied: tuple[str, ...] = ()

    @property
    def best(self) -> NDArray[np.float64]:
        """What the best input scores by topic. float (T',)"""
        return self.every[self.at]


def study_of_inputs(study: Study, rule: Rule, inputs: Inputs) -> Study:
    """The study with nothing but the systems that the last step takes: over both, each with its variations fused."""
    if inputs.over == "both":
        return fused_study(study, rule, replace(inputs, over="variations", weights=None))
    return study.only(systems=[study.systems[system] for system in inputs.systems])


def scores_of_inputs(study: Study, over: str, metric: str) -> list[InputScores]:
    """The inputs of each fused system, from the study of them all. List of InputScores."""
    scores = scores_by_topic(study, metric)
    if over == "variations":
        return _variations_of(study, metric, scores)
    best = _best(scores)
    name = study.systems[best]
    called = name if over == "systems" else f"{name} with its variations fused"
    return [InputScores("", scores, best, mean_of_known(scores), name, called, _tied_with(best, scores, study.systems))]


def _variations_of(study, metric, scores):
    """The inputs of each system's own variations: the first of every topic, the second, ...; a topic that has fewer
    gives its last."""
    every = study_fusion.variations_of(study)
    of_topic = [every[topic] for topic in study.judged_topics]
    most = max(map(len, of_topic), default=0)
    nth = np.array([[queries[min(n, len(queries) - 1)] for queries in of_topic] for n in range(most)] or [[]], int)
    values = study.at().values(metric)[:, nth]
    values = np.where(study.counted[:, None], values, np.nan)
    names = np.array(study.track.queries, object)
    best = [_best(of_system) for of_system in values]
    return [
        InputScores(
            system, values[s], best[s], scores[s], names[nth[best[s]]], f"query {best[s] + 1}",
            _tied_with(best[s], values[s], [f"query {n + 1}" for n in range(most)]),
        )
        for s, system in enumerate(study.systems)
    ]  # fmt: skip


def _tied_with(best, scores, names):
    """The names of the others that have the best one's mean over topics."""
    means = mean_of_known(scores.T)
    return tuple(name for n, name in enumerate(names) if n != best and abs(means[n] - means[best]) < FUZZ)


def _best(scores):
    """Which of these has the highest mean over topics. scores : float (inputs, T')"""
    return int(np.argmax(np.nan_to_num(mean_of_known(scores.T), nan=-np.inf)))


def as_good(inputs: Sequence[InputScores], metric: str) -> Iterator[str]:
    """Which inputs are as good as the one that is called the best, where some are. inputs : list of InputScores"""
    tied = [tied_input for tied_input in inputs if tied_input.tied]
    if len(inputs) > 1 and tied:
        yield f"For {digits(len(tied), 'system')}, other queries are as good as the best one shown ({metric})."
    elif tied:
        equals = tied[0].tied
        yield f"{listed(equals)} {verb(len(equals), 'has', 'have')} the same {metric} as {tied[0].called}."
