"""What is asked in advance: the slow questions of the next pages, once, in a thread that holds no study."""

import gc
import threading
import weakref

import pytest

import evalcore
from evalcore.questions.question import SMALL
from tests.small import small_study
from tests.ui import test_pages
from ui.layout import prefetch
from ui.layout.prefetch import FIRST, look_ahead  # before conftest.py takes it away
from ui.serving import workers
from ui.session import answers


class AtOnce:
    """A thread that does its work when it is started."""

    def __init__(self, target, args, daemon):
        self.start = lambda: target(*args)


@pytest.fixture
def asked(monkeypatch):
    """The questions that pages and workers are asked; the slow ones all go to workers."""
    questions = []

    def ask(study, question, progress=None, **params):
        questions.append(question)
        return evalcore.ask(study, question, **params)

    monkeypatch.setattr(workers, "answer", ask)
    monkeypatch.setattr(workers, "LONG", dict.fromkeys(workers.LONG, 0))
    monkeypatch.setattr(prefetch, "look_ahead", look_ahead)
    answers.CACHE.drop()
    return questions


def visit(first, *pages):
    app = test_pages.opened(f"pages/{first}.py")
    for page in pages:
        test_pages.visit(app, f"pages/{page}.py")


def test_pages_find_what_was_asked_ahead_of_them(asked, monkeypatch):
    slow = {question for question, least in workers.LONG.items() if evalcore.QUESTIONS[question].long_from == SMALL}
    monkeypatch.setattr(prefetch, "Thread", AtOnce)
    visit("pool_depth")
    assert set(FIRST) <= set(asked)
    asked.clear()
    visit("confidence")
    visit("estimators")
    assert asked
    assert not slow.intersection(asked)


def test_a_visit_looks_ahead_once(asked, monkeypatch):
    begun = []
    monkeypatch.setattr(prefetch, "Thread", lambda target, args, daemon: begun.append(args) or AtOnce(len, ((),), True))
    visit("pool_depth", "data", "pool_depth")
    assert [questions for _, questions, _ in begun] == [list(FIRST)]


def test_a_question_that_fails_or_a_study_that_is_gone_stops_nothing(monkeypatch):
    study, asked = small_study({"a": {"t": {"d": 1.0}}}, {"t": {"d": 1}}), []

    def ask_ahead(study, question, whose, **params):
        asked.append(question)
        raise ValueError("cannot be answered")

    monkeypatch.setattr(answers, "ask_ahead", ask_ahead)
    reference = weakref.ref(study)
    prefetch._ask(reference, ["models", "tukey_pairs"], "")
    assert asked == ["models", "tukey_pairs"]
    with prefetch.ONE_AT_A_TIME:
        waiting = threading.Thread(target=prefetch._ask, args=(reference, ["models"], ""))
        waiting.start()
        del study
        gc.collect()
        assert reference() is None
    waiting.join(20)
    assert asked == ["models", "tukey_pairs"]


def test_workers_are_not_sent_a_large_track_ahead(asked, monkeypatch):
    monkeypatch.setattr(prefetch, "MODEST", 0)
    monkeypatch.setattr(prefetch, "Thread", AtOnce)
    visit("pool_depth")
    assert not set(FIRST).intersection(asked)
