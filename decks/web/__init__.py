"""The shared parts of all pages: forms with a list, a verdict ready to be shown, the edit link of a new
deck.
"""
