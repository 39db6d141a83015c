"""The facts of pairs."""

FACTS = {}
ASKED = {}
