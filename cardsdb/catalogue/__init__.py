"""The game folders brought into the database, and the catalogue as files."""
