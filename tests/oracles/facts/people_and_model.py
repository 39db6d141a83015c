"""The facts of people on some topics and a judge on all."""

from .judges import JUDGE
from .plain import known, mean

FOUR = {f"t{n}": {"da": (n + 1) % 3, "db": n % 2, "dc": n % 3} for n in range(6)}


def people_and_model(rows, asked, case):
    of = rows[0]["n"]
    n = min({row["topics"] for row in rows}, key=lambda size: (abs(size - of / 3), size))
    people, both, model = (row for row in rows if row["topics"] == n)
    facts = {"judge": JUDGE, "topics": n, "all": of, "worth": both["topics_worth"]}
    for name, row in (("people", people), ("both", both), ("model", model)):
        facts |= {name: row["rmse"], f"tau_{name}": row["tau"]}
    return facts


def people_plus_model(rows, asked, case):
    first = max(rows, key=lambda row: row["value"])
    facts = first | {"judge": JUDGE, "all": first["n"]}
    if known(first["lower"]):
        facts |= {"width": mean(row["upper"] - row["lower"] for row in rows)}
        facts |= {"alone": mean(row["upper_people"] - row["lower_people"] for row in rows)}
    return facts


ASKED = {
    "people_and_model": [
        {"other": FOUR, "topics": [1], "draws": 5},
        {"other": FOUR, "metric": "AP", "draws": 5, "level": 0.2},
    ],
    "people_plus_model": [{"other": FOUR}, {"other": FOUR, "metric": "AP", "level": 0.1}],
}
