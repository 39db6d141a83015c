"""The finding of a page: a tidy table goes in, a sentence that is true of it comes out.

Numbers are rounded the safe way: a lower limit down, an upper limit up, and a share is never rounded to none or all.
"""

from math import ceil, floor, isnan

from evalcore import FUSIONS

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ENDS = ["lower", "upper"]
SETTLED = {  # options of open_study: what is settled, and what values mean that do not say so themselves
    "order": ("Order of a run", {"score": "by score, as trec_eval", "rank": "by the file's rank column"}),
    "gains": ("Gain of a grade", {}),
    "rel_level": ("Relevant from grade", {}),
    "negative": (
        "Negative grades",
        {"split": "−1 not judged, lower: not relevant", "unjudged": "all not judged", "judged": "all not relevant"},
    ),
    "empty": ("Ranks past a list's end", {"unknown": "not known", "not relevant": "not relevant"}),
    "average": ("Means over", {"qrels": "all topics of the qrels", "common": "topics that both have"}),
    "variations": (
        "Variations of a query",
        {
            None: "none, or the queries table says",
            "run": "a run file each: SYSTEM.v3",
            "-": "in the query: 401-7",
            "_": "in the query: 401_7",
            ".": "in the query: 401.7",
        },
    ),
    "pooled": (
        "Contributed to the pool",
        {None: "those that the systems table names, else found from the files", "all": "all systems"},
    ),
    "duplicates": (
        "A document twice in a list",
        {"keep": "the one that the order puts first counts", "refuse": "refused"},
    ),
}
FUZZ = 1e-9  # a limit of .6 may be stored as .5999999999999


# ---- pieces of a sentence


def known(value):
    """Whether there is a number."""
    return value is not None and not isnan(value)


def score(value):
    """A score to three digits, without the zero: .604, 1.000, −.012."""
    if not known(value):
        return "unknown"
    digits = f"{abs(value):.3f}".removeprefix("0")
    return f"−{digits}" if value < 0 and digits != ".000" else digits


def at_least(value):
    """A score rounded down."""
    return score(floor(value * 1000 + FUZZ) / 1000) if known(value) else "unknown"


def at_most(value):
    """A score rounded up."""
    return score(ceil(value * 1000 - FUZZ) / 1000) if known(value) else "unknown"


def share(part):
    """A share in percent: 63%, "less than 1%", "more than 99%"; 0% and 100% only when it is so."""
    if not known(part):
        return "an unknown share"
    if 0 < part < 0.01:
        return "less than 1%"
    if 0.99 < part < 1:
        return "more than 99%"
    return f"{part:.0%}"


def percent(part):
    """A share for a number alone: 63%, <1%, –."""
    return share(part).replace("less than ", "<").replace("more than ", ">") if known(part) else "–"


def figure(value):
    """A score for a number alone: .604, –."""
    return score(value) if known(value) else "–"


def number(n):
    """A count in digits, with commas."""
    return f"{int(n):,}"


def small(n):
    """A count in words up to twelve."""
    return SMALL[n] if 0 <= n < len(SMALL) else number(n)


def count(n, noun, plural=None):
    """A count with its noun: no systems, one system, 45 systems."""
    return f"{small(int(n))} {noun if n == 1 else plural or noun + 's'}"


def digits(n, noun, plural=None):
    """The same in digits: 1 system, 45 systems."""
    return f"{number(n)} {noun if n == 1 else plural or noun + 's'}"


def everyone(n):
    """All systems: the one system, both systems, all 45 systems."""
    return {1: "the one system", 2: "both systems"}.get(n, f"all {digits(n, 'system')}")


def verb(n, one, many):
    """The form of the verb for n subjects."""
    return one if n == 1 else many


def many(n):
    """How many are: none is, one is, two are."""
    return "none is" if n == 0 else f"{small(n)} {verb(n, 'is', 'are')}"


def listed(names, longest=3):
    """Names in a row: A; A and B; A, B and 4 others."""
    names = [str(name) for name in names]
    shown, others = (names, 0) if len(names) <= longest else (names[: longest - 1], len(names) - longest + 1)
    ends = shown if not others else [*shown, digits(others, "other")]
    return ends[0] if len(ends) == 1 else ", ".join(ends[:-1]) + " and " + ends[-1] if ends else ""


