"""Exit code 0 where the app on this machine answers; for a container's health check."""

import os
from urllib.request import ProxyHandler, build_opener

port = os.environ.get("STREAMLIT_SERVER_PORT", "8501")
path = os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
address = "/".join(part for part in (f"http://localhost:{port}", path, "_stcore/health") if part)
build_opener(ProxyHandler({})).open(address, timeout=4).read()
