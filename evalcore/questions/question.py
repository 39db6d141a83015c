"""A question: a function of a study and plain values, and the sentence that is true of its table."""

from collections.abc import Callable
from dataclasses import dataclass

from evalcore.names import Row, parameters
from evalcore.sentences import Sentence


def nothing(table, asked, study):
    """No sentence."""
    return Sentence("")


@dataclass(frozen=True)
class Question(Row):
    """One row of the table of questions.

    function(study, *, ...) gives a table, or a table and notes; finding(table, asked, study) the sentence that is true
    of it, a `Sentence`, `asked` being all parameters in full
    """

    finding: Callable = nothing

    @property
    def parameters(self):
        return {name: default for name, default in parameters(self.function).items() if name != "progress"}

    @property
    def takes_long(self):
        """Whether the function reports its progress, as `asking.ask` says."""
        return "progress" in parameters(self.function)