def opening(sentence):
    """The sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def measured(params):
    """What a score is: the measure, with the guess that was made of the unjudged documents if one was."""
    guess = params.get("estimator", "lower")
    return params["metric"] if guess == "lower" else f"{params['metric']}, {guess}"


def measured_by(params):
    """By what a table was measured, as a sentence; "" where no measure was asked for."""
    named = [params["metric"]] if "metric" in params else params.get("metrics", [])
    if not named:
        return ""
    guess = params.get("estimator", "lower")
    guessed = "" if guess == "lower" else f", unjudged documents guessed by {guess}"
    condensed = ", unjudged documents taken out" if params.get("unjudged") == "condensed" else ""
    at = "" if params.get("depth") is None else f", at pool depth {params['depth']}"
    return f"Measured by {listed(named)}{guessed}{condensed}{at}."


def interval(lower, upper):
    """Where a score lies: "at least .604 and at most .665", or "exactly .604"."""
    if not (known(lower) and known(upper)):
        return "an unknown score"
    if upper - lower < FUZZ:
        return f"exactly {score(lower)}"
    return f"at least {at_least(lower)} and at most {at_most(upper)}"


INTERVAL_READ = {  # by its kind: what one sees, what judging deeper does to it, and what two of them tell
    "bounds": (
        "blue is what it certainly has, amber is what the documents that nobody judged could still add",
        "Judging deeper can only shorten the amber.",
        "Two systems whose intervals do not touch are told apart whatever the unjudged documents are. While they "
        "touch, the intervals decide nothing; Orderings tells some such pairs apart, for one document has one gain in "
        "both.",
    ),
    "guide": (
        "blue is its score while unjudged documents count as not relevant, amber is a guide to what they could add",
        "Judging deeper finds relevant documents that a system missed: both ends may rise or fall, and the amber grow.",
        "Guides that do not touch suggest an ordering and prove none.",
    ),
    "point": (
        "this measure has no interval",
        "Judging deeper changes scores; how far, nobody can say.",
        "Without intervals no ordering is certain.",
    ),
}


# ---- Report


def report(told, pages):
    """What the report holds. told : names of the pages that have said something; pages : how many there are"""
    if not told:
        return "No page has said anything of this study yet: look at one, and what it finds stands here."
    if len(told) == pages:
        return f"All {small(pages)} pages have said what they find in this study."
    finds = f"{listed(told)} {verb(len(told), 'has', 'have')} said what {verb(len(told), 'it finds', 'they find')}"
    n = pages - len(told)
    return f"{finds}; {small(n)} of {small(pages)} pages {verb(n, 'has', 'have')} said nothing yet."


def settings(options, scope):
    """How a study reads its files and what it looks at: pairs of what is settled and how.

    options, scope : those of `evalcore.Study`
    """
    said = [(label, setting(options[name], meaning)) for name, (label, meaning) in SETTLED.items()]
    if (level := options.get("other_rel_level")) is not None:
        said.append(("Relevant in the second qrels from grade", level))
    if "judged_by_other" in scope:
        said.append(("Judged by", "the second qrels"))
    said += [(f"Only these {name}", listed(scope[name])) for name in ("systems", "topics") if name in scope]
    if without := scope.get("without_contribution_of"):
        said.append(("Taken out of the pool", listed(without)))
    return said + [(f"Fused run {fused['name']}", fused_of(fused)) for fused in scope.get("with_fused", ())]


def setting(value, meaning):
    """The value of an option, by its meaning where that is another."""
    if isinstance(value, dict):
        return ", ".join(f"grade {grade}: {gain:g}" for grade, gain in sorted(value.items()))
    if isinstance(value, list | tuple):
        return listed(value)
    return meaning.get(value, value)


def fused_of(fused):
    """What a fused run is made of, and how."""
    of = "all systems" if fused["systems"] == "all" else digits(len(fused["systems"]), "system")
    clauses = [f"{METHODS[fused['method']]} of {of}"]
    if FUSIONS[fused["method"]].uses_phi:
        clauses.append(f"persistence {persistence(fused['phi'])}")
    if FUSIONS[fused["method"]].uses_scores:
        clauses.append(f"{fused['normalisation']} normalisation")
    if fused["over"] != "systems":
        clauses.append("over variations" if fused["over"] == "variations" else "over systems and variations")
    if "k" in fused:
        clauses.append(f"{digits(fused['k'], 'document')} at most")
    if "weights" in fused:
        clauses.append("weighted")
    if fused.get("pooled"):
        clauses.append("taken as contributing to the pool")
    return ", ".join(clauses)


# ---- Data


def data(systems, topics, judged, findings):
    """What is there and what is missing: the questions `systems`, `topics`, `judged` (one k) and `findings`."""
    if not len(systems):
        return "No run could be read."
    held = f"{digits(len(systems), 'system')}, {digits(len(topics), 'topic')}"
    judgments = int(topics["judged"].sum()) if len(topics) else 0
    if not judgments:
        return f"{held}; no judgment says anything about them yet."
    clauses = [f"{held}, {digits(judgments, 'judgment')}"]
    if (missing := unjudged(judged)) is not None:
        clauses.append(missing)
    clauses.append(troubles(findings))
    return "; ".join(clauses) + "."


def data_numbers(systems, topics, judged):
    """The numbers of the Data page: (label, value, help)."""
    pooled = int(systems["pooled"].sum()) if len(systems) else 0
    part = judged["judged"].mean() if len(judged) else float("nan")
    k = int(judged["k"].iloc[0]) if len(judged) else 0
    return (
        ("Systems", number(len(systems)), f"{number(pooled)} contributed to the pool."),
        ("Topics", number(len(topics)), None),
        ("Judgments", number(topics["judged"].sum()), f"{number(topics['relevant'].sum())} of them relevant."),
        (f"First {k} judged", percent(part), "Mean over systems and topics."),
    )


def unjudged(judged):
    """How much of the top of the rankings nobody judged, or None when there is nothing to say."""
    known_share = judged["judged"].mean() if len(judged) else float("nan")
    if not known(known_share):
        return None
    k = int(judged["k"].iloc[0])
    ranks = "first rank" if k == 1 else f"first {k} ranks"
    if known_share >= 1:
        return f"everything in the {ranks} is judged"
    return f"{share(1 - known_share)} of the {ranks} {verb(k, 'holds', 'hold')} no judged document"


def troubles(findings):
    """How many checks found something."""
    severities = list(findings["severity"]) if len(findings) else []
    errors, warnings = severities.count("error"), severities.count("warning")
    if not errors and not warnings:
        return "no check found anything wrong"
    found = [count(errors, "error")] * bool(errors) + [count(warnings, "warning")] * bool(warnings)
    return f"the checks give {listed(found)}"


ASSUMED = ("assumed", "who contributed", "order of the pool", "negative grades")


def by_check(findings):
    """A row per check with its first finding in words. What was merely assumed has its own place."""
    found = findings[~findings["check"].isin(ASSUMED) | (findings["severity"] != "note")]
    checks = found.groupby(["severity", "check"], sort=False)
    rows = checks.agg(findings=("message", "size"), message=("message", "first")).reset_index()
    told = [
        first if n == 1 else f"{first} (The same check found {digits(n - 1, 'more such thing')}.)"
        for first, n in zip(rows["message"], rows["findings"], strict=True)
    ]
    return rows.assign(message=told)


def assumptions(findings):
    """The sentences that say what was assumed."""
    said = findings[findings["check"].isin(ASSUMED) & (findings["severity"] == "note")]
    return list(said["message"])


# ---- Pool depth


def stage(depth):
    """How far was judged: "At depth 10", or "With all judgments" when depth is None."""
    return "With all judgments" if depth is None else f"At depth {depth}"


def stops_at(depths, deepest, measure):
    """Where the slider stops, when that is not at every depth. depths : ascending, None for all judgments"""
    some = [depth for depth in depths if depth is not None]
    if len(some) == deepest:
        return None
    stops = listed(some, 20)
    return f"{measure} is scored anew at every stop, so the slider stops only at {stops}, and at all judgments."


def pool_depth(systems, value, lower, upper, *, depth, kind, decided, judgments):
    """What one pool depth tells: parallel lists over systems, and that depth's row of the question `pool`.

    The leader has the highest value. Another system reaches it while the two intervals are not strictly apart, the
    same test that makes a pair decided.
    """
    start = stage(depth)
    cost = f"{digits(judgments, 'judgment')}" if known(judgments) else None
    places = [i for i, v in enumerate(value) if known(v)]
    if not places:
        return f"{start}, no system has a score."
    best = max(value[i] for i in places)
    leaders = [i for i in places if value[i] == best]
    if len(places) == 1:
        alone = places[0]
        tells = f"{systems[alone]} scores {reading(value[alone], lower[alone], upper[alone], kind)}"
        return "; ".join([f"{start}, {tells}", *([cost] if cost else [])]) + "."
    leader = leader_clause(systems, lower, upper, leaders, places, best)
    if decided == 0 and len(leaders) == 1:
        ends = "intervals" if kind == "bounds" else "guides"
        leader = f"{systems[leaders[0]]} is ahead with {score(best)}, which the {ends} do not settle"
    clauses = [decided_clause(decided, kind), leader, cost]
    return f"{start}, " + "; ".join(clause for clause in clauses if clause) + "."


def reading(value, lower, upper, kind):
    """One score with its interval, as its kind allows."""
    if not (known(lower) and known(upper)):
        return score(value)
    if kind == "bounds":
        return interval(lower, upper)
    return f"{score(value)} (guide: {score(lower)} to {score(upper)})"


def decided_clause(decided, kind):
    """The share of pairs told apart, or None without intervals."""
    if not known(decided):
        return None
    what = "intervals" if kind == "bounds" else "guides"
    if decided == 0:
        return f"the {what} of every pair of systems touch"
    if decided == 1:
        return f"no two {what} touch"
    return f"the {what} of {share(decided)} of pairs do not touch"


def leader_clause(systems, lower, upper, leaders, places, best):
    """Who leads, and how many others still reach the leader's interval."""
    if len(leaders) > 1:
        return tied_clause(systems, leaders, len(places), best)
    first = leaders[0]
    if not known(lower[first]):
        return f"{systems[first]} leads with {score(best)}, without an interval"
    reach = sum(upper[i] >= lower[first] and lower[i] <= upper[first] for i in places if i != first)
    if reach == 0:
        return f"none touches the leader's ({systems[first]})"
    all_others = reach == len(places) - 1 and reach > 1
    who = "those of all other systems" if all_others else f"{verb(reach, 'that', 'those')} of {count(reach, 'system')}"
    return f"{who} still {verb(reach, 'touches', 'touch')} the leader's ({systems[first]})"


