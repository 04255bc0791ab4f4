"""The search engine: a query becomes a test that every card in memory is put to. Plain Python: no database, no
Django.
"""
