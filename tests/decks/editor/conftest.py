"""The fixture ``editor`` for all tests of this room: the address of the editor of a stored deck."""

from tests.support.editing import editor

__all__ = ["editor"]