def tied_clause(systems, leaders, n, best):
    """Who shares the first place."""
    if len(leaders) == n:
        return f"{everyone(n)} share the same score, {score(best)}"
    return f"{listed([systems[i] for i in leaders])} share first place with {score(best)}"


# ---- Scores


def scores(board):
    """Who leads, how surely, and over whom: the question `leaderboard`."""
    board = board[board["value"].notna()]
    if not len(board):
        return "No system has a score here."
    first = board.loc[board["value"].idxmax()]
    leaders = list(board["system"][board["value"] == first["value"]])
    if len(leaders) > 1:
        clause = tied_clause(leaders, range(len(leaders)), len(board), first["value"])
        return f"{opening(clause)}{could_be_first(board, first, len(leaders))}."
    if not (known(first["lower"]) and known(first["upper"])):
        return f"{lead(first, board)}; this measure has no interval."
    if first["kind"] != "bounds":
        guide = f"{score(first['lower'])} to {score(first['upper'])}"
        return f"{lead(first, board)}; its guide, {guide}, is not a bound, so nothing here is certain."
    scored = f"{first['system']} scores {interval(first['lower'], first['upper'])}"
    return f"{scored}{ends_below(first, board)}."


def could_be_first(board, first, tied):
    """How many systems may be first by their intervals, where several are tied in the first place."""
    if not (known(first["lower"]) and known(first["upper"])):
        return "; this measure has no interval"
    if first["kind"] != "bounds":
        return "; a guide is not a bound, so nothing here is certain"
    if tied == len(board):
        return ""
    return f"; by their intervals {digits((board['rank_best'] == 1).sum(), 'system')} could be first"


def lead(first, board):
    """The first place in one clause."""
    if len(board) == 1:
        return f"{first['system']} scores {score(first['value'])}"
    return f"{first['system']} leads {digits(len(board), 'system')} with {score(first['value'])}"


def ends_below(first, board):
    """How many systems stay below the leader by their intervals, whatever the unjudged documents are."""
    others = len(board) - 1
    if not others:
        return ""
    below = int((board["upper"] < first["lower"]).sum())
    whose = {1: "the other", 2: "both others"}.get(others, f"all {number(others)} others")
    intervals = "interval" if others == 1 else "intervals"
    if below == others:
        return f"; the {intervals} of {whose} {verb(others, 'ends', 'end')} below it"
    if below == 0:
        return f"; the {intervals} of {whose} {verb(others, 'reaches', 'reach')} it"
    these = verb(below, "the interval of one", f"the intervals of {small(below)}")
    return f"; {these} of the {number(others)} others {verb(below, 'ends', 'end')} below it"


def leaderboard_numbers(board):
    """The numbers under a leaderboard: (label, value, help)."""
    topics = sorted({int(n) for n in board["n"]}) or [0]
    first = board.iloc[0] if len(board) else None
    could_lead = number((board["rank_best"] == 1).sum()) if board["lower"].notna().any() else "–"
    width = score(first["upper"] - first["lower"]) if first is not None and could_lead != "–" else "–"
    return (
        ("Systems", number(len(board)), None),
        ("Topics averaged", number(topics[0]) if len(topics) == 1 else f"{topics[0]}–{topics[-1]}", "N of each mean."),
        ("Could be first", could_lead, "Systems whose interval no other's lies wholly above."),
        ("Leader's width", width, "From the lowest to the highest score that the first system may have."),
    )


