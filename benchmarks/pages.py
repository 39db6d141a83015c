"""What a visitor waits for: python benchmarks/pages.py FOLDER PAUSE [controls]

Opens the app on FOLDER/runs and FOLDER/qrels.txt without a browser, and makes choices PAUSE seconds apart. Prints the
server's seconds for each, by page, as JSON. A process of its own, since what was worked out once is kept.

controls : every picker of every page, some options each, in seconds of the processor
"""

import json
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


PAGES = (
    "scores", "pool_depth", "compare", "confidence", "orderings", "estimators", "new_systems", "judgments", "fusion",
)  # fmt: skip
OPTIONS = 6  # of a picker, at most


def opened(folder):
    """The app with the track of a folder."""
    from streamlit.testing.v1 import AppTest

    os.chdir(ROOT)
    sys.argv = ["app.py", "--runs", str(folder / "runs"), "--qrels", str(folder / "qrels.txt")]
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600).run()
    return app.selectbox(key="study").set_value("folder").run()


def controls(folder):
    """Seconds of the processor by page and first choice: {page: {choice: seconds}}."""
    app, taken = opened(folder), {}
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        pickers = [(picker.key, picker.index, picker.options) for picker in app.selectbox if picker.key != "study"]
        pickers = [picker for picker in pickers if picker[1] is not None]  # one begins empty
        for key, index, options in pickers:
            for option in options[:OPTIONS]:
                picker = next((picker for picker in app.selectbox if picker.key == key), None)
                if picker is None or picker.disabled or option not in picker.options or option == options[index]:
                    continue
                start = time.process_time()
                picker.select(option).run()
                of_page = taken.setdefault(page.replace("_", " ").capitalize(), {})
                of_page[f"{key}={option}"] = time.process_time() - start
                if app.exception:
                    raise RuntimeError(f"{page}, {key}={option}: {app.exception[0].message}")
            picker = next((picker for picker in app.selectbox if picker.key == key and not picker.disabled), None)
            if picker is not None and options[index] in picker.options:
                picker.select(options[index]).run()
    return taken


def visit(folder, pause):
    """Seconds by page and choice: {page: {choice: seconds}}."""
    app, taken = opened(folder), {}

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
    folder, pause, *what = sys.argv[1:]
    folder = Path(folder).resolve()
    print(json.dumps(controls(folder) if what == ["controls"] else visit(folder, float(pause))))
