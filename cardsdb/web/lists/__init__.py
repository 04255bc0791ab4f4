"""Lists of cards: the query in the address, its results, facets, rows and suggestions."""
