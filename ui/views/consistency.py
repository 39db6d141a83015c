"""The faces of consistency."""

VIEWS = {}
