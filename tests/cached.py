"""What is cached: a track opened without the cache on disk and twice with it, and values in the server's cache."""

import pickle

import numpy as np
import pandas as pd
import pytest

import evalcore
from evalcore.collection import contributor_draws
from evalcore.reading import files
from ui.session.answers import CACHE


def once(function):
    """The function, which is called once for equal arguments."""
    known = {}

    def called(*given):
        key = pickle.dumps(given)
        if key not in known:
            known[key] = function(*given)
        return known[key]

    return called


def opened_in_every_way(opener, folder):
    """The study that `opener(cache=...)` opens, after it was compared with the same from the cache in `folder`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "SETTLED", 0)  # files that were written just now are not cached
        patch.setattr(contributor_draws, "chain", once(contributor_draws.chain))  # of one track it is drawn alike
        study, written, again = opener(cache=False), opener(cache=folder), opener(cache=folder)
    assert list(folder.glob("*.track")), "nothing was written to the cache"
    board, *boards = (evalcore.ask(one, "leaderboard", metric="AP").table for one in (study, written, again))
    for other, its_board in zip((written, again), boards, strict=True):
        assert other.findings == study.findings
        assert other.digest == study.digest
        for name in ("items", "scores", "pooled", "topic_of_query", "topic_of_item"):
            np.testing.assert_array_equal(getattr(other.track, name), getattr(study.track, name))
        assert other.track.doc_of_item.equals(study.track.doc_of_item)
        pd.testing.assert_frame_equal(other.system_table, study.system_table)
        pd.testing.assert_frame_equal(other.query_table, study.query_table)
        pd.testing.assert_frame_equal(board, its_board)
    return study


def cached_for(owner):
    """All values of an owner in the server's cache."""
    return [value for key, value in CACHE.items() if key[0] == owner]
