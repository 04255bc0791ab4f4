"""The catalogue over HTTP for programs."""
