"""Pieces of facts in plain Python."""

from itertools import combinations

FUZZ = 1e-9
EQUAL = 1e-12


def known(value):
    return value is not None and value == value


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def first_largest(rows, key):
    """The first row with the largest value; empty where no value is known."""
    return max((row for row in rows if known(row[key])), key=lambda row: row[key], default={})


def first_least(rows, key):
    return min((row for row in rows if known(row[key])), key=lambda row: row[key], default={})


def of_answering(rows, case):
    """The rows of the systems that rank a document for a judged topic; all if none does."""
    return [row for row in rows if not case.answering or row["system"] in case.answering]


def first_place(rows, asked):
    """The facts of who leads: of one its interval, of several the score."""
    best = first_largest(rows, "value")
    leaders = [row["system"] for row in rows if abs(row["value"] - best["value"]) < FUZZ]
    return best | {"leaders": leaders, "measure": measure(asked), "systems": len(rows)}


def measure(asked):
    """The name of the measure with its guess; those in ASKED have default parameters alone."""
    if asked.get("unjudged") == "condensed":
        return asked["metric"] + " without unjudged documents"
    guess = asked.get("estimator", "lower").split("(")[0]
    return (
        asked["metric"] if guess == "lower" or asked["metric"] in POINTS else f"{asked['metric']} estimated by {guess}"
    )


POINTS = ("bpref", "infAP")


def still_to_move(rows, asked):
    """The facts of how far scores are from those by all judgments."""
    rows = [row for row in rows if known(row["value"]) and known(row["value_final"])]
    if len(rows) < 2:
        return {}
    change = mean(row["value_final"] - row["value"] for row in rows)
    top = sorted(rows, key=lambda row: -row["value"])[:10]
    swaps = sum(
        (a["value"] - b["value"] > EQUAL and b["value_final"] - a["value_final"] > EQUAL)
        or (b["value"] - a["value"] > EQUAL and a["value_final"] - b["value_final"] > EQUAL)
        for a, b in combinations(top, 2)
    )
    return {"measure": measure(asked), "swaps": swaps, "moved": abs(change), "top": len(top)}


def judged_in_all(case):
    """How many judgments there are."""
    return sum(grade != -1 for of in case.qrels.values() for grade in of.values())


def in_force(asked, case):
    """What was asked; a count of judgments that is no cut is none."""
    count = asked.get("judgments")
    return asked | {"judgments": None} if isinstance(count, int) and count >= judged_in_all(case) else asked
