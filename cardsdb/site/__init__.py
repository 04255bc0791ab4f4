"""The tools of the whole site: errors, limits, sharing, security headers, static files."""
