"""A deck and its verdict without the database: its content, who asks, how it is judged."""
