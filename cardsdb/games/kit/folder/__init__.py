"""The files of a game folder, read into values of ``model``.

``contents.py`` is the entrance: ``GameFolder`` reads each file when it is first asked for. A file with faults
raises a FolderError, which names every fault with its file and its line or key. ``files.py`` lists the files.
"""
