"""The facts of estimates."""

FACTS = {}
ASKED = {}
