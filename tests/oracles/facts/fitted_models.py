"""The facts of what shallow judgments teach."""

from .plain import FUZZ, first_least, known, mean

PUBLISHED = {"interpolated": (0.42, 0.01), "smoothed": (0.91, 0.05)}


def constants(rows, asked, case):
    best = next(row for row in rows if row["best"])
    name = asked["estimator"].split("(")[0]
    facts = best | {"estimator": name, "rmse": min(row["rmse_plain"] for row in rows)}
    facts["equal"] = sum(1 for row in rows if row["rmse_plain"] - best["rmse_plain"] <= FUZZ) - 1
    C, E = PUBLISHED[name]
    nearest = min(rows, key=lambda row: abs(row["C"] - C) + abs(row["E"] - E))
    return facts | {"published_C": C, "published_E": E, "published_rmse": nearest["rmse_plain"]}


def rank_models(rows, asked, case):
    judged = [row["observed"] for row in rows if known(row["observed"])]
    facts = {"topic": asked["topic"] or min(topic for topic in case.topics if case.qrels.get(topic))}
    return rows[-1] | facts | {"first": judged[0], "deepest": judged[-1], "judged": len(judged)}


def coverage(rows, asked, case):
    """Those of the first depth."""
    if not rows:
        return {}
    depth = rows[0]["depth"]
    facts = {"depth": int(depth)} if known(depth) else {}
    rows = [row for row in rows if row["depth"] == depth or not known(depth)]
    facts |= {"topics": len(rows), "highest": max(row["gamma"] for row in rows)}
    guessed = sum(1 for row in rows if asked["theta"] == 0 or round(row["gamma"], 4) > asked["theta"])
    return facts | {"guessed": guessed, "left": len(rows) - guessed}


def error_by_theta(rows, asked, case):
    """Those of the first depth."""
    rows = [row for row in rows if row["depth"] == rows[0]["depth"] and known(row["rmse"])]
    if not rows:
        return {}
    best, start = first_least(rows, "rmse"), min(rows, key=lambda row: row["theta"])
    facts = {"model": asked["estimator"].split("(")[0], "of": best["n"], "most": max(r["rmse"] for r in rows)}
    return best | facts | {"first": start["theta"], "first_rmse": start["rmse"]}


def gamma_by_depth(rows, asked, case):
    rows = [row for row in rows if known(row["gamma"])]
    if not rows:
        return {}
    first, last = rows[0], rows[-1]
    facts = first | {"first": first["gamma"], "of": first["n"]}
    facts |= {"last": last["gamma"]} if len(rows) > 1 else {}
    return facts | ({"deepest": last["depth"]} if known(last["depth"]) else {})


def two_strata(rows, asked, case):
    def means(column):
        return {name: mean(row[column] for row in rows if row["estimator"] == name) for name in names}

    names = list(dict.fromkeys(row["estimator"] for row in rows))
    rmse, swapped, spent = means("rmse"), means("tau_distance"), means("judgments")
    if not known(rmse["pool"]):
        return {}
    facts = {"depth": asked["depth"] or max(1, case.depth // 10)}
    facts |= {"more": round(spent["InfRBP"] - spent["pool"]), "swapped_AP": swapped["infAP"]}
    uses = [name for name in names if name not in ("pool", "infAP")]
    best = min(swapped[name] for name in uses)
    facts |= {"swapped": best, "swapped_alone": swapped["pool"]}
    facts["ordering"] = [name for name in uses if swapped[name] - best <= FUZZ]
    errors, open_by = [rmse[name] for name in uses], means("reference_width")["pool"]
    if open_by > FUZZ and open_by > max(errors) - min(errors):
        return facts | {"width": open_by}
    if max(rmse["pool"], open_by) < FUZZ:
        return facts
    closest = [name for name in uses if rmse[name] - min(errors) <= FUZZ]
    return facts | {"alone": rmse["pool"], "rmse": min(errors), "closest": closest}


ASKED = {
    "constants": [
        {},
        {"estimator": "smoothed", "metric": "RBP(p=0.8)"},
        {"judgments": [1, 2], "metric": "RBP(p=0.5)"},
        {"depths": [1], "metric": "P@2", "systems": ["s0"]},
    ],
    "rank_models": [{}, {"depth": 1}, {"topic": "t1", "depth": 2}],
    "coverage": [
        {},
        {"theta": 0.018},
        {"theta": 0.3, "depths": [2]},
        {"depths": [3], "theta": 0.1},
        {"depths": [None], "theta": 0.1},
        {"depths": [None, 1]},
    ],
    "error_by_theta": [
        {"estimator": "linear"},
        {"estimator": "zipf", "thetas": [0.1]},
        {"depths": [2], "thetas": [0, 0.2, 0.05]},
    ],
    "gamma_by_depth": [{}, {"depths": [1], "theta": 0.1}, {"depths": [None]}, {"depths": [2, None], "theta": 0}],
    "two_strata": [{"repeats": 2}, {"depth": 2, "rate": 1, "repeats": 1}, {"rate": 0.5, "repeats": 3, "seed": 4}],
}
