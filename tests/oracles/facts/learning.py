"""The facts of learning."""

FACTS = {}
ASKED = {}
