"""The search language: read, checked, explained in words, written down and put to cards. Plain Python: no
database, no Django.
"""
