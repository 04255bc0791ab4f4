"""What the pages of the catalogue say in the same words everywhere."""
