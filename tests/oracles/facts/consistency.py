"""The facts of consistency."""

FACTS = {}
ASKED = {}
