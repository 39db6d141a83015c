"""The facts of what shallow judgments got wrong."""

from .plain import known


def wrong_pairs(rows, asked, case):
    """Those of the first depth. case.truth : whether complete judgments stand beside the study's; else all are meant"""
    row = rows[0]
    if not known(row["depth"]) and not getattr(case, "truth", False):
        return {}
    depth = {"depth": row["depth"]} if known(row["depth"]) else {}
    scored = sum(1 for mean in case.means(asked["metric"]).values() if known(mean[0]))
    if scored < 2:
        return depth
    facts = {"pairs": scored * (scored - 1) // 2, "ahead": row["difference"], "behind": -row["difference_final"]}
    return row | facts


ASKED = {
    "wrong_pairs": [
        {},
        {"metric": "AP", "depths": [2]},
        {"metric": "bpref", "depths": [1, None]},
        {"depths": [None]},
        {"metric": "P@2", "depths": [1], "level": 0.5},
    ]
}
