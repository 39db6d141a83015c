"""The facts of how many topics are needed."""


def topics_needed(rows, asked, case):
    facts = {"topics": rows[0]["n"], "smallest": rows[0]["difference"], "power": asked["power"]}
    facts |= {"metric": asked["metric"]}
    smaller = [row for row in rows[1:] if row["difference"] < 0.75 * rows[0]["difference"]]
    if smaller:
        facts |= {"difference": smaller[-1]["difference"], "needed": smaller[-1]["topics_needed"]}
    return facts


FACTS = {"topics_needed": topics_needed}
ASKED = {"topics_needed": [{}, {"metric": "AP", "power": 0.9}, {"differences": [0.5, 0.1], "level": 0.01}]}
