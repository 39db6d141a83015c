"""The facts of newcomers."""

FACTS = {}
ASKED = {}