def topics_of(scores):
    """One system's topics: its rows of the question `scores`."""
    scored = scores[scores["value"].notna()]
    if not len(scored):
        return "This system has no score on any topic."
    name = scored["system"].iloc[0]
    if len(scored) == 1:
        row = scored.iloc[0]
        return f"On its only topic, {row['topic']}, {name} scores " + (
            reading(row["value"], row["lower"], row["upper"], row["kind"]) + "."
        )
    best, worst = scored.loc[scored["value"].idxmax()], scored.loc[scored["value"].idxmin()]
    if best["value"] == worst["value"]:
        return f"{name} scores {score(best['value'])} on all of its {number(len(scored))} topics."
    spread = f"{name} does best on topic {best['topic']} ({score(best['value'])}) and worst on topic {worst['topic']}"
    return f"{spread} ({score(worst['value'])}){doubtful(scored)}."


def doubtful(scored):
    """The topic that the unjudged documents leave most open."""
    width = scored["upper"] - scored["lower"]
    if not width.notna().any() or width.max() < FUZZ:
        return ""
    widest = scored.loc[width.idxmax()]
    return f"; topic {widest['topic']} is the most uncertain ({score(width.max())} wide)"


def ranking(documents, kind="bounds", k=10):
    """One ranking: the question `ranking`, and the kind of its measure."""
    if not len(documents):
        return "This system returned nothing for this topic."
    top = documents[documents["rank"] <= k]
    n = len(top)
    relevant, unjudged_here = int((top["gain"] > 0).sum()), int(top["gain"].isna().sum())
    where = "The only document" if n == 1 else f"Of the first {number(n)} documents"
    if n == 1:
        state = "is relevant" if relevant else "is unjudged" if unjudged_here else "is judged not relevant"
        first = f"{where} {state}"
    else:
        first = f"{where}, {many(relevant)} relevant and {many(unjudged_here)} unjudged"
    last = documents.iloc[-1]
    if not (known(last["lower"]) and known(last["upper"])):
        return first + "."
    return f"{first}; down to rank {number(last['rank'])} it scores {reading(last['lower'], *last[ENDS], kind)}."


def ties(table):
    """How far the order of tied documents could move a score: the question `ties`."""
    moved = table["highest"] - table["lowest"]
    if not len(table) or not moved.notna().any() or moved.max() < FUZZ:
        return "The order of documents with tied scores moves no system's score."
    widest = table.loc[moved.idxmax()]
    moving = int((moved >= FUZZ).sum())
    return opening(
        f"{count(moving, 'system')} would score otherwise with another order of tied documents; most of all "
        f"{widest['system']}, from {score(widest['lowest'])} to {score(widest['highest'])}."
    )


# ---- Estimators

NO_GUESS = "taking unjudged documents as not relevant"


def guessed(name):
    """An estimator as a subject."""
    return NO_GUESS if name == "lower" else f"the guess {name}"


def estimators(errors, depth):
    """Which guess comes closest: the rows of the question `estimator_error` at one depth."""
    at = errors[errors["rmse"].notna()]
    if not len(at):
        return "There is nothing to compare."
    plain, guesses = at[at["estimator"] == "lower"], at[at["estimator"] != "lower"]
    best = min((some.loc[some["rmse"].idxmin()] for some in (plain, guesses) if len(some)), key=lambda row: row["rmse"])
    start = f"{stage(int(depth))}, {guessed(best['estimator'])}"
    if len(at) == 1:
        return f"{start} misses by {score(best['rmse'])} on average (RMSE)."
    said = f"{start} comes closest of the {small(len(at))} compared, missing by {score(best['rmse'])} on average (RMSE)"
    if best["estimator"] == "lower":
        second = guesses.loc[guesses["rmse"].idxmin()]
        name = guessed(second["estimator"]) if len(guesses) == 1 else f"the best guess of these, {second['estimator']},"
        return f"{said}; {name} misses by {score(second['rmse'])}."
    return f"{said}; {NO_GUESS} misses by {score(plain['rmse'].iloc[0])}." if len(plain) else f"{said}."


def estimator_numbers(at):
    """The numbers under the error of guesses at one depth: (label, value, help)."""
    at = at[at["rmse"].notna()]
    if not len(at):
        return (("Closest guess", "–", "No topic counts for any of the systems."),)
    best = at.loc[at["rmse"].idxmin()]
    exact = at.loc[at["accuracy"].idxmax()]
    return (
        ("Closest guess", best["estimator"], f"RMSE {score(best['rmse'])}."),
        ("Most often right", exact["estimator"], f"{exact['accuracy']:.0f}% inside the reference interval."),
        (
            "Certain in the end",
            figure(best["mean_reference"]),
            "The mean score that all judgments make certain. What they leave unjudged may add to it, so a guess above "
            "this may be right.",
        ),
        ("Guessed mean", figure(best["mean_estimate"]), "The mean score by the closest guess."),
    )


def estimates(by_system, guess):
    """How a guess stands to the reference: a row per system."""
    above = int((by_system["value"] > by_system["reference_upper"] + FUZZ).sum())
    below = int((by_system["value"] < by_system["reference"] - FUZZ).sum())
    inside = len(by_system) - above - below
    said = f"{opening(guessed(guess))} puts {digits(inside, 'system')} of {number(len(by_system))} inside what the \
deeper judgments leave possible"
    rest = [f"{number(above)} above it"] * bool(above) + [f"{number(below)} below it"] * bool(below)
    wide = (by_system["reference_upper"] - by_system["reference"]).mean()
    return said + (f", {listed(rest)}" if rest else "") + f"; that is {score(wide)} wide on average."


def coverage(table, theta):
    """How many topics the gamma test adjusts: the question `coverage` at one depth."""
    n, adjusted = len(table), int(table["adjusted"].sum())
    if not theta:
        return f"A threshold of 0 adjusts all {number(n)} topics."
    return (
        f"{digits(adjusted, 'topic')} of {number(n)} {verb(adjusted, 'has', 'have')} a gamma above {theta:g} and "
        f"{verb(adjusted, 'is', 'are')} adjusted; the others stay at their lower end."
    )


