"""A deck as a value, without database: content, edits, differences, verdict, odds."""
