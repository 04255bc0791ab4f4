"""Where things lie on a sheet: slots, margins, marks, words."""
