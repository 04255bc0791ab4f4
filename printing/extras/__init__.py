"""Pieces that are printed beside a deck's cards: markers, score cards, reference cards, labels for the box,
the register.
"""