def constants(table, name, published):
    """The C and E that fit best here: the question `constants`."""
    best = table[table["best"]].iloc[0]
    near = table.loc[((table["C"] - published["C"]).abs() + (table["E"] - published["E"]).abs()).idxmin()]
    return (
        f"Over pools of 1/64 to 1/2 of the judgments, {name} comes closest with C = {best['C']:g} and "
        f"E = {best['E']:g} (plain RMSE {score(best['rmse_plain'])}); the published C = {published['C']:g} and "
        f"E = {published['E']:g} give "
        f"{score(near['rmse_plain'])}."
    )


def two_strata(table):
    """Which use of a sample comes closest: the question `two_strata`."""
    means = table.groupby("estimator", sort=False)[["rmse", "judgments"]].mean()
    scored = means.drop(index="infAP", errors="ignore")
    best, pool = scored["rmse"].idxmin(), means.loc["pool"]
    more = means["judgments"].max() - pool["judgments"]
    if best == "pool":
        return f"The shallow pool alone comes closest, missing by {score(pool['rmse'])}; the sample of \
{number(round(more))} more judgments does not help."
    return (
        f"With {number(round(more))} more judgments drawn at random, {best} comes closest, missing by "
        f"{score(scored['rmse'][best])}; the shallow pool alone misses by {score(pool['rmse'])}."
    )


# ---- Orderings


def orderings(row, swapped):
    """How far two regimes agree: a row of the question `regimes`, and the question `swaps`."""
    if row["a"] == row["b"]:
        return "A regime agrees with itself; choose two."
    if not known(row["tau"]):
        return f"{row['a']} and {row['b']} have too few systems in common to be compared."
    both = f"{row['a']} and {row['b']}"
    swaps_n, certain = int(row["inversions"]), int(swapped["certain"].sum())
    if not swaps_n:
        return f"No pair of systems swaps between {both}; tau is {score(row['tau'])}."
    settled = f"{small(certain) if certain else 'none'} of them certain by {row['a']}"
    agree = share(1 - row["tau_distance"])
    return f"{both} order {agree} of pairs alike or tied; {count(swaps_n, 'pair')} \
{verb(swaps_n, 'swaps', 'swap')}, {settled}."


TESTS = {"t": "paired t-test", "randomisation": "randomisation test", "bootstrap": "bootstrap test"}
CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "uncorrected"}


def test_name(choice):
    """A test and its correction as a choice."""
    test, correction = choice.split()
    return f"{TESTS[test]}, {CORRECTIONS[correction]}"


def pairs(table, params):
    """How many pairs are settled: the question `pairs` and its parameters."""
    n = len(table)
    counts = {verdict: int((table["verdict"] == verdict).sum()) for verdict in ("certain", "likely", "open")}
    if not table["certain_low"].notna().any():
        return f"Of {digits(n, 'pair')}, {number(counts['likely'])} {verb(counts['likely'], 'is', 'are')} significant \
at {score(params['level'])}; this measure makes none certain."
    return f"Of {digits(n, 'pair')}, {number(counts['certain'])} {verb(counts['certain'], 'is', 'are')} certain \
whatever further judging finds, {number(counts['likely'])} more {verb(counts['likely'], 'is', 'are')} likely, and \
{number(counts['open'])} {verb(counts['open'], 'is', 'are')} open."


def separability(table):
    """What few judgments separate and all take back: the question `separability`, its first estimator."""
    rows = table[table["estimator"] == table["estimator"].iloc[0]]
    few, full = rows.iloc[0], rows.iloc[-1]
    return (
        f"With {digits(few['judgments'], 'judgment')}, {share(few['separable'])} of pairs are separable (p < .01) and \
{share(few['reversed'])} of pairs are taken back by all judgments; with all \
{number(full['judgments'])}, {share(full['separable'])} are separable."
    )


def p_values(table, shallow):
    """How many pairs keep their quadrant: the question `p_values`, and what its few judgments are."""
    counts = table["quadrant"].value_counts()
    reversal = int(counts.get("separable only with few judgments", 0))
    missed = int(counts.get("separable only with all judgments", 0))
    return (
        f"Of {digits(len(table), 'pair')}, {number(reversal)} {verb(reversal, 'is', 'are')} significant (p < .01) at "
        f"{shallow} and not with all judgments; {number(missed)} {verb(missed, 'needs', 'need')} all judgments to be "
        "told apart."
    )


# ---- Confidence

MODELS = {
    "MD1": "MD1: topics and systems, whole",
    "MD2": "MD2: shards as replicates",
    "MD3": "MD3: and topic x system",
    "MD4": "MD4: and shard",
    "MD5": "MD5: and system x shard",
    "MD6": "MD6: and topic x shard",
}


def model(name):
    """A model as a choice."""
    return MODELS.get(name, name)


def interval_kind(name):
    """A kind of interval as a choice."""
    return {"tukey": "Tukey", "sem": "Standard error", "anova": "Analysis of variance"}.get(name, name)


def confidence(pairs, board, compared, params):
    """What a model tells apart: the questions `tukey_pairs`, `system_intervals` and `models`, and the parameters of
    the first."""
    name, none = params["model"], not pairs["significant"].any()
    tells = "no two systems" if none else f"{share(pairs['significant'].mean())} of pairs"
    said = f"{name} tells {tells} apart"
    if name != "MD1":
        mean = compared.set_index("model")["share_significant"][name]
        said = f"{name} with {params['shards']} shards tells {tells} apart on one cut of the documents ({share(mean)} \
of pairs on average over random cuts)"
    if none:
        return f"{said}."
    top = list(board["system"][board["in_top_group"]])
    if len(top) == 1:
        best = f"one system is best, {top[0]}"
    elif len(top) == len(board):
        best = "no system stands out"
    else:
        best = f"{count(len(top) - 1, 'other system')} cannot be told apart from the best, {top[0]}"
    return f"{said}; {best}."


def model_numbers(row):
    """The numbers of a model: a row of the question `models`."""
    over = "" if row["model"] == "MD1" else " Mean over random cuts of the documents."
    return (
        ("Pairs told apart", number(round(row["significant"])), f"By Tukey's HSD.{over}"),
        ("Top group", f"{row['top_group']:.3g}", f"Systems not told apart from the best, itself included.{over}"),
        ("Tukey half-width", figure(row["width_tukey"]), f"Half the width of a system's interval.{over}"),
        ("omega²", figure(row["omega2_system"]), f"Size of the system effect: large from .14.{over}"),
    )


