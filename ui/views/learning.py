"""The faces of learning."""

VIEWS = {}
