"""Functions for the catalogue's templates."""
