"""Card search: queries in any words, results, order, groups, completions."""
