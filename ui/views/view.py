"""The view of a question: its figure, its tiles and the title of its table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalcore.answers import Answer


@dataclass(frozen=True)
class View:
    """One row of the table of views.

    title : of the question's table
    figure(answer, look, ...) makes a plain Plotly figure; keyword-only arguments are plain values that a page chooses
    panels : name -> what it shows, for several figures side by side; each is drawn with `panel=`
    tiles(answer) makes a few numbers: (label, value as text, help)
    shows : describes the figure in words, where the finding does not
    costly : whether to cache the figure
    """

    title: str
    figure: Callable[..., dict[str, Any]] | None = None
    tiles: Callable[..., Sequence[tuple[str, str, str | None]]] | None = None
    panels: dict[str, str] = field(default_factory=dict)
    shows: str = ""
    costly: bool = False

    def caption(self, title: str | None = None, panel: str | None = None) -> str:
        """Title of a figure: that of its table, or another, then the panel's."""
        return ": ".join(filter(None, [title or self.title, self.panels.get(panel or "")]))

    def alt(self, answer: Answer, panel: str | None = None) -> str:
        """Describe the figure in words, for screen readers."""
        words = self.shows or str(answer.finding) or self.title
        return f"{self.panels[panel]}. {words}" if panel else words
