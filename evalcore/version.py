"""The version of Poolscope."""

__version__ = "0.1.0"
