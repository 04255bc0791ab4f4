"""The looks of cards as data: faces, backs, symbols."""
