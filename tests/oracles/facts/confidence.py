"""The facts of confidence."""

FACTS = {}
ASKED = {}
