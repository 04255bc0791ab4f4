"""Who asks: the viewer of a request."""
