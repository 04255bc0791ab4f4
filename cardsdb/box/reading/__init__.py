"""Packages of other programs and tables, read into rows (``rows.py``); packed games, unpacked to folders."""
