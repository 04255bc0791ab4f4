"""Games and formats that are data, read from TOML; nothing there is run."""
