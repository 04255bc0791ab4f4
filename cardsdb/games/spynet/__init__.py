"""SpyNet: one fixed box of 84 cards, of which the rulebook names eleven.

``game.toml`` declares the game; it refers by name to the functions and classes of the modules given here.
"""

from pathlib import Path

from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.spynet import emblems, rules, worksheets

GAME = read_game(Path(__file__).parent, emblems, rules, worksheets)
