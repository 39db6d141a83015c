"""What every plain answer of a page is: short, without codes, and of the same verdict as the exact headline."""

import re

import evalcore
from evalcore.metrics.metrics import METRICS

VERDICTS = ("Yes", "No", "Mostly", "Partly", "Only partly", "Nearly", "Not clearly", "Not always", "Hardly", "Ready")
VERDICT = re.compile(rf"({'|'.join(sorted(VERDICTS, key=len, reverse=True))})[:,.]")
CODES = re.compile(
    rf"\b({'|'.join(name for name in METRICS if name not in ('P', 'R', 'Q', 'Success', 'Judged'))})\b|@\d"
    rf"|\bMD\d|\bRB[CO]\b|Borda|\bComb[A-Z]|RMSE|\bsum\b|\bp [<=]|p-value|[α-ωΑ-Ω]|tau|kappa|Tukey|Holm|t-test"
    rf"|{'|'.join(name for name in evalcore.ESTIMATORS if name not in ('lower', 'upper', 'background', 'linear'))}"
)
NUMBER = re.compile(r"(?<![\w.])\.?\d[\d,.]*")
SETUP = re.compile(r"(?i)\bat depth \d+|\bfirst [\d,.]*\d( judgments?)?|grade \d+ or higher")  # what it is measured by
OWN_WORDS = ("metric", "method", "inputs", "model", "guess", "closest", "rivals", "width")  # no names of files
ON_ESTIMATORS = ("estimator_error", "estimator_agreement")  # where *guess* is a word


def check_plain(finding, question):
    """What every plain answer is: short, without codes, and of the same verdict as the headline."""
    plain, about = finding.plain, f"{question}: {finding.plain} ({finding.headline})"
    named = SETUP.sub("A", without_names(plain, finding.facts))
    assert re.fullmatch(r"\S.*\S[.]", plain), about
    assert not re.search(r"nan|None|[{}]|  |\binf\b|\[|unknown", named), about
    assert not CODES.search(named), about
    assert question in ON_ESTIMATORS or not re.search("guess|unjudged", named), about
    sentences = named.split(". ")
    assert 1 <= len(sentences) <= 2, about
    assert all(len(sentence.split()) <= 20 for sentence in sentences), about
    assert all(len(NUMBER.findall(of_the_scale(sentence))) <= 2 for sentence in sentences), about
    said, exact = (VERDICT.match(words) for words in (plain, finding.headline))
    assert (said and said.group(1)) == (exact and exact.group(1)), about


def of_the_scale(sentence):
    """Without the end of the scale, as in ".820 of 1"."""
    return re.sub(r" of 1(?![\d.]\d|\d)", "", sentence)


def without_names(plain, facts):
    """A plain answer with an A for each name in it, so that a name's words and numbers do not count."""
    of_files = [fact for name, fact in facts.items() if name not in OWN_WORDS]
    names = {name for fact in of_files for name in (fact if isinstance(fact, list) else [fact])}
    for name in sorted((name for name in names if isinstance(name, str)), key=len, reverse=True):
        plain = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "A", plain)
    return plain


SAID = {  # questions with a plain answer: those with which pages begin
    "depth_sweep", "leaderboard", "comparison", "regimes", "estimator_error", "estimator_agreement",
    "leave_out", "judges", "fusion_scores", "consistency_of_systems",
}  # fmt: skip
