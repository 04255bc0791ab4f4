"""Accounts: what belongs to one, and how it is taken along or away."""
