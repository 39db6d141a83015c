"""What every test needs: a cache folder of its own, so that nothing is read from or left in the user's, time, and
nothing done ahead of what it asks for."""

import pytest
from hypothesis import settings

settings.register_profile("busy", deadline=None)  # no test asks how fast anything is
settings.load_profile("busy")


def pytest_collection_modifyitems(items):
    """What fails in a browser is tried twice more, and counted: a machine may be too busy to draw in time."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=2))


def pytest_addoption(parser):
    parser.addoption("--regenerate-wording", action="store_true", help="write the golden file of the findings anew")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POOLSCOPE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_ahead():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ui.layout.prefetch.look_ahead", lambda study: None)
        yield
