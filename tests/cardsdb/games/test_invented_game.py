"""The invented game with which speed is measured keeps the contract."""

from cardsdb import games as folders
from cardsdb.games.kit.contract.checks import problems
from tests.support.paper_war import SLUG, write_game


def test_the_invented_game_keeps_the_contract(site_data):
    write_game(site_data / "games", 300)
    folders.games.cache_clear()
    assert folders.faults() == []
    assert problems(folders.games()[SLUG]) == []
