"""People's own pictures: taken in with care, kept private, put on cards without being touched."""
