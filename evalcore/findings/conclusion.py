"""What an answer says: a headline, one more sentence, caveats and the setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evalcore.vocabulary.sentences import written


@dataclass(frozen=True)
class Conclusion:
    """What an answer says, in whole sentences. `str` gives headline and detail.

    headline : the answer to the question, which makes sense alone
    detail : one more sentence
    caveats : assumptions that could change the answer, each a sentence
    setting : metric, judgments, model and the like, in short
    facts : name -> value, of every number and name in these sentences
    plain : the answer in everyday words, without codes or p, for the first screen of a page; "" = the headline
    """

    headline: str = ""
    detail: str = ""
    caveats: tuple[str, ...] = ()
    setting: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    plain: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.headline, self.detail)))

    def __bool__(self) -> bool:
        return bool(self.headline)

    def is_part_of(self, other: Conclusion) -> bool:
        """Whether another conclusion says all of this one: the same sentences, or all of its facts."""
        facts = self.facts and all(name in other.facts and other.facts[name] == self.facts[name] for name in self.facts)
        return str(self) == str(other) or bool(facts)

    @property
    def on_screen(self) -> tuple[str, str]:
        """The first sentence and the rest, as the first screen of a page shows them: plain if there are plain words."""
        first, _, rest = self.plain.partition(". ")
        return (f"{first}." if rest else first, rest) if self.plain else (self.headline, self.detail)

    @property
    def lines(self) -> list[str]:
        """All of it, a line for each part: what print, the command line and a notebook show."""
        return [line for line in (str(self), *self.caveats, self.setting) if line]


NOTHING = Conclusion()


def conclude(
    headline: str,
    detail: str = "",
    *,
    caveats: Sequence[str] = (),
    plainly: str = "",
    words: Mapping[str, str] | None = None,
    **facts: Any,
) -> Conclusion:
    """The conclusion of templates and the facts that they name, such as `{n} systems score {value:score}.`

    plainly : the template of `plain`
    words : name -> what the templates call something in this case, each a template; facts : may be more than they name
    """
    facts = {name: value.item() if hasattr(value, "item") else value for name, value in facts.items()}
    named = facts | {name: written(template, facts) for name, template in (words or {}).items()}
    headline, detail, plain = (written(template, named) for template in (headline, detail, plainly))
    return Conclusion(headline, detail, tuple(caveats), facts=facts, plain=plain)


def with_detail(first: Conclusion, second: Conclusion) -> Conclusion:
    """The first conclusion with the headline of the second as its detail, for a page that asks two questions."""
    caveats = tuple(dict.fromkeys([*first.caveats, *second.caveats]))
    return replace(first, detail=second.headline, caveats=caveats, facts=first.facts | second.facts)


TOO_LITTLE = {  # what is lacking -> what that means, and what to do
    "judgments": (
        "Nothing can be scored: no topic of these runs has judgments.",
        "Load judgments of these topics on the Data page.",
    ),
    "systems": ("Nothing can be compared: fewer than two systems have a score.", "Add another run on the Data page."),
    "score": (
        "There is no score: none of these systems has a topic that counts.",
        "Check topics and judgments on the Data page.",
    ),
    "order": ("All systems have the same score, so there is no order to compare.", "Choose another metric."),
    "setups": (
        "Nothing can be compared: fewer than two setups give systems different scores.",
        "Choose another setup, or another metric.",
    ),
    "queries": ("No topic has two queries to compare.", "Load query variations on the Data page."),
}


def too_little(lacking: str, **facts: Any) -> Conclusion:
    """The conclusion where there is too little to answer. lacking : a name of TOO_LITTLE"""
    return conclude(*TOO_LITTLE[lacking], **facts)
