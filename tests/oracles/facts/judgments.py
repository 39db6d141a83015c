"""The facts of judgments."""

FACTS = {}
ASKED = {}
