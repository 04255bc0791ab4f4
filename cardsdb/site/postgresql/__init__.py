"""PostgreSQL's backend for Django, which gives up a silent server.

Django looks for its module ``base``.
"""
