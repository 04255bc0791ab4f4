"""Dead Drop: a game invented for the tests, to prove that a game is one folder."""

from pathlib import Path

from cardsdb.games.deaddrop import rules

from cardsdb.games.kit.declared.game_file import read_game

GAME = read_game(Path(__file__).parent, rules)
