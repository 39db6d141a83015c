"""Plain answers: how a page shows them, and that what is wrong with one is found."""

import pytest

from evalcore.findings.conclusion import Conclusion
from tests.findings.plain import check_plain


def test_what_is_shown_first():
    assert Conclusion("Head.", "Detail.").on_screen == ("Head.", "Detail.")
    assert Conclusion("Head.", "Detail.", plain="A leads. B is next.").on_screen == ("A leads.", "B is next.")
    assert Conclusion("Head.", "Detail.", plain="A scores .820 of 1.").on_screen == ("A scores .820 of 1.", "")


@pytest.mark.parametrize("plain", ["A leads with .1, .2 and .3.", "A is best (p = .1).", "A leads on RBP(p=0.8).",
                                   " ".join(["word"] * 21) + ".", "A leads. B is next. C is last.", "τ is high.",
                                   "Yes: A leads."])  # fmt: skip
def test_a_wrong_plain_answer_is_found(plain):
    with pytest.raises(AssertionError):
        check_plain(Conclusion("A leads.", plain=plain), "leaderboard")
