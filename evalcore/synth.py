"""The command `python -m evalcore.synth`: `sample_data.make`, which makes synthetic tracks."""

import runpy

if __name__ == "__main__":
    runpy.run_module("sample_data.make", run_name="__main__")
