"""Files besides the sheets: pictures, print services, tabletops, cut paths."""
