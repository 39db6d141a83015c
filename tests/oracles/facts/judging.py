"""The facts of judging."""

FACTS = {}
ASKED = {}
