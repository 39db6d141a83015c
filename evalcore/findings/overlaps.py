"""Which systems, or whose query variations, rank most alike."""

from typing import Any

import numpy as np
import pandas as pd

from evalcore.findings.conclusion import Conclusion, conclude, too_little
from evalcore.questions.overlaps import ends
from evalcore.study.study import Study
from evalcore.vocabulary.sentences import FUZZ


def rbo(table: pd.DataFrame, params: dict[str, Any], study: Study) -> Conclusion:
    """Which two systems rank most alike, and which least; or which system ranks the queries of a topic so."""
    if not len(table):
        return too_little("queries")
    by = ["system"] if params["variations"] else ["a", "b"]
    means = table.groupby(by, sort=False)["extrapolated"].mean().dropna()
    if not len(means):
        return conclude("No overlap can be computed: no two of these rankings contain a document.")
    highest, lowest = ends(means)
    most, least = (np.atleast_1d(tied[0]).tolist() for tied in (highest, lowest))
    facts = {"most": most, "least": least, "highest": means.max(), "lowest": means.min()}
    facts |= {"most_others": len(highest) - 1, "least_others": len(lowest) - 1}
    unit, rank = ("system", "ranks documents for a topic's queries") if params["variations"] else ("pair", "rank")
    if len(means) == 1:
        whose = "The rankings of {most:listed} for the queries of a topic" if params["variations"] else "{most:listed}"
        return conclude(f"{whose} have a mean overlap (RBO) of {{highest:score}}.", **facts)
    if means.max() - means.min() <= FUZZ:
        return conclude("Every {pair} has the same mean overlap (RBO), {highest:score}.", words={"pair": unit}, **facts)
    text = f"{{most:listed}} {rank} most alike{_as_others('most', facts, unit)} (mean RBO {{highest:score}})."
    detail = f"{{least:listed}} {rank} least alike{_as_others('least', facts, unit)} ({{lowest:score}})."
    return conclude(text, detail, **facts)


def _as_others(end, facts, unit):
    other_end = f"{end}_others"
    return f", as {{{other_end}:verb does/do}} {{{other_end}:digits other {unit}}}" if facts[other_end] else ""
