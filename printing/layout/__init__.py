"""The places of things on a sheet: slots, margins, marks, words."""
