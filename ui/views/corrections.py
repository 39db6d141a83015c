"""The faces of corrections."""

VIEWS = {}
