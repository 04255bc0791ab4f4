"""The search engine: some cards in memory, as bitmaps that find, order and count them. Plain Python: no
database, no Django.
"""
