"""The game folders brought into the database, and the catalogue as files.

``loader`` writes the cards of the folders into the database and makes editions; ``current`` holds the newest
edition in memory for everything that looks cards up; ``stats`` counts; ``as_json`` and ``edition_files`` give
the catalogue to other programs.
"""
