"""Picture files: kinds, headers, cleaning. No pixel is decoded here."""
