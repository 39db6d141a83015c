"""The command `poolscope`: open the app, on a track if one is named, or answer a question on the terminal.

poolscope
poolscope NAME.poolscope
poolscope --runs DIR --qrels FILE
poolscope ask QUESTION --runs DIR --qrels FILE ...
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from evalcore import __main__ as questions
from evalcore.study.study_file import ENDING

APP = Path(__file__).resolve().parents[2] / "app.py"
HELP = "-h", "--help"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these words. -> the exit code"""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["ask"]:
        return questions.main(words[1:], name="poolscope ask")
    if set(words) & set(HELP):
        print(__doc__)
        return 0
    if len(words) == 1 and words[0].endswith(ENDING):
        words = ["--study", words[0]]
    from streamlit.web import cli  # which takes a second to load, and a question on the terminal does without

    sys.argv = ["streamlit", "run", str(APP), "--", *words]
    return cli.main()
