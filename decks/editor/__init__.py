"""The editor: cards found on one side, the deck on the other, its verdict beside it."""
