"""What every test needs: a cache folder of its own, so that nothing is read from or left in the user's, time, and
nothing done ahead of what it asks for."""

from functools import cache

import pytest
from hypothesis import settings
from streamlit.components.v2 import manifest_scanner

settings.register_profile("busy", deadline=None)  # no test asks how fast anything is
settings.load_profile("busy")


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


@pytest.fixture(scope="session", autouse=True)
def packages_are_looked_through_once():
    """For components of Streamlit: half a second at the start of each app."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield
