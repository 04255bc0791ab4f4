"""Agent Decker: a solo game of 54 cards, a campaign of five missions and a score sheet.

``game.toml`` declares the game; it refers by name to the functions and classes of the modules given here. The
material of this folder is under CC BY-NC 4.0, not under the licence of Cutout's code: see LICENSE.md.
"""

from pathlib import Path

from cardsdb.games.agentdecker import emblems, rules, worksheets
from cardsdb.games.kit.declared.game_file import read_game

GAME = read_game(Path(__file__).parent, emblems, rules, worksheets)
