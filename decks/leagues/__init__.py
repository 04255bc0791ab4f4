"""Formats that people make of a game for their league: made by a form, read from a file, shown, handed on."""
