"""The viewer of a request, who asks."""
