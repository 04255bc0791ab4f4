"""The editor: cards on one side, the deck on the other, its verdict beside it."""
