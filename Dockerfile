# Poolscope for others: not as root, and with nothing to write but the cache and /tmp. See docs/deploying.md.
# The digest of an image can be pinned: --build-arg PYTHON_IMAGE=python:3.11-slim@sha256:...
ARG PYTHON_IMAGE=python:3.11-slim
FROM ${PYTHON_IMAGE}

RUN groupadd --gid 10001 poolscope \
    && useradd --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin poolscope \
    && install -d -o poolscope -g poolscope -m 0700 /cache
WORKDIR /app
COPY requirements.txt requirements-login.txt constraints.txt ./
RUN pip install --no-cache-dir -r requirements.txt -r requirements-login.txt -c constraints.txt
COPY . .
RUN python -m compileall -q app.py evalcore pages ui && python -m ui.components.plotly_component

# As numbers: a cluster that allows no root (runAsNonRoot) does not look names up.
USER 10001:10001
ENV HOME=/tmp \
    POOLSCOPE_CACHE=/cache \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_HEADLESS=true
VOLUME /cache
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["python", "docs/healthy.py"]
ENTRYPOINT ["streamlit", "run", "app.py"]
