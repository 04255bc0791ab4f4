"""The database backend of SQLite, with a queue of writers. Django looks for its module ``base``."""
