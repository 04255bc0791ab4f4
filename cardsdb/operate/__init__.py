"""The operator's tools: checks, numbers, backup, restore."""
