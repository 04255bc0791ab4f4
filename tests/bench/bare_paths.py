"""Where the server answers without the site: addresses that only the bench has."""

HELLO, EMPTY, PLAIN, SERIALIZED = "/bench/hello", "/bench/empty", "/bench/plain", "/bench/serialized"
