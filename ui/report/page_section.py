"""The part of one page in the report."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from evalcore.answers import Answer
from evalcore.findings.caveats import in_one
from evalcore.findings.conclusion import Conclusion


@dataclass(frozen=True)
class PageSection:
    """The part of one page in the report.

    page, question : its name and title; findings : conclusions, the page's own first; tables : (title, answer)
    pictures : key -> (title, description, make(look=) which draws the figure)
    address : of the page with its choices, relative to the app's own; own : the visitor's note
    """

    page: str
    question: str
    findings: list[Conclusion]
    tables: list[tuple[str, Answer]]
    pictures: dict[str, tuple[str, str, Callable[..., Any]]] = field(default_factory=dict)
    address: str = ""
    own: str = ""

    @property
    def notes(self) -> list[str]:
        """Its caveats, each once, and the setting of its first finding."""
        setting = self.findings[0].setting
        caveats = in_one(caveat for finding in self.findings for caveat in finding.caveats)
        return [*caveats, f"Setting: {setting}."] if setting else caveats
