"""What the whole site uses: errors, limits, who may share a page, security headers, mail, health."""
