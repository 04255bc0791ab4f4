"""The X-Files Collectible Card Game (NXT Games and USPC, 1996-1997): identify the other player's secret
X-File.

``game.toml`` declares the game; it refers by name to the functions and classes of the modules given here.
"""

from pathlib import Path

from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.xfiles import emblems, roles, rules, statistics

GAME = read_game(Path(__file__).parent, emblems, roles, rules, statistics)
