"""What a sample shows in a lecture: sentences for its README, with numbers asked of the files that were written."""

from pathlib import Path

import evalcore
from evalcore.sentences import figure, score

METRIC, DEPTH, LEVEL = "nDCG@10", 5, 0.05
PLAUSIBLE, MOST = (0.35, 0.7), 0.8  # scores as real tracks have them, of so large a share of the systems
CROWD, RULE = 5, "rbc(phi=0.9)"


def lessons(folder):
    """What the track in a folder shows, a sentence for each lesson that holds."""
    folder = Path(folder)
    study = evalcore.open_study(
        folder / "runs", folder / "qrels.txt", folder / "systems.tsv", folder / "queries.tsv",
        truth=folder / "qrels.complete.txt.gz", cache=False,
    )  # fmt: skip
    board, truth = (
        evalcore.ask(one, "leaderboard", metric=METRIC).table.set_index("system")
        for one in (study, study.judged_by_truth)
    )
    said = (_plausible(board), _underrated(board, truth), _fused(study, board), _flipped(study))
    return [sentence for sentence in said if sentence]


def _plausible(board):
    """How many systems score as those of real tracks do; None where too few do."""
    low, high = PLAUSIBLE
    inside, best = board["value"].between(low, high).sum(), board["value"].max()
    if inside < MOST * len(board) or best > high:
        return None
    limits = f"between {score(low)} and {score(high)}"
    return (
        f"Scores are plausible: by {METRIC} {inside} of {len(board)} systems have {limits}, and the best {score(best)}."
    )


def _underrated(board, truth):
    """The system outside the pool that its judgments underrate most; None where none is underrated."""
    loss = (truth["value"] - board["value"])[~board["pooled"]]
    if not loss.max() > 0:
        return None
    name = loss.idxmax()
    seen, true = (f"{score(one['value'][name])} and place {one['rank'][name]:.0f}" for one in (board, truth))
    return (
        f"A system that was not pooled loses: by {METRIC} and all judgments `{name}` has {seen}, by the truth {true}."
    )


def _fused(study, board):
    """What fusing the best gains over the best of them; None where that is not significant."""
    crowd = list(board.index[:CROWD])
    asked = {"systems": crowd, "methods": [RULE], "metrics": [METRIC], "k": int(study.track.lengths.max())}
    gain = evalcore.ask(study, "fusion_scores", **asked).table.iloc[0]
    if not gain["p"] < LEVEL:
        return None
    return (
        f"The crowd is better than its best member: the {CROWD} best by {METRIC}, fused by {RULE} down to rank "
        f"{asked['k']}, have {score(gain['value'])}, `{gain['best']}` {score(gain['best_input'])} (one-tailed paired "
        f"t-test, {_p(gain['p'])})."
    )


def _flipped(study):
    """Two systems that a shallow pool orders significantly, and the truth the other way round; None without such."""
    row = evalcore.ask(study, "wrong_pairs", metric=METRIC, depths=[DEPTH]).table.iloc[0]
    if not row["p"] < LEVEL:
        return None
    two = study.judged_by_truth.only(systems=[row["a"], row["b"]])
    p = evalcore.ask(two, "pairs", metric=METRIC, correction="none").table["p"][0]
    above, below = figure(row["difference"]), figure(-row["difference_final"])
    return (
        f"A significant difference proves wrong: at pool depth {DEPTH} `{row['a']}` is {above} above `{row['b']}` by "
        f"{METRIC} (paired t-test, {_p(row['p'])}), by the truth {below} below it ({_p(p)})."
    )


def _p(p):
    return f"p = {figure(p)}" if p >= 0.0005 else "p < .001"
