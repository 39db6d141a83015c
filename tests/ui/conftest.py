"""The app as a visitor finds it."""

import sys

import pytest

from tests.ui.test_pages import opened


@pytest.fixture
def app():
    """The app on its sample, with the Data page open."""
    return opened()


@pytest.fixture(autouse=True)
def main_module(monkeypatch):
    """The program that runs the tests stays `__main__`, in whose place AppTest puts its script: other processes that a
    later test starts would run that."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
