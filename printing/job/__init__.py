"""A print as one value, and its pieces."""
