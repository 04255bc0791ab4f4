"""A deck that is edited."""

from tests.support.editing import editor

__all__ = ["editor"]
