"""The faces of fusion."""

VIEWS = {}
