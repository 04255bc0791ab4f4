"""The whole catalogue as files."""
