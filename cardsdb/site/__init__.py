"""What the whole site uses: errors, limits, the page cache, security headers, mail, health."""
