"""One figure alone, in a frame of another site: `?embed=1&figure=KEY`, for the origins of `POOLSCOPE_EMBED`."""

import os
import re
from urllib.parse import parse_qs

SETTING = "POOLSCOPE_EMBED"
ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:\d+)?", re.IGNORECASE)
KEY = re.compile(r"[\w-]+", re.ASCII)


def origins() -> tuple[str, ...]:
    """The origins whose pages may frame a figure. Raises ValueError for a setting that is no list of them."""
    named = tuple(os.environ.get(SETTING, "").split())
    for origin in named:
        if not ORIGIN.fullmatch(origin):
            raise ValueError(f"{SETTING}={origin} is no origin. Write one such as https://blog.example.org.")
    return named


def headers(query: bytes) -> list[tuple[bytes, bytes]]:
    """Headers of a document that say who may frame it: nobody, unless it shows one figure alone. query : of its URL"""
    fields = parse_qs(query.decode("latin-1"))
    if fields.get("embed") == ["1"] and "figure" in fields and (named := origins()):
        return [(b"content-security-policy", f"frame-ancestors {' '.join(named)}".encode())]
    return [(b"content-security-policy", b"frame-ancestors 'none'")]


def style(figure: str) -> str:
    """The style that hides everything but a figure, and says so where there is none. figure : its key"""
    key = figure if KEY.fullmatch(figure) else "none"
    return STYLE.replace("KEY", f".st-key-{key}")


STYLE = """<style>
[data-testid=stSidebar], [data-testid=stHeader], [data-testid=stExpandSidebarButton] { display: none !important; }
[data-testid=stMain] :not(KEY, KEY *, :has(KEY)) { display: none !important; }
[data-testid=stMainBlockContainer] { padding: 0 !important; max-width: none !important; }
[data-testid=stMain]:not(:has(KEY))::after { content: "This page has no such figure."; }
</style>"""