def models(table):
    """What sharding buys: the question `models`."""
    rows = table.set_index("model")
    if not {"MD1", "MD6"} <= set(rows.index):
        return "Compare MD1 with a model over shards."
    one, six = rows.loc["MD1"], rows.loc["MD6"]
    return (
        f"On the whole collection (MD1) {share(one['share_significant'])} of pairs are told apart, over shards (MD6) "
        f"{share(six['share_significant'])} on average over random cuts; their orderings have tau "
        f"{score(six['tau'])} on average."
    )


def variance(effects, shares):
    """Where the variance lies: effects and their shares of the sum of squares."""
    if not all(known(part) for part in shares):
        return "All scores are the same, so there is no variance to divide."
    order = sorted(zip(shares, effects, strict=True), reverse=True)
    first, second = order[0], order[1]
    named = {"error": "what no effect explains", "system": "systems", "topic": "topics", "shard": "shards"}
    said = [f"{share(part)} lies in {named.get(name, name)}" for part, name in (first, second)]
    return opening(" and ".join(said)) + "."


def stability(table):
    """How much depends on the partition: the question `shard_stability`."""
    first, last = table.iloc[0], table.iloc[-1]
    common = (
        f"; {share(first['common'])} of the significant pairs of {number(first['shards'])} shards are significant \
on every partition"
        if known(first["common"])
        else ""
    )
    return f"With {number(first['shards'])} shards the ordering has tau {score(first['tau'])} with the whole, with \
{number(last['shards'])} {score(last['tau'])}{common}."


def undefined(before, after, value):
    """What the value of undefined cells changes: the question `models` with 0 and with another value."""
    cells = after["undefined"].max()
    if not cells:
        return "Every shard holds a relevant document of every topic, so nothing depends on this."
    apart = (after["significant"] - before["significant"]).abs()
    changed = [name for name, by in zip(after["model"], apart, strict=True) if by > FUZZ]
    kept = [name for name in after["model"] if name not in changed]
    said = "nothing changes"
    if changed:
        said = f"{listed(changed, 6)} {verb(len(changed), 'tells', 'tell')} other numbers of pairs apart"
    if changed and kept:
        said += f"; {listed(kept, 6)} {verb(len(kept), 'tells', 'tell')} the same"
    return (
        f"On average {cells:.3g} shards of topics hold no relevant document. With {value:g} there in place of 0, "
        f"{said}."
    )


# ---- New systems


def left_out_choice(by):
    """What is left out, as a choice."""
    return {"run": "every system alone", "group": "its whole group"}.get(by, by)


def reading_choice(unjudged):
    """How unjudged documents are read, as a choice."""
    return {"irrelevant": "not relevant", "condensed": "taken out of the rankings"}.get(unjudged, unjudged)


def left_out(table, by):
    """What being left out costs: the question `leave_out`."""
    table = table[table["value"].notna()]
    if not len(table):
        return "No system that helped to build the pool has a score."
    lost, fall = table["value"] - table["value_without"], table["rank_without"] - table["rank"]
    who = "a system" if by == "run" else "a system whose group is left out"
    mean = lost.mean()
    said = f"Left out, {who} loses {score(mean)} on average"
    if mean < 0:
        said = f"Left out, {who} gains {score(-mean)} on average"
    if fall.max() <= 0:
        return f"{said}; none falls in the ordering."
    worst = table.loc[fall.idxmax()]
    return f"{said}; {worst['system']} falls {count(int(fall.max()), 'place')}, from {number(worst['rank'])} to \
{number(worst['rank_without'])}."


def hardest_hit(table):
    """The names of the systems, those that lose most by being left out first: the question `leave_out`."""
    loss = table["value"] - table["value_without"]
    return list(table.loc[loss.sort_values(ascending=False, kind="stable").index, "system"])


def left_out_numbers(table):
    """The numbers under it: (label, value, help)."""
    lost, fall = table["value"] - table["value_without"], table["rank_without"] - table["rank"]
    alone = table.drop_duplicates("left_out")
    return (
        ("Mean loss", figure(lost.mean()), "Score with its judgments less that without, mean over systems."),
        ("Largest loss", figure(lost.max()), "Of any system."),
        ("Systems that fall", number((fall > 0).sum()), "Systems that stand lower when left out."),
        ("Relevant found by one alone", number(alone["unique_relevant"].sum()), "Documents that no other brought."),
    )


def widths(table):
    """How the bias falls with the pool: the question `bias_by_width`."""
    first, last = table.iloc[0], table.iloc[-1]
    if len(table) == 1:
        return f"A pool of {number(first['width'])} systems takes {score(first['mean'])} from one more on average."
    return f"A pool of {number(first['width'])} systems takes {score(first['mean'])} from one more on average, one of \
{number(last['width'])} {score(last['mean'])}."


def adjusted(row, source):
    """A corrected score: a row of `adjust_from_systems` or `adjust_from_topics`."""
    limits = ""
    if known(row["lower"]):
        limits = f", between {score(row['lower'])} and {score(row['upper'])} (t interval)"
    if row["lower"] < 0 and row["upper"] > 1:
        limits = ", but its t interval is wider than all scores"
    if round(row["adjusted"], 3) == round(row["unadjusted"], 3):
        return f"From {source} nothing is to be corrected: {row['system']} scores {score(row['unadjusted'])}."
    helps = row.get("helps_over_unadjusted")
    advice = "" if helps is None else "; correcting is likely to help" if helps else "; correcting may not help"
    return f"From {source}, {row['system']} scores {score(row['adjusted'])} instead of {score(row['unadjusted'])}\
{limits}{advice}."


READINGS = {
    "unadjusted": "left as it is",
    "condensed": "unjudged documents taken out",
    "from systems": "corrected from other systems",
    "from topics": "corrected from common topics",
    "true": "true score",
}


def newcomer(table, system):
    """One system in the place of a newcomer: the question `newcomer`."""
    value = table.set_index("reading")["value"]
    if "true" not in value:
        said = [f"{READINGS[name]} {score(one)}" for name, one in value.items()]
        return f"{system} was not pooled, so its true score is not known: {listed(said, 4)}."
    if not known(value["true"]):
        return f"No topic counts for {system}."
    guesses = value.drop("true")
    nearest = (guesses - value["true"]).abs().idxmin()
    return (
        f"Had {system} come too late, it would score {score(value['unadjusted'])} in place of {score(value['true'])}; "
        f"closest comes “{READINGS[nearest]}” with {score(guesses[nearest])}."
    )


