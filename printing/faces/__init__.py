"""Cards as strokes: faces, backs, own pictures, and the styles they are drawn in."""
