"""How a verdict is reached: the rule objects, the numbers that house rules may change, and the judging itself."""
