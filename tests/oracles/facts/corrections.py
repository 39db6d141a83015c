"""The facts of corrections."""

FACTS = {}
ASKED = {}
