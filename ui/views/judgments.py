"""The faces of judgments."""

VIEWS = {}
