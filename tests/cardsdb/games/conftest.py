"""The fixtures of games that are data, for all tests of games."""

from tests.support.data_games import changed, data_games, night_train, site_data

__all__ = ["changed", "data_games", "night_train", "site_data"]
