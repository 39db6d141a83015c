"""Logging in, where this server asks for it: `[auth]` in .streamlit/secrets.toml names who vouches for a visitor."""

from pathlib import Path

import streamlit as st
from streamlit.auth_util import get_origin_from_redirect_uri
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.web.server.starlette import starlette_websocket

from ui.escape import md

NAMED = "allowed"  # of [auth]: addresses, or parts after the @, that may come in; without it, whoever can log in


def ask():
    """Let nobody further who has to log in first."""
    try:
        auth = settings()
    except StreamlitSecretNotFoundError:
        st.title("Poolscope", anchor=False)
        st.error("This server's secrets cannot be read, so nobody is let in. Its log says what is wrong with the file.")
        st.stop()
    if auth is None:
        return
    if not st.user.get("is_logged_in"):
        st.title("Poolscope", anchor=False)
        st.markdown("This server asks who you are before it shows anything.")
        st.button("Log in", type="primary", on_click=st.login)
        st.stop()
    if not lets_in(st.user, auth):
        st.title("Poolscope", anchor=False)
        st.error(f"{md(st.user.get('email') or 'This account')} may not come in here. Ask whoever runs this server.")
        st.button("Log out", on_click=st.logout)
        st.stop()


def way_out():
    """Who is logged in, and the way out; for the sidebar."""
    if settings() is not None:
        st.button("Log out", on_click=st.logout, help=md(st.user.get("email") or ""), type="tertiary")


def lets_in(user, auth):
    """Whether a user, as Streamlit describes those who log in, has done so and may enter. auth : see `settings`"""
    vouched_for = user.get("email_verified", True)
    email = user.get("email") if vouched_for else None
    return bool(user.get("is_logged_in")) and may_enter(email, auth.get(NAMED))


def user_of(request):
    """The user who sends a request, by the cookie that Streamlit signs at login; empty without a valid one."""
    cookie = starlette_websocket._get_signed_cookie_with_chunks(request.cookies, starlette_websocket.USER_COOKIE_NAME)
    origin = get_origin_from_redirect_uri() or ""
    user = starlette_websocket._parse_decoded_user_cookie(cookie, origin) if cookie else {}
    return user | starlette_websocket.gather_user_info(request.headers)


def may_enter(email, allowed):
    """Whether an address is among those allowed, or ends with one that begins with @. None = everyone may."""
    if allowed is None:
        return True
    email = (email or "").casefold()
    return any(email.endswith(one) if one.startswith("@") else email == one for one in map(str.casefold, allowed))


def settings():
    """What the secrets say of logging in, or None. A file that cannot be read is an error, for it may have said."""
    try:
        return st.secrets.get("auth")
    except StreamlitSecretNotFoundError:
        if any(Path(file).exists() for file in st.get_option("secrets.files")):
            raise
        return None
