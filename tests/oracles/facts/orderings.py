"""The facts of orderings."""

FACTS = {}
ASKED = {}
