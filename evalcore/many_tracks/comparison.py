"""Compare tracks by one number of each: on how many of them the same holds, and what chance would give.

Each track is larger or smaller than what it is compared with. If neither were more likely, as many tracks or more would
agree with the probability of the sign test [DM46], which assumes that tracks are independent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy

from evalcore.estimating.estimators import counted
from evalcore.findings.conclusion import Conclusion, conclude
from evalcore.metrics.phrases import in_a_phrase
from evalcore.questions.question import Question
from evalcore.statistics.anova import MODELS
from evalcore.vocabulary.sentences import FUZZ, digits, known

FEWEST = 6  # tracks: of fewer, no agreement is rarer than one in twenty by chance
LEVEL = 0.05
PLAIN = {  # key -> a value in everyday words
    "estimator": counted,
    "model": lambda name: MODELS[name].label,
    "a": in_a_phrase,
    "b": in_a_phrase,
}


@dataclass(frozen=True)
class Compared:
    """One number of every track.

    rows : a DataFrame with track, systems, topics, value, low and high (NaN without an interval), and other, what the
        value is compared with; the largest value first, tracks without one left out
    finding : on how many tracks the same holds
    """

    rows: pd.DataFrame
    finding: Conclusion


def compared(
    table: pd.DataFrame, question: Question, refused: Mapping[str, str], against: Any = None, **keys: Any
) -> Compared:
    """Tracks compared as the question's row says. Raises ValueError for a question whose row does not, or another key.

    table : see `over_tracks.OverTracks`; refused : tracks without an answer; against, keys : what differs from the row
    """
    across = question.across
    if across is None:
        raise ValueError(f"{question.name} does not give one number of each track. Use its table.")
    if unknown := keys.keys() - across.keys.keys():
        raise ValueError(f"{question.name} has no key {min(unknown)!r}. It has {', '.join(across.keys) or 'none'}.")
    keys, against = across.keys | keys, across.against if against is None else against
    values, beside = _numbers(table, across, keys), None
    if isinstance(against, str):
        last = [*across.keys][-1]
        beside = _numbers(table, across, keys | {last: against}).set_index("track")["value"]
    rows = values.assign(other=against if beside is None else values["track"].map(beside)).astype({"other": float})
    rows = rows[rows["value"].notna() & rows["other"].notna()].sort_values("value", ascending=False, kind="stable")
    silent = len(refused) + table["track"].nunique() - len(rows)
    return Compared(rows.reset_index(drop=True), _conclusion(rows, across, keys, against, silent))


def _numbers(table, across, keys):
    """The number of every track with its interval."""
    for name, value in keys.items():
        table = table[table[name].eq(value) if known(value) else table[name].isna()]
    rows = []
    for track, of_track in table.groupby("track", sort=False):
        value = across.value(of_track) if callable(across.value) else of_track[across.value].iloc[0]
        low, high = across.interval(of_track) if across.interval else (np.nan, np.nan)
        rows.append((track, *of_track[["systems", "topics"]].iloc[0], value, low, high))
    return pd.DataFrame(rows, columns=["track", "systems", "topics", "value", "low", "high"])


def sign_test(more: int, less: int) -> float:
    """The probability that so many tracks or more agree, either way, if neither is more likely."""
    return float(scipy.stats.binomtest(more, more + less).pvalue) if more + less else 1.0


HEADLINES = {  # by verdict
    "yes": "Yes: on all {n} tracks, {says}.",
    "mostly": "Mostly: on {agree} of {n} tracks, {says}.",
    "not clearly": "Not clearly: on {agree} of {n} tracks, {says}.",
    "too few, all alike": "Cannot tell: on all {n} tracks, {says}.",
    "too few": "Cannot tell: on {agree} of {n} tracks, {says}.",
    "one": "Cannot tell: on the one track, {says}.",
    "equal": "Cannot tell: on no track is there a difference.",
    "none": "No track has an answer.",
}


def _verdict(agree, n, p):
    if n < 2:
        return "one"
    if n < FEWEST:
        return "too few, all alike" if agree == n else "too few"
    return "not clearly" if p >= LEVEL else "yes" if agree == n else "mostly"


def _conclusion(rows, across, keys, against, silent):
    """On how many tracks the same holds. rows : see `Compared`; silent : how many tracks have no number"""
    apart = rows["value"] - rows["other"]
    more, less = int((apart > FUZZ).sum()), int((apart < -FUZZ).sum())
    caveats = [f"Left out: {digits(silent, 'track')} without this number."] if silent else []
    caveats += [across.caveat] if across.caveat and len(rows) else []
    if not more + less:
        return conclude(HEADLINES["equal" if len(rows) else "none"], caveats=caveats)
    facts: dict[str, Any] = {"n": more + less, "agree": max(more, less), "p": sign_test(more, less)}
    facts |= {"most": rows["track"].iloc[0], "largest": rows["value"].iloc[0]}
    facts |= {"least": rows["track"].iloc[-1], "smallest": rows["value"].iloc[-1]}
    verdict, says = _verdict(facts["agree"], facts["n"], facts["p"]), across.says[less > more]
    caveats += [DEPENDENT] if verdict in ("yes", "mostly") else [TOO_FEW] if facts["n"] < FEWEST else []
    names = keys | {"other": against, "at": f"at depth {keys['depth']}" if known(keys.get("depth")) else AT_LAST}
    in_words = {name: PLAIN.get(name, str)(value) for name, value in names.items()}
    if isinstance(against, str):
        in_words["other"] = PLAIN.get([*keys][-1], str)(against)
    spread = ""
    if len(rows) > 1:
        spread = f"From {{smallest:{across.written}}} on {{least}} to {{largest:{across.written}}} on {{most}}."
    return conclude(
        HEADLINES[verdict],
        f"{spread} {CHANCE}" if facts["n"] >= FEWEST else spread,
        plainly=f"{HEADLINES[verdict].replace('{says}', '{plainly}')} {spread}".rstrip(),
        words={"says": says.format_map(names), "plainly": says.format_map(in_words)},
        caveats=caveats,
        **facts,
    )


TOO_FEW = "Fewer than six tracks may all agree by chance."
AT_LAST = "with all judgments"
CHANCE = "If neither were likelier, so many of {n} tracks would agree with p {p:chance} (sign test)."
DEPENDENT = "Tracks that share topics, documents or teams count for less than this assumes."
