"""The faces of pairs: which are settled."""

from evalcore.sentences import number
from ui.pictures import pair_squares
from ui.views.view import View

STATES = (  # settled by judging, significant over topics
    (
        (True, True),
        "settled and significant",
        "known",
        "No judging can turn it, and over topics it is unlikely to be chance.",
    ),
    ((True, False), "settled alone", "good", "No judging can turn it; over topics it may be chance."),
    ((False, True), "significant alone", "possible", "Over topics it is unlikely to be chance; judging could turn it."),
    ((False, False), "neither", "grid", "Judging could turn it, and over topics it may be chance."),
)
STATE = {both: i for i, (both, *_) in enumerate(STATES)}


def verdicts(answer, look, *, order=None):
    """What is known of every pair, systems by systems. order : of the systems; None = those that lose least first"""
    return pair_squares(
        answer.table, order or _by_losses(answer.table), look, states=[(name, role) for _, name, role, _ in STATES],
        state=_state, said=lambda pair: f"{pair.difference:.4f}<br>p {pair.p_corrected:.3g}: {STATES[_state(pair)][1]}",
    )  # fmt: skip


def _state(pair):
    return STATE[pair.settled != "open", bool(pair.significant)]


def tiles(answer):
    counts = [_state(pair) for pair in answer.table.itertuples()]
    return [(name.capitalize(), number(counts.count(i)), means) for i, (_, name, _, means) in enumerate(STATES)]


def _by_losses(pairs):
    """The systems, by how many others are ahead of each."""
    behind = [pair.b if pair.difference > 0 else pair.a for pair in pairs.itertuples() if pair.difference]
    return sorted(dict.fromkeys([*pairs["a"], *pairs["b"]]), key=behind.count)


VIEWS = {"pairs": View("Every pair", verdicts, tiles, costly=True)}
