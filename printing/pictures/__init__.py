"""Picture files: what one says of itself, how it is cleaned, which card it is for. No pixel is decoded here."""
