"""The fixture ``editor``: the address of the editor of a deck with 2 Kai and 1 Termite."""

from tests.support.editing import editor

__all__ = ["editor"]
