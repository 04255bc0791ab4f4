"""Serve the templates of the catalogue."""
