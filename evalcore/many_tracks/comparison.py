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
from evalcore.vocabulary.sentences import FUZZ, WAYS, digits, known, listed, opening

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
    table: pd.DataFrame, question: Question, refused: Mapping[str, str], against: str | None = None, **keys: Any
) -> Compared:
    """Tracks compared as the question's row says. Raises ValueError for a question whose row does not, for another key,
    and for a value that is not in the table.

    table : see `over_tracks.OverTracks`; refused : tracks without an answer
    keys : which rows; those not given are as in the question's row, or the first of the table's
    against : the value of the last key that is compared with, if not that of the row
    """
    across = question.across
    if across is None:
        raise ValueError(f"{question.name} does not give one number of each track. Use its table.")
    if unknown := keys.keys() - across.keys.keys():
        raise ValueError(f"{question.name} has no key {min(unknown)!r}. It has {', '.join(across.keys) or 'none'}.")
    if against is not None and not isinstance(across.against, str):
        raise ValueError(f"{question.name} is compared with {across.against}, and with nothing else.")
    keys, last, other = _chosen(table, across.keys, keys), across.last, across.against
    values = _numbers(table, across, keys)
    if isinstance(other, str):
        with_other = _chosen(table, keys, keys | {last: against or other})
        other = with_other[last]
        values["other"] = values["track"].map(_numbers(table, across, with_other).set_index("track")["value"])
    else:
        values["other"] = other
    rows = values[values["value"].notna() & values["other"].notna()].astype({"other": float})
    rows = rows.sort_values("value", ascending=False, kind="stable").reset_index(drop=True)
    silent = len(refused) + table["track"].nunique() - len(rows)
    return Compared(rows, _conclusion(rows, across, keys, other, silent))


def _chosen(table, usual, given):
    """The value of each key: the given one, or the usual one, or the first one of the table that no other key has."""
    chosen: dict[str, Any] = {}
    for name, value in usual.items():
        wanted = given.get(name, value)
        if len(table) and not _of(table, name, wanted).any():
            if name in given:
                raise ValueError(f"no answer has {name} {wanted!r}. There are {listed(table[name].unique(), 6)}.")
            wanted = _first_unlike(chosen, table[name], table[name].iloc[0])
        elif name not in given and wanted in chosen.values():
            wanted = _first_unlike(chosen, table[name], wanted)
        chosen[name] = wanted
        table = table[_of(table, name, wanted)]
    return chosen


def _first_unlike(chosen, column, otherwise):
    return next((value for value in column.unique() if value not in chosen.values()), otherwise)


def _of(table, name, value):
    return table[name].eq(value) if known(value) else table[name].isna()


def _numbers(table, across, keys):
    """The number of every track with its interval."""
    for name, value in keys.items():
        table = table[_of(table, name, value)]
    rows = []
    for track, of_track in table.groupby("track", sort=False):
        value = across.value(of_track) if callable(across.value) else of_track[across.value].iloc[0]
        low, high = across.interval(of_track) if across.interval else (np.nan, np.nan)
        rows.append((track, *of_track[["systems", "topics"]].iloc[0], value, low, high))
    return pd.DataFrame(rows, columns=["track", "systems", "topics", "value", "low", "high"])


def sign_test(more: int, less: int) -> float:
    """The probability that so many tracks or more agree, either way, if neither is more likely."""
    return float(scipy.stats.binomtest(more, more + less).pvalue)


HEADLINES = {  # by verdict
    "yes": "Yes: on {all}, {says}.",
    "mostly": "Mostly: on {agree} of {n} tracks, {says}.",
    "not clearly": "Not clearly: on {agree} of {n} tracks, {says}.",
    "too few, all alike": "Cannot tell: on {all}, {says}.",
    "too few": "Cannot tell: on {agree} of {n} tracks, {says}.",
    "one": "Cannot tell: on the one track, {says}.",
    "equal": "Cannot tell: on no track is there a difference.",
    "none": "No track has an answer.",
}


def _verdict(agree, n, differ, p):
    if n < 2:
        return "one"
    if differ < FEWEST:
        return "too few, all alike" if agree == n else "too few"
    return "not clearly" if p >= LEVEL else "yes" if agree == n else "mostly"


def _conclusion(rows, across, keys, against, silent):
    """On how many tracks the same holds. rows : see `Compared`; against : the number or the value of the last key;
    silent : how many tracks have no number"""
    apart = rows["value"] - rows["other"]
    more, less = int((apart > FUZZ).sum()), int((apart < -FUZZ).sum())
    caveats = [f"Left out: {digits(silent, 'track')} without this number."] if silent else []
    caveats += [across.caveat] if across.caveat and len(rows) else []
    if not more + less:
        return conclude(HEADLINES["equal" if len(rows) else "none"], caveats=caveats)
    facts: dict[str, Any] = {"n": len(rows), "agree": max(more, less), "differ": more + less}
    facts |= {"p": sign_test(more, less)}
    facts |= {"most": rows["track"].iloc[0], "largest": rows["value"].iloc[0]}
    facts |= {"least": rows["track"].iloc[-1], "smallest": rows["value"].iloc[-1]}
    clear = facts["differ"] >= FEWEST
    verdict = _verdict(facts["agree"], facts["n"], facts["differ"], facts["p"])
    caveats += [DEPENDENT] if verdict in ("yes", "mostly") else [] if clear else [TOO_FEW]
    says = across.says[less > more]
    of_two = isinstance(against, str)
    names = keys | {"at": f"at depth {keys['depth']:g}" if known(keys.get("depth")) else AT_LAST}
    in_words = {name: PLAIN.get(name, str)(value) for name, value in names.items()}
    if of_two:
        names["other"], in_words["other"] = against, PLAIN[across.last](against)
    every = "both tracks" if facts["n"] == 2 else "all {n} tracks"
    spread, plain_spread = (_spread(rows, across, words[across.last] if of_two else "") for words in (names, in_words))
    return conclude(
        HEADLINES[verdict],
        f"{spread} {CHANCE}" if clear else spread,
        plainly=f"{HEADLINES[verdict].replace('{says}', '{plainly}')} {plain_spread}".rstrip(),
        words={"says": says.format_map(names), "plainly": says.format_map(in_words), "all": every},
        caveats=caveats,
        **facts,
    )


def _spread(rows, across, name):
    """The smallest and the largest number, as a template. name : of which of two numbers of each track, or "" """
    write = WAYS[across.written]
    if len(rows) < 2:
        return ""
    alike = write(rows["value"].min()) == write(rows["value"].max())
    span = f"from {{smallest:{across.written}}} on {{least}} to {{largest:{across.written}}} on {{most}}."
    span = f"{{largest:{across.written}}} on each track." if alike else span
    return f"“{name}”: {span}" if name else opening(span)


AT_LAST = "with all judgments"
TOO_FEW = "It takes six tracks with a difference to tell: fewer may all agree by chance."
CHANCE = "If neither were likelier, so many of {differ} tracks would agree with p {p:chance} (sign test)."
DEPENDENT = "Related tracks, such as two rounds of a task, are weaker evidence."
