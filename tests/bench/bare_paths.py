"""Where the server answers without the site: addresses that only the bench has."""

HELLO, SAME, EMPTY = "/bench/hello", "/bench/same", "/bench/empty"
