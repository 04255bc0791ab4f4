"""What every game folder must keep."""
