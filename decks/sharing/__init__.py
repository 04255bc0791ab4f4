"""A deck for other eyes: one link with the whole list, QR, embedding, preview pictures."""