def experiment(table):
    """Which correction comes closest: the question `adjustment_experiment`. The whole of the topics teaches nothing."""
    names = {
        "unadjusted": "leaving it as it is",
        "mixed": "taking true scores on the common topics",
        "from_systems": "correcting from systems",
        "from_topics": "correcting from topics",
    }
    row = (table if (table["mixed"] <= 0).all() else table[table["mixed"] > 0]).iloc[-1]
    best = min(names, key=lambda name: row[name])
    rest = listed([f"{names[name]} {score(row[name])}" for name in names if name != best], 3)
    return opening(
        f"{names[best]} comes closest: with {digits(row['width'], 'system')} in the pool and "
        f"{digits(row['common'], 'common topic')} it is off by {score(row[best])} on average; {rest}."
    )


# ---- Judgments


ENOUGH_SYSTEMS = 10  # fewer cannot be called as witnesses against a judgment


def judgments(health, holes, suspects, systems):
    """What an organiser should know first: the questions `judgment_health`, `holes` (None = none) and `suspects`, and
    how many systems there are."""
    if not health["judged"].sum():
        return "Nothing is judged, so there is nothing to trust or to doubt."
    rejected = suspects[suspects["kind"] == "not relevant"]
    missing, without = round(health["still_missing"].sum()), (health["relevant"] == 0).sum()
    if systems < ENOUGH_SYSTEMS:
        said = f"{small(systems)} {'system is' if systems == 1 else 'systems are'} too few to suspect single judgments"
    elif len(rejected):
        said = f"{count(len(rejected), 'document')} that most good systems rank in their first ten \
{verb(len(rejected), 'was', 'were')} judged not relevant"
    else:
        said = "no document that most good systems rank at the top was judged not relevant"
    said += f"; about {digits(missing, 'relevant document')} may still be missing" if missing else ""
    said += f"; the pool has {count(holes_in(holes), 'hole')}" if holes_in(holes) else ""
    said += f"; {count(int(without), 'topic')} {verb(without, 'has', 'have')} nothing relevant" if without else ""
    return opening(f"{said}.")


def holes_in(holes):
    """How many documents the pool should have held and nobody judged: the question `holes`, or None."""
    return 0 if holes is None else len(holes.drop_duplicates(["topic", "document"]))


def judgment_numbers(health, holes):
    """The numbers under it: (label, value, help)."""
    topics, missing = max(len(health), 1), health["still_missing"]
    return (
        ("Judged", number(health["judged"].sum()), f"{health['judged'].sum() / topics:.0f} a topic."),
        ("Relevant", number(health["relevant"].sum()), f"{health['relevant'].sum() / topics:.1f} a topic."),
        (
            "Still missing",
            number(round(missing.sum())) if missing.notna().any() else "–",
            "Chao & Lee's estimate, summed over topics.",
        ),
        ("Holes", number(holes_in(holes)), "Documents that the pool should have held, but nobody judged."),
    )


def audit(table, order="score"):
    """Who seems to have been pooled, by the order of scores or of the rank column: the question `pool_audit`."""
    looks, pooled = table["looks_pooled"], table["pooled"]
    if not looks.any():
        return "The files do not show which systems were pooled."
    depths = table.loc[looks, f"depth_by_{order}"]
    to = f"{number(depths.min())} to {number(depths.max())}" if depths.min() < depths.max() else number(depths.max())
    said = f"{number(looks.sum())} of {digits(len(table), 'system')} {verb(looks.sum(), 'looks', 'look')} pooled"
    said += f", judged without a gap down to rank {to}"
    others = list(table.loc[looks & ~pooled, "system"])
    said += f"; {listed(others)} {verb(len(others), 'was', 'were')} not pooled" if others else ""
    return f"{said}. Files cannot tell a pooled system from one whose documents all happen to be judged."


def agreement(table, counted, *, by_grade):
    """How far two sets of judgments agree: the questions `agreement` and `confusion`, which tells their scales."""
    row = table.iloc[-1]  # all topics together
    alike = len({counted.loc[counted["count"] > 0, name].max() for name in ("grade", "grade_other")}) == 1
    what = "give the same grade to" if by_grade else "agree on the relevance of"
    kappa = f" (kappa {figure(row['kappa'])})" if known(row["kappa"]) else ""
    said = (
        f"The two {what} {percent(row['same'] / row['both'])} of the {digits(int(row['both']), 'document')} that both \
judge{kappa}"
    )
    if by_grade and not alike:
        said += "; their scales differ, so say from which grade on the second finds a document relevant"
    elif by_grade and abs(row["shift"]) >= 0.0005:
        said += f"; the second grades {score(abs(row['shift']))} {'higher' if row['shift'] > 0 else 'lower'} on average"
    alone = [f"{number(row[name])} {whose}" for name, whose in ALONE.items() if row[name]]
    return f"{said}. Judged by one alone: {' and '.join(alone)}." if alone else f"{said}."


ALONE = {"first_alone": "by these judgments", "second_alone": "by the second"}


def agreement_effect(table, measure, alone=0):
    """What the second set does to the systems: the question `agreement_effect`; it leaves `alone` documents out."""
    table = table.dropna(subset=["rank", "rank_other"])
    moved = table["rank_other"] - table["rank"]
    if (moved == 0).all():
        return f"By {measure} every system keeps its place."
    said = f"By {measure} and the second judgments, {number((moved != 0).sum())} of {digits(len(table), 'system')}"
    said += f" {verb((moved != 0).sum(), 'changes its place', 'change places')}"
    for way, most, worth in (("gains", moved.idxmin(), moved.min() < 0), ("loses", moved.idxmax(), moved.max() > 0)):
        name, before, after = table.loc[most, ["system", "rank", "rank_other"]]
        said += f"; {name} {way} most, from {number(before)} to {number(after)}" if worth else ""
    if alone:
        said += f". The second leaves {number(alone)} of these documents unjudged, which may move systems too"
    return f"{said}."


