"""Packages of other programs and tables, read into rows: one module a format, under one contract (``contract.py``). No database."""
