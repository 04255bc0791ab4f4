"""Picture files as bytes: kinds, headers, cleaning. No pixel is decoded here."""
