"""What people wait for, measured row by row against its budget (``docs/speed.md``)."""
