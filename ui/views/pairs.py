"""The faces of pairs: which are settled."""

from ui.pictures import pair_squares
from ui.views.view import View

VERDICTS = (("certain", "known"), ("likely", "possible"), ("open", "grid"))
STATE = {verdict: i for i, (verdict, _) in enumerate(VERDICTS)}


def verdicts(answer, look, *, order=None):
    """What is known of every pair, systems by systems. order : of the systems; None = those that lose least first"""
    return pair_squares(
        answer.table, order or _by_losses(answer.table), look, states=VERDICTS,
        state=lambda pair: STATE[pair.verdict],
        said=lambda pair: f"{pair.difference:.4f}<br>p {pair.p_corrected:.3g}: {pair.verdict}",
    )  # fmt: skip


def _by_losses(pairs):
    """The systems, by how many others are ahead of each."""
    behind = [pair.b if pair.difference > 0 else pair.a for pair in pairs.itertuples() if pair.difference]
    return sorted(dict.fromkeys([*pairs["a"], *pairs["b"]]), key=behind.count)


VIEWS = {"pairs": View("Every pair", verdicts, costly=True)}
