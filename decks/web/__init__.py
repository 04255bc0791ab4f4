"""What the pages of every room share: forms with a list, a verdict ready to be shown, the edit link of a new
deck.
"""
