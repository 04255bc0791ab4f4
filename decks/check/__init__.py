"""A list that is pasted and judged, and nothing stored."""
