"""Operators see this of the site: a line of the log for each request, and numbers for Prometheus."""
