"""A deck's needs by role, and ways to finish it so that it can be played."""
