"""The data files of a game folder, read and checked."""
