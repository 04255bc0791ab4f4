"""Games and formats that are data: ``game.toml`` and ``formats/*.toml`` read into what the kit has. Nothing
in such a folder is run.
"""
