"""The facts of fusion."""

FACTS = {}
ASKED = {}
