"""Queries in plain words, read by what a game and its players call things."""
