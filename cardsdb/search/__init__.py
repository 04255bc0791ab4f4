"""Cards that a query is about: fields, results, order, suggestions."""
