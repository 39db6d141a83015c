"""The app as a visitor finds it."""

import pytest

from tests.ui.test_pages import opened


@pytest.fixture
def app():
    """The app on its sample, with the Data page open."""
    return opened()
