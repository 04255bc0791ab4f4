"""The one way a deck is written: edits, whole states, merging; and its history: undo, redo, names, forks."""
