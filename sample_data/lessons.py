"""What a sample shows in a lecture: sentences for its README, with numbers computed from the written files."""

from pathlib import Path

import evalcore
from evalcore.questions.fusion import way
from evalcore.vocabulary.sentences import figure, score

METRIC, DEPTH, LEVEL = "nDCG@10", 5, 0.05
PLAUSIBLE, MOST = (0.35, 0.7), 0.8  # scores as real tracks have them, of so large a share of the systems
INPUTS, RULE = 5, "rbc(phi=0.9)"


def lessons(folder):
    """What the track in a folder shows, a sentence for each lesson that is true of it."""
    folder = Path(folder)
    study = evalcore.open_study(
        folder / "runs", folder / "qrels.txt", systems=folder / "systems.tsv", queries=folder / "queries.tsv",
        truth=folder / "qrels.complete.txt.gz", cache=False,
    )  # fmt: skip
    board, complete = (
        evalcore.ask(one, "leaderboard", metric=METRIC).table.set_index("system")
        for one in (study, study.judged_by_truth)
    )
    shown = (_plausible(board), _underestimated(board, complete), _fused(study, board), _swapped(study))
    return [sentence for sentence in shown if sentence]


def _plausible(board):
    """How many systems score as those of real tracks do; None where too few do."""
    low, high = PLAUSIBLE
    inside, best = board["value"].between(low, high).sum(), board["value"].max()
    if inside < MOST * len(board) or best > high:
        return None
    return (
        f"Scores are plausible: on {METRIC}, {inside} of {len(board)} systems score {score(low)}–{score(high)}, and "
        f"the best {score(best)}."
    )


def _underestimated(board, complete):
    """The new system whose score its judgments underestimate most; None if they underestimate none."""
    loss = (complete["value"] - board["value"])[~board["pooled"]]
    if not loss.max() > 0:
        return None
    name = loss.idxmax()
    before, after = (f"{score(one['value'][name])} (rank {one['rank'][name]:.0f})" for one in (board, complete))
    return (
        f"A system that did not contribute scores too low: on {METRIC}, `{name}` has {before} with the pool's "
        f"judgments and {after} with the complete ones."
    )


def _fused(study, board):
    """What fusing the best gains over the best of them; None where that is not significant."""
    inputs, k = list(board.index[:INPUTS]), int(study.track.lengths.max())
    params = {"systems": inputs, "methods": [RULE], "metrics": [METRIC], "k": k}
    gain = evalcore.ask(study, "fusion_scores", **params).table.iloc[0]
    if not gain["better"]:
        return None
    rule = way(gain["method"], gain["phi"])
    return (
        f"A fused run is better than its best input: the {INPUTS} best on {METRIC}, fused with {rule} down to "
        f"rank {k}, score {score(gain['value'])}; `{gain['best']}` scores {score(gain['best_input'])} "
        f"(paired t-test, {_p(gain['p'])})."
    )


def _swapped(study):
    """Two systems that differ significantly with a shallow pool, and swap with complete judgments; None if none do."""
    row = evalcore.ask(study, "wrong_pairs", metric=METRIC, depths=[DEPTH]).table.iloc[0]
    if not row["p"] < LEVEL:
        return None
    two = study.judged_by_truth.only(systems=[row["a"], row["b"]])
    p = evalcore.ask(two, "pairs", metric=METRIC, correction="none").table["p"][0]
    above, below = figure(row["difference"]), figure(-row["difference_final"])
    return (
        f"A significant pair swaps: at pool depth {DEPTH}, `{row['a']}` leads `{row['b']}` by {above} on {METRIC} "
        f"(paired t-test, {_p(row['p'])}), but trails it by {below} with the complete judgments ({_p(p)})."
    )


def _p(p):
    return f"p = {figure(p)}" if p >= 0.0005 else "p < .001"
