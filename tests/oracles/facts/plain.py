"""Pieces of facts in plain Python."""

FUZZ = 1e-9


def known(value):
    return value is not None and value == value


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def first_largest(rows, key):
    """The first row with the largest value."""
    return max((row for row in rows if known(row[key])), key=lambda row: row[key])


def first_least(rows, key):
    return min((row for row in rows if known(row[key])), key=lambda row: row[key])


def interval(lower, upper):
    """The facts of "at least .. and at most ..", or of "exactly ..."."""
    return {"lower": lower} if upper - lower < FUZZ else {"lower": lower, "upper": upper}


def reading(value, lower, upper, kind):
    """The facts of one score with its interval, as its kind allows."""
    if not (known(lower) and known(upper)):
        return {"value": value}
    every = {"value": value, "lower": lower, "upper": upper}
    return interval(lower, upper) if kind == "bounds" and value - lower <= FUZZ else every


def first_place(rows):
    """The facts of who is first: of one its interval, of several the score."""
    best = first_largest(rows, "value")
    leaders = [row["system"] for row in rows if row["value"] == best["value"]]
    ends = (best["value"], best["lower"], best["upper"], best["kind"])
    return {"leaders": leaders, "systems": len(rows)} | (
        reading(*ends) if len(leaders) == 1 else {"value": best["value"]}
    )
