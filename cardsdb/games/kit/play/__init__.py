"""What a game counts and lays out: statistics, opening hands, worksheets, set-up, glossary."""
