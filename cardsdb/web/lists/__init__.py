"""Lists of cards: the query in the address, results, facets, suggestions."""
