"""The faces of pairs: which are settled."""

from collections import Counter

from evalcore.metrics import metric
from evalcore.sentences import number
from ui import kinds
from ui.pictures import pair_squares
from ui.views.view import View

OPEN = "What is not judged, or lies past the end of lists, could turn it"
STATES = (  # settled by judging, significant over topics
    (
        (True, True),
        "settled and significant",
        "known",
        "No judging can turn it, and over topics it is unlikely to be chance.",
    ),
    ((True, False), "settled alone", "good", "No judging can turn it; over topics it may be chance."),
    ((False, True), "significant alone", "possible", f"Over topics it is unlikely to be chance. {OPEN}."),
    ((False, False), "neither", "grid", f"{OPEN}, and over topics it may be chance."),
)
LEFT_OPEN = "Its intervals leave open whether anything could turn it"  # of a measure without weights, which show all
UNWEIGHTED = (
    *STATES[:2],
    (*STATES[2][:3], f"Over topics it is unlikely to be chance. {LEFT_OPEN}."),
    (*STATES[3][:3], f"{LEFT_OPEN}, and over topics it may be chance."),
)
UNBOUNDED = (  # by a measure without an interval that holds
    ((False, True), "significant", "known", "Over topics it is unlikely to be chance."),
    ((False, False), "not significant", "grid", "Over topics it may be chance."),
)


def verdicts(answer, look, *, order=None):
    """What is known of every pair, systems by systems. order : of the systems; None = those that lose least first"""
    states = _states(answer)
    there = [both for both, *_ in states]
    return pair_squares(
        answer.table, order or _by_losses(answer.table), look, states=[(name, role) for _, name, role, _ in states],
        state=[there.index(both) for both in _both(answer.table)], p="p_corrected", in_words=True,
    )  # fmt: skip


def _states(answer):
    """What can be told of a pair by the measure that was asked for."""
    asked = metric(answer.params["metric"])
    if not kinds.is_drawn(asked.kind):
        return UNBOUNDED
    return STATES if asked.weighted else UNWEIGHTED


def _both(pairs):
    """Of each pair whether it is settled, and whether significant."""
    return list(zip(pairs["settled"] != "open", pairs["significant"].astype(bool), strict=True))


def tiles(answer):
    """How many pairs are settled, significant, both or neither; where none can be settled, how many are significant."""
    counts = Counter(_both(answer.table))
    return [(name.capitalize(), number(counts[both]), means) for both, name, _, means in _states(answer)]


def _by_losses(pairs):
    """The systems, by how many others are ahead of each."""
    rows = zip(pairs["a"], pairs["b"], pairs["difference"], strict=True)
    behind = Counter(b if difference > 0 else a for a, b, difference in rows if difference)
    return sorted(dict.fromkeys([*pairs["a"], *pairs["b"]]), key=lambda name: behind[name])


VIEWS = {"pairs": View("Every pair", verdicts, tiles, costly=True)}
