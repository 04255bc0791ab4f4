"""House rules: the numbers of a format as one table plays them, kept with a deck or in an address."""
