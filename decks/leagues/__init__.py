"""Formats that people make for their league."""
