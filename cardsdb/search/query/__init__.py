"""The search language: read, checked, explained in words and written down. Plain Python: no database, no
Django.
"""