def judge_next(table, measure):
    """What judging a list buys: the question `judge_next`."""
    if not len(table):
        return f"No unjudged document counts for {measure} on a judged topic."
    first, n = table.iloc[0], count(len(table), "document")
    these = "this" if len(table) == 1 else "these"
    return (
        f"Judge {first['document']} of topic {first['topic']} first, which {count(int(first['systems']), 'system')} "
        f"{verb(first['systems'], 'has', 'have')}. After {these} {n} the intervals of {measure} are still "
        f"{score(table['width_left'].iloc[-1])} wide on average."
    )


def judging_orders(table):
    """Which order finds relevant documents first: the question `judging_orders`."""
    steps = sorted(set(table["judgments"]))
    at = table[table["judgments"] == steps[len(steps) // 4]]
    most = at.loc[at["relevant"].idxmax()]
    least = at.loc[at["relevant"].idxmin()]
    if most["relevant"] == least["relevant"]:
        return f"After {number(most['judgments'])} judgments all orders have found as many relevant documents."
    return (
        f"After {number(most['judgments'])} judgments {most['order']} has found {number(most['relevant'])} relevant "
        f"documents, {least['order']} {number(least['relevant'])}."
    )


# ---- Fusion

METHODS = {
    "rbc": "RBC",
    "borda": "Borda",
    "combsum": "CombSUM",
    "combmnz": "CombMNZ",
    "combmax": "CombMAX",
    "round-robin": "round robin",
    "rrf": "reciprocal rank fusion",
}


def fusion_rule(name):
    """A way of fusing, as a choice: `rbc(phi=0.9)` or `borda`."""
    method, _, phi = name.partition("(phi=")
    return METHODS.get(method, method) + (f", persistence {persistence(phi.rstrip(')'))}" if phi else "")


def persistence(phi):
    """A persistence, as short as it is known: .9, .95."""
    return f"{float(phi):g}".removeprefix("0") or "0"


def method_and_phi(method, phi):
    """A method with its persistence, where it has one."""
    return METHODS.get(method, method) + (f" {persistence(phi)}" if known(phi) else "")


def fusion(row, inputs):
    """Whether the crowd beats its best: a row of `fusion_scores`, and what was fused."""
    method = METHODS.get(row["method"], row["method"])
    if not known(row["value"]):
        return f"{method} over {inputs} has no score: no topic counts."
    best, gain = row["best_input"], row["gain_over_best"]
    said = f"{method} over {inputs} scores {score(row['value'])}"
    if not known(best) or best <= 0:
        return f"{said}."
    if abs(gain) < 0.0005:
        return f"{said}, as the best of them does."
    p = f" (p = {row['p']:.2g})" if known(row["p"]) and gain > 0 else ""
    return f"{said}, {percent(abs(gain) / best)} {'above' if gain > 0 else 'below'} the best of them{p}."


def fusion_numbers(row):
    """The numbers under it: (label, value, help)."""
    against = f"{row['p_against_borda']:.2g}" if known(row["p_against_borda"]) else "–"
    return (
        ("Fused", figure(row["value"]), f"Mean over {row['n']} topics."),
        ("Best input", figure(row["best_input"]), "The input with the highest mean."),
        ("Mean input", figure(row["mean_input"]), "All inputs on average."),
        ("p against Borda", against, "One-tailed paired t-test: better than Borda."),
    )


def fusion_topics(table):
    """Where the crowd wins and loses: the question `fusion_topics`."""
    apart = table["difference"].dropna()
    won, lost = int((apart > 0).sum()), int((apart < 0).sum())
    if not won and not lost:
        return "On no topic does the fused ranking differ from the best input."
    on = f"{count(won, 'topic')} and worse on {small(lost) if lost else 'none'}"
    said = f"The fused ranking is better than the best input on {on}"
    worst = table.loc[table["difference"].idxmin()]
    return said + (f"; it loses most on topic {worst['topic']}, {score(-worst['difference'])}." if lost else ".")


def fusion_by_count(table):
    """What more variations buy: the question `fusion_by_count`."""
    means = table.groupby("count")["value"].mean()
    first, last = means.index[0], means.index[-1]
    return (
        f"With {count(int(first), 'variation')} fused the systems score {score(means[first])} on average, with "
        f"{small(int(last))} {score(means[last])}."
    )


def letters(rows):
    """A worked example: (letter, value), best first."""
    if not rows:
        return "Write at least one letter."
    return f"The fused ranking is {' '.join(name for name, _ in rows)}."


# ---- Consistency


def consistency(systems, topics, pairs):
    """Who is consistent: the questions `consistency_of_systems`, `consistency_of_topics` and `consistency_pairs`."""
    known_systems, known_topics = systems.dropna(subset="consistency"), topics.dropna(subset="consistency")
    if not len(known_systems):
        return "No system answers two queries of one topic, so nothing is known of consistency."
    best, least = known_systems.iloc[0], known_topics.loc[known_topics["consistency"].idxmin()]
    apart = pairs[((pairs["a"] == best["system"]) | (pairs["b"] == best["system"])) & ~(pairs["p"] < 0.05)]
    others = [b if a == best["system"] else a for a, b in zip(apart["a"], apart["b"], strict=True)]
    doubt = f", not told apart from {listed(others)}" if others else ""
    return (
        f"{best['system']} is the most consistent ({score(best['consistency'])}){doubt}; topic {least['topic']} is the "
        f"least consistently answered ({score(least['consistency'])})."
    )


def consistency_against_score(table, measure):
    """Whether consistent systems are good: system, consistency, value."""
    both = table.dropna(subset=["consistency", "value"])
    if len(both) < 2:
        return "Two systems or more are needed to compare consistency and score."
    consistent, good = both.loc[both["consistency"].idxmax(), "system"], both.loc[both["value"].idxmax(), "system"]
    if consistent == good:
        return f"{good} is the most consistent and the best by {measure}."
    return f"{consistent} is the most consistent, {good} the best by {measure}."


def oracle(table, measure):
    """What choosing the wording is worth: the question `oracle_variation`."""
    gain = (table["best_query"] - table["all_queries"]).mean()
    return f"Whoever knew the best wording of each topic would gain {score(gain)} {measure} on average."
