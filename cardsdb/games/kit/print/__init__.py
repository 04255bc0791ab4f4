"""What cards look like: faces, backs, symbols, and what is printed beside a deck. Pure data; the app ``printing`` draws it."""
