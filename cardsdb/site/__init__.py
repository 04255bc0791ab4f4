"""The tools of the whole site: errors, limits, who may share a page, security headers, static files."""
