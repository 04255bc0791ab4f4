"""Decks over HTTP."""
