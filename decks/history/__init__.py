"""Versions of a deck: undo, redo, names, differences, forks."""
