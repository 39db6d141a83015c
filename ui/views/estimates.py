"""The faces of estimates."""

VIEWS = {}
