"""Cards that a query is about: its fields, its results and their order, suggestions while one types."""
