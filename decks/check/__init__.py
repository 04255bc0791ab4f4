"""A pasted list judged, and nothing stored."""
