"""The faces of pairs."""

VIEWS = {}
