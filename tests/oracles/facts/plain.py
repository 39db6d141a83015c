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
    return interval(lower, upper) if kind == "bounds" else {"value": value, "lower": lower, "upper": upper}


def first_place(leaders, n, value):
    return {"systems": n, "value": value} if len(leaders) == n else {"leaders": leaders, "value": value}
