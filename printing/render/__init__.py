"""Strokes to files: PDF, SVG, PNG."""
