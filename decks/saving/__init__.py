"""The one way a deck is written: edits, whole states, merging; its history and forks."""
