"""Stored jobs, for prints and files that take longer than a visitor waits: they are asked for, made
and kept.
"""
