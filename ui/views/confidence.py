"""The faces of confidence."""

VIEWS = {}
