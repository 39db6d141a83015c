"""Logging in: asked for only where the server's secrets say so, and then nothing is shown before."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.test_pages import ROOT
from ui.layout import menu
from ui.serving import login

AUTH = {"redirect_uri": "http://localhost:8501/oauth2callback", "cookie_secret": "x" * 32, "client_id": "poolscope",
        "client_secret": "s", "server_metadata_url": "http://localhost:1/.well-known/openid-configuration"}  # fmt: skip


def opened(page, auth=None):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if auth:
        app.secrets["auth"] = auth
    return app.switch_page(page).run()


@pytest.mark.parametrize("page", menu.PAGES)
def test_nobody_sees_a_page_who_has_not_logged_in(page):
    app = opened(page, AUTH)
    assert not app.exception
    assert [title.value for title in app.title] == ["Poolscope"]
    assert [button.label for button in app.button] == ["Log in"]
    assert not app.selectbox
    assert not app.get("plotly_chart")
    assert not app.dataframe


def test_where_nothing_is_said_of_it_nobody_is_asked():
    app = opened("pages/scores.py")
    assert [title.value for title in app.title] == [menu.PAGES["pages/scores.py"].question]
    assert "Log out" not in [button.label for button in app.button]


@pytest.mark.parametrize(
    ("email", "allowed", "may"),
    [
        ("a@b.org", None, True), (None, None, True), ("a@b.org", [], False), ("A@B.org", ["a@b.org"], True),
        ("a@b.org", ["@B.org"], True), ("a@xb.org", ["@b.org"], False), ("a@b.org.evil", ["@b.org"], False),
        ("a@b.org", ["b.org", "org"], False), (None, ["@b.org"], False),
    ],
)  # fmt: skip
def test_who_may_enter(email, allowed, may):
    assert login.may_enter(email, allowed) is may
