"""How a verdict is reached: the rules of deck construction, and house rules."""
