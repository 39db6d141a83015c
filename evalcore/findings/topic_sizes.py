"""How many topics: what those at hand can show, and what it would take to show less."""

from typing import Any

import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import known


def topics_needed(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """The smallest difference that these topics show, and the topics that half of it would need."""
    first, others = table.iloc[0], table.iloc[1:]
    facts = {"topics": first["n"], "smallest": first["difference"]}
    facts |= {"power": params["power"], "metric": params["metric"]}
    text = "With {topics:digits topic}, a paired t-test finds a difference of {smallest:score} in {metric} "
    text += "{power:share} of the time."
    smaller = others[others["difference"] < first["difference"] * 0.75]
    row = smaller.iloc[-1] if len(smaller) else None
    if row is None or not known(row["topics_needed"]):
        return conclude(text, **facts)
    facts |= {"difference": row["difference"], "needed": row["topics_needed"]}
    return conclude(text, "A difference of {difference:score} would need {needed:digits topic}.", **facts)
