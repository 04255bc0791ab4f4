"""Lists of cards as people write them, read and written."""
