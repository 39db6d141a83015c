"""What things are called: documents, teams, and what is asked."""

from functools import cache
from itertools import product

import numpy as np

# fmt: off
TEAMS = (
    "harbor", "lumen", "quarry", "meridian", "tinder", "alder", "basalt", "cobalt", "delta", "ember", "fjord",
    "granite", "heron", "indigo", "juniper", "kestrel", "larch", "mistral", "nimbus", "osprey", "pumice",
    "quill", "rowan", "saffron", "thistle", "umber", "vesper", "willow", "yarrow", "zephyr", "amber", "birch",
    "cinder", "drift", "estuary", "fern", "glacier", "hazel", "inlet", "jasper", "kelp", "lagoon", "marble",
    "nettle",
)
SUBJECTS = (
    "harbour dredging", "wheat export", "coal mine closures", "river ferries", "satellite launches",
    "dairy quotas", "bridge corrosion", "textile tariffs", "salmon farming", "rail privatisation",
    "airport noise", "cotton subsidies",
)
ASPECTS = (
    "permits", "safety record", "public funding", "court rulings", "effects on employment",
    "environmental damage", "insurance claims", "foreign investors",
)
WAYS = (
    "{s} {a}", "{a} of {s}", "what is known about {s} and {a}", "{s}", "{a} in the {s} trade",
    'reports {s} "{a}"', "who decides on {a} for {s}", "{s} {a} news",
)
# fmt: on


def texts(topics, variations, rng):
    """A short query for each topic, and other ways to ask the same: topics * variations of them, topic by topic."""
    pairs = rng.permutation(list(product(SUBJECTS, ASPECTS)))
    asked = [pairs[t % len(pairs)] for t in range(topics)]
    return tuple(WAYS[v % len(WAYS)].format(s=s, a=a) for s, a in asked for v in range(variations))


@cache
def newswire():
    """Names like those of TREC disks 4 and 5, about half a million, sorted as bytes."""
    days = [f"{month:02}{day:02}" for month in range(1, 13) for day in range(1, 29)]
    fbis = (f"FBIS{part}-{i}" for part, last in ((3, 61578), (4, 68968)) for i in range(1, last + 1))
    parts = [(part, i) for part, last in enumerate((95, 40, 30)) for i in range(1, last + 1)]
    fr = (f"FR94{day}-{part}-{i:05}" for day in days for part, i in parts)
    ft = (f"FT{year}{quarter}-{i}" for year in range(91, 95) for quarter in range(1, 5) for i in range(1, 13001))
    la = (f"LA{day}{year}-{i:04}" for day in days for year in (89, 90) for i in range(1, 196))
    return np.sort(np.array([*fbis, *fr, *ft, *la], "S"))


@cache
def web():
    """Names like those of ClueWeb12, 300,000, sorted as bytes."""
    rng = np.random.default_rng(12)
    directory, file, record = (rng.integers(0, most, 300_000).tolist() for most in (1915, 100, 33_000))
    source = np.where(rng.random(300_000) < 0.1, "tw", "wb").tolist()
    parts = zip(directory, source, file, record, strict=True)
    return np.unique(np.array([f"clueweb12-{a:04}{kind}-{b:02}-{c:05}" for a, kind, b, c in parts], "S"))
