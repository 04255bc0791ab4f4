"""The files of a game folder, read into values of ``model``.

A file that says what cannot be true is a FolderError.
"""
