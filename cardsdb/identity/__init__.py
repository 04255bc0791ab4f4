"""The viewer of a request; staff rights."""
