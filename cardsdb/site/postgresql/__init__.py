"""PostgreSQL's backend for Django, which gives up a silent server.

Django imports its module ``base``.
"""
