"""The face of a question: its figure, its labels and the title of its table."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class View:
    """One row of the table of views.

    title : of the question's table
    figure(answer, look, ...) gives a plain Plotly figure; keyword-only arguments are plain values that a page chooses
    panels : name -> what it shows, where there are several figures side by side; each is asked for as `panel=`
    tiles(answer) gives a few numbers: (label, value as text, help)
    shows : what the figure shows, in words, where that is not the finding
    costly : whether the figure is worth keeping
    """

    title: str
    figure: Callable | None = None
    tiles: Callable | None = None
    panels: dict = field(default_factory=dict)
    shows: str = ""
    costly: bool = False

    def caption(self, title=None, panel=None):
        """The title of a figure: that of its table, or another, and what the panel shows."""
        return ": ".join(filter(None, [title or self.title, self.panels.get(panel)]))

    def alt(self, answer, panel=None):
        """The figure in words, for those who cannot see it."""
        said = self.shows or str(answer.finding) or self.title
        return f"{self.panels[panel]}. {said}" if panel else said
