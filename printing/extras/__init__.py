"""Pieces printed beside a deck's cards: markers, score cards, reference cards, labels, the register."""
