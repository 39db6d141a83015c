"""No word that WRITING.md bans occurs in a string or docstring of the product."""

import ast
import re
from pathlib import Path

from ui.text import definitions

ROOT = Path(__file__).parent.parent
BANNED = re.compile(
    r"\b(told|tells? apart|anew|hangs? on|could still make of|opposite(?:ly)?|by all judgments|held against|"
    r"taken for|stands? beside|the other way round|of which nobody|helped to build|newcomers?|regimes?|"
    r"the truth|brings? in|crowd)\b",
    re.IGNORECASE,
)
OF_NAMES = ("columns", "choices", "folds")  # of a row: names of the API with blanks between them
FILES = [
    *sorted(file for place in ("evalcore", "ui", "pages") for file in (ROOT / place).rglob("*.py")),
    ROOT / "app.py",
]


def test_no_banned_word_occurs():
    banned = []
    for file in FILES:
        tree = ast.parse(file.read_text("utf-8"))
        given = [node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg in OF_NAMES]
        names = {id(one) for node in given for one in ast.walk(node.value)}
        constants = (one for one in ast.walk(tree) if isinstance(one, ast.Constant) and id(one) not in names)
        texts = (node.value for node in constants)
        texts = (re.sub("`[^`]*`", "", text) for text in texts if isinstance(text, str))
        texts = (text for text in texts if " " in text)  # a name of the API has no space, or is between backticks
        banned += [f"{file.name}: {text}" for text in texts if BANNED.search(text)]
    assert banned == []


MOST_WORDS = 35


def test_no_sentence_of_the_methods_is_long():
    """Not one in a cell of a table either; a formula or a name in code is one word. Make two of it, or steps."""
    text, _, _ = (ROOT / "docs" / "METHODS.md").read_text("utf-8").partition("\n## 16. References")
    sentences = definitions.sentences(text)
    assert len(sentences) > 2000
    assert [one for one in sentences if len(definitions.INLINE.sub("x", one).split()) > MOST_WORDS] == []
