"""A line of the log for each request, and numbers for Prometheus."""
