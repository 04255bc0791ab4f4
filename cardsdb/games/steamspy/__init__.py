"""Steam Spy: spies, each with a character sheet, a corporation's deck and a deck of their organisations.

No source names a playing card of this game. The catalogue has what the rules page names, and players write
their own cards in. ``game.toml`` declares the game; it refers by name to the functions and classes of the
modules given here.
"""

from pathlib import Path

from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.steamspy import emblems, rules, statistics, worksheets

GAME = read_game(Path(__file__).parent, emblems, rules, statistics, worksheets)
