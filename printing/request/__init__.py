"""What a request asks to be printed, as values."""
