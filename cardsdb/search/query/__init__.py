"""The search language: parsed, checked, explained, matched with cards."""
