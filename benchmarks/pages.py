"""What a visitor waits for: python benchmarks/pages.py FOLDER PAUSE

Opens the app on FOLDER/runs and FOLDER/qrels.txt without a browser, and makes choices PAUSE seconds apart. Prints the
server's seconds for each, by page, as JSON. A process of its own, since what was worked out once is kept.
"""

import json
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def visit(folder, pause):
    """Seconds by page and choice: {page: {choice: seconds}}."""
    from streamlit.testing.v1 import AppTest

    os.chdir(ROOT)
    sys.argv = ["app.py", "--runs", str(folder / "runs"), "--qrels", str(folder / "qrels.txt")]
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600).run()
    app.selectbox(key="study").set_value("folder").run()
    taken = {}

    def choose(page, key, value):
        time.sleep(pause)
        start = time.perf_counter()
        app.get_by_key(key).set_value(value).run()
        taken.setdefault(page, {})[f"{key}={value}"] = time.perf_counter() - start
        if app.exception:
            raise RuntimeError(f"{page}, {key}={value}: {app.exception[0].message}")

    for page, path in (("Pool depth", "pages/pool_depth.py"), ("Scores", "pages/scores.py")):
        app.switch_page(path).run()
        measures = app.selectbox(key="metric").options
        for measure in [*measures[1:], measures[0]]:
            choose(page, "metric", measure)
        for guess in ("interpolated", "smoothed"):
            choose(page, "estimator", guess)
    for depth in (1, 5, 10):
        choose("Scores", "depth", depth)
    for system in app.selectbox(key="system").options[1:3]:
        choose("Scores", "system", system)
    return taken


if __name__ == "__main__":
    print(json.dumps(visit(Path(sys.argv[1]).resolve(), float(sys.argv[2]))))
