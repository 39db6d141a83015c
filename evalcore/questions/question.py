"""A question: a function of a study and plain values, and the sentence that is true of its table."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evalcore import pool_doubt
from evalcore.names import Row, parameters
from evalcore.questions.cuts import in_force
from evalcore.sentences import Sentence, joined, known


def if_they_formed_the_pool(study):
    """What is taken for granted where nobody said who contributed; None where somebody did."""
    formed, doubtful = int(study.whole.pooled.sum()), len(study.pooling.doubtful)
    if study.pooling.how == "told":
        return None
    if study.pooling.how == "assumed":
        text = "{formed:Count system} {formed:verb is/are} taken to have formed the pool, which the files do not show."
        return Sentence(text, formed=formed)
    text = (
        "This rests on a guess: that the pool was formed by the {formed:digits system} that {formed:verb looks/look} "
    )
    holds = Sentence(text + "pooled", formed=formed)
    may = Sentence("{doubtful:small} more may have helped", doubtful=doubtful) if doubtful else None
    return joined(holds, may, end=".")


STAND_INS = {"judged_by_truth": "complete judgments", "judged_by_other": "second judgments"}


def by_whom(said, study):
    """The sentence with the judgments that stand in the place of the study's own named, where others do."""
    theirs = next((words for stands_in, words in STAND_INS.items() if stands_in in study.scope), None)
    if not (said and theirs):
        return said
    named = said.text.replace("all judgments", f"the {theirs}").replace("All judgments", f"The {theirs}")
    beside = "" if named != said.text else f" The judgments here are the {theirs}."
    return Sentence(named + beside, **said.facts)


def nothing(table, asked, study):
    """No sentence."""
    return Sentence("")


SPANS = {
    "scores": "reads scores by system and topic, judgments and lengths: made of the joined ones",
    "topics": "is told by each block of its topics, and put together",
    "track": "takes the rankings of all topics at once: refused, with the reason",
}


@dataclass(frozen=True)
class Question(Row):
    """One row of the table of questions.

    function(study, *, ...) gives a table, or a table and notes; finding(table, asked, study) the sentence that is true
    of it, a `Sentence`, `asked` being all parameters in full
    section : of docs/METHODS.md, where its numbers are defined
    spans : how it is answered of a track in blocks of topics (`blocks.open_blocks`), a name of `SPANS`; apart : why it
        is not, where it spans the "track"
    of_pool : whether the answer rests on who formed the pool, whatever is asked, or of_pool(asked, study) says whether;
        else it does so at a pool depth, and where it goes over depths
    figure(table) : the figure of the finding that rests on who contributed; where that is inferred, the finding ends
        with its least and its most over those that the files allow, written as `ranged` has it; figured(study, **asked)
        gives what it reads of the table where all of it takes longer
    """

    finding: Callable = nothing
    section: str = ""
    spans: str = ""
    apart: str = ""
    of_pool: bool | Callable = False
    figure: Callable | None = None
    ranged: str = ""
    figured: Callable | None = None

    def says(self, table, asked, study):
        """What is true of the table, and on which guess about the pool it rests. -> `Sentence`"""
        asked = in_force(asked, study)
        said = by_whom(self.finding(table, asked, study), study)
        rests = self.of_pool(asked, study) if callable(self.of_pool) else self.of_pool
        rests = rests or any(asked.get(name) is not None for name in ("depth", "judgments"))
        rests = rests or ("depths" in asked and list(asked["depths"] or ()) != [None])
        if not (said and rests):
            return said
        return joined(
            said, self._between(table, asked, study), if_they_formed_the_pool(study), by=" "
        )  # fmt: skip

    def _between(self, table, asked, study):
        """The least and the most that the figure may be, whoever of those in doubt contributed; None where both are
        written alike."""
        if not self.figure or study.pooling.how != "found":
            return None
        sets, figures = pool_doubt.contributors_in_doubt(study), [self.figure(table)]
        for who in sets:
            if (who != study.whole.pooled).any():
                figures += self._figures(pool_doubt.in_the_place_of(study, who), asked)
        known_ones = [one for one in figures if known(one)]
        if not known_ones:
            return None
        least, most = min(known_ones), max(known_ones)
        if str(Sentence(self.ranged, **self._range(least, least))) == str(
            Sentence(self.ranged, **self._range(most, most))
        ):
            return None
        doubt = np.count_nonzero(np.any(sets, axis=0) & ~np.all(sets, axis=0))
        text = f"Depending on whether {{doubt:count system}} in doubt contributed, {self.ranged}."
        return Sentence(text, doubt=doubt, **self._range(least, most))

    def _range(self, least, most):
        """The two facts of the range under the names that `ranged` gives them, each question its own."""
        return dict(zip(re.findall(r"{(\w+):", self.ranged), (least, most), strict=True))

    def _figures(self, study, asked):
        """The figure of a study, none where the question is refused. A list."""
        try:
            answer = (self.figured or self.function)(study, **asked)
        except ValueError:
            return []
        return [self.figure(answer[0] if isinstance(answer, tuple) else answer)]

    @property
    def parameters(self):
        return {name: default for name, default in parameters(self.function).items() if name != "progress"}

    @property
    def takes_long(self):
        """Whether the function reports its progress, as `asking.ask` says."""
        return "progress" in parameters(self.function)
