"""Login with an identity provider, in a browser."""

import subprocess
import sys

import pytest

from tests.ui.browser.acting import ROOT, Server, expect, free_port


@pytest.mark.parametrize(("allowed", "enters"), [("", True), ('allowed = ["@b.org"]', True), ("allowed = []", False)])
def test_whoever_a_provider_vouches_for_comes_in_if_allowed(opened, tmp_path, allowed, enters):
    provider_port, port = free_port(), free_port()
    issuer = f"http://localhost:{provider_port}"
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(f"""
[auth]
redirect_uri = "http://localhost:{port}/oauth2callback"
cookie_secret = "{"c" * 64}"
client_id = "poolscope"
client_secret = "s"
server_metadata_url = "{issuer}/.well-known/openid-configuration"
{allowed}
""")
    provider = subprocess.Popen([sys.executable, "-m", "tests.oidc", str(provider_port), "a@b.org"], cwd=ROOT)
    server = Server(tmp_path, "--secrets.files", str(secrets), port=port)
    page = opened(own=True)
    try:
        page.goto(server.url("scores"))
        page.get_by_role("button", name="Log in").click()
        if enters:
            expect(page.get_by_role("button", name="Log out")).to_be_visible()
            expect(page.get_by_role("heading", name="What is this, and what can it show me?")).to_be_visible()
            page.goto(server.url("scores"))  # the way back from a provider leads to the first page
            expect(page.get_by_role("heading", name="How good is each system")).to_be_visible()
        else:
            expect(page.get_by_text("has no access to this server")).to_be_visible()
            assert page.locator("h1").all_inner_texts() == ["Poolscope"]
    finally:
        page.close()
        server.stop()
        provider.terminate()
        provider.wait(20)


def test_secrets_that_cannot_be_read_let_nobody_in(opened, tmp_path):
    secrets = tmp_path / "secrets.toml"
    secrets.write_text("[auth]\noops = [")
    server = Server(tmp_path, "--secrets.files", str(secrets))
    page = opened(own=True)
    try:
        page.goto(server.url("scores"))
        expect(page.get_by_text("so nobody can log in")).to_be_visible()
        assert page.locator("h1").all_inner_texts() == ["Poolscope"]
    finally:
        page.close()
        server.stop()
