"""Parts that a game declares beside its rules: statistics, opening hands, worksheets."""
