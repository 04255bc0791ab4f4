"""Stores of files: folders of this machine, or an object store."""
