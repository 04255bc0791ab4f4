"""The smallest change of cards that makes a deck legal.

``search`` looks for it and chooses what to offer; ``steps`` gives it the single changes to try.
"""
