"""Pieces printed beside cards: markers, score cards, reference cards, labels, the register, worksheets."""
