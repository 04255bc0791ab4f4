"""The game folders brought into the database: loading, counting, the catalogue as files."""
