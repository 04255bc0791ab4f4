"""What stands beside the cards on the table: character sheets, score books, set-ups."""
