"""Games and formats that are data, read from TOML; nothing there is run.

``game_file.py`` reads a whole game with the help of ``formats.py`` (which calls ``rules.py``) and
``looks.py``. All of them read tables through ``folder/table.py``, which collects every fault before one
FolderError is raised. ``sample`` is the folder that ``manage.py new_game`` copies.
"""
