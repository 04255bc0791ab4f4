"""What whoever runs the site sees of it: a line of the log for each request, and numbers for Prometheus."""
