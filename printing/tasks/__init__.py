"""Stored jobs: prints and files that take longer than a visitor waits."""
