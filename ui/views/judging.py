"""The faces of judging."""

VIEWS = {}
