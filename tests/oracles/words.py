"""How a fact is written, once more: what follows the colon in `{name:...}`, in plain Python."""

import math
import re

WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def written(text, facts):
    """A template with its facts put in."""
    return re.sub(r"\{(\w+)(?::([^}]*))?\}", lambda found: way(facts[found[1]], found[2] or ""), text)


def way(value, how):
    name, _, words = how.partition(" ")
    if not name:
        return number(value) if isinstance(value, int | float) and value == int(value) else str(value)
    said = WAYS[name.lower()](value, *words.split("/"))
    return said[0].upper() + said[1:] if name[:1].isupper() else said


def unknown(value):
    return value is None or value != value


def score(value, *_):
    if unknown(value):
        return "unknown"
    if 1e-9 < abs(value) < 0.0005 - 1e-9:
        return "under .001"
    if 0.9995 <= abs(value) < 1 - 1e-9:
        return "over .999" if value > 0 else "under −.999"
    plain = f"{abs(value):.3f}"
    plain = plain[1:] if plain[0] == "0" else plain
    return "−" + plain if value < 0 and float(plain) else plain


def share(value, *_):
    if unknown(value):
        return "an unknown share"
    near = round(value, 9)
    if value in (0, 1) or 0.01 <= near <= 0.99 or value > 1:
        return "%.0f%%" % (near * 100) if near * 100 % 1 != 0.5 else format(near, ".0%")
    return "<1%" if near < 0.01 else ">99%"


def digits(n, noun="", many=""):
    return f"{number(n)} {noun if n == 1 else many or noun + 's'}"


def number(n, *_):
    return "–" if unknown(n) else format(int(n), ",")


def small(n, *_):
    return WORDS[int(n)] if 0 <= n <= 12 else number(n)


def listed(names, most="3"):
    names, most = list(map(str, names)), int(most or 3)
    if len(names) > most:
        names = [*names[: most - 1], digits(len(names) - most + 1, "other")]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else ""


def width(value, *_):
    if unknown(value) or value >= 0.1 - 1e-9 or value < 1e-9:
        return score(value)
    return f"{value:.4f}"[1:] if value >= 0.00005 else "under .0001"


def finely(value, *_):
    return "unknown" if unknown(value) else f"{value:.4f}".replace("0.", ".", 1)


def chance(p, *_):
    return "< .001" if p < 0.001 else "= " + level(float(f"{p:.1e}"))


def level(alpha, *_):
    plain = repr(float(alpha))
    return plain[1:] if plain.startswith("0.") else plain.removesuffix(".0")


def gain(v):
    """With its sign; what three digits do not show has four, and what four do not show is said to be there."""
    if unknown(v) or abs(v) < 1e-9:
        return score(v)
    if 0.9995 <= v < 1 - 1e-9:
        return "over +.999"
    if abs(v) >= 0.0005:
        return "+" * (v > 0) + score(v)
    four = f"{abs(v):.4f}".replace("0.", ".", 1)
    return ["under .0001", "over −.0001"][v < 0] if four == ".0000" else "+−"[v < 0] + four


WAYS = {
    "width": width,
    "finely": finely,
    "score": score,
    "figure": lambda v, *_: "–" if unknown(v) else score(v),
    "at_least": lambda v, *_: score(v if unknown(v) else math.floor(v * 1000 + 1e-9) / 1000),
    "at_most": lambda v, *_: score(v if unknown(v) else math.ceil(v * 1000 - 1e-9) / 1000),
    "share": share,
    "percent": lambda v, *_: "–" if unknown(v) else share(v),
    "gain": lambda v, *_: gain(v),
    "chance": chance,
    "level": level,
    "number": number,
    "small": small,
    "short": lambda v, *_: "–" if unknown(v) else f"{v:,.0f}" if abs(v) >= 999.5 else f"{v:.3g}",
    "count": lambda n, noun="", many="": f"{small(n)} {noun if n == 1 else many or noun + 's'}",
    "digits": digits,
    "verb": lambda n, one, many: one if n == 1 or (isinstance(n, list) and len(n) == 1) else many,
    "many": lambda n, *_: "none is" if n == 0 else f"{small(n)} {'is' if n == 1 else 'are'}",
    "listed": listed,
}
