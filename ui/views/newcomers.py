"""The faces of newcomers."""

VIEWS = {}
