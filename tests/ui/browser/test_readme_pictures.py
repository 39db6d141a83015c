"""The README's pictures, made again where POOLSCOPE_SCREENSHOT is set."""

import os

import pytest

from tests.ui.browser.acting import ROOT, expect, visit

PICTURES = {  # in docs/ -> path, height
    "screenshot": ("pool_depth?depth=5", 1000),
    "teach": ("pool_depth?tour=pooling&step=3&present=true", 800),
    "check": ("data", 900),
    "reuse": ("new_systems", 900),
}


@pytest.mark.skipif(not os.environ.get("POOLSCOPE_SCREENSHOT"), reason="POOLSCOPE_SCREENSHOT is not set")
@pytest.mark.parametrize("name", PICTURES)
def test_pictures_for_the_readme(opened, server, name):
    path, height = PICTURES[name]
    page = opened(1200, height)
    visit(page, server, path)
    expect(page.locator("[class*=st-key-the-finding], .headline").first).to_be_visible()
    page.screenshot(path=ROOT / "docs" / f"{name}.png")
