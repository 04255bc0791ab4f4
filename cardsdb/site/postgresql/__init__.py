"""The database backend of PostgreSQL, which notices that nothing comes any more. Django looks for its module
``base``.
"""
