"""A question: a function of a study and plain values."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from evalcore.study.study import Study
from evalcore.vocabulary.registry import Row, parameters

SMALL, LARGE = 1 << 18, 1 << 21  # for `long_from`


@dataclass(frozen=True)
class Across:
    """How tracks are compared by their answers: by one number of each.

    label : what the number is, for people
    value : its column, or a function of the rows that gives it
    says : what a track shows if its number is larger, and if it is smaller, than what it is compared with: templates of
        the keys, and of `other`
    against : what it is compared with: a number, or another value of the last key
    keys : the columns that say which rows of the answer, with the value of each at first
    params(metric, **keys) : the parameters of the question for a visitor's choices
    fits(metric) : whether the answers for a metric (`metrics.intervals.Metric`) have the number
    interval(rows) : its low and its high end; interval_is : in words
    caveat : an assumption that could change the answer
    written : how texts write it, see `vocabulary.sentences.WAYS`
    """

    label: str
    value: str | Callable[[pd.DataFrame], float]
    says: tuple[str, str]
    against: Any
    keys: dict[str, Any] = field(default_factory=dict)
    params: Callable[..., dict[str, Any]] = lambda metric: {"metric": metric}
    fits: Callable[[Any], bool] = lambda metric: True
    interval: Callable[[pd.DataFrame], tuple[float, float]] | None = None
    interval_is: str = ""
    caveat: str = ""
    written: str = "score"

    @property
    def last(self) -> str:
        """The last of its keys, of which two values may be compared; "" for none."""
        return next(reversed(self.keys), "")


@dataclass(frozen=True)
class Question(Row):
    """One row of the table of questions.

    function(study, *, ...) gives a table, or a table and notes; `evalcore.findings` says what is in it
    columns : the names of its table's columns, in one text; `evalcore.columns` has their meanings
    section : of docs/METHODS.md, where its numbers are defined
    long_from : the size of a study, in documents of its rankings, from which the answer takes a second or more
    of_pool : whether the answer always depends on which systems contributed; else of_pool_if(params, study) says
        whether; without one, it does at a pool depth, and over several depths
    files : those that may be given with the question, such as `other`: the study is asked with them
    needs_judgments : whether there is no answer for a track without any
    across : how many tracks are compared by it, None = not by one number
    figure(table) : the figure that rests on who contributed; where that is inferred, a caveat gives its least and its
        most over those that the files allow, in the words `figure_range`; figured(study, **asked) gives what it reads
        of the table where all of it takes longer; figure_margin : the share by which both ends lie further out
    """

    section: str = ""
    columns: str = ""
    long_from: float = math.inf
    of_pool: bool = False
    of_pool_if: Callable[[dict[str, Any], Study], bool] | None = None
    figure: Callable[[pd.DataFrame], float] | None = None
    figured: Callable[..., pd.DataFrame] | None = None
    figure_range: str = ""
    figure_margin: float = 0.0
    files: tuple[str, ...] = ()
    needs_judgments: bool = True
    across: Across | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        own = {name: default for name, default in parameters(self.function).items() if name != "progress"}
        return own | dict.fromkeys(self.files)

    def table(self, rows: Iterable[Sequence[Any]]) -> pd.DataFrame:
        """Rows of values, in the order of its columns, as a table."""
        return pd.DataFrame(rows, columns=self.columns.split())

    @property
    def order(self) -> list[int]:
        """Its place among the questions: that of its section."""
        return [int(number) for number in self.section.split(".")]

    @property
    def takes_long(self) -> bool:
        """Whether the function reports its progress, as `answers.ask` says."""
        return "progress" in parameters(self.function)
