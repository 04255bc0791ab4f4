"""The database backend of SQLite, with a queue of writers, and what tells of commits. Django looks for its module ``base``."""
