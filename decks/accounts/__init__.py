"""Accounts: their things, taken along, exported and deleted."""
