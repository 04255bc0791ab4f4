"""The one way a deck is written: edits, whole states, what differs, merging."""
