"""The facts of second_opinion."""

FACTS = {}
ASKED = {}
