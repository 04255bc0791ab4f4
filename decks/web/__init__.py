"""The shared parts of pages: forms with a list, a verdict to show."""
