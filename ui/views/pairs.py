"""Views of pairs: which are certain, and which significant."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from evalcore.answers import Answer
from evalcore.metrics.metrics import metric
from evalcore.vocabulary.sentences import number
from ui.text import interval_labels
from ui.views.charts import pair_squares
from ui.views.view import View

CERTAIN = "No further judging can reverse the order."
OPEN = "Unjudged documents or unfilled ranks could reverse the order."
UNKNOWN = "The bounds do not show whether the order could be reversed."
UNLIKELY = "Over topics, the difference is unlikely to be chance."
CHANCE = "Over topics, the difference may be chance."
STATES = (  # whether certain, whether significant
    ((True, True), "certain and significant", "known", f"{CERTAIN} {UNLIKELY}"),
    ((True, False), "certain only", "good", f"{CERTAIN} {CHANCE}"),
    ((False, True), "significant only", "possible", f"{OPEN} {UNLIKELY}"),
    ((False, False), "neither", "grid", f"{OPEN} {CHANCE}"),
)
UNWEIGHTED = (  # metrics without weights of ranks, whose bounds do not show every certain pair
    *STATES[:2],
    (*STATES[2][:3], f"{UNKNOWN} {UNLIKELY}"),
    (*STATES[3][:3], f"{UNKNOWN} {CHANCE}"),
)
UNBOUNDED = (
    ((False, True), "significant", "known", UNLIKELY),
    ((False, False), "not significant", "grid", CHANCE),
)


def verdicts(answer: Answer, look: dict[str, Any], *, order: Sequence[str] | None = None) -> dict[str, Any]:
    """Every pair's state, as a grid. order : of the systems; None = by how few others are ahead"""
    states = _states(answer)
    shown_states = [flags for flags, *_ in states]
    return pair_squares(
        answer.table, order or _by_losses(answer.table), look, states=[(name, role) for _, name, role, _ in states],
        state=[shown_states.index(flags) for flags in _both(answer.table)], p="p_corrected", in_words=True,
    )  # fmt: skip


def _states(answer):
    """The states that a pair can have with the metric of this answer."""
    measure = metric(answer.params["metric"])
    if not interval_labels.is_drawn(measure.kind):
        return UNBOUNDED
    return STATES if measure.weighted else UNWEIGHTED


def _both(pairs):
    """Whether each pair is certain, and whether it is significant."""
    return list(zip(pairs["settled"] != "open", pairs["significant"].astype(bool), strict=True))


def tiles(answer: Answer) -> list[tuple[str, str, str]]:
    """How many pairs are in each state."""
    counts = Counter(_both(answer.table))
    return [(name.capitalize(), number(counts[flags]), means) for flags, name, _, means in _states(answer)]


def _by_losses(pairs):
    """The systems, by how many others are ahead of each one."""
    rows = zip(pairs["a"], pairs["b"], pairs["difference"], strict=True)
    behind = Counter(b if difference > 0 else a for a, b, difference in rows if difference)
    return sorted(dict.fromkeys([*pairs["a"], *pairs["b"]]), key=lambda name: behind[name])


VIEWS = {"pairs": View("Every pair", verdicts, tiles, costly=True)}
