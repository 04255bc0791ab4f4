"""Cards as strokes: faces, backs, own pictures, styles."""
