"""Rules, judging, and the numbers that house rules may change."""
