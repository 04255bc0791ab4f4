"""Packages of other programs, tables and packed games read into rows, a module a format (``contract.py``)."""
