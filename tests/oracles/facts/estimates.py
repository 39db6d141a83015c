"""The facts of estimates."""

from .plain import FUZZ, known, mean, of_answering


def estimator_error(rows, asked, case):
    """Those of the shallowest depth."""
    facts = {"depth": min(row["depth"] for row in rows)}
    rows = [row for row in rows if row["depth"] == facts["depth"] and known(row["rmse"])]
    error = {row["estimator"]: row["rmse"] for row in rows}
    if not error:
        return facts
    may = sorted((row for row in rows if not row["certainly_farther"]), key=lambda row: row["rmse"])
    facts["closest"] = [row["estimator"] for row in may]
    least = min(error.values())
    facts["best"] = [row["estimator"] for row in may if row["rmse"] < least + FUZZ]
    facts["rivals"] = [row["estimator"] for row in may if row["rmse"] >= least + FUZZ]
    facts["others"] = len(facts["rivals"])
    facts |= {"rmse": least, "plain": error.get("lower", float("nan")), "guesses": len(error)}
    return facts | {"width": rows[0]["reference_width"], "ranks": asked["reference_depth"]}


def estimator_agreement(rows, asked, case):
    """Those of the shallowest depth."""
    depth = min(row["depth"] for row in rows)
    swapped = {row["estimator"]: row["inversions"] for row in rows if row["depth"] == depth and known(row["distance"])}
    if not swapped:
        return {}
    least = min(swapped.values())
    systems = asked["systems"] if isinstance(asked["systems"], list) else case.systems
    systems = [name for name in systems if asked["systems"] != "pooled" or name in case.pooled]
    facts = {"depth": depth, "estimators": len(swapped), "best": [name for name in swapped if swapped[name] == least]}
    facts |= {"least": least, "plain": swapped.get("lower", float("nan"))}
    return facts | {"pairs": len([(a, b) for a in systems for b in systems if a < b])}


USUAL = {"interpolated": ["C=0.42", "E=0.01"], "linear": ["theta=0"], "two-stage-b": ["theta=0"]}


def guess(asked):
    """What the guess is called, and how many ranks are compared; of its parameters, those that are set."""
    name, *inside = asked["estimator"].removesuffix(")").split("(")
    parts = [part for part in (inside[0].split(", ") if inside else []) if part not in USUAL[name]]
    name += f"({', '.join(parts)})" if parts else ""
    return {"guess": name} | ({"ranks": asked["reference_depth"]} if asked["reference_depth"] else {})


def estimates(rows, asked, case):
    if not rows:
        return {}
    rows = of_answering(rows, case)
    facts = guess(asked) | {"scores": len(rows)}
    facts["right"] = mean(row["reference"] - 1e-12 <= row["value"] <= row["reference_upper"] + 1e-12 for row in rows)
    offs = [max(row["reference"] - row["value"], row["value"] - row["reference_upper"], 0) for row in rows]
    furthest = [row for row, off in zip(rows, offs, strict=True) if off > max(offs) - FUZZ]
    return furthest[0] | facts | {"most": max(offs), "furthest": len(furthest)}


def system_estimates(rows, asked, case):
    if not rows:
        return {}
    rows = of_answering(rows, case)
    rows = [row for row in rows if row["system"] in case.pooled] or rows
    above = sum(1 for row in rows if row["value"] - row["reference_upper"] > FUZZ)
    below = sum(1 for row in rows if row["reference"] - row["value"] > FUZZ)
    facts = {"systems": len(rows), "inside": len(rows) - above - below, "above": above, "below": below}
    return guess(asked) | facts | {"width": mean(row["reference_upper"] - row["reference"] for row in rows)}


GUESSES = [
    {"depth": 1},
    {"estimator": "lower"},
    {"depth": 1, "estimator": "upper", "metric": "P@3"},
    {"depth": 1, "estimator": "interpolated(C=0.9)"},
    {"depth": 1, "estimator": "interpolated", "metric": "nDCG@3"},
    {"depth": 2, "estimator": "linear(theta=0.02)", "reference_depth": 4},
]
ASKED = {
    "estimator_error": [
        {},
        {"estimators": ["rm"]},
        {"estimators": ["lower"], "by": "group"},
        {"estimators": ["rm", "upper", "background"], "metric": "P@3"},
        {"estimators": ["interpolated(C=1)", "rm", "background"], "metric": "P@2", "depths": [1]},
        {"estimators": ["lower", "upper", "background"], "metric": "RBP(p=0.5)", "systems": "all"},
        {"estimators": ["lower", "upper", "background(E=1.0)"], "reference_depth": 5},
        {"estimators": ["rm", "smoothed", "interpolated(C=1)", "lower", "zipf"], "metric": "RBP(p=0.8)"},
        {"metric": "nDCG@3"},
        {"metric": "RR", "estimators": ["lower", "rm", "smoothed"]},
    ],
    "estimator_agreement": [
        {},
        {"estimators": ["rm"], "weight": "rho"},
        {"estimators": ["rm", "upper", "background"], "metric": "P@3", "systems": "all"},
        {"estimators": ["interpolated(C=1)", "smoothed"], "metric": "P@2", "depths": [1]},
        {"estimators": ["lower", "linear", "rm"], "metric": "RBP(p=0.5)", "systems": ["s0", "s1"]},
    ],
    "estimates": GUESSES,
    "system_estimates": GUESSES,
}
