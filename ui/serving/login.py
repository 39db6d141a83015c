"""Login, if this server requires it: `[auth]` in .streamlit/secrets.toml names the identity provider."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.auth_util import get_origin_from_redirect_uri
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.scriptrunner import StopException
from streamlit.web.server.starlette import starlette_websocket

from ui.text.escape import md

NAMED = "allowed"  # of [auth]: addresses, or domains after the @, with access; without it, everybody who can log in


def require() -> None:
    """Stop visitors who must log in first; `st.stop` would not let the shell mark the end of its run."""
    try:
        auth = settings()
    except StreamlitSecretNotFoundError:
        st.title("Poolscope", anchor=False)
        st.error(
            "This server cannot read its secrets file, so nobody can log in. Ask its administrator to check the log."
        )
        raise StopException() from None
    if auth is None:
        return
    if not st.user.get("is_logged_in"):
        st.title("Poolscope", anchor=False)
        st.markdown("Log in to use this server.")
        st.button("Log in", type="primary", on_click=st.login)
        raise StopException()
    if not lets_in(st.user, auth):
        st.title("Poolscope", anchor=False)
        st.error(f"{md(st.user.get('email') or 'This account')} has no access to this server. Ask its administrator.")
        st.button("Log out", on_click=st.logout)
        raise StopException()


def way_out() -> None:
    """Show who is logged in, with a *Log out* button; for the sidebar."""
    if settings() is not None:
        st.button("Log out", on_click=st.logout, help=md(st.user.get("email") or ""), type="tertiary")


def lets_in(user: Mapping[str, Any], auth: Mapping[str, Any]) -> bool:
    """Whether a user, as described by Streamlit, is logged in and has access. auth : see `settings`"""
    vouched_for = user.get("email_verified", True)
    email = user.get("email") if vouched_for else None
    return bool(user.get("is_logged_in")) and may_enter(email, auth.get(NAMED))


def user_of(request: Any) -> dict[str, Any]:
    """The user who sends a request, from the cookie that Streamlit signs at login; empty without a valid one."""
    cookie = starlette_websocket._get_signed_cookie_with_chunks(request.cookies, starlette_websocket.USER_COOKIE_NAME)
    origin = get_origin_from_redirect_uri() or ""
    user = starlette_websocket._parse_decoded_user_cookie(cookie, origin) if cookie else {}
    return user | starlette_websocket.gather_user_info(request.headers)


def may_enter(email: str | None, allowed: Sequence[str] | None) -> bool:
    """Whether an address is allowed, or ends with an allowed domain (@…). None = all are."""
    if allowed is None:
        return True
    email = (email or "").casefold()
    return any(email.endswith(rule) if rule.startswith("@") else email == rule for rule in map(str.casefold, allowed))


def settings() -> Any:
    """What the secrets say of logging in, or None. A file that cannot be read is an error, for it may have said."""
    try:
        return st.secrets.get("auth")
    except StreamlitSecretNotFoundError:
        if any(Path(file).exists() for file in st.get_option("secrets.files")):
            raise
        return None
