"""Cards as strokes: faces and backs."""
