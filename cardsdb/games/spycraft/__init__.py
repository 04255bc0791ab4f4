"""Spycraft (2004): agency decks of leaders, agents, actions and gear, and a shared mission deck.

``game.toml`` declares the game; it refers by name to the functions and classes of the modules given here.
"""

from pathlib import Path

from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.spycraft import emblems, roles, rules, statistics

GAME = read_game(Path(__file__).parent, emblems, roles, rules, statistics)
