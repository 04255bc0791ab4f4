"""What every game folder must keep, told one sentence a fault."""
