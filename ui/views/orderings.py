"""The faces of orderings."""

VIEWS = {}
