"""People's own pictures: taken in with care, stored privately, put where they are printed."""
