"""The search language: read, checked, explained, put to cards."""
