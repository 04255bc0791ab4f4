"""The looks of cards: faces, backs and symbols. Pure data; the app ``printing`` draws it."""
