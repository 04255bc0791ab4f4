"""What a card looks like: faces, backs, symbols, and what is printed beside the cards."""
