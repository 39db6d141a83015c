"""The faces of second_opinion."""

VIEWS = {}
